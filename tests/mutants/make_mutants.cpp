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

namespace {

struct Source {
    std::string text;
    std::vector<std::size_t> mutant_of_line; // from line 1; 0 where no mutant is
};

/// A class of the contract whose members are the exercise's functions; empty if there is none.
struct Owner {
    std::string name;
    std::string declaration;
};

Owner owner_of(const std::string& function, const std::string& solution,
               const std::string& contract) {
    std::smatch match;
    if (std::regex_search(solution, match, std::regex("(\\w+)::" + function + "\\("))) {
        const std::size_t first = contract.find("\nclass " + match[1].str() + " {");
        if (first != std::string::npos) {
            return {match[1], contract.substr(first, contract.find("\n};", first) + 4 - first)};
        }
    }
    return {};
}

/// The line that registers a mutant of a function. Where the lesson exports another in its place,
/// JUDGE_FUNCTION_IN(space, function, …), space::function_by(mutant, arguments…) asks the mutant;
/// of a class it is space::function_by<mutant>(arguments…).
std::string registration(const std::string& exports, const std::string& function,
                         const Owner& owner, std::size_t number) {
    std::smatch match;
    const bool stood_in_for = std::regex_search(
        exports, match, std::regex("JUDGE_FUNCTION_IN\\((\\w+), " + function + ","));
    const std::string space = stood_in_for ? match[1].str() : "lesson";
    const std::string mutant =
        fmt::format("mutant_{}::{}", number, owner.name.empty() ? function : owner.name);
    const std::string asked = owner.name.empty() ? fmt::format("_by({}, arguments...)", mutant)
                                                 : fmt::format("_by<{}>(arguments...)", mutant);
    return fmt::format(
        "const judge::RegisterVariant<decltype({0}::{1})> {1}_{2}(\"{1}\", \"mutant {2}\", \"\", "
        "{3});\n",
        space, function, number,
        stood_in_for ? fmt::format("[](const auto&... arguments) {{ return {}::{}{}; }}", space,
                                   function, asked)
                     : "&" + mutant);
}

/// The mutants that are still in, each under its number, counted from 1.
Source source_of(const std::vector<Mutant>& mutants, const std::set<std::size_t>& left_out,
                 const std::vector<std::string>& functions, const std::string& exports,
                 const std::string& contract) {
    const Owner owner = owner_of(functions.at(0), mutants.at(0).source, contract);
    Source source{"#include \"exports.hpp\"\n", {0, 0}};
    const auto put = [&](const std::string& lines, std::size_t number) {
        source.text += lines;
        source.mutant_of_line.resize(
            source.mutant_of_line.size() +
                static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')),
            number);
    };
    static const std::regex include("#include [^\n]*\n");
    std::set<std::string> included;
    for (std::sregex_iterator each(mutants.at(0).source.begin(), mutants[0].source.end(), include),
         end;
         each != end; ++each) {
        put(each->str(), 0);
    }
    for (std::size_t number = 1; number <= mutants.size(); ++number) {
        if (left_out.contains(number)) {
            continue;
        }
        std::string own = std::regex_replace(mutants[number - 1].source, include, "");
        own = std::regex_replace(own, std::regex("namespace lesson \\{"),
                                 fmt::format("namespace mutant_{} {{ using namespace lesson;{}",
                                             number, owner.declaration));
        put(own + "\n", number);
        for (const std::string& function : functions) {
            put(registration(exports, function, owner, number), number);
        }
    }
    return source;
}

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
                             const std::string& file, const Source& source) {
    const process::Finished finished = process::run(command, {.folder = folder});
    std::set<std::size_t> found;
    // An error inside a template of xtensor's names our line in a note; in either, it is the
    // file's.
    const std::regex place(std::regex_replace(file, std::regex("[.+]"), "\\$&") + R"(:(\d+))");
    std::istringstream lines(finished.output);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, place)) {
            const std::size_t number = source.mutant_of_line.at(std::stoul(match[1]));
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

        std::set<std::size_t> left_out;
        for (bool more = true; more;) {
            const Source source =
                source_of(mutants, left_out, exercise.functions, exports, contract);
            course::write_file(output, source.text);
            const std::set<std::size_t> found = broken(command, folder, output, source);
            left_out.insert(found.begin(), found.end());
            more = !found.empty();
        }
        nlohmann::json list = nlohmann::json::array();
        for (std::size_t number = 1; number <= mutants.size(); ++number) {
            const Mutant& mutant = mutants[number - 1];
            list.push_back({{"name", fmt::format("mutant {}", number)},
                            {"compiles", !left_out.contains(number)},
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
