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

/// The small letters and digits of a file's name, up to its first dot.
std::string bare(const std::string& name) {
    std::string letters;
    for (const char c : name.substr(0, name.find('.'))) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return letters;
}

std::string letters(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    return text;
}

} // namespace

bool is_passed_over(const std::string& path) {
    static const std::array<std::string, 4> ours{"build", "solutions", "common", "tests"};
    const fs::path parts(path);
    return std::any_of(parts.begin(), parts.end(), [](const fs::path& part) {
        return std::find(ours.begin(), ours.end(), part) != ours.end();
    });
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
    const bool in_lesson = folder.size() > 3 && folder[2] == '_' &&
                           std::isdigit(static_cast<unsigned char>(folder[0])) != 0;
    for (const course::Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            if (name == exercise.file.filename() && (!in_lesson || folder == lesson.folder)) {
                return &exercise;
            }
        }
    }
    return nullptr;
}

const Exercise* meant_by(const Project& project, const std::vector<course::Lesson>& all,
                         const std::string& path) {
    const fs::path file = fs::path(path).filename();
    const std::string end = file.extension().string();
    const std::string name = bare(file.string());
    if ((!end.empty() && end != ".txt" && !end.starts_with(".c") && !end.starts_with(".C")) ||
        is_passed_over(path) || name.empty()) {
        return nullptr;
    }
    const Exercise* meant = nullptr;
    std::size_t longest = 0;
    for (const course::Lesson& lesson : all) {
        for (const Exercise& exercise : lesson.exercises) {
            const std::string right = bare(exercise.file.filename());
            if (right.size() > longest &&
                (name.starts_with(right) ||
                 course::edit_distance(letters(name), letters(right)) <= 1)) {
                meant = &exercise;
                longest = right.size();
            }
        }
    }
    const bool is_graded =
        meant != nullptr && std::any_of(project.lessons.begin(), project.lessons.end(),
                                        [&](auto& each) { return meant->id.starts_with(each.id); });
    return is_graded ? meant : nullptr;
}

} // namespace classroom
