#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace classroom {

/// What Moodle or Canvas writes before a file's own name.
struct Mark {
    std::string student = {}; // "Ada Lovelace_12345"
    std::string called = {};
    std::string moodle = {}; // the participant's number
    std::string canvas = {}; // the user's
    bool late = false;
    long long upload = 0;  // Canvas counts them
    std::string rest = {}; // the file's own name
};

/// What one student handed in: of all that came, the exercises' files alone.
struct HandIn {
    std::string student;                      // another one for each: "Ada Lovelace_12345", "ada"
    std::map<std::string, std::string> texts; // of the files found, by the exercise's id
    std::vector<std::string> remarks;         // what was refused, or is missing, a line each
    std::time_t changed = 0;                  // when the newest of those files was last changed
    Mark who = {};
};

/// A file or folder as it lies there. An archive is a folder in the path.
struct Entry {
    std::string path;
    std::string refused = {}; // why it is not read ("a symbolic link"), or ""
    std::string text = {};    // if it may be an exercise
    std::time_t changed = 0;
    bool is_folder = false;
};

/// Limits: of a file, and of all that a top entry of the class's folder unpacks to.
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t most_unpacked = std::size_t{1} << 30;

using Stop = std::function<bool()>;                          // true ends the reading
using Wanted = std::function<bool(const std::string& name)>; // of a file: its text

/// All that lies at a path: a folder, a file, or an archive (zip, tar) that may hold others. Paths
/// begin with its name. What is hidden is left out. Nothing is executed, written or followed.
std::vector<Entry> read_entries(const std::filesystem::path& top, const Wanted& wanted,
                                const Stop& stop);

/// A name without the suffix of an archive.
std::string without_suffix(const std::string& name);
bool is_archive(const std::string& name);

/// Reads what lies at a path as one student's.
HandIn read_hand_in(
    const course::Project& project, const std::filesystem::path& path,
    const Stop& stop = [] { return false; });

/// All hand-ins of a folder, in the order of their names: of each entry, or of each name that
/// Moodle or Canvas has written before a file's own. Throws BadUse if there is no such folder, or
/// nothing in it, or an exercise that is nobody's.
std::vector<HandIn> read_class(
    const course::Project& project, const std::filesystem::path& folder,
    const Stop& stop = [] { return false; });

/// Text with one form of each character: a Mac writes ü as u and dots. Unchanged without utf8proc.
std::string composed(const std::string& text);
extern const bool can_compose;

} // namespace classroom
