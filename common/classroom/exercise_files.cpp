#include "classroom/exercise_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <regex>

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Project;

namespace {

/// The small letters of a file's name, up to its first dot.
std::string letters(const std::string& name) {
    std::string all;
    for (const char c : name.substr(0, name.find('.'))) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return all;
}

} // namespace

bool is_passed_over(const std::string& path) {
    static const std::array<std::string, 4> ours{"build", "solutions", "common", "tests"};
    const fs::path parts(path);
    return std::ranges::any_of(parts, [](const fs::path& part) {
        return std::ranges::find(ours, part.string()) != ours.end();
    });
}

bool is_lesson(const std::string& folder) {
    return folder.size() > 3 && folder[2] == '_' &&
           std::isdigit(static_cast<unsigned char>(folder[0])) != 0;
}

std::pair<std::string, int> without_attempt(const std::string& name) {
    static const std::regex again(R"((.*?)(?:-(\d{1,3})|[ _]?\((\d{1,3})\)| (\d{1,3}))\.cpp)");
    std::smatch match;
    std::pair<std::string, int> result{name, 0};
    while (std::regex_match(result.first, match, again)) {
        const std::string digits = match.str(2) + match.str(3) + match.str(4);
        result = {match.str(1) + ".cpp", std::max(result.second, std::stoi(digits))};
    }
    return result;
}

const Exercise* exercise_of(const Project& project, const std::string& path) {
    const std::string name = without_attempt(fs::path(path).filename().string()).first;
    const std::string folder = fs::path(path).parent_path().filename().string();
    for (const course::Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            if (name == exercise.file.filename() &&
                (!is_lesson(folder) || folder == lesson.folder)) {
                return &exercise;
            }
        }
    }
    return nullptr;
}

const Exercise* meant_by(const Project& project, const Project& whole, const std::string& path) {
    static const std::regex code(R"([^.]+|.+\.([cC][^.]*|txt))");
    const std::string file = fs::path(path).filename();
    const std::string name = letters(file);
    const Exercise* meant = nullptr;
    for (const course::Lesson& lesson : whole.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            const std::string right = letters(exercise.file.filename());
            if ((file.starts_with(exercise.file.stem().string()) ||
                 course::edit_distance(name, right) <= 1) &&
                (meant == nullptr || right.size() > letters(meant->file.filename()).size())) {
                meant = &exercise;
            }
        }
    }
    const bool is_graded = std::ranges::any_of(project.lessons, [&](const auto& each) {
        return meant != nullptr && meant->id.starts_with(each.id);
    });
    return is_graded && std::regex_match(file, code) && !is_passed_over(path) ? meant : nullptr;
}

} // namespace classroom
