#include "course/grading/trial.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "course/files.hpp"
#include "process/interruption.hpp"
#include "process/run.hpp"

namespace course {

namespace fs = std::filesystem;

namespace {

/// The word after another; "" if there is none.
std::string word_after(const std::string& word, const std::vector<ShellWord>& words) {
    const auto found = std::find_if(words.begin(), words.end(),
                                    [&](const ShellWord& each) { return each.written == word; });
    return found == words.end() || found + 1 == words.end() ? "" : (found + 1)->written;
}

} // namespace

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return text + "'";
}

std::vector<ShellWord> shell_words(const std::string& command) {
    std::vector<ShellWord> words;
    bool inside = false; // a word
    char quote = 0;      // and there these quotes
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (quote == 0 && std::isspace(static_cast<unsigned char>(command[i])) != 0) {
            inside = false;
            continue;
        }
        if (!std::exchange(inside, true)) {
            words.emplace_back();
        }
        ShellWord& word = words.back();
        word.written += command[i];
        if (command[i] == '\\' && quote != '\'' && i + 1 < command.size()) {
            word.written += command[++i];
            word.plain += command[i];
        } else if (command[i] == quote) {
            quote = 0;
        } else if (quote == 0 && (command[i] == '\'' || command[i] == '"')) {
            quote = command[i];
        } else {
            word.plain += command[i];
        }
    }
    return words;
}

Recipe recipe_of(const Project& project, const std::string& exercise) {
    Recipe recipe;
    recipe.program = "submission_" + exercise;
    std::istringstream commands(
        process::run({COURSE_NINJA, "-C", project.build, "-t", "commands", recipe.program}).output);
    const std::string folder = "/exercise_" + exercise + ".dir/";
    const std::string links = " -o " + recipe.program + " ";
    for (std::string command; std::getline(commands, command);) {
        const std::vector<ShellWord> words = shell_words(command);
        const std::string object = word_after("-o", words);
        if (const std::string source = word_after("-c", words);
            !source.empty() && object.find(folder) != std::string::npos) {
            recipe.compile = command;
            recipe.source = source;
            recipe.object = object;
        } else if (command.find(links) != std::string::npos) {
            recipe.link = command;
        }
    }
    return recipe.object.empty() || recipe.link.empty() ? Recipe{} : recipe;
}

std::string Recipe::compiling(const fs::path& source_file, const fs::path& object_file,
                              const std::string& more) const {
    std::string command;
    for (const auto& [word, plain] : shell_words(compile)) {
        if (word == "-c") {
            command += more + " -c ";
        } else if (word == source) {
            command += quoted(source_file) + " ";
        } else {
            command += with_object(word, object_file) + " ";
        }
    }
    return command;
}

std::string Recipe::linking(const fs::path& object_file, const fs::path& program_file) const {
    std::string command;
    for (const auto& [word, plain] : shell_words(link)) {
        command += (word == program ? quoted(program_file) : with_object(word, object_file)) + " ";
    }
    return command;
}

/// A word in which another object is named: beside it lies what its name begins, as x.o.d.
std::string Recipe::with_object(const std::string& word, const fs::path& object_file) const {
    return word.starts_with(object) ? quoted(object_file) + word.substr(object.size()) : word;
}

process::Finished Recipe::make(const Project& project, const fs::path& source_file,
                               std::chrono::seconds time) const {
    const fs::path folder = source_file.parent_path();
    const fs::path made = folder / "exercise.o";
    return process::run(
        {"sh", "-c", compiling(source_file, made) + " && " + linking(made, folder / program)},
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
