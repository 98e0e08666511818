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
    for (const Exercise& exercise : all_exercises(project)) {
        if (const auto text = read_file(exercise.file)) {
            texts[exercise.id] = *text;
            const fs::path folder = folder_of(project, exercise);
            if (read_file(folder / "source.txt") != text) {
                std::error_code error;
                fs::remove_all(folder, error);
                fs::remove(project.build / ("submission_" + exercise.id), error);
            }
        }
    }
    return texts;
}

void remember(const Project& project, const std::map<std::string, std::string>& before,
              const std::map<std::string, std::string>& warnings) {
    for (const Exercise& exercise : all_exercises(project)) {
        const fs::path folder = folder_of(project, exercise);
        const auto known = before.find(exercise.id);
        const fs::path record = folder / "source.txt";
        if (known != before.end() && read_file(exercise.file) == known->second &&
            read_file(record) != known->second) {
            write_file(record, known->second);
        }
        for (const auto& [object, text] : warnings) {
            if (object.find(folder.filename().string() + "/") != std::string::npos) {
                write_file(folder / "warnings.txt", text);
            }
        }
    }
}

std::string warnings_about(const Project& project, const Exercise& exercise) {
    return read_file(folder_of(project, exercise) / "warnings.txt").value_or("");
}

} // namespace course
