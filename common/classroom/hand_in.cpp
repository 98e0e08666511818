#include "classroom/hand_in.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "classroom/choice.hpp"
#include "classroom/exercise_files.hpp"
#include "course/files.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::BadUse;
using course::Project;

namespace {

constexpr std::array<const char*, 8> archives{".zip", ".tar",  ".tar.gz",  ".tgz",
                                              ".txz", ".tbz2", ".tar.bz2", ".tar.xz"};

const std::string beyond_limit = fmt::format("beyond the {} MiB that are read", most_read >> 20);

constexpr std::size_t most_names = 1000; // of files that are not read: none takes work's place
constexpr int most_parts = 32;           // of a path
constexpr std::size_t most_path = 4096;  // bytes of it

/// Why a file is not read; "" if it is an ordinary one.
std::string refusal(const struct stat& file) {
    switch (file.st_mode & S_IFMT) {
    case S_IFLNK:
        return "a symbolic link";
    case S_IFIFO:
        return "a pipe";
    case S_IFSOCK:
        return "a socket";
    case S_IFBLK:
    case S_IFCHR:
        return "a device";
    default:
        break;
    }
    return static_cast<std::size_t>(file.st_size) > most_bytes
               ? fmt::format("{} MiB large", file.st_size >> 20)
               : "";
}

std::size_t bytes_in(const std::vector<Entry>& entries) {
    std::size_t bytes = 0;
    for (const Entry& entry : entries) {
        bytes += entry.text.size();
    }
    return bytes;
}

/// What has been read of a folder that was handed in.
struct Reading {
    const Wanted& wanted;
    const Budget& budget;
    std::vector<Entry> entries = {};
    std::size_t read = 0;                   // bytes
    std::size_t names = 0;                  // of files that are not read
    std::vector<fs::path> passed_over = {}; // folders, by their paths below the hand-in
};

/// Appends entries as long as there is room for what is in them.
void add(Reading& reading, std::vector<Entry> more) {
    reading.read += bytes_in(more);
    if (reading.read > most_read) {
        for (Entry& entry : more) {
            entry.refused = entry.refused.empty() ? beyond_limit : entry.refused;
            entry.text.clear();
        }
    }
    reading.entries.insert(reading.entries.end(), std::make_move_iterator(more.begin()),
                           std::make_move_iterator(more.end()));
}

/// Reads a file, or refuses it.
///   path   below the hand-in
void read_file(const fs::path& file, const fs::path& path, const struct stat& status,
               Reading& reading) {
    Entry entry{path.string(), reading.read > most_read ? beyond_limit : refusal(status), "",
                status.st_mtime};
    const auto text = entry.refused.empty() ? course::read_file(file) : std::string();
    entry.refused = text ? entry.refused : "not to be read";
    entry.text = text.value_or("");
    add(reading, {std::move(entry)});
}

void read_folder(const fs::path& folder, const fs::path& below, Reading& reading) {
    std::error_code error;
    for (const auto& item : fs::directory_iterator(folder, error)) {
        const fs::path path = below / item.path().filename();
        struct stat file {};
        if (reading.budget.is_over()) {
            return;
        }
        if (is_ignored(path) || reading.entries.size() >= most_files ||
            lstat(item.path().c_str(), &file) != 0) {
            continue;
        }
        const Want want = reading.wanted(path.string());
        if (is_passed_over(path)) {
            if (S_ISDIR(file.st_mode)) {
                reading.passed_over.push_back(path);
            }
        } else if (is_too_deep(path.string())) {
            add(reading, {too_deep(path.string())});
        } else if (S_ISDIR(file.st_mode)) {
            read_folder(item.path(), path, reading);
        } else if (S_ISREG(file.st_mode) && is_archive(path.string())) {
            add(reading, read_archive(item.path(), reading.wanted, reading.budget));
        } else if (want == Want::text || !S_ISREG(file.st_mode)) {
            read_file(item.path(), path, file, reading);
        } else if (want == Want::name && reading.names++ < most_names) {
            reading.entries.push_back(unread(path.string()));
        }
    }
    if (error) {
        add(reading, {{below.string(), "a folder that cannot be read", "", 0}});
    }
}

/// Looks into a folder that is passed over for the names of what is wanted.
///   top   of the hand-in
void look_into(const fs::path& top, const fs::path& folder, Reading& reading) {
    std::error_code error;
    const auto begin = fs::recursive_directory_iterator(
        top / folder, fs::directory_options::skip_permission_denied, error);
    for (auto item = begin; item != fs::end(item); item.increment(error)) {
        const std::string path = item->path().lexically_relative(top).string();
        if (reading.budget.is_over() || reading.entries.size() >= most_files) {
            return;
        }
        if (is_too_deep(path)) {
            item.disable_recursion_pending();
        } else if (reading.wanted(path) == Want::name) {
            reading.entries.push_back(unread(path));
        }
    }
}

/// Whether a path is the better place for a file that is there twice: nearer to the top.
bool is_nearer(const std::string& a, const std::string& b) {
    const auto depth = [](const std::string& path) {
        return std::count(path.begin(), path.end(), '/');
    };
    return depth(a) < depth(b) || (depth(a) == depth(b) && a < b);
}

/// The suffix by which a name says that it is an archive, in small or capital letters; "" if none.
std::string_view archive_suffix(const std::string& name) {
    std::string small = name;
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto* const suffix = std::find_if(
        archives.begin(), archives.end(), [&](const char* each) { return small.ends_with(each); });
    return suffix == archives.end() ? "" : *suffix;
}

std::string without_suffix(const std::string& name) {
    return name.substr(0, name.size() - archive_suffix(name).size());
}

/// What is said of a hand-in that is neither a folder nor an archive.
std::string trouble_with(const struct stat& file) {
    if (S_ISREG(file.st_mode)) {
        return "it is neither a folder nor a zip or tar";
    }
    return "it is " + refusal(file) + (S_ISLNK(file.st_mode) ? ", which is not followed" : "");
}

} // namespace

bool is_archive(const std::string& name) {
    return !archive_suffix(name).empty();
}

bool is_too_deep(const std::string& path) {
    return path.size() > most_path || std::count(path.begin(), path.end(), '/') >= most_parts;
}

Entry unread(const std::string& path) {
    return {path, "", "", 0, true};
}

Entry too_deep(const std::string& path) {
    return {path.substr(0, 60) + "…",
            fmt::format("a path of more than {} parts or {} bytes", most_parts, most_path), "", 0};
}

HandIn read_hand_in(const Project& project, const fs::path& path, const Budget& budget) {
    HandIn hand_in{without_suffix(path.filename().string()), {}, {}, 0};
    std::vector<Entry> entries;
    const std::vector<course::Lesson> all = course::read_lessons(project);
    const Wanted wanted = [&](const std::string& each) { return want_of(project, all, each); };
    struct stat file {};
    if (lstat(path.c_str(), &file) != 0) {
        hand_in.remarks.emplace_back("it cannot be read");
    } else if (S_ISDIR(file.st_mode)) {
        Reading reading{wanted, budget};
        read_folder(path, "", reading);
        for (const fs::path& folder : reading.passed_over) { // last: they may be large
            look_into(path, folder, reading);
        }
        entries = std::move(reading.entries);
    } else if (S_ISREG(file.st_mode) && is_archive(path.string())) {
        entries = read_archive(path, wanted, budget);
    } else {
        hand_in.remarks.push_back(trouble_with(file));
    }
    if (budget.is_over()) {
        hand_in.remarks.push_back(
            fmt::format("reading it takes more than {} s: what was not read by then is missing",
                        std::chrono::duration_cast<std::chrono::seconds>(budget.time).count()));
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return is_nearer(a.path, b.path); });
    sort_out(project, all, entries, hand_in);
    if (entries.size() >= most_files) {
        hand_in.remarks.push_back(fmt::format("it has more than {} files", most_files));
    }
    if (hand_in.texts.empty()) {
        hand_in.remarks.emplace_back("no exercise files found");
    }
    return hand_in;
}

std::vector<HandIn> read_class(const Project& project, const fs::path& folder,
                               const std::function<bool()>& stop) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (const auto& item : fs::directory_iterator(folder, error)) {
        const std::string name = item.path().filename();
        if (!name.starts_with(".") && name != "__MACOSX" && name != "Thumbs.db" &&
            name != "desktop.ini") {
            paths.push_back(item.path());
        }
    }
    if (error || paths.empty()) {
        throw BadUse(fmt::format("{} {}; give a folder with one folder, zip or tar a student",
                                 folder.string(),
                                 error ? "cannot be read: " + error.message() : "is empty"));
    }
    std::sort(paths.begin(), paths.end());
    std::vector<HandIn> hand_ins;
    std::set<std::string> names;
    for (const fs::path& path : paths) {
        if (stop()) {
            break;
        }
        Budget budget;
        budget.stop = stop;
        hand_ins.push_back(read_hand_in(project, path, budget));
        std::string& name = hand_ins.back().student;
        if (!names.insert(name).second) { // anna and anna.zip
            name = path.filename().string();
            names.insert(name);
        }
    }
    return hand_ins;
}

} // namespace classroom
