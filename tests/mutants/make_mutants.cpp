// Writes one source file with every mutant of a solution in it, each in a namespace of its own and
// registered as a variant of the functions it defines. Mutants that do not compile are left out.
//
//   make_mutants EXERCISE OUTPUT.cpp COMPILE_COMMANDS
//
// How OUTPUT.cpp is compiled is read from compile_commands.json.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "lessons/project.hpp"
#include "mutants/mutate.hpp"
#include "process/run.hpp"
#include "support/versions.hpp"

namespace {

/// The command that would compile a file, as far as the compiler's checks.
std::vector<std::string> check_command(const std::string& commands, const std::string& file) {
    for (const auto& entry : nlohmann::json::parse(course::read_file(commands).value())) {
        if (entry.at("file") != file) {
            continue;
        }
        std::istringstream words(entry.at("command").get<std::string>());
        std::vector<std::string> command;
        for (std::string word; words >> word;) {
            if (word == "-o") {
                words >> word;
            } else {
                command.push_back(std::regex_replace(word, std::regex("\\\\"), ""));
            }
        }
        command.insert(command.end(), {"-fsyntax-only", "-w"});
        return command;
    }
    throw std::runtime_error(file + " is not in " + commands);
}

/// The mutants in which the compiler finds an error.
std::set<std::size_t> broken(const std::vector<std::string>& command, const std::string& folder,
                             const std::string& file, const versions::Source& source) {
    const process::Finished finished = process::run(command, {.folder = folder});
    std::set<std::size_t> found;
    // An error inside a template of xtensor's names our line in a note; in either, it is the
    // file's.
    const std::regex place(std::regex_replace(file, std::regex("[.+]"), "\\$&") + R"(:(\d+))");
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, place)) {
            const std::size_t number = source.version_of_line.at(std::stoul(match[1]));
            if (number != 0) {
                found.insert(number);
            }
        }
    }
    if (finished.status != 0 && found.empty()) {
        throw std::runtime_error("the mutants cannot be compiled:\n" + finished.output);
    }
    return finished.status == 0 ? std::set<std::size_t>{} : found;
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 4) {
            throw std::runtime_error(
                "wants an exercise, a file to write and compile_commands.json");
        }
        const course::Project project = shipped_project();
        const course::Exercise exercise = course::find_exercises(project, argv[1]).at(0);
        const std::string contract =
            course::read_file(course::lesson_of(project, exercise).contract).value();
        const std::string output = argv[2];
        const std::string commands = argv[3];
        const std::vector<Mutant> mutants = mutate(course::read_file(exercise.solution).value());
        const std::vector<std::string> command = check_command(commands, output);
        const std::string folder = std::filesystem::path(commands).parent_path();
        const std::string exports =
            course::read_file(project.root / "tests/lessons" /
                              exercise.solution.parent_path().filename() / "exports.hpp")
                .value();

        std::vector<versions::Version> all;
        for (std::size_t number = 1; number <= mutants.size(); ++number) {
            all.push_back({fmt::format("mutant {}", number), "", mutants[number - 1].source});
        }
        std::vector<std::size_t> left_out;
        for (bool more = true; more;) {
            const versions::Source source =
                versions::source_of(all, {exercise.functions, contract, exports}, left_out);
            course::write_file(output, source.text);
            const std::set<std::size_t> found = broken(command, folder, output, source);
            left_out.insert(left_out.end(), found.begin(), found.end());
            more = !found.empty();
        }
        nlohmann::json list = nlohmann::json::array();
        for (std::size_t number = 1; number <= mutants.size(); ++number) {
            const Mutant& mutant = mutants[number - 1];
            list.push_back({{"name", fmt::format("mutant {}", number)},
                            {"compiles", std::ranges::find(left_out, number) == left_out.end()},
                            {"line", mutant.line},
                            {"was", mutant.was},
                            {"becomes", mutant.becomes}});
        }
        course::write_file(output + ".json", list.dump(2) + "\n");
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "make_mutants: " << error.what() << "\n";
        return 2;
    }
}
