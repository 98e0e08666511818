#include "course/grading/stub.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

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

TEST_CASE("cut_stub: a line of a form that is no comment is an invalid_argument that names it") {
    CHECK_THROWS_WITH_AS(cut_stub("// solution 04.4 (): x\na\n// blank\nb\n// end\n"),
                         "cut_stub: every line of a form must be a comment, got line 4",
                         std::invalid_argument);
}

TEST_CASE("cut_stub: a part with a form becomes the form, without its comment signs") {
    CHECK(cut_stub("    // solution 04.1 (): fill in\n"
                   "    return {0.5, 2};\n"
                   "    // blank\n"
                   "    // return {\n"
                   "    //\n"
                   "    //     0, 0};\n"
                   "    // end\n") == "    // TODO 04.1: fill in\n"
                                      "    return {\n"
                                      "\n"
                                      "        0, 0};\n");
    CHECK(cut_stub("// blank\n") == "// blank\n"); // outside a solution it means nothing
}

TEST_CASE("cut_stub: a line of a form that is no comment is an invalid_argument that names it") {
    CHECK_THROWS_WITH_AS(
        cut_stub("// solution 04.1 (): fill in\n// blank\n// a\nreturn 1;\n// end\n"),
        "cut_stub: every line of a form must be a comment, got line 4", std::invalid_argument);
}

TEST_CASE("cut_stub: what has no marker stays as it is, and a last line gets its newline") {
    CHECK(cut_stub("int x; // the end\n\n") == "int x; // the end\n\n");
    CHECK(cut_stub("") == "");
    CHECK(cut_stub("int x;") == "int x;\n");
}

TEST_CASE("cut_stub: an unclosed part is an invalid_argument that names the line it began in") {
    CHECK_THROWS_WITH_AS(cut_stub("\n// solution 01.1 (): x\na\nb\n"),
                         "cut_stub: a solution must be closed by '// end', got line 2",
                         std::invalid_argument);
}

TEST_CASE("cut_stub: a part within a part is an invalid_argument that names the line") {
    CHECK_THROWS_WITH_AS(cut_stub("// solution 01.1 (): x\n// solution 01.2 (): y\n// end\n"),
                         "cut_stub: a solution must end before the next begins, got line 2",
                         std::invalid_argument);
}

TEST_CASE("cut_stub: an end without a beginning is an invalid_argument that names the line") {
    CHECK_THROWS_WITH_AS(cut_stub("a\nb\n    // end\n"),
                         "cut_stub: '// end' must close a solution, got line 3",
                         std::invalid_argument);
}

TEST_CASE("cut_stub: a marker that is misspelt is an invalid_argument that names the line") {
    for (const char* marker : {"// solution 1.1 (): x", "// solution 01.1: x",
                               "// solution 01.1 ()", "// solution 01.1 (): ", "x; // solution"}) {
        CAPTURE(marker);
        CHECK_THROWS_WITH_AS(cut_stub("a\n" + std::string(marker) + "\n// end\n"),
                             "cut_stub: a marker must read '// solution 03.2 (scores): what to "
                             "write', got line 2",
                             std::invalid_argument);
    }
}
