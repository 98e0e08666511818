#pragma once

// Lesson 07, Bahdanau against scaled dot-product: what its exercises promise.
//
//   n_queries  decoder states, queries     d_s  components of a decoder state
//   n_keys     encoder states, keys        d_h  components of an encoder state
//   d_a        components in which states and keys are compared
//   batch      sentences at once
//
// Every size is at least 1. Answers are right to ten digits, those of 07.3, which are in float, to
// four. The error of a sum is measured against its largest term, that of a tanh against 1.

#include <array>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/shapes.hpp"    // throw_not_shared
#include "attention/tensor.hpp"    // Vector, Matrix, shape_text
#include "autograd/operations.hpp" // Value and the operations of 07.3
#include "judge/todo.hpp"          // todo(): marks what is still to be written

namespace lesson {

using attention::Matrix;
using attention::shape_text;
using attention::Vector;
using autograd::Value;
using Mask = xt::xtensor<bool, 2>;
using Words = std::vector<std::string>; // a sentence; no word has a blank in it

/// 07.1  Additive scores, e_ij = vᵀ tanh(W_s s_i + W_h h_j)  (Bahdanau et al. 2014, §A.1.2), with
/// states and weights laid out in rows.
///   S (n_queries, d_s)   H (n_keys, d_h)   W_s (d_s, d_a)   W_h (d_h, d_a)   v (d_a)
///   returns scores (n_queries, n_keys)
/// Throws std::invalid_argument, with both shapes in its text, if S · W_s or H · W_h does not
/// exist, or if W_s, W_h and v do not share d_a.
Matrix additive_scores(const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                       const Vector& v);

/// 07.2  The half of 07.1 that does not depend on the query: keys = H · W_h, once per sentence.
///   H (n_keys, d_h)   W_h (d_h, d_a)   returns keys (n_keys, d_a)
/// Throws std::invalid_argument, with both shapes in its text, if H · W_h does not exist.
Matrix project_keys(const Matrix& H, const Matrix& W_h);

/// 07.2  The half that is left at every step: the scores of 07.1, from keys already projected.
///   S (n_queries, d_s)   keys (n_keys, d_a)   W_s (d_s, d_a)   v (d_a)
///   returns scores (n_queries, n_keys)
/// Throws std::invalid_argument, with both shapes in its text, if S · W_s does not exist, or if
/// keys, W_s and v do not share d_a.
Matrix additive_scores_from(const Matrix& S, const Matrix& keys, const Matrix& W_s,
                            const Vector& v);

/// 07.3  Additive scores for training, e_bj = v · tanh(states_b + keys_bj): made of operations of
/// autograd/operations.hpp, so that gradients flow back to all three.
///   states (batch, d_a) and keys (batch, n_keys, d_a), both projected already   v (d_a)
///   returns scores (batch, n_keys)
/// Each of the three may be a variable, a constant, or the result of an operation, and may be used
/// by other calls and operations too: its gradient is the sum over all uses. So in the next one.
Value additive(const Value& states, const Value& keys, const Value& v);

/// 07.3  Scaled dot-product scores for training, e_bj = states_b · keys_bj / √d_a.
///   states (batch, d_a)   keys (batch, n_keys, d_a)
///   returns scores (batch, n_keys)
Value scaled_dot_product(const Value& states, const Value& keys);

/// 07.4  Corpus BLEU-4, 0 to 100, as sacreBLEU computes it (Papineni et al. 2002; Post 2018).
///   hypotheses     a sentence each, cut into words
///   references[i]  one or more translations of sentence i
/// For n = 1 … 4, over all sentences together: matches(n) counts the n-grams of each hypothesis
/// that are in a reference, an n-gram no more often than in the one reference that has it most
/// often; totals(n) counts all n-grams of the hypotheses. The score is
///   100 · BP · ⁴√(p₁ p₂ p₃ p₄),   p_n = matches(n) / totals(n)
/// With h the words of all hypotheses and r those of the references, each time the reference whose
/// length is closest (the shorter of two equally close): BP = 1 if h ≥ r, else exp(1 − r/h).
/// If no n has a match: 0. Else, the k-th n that has none (k = 1, 2, …) gets
/// p_n = 1 / (2^k · totals(n)); if a totals(n) is 0, the score is 0.
/// Throws std::invalid_argument if there is not a list of references for each hypothesis, or if one
/// of these lists is empty.
double bleu(const std::vector<Words>& hypotheses,
            const std::vector<std::vector<Words>>& references);

/// How alike two models attend while they write the same sentence.
struct Comparison {
    double argmax_agreement = 0;   // share of the rows whose largest weight is at the same key
    double js_divergence = 0;      // nats, mean over the rows: 0 if they are alike, ln 2 at most
    double alignment_accuracy = 0; // of A: share of the rows whose largest weight is on a gold key
};

/// 07.5  Compares two models' attention on one sentence.
///   A, B (n_queries, n_keys): weights; each row sums to 1; a weight is 0, or at least 1e-300
///   gold (n_queries, n_keys): true where target word i translates source word j
/// The largest weight of a row is the first of several. Jensen–Shannon divergence of two rows a and
/// b: ½ Σ a ln(a/m) + ½ Σ b ln(b/m) with m = (a + b)/2  (Lin 1991); a weight of 0 adds 0. Rows of
/// gold without a true are left out of alignment_accuracy, which is NaN if all are.
/// Throws std::invalid_argument, with both shapes in its text, if B or gold has not the shape of A.
Comparison compare_attention(const Matrix& A, const Matrix& B, const Mask& gold);

// ---- Already written.

/// How often each n-gram, a sequence of n words, occurs in a sentence; none in one of fewer words.
inline std::map<Words, std::size_t> count_ngrams(const Words& sentence, std::size_t n) {
    std::map<Words, std::size_t> counts;
    for (auto first = sentence.begin(); sentence.end() - first >= std::ptrdiff_t(n); ++first) {
        ++counts[Words(first, first + std::ptrdiff_t(n))];
    }
    return counts;
}

/// Throws unless the sizes at these axes are equal.
///   require_equal("additive_scores", "d_s", "S", S, 1, "W_s", W_s, 0);
template <class Left, class Right>
void require_equal(const std::string& function, const std::string& dimension,
                   const std::string& left_name, const Left& left, std::size_t left_axis,
                   const std::string& right_name, const Right& right, std::size_t right_axis) {
    if (left.shape(left_axis) != right.shape(right_axis)) {
        attention::throw_not_shared(function, dimension,
                                    {left_name, left.shape(left_axis), shape_text(left)},
                                    {right_name, right.shape(right_axis), shape_text(right)});
    }
}

} // namespace lesson
