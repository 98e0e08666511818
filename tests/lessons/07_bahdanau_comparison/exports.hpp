#pragma once

// Values live on a tape and cannot travel: 07.3 is called with arrays, and answers with the scores
// and the gradients of Σ scores ∘ d_scores.

#include <vector>

#include "bahdanau_comparison.hpp"
#include "judge/export.hpp"
#include "support/in_a_model.hpp"

namespace on_arrays {

using Array = autograd::Array<float>;

struct AdditiveScores {
    Array scores, d_states, d_keys, d_v;
};

struct DotProductScores {
    Array scores, d_states, d_keys;
};

using Values = std::vector<autograd::Value>;

/// Any additive score made of operations, called with arrays; scaled_dot_product_by likewise.
template <class Score>
AdditiveScores additive_by(const Score& score, const Array& states, const Array& keys,
                           const Array& v, const Array& d_scores) {
    const auto all = support::in_a_model(
        [&](const Values& in) { return score(in[0], in[1], in[2]); }, {states, keys, v}, d_scores);
    return {all[0], all[1], all[2], all[3]};
}

template <class Score>
DotProductScores scaled_dot_product_by(const Score& score, const Array& states, const Array& keys,
                                       const Array& d_scores) {
    const auto all = support::in_a_model([&](const Values& in) { return score(in[0], in[1]); },
                                         {states, keys}, d_scores);
    return {all[0], all[1], all[2]};
}

// Under the names of the exercise's own functions, which verdicts use.
inline AdditiveScores additive(const Array& states, const Array& keys, const Array& v,
                               const Array& d_scores) {
    return additive_by(lesson::additive, states, keys, v, d_scores);
}

inline DotProductScores scaled_dot_product(const Array& states, const Array& keys,
                                           const Array& d_scores) {
    return scaled_dot_product_by(lesson::scaled_dot_product, states, keys, d_scores);
}

} // namespace on_arrays

JUDGE_STRUCT(on_arrays::AdditiveScores, scores, d_states, d_keys, d_v);
JUDGE_STRUCT(on_arrays::DotProductScores, scores, d_states, d_keys);
JUDGE_STRUCT(lesson::Comparison, argmax_agreement, js_divergence, alignment_accuracy);

JUDGE_FUNCTION(additive_scores, S, H, W_s, W_h, v);
JUDGE_FUNCTION(project_keys, H, W_h);
JUDGE_FUNCTION(additive_scores_from, S, keys, W_s, v);
JUDGE_FUNCTION_IN(on_arrays, additive, states, keys, v, d_scores);
JUDGE_FUNCTION_IN(on_arrays, scaled_dot_product, states, keys, d_scores);
JUDGE_SHOWN_AS(additive, "additive(states, keys, v), and the way back from d_scores,");
JUDGE_SHOWN_AS(scaled_dot_product,
               "scaled_dot_product(states, keys), and the way back from d_scores,");
JUDGE_FUNCTION(bleu, hypotheses, references);
JUDGE_FUNCTION(compare_attention, A, B, gold);
