// ./course grade: explanations of mistakes in C++ rather than in attention.

#include "program.hpp"

PROGRAM_TEST_CASE("grade: an index out of range is told, in a std::vector and in a Matrix") {
    start_afresh();
    write_exercise(1, project_with("    std::vector<double> two(2);\n    two[W.size() + 2] = 1;\n"
                                   "    return {{two[0]}};"));
    const Ended vector = course_program({"grade", "01.1"});
    CHECK(contains(vector.out, "✗ 01.1 project: crashed\n"));
    CHECK(contains(vector.out, "an index is out of range: [] of a std::vector"));
    write_exercise(1, project_with("    return {{W(W.shape(0), 0) + X(0, 0)}};"));
    const Ended matrix = course_program({"grade", "01.1"});
    CHECK(contains(matrix.out, "an index is out of range: 2 along axis 0"));
    write_exercise(1,
                   project_with("    std::vector<double> none;\n    none.resize(X.size() / 1000);"
                                "\n    return {{none.back()}};"));
    CHECK(contains(course_program({"grade", "01.1"}).out, "was called on an empty container"));
}

PROGRAM_TEST_CASE("grade: a missing return is reported, also the second time") {
    start_afresh();
    write_exercise(1, project_with("    Matrix result = xt::zeros<double>({2, 2});\n"
                                   "    result(0, 0) = 1;"));
    const char* const advice = "The function that ends in line 10 can end without a return";
    const Ended first = course_program({"grade", "01.1"});
    CHECK(first.status == 1);
    CHECK(contains(first.out, advice));
    CHECK(course_program({"grade", "01.1"}).out == first.out);
    CHECK(course_program({"grade", "01.1", "--fresh"}).out == first.out); // not compiled again

    // Also if the code that then runs fails with a message of its own.
    write_exercise(1,
                   project_with("    if (X.shape(0) > 0) {\n        std::vector<double> two(2);\n"
                                "        two[W.size() + 2] = 1;\n    }"));
    const Ended other = course_program({"grade", "01.1"});
    CHECK(contains(other.out, "✗ 01.1 project: crashed\n"));
    CHECK(contains(other.out, "can end without a return"));
    CHECK(contains(other.out, "Or an index is out of"));
}
