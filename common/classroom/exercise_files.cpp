#include "classroom/exercise_files.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "course/files.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Project;

namespace {

const std::set<std::string> no_places_for_work{"build", "solutions"};

bool has_part(const fs::path& path, const std::set<std::string>& names) {
    return std::any_of(path.begin(), path.end(),
                       [&](const fs::path& part) { return names.contains(part.string()); });
}

/// Whether a path leads where no exercise is looked for.
bool is_out_of_sight(const fs::path& path) {
    return is_ignored(path) || is_passed_over(path);
}

/// The small letters and digits of a file's name, up to its first dot.
std::string bare(const fs::path& file) {
    std::string letters;
    for (const char c : file.filename().string()) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '.') {
            break;
        }
        if (std::isalnum(byte) != 0) {
            letters += static_cast<char>(std::tolower(byte));
        }
    }
    return letters;
}

std::string without_digits(std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
    return text;
}

bool is_header(const fs::path& path) {
    static const std::set<std::string> suffixes{".h",   ".hh",  ".hpp", ".hxx",
                                                ".inc", ".ipp", ".tpp"};
    return suffixes.contains(path.extension().string()) && !is_ignored(path);
}

/// Whether a path is that of a file of the course itself, wherever its copy lies.
bool is_of_the_course(const Project& project, const std::string& path) {
    std::error_code unusual; // a name that is too long
    for (std::size_t begin = 0; path.find('/', begin) != std::string::npos;
         begin = path.find('/', begin) + 1) {
        if (path[begin] != '/' && fs::exists(project.root / path.substr(begin), unusual)) {
            return true;
        }
    }
    return false;
}

} // namespace

bool is_ignored(const fs::path& path) {
    return has_part(path, {".git", ".course", "__MACOSX"});
}

bool is_passed_over(const fs::path& path) {
    return has_part(path, no_places_for_work) && !is_ignored(path);
}

fs::path passed_over_in(const fs::path& path) {
    fs::path folder;
    for (const fs::path& part : path) {
        folder /= part;
        if (no_places_for_work.contains(part.string())) {
            break;
        }
    }
    return folder;
}

bool is_source(const std::string& path) {
    return path.ends_with(".cpp") && !is_out_of_sight(path) &&
           !fs::path(path).filename().string().starts_with(".");
}

const Exercise* exercise_of(const Project& project, const fs::path& path) {
    const Exercise* by_name = nullptr;
    const std::string folder = path.parent_path().filename().string();
    const bool in_lesson = folder.size() > 3 && folder[2] == '_' &&
                           std::isdigit(static_cast<unsigned char>(folder[0])) != 0;
    std::size_t so_named = in_lesson ? 2 : 0;
    for (const course::Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            if (path.filename() != exercise.file.filename()) {
                continue;
            }
            if (folder == lesson.folder) {
                return &exercise;
            }
            by_name = &exercise;
            ++so_named;
        }
    }
    return so_named == 1 ? by_name : nullptr;
}

const Exercise* meant_by(const Project& project, const std::vector<course::Lesson>& all,
                         const fs::path& path) {
    const std::string file = path.filename().string();
    const bool may_be_code = !path.has_extension() || path.extension() == ".txt" ||
                             file.find(".c") != std::string::npos ||
                             file.find(".C") != std::string::npos;
    const std::string name = bare(path);
    if (!may_be_code || file.starts_with(".") || is_out_of_sight(path) || name.empty()) {
        return nullptr;
    }
    const Exercise* meant = nullptr;
    std::size_t longest = 0;
    for (const course::Lesson& lesson : all) {
        for (const Exercise& exercise : lesson.exercises) {
            const std::string right = bare(exercise.file);
            if (right.size() > longest &&
                (name.starts_with(right) || without_digits(name) == without_digits(right) ||
                 (name.size() <= right.size() + 1 && course::edit_distance(name, right) <= 1))) {
                meant = &exercise;
                longest = right.size();
            }
        }
    }
    const bool graded =
        meant != nullptr &&
        std::any_of(project.lessons.begin(), project.lessons.end(),
                    [&](const course::Lesson& lesson) { return meant->id.starts_with(lesson.id); });
    return graded && !is_of_the_course(project, path.string()) ? meant : nullptr;
}

Want want_of(const Project& project, const std::vector<course::Lesson>& all,
             const std::string& path) {
    if (is_passed_over(path)) {
        return exercise_of(project, path) != nullptr ? Want::name : Want::nothing;
    }
    if (is_source(path) || meant_by(project, all, path) != nullptr) {
        return Want::text;
    }
    return is_header(path) && !is_of_the_course(project, path) ? Want::name : Want::nothing;
}

} // namespace classroom
