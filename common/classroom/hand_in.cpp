#include "classroom/hand_in.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <sys/stat.h>

#include "classroom/exercise_files.hpp"
#include "course/build/stub.hpp"
#include "course/files.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::BadUse;
using course::Exercise;
using course::Project;

namespace {

constexpr std::array<const char*, 8> archives{".zip", ".tar",  ".tar.gz",  ".tgz",
                                              ".txz", ".tbz2", ".tar.bz2", ".tar.xz"};

const std::string beyond_limit = fmt::format("beyond the {} MiB that are read", most_read >> 20);

constexpr int most_parts = 32;          // of a path
constexpr std::size_t most_path = 4096; // bytes of it

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

/// Appends entries as long as there is room for what is in them.
void add(std::vector<Entry>& entries, std::size_t& read, std::vector<Entry> more) {
    read += bytes_in(more);
    if (read > most_read) {
        for (Entry& entry : more) {
            entry.refused = entry.refused.empty() ? beyond_limit : entry.refused;
            entry.text.clear();
        }
    }
    entries.insert(entries.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
}

void read_folder(const fs::path& folder, const fs::path& below, const Wanted& wanted,
                 const Budget& budget, std::vector<Entry>& entries, std::size_t& read) {
    std::error_code error;
    for (const auto& item : fs::directory_iterator(folder, error)) {
        const fs::path path = below / item.path().filename();
        struct stat file {};
        if (budget.is_over()) {
            return;
        }
        if (is_ignored(path) || entries.size() >= most_files ||
            lstat(item.path().c_str(), &file) != 0) {
            continue;
        }
        if (is_too_deep(path.string())) {
            add(entries, read, {too_deep(path.string())});
        } else if (S_ISDIR(file.st_mode)) {
            read_folder(item.path(), path, wanted, budget, entries, read);
        } else if (S_ISREG(file.st_mode) && is_archive(path.string())) {
            add(entries, read, read_archive(item.path(), wanted, budget));
        } else if (wanted(path.string()) || !S_ISREG(file.st_mode)) {
            Entry entry{path.string(), read > most_read ? beyond_limit : refusal(file), "",
                        file.st_mtime};
            const auto text =
                entry.refused.empty() ? course::read_file(item.path()) : std::string();
            entry.refused = text ? entry.refused : "not to be read";
            entry.text = text.value_or("");
            add(entries, read, {std::move(entry)});
        }
    }
    if (error) {
        entries.push_back({below.string(), "a folder that cannot be read", "", 0});
    }
}

/// Whether a path is the better place for a file that is there twice: nearer to the top.
bool is_nearer(const std::string& a, const std::string& b) {
    const auto depth = [](const std::string& path) {
        return std::count(path.begin(), path.end(), '/');
    };
    return depth(a) < depth(b) || (depth(a) == depth(b) && a < b);
}

std::string without_spaces(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    return text;
}

/// How much an exercise's file is worth reading: 2 if somebody worked on it, 1 for the stub, 0 if
/// it is empty.
int work_in(const Exercise& exercise, const std::string& text) {
    const std::string written = without_spaces(text);
    const std::string stub =
        without_spaces(course::cut_stub(course::read_file(exercise.solution).value_or("")));
    return written.empty() ? 0 : written == stub ? 1 : 2;
}

/// All files of a hand-in that are one exercise.
struct Copies {
    const Exercise* exercise = nullptr;
    std::vector<Entry*> files = {}; // the nearest to the top first
};

/// The copy that counts: of those with most work in them the nearest to the top.
Entry& best_of(const Copies& copies) {
    Entry* best = copies.files.front();
    for (Entry* file : copies.files) {
        if (work_in(*copies.exercise, file->text) > work_in(*copies.exercise, best->text)) {
            best = file;
        }
    }
    return *best;
}

std::string without_suffix(std::string name) {
    for (const char* suffix : archives) {
        if (name.ends_with(suffix)) {
            return name.substr(0, name.size() - std::string_view(suffix).size());
        }
    }
    return name;
}

void remark(HandIn& hand_in, const std::string& text) {
    constexpr std::size_t most_remarks = 20;
    if (hand_in.remarks.size() < most_remarks) {
        hand_in.remarks.push_back(text);
    }
}

void remark_refusals(const std::vector<Entry>& entries, HandIn& hand_in) {
    bool deep_is_said = false; // there may be thousands
    for (const Entry& entry : entries) {
        const bool deep = entry.refused == too_deep("").refused;
        if (!entry.refused.empty() && !(deep && deep_is_said)) {
            remark(hand_in, fmt::format("{} is {}: not read", entry.path, entry.refused));
        }
        deep_is_said = deep_is_said || deep;
    }
}

/// The files of each exercise, by its id; what is none, but nearly, is remarked.
std::map<std::string, Copies> copies_in(const Project& project,
                                        const std::vector<course::Lesson>& all,
                                        std::vector<Entry>& entries, HandIn& hand_in) {
    std::map<std::string, Copies> copies;
    for (Entry& entry : entries) {
        const Exercise* exercise =
            is_source(entry.path) ? exercise_of(project, entry.path) : nullptr;
        if (!entry.refused.empty()) {
            continue;
        }
        if (exercise != nullptr) {
            copies[exercise->id].exercise = exercise;
            copies[exercise->id].files.push_back(&entry);
        } else if (const Exercise* meant = meant_by(project, all, entry.path); meant != nullptr) {
            remark(hand_in,
                   fmt::format(
                       "{} is not read; is it {}, {}?", entry.path, meant->id,
                       (meant->file.parent_path().filename() / meant->file.filename()).string()));
        }
    }
    return copies;
}

/// Takes the exercises' texts from what was read.
///   all   the lessons of the course, of which perhaps not all are graded
///   entries   the nearest to the top first
void sort_out(const Project& project, const std::vector<course::Lesson>& all,
              std::vector<Entry>& entries, HandIn& hand_in) {
    remark_refusals(entries, hand_in);
    for (const auto& [id, copies] : copies_in(project, all, entries, hand_in)) {
        Entry& best = best_of(copies);
        for (const Entry* file : copies.files) {
            if (file != &best) {
                remark(hand_in, fmt::format("{} is there twice: {} is not read, {} is", id,
                                            file->path, best.path));
            }
        }
        hand_in.texts[id] = std::move(best.text);
        hand_in.changed = std::max(hand_in.changed, best.changed);
    }
}

} // namespace

bool is_archive(const std::string& name) {
    return std::any_of(archives.begin(), archives.end(),
                       [&](const char* suffix) { return name.ends_with(suffix); });
}

bool is_too_deep(const std::string& path) {
    return path.size() > most_path || std::count(path.begin(), path.end(), '/') >= most_parts;
}

Entry too_deep(const std::string& path) {
    return {path.substr(0, 60) + "…",
            fmt::format("a path of more than {} parts or {} bytes", most_parts, most_path), "", 0};
}

HandIn read_hand_in(const Project& project, const fs::path& path, const Budget& budget) {
    HandIn hand_in{without_suffix(path.filename().string()), {}, {}, 0};
    std::vector<Entry> entries;
    const std::vector<course::Lesson> all = course::read_lessons(project);
    const Wanted wanted = [&](const std::string& each) {
        return is_source(each) || meant_by(project, all, each) != nullptr;
    };
    struct stat file {};
    if (lstat(path.c_str(), &file) != 0) {
        hand_in.remarks.emplace_back("it cannot be read");
    } else if (S_ISDIR(file.st_mode)) {
        std::size_t read = 0;
        read_folder(path, "", wanted, budget, entries, read);
    } else if (S_ISREG(file.st_mode) && is_archive(path.string())) {
        entries = read_archive(path, wanted, budget);
    } else {
        hand_in.remarks.emplace_back("it is neither a folder nor a zip or tar");
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
