#include "common/refused.hpp"
#include "common/show/screens.hpp"
#include "show/matrix.hpp"
#include "support/special_values.hpp"

#include <doctest/doctest.h>

using attention::Matrix;
using attention::Vector;
using show::Grid;
using show::MatrixOptions;
using support::inf;
using support::NaN;

namespace {

std::string matrix(const Grid& values, const MatrixOptions& options,
                   const show::Terminal& terminal) {
    return drawn([&](auto& out) { show::matrix(out, values, options, terminal); });
}

/// 1, 2, 3, … row by row.
Matrix counted(std::size_t rows, std::size_t columns) {
    Matrix values({rows, columns});
    double next = 0;
    for (double& value : values) {
        value = ++next;
    }
    return values;
}

const MatrixOptions labelled{
    .title = "scores", .row_labels = {"q1", "été"}, .column_labels = {"k1", "a", "long one"}};

} // namespace

TEST_CASE("matrix: title, shape, labels and aligned points, in ASCII") {
    CHECK(matrix({{1, 0, 0.5}, {-12.25, 1, 100}}, labelled, ascii) ==
          "scores (2, 3)\n"
          "         k1    a  long one\n"
          " q1 [   1.0  0.0       0.5 ]\n"
          "été [ -12.2  1.0     100.0 ]\n");
}

TEST_CASE("matrix: tall brackets with unicode") {
    CHECK(matrix({{1, 0}, {0, 1}, {0.5, 0.5}}, {.title = "V"}, unicode) == "V (3, 2)\n"
                                                                           "⎡ 1.0  0.0 ⎤\n"
                                                                           "⎢ 0.0  1.0 ⎥\n"
                                                                           "⎣ 0.5  0.5 ⎦\n");
}

TEST_CASE("matrix: NaN and infinities have names and keep the points aligned") {
    CHECK(matrix({{1.5, -inf, NaN}, {-0.00001, inf, 2}}, {}, ascii) == "(2, 3)\n"
                                                                       "[ 1.500  -inf    nan ]\n"
                                                                       "[ 0.000   inf  2.000 ]\n");
    CHECK(matrix({{0, -inf}, {0, inf}}, {}, unicode) == "(2, 2)\n"
                                                        "⎡ 0  -∞ ⎤\n"
                                                        "⎣ 0   ∞ ⎦\n");
}

TEST_CASE("matrix: exponents of different lengths keep the points aligned") {
    CHECK(matrix({{1.5e12, -inf}, {2.25, 1e-300}, {0, 1}}, {}, ascii) ==
          "(3, 2)\n"
          "[ 1.50e12       -inf ]\n"
          "[ 2.25e0   1.00e-300 ]\n"
          "[ 0        1.00e0    ]\n");
}

TEST_CASE("matrix: many rows are cut to the first six and last two") {
    CHECK(matrix(counted(20, 1), {}, ascii) == "(20, 1)\n[  1 ]\n[  2 ]\n[  3 ]\n[  4 ]\n[  5 ]\n"
                                               "[  6 ]\n[  : ]\n[ 19 ]\n[ 20 ]\n");
    CHECK(count_of(matrix(counted(12, 1), {}, ascii), "\n") == 13);
}

TEST_CASE("matrix: columns that do not fit are cut to the first six and last two, or fewer") {
    CHECK(matrix(counted(1, 40), {}, of_width(unicode, 40)) ==
          "(1, 40)\n[ 1  2  3  4  5  6  …  39  40 ]\n");
    CHECK(matrix(counted(1, 40), {}, of_width(ascii, 20)) == "(1, 40)\n[ 1  2  3  ...  40 ]\n");
    CHECK(matrix(counted(1, 40), {}, of_width(ascii, 200)).find("...") == std::string::npos);
}

TEST_CASE("matrix: an empty matrix shows its shape") {
    CHECK(matrix(Matrix::from_shape({0, 3}), {.title = "K"}, unicode) == "K (0, 3)\n[ ]\n");
    CHECK(matrix(Matrix::from_shape({2, 0}), {}, ascii) == "(2, 0)\n[ ]\n");
    CHECK(matrix(Vector::from_shape({0}), {}, ascii) == "(0,)\n[ ]\n");
}

TEST_CASE("matrix: floats, masks and lazy expressions are drawn too") {
    CHECK(matrix(attention::MatrixF{{0.5F, 1}}, {}, ascii) == "(1, 2)\n[ 0.5  1.0 ]\n");
    CHECK(matrix(xt::xarray<bool>{{true, false}}, {}, ascii) == "(1, 2)\n[ 1  0 ]\n");
    CHECK(matrix(xt::view(Matrix{{1, 2}, {3, 4}}, 1), {}, ascii) == "(2,)\n[ 3  4 ]\n");
    CHECK(matrix(Matrix{{1, 2}} * 2.0, {}, ascii) == "(1, 2)\n[ 2  4 ]\n");
}

TEST_CASE("matrix: other ranks are refused") {
    CHECK_REFUSED(matrix(xt::xarray<double>(xt::ones<double>({2, 3, 4})), {}, ascii),
                  "show: a matrix must have one or two dimensions, got shape (2, 3, 4)");
}

TEST_CASE("matrix: labels must match the shape") {
    const Matrix values{{1, 2}, {3, 4}, {5, 6}};
    CHECK_REFUSED(matrix(values, {.row_labels = {"q1", "q2"}}, ascii),
                  "matrix: row_labels must name every row, got 2 labels for 3 rows");
    CHECK_REFUSED(matrix(values, {.column_labels = {"k1"}}, ascii),
                  "matrix: column_labels must name every column, got 1 label for 2 columns");
}
