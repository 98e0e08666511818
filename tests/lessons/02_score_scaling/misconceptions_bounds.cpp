// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// small numbers, or large ones, are taken for a mistake and put right.

#include <algorithm>
#include <cmath>

#include "wrong.hpp"

namespace misconceptions_bounds {

using namespace wrong;

namespace {

using M = const Matrix&;

/// Numbers below that bound are 0.
Matrix without_small(Matrix A) {
    for (double& number : A) {
        number = std::abs(number) < 1e-10 ? 0 : number;
    }
    return A;
}

Matrix clamped(Matrix A, double bound) {
    for (double& number : A) {
        number = std::clamp(number, -bound, bound);
    }
    return A;
}

void require_components(M Q, M K) {
    if (Q.shape(1) == 0) {
        refuse(Q, K);
    }
}

/// A wrong argument, or a wrong answer made of the right one, in 02.1 and in 02.2.
template <class Change>
auto raw_then(Change change) {
    return checked([change](M Q, M K) -> Matrix { return change(oracle::raw_scores(Q, K)); });
}
template <class Change>
auto scaled_then(Change change) {
    return checked([change](M Q, M K) -> Matrix {
        require_components(Q, K);
        return change(oracle::scaled_scores(Q, K));
    });
}

constexpr const char* says_small_scores =
    "small scores are taken for rounding errors and set to 0. They are numbers like any other: "
    "where queries or keys are short, all scores are small.";
constexpr const char* says_small_components =
    "small components are taken for rounding errors and left out. They are numbers like any other: "
    "where all components of a vector are small, or those that they meet are large, they count.";
constexpr const char* says_clamped =
    "scores beyond a bound, such as 50 or 700, are set to that bound. What a large score does to "
    "exp is the business of softmax, in lesson 03; a score is a dot product, as large as it comes.";
Matrix dropped(M scores) {
    return without_small(scores);
}

MISCONCEPTION(raw_scores, small_scores_dropped, says_small_scores, raw_then(dropped));
MISCONCEPTION(scaled_scores, small_scores_dropped_when_scaled, says_small_scores,
              scaled_then(dropped));

MISCONCEPTION(raw_scores, small_components_dropped, says_small_components, checked([](M Q, M K) {
                  return oracle::raw_scores(without_small(Q), without_small(K));
              }));
MISCONCEPTION(scaled_scores, small_components_dropped_when_scaled, says_small_components,
              checked([](M Q, M K) {
                  require_components(Q, K);
                  return oracle::scaled_scores(without_small(Q), without_small(K));
              }));

#define CLAMPED(bound)                                                                             \
    MISCONCEPTION(raw_scores, clamped_at_##bound, says_clamped,                                    \
                  raw_then([](M scores) { return clamped(scores, bound); }));                      \
    MISCONCEPTION(scaled_scores, clamped_at_##bound##_when_scaled, says_clamped,                   \
                  scaled_then([](M scores) { return clamped(scores, bound); }))

CLAMPED(20);
CLAMPED(50);
CLAMPED(80);
CLAMPED(88);
CLAMPED(100);
CLAMPED(500);
CLAMPED(700);
CLAMPED(709);
CLAMPED(1000);

} // namespace

} // namespace misconceptions_bounds
