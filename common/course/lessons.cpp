#include "course/lessons.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace course {

namespace fs = std::filesystem;

namespace {

Lesson read_lesson(const Project& project, const fs::path& manifest) {
    Lesson lesson;
    try {
        const auto json = nlohmann::json::parse(std::ifstream(manifest));
        lesson.folder = manifest.parent_path().filename();
        lesson.id = json.at("id");
        if (!lesson.folder.starts_with(lesson.id + "_")) {
            throw std::runtime_error("its id is " + lesson.id);
        }
        lesson.title = json.at("title");
        lesson.idea = json.at("idea");
        lesson.part = json.value("part", 1);
        lesson.short_options = json.value("short_options", std::vector<std::string>());
        lesson.page = manifest.parent_path() / "README.md";
        lesson.contract =
            manifest.parent_path() / (lesson.folder.substr(lesson.id.size() + 1) + ".hpp");
        for (const auto& item : json.at("exercises")) {
            const std::string file = item.at("file");
            lesson.exercises.push_back({item.at("id"), item.at("title"),
                                        project.exercises / lesson.folder / file,
                                        our_side(project) / "solutions" / lesson.folder / file,
                                        item.at("functions"), item.value("drawn_as", "")});
        }
    } catch (const std::exception& error) {
        throw BadUse(fmt::format("cannot read {}: {}; `git checkout {}` brings it back",
                                 short_path(project, manifest), error.what(),
                                 short_path(project, manifest)));
    }
    return lesson;
}

/// "3" → "03", "3.2" → "03.2", a lesson's folder or path → "03", an exercise's file → "03.2";
/// anything else unchanged.
std::string normal_form(const Project& project, const std::string& typed) {
    std::string word = fs::path(typed).lexically_normal();
    if (word.starts_with("lessons/")) {
        word = word.substr(8);
    }
    if (word.ends_with("/")) {
        word.pop_back();
    }
    if (word.size() == 1 || (word.size() > 1 && word[1] == '.')) {
        word = "0" + word;
    }
    for (const Lesson& lesson : project.lessons) {
        if (word == lesson.folder) {
            return lesson.id;
        }
        for (const Exercise& exercise : lesson.exercises) {
            if (word == lesson.folder + "/" + exercise.file.filename().string()) {
                return exercise.id;
            }
        }
    }
    return word;
}

[[noreturn]] void refuse(const Project& project, const std::string& word) {
    std::vector<std::string> words{"all"};
    for (const Lesson& lesson : project.lessons) {
        words.push_back(lesson.folder);
    }
    const std::string wanted = normal_form(project, word);
    for (const Lesson& lesson : project.lessons) {
        if (wanted.starts_with(lesson.id + ".")) {
            throw BadUse(fmt::format("lesson {} has no exercise {}; it has {} to {}", lesson.id,
                                     wanted, lesson.exercises.front().id,
                                     lesson.exercises.back().id));
        }
    }
    // No number is closer to a wrong one than another.
    const bool number = word.find_first_not_of("0123456789.") == std::string::npos;
    const std::string near = number ? "" : nearest(word, words);
    throw BadUse(fmt::format(
        "there is no lesson or exercise {}{} ./course list shows them all", word,
        near.empty() ? fmt::format("; lessons go from {} to {};", project.lessons.front().id,
                                   project.lessons.back().id)
                     : ": did you mean " + near + "?"));
}

} // namespace

std::vector<Lesson> read_lessons(const Project& project) {
    std::vector<fs::path> manifests;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(project.root / "lessons", ignored)) {
        if (fs::exists(entry.path() / "lesson.json")) {
            manifests.push_back(entry.path() / "lesson.json");
        }
    }
    std::sort(manifests.begin(), manifests.end());
    std::vector<Lesson> lessons;
    for (const fs::path& manifest : manifests) {
        lessons.push_back(read_lesson(project, manifest));
    }
    if (lessons.empty()) {
        throw BadUse("there are no lessons here; `git checkout lessons` brings them back");
    }
    return lessons;
}

std::vector<Exercise> find_exercises(const Project& project, const std::string& word) {
    const std::string wanted = normal_form(project, word);
    std::vector<Exercise> found = all_exercises(project);
    std::erase_if(found, [&](const Exercise& each) {
        return wanted != "all" && wanted != each.id && wanted != each.id.substr(0, 2);
    });
    if (found.empty()) {
        refuse(project, word);
    }
    return found;
}

std::vector<Exercise> all_exercises(const Project& project) {
    std::vector<Exercise> all;
    for (const Lesson& lesson : project.lessons) {
        all.insert(all.end(), lesson.exercises.begin(), lesson.exercises.end());
    }
    return all;
}

const Lesson& find_lesson(const Project& project, const std::string& word) {
    return lesson_of(project, find_exercises(project, word).front());
}

const Lesson& lesson_of(const Project& project, const Exercise& exercise) {
    return *std::find_if(project.lessons.begin(), project.lessons.end(),
                         [&](const Lesson& each) { return exercise.id.starts_with(each.id); });
}

std::string part_heading(const Lesson& previous, const Lesson& lesson) {
    if (previous.part == lesson.part) {
        return "";
    }
    return lesson.part == 1 ? "Part one: the mechanism"
                            : "Part two: from the mechanism to a model that writes";
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string nearest(const std::string& typed, const std::vector<std::string>& words) {
    std::string best;
    std::size_t least = std::max<std::size_t>(1, typed.size() / 2) + 1;
    for (const std::string& word : words) {
        if (const std::size_t distance = edit_distance(typed, word); distance < least) {
            least = distance;
            best = word;
        }
    }
    return best;
}

bool is_student_edition(const Project& project) {
    return fs::exists(project.root / "ours.tar.gz");
}

fs::path our_side(const Project& project) {
    return is_student_edition(project) ? project.build / "ours" : project.root;
}

std::string short_path(const Project& project, const fs::path& path) {
    const fs::path below = path.lexically_relative(project.root);
    return below.empty() || *below.begin() == ".." ? path.string() : below.string();
}

} // namespace course
