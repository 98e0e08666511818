// 08.2: the products' way back.

#include <doctest/doctest.h>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/misfits.hpp"

using drawn::standard_normal;
using judge::expect_close;
using judge::sizes;
using lesson::Matrix;
using lesson::ProductGradients;

namespace {

// m, k, n
constexpr std::size_t awkward_sizes[][3] = {
    {1, 1, 1},   {1, 5, 3},   {5, 1, 7},   {3, 7, 1},     {2, 1, 1},   {1, 1, 5},    {11, 13, 7},
    {267, 2, 3}, {2, 271, 3}, {3, 2, 267}, {131, 137, 2}, {401, 1, 2}, {1, 5000, 2}, {2, 1, 5000}};

void expect_product(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    expect_close(graded::matmul_backward(A, B, d_C), plain::matmul_backward(A, B, d_C),
                 judge::normwise);
}

void expect_transposed(const Matrix& A, const Matrix& B, const Matrix& d_C) {
    expect_close(graded::matmul_transposed_backward(A, B, d_C),
                 plain::matmul_transposed_backward(A, B, d_C), judge::normwise);
}

void expect_product(std::size_t m, std::size_t k, std::size_t n, std::uint64_t seed = 1) {
    expect_product(standard_normal(m, k, seed), standard_normal(k, n, seed + 1),
                   standard_normal(m, n, seed + 2));
}

void expect_transposed(std::size_t m, std::size_t k, std::size_t n, std::uint64_t seed = 1) {
    expect_transposed(standard_normal(m, k, seed), standard_normal(n, k, seed + 1),
                      standard_normal(m, n, seed + 2));
}

/// The gradients of Σ C ∘ d_C by small steps, where product(A, B) makes C.
template <class Product>
ProductGradients measured(const Matrix& A, const Matrix& B, const Matrix& d_C, Product product) {
    const auto by_steps = [&](const Matrix& X, auto loss) {
        Matrix result = X;
        for (std::size_t at = 0; at < X.size(); ++at) {
            Matrix above = X, below = X;
            above.data()[at] += 0.5; // the loss is linear in each factor: any step will do
            below.data()[at] -= 0.5;
            result.data()[at] = loss(above) - loss(below);
        }
        return result;
    };
    return {by_steps(A, [&](const Matrix& X) { return xt::sum(product(X, B) * d_C)(); }),
            by_steps(B, [&](const Matrix& X) { return xt::sum(product(A, X) * d_C)(); })};
}

} // namespace

TEST_CASE("08.2 matmul_backward: a row of two times a matrix of two by three, by hand") {
    expect_close(graded::matmul_backward({{1, 2}}, {{1, 0, 2}, {0, 1, 3}}, {{1, 10, 100}}),
                 ProductGradients{{{201, 310}}, {{1, 10, 100}, {2, 20, 200}}}, judge::normwise);
}

TEST_CASE("08.2 matmul_backward: squares, on which every product exists and only one is right") {
    expect_product(3, 3, 3, 11);
    expect_product(2, 2, 2, 15);
}

TEST_CASE("08.2 matmul_backward: one factor a square, and the other not") {
    expect_product(3, 3, 4, 17);
    expect_product(4, 3, 3, 18);
}

TEST_CASE("08.2 matmul_backward: sizes beyond 16") {
    expect_product(19, 21, 23, 19);
}

TEST_CASE("08.2 matmul_backward: four by two times two by three, sizes all different") {
    expect_product(4, 2, 3, 21);
    expect_product(2, 5, 3, 25);
}

TEST_CASE("08.2 matmul_backward: of a d_C that is 1 at one place, a row of A and a row of B") {
    Matrix d_C = xt::zeros<double>({3, 4});
    d_C(2, 1) = 1;
    expect_product(standard_normal(3, 2, 31), standard_normal(2, 4, 32), d_C);
}

TEST_CASE("08.2 matmul_backward: no gradient comes in, and none goes out") {
    expect_product(standard_normal(3, 2, 33), standard_normal(2, 4, 34),
                   Matrix(xt::zeros<double>({3, 4})));
}

TEST_CASE("08.2 matmul_backward: is what a step in each element does to the loss") {
    const Matrix A = standard_normal(2, 3, 41), B = standard_normal(3, 4, 42),
                 d_C = standard_normal(2, 4, 43);
    expect_close(graded::matmul_backward(A, B, d_C), measured(A, B, d_C, oracle::matmul<double>),
                 judge::normwise);
}

TEST_CASE("08.2 matmul_backward: numbers far larger and far smaller than 1") {
    const Matrix A = standard_normal(2, 3, 51), B = standard_normal(3, 4, 52),
                 d_C = standard_normal(2, 4, 53);
    expect_product(1e150 * A, 1e-150 * B, d_C);
    expect_product(A, 1000 * B, 1e-200 * d_C);
}

TEST_CASE("08.2 matmul_backward: awkward sizes agree with plain loops in long double") {
    for (const auto& size : awkward_sizes) {
        expect_product(size[0], size[1], size[2], size[1]);
    }
}

TEST_CASE("08.2 matmul_backward: is what PyTorch finds") {
    expect_close(
        graded::matmul_backward(support::golden("gradients/A"), support::golden("gradients/B"),
                                support::golden("gradients/d_C")),
        ProductGradients{support::golden("gradients/d_A"), support::golden("gradients/d_B")},
        judge::normwise);
}

TEST_CASE("08.2 matmul_backward: shapes that do not fit are refused") {
    const Matrix A = standard_normal(2, 3, 1), B = standard_normal(3, 4, 2),
                 d_C = standard_normal(2, 4, 3);
    const Matrix tall = standard_normal(5, 4, 4), wide = standard_normal(2, 5, 5);
    judge::expect_invalid_argument(graded::matmul_backward.attempt(A, tall, d_C),
                                   {sizes(A), sizes(tall)});
    // The other may be a factor, or their product.
    support::expect_misfit(graded::matmul_backward.attempt(A, B, tall), sizes(tall),
                           {sizes(A), sizes(d_C)});
    support::expect_misfit(graded::matmul_backward.attempt(A, B, wide), sizes(wide),
                           {sizes(B), sizes(d_C)});
}

TEST_CASE("08.2 matmul_backward: one matrix on both sides has two gradients all the same") {
    const Matrix A = standard_normal(3, 3, 41);
    expect_product(A, A, standard_normal(3, 3, 42));
}

TEST_CASE("08.2 matmul_transposed_backward: one matrix on both sides has two gradients all the "
          "same") {
    const Matrix A = standard_normal(3, 5, 43);
    expect_transposed(A, A, standard_normal(3, 3, 44));
}

TEST_CASE("08.2 matmul_transposed_backward: a row of two with two rows of two, by hand") {
    expect_close(graded::matmul_transposed_backward({{1, 2}}, {{1, 0}, {2, 3}}, {{1, 10}}),
                 ProductGradients{{{21, 30}}, {{1, 2}, {10, 20}}}, judge::normwise);
}

TEST_CASE("08.2 matmul_transposed_backward: squares, on which only one product is right") {
    expect_transposed(3, 3, 3, 61);
    expect_transposed(2, 2, 2, 65);
}

TEST_CASE("08.2 matmul_transposed_backward: one factor a square, and the other not") {
    expect_transposed(3, 3, 4, 67);
    expect_transposed(4, 3, 3, 68);
}

TEST_CASE("08.2 matmul_transposed_backward: sizes beyond 16") {
    expect_transposed(19, 21, 23, 69);
}

TEST_CASE("08.2 matmul_transposed_backward: four by two with three by two") {
    expect_transposed(4, 2, 3, 71);
    expect_transposed(2, 5, 3, 75);
}

TEST_CASE("08.2 matmul_transposed_backward: of a d_C that is 1 at one place, two rows") {
    Matrix d_C = xt::zeros<double>({3, 4});
    d_C(2, 1) = 1;
    expect_transposed(standard_normal(3, 2, 81), standard_normal(4, 2, 82), d_C);
}

TEST_CASE("08.2 matmul_transposed_backward: is what a step in each element does to the loss") {
    const Matrix A = standard_normal(2, 3, 91), B = standard_normal(4, 3, 92),
                 d_C = standard_normal(2, 4, 93);
    expect_close(graded::matmul_transposed_backward(A, B, d_C),
                 measured(A, B, d_C, oracle::matmul_transposed<double>), judge::normwise);
}

TEST_CASE("08.2 matmul_transposed_backward: numbers far larger and far smaller than 1") {
    const Matrix A = standard_normal(2, 3, 51), B = standard_normal(4, 3, 52),
                 d_C = standard_normal(2, 4, 53);
    expect_transposed(1e150 * A, 1e-150 * B, d_C);
    expect_transposed(A, 1000 * B, 1e-200 * d_C);
}

TEST_CASE("08.2 matmul_transposed_backward: awkward sizes agree with plain loops in long double") {
    for (const auto& size : awkward_sizes) {
        expect_transposed(size[0], size[1], size[2], size[1]);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: is what PyTorch finds") {
    expect_close(
        graded::matmul_transposed_backward(support::golden("gradients/A"),
                                           support::golden("gradients/B_rows"),
                                           support::golden("gradients/d_C")),
        ProductGradients{support::golden("gradients/d_A"), support::golden("gradients/d_B_rows")},
        judge::normwise);
}

TEST_CASE("08.2 matmul_transposed_backward: shapes that do not fit are refused") {
    const Matrix A = standard_normal(2, 3, 1), B = standard_normal(4, 3, 2),
                 d_C = standard_normal(2, 4, 3);
    const Matrix other = standard_normal(4, 5, 4), wide = standard_normal(2, 5, 5);
    judge::expect_invalid_argument(graded::matmul_transposed_backward.attempt(A, other, d_C),
                                   {sizes(A), sizes(other)});
    support::expect_misfit(graded::matmul_transposed_backward.attempt(A, B, other), sizes(other),
                           {sizes(A), sizes(B), sizes(d_C)});
    support::expect_misfit(graded::matmul_transposed_backward.attempt(A, B, wide), sizes(wide),
                           {sizes(B), sizes(d_C)});
}
