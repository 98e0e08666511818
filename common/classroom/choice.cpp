#include "classroom/choice.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

#include "classroom/exercise_files.hpp"
#include "classroom/names.hpp"
#include "course/files.hpp"
#include "course/grading/stub.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Project;

namespace {

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
        if (!entry.refused.empty() || entry.unread) {
            continue;
        }
        const Exercise* exercise =
            is_source(entry.path) ? exercise_of(project, entry.path) : nullptr;
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

/// Says which folders are passed over for their names, where work is in them that is not elsewhere.
void remark_passed_over(const Project& project, const std::vector<Entry>& entries,
                        HandIn& hand_in) {
    std::map<std::string, std::set<std::string>> missed; // exercises, by the folder
    for (const Entry& entry : entries) {
        const Exercise* exercise =
            entry.unread && is_passed_over(entry.path) ? exercise_of(project, entry.path) : nullptr;
        if (exercise != nullptr && !hand_in.texts.contains(exercise->id)) {
            missed[passed_over_in(entry.path).string()].insert(exercise->id);
        }
    }
    for (const auto& [folder, exercises] : missed) {
        const std::string what =
            exercises.size() == 1
                ? *exercises.begin() + " in it is"
                : fmt::format("{} and {} more in it are", *exercises.begin(), exercises.size() - 1);
        remark(hand_in,
               fmt::format("the folder {} is passed over for its name: {} not read", folder, what));
    }
}

/// Whether what an exercise of a lesson includes is a header of the course.
bool is_there_for(const Project& project, const course::Lesson& lesson,
                  const std::string& included) {
    std::error_code unusual; // a name that is too long
    return fs::exists(lesson.contract.parent_path() / included, unusual) ||
           fs::exists(project.root / "common" / included, unusual);
}

/// The files that a text includes, as they are written between its quotes.
std::vector<std::string> included_in(const std::string& text) {
    std::vector<std::string> included;
    const Tokens tokens = tokens_of(text);
    for (std::size_t i = 0; i + 1 < tokens.all.size(); ++i) {
        const std::string& name = tokens.all[i + 1];
        if (tokens.all[i] == "#include" && name.size() > 2) {
            included.push_back(name.substr(1, name.size() - 2));
        }
    }
    return included;
}

/// Says which files were handed in and are included, but not read, for they are no exercises.
void remark_included(const Project& project, const std::vector<Entry>& entries, HandIn& hand_in) {
    std::set<std::string> helpers; // names of files, without their folders
    for (const Entry& entry : entries) {
        if (!is_passed_over(entry.path) && exercise_of(project, entry.path) == nullptr) {
            helpers.insert(fs::path(entry.path).filename().string());
        }
    }
    for (const auto& [id, text] : hand_in.texts) {
        const Exercise exercise = find_exercises(project, id).front();
        for (const std::string& included : included_in(text)) {
            if (helpers.contains(fs::path(included).filename().string()) &&
                !is_there_for(project, lesson_of(project, exercise), included)) {
                remark(hand_in, fmt::format("{} was handed in, and {} includes it, but only the "
                                            "exercises' files are read: put what is in it into {}",
                                            included, id, exercise.file.filename().string()));
            }
        }
    }
}

} // namespace

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
    remark_passed_over(project, entries, hand_in);
    remark_included(project, entries, hand_in);
}

} // namespace classroom
