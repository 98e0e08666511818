#pragma once

// What the misconceptions of 07.5 are made of: right in everything but the one thing that is handed
// in.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "exports.hpp"

namespace wrong_comparison {

using lesson::Comparison;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Divergence = std::function<double(const Vector& a, const Vector& b)>;

inline Vector row(const Matrix& X, std::size_t i) {
    return xt::view(X, i, xt::all());
}

inline std::size_t argmax(const Vector& weights) {
    return static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) -
                                    weights.begin());
}

inline std::size_t last_argmax(const Vector& weights) {
    return weights.size() - 1 -
           static_cast<std::size_t>(std::max_element(weights.rbegin(), weights.rend()) -
                                    weights.rbegin());
}

inline bool any_gold(const Mask& gold, std::size_t i) {
    bool any = false;
    for (std::size_t j = 0; j < gold.shape(1); ++j) {
        any = any || gold(i, j);
    }
    return any;
}

/// Σ a ln(a / b).
inline double kullback_leibler(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        sum += a(j) > 0 ? a(j) * std::log(a(j) / b(j)) : 0;
    }
    return sum;
}

inline double jensen_shannon(const Vector& a, const Vector& b) {
    const Vector middle = (a + b) / 2;
    return (kullback_leibler(a, middle) + kullback_leibler(b, middle)) / 2;
}

inline double over_rows(const Matrix& A, const Matrix& B, const Divergence& divergence) {
    double sum = 0;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        sum += divergence(row(A, i), row(B, i));
    }
    return sum;
}

inline double n_rows(const Matrix& A) {
    return static_cast<double>(A.shape(0));
}

using Argmax = std::function<std::size_t(const Vector&)>;

inline double agreement(const Matrix& A, const Matrix& B, const Argmax& largest = argmax) {
    return over_rows(
               A, B,
               [&](const Vector& a, const Vector& b) { return largest(a) == largest(b) ? 1 : 0; }) /
           n_rows(A);
}

struct Right {
    double aligned = 0, right = 0; // rows with a gold key, and those that look at one
};

inline Right count_right(const Matrix& A, const Mask& gold, const Argmax& largest = argmax) {
    Right counts;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        counts.aligned += any_gold(gold, i) ? 1 : 0;
        counts.right += gold(i, largest(row(A, i))) ? 1 : 0;
    }
    return counts;
}

inline double accuracy(const Matrix& A, const Mask& gold, const Argmax& largest = argmax) {
    const Right counts = count_right(A, gold, largest);
    return counts.aligned > 0 ? counts.right / counts.aligned : not_a_number;
}

inline Comparison right_comparison(const Matrix& A, const Matrix& B, const Mask& gold) {
    return {agreement(A, B), over_rows(A, B, jensen_shannon) / n_rows(A), accuracy(A, gold)};
}

/// Everything right, and then one number changed. Checks first, as the stub does.
using Change =
    std::function<void(Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold)>;
inline auto but(Change change) {
    return [=](const Matrix& A, const Matrix& B, const Mask& gold) -> Comparison {
        for (const std::size_t axis : {0U, 1U}) {
            lesson::require_equal("a misconception", "its sizes", "A", A, axis, "B", B, axis);
            lesson::require_equal("a misconception", "its sizes", "A", A, axis, "gold", gold, axis);
        }
        Comparison result = right_comparison(A, B, gold);
        change(result, A, B, gold);
        return result;
    };
}

inline auto but_divergence(Divergence divergence) {
    return but([=](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
        result.js_divergence = over_rows(A, B, divergence) / n_rows(A);
    });
}

inline auto but_accuracy(std::function<double(const Matrix& A, const Mask& gold)> share) {
    return but([=](Comparison& result, const Matrix& A, const Matrix&, const Mask& gold) {
        result.alignment_accuracy = share(A, gold);
    });
}

} // namespace wrong_comparison
