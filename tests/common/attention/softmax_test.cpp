#include "attention/softmax.hpp"

#include "attention/random.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"
#include "support/special_values.hpp"

#include <cmath>
#include <limits>

using namespace attention;
using support::check_close;
using support::check_within;
using support::golden;
using support::golden_f;
using support::golden_vector;
using support::inf;
using support::inf_f;
using support::NaN;

namespace {

// Rounding s − m by ε/2 of itself moves exp(s − m) by as much times |s − m|; exp, the sum of n
// terms and the quotient add n + 4 roundings. Below the normal range an ulp is the smallest
// subnormal.
template <class T>
Matrix softmax_error_bound(const xt::xtensor<T, 2>& scores, const Matrix& weights) {
    const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    const double tiny = static_cast<double>(std::numeric_limits<T>::denorm_min());
    Matrix bound = Matrix::from_shape(scores.shape());
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double n = static_cast<double>(scores.shape(1));
        const double maximum =
            static_cast<double>(xt::amax(xt::row(scores, static_cast<int>(i)))());
        double mean_depth = 0; // the other terms' errors in the sum
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            mean_depth += weights(i, j) == 0 ? 0 : weights(i, j) * (maximum - scores(i, j));
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            const double depth = weights(i, j) == 0 ? 0 : maximum - scores(i, j);
            bound(i, j) = (depth + mean_depth + n + 4) * epsilon * weights(i, j) + 2 * tiny;
        }
    }
    return bound;
}

template <class T>
void check_rows(const xt::xtensor<T, 2>& scores) {
    const Matrix expected = oracle::softmax_rows(scores);
    check_within(softmax_rows(scores), expected, softmax_error_bound(scores, expected));
}

} // namespace

TEST_CASE("softmax: equal scores share, and a score ln 2 above weighs twice as much") {
    check_close(softmax(Vector{7, 7, 7, 7}), Vector{0.25, 0.25, 0.25, 0.25}, {0, 0});
    check_close(softmax(Vector{std::log(2.0), 0, 0}), Vector{0.5, 0.25, 0.25}, {1e-15, 0});
}

TEST_CASE("softmax: one score weighs 1, none weighs nothing") {
    check_close(softmax(Vector{-1e308}), Vector{1.0}, {0, 0});
    CHECK(shape_text(softmax(Vector::from_shape({0}))) == "(0,)");
    CHECK(shape_text(softmax_rows(Matrix::from_shape({3, 0}))) == "(3, 0)");
    CHECK(shape_text(softmax_rows(Matrix::from_shape({0, 3}))) == "(0, 3)");
}

TEST_CASE("softmax: is what softmax_rows does to a row") {
    const Matrix scores = standard_normal(5, 13, 1);
    const Matrix weights = softmax_rows(scores);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const Vector row = xt::view(scores, i, xt::all());
        const Vector expected = xt::view(weights, i, xt::all());
        check_close(softmax(row), expected, {0, 0});
    }
}

TEST_CASE("softmax_rows: awkward sizes stay within the rounding bound") {
    for (const std::size_t n_queries : {1U, 2U, 7U}) {
        for (const std::size_t n_keys : {1U, 3U, 31U, 64U, 1009U}) {
            INFO("n_queries ", n_queries, ", n_keys ", n_keys);
            const Matrix scores = 5 * standard_normal(n_queries, n_keys, 2);
            check_rows(scores);
            check_rows<float>(xt::cast<float>(scores));
        }
    }
}

TEST_CASE("softmax_rows: agrees with PyTorch") {
    check_close(softmax_rows(golden("softmax/scores")), golden("softmax/rows"), {1e-14, 0});
    check_close(softmax_rows(golden_f("softmax/scores_float")), golden_f("softmax/rows_float"),
                {2e-6, 0});
}

TEST_CASE("softmax_rows: rows of 1e4 and of -1e4 stay finite") {
    const Matrix scores{{1e4, 1e4 - 1, 1e4 - 2}, {-1e4, -1e4 - 1, -1e4 - 2}};
    const Matrix near_zero{{0, -1, -2}, {0, -1, -2}};
    check_close(softmax_rows(scores), oracle::softmax_rows(near_zero), {1e-15, 0});
    check_rows(scores);
    check_rows<float>(xt::cast<float>(scores));
}

TEST_CASE("softmax_rows: the largest finite numbers of both signs in one row stay finite") {
    check_close(softmax_rows(Matrix{{1e308, -1e308, 0, 1e308}, {-1e308, -1e308, -1e308, -1e308}}),
                Matrix{{0.5, 0, 0, 0.5}, {0.25, 0.25, 0.25, 0.25}}, {0, 0});
    const double most = std::numeric_limits<double>::max();
    check_close(softmax_rows(Matrix{{most, -most, most}}), Matrix{{0.5, 0, 0.5}}, {0, 0});
    const float most_f = std::numeric_limits<float>::max();
    check_close(softmax_rows(MatrixF{{most_f, -most_f, most_f}}), MatrixF{{0.5F, 0, 0.5F}}, {0, 0});
}

TEST_CASE("softmax_rows: minus infinity beside a finite score weighs exactly 0") {
    check_close(softmax_rows(Matrix{{3, -inf, 3}, {-inf, -1e308, -inf}}),
                Matrix{{0.5, 0, 0.5}, {0, 1, 0}}, {0, 0});
    check_close(softmax_rows(MatrixF{{3, -inf_f, 3}}), MatrixF{{0.5F, 0, 0.5F}}, {0, 0});
}

TEST_CASE("softmax_rows: NaN, plus infinity or nothing but minus infinity fills its row with NaN") {
    const Matrix scores{{NaN, 1, 2},    {1, 2, NaN},        {1, NaN, inf},
                        {inf, 1, 2},    {inf, inf, 1},      {inf, -inf, 1},
                        {-inf, NaN, 1}, {-inf, -inf, -inf}, {5, 5, 5}};
    Matrix expected = Matrix::from_shape({9, 3});
    expected.fill(NaN);
    xt::view(expected, 8, xt::all()) = 1.0 / 3.0;
    check_close(softmax_rows(scores), expected, {1e-15, 0});
    check_close(softmax_rows(MatrixF(xt::cast<float>(scores))), expected, {1e-7, 0});
    check_close(softmax(Vector{-inf, -inf}), Vector{NaN, NaN}, {0, 0});
}

TEST_CASE("softmax_jacobian: agrees with the plain loops at awkward sizes") {
    for (const std::size_t n : {0U, 1U, 2U, 7U, 31U}) {
        CAPTURE(n);
        const Vector p = softmax(Vector(3 * standard_normal(n, 3)));
        check_close(softmax_jacobian(p), oracle::softmax_jacobian(p), {1e-15, 0});
    }
}

TEST_CASE("softmax_jacobian: is the derivative that PyTorch finds") {
    check_close(softmax_jacobian(softmax(golden_vector("softmax/vector_scores"))),
                golden("softmax/jacobian"), {1e-13, 1e-17});
}

TEST_CASE("softmax_jacobian: a nearly saturated weight keeps its digits") {
    const double rest = 0x1p-50; // p − p² would be wrong in its third digit
    check_close(softmax_jacobian(Vector{1 - rest, rest}), Matrix{{rest, -rest}, {-rest, rest}},
                {1e-14, 0});
}
