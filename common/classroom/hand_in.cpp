// Which files of a hand-in are graded, and remarks on the others.

#include <algorithm>
#include <cctype>
#include <tuple>

#include <fmt/format.h>

#include "classroom/exercise_files.hpp"
#include "classroom/hand_in.hpp"
#include "course/files.hpp"
#include "course/grading/stub.hpp"
#include "process/interruption.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Project;
using process::Interruption;

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

/// Whether the second of two files for one exercise counts: the one with more work in it, then the
/// later attempt, then the one nearer to the top.
bool counts_before(const Place& first, const Place& second, const Exercise& exercise) {
    const auto rank = [&](const Place& file) {
        const auto depth = std::ranges::count(file.below, '/');
        return std::tuple(work_in(exercise, file.entry->text), file.who.upload,
                          without_attempt(fs::path(file.below).filename().string()).second, -depth);
    };
    return rank(first) < rank(second) ||
           (first.entry->path == second.entry->path && rank(first) == rank(second));
}

/// The project with all lessons, whichever are graded.
Project whole_of(Project project) {
    project.lessons = course::read_lessons(project);
    return project;
}

/// A student's hand-in, from all of the student's files in the order of paths.
HandIn chosen(const Project& project, const Project& whole, const std::vector<Place>& files) {
    HandIn hand_in;
    std::map<std::string, std::vector<const Place*>> copies; // by the exercise's id
    for (const Place& own : files) {
        hand_in.student = own.who.student;
        const bool late = hand_in.who.late || own.who.late;
        hand_in.who = own.who;
        hand_in.who.late = late;
        const std::string& path = own.below;
        const Exercise* exercise = own.entry->is_folder || !own.entry->refused.empty()
                                       ? nullptr
                                       : exercise_of(project, path);
        if (!own.entry->refused.empty()) {
            hand_in.remarks.push_back(fmt::format(
                "{} is {}: not read", path.empty() ? own.entry->path : path, own.entry->refused));
        } else if (exercise != nullptr && !is_passed_over(path)) {
            copies[exercise->id].push_back(&own);
        } else if (!own.entry->is_folder && !is_passed_over(path)) {
            if (const Exercise* meant = meant_by(project, whole, path); meant != nullptr) {
                hand_in.remarks.push_back(fmt::format("{} is not read; is it {}, {}/{}?", path,
                                                      meant->id, lesson_of(whole, *meant).folder,
                                                      meant->file.filename().string()));
            }
        }
    }
    for (const auto& [id, found] : copies) {
        const Exercise exercise = find_exercises(project, id).front();
        const Place* best = found.front();
        for (const Place* file : found) {
            best = counts_before(*best, *file, exercise) ? file : best;
        }
        for (const Place* file : found) {
            if (file->entry->text != best->entry->text && file->entry->path != best->entry->path) {
                hand_in.remarks.push_back(fmt::format("{} is there twice: {} is not read, {} is",
                                                      id, file->below, best->below));
            }
        }
        hand_in.texts[id] = best->entry->text;
        hand_in.changed = std::max(hand_in.changed, best->entry->changed);
    }
    if (hand_in.texts.empty()) {
        hand_in.remarks.emplace_back("no exercise files found");
    }
    return hand_in;
}

/// Whether a file's text may be that of an exercise.
Wanted wanted_of(const Project& project) {
    return [&project](const std::string& name) {
        const auto mark = mark_in(name);
        return exercise_of(project, mark ? mark->rest : name) != nullptr;
    };
}

} // namespace

HandIn read_hand_in(const Project& project, const fs::path& path) {
    const std::string top = path.filename();
    const std::vector<Entry> entries = read_entries(path, wanted_of(project));
    std::vector<Place> places;
    for (const Entry& entry : entries) {
        const fs::path below = entry.path.substr(std::min(top.size() + 1, entry.path.size()));
        places.push_back({&entry, {}, below.lexically_normal()});
        places.back().who.student = places.back().who.called = composed(without_suffix(top));
    }
    return chosen(project, whole_of(project), places);
}

std::vector<HandIn> read_class(const Project& project, const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> tops;
    if (fs::is_regular_file(folder) && is_archive(folder.filename())) { // the platform's one zip
        tops.push_back(folder);
    } else {
        for (const auto& item : fs::directory_iterator(folder, error)) {
            tops.push_back(item.path());
        }
    }
    std::ranges::sort(tops);
    std::vector<Entry> entries;
    for (const fs::path& top : tops) {
        auto more = read_entries(top, wanted_of(project));
        std::move(more.begin(), more.end(), std::back_inserter(entries));
    }
    if (error || (entries.empty() && !Interruption::noted())) {
        throw course::BadUse(fmt::format(
            "{} {}; give a folder with one folder, zip or tar per student", folder.string(),
            error ? "cannot be read: " + error.message() : "is empty"));
    }
    std::map<std::string, std::vector<Place>> students;
    for (Place& place : places_of(project, entries)) {
        place.who.student = composed(place.who.student);
        place.who.called = composed(place.who.called);
        students[place.who.student].push_back(std::move(place));
    }
    std::vector<HandIn> hand_ins;
    const Project whole = whole_of(project);
    for (const auto& [student, files] : students) {
        hand_ins.push_back(chosen(project, whole, files));
    }
    return hand_ins;
}

} // namespace classroom
