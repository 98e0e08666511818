// What of a hand-in is graded, and what is said of the rest.

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "classroom/exercise_files.hpp"
#include "classroom/hand_in.hpp"
#include "course/files.hpp"
#include "course/grading/stub.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Project;

namespace {

/// An entry of a student's.
struct Own {
    Entry* entry;
    Place place;
};

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

/// Whether of two files that are one exercise the second counts: where there is more work in it;
/// else the later try, then what lies nearer to the top.
bool counts_before(const Own& first, const Own& second, const Exercise& exercise) {
    const auto rank = [&](const Own& file) {
        const auto depth = std::count(file.place.below.begin(), file.place.below.end(), '/');
        return std::tuple(work_in(exercise, file.entry->text), file.place.who.upload,
                          without_attempt(fs::path(file.place.below).filename().string()).second,
                          -depth);
    };
    return rank(first) < rank(second) ||
           (first.entry->path == second.entry->path && rank(first) == rank(second));
}

void remark(HandIn& hand_in, const std::string& text) {
    constexpr std::size_t most_remarks = 20;
    if (hand_in.remarks.size() < most_remarks) {
        hand_in.remarks.push_back(text);
    }
}

/// Says which helpers were handed in and are included, but not read, for they are no exercises.
void remark_included(const Project& project, const std::set<std::string>& helpers,
                     HandIn& hand_in) {
    for (const auto& [id, text] : hand_in.texts) {
        const Exercise exercise = find_exercises(project, id).front();
        const fs::path contract = lesson_of(project, exercise).contract;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t begin = line.find('"') + 1;
            const std::string name = line.substr(begin, line.find('"', begin) - begin);
            if (without_spaces(line).starts_with("#include\"") && name.size() < 200 &&
                helpers.contains(fs::path(name).filename().string()) &&
                !fs::exists(contract.parent_path() / name) &&
                !fs::exists(project.root / "common" / name)) {
                remark(hand_in, fmt::format("{} was handed in, and {} includes it, but only the "
                                            "exercises' files are read: put what is in it into {}",
                                            name, id, exercise.file.filename().string()));
            }
        }
    }
}

/// A student's hand-in of all that is the student's, in the order of paths.
HandIn chosen(const Project& project, const std::vector<course::Lesson>& all,
              const std::vector<Own>& files) {
    HandIn hand_in;
    std::map<std::string, std::vector<const Own*>> copies; // by the exercise's id
    std::set<std::string> helpers;
    std::vector<const Own*> passed_over;
    for (const Own& own : files) {
        const Mark& who = own.place.who;
        hand_in.student = who.student;
        hand_in.called = who.called;
        hand_in.moodle = who.moodle;
        hand_in.canvas = who.canvas;
        hand_in.late = hand_in.late || who.late;
        const std::string& path = own.place.below;
        const Exercise* exercise = own.entry->is_folder || !own.entry->refused.empty()
                                       ? nullptr
                                       : exercise_of(project, path);
        if (!own.entry->refused.empty()) {
            remark(hand_in, fmt::format("{} is {}: not read", path.empty() ? own.entry->path : path,
                                        own.entry->refused));
        } else if (exercise != nullptr && is_passed_over(path)) {
            passed_over.push_back(&own);
        } else if (exercise != nullptr) {
            copies[exercise->id].push_back(&own);
        } else if (!own.entry->is_folder && !is_passed_over(path)) {
            helpers.insert(fs::path(path).filename().string());
            if (const Exercise* meant = meant_by(project, all, path); meant != nullptr) {
                remark(hand_in, fmt::format("{} is not read; is it {}, {}/{}?", path, meant->id,
                                            lesson_of({"", "", "", "", all}, *meant).folder,
                                            meant->file.filename().string()));
            }
        }
    }
    for (const auto& [id, found] : copies) {
        const Exercise exercise = find_exercises(project, id).front();
        const Own* best = found.front();
        for (const Own* file : found) {
            best = counts_before(*best, *file, exercise) ? file : best;
        }
        for (const Own* file : found) {
            if (file->entry->text != best->entry->text && file->entry->path != best->entry->path) {
                remark(hand_in, fmt::format("{} is there twice: {} is not read, {} is", id,
                                            file->place.below, best->place.below));
            }
        }
        hand_in.texts[id] = best->entry->text;
        hand_in.changed = std::max(hand_in.changed, best->entry->changed);
    }
    for (const Own* file : passed_over) {
        if (!hand_in.texts.contains(exercise_of(project, file->place.below)->id)) {
            remark(hand_in, fmt::format("{} is passed over for a folder's name, build or solutions",
                                        file->place.below));
        }
    }
    remark_included(project, helpers, hand_in);
    if (hand_in.texts.empty()) {
        hand_in.remarks.emplace_back("no exercise files found");
    }
    return hand_in;
}

/// Whether a file's text may be that of an exercise.
Wanted wanted_of(const Project& project) {
    return [&project](const std::string& name) {
        return exercise_of(project, name) != nullptr ||
               exercise_behind(project, name).first != nullptr;
    };
}

} // namespace

HandIn read_hand_in(const Project& project, const fs::path& path, const Budget& budget) {
    auto entries = read_entries(path, wanted_of(project), budget);
    std::vector<Own> files;
    const std::string top = path.filename();
    for (Entry& entry : entries) {
        Place place;
        place.who.student = place.who.called = composed(without_suffix(top));
        place.below = fs::path(entry.path.substr(std::min(top.size() + 1, entry.path.size())))
                          .lexically_normal();
        files.push_back({&entry, place});
    }
    return chosen(project, course::read_lessons(project), files);
}

std::vector<HandIn> read_class(const Project& project, const fs::path& folder,
                               const Budget& budget) {
    std::error_code error;
    std::vector<fs::path> tops;
    if (fs::is_regular_file(folder) && is_archive(folder.filename())) { // the platform's one zip
        tops.push_back(folder);
    } else {
        for (const auto& item : fs::directory_iterator(folder, error)) {
            tops.push_back(item.path());
        }
    }
    std::sort(tops.begin(), tops.end());
    std::vector<Entry> entries;
    for (const fs::path& top : tops) {
        auto more = read_entries(top, wanted_of(project), budget);
        std::move(more.begin(), more.end(), std::back_inserter(entries));
    }
    if (error || (entries.empty() && !budget.stop())) {
        throw course::BadUse(fmt::format(
            "{} {}; give a folder with one folder, zip or tar a student", folder.string(),
            error ? "cannot be read: " + error.message() : "is empty"));
    }
    std::map<std::string, std::vector<Own>> students;
    const auto places = places_of(project, entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (places[i]) {
            Place place = *places[i];
            place.who.student = composed(place.who.student);
            place.who.called = composed(place.who.called);
            students[place.who.student].push_back({&entries[i], place});
        }
    }
    std::vector<HandIn> hand_ins;
    const std::vector<course::Lesson> all = course::read_lessons(project);
    for (const auto& [student, files] : students) {
        hand_ins.push_back(chosen(project, all, files));
    }
    return hand_ins;
}

} // namespace classroom
