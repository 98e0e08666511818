// What learners get wrong, compiled for real: whatever the compiler's words, the line and the
// advice must be right. `// here` marks that line.

#include "course/explain/compile_error.hpp"

#include <doctest/doctest.h>

#include "course/explain/advice.hpp"
#include "toolchain.hpp"

using course::CompileError;

namespace {

#ifdef __clang__
constexpr bool clang = true;
#else
constexpr bool clang = false;
#endif

std::string doubled(const std::string& body) {
    return "Matrix doubled(const Matrix& X) {\n" + body + "\n}\n";
}

std::string mean(const std::string& body) {
    return "double mean(const Vector& x) {\n" + body + "\n}\n";
}

std::string row_sums(const std::string& body) {
    return "Vector row_sums(const Matrix& X) {\n" + body + "\n}\n";
}

/// A whole file must not compile; its marked line is reported, and the advice has these words.
CompileError check_file(const std::string& source, const std::string& advice) {
    CAPTURE(source);
    const CompileError error = compile(source);
    CAPTURE(error.message);
    CAPTURE(error.source);
    CHECK(error.line > 0);
    if (const std::size_t marked = marked_line(source); marked > 0) {
        CHECK(error.line == marked);
        CHECK(error.source.find("// here") != std::string::npos);
    }
    CHECK_MESSAGE(error.advice.find(advice) != std::string::npos, error.advice);
    CHECK(!error.message.empty());
    CHECK(error.message.size() < 300);
    return error;
}

CompileError check(const std::string& code, const std::string& advice) {
    return check_file(exercise_file(code), advice);
}

const char* const lazy_number = "A sum or maximum in xtensor is a lazy expression";
const char* const lazy_elements = "Perhaps it is a lazy expression, which has no elements";
const char* const read_only = "The inputs are const";
const char* const semicolon = "Perhaps a semicolon is missing at the end of this line";

} // namespace

TEST_CASE("a file that compiles has no error") {
    const CompileError error = compile(exercise_file(doubled("return 2 * X;")));
    CHECK(error.line == 0);
    CHECK(error.message == "the compiler or linker failed without an error in this file");
}

TEST_CASE("lazy expressions and inputs: advice when they are used as numbers or written to") {
    check(mean("return xt::sum(x); // here"), lazy_number);
    check(mean("double m = 0;\nm += xt::sum(x); // here\nreturn m;"), lazy_number);
    check(mean("if (xt::amax(x) > 3) { // here\nreturn 1;\n}\nreturn 0;"), lazy_number);
    check(row_sums("Vector s = Vector::from_shape({2});\ns(0) = xt::sum(X); // here\nreturn s;"),
          lazy_number);
    check(doubled("auto Y = 2 * X;\nY(0, 0) = 1; // here\nreturn Y;"), lazy_elements);
    check(row_sums("auto s = xt::sum(X, {1});\ns(0) = 1; // here\nreturn s;"), lazy_elements);
    const CompileError element = check(doubled("X(0, 0) = 1; // here\nreturn X;"), read_only);
    if (!clang) {
        CHECK(element.message == "assignment of read-only location 'X(0, 0)'");
    }
    check(doubled("X *= 2; // here\nreturn X;"),
          clang ? "the left side is const, as the inputs are" : read_only);
    check(doubled("X.fill(2); // here\nreturn X;"), clang ? "an input, which is const" : read_only);
    check(mean("const double s = 0;\ns += x(0); // here\nreturn s;"), "s is declared const");
}

TEST_CASE("a missing header, or one that does not exist, is named") {
    check(doubled("return xt::linalg::dot(X, X); // here"), "#include <xtensor-blas/xlinalg.hpp>");
    check(mean("std::list<double> q; // here\nreturn x(0);"),
          "For std::list, write at the top of the file: #include <list>");
    check_file(exercise_file("", "#include \"sofmax.hpp\" // here\n"),
               "There is no header sofmax.hpp");
    check_file(exercise_file("", "#include <xtensor/xlinalg.hpp> // here\n"),
               "#include <xtensor-blas/xlinalg.hpp>");
    check_file(exercise_file("", "#include <xtensor/containers/xtensr.hpp> // here\n"),
               "so you can probably delete this line");
    CHECK(compile(exercise_file(mean("Vector y = x;\nstd::sort(y.begin(), y.end());\n"
                                     "return std::accumulate(y.begin(), y.end(), 0.0);")))
              .line == 0); // every exercise has these headers
}

TEST_CASE("the xtensor headers in the advice exist, in every version") {
    std::string includes;
    for (const course::AdviceRow& row : course::compiler_advice()) {
        if (row.say.ends_with("#include <xtensor/$2>")) {
            for (const auto& [name, header] : row.names) {
                includes += "#if !__has_include(<xtensor/" + header + ">)\n#error\n#endif\n";
            }
        }
    }
    CHECK(includes.find("<xtensor/xsort.hpp>") != std::string::npos);
    const CompileError error = compile(exercise_file("", includes));
    CHECK_MESSAGE(error.line == 0, error.source);
}

TEST_CASE("mistyped names, members and shapes are corrected") {
    check(doubled("Matrix result = 2 * X;\nreturn reslt; // here"),
          "Nothing here is called reslt: did you mean result?");
    check(doubled("return xt::epx(X); // here"), "There is no xt::epx: ");
    check(row_sums("return xt::sum(X, {1}, xt::keepdims); // here"),
          "what keeps the axis is xt::keep_dims");
    check(doubled("return zeros<double>({2, 2}); // here"),
          "Write xt::zeros: functions of xtensor begin with xt::");
    check(doubled("return X.dot(X); // here"),
          "no operator for the matrix product: write the sum yourself");
    check(doubled("return X.T(); // here"), "it is xt::transpose(X)");
    check(mean("return x.sums(); // here"),
          "Most other operations are functions, such as xt::sum(x)()");
    check(doubled("Matrix Y = X;\nY[0][1] = 2; // here\nreturn Y;"), "An element is X(i, j)");
    check(mean("return x.shape[0]; // here"),
          "Perhaps the parentheses of a function call are missing");
    check(doubled("return xt::zeros<double>(2, 3); // here"), "Write a shape in braces");
    check(doubled("return X - xt::amax(X, 1, true); // here"), "Write the axes in braces");
    check(row_sums("return xt::view(X, 0, xt::all); // here"),
          "A view takes, for each axis, an index");
}

TEST_CASE("types that are confused get advice of their own") {
    check(doubled("return 0.0; // here"), "This is a number where an array is needed");
    check(mean("return x; // here"), "or an array where a number is");
    check(mean("return std::max(x.size(), 1); // here"),
          "std::max takes two values of the same type");
    check(doubled("return std::exp(X); // here"), "For all elements of an array use xt::exp");
    check(mean("if (x > 0) { // here\nreturn 1;\n}\nreturn 0;"), "use xt::any(X > 0)");
    check(mean("throw std::invalid_argument(\"x is \" + x); // here"), "with std::to_string");
    check(doubled("return added(X); // here"), "do not fit the function's declaration");
    check("xt::xarray<double> doubled(const Matrix& X) { // here\nreturn 2 * X;\n}\n",
          "The function returns another type here than in the lesson's header.");
    check(doubled("xt::xarray<double> Y = X;\nMatrix& Z = Y; // here\nreturn Z;"),
          "another type such as xt::xarray: remove the &");
    check("doubled(const Matrix& X) { // here\nreturn X;\n}\n", "begins with its return type");
    check("static Matrix doubled(const Matrix& X) { // here\nreturn X;\n}\n", "delete static");
    check(doubled("Matrix Y = X;\nMatrix Y = 2 * X; // here\nreturn Y;"),
          "This name is already used");
    // Inside a header of xtensor, the learner's line is named.
    CHECK(check(doubled("return xt::exp(X) * std::string(\"a\"); // here"),
                "no such operator for these two types")
              .line == 6);
}

TEST_CASE("missing punctuation, and characters that are not C++, are found in their line") {
    check(doubled("return 2 * X // here"), semicolon);
    check(doubled("Matrix Y = 2 * X // here\nreturn Y;"), semicolon);
    check(doubled("Matrix Y = 2 * X, // here\nreturn Y;"), "ends with a comma");
    check(mean("return std::sqrt(x(0); // here"), "Perhaps a closing parenthesis is missing");
    check(mean("return std::sqrt(x(0))); // here"), "one closing parenthesis or bracket too many");
    check(mean("if x(0) > 0 { // here\nreturn 1;\n}\nreturn 0;"), "must be in parentheses");
    check(mean("{\nreturn x(0);"), "Perhaps a closing brace is missing");
    check(doubled("return 2 * X;\n}"), "one too many");
    check(doubled("const auto f = [](double v) {\nreturn 2 * v;\nreturn f(1) * X; // here"),
          "Perhaps a lambda above this line is not closed");
    check(mean("double b = x(0);\nreturn [](double v) { return v + b; }(1); // here"),
          "[&](double v)");
    const char* const pasted = "it may come from a web page";
    check(mean("throw std::invalid_argument(“bad”); // here"), pasted);
    check(mean("return x(0) − 1; // here"), pasted);
    const char* const advice = "perhaps one of these two lines is missing";
    check_file("namespace lesson {\nMatrix doubled(const Matrix& X) { // here\nreturn X;\n}\n}\n",
               advice);
    check_file(
        "#include \"numbers.hpp\"\nMatrix doubled(const Matrix& X) { // here\nreturn X;\n}\n",
        advice);
}

TEST_CASE("a file in UTF-16 is reported as such") {
    std::string wide;
    for (const char c : exercise_file(doubled("return 2 * X;"))) {
        wide += {c, '\0'};
    }
    SUBCASE("with a mark") {
        wide = "\xFF\xFE" + wide;
    }
    SUBCASE("without") {}
    const CompileError error = compile(wide);
    CHECK(error.message.find("is saved as UTF-16 or UTF-32, which compilers do not read") !=
          std::string::npos);
    CHECK(error.advice == "Save it as UTF-8: your editor calls that the file's encoding.");
}

TEST_CASE("a compiler that was killed is reported in its own words") {
    const CompileError error = course::explain_compile_error(
        "c++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n", {},
        "", "");
    CHECK(error.line == 0);
    CHECK(error.message == "c++: fatal error: Killed signal terminated program cc1plus");
    CHECK(error.advice.find("Perhaps there was not enough memory") != std::string::npos);
}

TEST_CASE("types of any length are shortened") {
    course::Exercise exercise;
    exercise.file = "/x/1_doubled.cpp";
    std::string type = "int";
    for (int i = 0; i < 10'000; ++i) {
        type = "xt::xfunction<" + type + ">";
    }
    const std::string place = "/x/1_doubled.cpp:2:1: error: ";
    CHECK(course::explain_compile_error(place + "no " + type + "\n", exercise, "", "a\nb\n")
              .message == "no xt::xfunction<...>");
    CHECK(course::explain_compile_error(
              place + "no match for 'operator<<' (operand types are 'xt::xfunction<double, "
                      "xt::xfunction<int> >' {aka 'x'} and 'std::vector<int>')\n",
              exercise, "", "a\nb\n")
              .message == "no match for 'operator<<' (operand types are 'xt::xfunction<...>' and "
                          "'std::vector<int>')");
}
