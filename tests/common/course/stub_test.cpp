#include "course/grading/stub.hpp"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <vector>

using course::cut_stub;

TEST_CASE("cut_stub: the marked part becomes a TODO and a todo() that throws") {
    CHECK(cut_stub("#include \"softmax.hpp\"\n"
                   "\n"
                   "Matrix softmax_rows(const Matrix& scores) {\n"
                   "    // solution 03.2 (scores): softmax of each row\n"
                   "    const Matrix terms = xt::exp(scores);\n"
                   "    return terms;\n"
                   "    // end\n"
                   "}\n") == "#include \"softmax.hpp\"\n"
                             "\n"
                             "Matrix softmax_rows(const Matrix& scores) {\n"
                             "    // TODO 03.2: softmax of each row\n"
                             "    todo(\"03.2\", scores);\n"
                             "}\n");
}

TEST_CASE("cut_stub: a part without arguments, and one with several") {
    CHECK(cut_stub("// solution 11.12 (): seed it\nx\n// end\n") ==
          "// TODO 11.12: seed it\ntodo(\"11.12\");\n");
    CHECK(cut_stub("// solution 01.2 (X, W_q, W_k): project\nx\n// end\n") ==
          "// TODO 01.2: project\ntodo(\"01.2\", X, W_q, W_k);\n");
}

TEST_CASE("cut_stub: several parts are cut, each with its own indentation, and an empty one too") {
    CHECK(
        cut_stub("a\n// solution 01.1 (): one\nb\n// end\nc\n"
                 "\t// solution 01.1 (d): two\n\t// end\ne\n") ==
        "a\n// TODO 01.1: one\ntodo(\"01.1\");\nc\n\t// TODO 01.1: two\n\ttodo(\"01.1\", d);\ne\n");
}

TEST_CASE("cut_stub: a part with a form becomes the TODO and the form, without todo()") {
    CHECK(cut_stub("    // solution 04.4 (): fill in\n"
                   "    const double x = 0.5;\n"
                   "    // blank\n"
                   "    // // one number\n"
                   "    // const double x = {\n"
                   "    //     blank};\n"
                   "    //\n"
                   "    // end\n"
                   "    return x;\n") == "    // TODO 04.4: fill in\n"
                                         "    // one number\n"
                                         "    const double x = {\n"
                                         "        blank};\n"
                                         "\n"
                                         "    return x;\n");
    CHECK(cut_stub("// solution 04.4 (): one\nx\n// blank\n// y\n// end\n"
                   "// solution 04.4 (): two\nx\n// end\n") ==
          "// TODO 04.4: one\ny\n// TODO 04.4: two\ntodo(\"04.4\");\n");
}

TEST_CASE("cut_stub: text without markers is unchanged, and the last line gets a newline") {
    CHECK(cut_stub("int x; // the end\n\n") == "int x; // the end\n\n");
    CHECK(cut_stub("") == "");
    CHECK(cut_stub("int x;") == "int x;\n");
}

TEST_CASE("cut_stub: a marker that does not fit is an invalid_argument that names its line") {
    const char* const misspelt = "a marker must read '// solution 03.2 (scores): what to write'";
    for (const auto& [text, rule, line] : std::vector<std::array<std::string, 3>>{
             {"\n// solution 01.1 (): x\na\n", "a solution must be closed by '// end'", "2"},
             {"// solution 01.1 (): x\n// solution 01.2 (): y\n// end\n",
              "a solution must end before the next begins", "2"},
             {"a\nb\n    // end\n", "'// end' must close a solution", "3"},
             {"// solution 04.4 (): x\na\n// blank\nb\n// end\n",
              "every line of a form must be a comment", "4"},
             {"a\n// solution 1.1 (): x\n// end\n", misspelt, "2"},
             {"a\n// solution 01.1: x\n// end\n", misspelt, "2"},
             {"a\n// solution 01.1 (): \n// end\n", misspelt, "2"},
             {"a\nx; // solution\n// end\n", misspelt, "2"}}) {
        const auto& this_text = text; // clang 14 captures no binding
        CAPTURE(this_text);
        CHECK_THROWS_WITH_AS(cut_stub(text), ("cut_stub: " + rule + ", got line " + line).c_str(),
                             std::invalid_argument);
    }
}
