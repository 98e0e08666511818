#pragma once

// What lesson 07 asks for as plainly as it can be said: loops, in long double, that call neither
// the library nor one another's shortcuts.

#include <algorithm>
#include <cmath>
#include <limits>

#include "exports.hpp"
#include "support/oracle.hpp"

namespace plain {

using lesson::Comparison;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;
using lesson::Words;
using on_arrays::AdditiveScores;
using on_arrays::Array;
using on_arrays::DotProductScores;
using Real = long double;
using Corpus = std::vector<Words>;
using References = std::vector<std::vector<Words>>;

// ---- 07.1 and 07.2

/// v · tanh(q_i + k_j) of projected queries (n_queries, d_a) and keys (n_keys, d_a).
inline Matrix scores_of_projected(const Matrix& queries, const Matrix& keys, const Vector& v) {
    Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
    for (std::size_t i = 0; i < queries.shape(0); ++i) {
        for (std::size_t j = 0; j < keys.shape(0); ++j) {
            Real score = 0;
            for (std::size_t a = 0; a < v.size(); ++a) {
                score += Real(v(a)) * std::tanh(Real(queries(i, a)) + Real(keys(j, a)));
            }
            scores(i, j) = static_cast<double>(score);
        }
    }
    return scores;
}

inline Matrix additive_scores(const Matrix& S, const Matrix& H, const Matrix& W_s,
                              const Matrix& W_h, const Vector& v) {
    return scores_of_projected(oracle::matmul(S, W_s), oracle::matmul(H, W_h), v);
}

// ---- 07.3

/// Scores and the gradients of Σ scores ∘ d_scores, each by its own formula. An array is filled by
/// adding to it, in float: sums are short enough for that.
inline AdditiveScores additive(const Array& states, const Array& keys, const Array& v,
                               const Array& d_scores) {
    AdditiveScores result{xt::zeros_like(d_scores), xt::zeros_like(states), xt::zeros_like(keys),
                          xt::zeros_like(v)};
    const auto tanh_at = [&](std::size_t b, std::size_t j, std::size_t a) {
        return std::tanh(Real(states(b, a)) + Real(keys(b, j, a)));
    };
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d_a = keys.shape(2);
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            Real score = 0;
            for (std::size_t a = 0; a < d_a; ++a) {
                const Real t = tanh_at(b, j, a);
                score += Real(v(a)) * t;
                result.d_keys(b, j, a) = static_cast<float>(d_scores(b, j) * v(a) * (1 - t * t));
            }
            result.scores(b, j) = static_cast<float>(score);
        }
    }
    for (std::size_t a = 0; a < d_a; ++a) {
        Real d_v = 0;
        for (std::size_t b = 0; b < batch; ++b) {
            Real d_state = 0;
            for (std::size_t j = 0; j < n_keys; ++j) {
                const Real t = tanh_at(b, j, a);
                d_state += Real(d_scores(b, j)) * v(a) * (1 - t * t);
                d_v += Real(d_scores(b, j)) * t;
            }
            result.d_states(b, a) = static_cast<float>(d_state);
        }
        result.d_v(a) = static_cast<float>(d_v);
    }
    return result;
}

inline DotProductScores scaled_dot_product(const Array& states, const Array& keys,
                                           const Array& d_scores) {
    DotProductScores result{xt::zeros_like(d_scores), xt::zeros_like(states), xt::zeros_like(keys)};
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d_a = keys.shape(2);
    const Real root = std::sqrt(Real(d_a));
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            Real score = 0;
            for (std::size_t a = 0; a < d_a; ++a) {
                score += Real(states(b, a)) * keys(b, j, a);
                result.d_keys(b, j, a) =
                    static_cast<float>(Real(d_scores(b, j)) * states(b, a) / root);
            }
            result.scores(b, j) = static_cast<float>(score / root);
        }
        for (std::size_t a = 0; a < d_a; ++a) {
            Real d_state = 0;
            for (std::size_t j = 0; j < n_keys; ++j) {
                d_state += Real(d_scores(b, j)) * keys(b, j, a) / root;
            }
            result.d_states(b, a) = static_cast<float>(d_state);
        }
    }
    return result;
}

inline AdditiveScores additive_in_a_model(const Array& states, const Array& keys, const Array& v,
                                          const Array& d_scores,
                                          const std::vector<std::string>& constants,
                                          bool elsewhere) {
    const AdditiveScores one = additive(states, keys, v, d_scores);
    const AdditiveScores two = additive(Array(-0.5F * states), keys, v, d_scores);
    return {elsewhere ? Array(one.scores + two.scores) : one.scores,
            support::gradient_in_a_model("states", one.d_states, two.d_states, -0.5F, constants,
                                         elsewhere),
            support::gradient_in_a_model("keys", one.d_keys, two.d_keys, 1, constants, elsewhere),
            support::gradient_in_a_model("v", one.d_v, two.d_v, 1, constants, elsewhere)};
}

inline DotProductScores scaled_dot_product_in_a_model(const Array& states, const Array& keys,
                                                      const Array& d_scores,
                                                      const std::vector<std::string>& constants,
                                                      bool elsewhere) {
    const DotProductScores one = scaled_dot_product(states, keys, d_scores);
    const DotProductScores two = scaled_dot_product(Array(-0.5F * states), keys, d_scores);
    return {elsewhere ? Array(one.scores + two.scores) : one.scores,
            support::gradient_in_a_model("states", one.d_states, two.d_states, -0.5F, constants,
                                         elsewhere),
            support::gradient_in_a_model("keys", one.d_keys, two.d_keys, 1, constants, elsewhere)};
}

// ---- 07.4

/// Whether the n words from `first` on are those of `other` from `second` on.
inline bool same_ngram(const Words& words, std::size_t first, const Words& other,
                       std::size_t second, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        if (words[first + i] != other[second + i]) {
            return false;
        }
    }
    return true;
}

/// How often the n words of `words` from `first` on occur in `other`, at places before `end`.
inline std::size_t occurrences(const Words& words, std::size_t first, std::size_t n,
                               const Words& other, std::size_t end) {
    std::size_t found = 0;
    for (std::size_t place = 0; place < end && place + n <= other.size(); ++place) {
        found += same_ngram(words, first, other, place, n) ? 1 : 0;
    }
    return found;
}

/// Goes over the places of each hypothesis, not over counts: an n-gram there matches while it has
/// come less often before than in the reference that has it most often.
inline double bleu(const Corpus& hypotheses, const References& references) {
    Real log_precision = 0, halves = 1;
    bool any_match = false;
    for (std::size_t n = 1; n <= 4; ++n) {
        std::size_t matches = 0, total = 0;
        for (std::size_t s = 0; s < hypotheses.size(); ++s) {
            const Words& words = hypotheses[s];
            for (std::size_t place = 0; place + n <= words.size(); ++place) {
                std::size_t most = 0;
                for (const Words& reference : references[s]) {
                    most =
                        std::max(most, occurrences(words, place, n, reference, reference.size()));
                }
                matches += occurrences(words, place, n, words, place) < most ? 1 : 0;
                ++total;
            }
        }
        if (total == 0) {
            return 0;
        }
        any_match = any_match || matches > 0;
        halves = matches > 0 ? halves : halves / 2;
        log_precision += std::log((matches > 0 ? Real(matches) : halves) / Real(total)) / 4;
    }
    std::size_t length = 0, reference_length = 0;
    for (std::size_t s = 0; s < hypotheses.size(); ++s) {
        const std::size_t own = hypotheses[s].size();
        std::size_t distance = 0, closest = 0;
        for (bool found = false; !found; ++distance) { // first below, then above
            for (const std::size_t wanted : {own - std::min(distance, own), own + distance}) {
                for (const Words& reference : references[s]) {
                    if (!found && reference.size() == wanted) {
                        found = true;
                        closest = wanted;
                    }
                }
            }
        }
        length += own;
        reference_length += closest;
    }
    const Real penalty =
        length >= reference_length ? 1 : std::exp(1 - Real(reference_length) / Real(length));
    return any_match ? static_cast<double>(100 * penalty * std::exp(log_precision)) : 0;
}

// ---- 07.5

/// The first column that no other of the row exceeds.
inline std::size_t argmax(const Matrix& weights, std::size_t i) {
    for (std::size_t j = 0; j < weights.shape(1); ++j) {
        bool exceeded = false;
        for (std::size_t other = 0; other < weights.shape(1) && !exceeded; ++other) {
            exceeded = weights(i, other) > weights(i, j);
        }
        if (!exceeded) {
            return j;
        }
    }
    throw std::logic_error("plain: the test passes weights that are NaN");
}

inline Real divergence_from(const Matrix& from, const Matrix& to, std::size_t i) {
    Real sum = 0;
    for (std::size_t j = 0; j < from.shape(1); ++j) {
        const Real middle = (Real(from(i, j)) + Real(to(i, j))) / 2;
        sum += from(i, j) == 0 ? 0 : Real(from(i, j)) * (std::log(Real(from(i, j)) / middle));
    }
    return sum;
}

inline Comparison compare_attention(const Matrix& A, const Matrix& B, const Mask& gold) {
    const std::size_t n_queries = A.shape(0);
    Real agree = 0, divergence = 0, right = 0, with_gold = 0;
    for (std::size_t i = 0; i < n_queries; ++i) {
        agree += argmax(A, i) == argmax(B, i) ? 1 : 0;
        divergence += (divergence_from(A, B, i) + divergence_from(B, A, i)) / 2;
        bool any = false;
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            any = any || gold(i, j);
        }
        with_gold += any ? 1 : 0;
        right += any && gold(i, argmax(A, i)) ? 1 : 0;
    }
    return {static_cast<double>(agree / Real(n_queries)),
            static_cast<double>(divergence / Real(n_queries)),
            with_gold == 0 ? std::numeric_limits<double>::quiet_NaN()
                           : static_cast<double>(right / with_gold)};
}

} // namespace plain
