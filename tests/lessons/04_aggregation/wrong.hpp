#pragma once

// What the wrong versions of lesson 04 are put together from, right and wrong pieces alike.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "aggregation.hpp"
#include "attention/shapes.hpp"
#include "support/oracle.hpp"

namespace wrong {

using lesson::Matrix;

inline Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

inline double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

inline Matrix softmax(const Matrix& scores) {
    return oracle::softmax_rows(scores);
}

inline Matrix matmul(const Matrix& A, const Matrix& B) {
    return oracle::matmul(A, B);
}

inline Matrix softmax_of_columns(const Matrix& scores) {
    return transposed(softmax(transposed(scores)));
}

inline Matrix softmax_of_everything(const Matrix& scores) {
    const Matrix terms = xt::exp(scores - xt::amax(scores)());
    return terms / xt::sum(terms)();
}

/// 1 for the largest weight of each row, 0 for the others.
inline Matrix hard(const Matrix& weights) {
    Matrix result = xt::zeros<double>({weights.shape(0), weights.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const auto row = xt::view(weights, i, xt::all());
        const auto best = std::max_element(row.begin(), row.end()) - row.begin();
        result(i, static_cast<std::size_t>(best)) = 1;
    }
    return result;
}

inline Matrix equal_shares(std::size_t n_queries, std::size_t n_keys) {
    return xt::ones<double>({n_queries, n_keys}) / static_cast<double>(n_keys);
}

inline Matrix right_weights(const Matrix& Q, const Matrix& K) {
    return softmax(oracle::scaled_scores(Q, K));
}

/// exp(s − r) / Σ exp(s − r) in double, r = reference(scores, i): right for any r until it over- or
/// underflows.
template <class Reference>
Matrix shares(const Matrix& scores, Reference reference) {
    Matrix weights = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double r = reference(scores, i);
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp(scores(i, j) - r);
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

/// The largest of a row's scores from begin to before end, and of start.
inline double largest(const Matrix& scores, std::size_t i, std::size_t begin, std::size_t end,
                      double start = -std::numeric_limits<double>::infinity()) {
    for (std::size_t j = begin; j < end; ++j) {
        start = std::max(start, scores(i, j));
    }
    return start;
}

inline double largest(const Matrix& scores, std::size_t i) {
    return largest(scores, i, 0, scores.shape(1));
}

/// numerator(row, j) / denominator(row), for every score of every row.
template <class Numerator, class Denominator>
Matrix quotients(const Matrix& scores, Numerator numerator, Denominator denominator) {
    Matrix result = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        const double below = denominator(scores, i);
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            result(i, j) = numerator(scores, i, j) / below;
        }
    }
    return result;
}

/// Σⱼ term(scores, i, j).
template <class Term>
double row_sum(const Matrix& scores, std::size_t i, Term term) {
    double sum = 0;
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        sum += term(scores, i, j);
    }
    return sum;
}

/// output(i, c) = Σⱼ term(i, j, c).
template <class Term>
Matrix mixed(const Matrix& weights, const Matrix& V, Term term) {
    Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        for (std::size_t j = 0; j < V.shape(0); ++j) {
            for (std::size_t c = 0; c < V.shape(1); ++c) {
                output(i, c) += term(i, j, c);
            }
        }
    }
    return output;
}

/// A with 0 where not kept(i, j).
template <class Kept>
Matrix zero_unless(Matrix A, Kept kept) {
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            A(i, j) = kept(i, j) ? A(i, j) : 0;
        }
    }
    return A;
}

// ---- The checks that stand in the stubs, and so in a learner's file: without them the two would
// part on shapes that do not fit.

inline void require_comparable(const Matrix& Q, const Matrix& K) {
    if (Q.shape(1) != K.shape(1) || Q.shape(1) == 0) {
        throw std::invalid_argument("Q and K must share d_k, and it must not be 0; Q is " +
                                    lesson::shape_text(Q) + ", K is " + lesson::shape_text(K));
    }
}

template <class Wrong>
auto checked_aggregate(Wrong wrong) {
    return [wrong](const Matrix& weights, const Matrix& V) -> Matrix {
        attention::require_shared("aggregate", "n_keys", attention::Axis{"weights", weights, 1},
                                  attention::Axis{"V", V, 0});
        return wrong(weights, V);
    };
}

template <class Wrong>
auto checked_weights(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K) -> Matrix {
        require_comparable(Q, K);
        return wrong(Q, K);
    };
}

template <class Wrong>
auto checked_attention(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
        require_comparable(Q, K);
        attention::require_shared("self_attention", "n_keys", attention::Axis{"K", K, 0},
                                  attention::Axis{"V", V, 0});
        return wrong(Q, K, V);
    };
}

/// Wrong weights as a part of the whole, and a wrong mixture.
template <class Wrong>
auto mixing_values(Wrong wrong) {
    return checked_attention([wrong](const Matrix& Q, const Matrix& K, const Matrix& V) {
        return matmul(Matrix(wrong(Q, K)), V);
    });
}

template <class Wrong>
auto of_right_weights(Wrong wrong) {
    return checked_attention([wrong](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
        return wrong(right_weights(Q, K), V);
    });
}

} // namespace wrong

/// A wrong mixture, in 04.1 and within 04.3; wrong weights, in 04.2 and within 04.3.
#define WRONG_MIXTURE(name, explanation, ...)                                                      \
    MISCONCEPTION(aggregate, name, explanation, checked_aggregate(__VA_ARGS__));                   \
    MISCONCEPTION(self_attention, name##_in_attention, explanation, of_right_weights(__VA_ARGS__))

#define WRONG_WEIGHTS(name, explanation, ...)                                                      \
    MISCONCEPTION(attention_weights, name, explanation, checked_weights(__VA_ARGS__));             \
    MISCONCEPTION(self_attention, name##_in_attention, explanation, mixing_values(__VA_ARGS__))
