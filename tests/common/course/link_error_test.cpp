// Code that compiles but does not link: compiled and linked for real.

#include <doctest/doctest.h>

#include "toolchain.hpp"

using course::CompileError;

namespace {

const char* const good = "Matrix doubled(const Matrix& X) {\n    return 2 * X;\n}\n";
const char* const not_defined = "1_doubled.cpp does not define Matrix doubled(const Matrix& X)";

CompileError check(const std::string& source, const std::string& message,
                   const std::string& advice) {
    CAPTURE(source);
    const CompileError error = compile_and_link(source);
    CHECK(error.message == message);
    CHECK_MESSAGE(error.advice.find(advice) != std::string::npos, error.advice);
    CHECK(error.line == marked_line(source));
    CHECK((error.line == 0 || error.source.find("// here") != std::string::npos));
    return error;
}

} // namespace

TEST_CASE("a right exercise links") {
    CHECK(compile_and_link(exercise_file(good)).message ==
          "the compiler or linker failed without an error in this file");
}

TEST_CASE("a function that is missing or renamed is named as the lesson declares it") {
    check(exercise_file(""), not_defined, "The file has no function of this name");
    check(exercise_file("Matrix Doubled(const Matrix& X) {\n    return 2 * X;\n}\n"), not_defined,
          "begin again with ./course reset 01.1");
}

TEST_CASE("a function with another signature is shown in its place") {
    const char* const advice = "has other parameters";
    check(exercise_file("Matrix doubled(const xt::xarray<double>& X) { // here\nreturn X;\n}\n"),
          not_defined, advice);
    check(exercise_file("Matrix doubled(Matrix X) { // here\nreturn X;\n}\n"), not_defined, advice);
}

TEST_CASE("advice on a template: make it a plain function") {
    check(exercise_file("template <class T> Matrix doubled(const T& X) { // here\nreturn X;\n}\n"),
          not_defined, "Delete template");
}

TEST_CASE("a function outside the lesson's namespace is shown in its place") {
    check("#include \"numbers.hpp\"\nusing namespace lesson;\n"
          "Matrix doubled(const Matrix& X) { // here\n    return 2 * X;\n}\n",
          not_defined, "is not directly in namespace lesson");
}

TEST_CASE("a function of another exercise, defined here too, is one too many") {
    check(exercise_file(good +
                        std::string("Matrix added(const Matrix& X, const Matrix& Y) { // here\n"
                                    "return X + Y;\n}\n")),
          "1_doubled.cpp also defines added", "delete it here, and call it");
}

TEST_CASE("advice on a helper whose name is taken: keep it in its file") {
    check(exercise_file("double halved(double x) { return x / 2; } // here\n" + std::string(good)),
          "1_doubled.cpp also defines halved", "put yours between namespace { and }");
}

TEST_CASE("other messages of a linker or assembler are shown unchanged") {
    course::Exercise exercise;
    exercise.file = "/x/1_softmax.cpp";
    for (const std::string line :
         {"/usr/bin/ld: a.o: bad something",
          "/x/2_softmax_rows.cpp:-294967296:65: error: 'nothing' was not declared",
          "/tmp/a.s:9: Error: no such instruction: 'x'"}) {
        const CompileError error = course::explain_compile_error(line + "\n", exercise, "", "");
        CHECK(error.message == line);
        CHECK(error.advice.starts_with("This is the compiler's or linker's own message."));
    }
}

TEST_CASE("a helper without a body is shown at its declaration") {
    check(exercise_file("double helper(double x); // here\n"
                        "Matrix doubled(const Matrix& X) {\n    return helper(2) * X;\n}\n"),
          "1_doubled.cpp calls helper, which is defined nowhere", "has no body");
}

TEST_CASE("a second main is reported") {
    check(exercise_file(good) + "int main() {} // here\n", "1_doubled.cpp defines main",
          "delete main() from the file. ./course run 01 shows them at work");
}
