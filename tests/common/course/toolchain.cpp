#include "toolchain.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "course/grading/trial.hpp"
#include "process/run.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using course::quoted;

namespace {

const char* const contract = R"(#pragma once
#include "attention/tensor.hpp"
#include "judge/todo.hpp"
namespace lesson {
using attention::Matrix;
using attention::Vector;
/// The mean of x.
double mean(const Vector& x);
Vector row_sums(const Matrix& X);
Matrix doubled(const Matrix& X);
Matrix added(const Matrix& X,
             const Matrix& Y);
} // namespace lesson
)";

const char* const rest_of_the_lesson = R"(#include "numbers.hpp"
namespace lesson {
Matrix added(const Matrix& X, const Matrix& Y) { return X + Y; }
double halved(double x) { return x / 2; }
}
int main() { return lesson::doubled(lesson::Matrix()).size() == 0 ? 0 : 1; }
)";

/// The command by which the build compiles exercise 01.1, without its input and output, and the
/// folder it is run in.
std::string compiler_command() {
    static const std::string command = [] {
        const auto commands = nlohmann::json::parse(
            course::read_file(COURSE_BUILD "/compile_commands.json").value_or("[]"));
        for (const auto& each : commands) {
            const std::string text = each.at("command");
            const std::size_t output = text.find(" -o CMakeFiles/exercise_01.1.dir");
            if (output != std::string::npos) {
                return "cd " + quoted(each.at("directory")) + " && " + text.substr(0, output);
            }
        }
        return std::string("false");
    }();
    return command;
}

std::string output_of(const std::string& command) {
    return process::run({"sh", "-c", command}, {.environment = {{"LC_ALL", "C.UTF-8"}}}).output;
}

const support::TemporaryFolder& workshop() {
    static const support::TemporaryFolder folder;
    if (!fs::exists(folder / "numbers.hpp")) {
        course::write_file(folder / "numbers.hpp", contract);
    }
    return folder;
}

course::Exercise exercise_in_workshop() {
    course::Exercise exercise;
    exercise.id = "01.1";
    exercise.title = "doubled";
    exercise.file = workshop() / "1_doubled.cpp";
    exercise.functions = {"doubled"};
    return exercise;
}

} // namespace

course::CompileError compile(const std::string& source) {
    const course::Exercise exercise = exercise_in_workshop();
    course::write_file(exercise.file, source);
    const std::string log = output_of(compiler_command() + " -I" + quoted(workshop().path()) +
                                      " -fsyntax-only " + quoted(exercise.file));
    CAPTURE(log);
    return course::explain_compile_error(log, exercise, contract, source);
}

course::CompileError compile_and_link(const std::string& source) {
    const course::Exercise exercise = exercise_in_workshop();
    const std::string command = compiler_command() + " -I" + quoted(workshop().path());
    const std::string rest = workshop() / "rest.o";
    if (!fs::exists(rest)) {
        course::write_file(workshop() / "rest.cpp", rest_of_the_lesson);
        output_of(command + " -o " + quoted(rest) + " -c " + quoted(workshop() / "rest.cpp"));
    }
    course::write_file(exercise.file, source);
    const std::string object = workshop() / "1_doubled.o";
    fs::remove(object);
    std::string log = output_of(command + " -o " + quoted(object) + " -c " + quoted(exercise.file));
    if (fs::exists(object)) {
        const std::string compiler = command.substr(0, command.find(" -", command.find("&&")));
        log = output_of(
            compiler +
            (command.find("-fsanitize") != std::string::npos ? " -fsanitize=address,undefined "
                                                             : " ") +
            quoted(rest) + " " + quoted(object) + " -o " + quoted(workshop() / "program"));
    }
    return course::explain_compile_error(log, exercise, contract, source);
}

std::string exercise_file(const std::string& code, const std::string& includes) {
    return includes + "#include \"numbers.hpp\"\n\nnamespace lesson {\n\n" + code +
           "\n} // namespace lesson\n";
}

std::size_t marked_line(const std::string& source) {
    const std::size_t mark = source.find("// here");
    return mark == std::string::npos
               ? 0
               : 1 + static_cast<std::size_t>(std::count(
                         source.begin(), source.begin() + static_cast<std::ptrdiff_t>(mark), '\n'));
}
