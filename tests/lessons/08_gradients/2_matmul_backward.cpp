// 08.2 matmul_backward, matmul_transposed_backward

#include "exports.hpp"
#include "support/oracle_gradients.hpp"
#include "support/proof.hpp"

namespace of_matmul_backward {

using namespace proof;
using lesson::ProductGradients;

const auto of_product = [](const Matrix& A, const Matrix& B, const Matrix& d_C) {
    const auto [d_A, d_B] = oracle::matmul_backward(A, B, d_C);
    return ProductGradients{d_A, d_B};
};
const auto of_transposed = [](const Matrix& A, const Matrix& B, const Matrix& d_C) {
    const auto [d_A, d_B] = oracle::matmul_transposed_backward(A, B, d_C);
    return ProductGradients{d_A, d_B};
};

const auto matmul_backward =
    Domain(
        graded::matmul_backward, of_product,
        {{"A", Kind::array, "m x k"}, {"B", Kind::array, "k x n"}, {"d_C", Kind::array, "m x n"}},
        sums_in_double)
        .scaled({{"A", ""}, {"B", ""}, {"d_C", ""}, {"A", "d_C"}});
const auto matmul_transposed_backward =
    Domain(
        graded::matmul_transposed_backward, of_transposed,
        {{"A", Kind::array, "m x k"}, {"B", Kind::array, "n x k"}, {"d_C", Kind::array, "m x n"}},
        sums_in_double)
        .scaled({{"A", ""}, {"B", ""}, {"d_C", ""}, {"A", "d_C"}});

TEST_CASE("08.2 matmul_backward: a row of two times two rows of three, by hand") {
    // A(0, 0) is multiplied by row 0 of B: 1 · 1 + 10 · 0 + 100 · 2 = 201.
    expect_close(graded::matmul_backward({{1, 2}}, {{1, 0, 2}, {0, 1, 3}}, {{1, 10, 100}}),
                 ProductGradients{{{201, 310}}, {{1, 10, 100}, {2, 20, 200}}}, sums_in_double);
}

TEST_CASE("08.2 matmul_backward: agrees with PyTorch") {
    expect_close(graded::matmul_backward(golden("gradients/A"), golden("gradients/B"),
                                         golden("gradients/d_C")),
                 ProductGradients{golden("gradients/d_A"), golden("gradients/d_B")},
                 sums_in_double);
}

PROPERTIES("08.2 matmul_backward", matmul_backward)

TEST_CASE("08.2 matmul_transposed_backward: a row of two with two rows of two, by hand") {
    expect_close(graded::matmul_transposed_backward({{1, 2}}, {{1, 0}, {2, 3}}, {{1, 10}}),
                 ProductGradients{{{21, 30}}, {{1, 2}, {10, 20}}}, sums_in_double);
}

TEST_CASE("08.2 matmul_transposed_backward: agrees with PyTorch") {
    expect_close(graded::matmul_transposed_backward(
                     golden("gradients/A"), golden("gradients/B_rows"), golden("gradients/d_C")),
                 ProductGradients{golden("gradients/d_A"), golden("gradients/d_B_rows")},
                 sums_in_double);
}

PROPERTIES("08.2 matmul_transposed_backward", matmul_transposed_backward)

} // namespace of_matmul_backward
