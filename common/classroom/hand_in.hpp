#pragma once

#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace classroom {

/// What Moodle or Canvas puts before a file's own name.
struct Mark {
    std::string student = {}; // "Ada Lovelace_12345"
    std::string called = {};
    std::string moodle = {}; // the participant's number
    std::string canvas = {}; // the user's
    bool late = false;
    long long upload = 0;  // Canvas's number of it
    std::string rest = {}; // the file's own name
};

/// The exercises' files that one student handed in.
struct HandIn {
    std::string student;                      // unique: "Ada Lovelace_12345", "ada"
    std::map<std::string, std::string> texts; // of the files found, by the exercise's id
    std::vector<std::string> remarks;         // what was refused or is missing, a line each
    std::time_t changed = 0;                  // when the newest of those files was last changed
    Mark who = {};
};

/// A file or folder. An archive counts as a folder in the path.
struct Entry {
    std::string path;
    std::string refused = {}; // why it is not read ("a symbolic link"), or ""
    std::string text = {};    // if it may be an exercise
    std::time_t changed = 0;
    bool is_folder = false;
};

/// Limits of a file, and of all that a top entry of the class's folder unpacks to.
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t most_unpacked = std::size_t{1} << 30;

using Wanted = std::function<bool(const std::string& name)>; // of a file: its text

/// All entries at a path: a folder, a file, or an archive (zip, tar), perhaps with archives in it.
/// Paths begin with its name. Hidden files are left out; nothing is executed, written or followed.
/// An interruption ends the reading.
std::vector<Entry> read_entries(const std::filesystem::path& top, const Wanted& wanted);

/// A name without an archive's suffix.
std::string without_suffix(const std::string& name);
bool is_archive(const std::string& name);

/// Reads the files at a path as one student's.
HandIn read_hand_in(const course::Project& project, const std::filesystem::path& path);

/// All hand-ins in a folder, in the order of their names: one per entry, or one per name that
/// Moodle or Canvas has put before a file's own. Throws BadUse if the folder is missing or empty,
/// or if an exercise belongs to nobody.
std::vector<HandIn> read_class(const course::Project& project, const std::filesystem::path& folder);

/// Text with one form of ü, which a Mac writes as u and dots; unchanged without utf8proc.
std::string composed(const std::string& text);
extern const bool can_compose;

} // namespace classroom
