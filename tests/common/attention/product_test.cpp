#include "attention/product.hpp"

#include "attention/random.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/oracle.hpp"
#include "support/special_values.hpp"

#include <limits>

using namespace attention;
using support::check_close;
using support::check_within;
using support::inf;
using support::NaN;

namespace {

// A sum of k products, in any order, with rounding unit ε/2: |error| ≤ k ε Σ |a b| for k ε < 1
// (Higham 2002, §3.1; the factor 2 left over covers the rounding of the oracle's own result).
template <class T>
Matrix error_bound(std::size_t k, const Matrix& sum_of_magnitudes) {
    return static_cast<double>(k) * static_cast<double>(std::numeric_limits<T>::epsilon()) *
           sum_of_magnitudes;
}

template <class M>
void check_products(const M& A, const M& B) {
    using T = typename M::value_type;
    const std::size_t k = A.shape(1);
    const M B_transposed = xt::transpose(B);
    const M A_size = xt::abs(A);
    const M B_size = xt::abs(B);
    const Matrix bound = error_bound<T>(k, oracle::matmul(A_size, B_size));
    check_within(matmul(A, B), oracle::matmul(A, B), bound);
    check_within(matmul_transposed(A, B_transposed), oracle::matmul_transposed(A, B_transposed),
                 bound);
}

} // namespace

TEST_CASE("matmul, matmul_transposed: awkward sizes stay within the rounding bound") {
    struct Sizes {
        std::size_t m, k, n;
    };
    // 1, primes, tile edges and their neighbours, one long sum; all three different wherever
    // possible
    const Sizes awkward[] = {{1, 1, 1},      {1, 2, 3},    {3, 1, 2},    {2, 3, 1},
                             {5, 7, 11},     {13, 17, 19}, {31, 32, 33}, {64, 63, 65},
                             {101, 103, 97}, {2, 4099, 3}};
    for (const Sizes& sizes : awkward) {
        INFO("m ", sizes.m, ", k ", sizes.k, ", n ", sizes.n);
        const Matrix A = standard_normal(sizes.m, sizes.k, 1);
        const Matrix B = standard_normal(sizes.k, sizes.n, 2);
        check_products(A, B);
        check_products<MatrixF>(xt::cast<float>(A), xt::cast<float>(B));
    }
}

TEST_CASE("matmul_transposed: one array as both operands gives all pairs of its rows") {
    const Matrix X = standard_normal(6, 4, 3);
    check_close(matmul_transposed(X, X), oracle::matmul_transposed(X, X), {1e-14, 1e-14});
    const Matrix first_rows = xt::view(X, xt::range(0, 2), xt::all());
    check_close(matmul_transposed(first_rows, X), oracle::matmul_transposed(first_rows, X),
                {1e-14, 1e-14});
    const MatrixF F = xt::cast<float>(X);
    check_close(matmul_transposed(F, F), oracle::matmul_transposed(F, F), {1e-5, 1e-6});
}

TEST_CASE("matmul, matmul_transposed: empty dimensions give empty products, and k = 0 zeros") {
    const auto zeros = [](std::size_t rows, std::size_t columns) -> Matrix {
        return xt::zeros<double>({rows, columns});
    };
    for (int i = 0; i < 3; ++i) { // freed memory that is not 0, so that unset results are wrong
        Matrix::from_shape({37, 41}).fill(7);
    }
    check_close(matmul(zeros(37, 0), zeros(0, 41)), zeros(37, 41), {0, 0});
    check_close(matmul(zeros(2, 0), zeros(0, 3)), zeros(2, 3), {0, 0});
    check_close(matmul(zeros(0, 2), zeros(2, 3)), zeros(0, 3), {0, 0});
    check_close(matmul(zeros(3, 2), zeros(2, 0)), zeros(3, 0), {0, 0});
    check_close(matmul(zeros(0, 0), zeros(0, 0)), zeros(0, 0), {0, 0});
    check_close(matmul_transposed(zeros(2, 0), zeros(3, 0)), zeros(2, 3), {0, 0});
    check_close(matmul_transposed(zeros(0, 2), zeros(3, 2)), zeros(0, 3), {0, 0});
    check_close(matmul_transposed(zeros(3, 2), zeros(0, 2)), zeros(3, 0), {0, 0});
    check_close(matmul(MatrixF::from_shape({2, 0}), MatrixF::from_shape({0, 3})), zeros(2, 3),
                {0, 0});
}

TEST_CASE("matmul: NaN and infinity reach every sum they belong to, and no other") {
    const Matrix A{{1, NaN}, {1, 2}, {inf, 1}};
    const Matrix B{{1, 0, 2}, {1, 1, 1}};
    check_close(matmul(A, B), Matrix{{NaN, NaN, NaN}, {3, 2, 4}, {inf, NaN, inf}}, {0, 0});
}

TEST_CASE("matmul, matmul_transposed: different k is an invalid_argument that shows both shapes") {
    const Matrix A = Matrix::from_shape({2, 3});
    const Matrix B = Matrix::from_shape({4, 5});
    CHECK_REFUSED(matmul(A, B),
                  "matmul: A and B must share k, got 3 and 4; A is (2, 3), B is (4, 5)");
    CHECK_REFUSED(matmul_transposed(A, Matrix::from_shape({5, 4})),
                  "matmul_transposed: A and B must share k, got 3 and 4; A is (2, 3), B is (5, 4)");
}
