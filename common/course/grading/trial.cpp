#include "course/grading/trial.hpp"

#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

#include "course/files.hpp"
#include "process/interruption.hpp"
#include "process/run.hpp"
#include "show/text.hpp"

namespace course {

namespace fs = std::filesystem;

namespace {

std::string replaced(std::string text, const std::string& word, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size()) {
        text.replace(at, word.size(), by);
    }
    return text;
}

} // namespace

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return text + "'";
}

Recipe recipe_of(const Project& project, const std::string& exercise) {
    Recipe recipe;
    recipe.program = "submission_" + exercise;
    const std::string folder = "/exercise_" + exercise + ".dir/";
    for (const std::string& command : show::lines_of(
             process::run({COURSE_NINJA, "-C", project.build, "-t", "commands", recipe.program})
                 .output)) {
        // … -MF OBJECT.d -o OBJECT -c SOURCE
        const std::size_t source = command.rfind(" -c ");
        const std::size_t output = command.rfind(" -o ", source);
        const bool compiles = source != std::string::npos && output != std::string::npos;
        const std::string object =
            compiles ? command.substr(output + 4, source - output - 4) : std::string();
        if (object.find(folder) != std::string::npos) {
            recipe.compile = command.substr(0, source);
            recipe.object = object;
        } else if (command.find(" -o " + recipe.program + " ") != std::string::npos) {
            recipe.link = command;
        }
    }
    return recipe.object.empty() || recipe.link.empty() ? Recipe{} : recipe;
}

process::Finished Recipe::make(const Project& project, const fs::path& source_file,
                               std::chrono::seconds time) const {
    const fs::path folder = source_file.parent_path();
    const std::string made = quoted(folder / "exercise.o");
    const std::string compiling = replaced(compile, object, made) + " -c " + quoted(source_file);
    const std::string linking =
        replaced(replaced(link, object, made), " -o " + program, " -o " + quoted(folder / program));
    return process::run({"sh", "-c", compiling + " && " + linking},
                        {.folder = project.build,
                         .environment = {{"CCACHE_DISABLE", "1"}},
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
    if (const Recipe recipe = recipe_of(project, exercise.id);
        !recipe.link.empty() && recipe.make(project, source, time).status == 0) {
        submission_ = folder_ / recipe.program;
    }
}

Trial::~Trial() {
    std::error_code error;
    fs::remove_all(folder_, error);
}

} // namespace course
