#include "course/grading/sources.hpp"

#include "course/files.hpp"

namespace course {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const Project& project, const Exercise& exercise) {
    return project.build / "CMakeFiles" / ("exercise_" + exercise.id + ".dir");
}

} // namespace

std::map<std::string, std::string> forget_stale_objects(const Project& project) {
    std::map<std::string, std::string> texts;
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            const fs::path folder = folder_of(project, exercise);
            const auto text = read_exercise(exercise.file);
            if (text) {
                texts[exercise.id] = *text;
            }
            if (text && read_file(folder / "source.txt") != text) {
                std::error_code error;
                fs::remove_all(folder, error);
                fs::remove(project.build / ("submission_" + exercise.id), error);
            }
        }
    }
    return texts;
}

void remember_sources(const Project& project, const std::map<std::string, std::string>& before) {
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            const auto known = before.find(exercise.id);
            const fs::path record = folder_of(project, exercise) / "source.txt";
            if (known != before.end() && read_exercise(exercise.file) == known->second &&
                read_file(record) != known->second) {
                write_file(record, known->second);
            }
        }
    }
}

void remember_warnings(const Project& project, const std::map<std::string, std::string>& warnings) {
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            const fs::path folder = folder_of(project, exercise);
            const std::string within = folder.filename().string() + "/";
            for (const auto& [object, text] : warnings) {
                if (object.find(within) != std::string::npos) {
                    write_file(folder / "warnings.txt", text);
                }
            }
        }
    }
}

std::string warnings_about(const Project& project, const Exercise& exercise) {
    return read_file(folder_of(project, exercise) / "warnings.txt").value_or("");
}

} // namespace course
