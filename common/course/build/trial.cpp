#include "course/build/trial.hpp"

#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "course/explain/pattern.hpp"
#include "course/files.hpp"
#include "process/run.hpp"

namespace course {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds patience{10};

} // namespace

Trial::Trial(const Project& project, const Exercise& exercise, const std::string& text)
    : folder_(project.build / fmt::format("trial_{}_{}", exercise.id, getpid())) {
    const std::string program = "submission_" + exercise.id;
    const std::string source = folder_ / exercise.file.filename();
    write_file(source, text);
    // The two commands by which ninja makes the program from the exercise, with other names in
    // them.
    std::istringstream commands(
        process::run({COURSE_NINJA, "-C", project.build, "-t", "commands", program}).output);
    std::string compile;
    std::string link;
    const std::string ends_with = " -c " + exercise.file.string();
    const std::string contains = " -o " + program + " ";
    for (std::string command; std::getline(commands, command);) {
        compile = command.ends_with(ends_with) ? command : compile;
        link = command.find(contains) != std::string::npos ? command : link;
    }
    const auto object = look_for(" -o $3 ", compile);
    if (!object || link.empty()) {
        return;
    }
    const std::string made = folder_ / "exercise.o";
    const std::string known(object->names[2]);
    compile = replace_all(replace_all(compile, known, made), exercise.file.string(), source);
    link = replace_all(replace_all(link, known, made), " -o " + program + " ",
                       " -o " + (folder_ / program).string() + " ");
    process::run({"sh", "-c", compile + " && " + link},
                 {.folder = project.build, .time = patience});
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
