#include <doctest/doctest.h>

#include "support/mistakes.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>

namespace {

const std::string solution = R"(#include "lesson.hpp"

namespace lesson {

double half(double x) {
    // solution 99.1 (x): half of it
    const double two = 2; // the divisor
    return x / two;       // the quotient
    // end
}

} // namespace lesson
)";

std::vector<versions::Version> read(const std::string& text) {
    const support::TemporaryFolder folder;
    std::ofstream(folder.path() / "part.mistakes") << "= double PART(double x)\n"
                                                      "named\n  = return x;\n  Said.\n";
    std::ofstream(folder.path() / "a.mistakes") << text;
    return mistakes::read(folder.path() / "a.mistakes", solution, folder.path());
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string refusal_of(const std::string& text) {
    try {
        read(text);
    } catch (const std::invalid_argument& error) {
        const std::string what = error.what();
        return what.substr(what.rfind('/') + 1);
    }
    return "";
}

} // namespace

TEST_CASE("lines with - become lines with +, without comments and indentation") {
    const auto all = read("multiplied\n  - x / two\n  + x * two\n  It is multiplied.\n  Divide.\n");
    REQUIRE(all.size() == 1);
    CHECK(all[0].name == "multiplied");
    CHECK(all[0].explanation == "It is multiplied. Divide.");
    CHECK(has(all[0].source, "return x * two;"));
    CHECK_FALSE(has(all[0].source, "quotient"));
}

TEST_CASE("several lines are one text, a + may be missing, and ~ is for every place") {
    const auto all = read("a\n  - const double two = 2;\n  - return x / two;\n  + return x;\n"
                          "b\n  - / two\nc\n  ~ two\n  + three\n");
    CHECK(has(all.at(0).source, "(x): half of it\nreturn x;\n// end"));
    CHECK(has(all.at(1).source, "return x ;"));
    CHECK(all.at(1).explanation == "a decoy");
    CHECK(has(all.at(2).source, "const double three = 2;\nreturn x / three;"));
}

TEST_CASE("a name with values is a mistake for each value") {
    const auto all = read("added: 1e-9 2\n  - x / two\n  + x / (two + @)\n  Said.\n");
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "added_1e_9");
    CHECK(has(all[0].source, "x / (two + 1e-9)"));
    CHECK(all[1].name == "added_2");
    CHECK(all[1].explanation == "Said.");
}

TEST_CASE("lines with = replace the whole answer") {
    CHECK(has(read("a\n  = return 0;\n  Said.\n").at(0).source, "half of it\nreturn 0;\n// end"));
}

TEST_CASE("a part is called instead of the solution's own") {
    const auto all = read("use part\n  - x / two\n  + PART(x)\n");
    REQUIRE(all.size() == 1);
    CHECK(has(all[0].source, "return PART(x);"));
    REQUIRE(all[0].parts.size() == 1);
    CHECK(all[0].parts[0].name == "named");
    CHECK(all[0].parts[0].source ==
          "double named(double x) {\n#line 2 \"part.mistakes\"\nreturn x;\n}\n");
    CHECK(all[0].parts[0].explanation == "Said.");
}

TEST_CASE("what cannot be read is refused with its line") {
    CHECK(refusal_of("  - x\n") == "a.mistakes:1: a name must come first, at the start of a line");
    CHECK(refusal_of("a b\n") ==
          "a.mistakes:1: a mistake's name is letters, digits and _, got a b");
    CHECK(refusal_of("# c\na\n  + x\n") ==
          "a.mistakes:3: a line with - comes before a line with +");
    CHECK(refusal_of("a\n  Said.\n") ==
          "a.mistakes:1: a changes nothing: lines with - and +, or with =");
    CHECK(refusal_of("a\n  - y\n") == "a.mistakes:1: the solution has no \"y\"");
    CHECK(refusal_of("a\n  - x\n") ==
          "a.mistakes:1: the solution has \"x\" twice: write more of the line");
    CHECK(refusal_of("a\n  - x / two\na\n  - x / two\n") == "a.mistakes:0: a is there twice");
}
