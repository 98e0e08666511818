// Whose a file is. Platforms write it before the file's name; else it is the folder's or archive's.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "classroom/exercise_files.hpp"

namespace classroom {

namespace {

using Parts = std::vector<std::string>;

Parts parts_of(const std::string& path) {
    Parts parts;
    for (const auto& part : std::filesystem::path(path)) {
        if (part != "." && part != ".." && part != "/" && !part.empty()) {
            parts.push_back(part);
        }
    }
    return parts;
}

std::string joined(const Parts& parts, std::size_t begin) {
    return fmt::format(
        "{}", fmt::join(parts.begin() + static_cast<std::ptrdiff_t>(begin), parts.end(), "/"));
}

/// Whether a folder is one of the course's.
bool is_lesson(const std::string& folder) {
    static const std::regex numbered(R"(\d\d_\w+)");
    return folder == "lessons" || std::regex_match(folder, numbered);
}

/// An entry, taken apart.
struct Item {
    const Entry& entry;
    Parts parts;
    bool is_exercise; // and where work is looked for

    bool has_folder(std::size_t depth) const {
        return parts.size() > depth + 1 || (parts.size() == depth + 1 && entry.is_folder);
    }
    bool lies_loose(std::size_t depth) const {
        return parts.size() == depth + 1 && !entry.is_folder;
    }
};

/// How many folders lie above the people's: all hand-ins may be in one zip, or in one folder of it.
/// What is one student's has folders of the course's names, or but one with work in it.
std::size_t depth_of_people(const Project& project, const std::vector<Item>& items) {
    for (std::size_t depth = 0;; ++depth) {
        std::set<std::string> folders;
        std::set<std::string> with_work;
        bool has_prefix = false;
        bool is_work = false;
        for (const Item& item : items) {
            if (item.has_folder(depth)) {
                folders.insert(item.parts[depth]);
                if (item.is_exercise) {
                    with_work.insert(item.parts[depth]);
                }
            } else if (item.lies_loose(depth)) {
                const std::string& name = item.parts[depth];
                is_work = is_work || item.is_exercise;
                has_prefix =
                    has_prefix || mark_in(name) || exercise_behind(project, name).first != nullptr;
            }
        }
        if (has_prefix || (depth > 0 && with_work.size() > 1 && !is_work &&
                           std::none_of(folders.begin(), folders.end(), is_lesson))) {
            return depth;
        }
        if (folders.size() != 1 || is_work || is_lesson(*folders.begin())) {
            return 0;
        }
    }
}

/// The first name in a path that a platform has written, and where.
std::optional<std::pair<Mark, std::size_t>> mark_of(const Project& project, const Item& item,
                                                    std::size_t depth) {
    for (std::size_t i = 0; i < item.parts.size(); ++i) {
        const auto mark = mark_in(item.parts[i]);
        const bool is_sure =
            mark &&
            (!mark->moodle.empty() || is_archive(mark->rest) ||
             (item.lies_loose(i) && (i == depth || exercise_of(project, mark->rest) != nullptr)));
        if (is_sure) {
            return std::pair{*mark, i};
        }
    }
    return std::nullopt;
}

Mark called(const std::string& name) {
    Mark who;
    who.student = who.called = name;
    return who;
}

} // namespace

std::optional<Mark> mark_in(const std::string& name) {
    static const std::regex moodle(R"((.+)_(\d{1,18})_assignsubmission_[a-z]+_?(.*))");
    static const std::regex canvas(R"((.+?)(_LATE|_late)?_(\d{1,18})_(\d{1,18})_(.+))");
    std::smatch match;
    if (std::regex_match(name, match, moodle)) {
        return Mark{match.str(1) + "_" + match.str(2),
                    match.str(1),
                    match.str(2),
                    "",
                    false,
                    0,
                    match.str(3)};
    }
    // A date, as in ada_2026_11_20.zip, is no number of an upload.
    if (std::regex_match(name, match, canvas) &&
        (match.length(4) > 2 || !is_archive(match.str(5)))) {
        return Mark{
            match.str(1) + "_" + match.str(3), match.str(1), "", match.str(3), match.length(2) > 0,
            std::stoll(match.str(4)),          match.str(5)};
    }
    return std::nullopt;
}

std::vector<std::optional<Place>> places_of(const Project& project,
                                            const std::vector<Entry>& entries) {
    std::vector<Item> items;
    for (const Entry& entry : entries) {
        items.push_back({entry, parts_of(entry.path),
                         !entry.is_folder && exercise_of(project, entry.path) != nullptr &&
                             !is_passed_over(entry.path)});
    }
    const std::size_t depth = depth_of_people(project, items);
    std::vector<std::optional<Place>> places(items.size());
    std::set<std::string> wrappers; // in which platforms have written names
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& item = items[i];
        if (const auto mark = mark_of(project, item, depth)) {
            const bool is_own = item.lies_loose(mark->second);
            places[i] = Place{mark->first,
                              is_own ? mark->first.rest : joined(item.parts, mark->second + 1)};
            if (mark->second > depth) {
                wrappers.insert(item.parts[depth]);
            }
        }
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto& [entry, parts, is_exercise] = items[i];
        if (places[i] || parts.empty()) {
            continue;
        }
        const bool is_above = parts.size() <= depth; // the people
        const std::string& top = parts[is_above ? 0 : depth];
        if (items[i].lies_loose(depth)) {
            const auto [exercise, before] = exercise_behind(project, top);
            if (exercise == nullptr && is_exercise) {
                throw course::BadUse(fmt::format(
                    "{} does not say whose it is: put it into a folder with the student's name",
                    entry.path));
            }
            places[i] = Place{called(exercise != nullptr ? before : without_suffix(top)),
                              exercise != nullptr ? top.substr(before.size() + 1) : top};
        } else if (is_exercise || !entry.refused.empty() ||
                   (!is_above && !wrappers.contains(top))) {
            places[i] = Place{called(without_suffix(top)), joined(parts, is_above ? 1 : depth + 1)};
        }
    }
    return places;
}

} // namespace classroom
