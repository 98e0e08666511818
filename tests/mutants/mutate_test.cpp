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

TEST_CASE("mutants: operators, constants, names, functions and statements become others") {
    using Texts = std::set<std::string>;
    const std::vector<std::pair<std::string, Texts>> table{
        {"return a + b;", {"return a - b;"}},
        {"return a < b;", {"return a <= b;", "return a >= b;"}},
        {"return -a;", {"return a;"}},
        {"return !a;", {"return a;"}},
        {"return static_cast<double>(a);", {}}, // no comparison
        {"return shape(1);", {"return shape(2);", "return shape(0);"}},
        {"return 0;", {"return 1;"}},
        {"return 0.5;", {"return 1.000000;"}},
        {"return true;", {"return false;"}},
        {"return s(i, j);", {"return s(j, i);"}},
        {"return std::sqrt(a);", {"return (a);"}},
        {"return std::max(a, a);", {"return std::min(a, a);"}},
        {"f(); }", {"; }"}},
        {"if (a) { continue; }",
         {"if (!(a)) { continue; }", "if (false) { continue; }", "if (a) { ; }"}}};
    for (const auto& [body, expected] : table) {
        CHECK(mutants_of(body) == expected);
    }
    CHECK(mutants_of("return f(Q);", "Matrix f(const Matrix& Q, const Matrix& K);\n") ==
          Texts{"return f(K);"});
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
