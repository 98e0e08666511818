// What compiles, and then does not link: compiled and linked for real.

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
          "the compiler failed without saying why");
}

TEST_CASE("a function that is gone or renamed is named as the lesson declares it") {
    check(exercise_file(""), not_defined, "The file has no function of this name");
    check(exercise_file("Matrix Doubled(const Matrix& X) {\n    return 2 * X;\n}\n"), not_defined,
          "begin again with ./course reset 01.1");
}

TEST_CASE("a function of another signature is shown where it stands") {
    const char* const advice = "has other parameters";
    check(exercise_file("Matrix doubled(const xt::xarray<double>& X) { // here\nreturn X;\n}\n"),
          not_defined, advice);
    check(exercise_file("Matrix doubled(Matrix X) { // here\nreturn X;\n}\n"), not_defined, advice);
}

TEST_CASE("a template, or a macro of a word of C++, is told to be deleted") {
    check(exercise_file("template <class T> Matrix doubled(const T& X) { // here\nreturn X;\n}\n"),
          not_defined, "Delete template");
    check(exercise_file("#define const\nMatrix doubled(const Matrix& X) { // here\nreturn X;\n}\n"),
          not_defined, "Delete #define const");
    check(exercise_file("#define size 3\nMatrix doubled(Matrix X) { // here\nreturn X;\n}\n"),
          not_defined, "has other parameters");
}

TEST_CASE("a function outside the lesson's namespace is shown where it stands") {
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

TEST_CASE("a helper with a name that is taken is told to stay in its file") {
    check(exercise_file("double halved(double x) { return x / 2; } // here\n" + std::string(good)),
          "1_doubled.cpp also defines halved", "put yours between namespace { and }");
}

TEST_CASE("what is said of the memory functions, of static memory and of asm is true") {
    course::Exercise exercise;
    exercise.file = "/x/1_softmax.cpp";
    const auto explained = [&](const std::string& log, const std::string& source = "") {
        return course::explain_compile_error(log, exercise, "", source);
    };
    CompileError error = explained(
        "/usr/bin/ld: a.o: in function `operator new(unsigned long)':\n"
        "1_softmax.cpp:(.text+0x0): multiple definition of `operator new(unsigned long)'; "
        "b.o:child_main.cpp:(.text+0x0): first defined here\n"
        "collect2: error: ld returned 1 exit status\n",
        "#include <new>\nvoid* operator new(std::size_t n) { return nullptr; }\n");
    CHECK(error.message == "1_softmax.cpp also defines operator new");
    CHECK(error.line == 2);
    CHECK(error.advice ==
          "The course has its own, by which memory that was never set shows, and threads are "
          "counted: delete yours.");
    error = explained("/usr/bin/ld: a.o: in function `malloc':\n"
                      "1_softmax.cpp:(.text+0x0): multiple definition of `malloc'; "
                      "b.o:fresh_memory.cpp:(.text+0x0): first defined here\n",
                      "extern \"C\" void* malloc(std::size_t n) { return nullptr; }\n");
    CHECK(error.advice.ends_with("delete yours."));

    error =
        explained("a.o: in function `lesson::softmax()':\n1_softmax.cpp:(.text+0x8): relocation "
                  "truncated to fit: R_X86_64_PC32 against `.bss'\n"
                  "collect2: error: ld returned 1 exit status\n");
    CHECK(error.message == "1_softmax.cpp has more static memory than a program can");
    CHECK(error.advice.starts_with("An array that is static"));

    error =
        explained("/usr/bin/ld: a.o: bad something\ncollect2: error: ld returned 1 exit status\n");
    CHECK(error.message == "/usr/bin/ld: a.o: bad something");
    CHECK(error.advice == "It was compiled, but the linker could not make a program of it.");

    error = explained("/x/2_softmax_rows.cpp:-294967296:65: error: 'nothing' was not declared\n");
    CHECK(error.message ==
          "/x/2_softmax_rows.cpp:-294967296:65: error: 'nothing' was not declared");
    CHECK(error.advice.starts_with("The compiler's own words. Is there a #line"));

    error =
        explained("/tmp/a.s: Assembler messages:\n/tmp/a.s:9: Error: no such instruction: `x'\n");
    CHECK(error.message == "Error: no such instruction: 'x'");
    CHECK(error.advice.starts_with("The assembler refuses"));
}

TEST_CASE("a helper that has no body is shown where it is declared") {
    check(exercise_file("double helper(double x); // here\n"
                        "Matrix doubled(const Matrix& X) {\n    return helper(2) * X;\n}\n"),
          "1_doubled.cpp calls helper, which is defined nowhere", "has no body");
}

TEST_CASE("a main of one's own is one too many") {
    check(exercise_file(good) + "int main() {} // here\n", "1_doubled.cpp defines main",
          "delete main() from the file. ./course run 01 shows them at work");
}
