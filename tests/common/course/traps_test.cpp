#include "course/explain/traps.hpp"

#include <doctest/doctest.h>

using course::find_traps;
using course::Trap;

namespace {

/// The source without its only trap, whose text begins with the words.
std::string without_trap(const std::string& source, const std::string& words) {
    const std::vector<Trap> traps = find_traps(source);
    REQUIRE(traps.size() == 1);
    CHECK_MESSAGE(traps[0].text.starts_with(words), traps[0].text);
    return course::corrected(source, traps);
}

} // namespace

TEST_CASE("each trap is found at its line, and corrected by text around it") {
    CHECK(without_trap("\nY = xt::exp(s - xt::amax(s, {1}, xt::keep_dims));",
                       "line 2 uses xt::amax(…, xt::keep_dims) inside a larger expression") ==
          "\nY = xt::exp(s - xt::eval(xt::amax(s, {1}, xt::keep_dims)));");
    CHECK(without_trap("const auto e = xt::exp(s);",
                       "line 1 keeps a lazy expression of xtensor in "
                       "auto e") == "const auto e = xt::eval(xt::exp(s));");
    CHECK(without_trap("auto f = [](const Vector& x) { return xt::exp(x); };",
                       "line 1 returns a lazy expression") ==
          "auto f = [](const Vector& x) { return xt::eval(xt::exp(x)); };");
    CHECK(without_trap("auto f(const Vector& x) {\n    return 2 * xt::exp(x);\n}",
                       "line 2 returns a lazy expression") ==
          "auto f(const Vector& x) {\n    return xt::eval(2 * xt::exp(x));\n}");
    CHECK(without_trap("Vector w({n});", "line 1 makes an array with one element") ==
          "Vector w(xt::zeros<double>({n}));");
    CHECK(without_trap("Vector w{n};", "line 1 makes an array with one element") ==
          "Vector w{xt::zeros<double>({n})};");
    CHECK(without_trap("attention::Vector row = xt::row(out, i);\nrow -= 1;",
                       "line 1 makes row a copy, and what is done to the copy never reaches") ==
          "auto /*attention::Vector*/ row = xt::row(out, i);\nrow -= 1;");
    CHECK(
        without_trap(
            "xt::xtensor<double, 2> head(xt::view(heads, h));\nfor (double& x : head) x = 0;",
            "line 1 makes head a copy") ==
        "auto /*xt::xtensor<double, 2>*/ head(xt::view(heads, h));\nfor (double& x : head) x = 0;");
    CHECK(without_trap("\nout[!mask] = -1.0;", "line 2 indexes out by bools, as numpy does.") ==
          "\nout = xt::where(!mask, -1.0, out) /*out[!mask] = -1.0*/;");
    CHECK(without_trap("const Mask& m;\nout[m] += out[m] * 2;", "line 2 indexes out by bools") ==
          "const Mask& m;\nout = xt::where(m, out + (out * 2), out) /*out[m] += out[m] * 2*/;");
    CHECK(without_trap("x[x < 0] = 0;", "line 1 indexes x by bools") ==
          "x = xt::where(x < 0, 0, x) /*x[x < 0] = 0*/;");
    CHECK(without_trap("auto f(const Vector& x) {\n    const Vector y = x;\n    return x * y;\n}",
                       "line 3 returns a lazy expression") ==
          "auto f(const Vector& x) {\n    const Vector y = x;\n    return xt::eval(x * y);\n}");
    CHECK(without_trap("for (std::size_t j = 0; j <= n - 4; j += 4) {",
                       "line 1 compares with n - 4. Sizes are unsigned: where n is less than 4, "
                       "that is not negative, but a number of twenty digits. Write j + 4 <= n.") ==
          "for (std::size_t j = 0;(n) >= (4) && ( j <= n - 4); j += 4) {");
    CHECK(without_trap("while (i + j < x.size() - width) {",
                       "line 1 compares with x.size() - width") ==
          "while ((x.size()) >= (width) && (i + j < x.size() - width)) {");
}

TEST_CASE("code that only looks like a trap is not one") {
    for (const char* source : {"// auto e = xt::exp(s);",
                               "/* Vector w({n}); */",
                               "\"auto e = xt::exp(s);\"",
                               "auto n = x.size();",
                               "auto row = xt::view(X, i, xt::all());",
                               "Vector w({1, 2});",
                               "Vector row = xt::row(X, i);\nsum += row(0);",
                               "const Vector row = xt::row(X, i);\nrow(0) = 1;",
                               "Vector f(const Matrix& x);\nf = xt::row(X, i);",
                               "w[i] = x;",
                               "if (!w[i] && w[i] == 1) { x = 1; }",
                               "Vector w = Vector::from_shape({n});",
                               "Vector f(const Vector& x) { return xt::exp(x); }",
                               "Y = xt::sum(X, {1});",
                               "for (j = n - 1; j < n; --j)",
                               "for (i = 0; i + 4 < n; ++i)",
                               "for (x : xs) { a = 1; b = x < n - 1; }",
                               "while (n >= 4 && j < n - 4)",
                               "while (n - 4)",
                               "each(a, [&](auto x) { f(x); })",
                               "auto f = [](double x) { return 2 * x; };",
                               "for (a; b",
                               "Vector w(",
                               "auto e = xt::exp(",
                               "auto f(x) {"}) {
        CAPTURE(source);
        CHECK(find_traps(source).empty());
    }
}

TEST_CASE("traps: texts and characters are not code, whatever quotes they contain") {
    const std::string trap = "const auto w = xt::exp(s);\n";
    const std::size_t found = find_traps(trap).size();
    CHECK(find_traps("print(\"\\\"\"); " + trap).size() == found);
    CHECK(find_traps("char c = '\"'; " + trap + "c = '\"';").size() == found);
    CHECK(find_traps("int n = 1'000; " + trap).size() == found);
    CHECK(find_traps("print(\"\\\" " + std::string("const auto w = xt::exp(s);\");")).empty());
}

TEST_CASE("warnings: a missing return is a cause; other telling warnings are worth a look") {
    const std::string at = "/x/1_softmax.cpp:9:1: warning: ";
    CHECK(course::explain_warnings(at + "no return statement [-Wreturn-type]\n", "1_softmax.cpp")
              .text.starts_with("The function that ends in line 9"));
    CHECK(course::explain_warnings(at + "suggest parentheses [-Wparentheses]\n", "1_softmax.cpp")
              .text == "Look at line 9: the compiler warns about it (suggest parentheses).");
    for (const char* innocent : {"unused parameter ‘mask’ [-Wunused-parameter]",
                                 "comparison of integers [-Wsign-compare]", "no name"}) {
        CHECK(course::explain_warnings(at + innocent + "\n", "1_softmax.cpp").text.empty());
    }
    CHECK(course::explain_warnings(at + "x [-Wparentheses]\n", "2_softmax_rows.cpp").text.empty());
}
