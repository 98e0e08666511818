// Right solutions, written otherwise: each must pass. Some are written as a
// learner should not.

#include <algorithm>
#include <cmath>
#include <set>

#include "attention/product.hpp"
#include "exports.hpp"
#include "support/agree.hpp"

using lesson::Comparison;
using lesson::Mask;
using lesson::Matrix;
using lesson::Value;
using lesson::Vector;
using lesson::Words;
using on_arrays::AdditiveScores;
using on_arrays::Array;
using on_arrays::DotProductScores;
using support::agree;
using Corpus = std::vector<Words>;
using References = std::vector<Corpus>;

namespace {
// ---- 07.1 and 07.2

void require(const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
             const Vector& v) {
    agree(v, 0, W_h, 1);
    agree(v, 0, W_s, 1);
    agree(H, 1, W_h, 0);
    agree(S, 1, W_s, 0);
}

/// Both sides broadcast to (n_queries, n_keys, d_a), in one expression.
Matrix broadcast(const Matrix& queries, const Matrix& keys, const Vector& v) {
    const xt::xtensor<double, 3> hidden =
        xt::tanh(xt::view(queries, xt::all(), xt::newaxis(), xt::all()) +
                 xt::view(keys, xt::newaxis(), xt::all(), xt::all()));
    return xt::sum(hidden * v, {2});
}

/// tanh x = 2 σ(2x) − 1, which does not overflow.
Matrix by_sigmoid(const Matrix& queries, const Matrix& keys, const Vector& v) {
    Matrix scores = xt::zeros<double>({queries.shape(0), keys.shape(0)});
    for (std::size_t a = 0; a < v.size(); ++a) {
        for (std::size_t i = 0; i < queries.shape(0); ++i) {
            for (std::size_t j = 0; j < keys.shape(0); ++j) {
                scores(i, j) += v(a) * (2 / (1 + std::exp(-2 * (queries(i, a) + keys(j, a)))) - 1);
            }
        }
    }
    return scores;
}

template <class Scores>
auto projected_first(Scores scores) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        require(S, H, W_s, W_h, v);
        return scores(attention::matmul(S, W_s), attention::matmul(H, W_h), v);
    };
}

ALTERNATIVE(additive_scores, broadcast, projected_first(broadcast));
ALTERNATIVE(additive_scores, by_sigmoid, projected_first(by_sigmoid));
ALTERNATIVE(additive_scores, side_by_side,
            // [s; h] with W_s above W_h: the concat score of Luong et al. 2015,
            // the same sum
            [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
                require(S, H, W_s, W_h, v);
                const Matrix W = xt::concatenate(xt::xtuple(W_s, W_h), 0);
                Matrix scores = Matrix::from_shape({S.shape(0), H.shape(0)});
                for (std::size_t i = 0; i < S.shape(0); ++i) {
                    const Matrix s = xt::view(S, xt::keep(i), xt::all()) +
                                     xt::zeros<double>({H.shape(0), S.shape(1)});
                    const Matrix both = xt::concatenate(xt::xtuple(s, H), 1);
                    const Matrix hidden = xt::tanh(attention::matmul(both, W));
                    xt::view(scores, i) = xt::sum(hidden * v, {1});
                }
                return scores;
            });

// ---- 07.2

ALTERNATIVE(project_keys, by_the_transpose, [](const Matrix& H, const Matrix& W_h) -> Matrix {
    lesson::require_equal("project_keys", "d_h", "H", H, 1, "W_h", W_h, 0);
    return attention::matmul_transposed(H, Matrix(xt::transpose(W_h)));
});

template <class Scores>
auto from(Scores scores) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        agree(v, 0, keys, 1);
        agree(v, 0, W_s, 1);
        agree(S, 1, W_s, 0);
        return scores(attention::matmul(S, W_s), keys, v);
    };
}

ALTERNATIVE(additive_scores_from, broadcast, from(broadcast));
// ---- 07.3

template <class Score>
auto additive_by(Score score) {
    return [=](const Array& states, const Array& keys, const Array& v,
               const Array& d_scores) -> AdditiveScores {
        return on_arrays::additive_by(score, states, keys, v, d_scores);
    };
}

template <class Score>
auto dot_product_by(Score score) {
    return [=](const Array& states, const Array& keys, const Array& d_scores) -> DotProductScores {
        return on_arrays::scaled_dot_product_by(score, states, keys, d_scores);
    };
}

/// Each state as many times as there are keys, (batch, n_keys, d_a).
Value repeated(const Value& states, std::size_t n_keys) {
    return autograd::stack(std::vector<Value>(n_keys, states));
}

/// states_b + keys_bj.
Value sums(const Value& states, const Value& keys) {
    return autograd::add(repeated(states, keys.shape(1)), keys);
}

float inverse_root(const Value& keys) {
    return 1 / std::sqrt(static_cast<float>(keys.shape(2)));
}

ALTERNATIVE_IN(on_arrays, additive, fused, additive_by(autograd::additive_scores<float>));
ALTERNATIVE_IN(on_arrays, additive, tanh_by_sigmoid,
               additive_by([](const Value& states, const Value& keys, const Value& v) {
                   // tanh x = 2 σ(2x) − 1
                   const Value squashed =
                       autograd::sigmoid(autograd::scale(sums(states, keys), 2.0F));
                   const Value minus_one = v.tape().constant(Array{-1.0F});
                   const Value hidden = autograd::add(autograd::scale(squashed, 2.0F), minus_one);
                   return autograd::product(hidden, v);
               }));

ALTERNATIVE_IN(on_arrays, scaled_dot_product, fused,
               dot_product_by([](const Value& states, const Value& keys) {
                   return autograd::dot_scores(states, keys, inverse_root(keys));
               }));
ALTERNATIVE_IN(on_arrays, scaled_dot_product, multiplied_and_summed,
               dot_product_by([](const Value& states, const Value& keys) {
                   const Value products = autograd::multiply(repeated(states, keys.shape(1)), keys);
                   const Value ones =
                       keys.tape().constant(Array(Array::shape_type{keys.shape(2)}, 1.0F));
                   return autograd::scale(autograd::product(products, ones), inverse_root(keys));
               }));
// ---- 07.4

void require(const Corpus& hypotheses, const References& references) {
    const bool some_empty = std::any_of(references.begin(), references.end(),
                                        [](const auto& some) { return some.empty(); });
    if (hypotheses.size() != references.size() || some_empty) {
        throw std::invalid_argument("a list of references is missing or empty");
    }
}

/// The n-grams of 1 … 4 words together, as texts joined by spaces: their length distinguishes them.
std::map<std::string, int> texts_of(const Words& sentence, std::array<double, 4>& totals) {
    std::map<std::string, int> counts;
    for (std::size_t first = 0; first < sentence.size(); ++first) {
        std::string text;
        for (std::size_t n = 0; n < 4 && first + n < sentence.size(); ++n) {
            text += sentence[first + n] + " ";
            ++counts[text];
            ++totals[n];
        }
    }
    return counts;
}

double bleu_of_texts(const Corpus& hypotheses, const References& references) {
    require(hypotheses, references);
    std::array<double, 4> matches{}, totals{}, unused{};
    std::size_t length = 0, reference_length = 0;
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        std::map<std::string, int> most;
        std::set<std::pair<std::size_t, std::size_t>> lengths; // distance, then length
        const std::size_t own = hypotheses[i].size();
        for (const Words& reference : references[i]) {
            const std::size_t other = reference.size();
            lengths.insert({std::max(own, other) - std::min(own, other), other});
            for (const auto& entry : texts_of(reference, unused)) {
                most[entry.first] = std::max(most[entry.first], entry.second);
            }
        }
        length += own;
        reference_length += lengths.begin()->second;
        for (const auto& entry : texts_of(hypotheses[i], totals)) {
            const auto spaces = std::count(entry.first.begin(), entry.first.end(), ' ');
            matches[static_cast<std::size_t>(spaces - 1)] +=
                std::min(entry.second, most[entry.first]);
        }
    }
    double score = 100, k = 1;
    for (std::size_t n = 0; n < 4; ++n) {
        if (totals[n] == 0 || matches[0] == 0) {
            return 0;
        }
        k = matches[n] == 0 ? 2 * k : k;
        score *= std::pow((matches[n] == 0 ? 1 / k : matches[n]) / totals[n], 0.25);
    }
    const double ratio = static_cast<double>(reference_length) / static_cast<double>(length);
    return score * std::min(1.0, std::exp(1 - ratio));
}

ALTERNATIVE(bleu, ngrams_as_texts, bleu_of_texts);
// ---- 07.5

/// One message for all: both shapes that do not fit.
void require(const Matrix& A, const Matrix& B, const Mask& gold) {
    if (A.shape() != B.shape()) {
        throw std::invalid_argument("A is " + lesson::shape_text(A) + " and B " +
                                    lesson::shape_text(B));
    }
    if (A.shape() != gold.shape()) {
        throw std::invalid_argument("A is " + lesson::shape_text(A) + " and gold " +
                                    lesson::shape_text(gold));
    }
}

/// The entropy of the middle less the mean of the entropies, which is the same.
Comparison by_entropies(const Matrix& A, const Matrix& B, const Mask& gold) {
    require(A, B, gold);
    const auto term = [](double p) { return p > 0 ? -p * std::log(p) : 0; };
    double divergence = 0;
    int agree = 0, aligned = 0, right = 0;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        std::size_t at_A = A.shape(1) - 1, at_B = at_A;
        bool any = false;
        for (std::size_t j = A.shape(1); j-- > 0;) {
            const double a = A(i, j), b = B(i, j);
            divergence += term((a + b) / 2) - (term(a) + term(b)) / 2;
            at_A = A(i, j) >= A(i, at_A) ? j : at_A;
            at_B = B(i, j) >= B(i, at_B) ? j : at_B;
            any = any || gold(i, j);
        }
        agree += at_A == at_B ? 1 : 0;
        aligned += any ? 1 : 0;
        right += gold(i, at_A) ? 1 : 0;
    }
    const auto rows = static_cast<double>(A.shape(0));
    return {agree / rows, divergence / rows, static_cast<double>(right) / aligned}; // 0 / 0 is NaN
}

ALTERNATIVE(compare_attention, by_entropies, by_entropies);
ALTERNATIVE(
    compare_attention, by_xtensor,
    [](const Matrix& A, const Matrix& B, const Mask& gold) -> Comparison {
        require(A, B, gold);
        const Matrix middle = (A + B) / 2;
        // 0 · ln 1 in place of 0 · ln 0
        const Matrix of_A = A * xt::log(xt::where(A > 0.0, A / middle, 1.0));
        const Matrix of_B = B * xt::log(xt::where(B > 0.0, B / middle, 1.0));
        const double divergence = xt::sum(of_A + of_B)() / 2;
        double agree = 0, right = 0, aligned = 0;
        for (std::size_t i = 0; i < A.shape(0); ++i) {
            const Vector a = xt::view(A, i, xt::all()), b = xt::view(B, i, xt::all());
            const auto at_A = std::max_element(a.begin(), a.end()) - a.begin();
            agree += at_A == std::max_element(b.begin(), b.end()) - b.begin() ? 1 : 0;
            if (xt::any(xt::view(gold, i, xt::all()))) {
                aligned += 1;
                right += gold(i, at_A) ? 1 : 0;
            }
        }
        const auto rows = static_cast<double>(A.shape(0));
        return {agree / rows, divergence / rows, aligned == 0 ? std::nan("") : right / aligned};
    });
} // namespace
