#pragma once

#include <chrono>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace classroom {

/// What one student handed in: of all that came, the exercises' files alone.
struct HandIn {
    std::string student;                      // the entry's name, without .zip and the like
    std::map<std::string, std::string> texts; // of the files found, by the exercise's id
    std::vector<std::string> remarks;         // what was refused, or is missing, a line each
    std::time_t changed = 0;                  // when the newest of those files was last changed
};

/// One file of a hand-in as it lies there, in a folder or in an archive.
struct Entry {
    std::string path;    // below the hand-in
    std::string refused; // why it is not read ("a symbolic link"), or ""
    std::string text;
    std::time_t changed = 0;
    bool unread = false; // its name alone is wanted
};

/// Limits of one hand-in: a file larger than that is no exercise, and there is no more of them.
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t most_files = 20'000;
constexpr std::size_t most_read = std::size_t{32} << 20; // bytes of all that may be exercises

/// Of one archive, wanted or not; a bomb is larger.
constexpr std::size_t most_unpacked = std::size_t{256} << 20;

/// How long a hand-in may take to be read, from now on, and whether somebody has it stopped.
struct Budget {
    std::chrono::milliseconds time{20'000};
    std::function<bool()> stop = [] { return false; };
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();

    bool is_over() const { return stop() || std::chrono::steady_clock::now() > begun + time; }
};

/// Whether a path has more parts, or bytes, than anybody's work. Nothing is looked at there.
bool is_too_deep(const std::string& path);
/// What is said of such a path.
Entry too_deep(const std::string& path);

/// Whether a file's name says that it is an archive: zip, tar, tar.gz and the like, in small or
/// capital letters.
bool is_archive(const std::string& name);

/// What is wanted of a file, by its path.
enum class Want { nothing, name, text };
using Wanted = std::function<Want(const std::string& path)>;

/// A file of which the name alone is wanted.
Entry unread(const std::string& path);

/// What is wanted of the entries of a zip or tar. A trouble with the archive is an entry that is
/// refused.
std::vector<Entry> read_archive(const std::filesystem::path& archive, const Wanted& wanted,
                                const Budget& budget);

/// Reads what lies at a path: a folder, an archive, or a folder with an archive in it. Nothing is
/// executed, written or followed: links, devices and pipes are refused by name.
HandIn read_hand_in(const course::Project& project, const std::filesystem::path& path,
                    const Budget& budget = {});

/// All hand-ins of a folder, in the order of their names; what is hidden is none. Throws BadUse if
/// there is no such folder, or nothing in it.
///   stop   asked all the time; true ends the reading
std::vector<HandIn> read_class(
    const course::Project& project, const std::filesystem::path& folder,
    const std::function<bool()>& stop = [] { return false; });

} // namespace classroom
