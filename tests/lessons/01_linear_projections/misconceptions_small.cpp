// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// small numbers are taken for a mistake and put right.

#include <cmath>

#include "exports.hpp"
#include "support/oracle.hpp"

namespace misconceptions_small {

using lesson::Matrix;
using lesson::QKV;

namespace {

using M = const Matrix&;

Matrix checked_product(M X, M W) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(X) + " and " + lesson::shape_text(W));
    }
    return oracle::matmul(X, W);
}

/// Numbers below that bound are 0.
Matrix without_small(Matrix A) {
    for (double& number : A) {
        number = std::abs(number) < 1e-10 ? 0 : number;
    }
    return A;
}

constexpr const char* says_small_inputs =
    "small components of X are taken for rounding errors and left out. They are numbers like any "
    "other: where all of X is small, or a weight is large, they count.";

constexpr const char* says_small_weights =
    "small elements of a weight are taken for rounding errors and left out. They are numbers like "
    "any other: where all of them are small, or X is large, they count.";

constexpr const char* says_small_results =
    "small results are taken for rounding errors and set to 0. They are numbers like any other: "
    "where X or W is small, all of the result is.";

// ---- 01.1 project

MISCONCEPTION(project, small_inputs_dropped, says_small_inputs,
              [](M X, M W) { return checked_product(without_small(X), W); });
MISCONCEPTION(project, small_weights_dropped, says_small_weights,
              [](M X, M W) { return checked_product(X, without_small(W)); });
MISCONCEPTION(project, small_results_dropped, says_small_results,
              [](M X, M W) { return without_small(checked_product(X, W)); });
// ---- 01.2 compute_qkv

/// What is done to X and to each weight, and then to each product.
template <class Input, class Weight, class Result>
auto in_all_three(Input input, Weight weight, Result result) {
    return [=](M X, M W_q, M W_k, M W_v) -> QKV {
        const auto one = [&](M W) -> Matrix {
            return result(checked_product(input(X), weight(W)));
        };
        return {one(W_q), one(W_k), one(W_v)};
    };
}

const auto as_it_is = [](M A) -> Matrix { return A; };

MISCONCEPTION(compute_qkv, small_inputs_dropped_in_three, says_small_inputs,
              in_all_three(without_small, as_it_is, as_it_is));
MISCONCEPTION(compute_qkv, small_weights_dropped_in_three, says_small_weights,
              in_all_three(as_it_is, without_small, as_it_is));
MISCONCEPTION(compute_qkv, small_results_dropped_in_three,
              "small elements of Q, K and V are taken for rounding errors and set to 0. They are "
              "numbers like any other: where X or a weight is small, all of them are.",
              in_all_three(as_it_is, as_it_is, without_small));
} // namespace

} // namespace misconceptions_small
