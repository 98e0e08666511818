#include "mutants/mutate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace {

/// What the lines of a function body become, with a given head.
std::set<std::string> mutants_of(const std::string& body, const std::string& head = "") {
    std::set<std::string> found;
    for (const Mutant& mutant : mutate(head + "// solution 01.1: it\n" + body + "\n// end\n")) {
        found.insert(mutant.becomes);
    }
    return found;
}

} // namespace

TEST_CASE("mutants: operators become their neighbours") {
    CHECK(mutants_of("return a + b;") == std::set<std::string>{"return a - b;"});
    CHECK(mutants_of("return a < b;") == std::set<std::string>{"return a <= b;", "return a >= b;"});
    CHECK(mutants_of("return -a;") == std::set<std::string>{"return a;"});
    CHECK(mutants_of("return !a;") == std::set<std::string>{"return a;"});
}

TEST_CASE("mutants: the brackets of a template are not a comparison") {
    CHECK(mutants_of("return static_cast<double>(a);").empty());
}

TEST_CASE("mutants: constants grow and shrink") {
    CHECK(mutants_of("return shape(1);") ==
          std::set<std::string>{"return shape(2);", "return shape(0);"});
    CHECK(mutants_of("return 0;") == std::set<std::string>{"return 1;"});
    CHECK(mutants_of("return 0.5;") == std::set<std::string>{"return 1.000000;"});
    CHECK(mutants_of("return true;") == std::set<std::string>{"return false;"});
}

TEST_CASE("mutants: a name becomes another of its type, an argument its neighbour") {
    CHECK(mutants_of("return f(Q);", "Matrix f(const Matrix& Q, const Matrix& K);\n") ==
          std::set<std::string>{"return f(K);"});
    CHECK(mutants_of("return s(i, j);") == std::set<std::string>{"return s(j, i);"});
}

TEST_CASE("mutants: functions are left out, or become their opposite") {
    CHECK(mutants_of("return std::sqrt(a);") == std::set<std::string>{"return (a);"});
    CHECK(mutants_of("return std::max(a, a);") == std::set<std::string>{"return std::min(a, a);"});
}

TEST_CASE("mutants: a statement is dropped, a condition inverted and never true") {
    CHECK(mutants_of("f(); }") == std::set<std::string>{"; }"});
    CHECK(mutants_of("if (a) { continue; }") == std::set<std::string>{"if (!(a)) { continue; }",
                                                                      "if (false) { continue; }",
                                                                      "if (a) { ; }"});
}

TEST_CASE("mutants: comments, texts and what is not the solution stay as they are") {
    CHECK(mutants_of("// a + b\nreturn \"1 + 1\";").empty());
    CHECK(mutants_of("return a;", "const int before = 1 + 1;\n").empty());
    CHECK(mutate("return 1 + 1;").empty());
}

TEST_CASE("mutants: each knows its line, and is the whole file with only that changed") {
    const std::string solution = "one\n// solution 01.1: it\nreturn a + b;\n// end\nlast\n";
    const std::vector<Mutant> mutants = mutate(solution);
    REQUIRE(mutants.size() == 1);
    CHECK(mutants[0].line == 3);
    CHECK(mutants[0].was == "return a + b;");
    CHECK(mutants[0].source == "one\n// solution 01.1: it\nreturn a - b;\n// end\nlast\n");
}
