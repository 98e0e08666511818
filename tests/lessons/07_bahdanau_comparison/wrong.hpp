#pragma once

// What the misconceptions of 07.1 and 07.2 are made of: right in everything but the one thing that
// is handed in. A wrong score of a pair is a mistake in either.

#include <algorithm>
#include <cmath>
#include <functional>

#include "exports.hpp"
#include "support/oracle.hpp"

namespace wrong {

using lesson::Matrix;
using lesson::Vector;
using oracle::matmul;

/// A score of one projected state q and one projected key k.
using PairScore = std::function<double(const Vector& q, const Vector& k, const Vector& v)>;

inline Vector row(const Matrix& X, std::size_t i) {
    return xt::view(X, i, xt::all());
}

inline Matrix transposed(const Matrix& X) {
    return xt::transpose(X);
}

inline Matrix each_pair(const Matrix& queries, const Matrix& keys, const Vector& v,
                        const PairScore& score) {
    Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            scores(i, j) = score(row(queries, i), row(keys, j), v);
        }
    }
    return scores;
}

/// Σ_a term(q_a, k_a, v_a).
using Term = std::function<double(double q, double k, double v)>;
inline PairScore sum_of(Term term) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        double sum = 0;
        for (std::size_t a = 0; a < v.size(); ++a) {
            sum += term(q(a), k(a), v(a));
        }
        return sum;
    };
}

inline const PairScore right_score =
    sum_of([](double q, double k, double v) { return v * std::tanh(q + k); });

inline const PairScore tanh_of_each =
    sum_of([](double q, double k, double v) { return v * (std::tanh(q) + std::tanh(k)); });

inline const PairScore no_tanh = sum_of([](double q, double k, double v) { return v * (q + k); });

inline const PairScore tanh_outside = [](const Vector& q, const Vector& k, const Vector& v) {
    return std::tanh(no_tanh(q, k, v));
};

inline const PairScore without_v =
    sum_of([](double q, double k, double) { return std::tanh(q + k); });

/// The right score of the first n components alone; throws where there are fewer.
inline PairScore of_the_first(std::size_t n) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        double sum = 0;
        for (std::size_t a = 0; a < n; ++a) {
            sum += v(a) * std::tanh(q(a) + k(a));
        }
        return sum;
    };
}

/// Takes the projected state from the row of the key, where there is such a row.
inline Matrix states_by_key(const Matrix& queries, const Matrix& keys, const Vector& v) {
    Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            scores(i, j) = 0;
            for (std::size_t a = 0; a < v.size(); ++a) {
                scores(i, j) += v(a) * std::tanh(queries(j, a) + keys(j, a));
            }
        }
    }
    return scores;
}

/// What the sum over the components starts from, in each pair: the sum of the pair before. anew: it
/// starts at 0 with every state.
inline Matrix sum_carried_over(const Matrix& queries, const Matrix& keys, const Vector& v,
                               bool anew) {
    Matrix scores = each_pair(queries, keys, v, right_score);
    double sum = 0;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        sum = anew ? 0 : sum;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            sum += scores(i, j);
            scores(i, j) = sum;
        }
    }
    return scores;
}

/// Every row is the first.
inline Matrix first_row_everywhere(Matrix X) {
    for (std::size_t i = 1; i < X.shape(0); ++i) {
        xt::view(X, i, xt::all()) = row(X, 0);
    }
    return X;
}

/// What std::inner_product(…, 0) makes of a sum: the fraction is dropped at every step.
inline const PairScore in_whole_numbers = [](const Vector& q, const Vector& k, const Vector& v) {
    double sum = 0;
    for (std::size_t a = 0; a < v.size(); ++a) {
        sum = std::trunc(sum + v(a) * std::tanh(q(a) + k(a)));
    }
    return sum;
};

inline const PairScore last_component = [](const Vector& q, const Vector& k, const Vector& v) {
    const std::size_t a = v.size() - 1;
    return v(a) * std::tanh(q(a) + k(a));
};

inline const PairScore product_inside =
    sum_of([](double q, double k, double v) { return v * std::tanh(q * k); });

inline Matrix softmax(const Matrix& scores) {
    Matrix weights = xt::exp(scores);
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            sum += weights(i, j);
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) /= sum;
        }
    }
    return weights;
}

// What learners read whose scores of 07.1 or 07.2 go wrong in the same way.

inline constexpr const char* says_tanh_of_each =
    "state and key are squashed one by one, and added afterwards. v · (tanh q + tanh k) falls "
    "apart into what the state adds and what the key adds, and the state's part is the same for "
    "every key: after the softmax it has no say at all. The sum goes inside the tanh, where the "
    "two meet.";

inline const PairScore tanh_of_the_state =
    sum_of([](double q, double k, double v) { return v * (std::tanh(q) + k); });

inline constexpr const char* says_tanh_of_the_state =
    "only the projected state goes through tanh, and the key is added after it. The sum of both "
    "goes inside the tanh.";

inline constexpr const char* says_no_tanh =
    "the tanh is missing. Without it v · (q + k) = v · q + v · k, and v · q is the same for every "
    "key: after the softmax every state attends alike.";

inline constexpr const char* says_tanh_outside =
    "v is applied before the tanh: one number a pair is squashed, and lies between −1 and 1. Each "
    "component of q + k goes through tanh by itself, and v weighs what comes out.";

inline constexpr const char* says_v_inside =
    "each component is multiplied by its v before the tanh, not after: tanh(v (q + k)). v is to "
    "weigh what comes out of the tanh, and may be larger than 1.";

inline constexpr const char* says_without_v =
    "v is left out: the tanh of every component counts alike. v says how much each is worth, and "
    "in which direction; training learns it.";

inline constexpr const char* says_transposed =
    "rows and columns have changed places. A row belongs to a state, which asks, and a column to "
    "a key.";

inline constexpr const char* says_softmax =
    "these are weights: the softmax has already been taken, and every row sums to 1. Scores come "
    "before that, and may be of any size.";

inline constexpr const char* says_scaled =
    "the scores are divided by √d_a. That belongs to the dot product, whose variance grows with "
    "its components. Here tanh keeps every term within ±v, and Bahdanau does not scale.";

inline constexpr const char* says_stops_at_d_s =
    "the sum over the components ends at d_s, how many a state has before it is projected. "
    "Projected states, projected keys and v have d_a.";

inline constexpr const char* says_states_by_key =
    "the state is taken from row j, which is the key's number. State i meets key j: rows are the "
    "same for every state here, and where there are more keys than states there is no row j.";

inline constexpr const char* says_product_inside =
    "state and key are multiplied component by component inside the tanh. In the additive score "
    "they are added; that is where its name comes from.";

inline constexpr const char* says_not_reset =
    "each score includes those of the pairs before it: the sum over the components does not start "
    "at 0 for every pair. Declare it inside the two loops.";

inline constexpr const char* says_not_reset_in_a_row =
    "each score includes those of the keys before it in its row: the sum over the components does "
    "not start at 0 for every key. Declare it inside the loop over the keys.";

inline constexpr const char* says_whole_numbers =
    "the sum over the components is kept in whole numbers, as by auto sum = 0 or "
    "std::inner_product(…, 0), which drops the fraction at every step. Let it be a double, and "
    "begin with 0.0.";

inline constexpr const char* says_last_component =
    "only the last component counts: each overwrites the one before. They are added up (+=).";

inline constexpr const char* says_first_state =
    "every row has the scores of the first state. Each of the states asks by itself: a row of S "
    "makes a row of scores.";

inline constexpr const char* says_first_key =
    "every column has the scores of the first key. Each key is asked by itself, and makes a column "
    "of scores.";

inline constexpr const char* says_one_short =
    "the sum over the components stops one short: the last is left out. A loop runs while a < d_a.";

inline constexpr const char* says_by_exponentials =
    "where states and keys are far out there is NaN: written as a quotient, of exponentials or of "
    "sinh and cosh, tanh overflows in numerator and denominator, and ∞/∞ is NaN. std::tanh is 1 or "
    "−1 there.";

} // namespace wrong
