// Whose a file is: platforms put the name before the file's; else it is that of the folder or
// archive.

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

/// An entry with the parts of its path.
struct Item {
    const Entry& entry;
    Parts parts;
    bool is_exercise; // in a folder where work is expected

    bool has_folder(std::size_t depth) const {
        return parts.size() > depth + 1 || (parts.size() == depth + 1 && entry.is_folder);
    }
    bool lies_loose(std::size_t depth) const {
        return parts.size() == depth + 1 && !entry.is_folder;
    }
};

/// The number of folders above the students': all hand-ins may be in one zip, or in one folder of
/// it. One student's hand-in has folders with the course's names, or only one folder with work in
/// it.
std::size_t depth_of_people(const std::vector<Item>& items) {
    const auto is_ours = [](const std::string& name) {
        return name == "lessons" || is_lesson(name);
    };
    for (std::size_t depth = 0;; ++depth) {
        std::set<std::string> folders;
        std::set<std::string> with_work;
        bool is_marked = false;
        bool is_work = false;
        for (const Item& item : items) {
            if (item.has_folder(depth)) {
                folders.insert(item.parts[depth]);
                if (item.is_exercise) {
                    with_work.insert(item.parts[depth]);
                }
            } else if (item.lies_loose(depth)) {
                is_work = is_work || item.is_exercise;
                is_marked = is_marked || mark_in(item.parts[depth]);
            }
        }
        if (is_marked || (depth > 0 && with_work.size() > 1 && !is_work &&
                          std::ranges::none_of(folders, is_ours))) {
            return depth;
        }
        if (folders.size() != 1 || is_work || is_ours(*folders.begin())) {
            return 0;
        }
    }
}

/// The first name in a path that a platform has put there, and its place.
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

} // namespace

std::optional<Mark> mark_in(const std::string& name) {
    static const std::regex moodle(R"((.+)_(\d{1,18})_assignsubmission_[a-z]+_?(.*))");
    static const std::regex canvas(R"((.+?)(_LATE|_late)?_(\d{1,18})_(\d{1,18})_(.+))");
    std::smatch match;
    Mark mark;
    if (std::regex_match(name, match, moodle)) {
        mark.moodle = match.str(2);
        mark.rest = match.str(3);
    } else if (std::regex_match(name, match, canvas) && // no date, as in ada_2026_11_20.zip
               (match.length(4) > 2 || !is_archive(match.str(5)))) {
        mark.late = match.length(2) > 0;
        mark.canvas = match.str(3);
        mark.upload = std::stoll(match.str(4));
        mark.rest = match.str(5);
    } else {
        return std::nullopt;
    }
    mark.called = match.str(1);
    mark.student = mark.called + "_" + mark.moodle + mark.canvas;
    return mark;
}

std::vector<Place> places_of(const Project& project, const std::vector<Entry>& entries) {
    std::vector<Item> items;
    for (const Entry& entry : entries) {
        items.push_back({entry, parts_of(entry.path),
                         !entry.is_folder && exercise_of(project, entry.path) != nullptr &&
                             !is_passed_over(entry.path)});
    }
    const std::size_t depth = depth_of_people(items);
    std::vector<Place> places;
    std::vector<const Item*> unmarked;
    std::set<std::string> wrappers; // folders that contain a platform's names
    for (const Item& item : items) {
        if (const auto mark = mark_of(project, item, depth)) {
            const auto& [who, at] = *mark;
            places.push_back(
                {&item.entry, who, item.lies_loose(at) ? who.rest : joined(item.parts, at + 1)});
            if (at > depth) {
                wrappers.insert(item.parts[depth]);
            }
        } else if (!item.parts.empty()) {
            unmarked.push_back(&item);
        }
    }
    for (const Item* item : unmarked) {
        const auto& [entry, parts, is_exercise] = *item;
        const bool is_above = parts.size() <= depth; // the people
        const std::string& top = parts[is_above ? 0 : depth];
        if (item->lies_loose(depth) && is_exercise) {
            throw course::BadUse(fmt::format(
                "{} belongs to nobody: put it into a folder with the student's name", entry.path));
        }
        if (is_exercise || !entry.refused.empty() || (!is_above && !wrappers.contains(top))) {
            Mark who;
            who.student = who.called = without_suffix(top);
            places.push_back({&entry, who, joined(parts, is_above ? 1 : depth + 1)});
        }
    }
    return places;
}

} // namespace classroom
