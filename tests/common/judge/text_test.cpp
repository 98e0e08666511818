#include "judge/text.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "judge_values.hpp"

/// A block that is not the expected one is printed as it would be read.
template <>
struct doctest::StringMaker<judge::Block> {
    static String convert(const judge::Block& lines) {
        std::string text;
        for (const std::string& line : lines) {
            text += "\n|" + line + "|";
        }
        return text.c_str();
    }
};

using namespace judge;
using attention::Matrix;
using attention::Vector;

namespace {

Matrix counting(std::size_t rows, std::size_t columns) {
    Matrix result(std::array<std::size_t, 2>{rows, columns});
    for (std::size_t i = 0; i < result.size(); ++i) {
        result.flat(i) = static_cast<double>(i);
    }
    return result;
}

} // namespace

TEST_CASE("number_text: six significant digits, as short as they can be") {
    CHECK(number_text(4) == "4");
    CHECK(number_text(-0.0) == "0");
    CHECK(number_text(0.1) == "0.1");
    CHECK(number_text(0.26445839) == "0.264458");
    CHECK(number_text(123456789) == "1.23457e+08");
    CHECK(number_text(1e300) == "1e+300");
    CHECK(number_text(5e-324) == "4.94066e-324");
    CHECK(number_text(-1.5e-7) == "-1.5e-07");
    CHECK(number_text(std::nan("")) == "nan");
    CHECK(number_text(-std::nan("")) == "nan");
    CHECK(number_text(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("block: a small matrix has columns, and the marked element brackets") {
    CHECK(block("X", to_value(Matrix{{1, -2.5, 3}, {10, 0, 1e-9}})) ==
          Block{"X (2, 3)", "     1   -2.5      3", "    10      0  1e-09"});
    CHECK(block("X", to_value(Matrix{{1, -2.5, 3}, {10, 0, 7}}), {1, 0}) ==
          Block{"X (2, 3)", "    1  -2.5     3", "  [10]    0     7"});
}

TEST_CASE("block: of a large matrix the part around the mark is shown, and marked as a part") {
    const Value large = to_value(counting(20, 30));
    const Block middle = block("X", large, {10, 15});
    REQUIRE(middle.size() == 9);
    CHECK(middle[0] == "X (20, 30), rows 6-13, columns 11-18");
    CHECK(middle[1] == "  191   192   193   194   195   196   197   198");
    CHECK(middle[5] == "  311   312   313   314  [315]  316   317   318");
    const Block corner = block("X", large, {19, 29});
    CHECK(corner[0] == "X (20, 30), rows 12-19, columns 22-29");
    CHECK(corner[8] == "  592   593   594   595   596   597   598  [599]");
    CHECK(block("X", large)[0] == "X (20, 30), rows 0-7, columns 0-7");
    CHECK(block("X", to_value(counting(2, 9)), {0, 8})[0] == "X (2, 9), rows 0-1, columns 1-8");
}

TEST_CASE("block: of an array of higher rank the slice with the mark is shown") {
    const xt::xtensor<double, 3> batch{{{1, 2}}, {{3, 4}}};
    CHECK(block("T", to_value(batch)) == Block{"T (2, 1, 2), [0, :, :]", " 1  2"});
    CHECK(block("T", to_value(batch), {1, 0, 1}) == Block{"T (2, 1, 2), [1, :, :]", "  3  [4]"});
    xt::xtensor<double, 4> heads = xt::zeros<double>({2, 3, 1, 2});
    heads(1, 2, 0, 1) = 9;
    CHECK(block("H", to_value(heads), {1, 2, 0, 1}) ==
          Block{"H (2, 3, 1, 2), [1, 2, :, :]", "  0  [9]"});
}

TEST_CASE("block: scalars and strings are one line") {
    CHECK(block("x", {2.5}) == Block{"x = 2.5"});
    CHECK(block("n", {std::int64_t{-3}}) == Block{"n = -3"});
    CHECK(block("seed", {std::uint64_t{18446744073709551615U}}) ==
          Block{"seed = 18446744073709551615"});
    CHECK(block("causal", {true}) == Block{"causal = true"});
    CHECK(block("causal", {false}) == Block{"causal = false"});
    CHECK(block("word", {std::string("cat")}) == Block{"word = \"cat\""});
    CHECK(block("mask", {}) == Block{"mask = none"});
}

TEST_CASE("block: lists and structs show their parts") {
    CHECK(block("vs", to_value(std::vector<Vector>{{1, 2}, {3}})) ==
          Block{"vs, a list of 2", "  [0] (2,)", "   1  2", "  [1] (1,)", "   3"});
    const Block many = block("vs", to_value(std::vector<Vector>(9, {1})));
    CHECK(many.size() == 18);
    CHECK(many.back() == "  …");
    CHECK(block("s", to_value(lesson::Sample{{{1, 2}}, {3}, "x", std::nullopt})) ==
          Block{"s.weights (1, 2)    s.entropy (1,)    s.label = \"x\"    s.step = none",
                " 1  2                3"});
}

TEST_CASE("block: a list of words or numbers is one line, and says so if it is not all") {
    using Words = std::vector<std::string>;
    CHECK(block("words", to_value(Words{"a", "b"})) == Block{R"(words = ["a", "b"])"});
    CHECK(block("words", to_value(Words{})) == Block{"words = []"});
    CHECK(block("ids", to_value(std::vector<int>(3, 1))) == Block{"ids = [1, 1, 1]"});
    CHECK(block("ids", to_value(std::vector<int>(20, 123456789))) ==
          Block{"ids, a list of 20 = [123456789, 123456789, 123456789, 123456789, 123456789, …]"});
    CHECK(block("words", to_value(Words{std::string(70, 'x'), "y"})) ==
          Block{"words, a list of 2 = [\"" + std::string(70, 'x') + "\", …]"});
    CHECK(block("sentences", to_value(std::vector<Words>{{"a", "b"}, {}})) ==
          Block{"sentences, a list of 2", R"(  [0] = ["a", "b"])", "  [1] = []"});
}
