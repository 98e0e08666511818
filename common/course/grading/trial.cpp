#include "course/grading/trial.hpp"

#include <atomic>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "course/explain/pattern.hpp"
#include "course/files.hpp"
#include "process/interruption.hpp"
#include "process/run.hpp"

namespace course {

namespace fs = std::filesystem;

Recipe recipe_of(const Project& project, const std::string& exercise) {
    Recipe recipe;
    recipe.program = "submission_" + exercise;
    std::istringstream commands(
        process::run({COURSE_NINJA, "-C", project.build, "-t", "commands", recipe.program}).output);
    const std::string folder = "/exercise_" + exercise + ".dir/";
    const std::string links = " -o " + recipe.program + " ";
    for (std::string command; std::getline(commands, command);) {
        const std::size_t source = command.rfind(" -c ");
        if (source != std::string::npos && command.find(folder) != std::string::npos) {
            recipe.compile = command;
            recipe.source = command.substr(source + 4);
        } else if (command.find(links) != std::string::npos) {
            recipe.link = command;
        }
    }
    const auto object = look_for(" -o $3 ", recipe.compile);
    if (!object || recipe.link.empty()) {
        return {};
    }
    recipe.object = object->names[2];
    return recipe;
}

std::string Recipe::compiling(const fs::path& source_file, const fs::path& object_file,
                              const std::string& more) const {
    const std::string command = replace_all(compile, object, object_file.string());
    return replace_all(command, " -c " + source, more + " -c " + source_file.string());
}

std::string Recipe::linking(const fs::path& object_file, const fs::path& program_file) const {
    return replace_all(replace_all(link, object, object_file.string()), " -o " + program + " ",
                       " -o " + program_file.string() + " ");
}

process::Finished Recipe::make(const Project& project, const fs::path& source_file,
                               std::chrono::seconds time) const {
    const fs::path folder = source_file.parent_path();
    const fs::path made = folder / "exercise.o";
    return process::run(
        {"sh", "-c", compiling(source_file, made) + " && " + linking(made, folder / program)},
        {.folder = project.build,
         .environment = {{"LC_ALL", "C.UTF-8"}, {"CCACHE_DISABLE", "1"}},
         .time = time,
         .stop = process::Interruption::noted,
         .grace = std::chrono::milliseconds(0)});
}

Trial::Trial(const Project& project, const Exercise& exercise, const std::string& text,
             std::chrono::seconds time) {
    static std::atomic<int> number{0};
    folder_ = project.build / fmt::format("trial_{}_{}_{}", exercise.id, getpid(), ++number);
    const fs::path source = folder_ / exercise.file.filename();
    write_file(source, text);
    if (const Recipe recipe = recipe_of(project, exercise.id); !recipe.link.empty()) {
        recipe.make(project, source, time);
    }
}

Trial::~Trial() {
    std::error_code error;
    fs::remove_all(folder_, error);
}

std::optional<fs::path> Trial::submission() const {
    for (const auto& file : fs::directory_iterator(folder_)) {
        if (file.path().filename().string().starts_with("submission_")) {
            return file.path();
        }
    }
    return std::nullopt;
}

} // namespace course
