#pragma once

// Values live on a tape and cannot travel: what 07.3 is asked is arrays, and what it answers is the
// scores with the gradients of Σ scores ∘ d_scores.

#include <algorithm>
#include <string>
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

/// scores(values…) on a tape of its own, then Σ scores ∘ d_scores backwards.
template <class Score, class... Values>
Array scores_and_gradients(autograd::Tape& tape, const Array& d_scores, const Score& score,
                           const Values&... values) {
    const autograd::Value scores = score(values...);
    // A result on no tape, or another shape, has no gradients to ask for.
    if (scores.exists() && autograd::shape_of(scores.data()) == autograd::shape_of(d_scores)) {
        tape.backward(sum(multiply(scores, tape.constant(d_scores))));
    }
    return scores.exists() ? scores.data() : Array();
}

/// Any additive score, made of operations, asked in arrays; scaled_dot_product_by likewise.
template <class Score>
AdditiveScores additive_by(const Score& score, const Array& states, const Array& keys,
                           const Array& v, const Array& d_scores) {
    autograd::Tape tape;
    const autograd::Value s = tape.variable(states), k = tape.variable(keys), w = tape.variable(v);
    Array scores = scores_and_gradients(tape, d_scores, score, s, k, w);
    return {std::move(scores), s.gradient(), k.gradient(), w.gradient()};
}

template <class Score>
DotProductScores scaled_dot_product_by(const Score& score, const Array& states, const Array& keys,
                                       const Array& d_scores) {
    autograd::Tape tape;
    const autograd::Value s = tape.variable(states), k = tape.variable(keys);
    Array scores = scores_and_gradients(tape, d_scores, score, s, k);
    return {std::move(scores), s.gradient(), k.gradient()};
}

// Under the names of the exercise's own functions, which is how verdicts speak of them.
inline AdditiveScores additive(const Array& states, const Array& keys, const Array& v,
                               const Array& d_scores) {
    return additive_by(lesson::additive, states, keys, v, d_scores);
}

inline DotProductScores scaled_dot_product(const Array& states, const Array& keys,
                                           const Array& d_scores) {
    return scaled_dot_product_by(lesson::scaled_dot_product, states, keys, d_scores);
}

/// The same scores as a part of a model: see support/in_a_model.hpp.
template <class Score>
AdditiveScores additive_in_a_model_by(const Score& score, const Array& states, const Array& keys,
                                      const Array& v, const Array& d_scores,
                                      const std::vector<std::string>& constants, bool elsewhere) {
    std::vector<Array> gradients;
    Array scores = support::in_a_model([&](const auto& in) { return score(in[0], in[1], in[2]); },
                                       {"states", "keys", "v"}, {states, keys, v}, d_scores,
                                       constants, elsewhere, gradients);
    gradients.resize(3);
    return {std::move(scores), gradients[0], gradients[1], gradients[2]};
}

template <class Score>
DotProductScores scaled_dot_product_in_a_model_by(const Score& score, const Array& states,
                                                  const Array& keys, const Array& d_scores,
                                                  const std::vector<std::string>& constants,
                                                  bool elsewhere) {
    std::vector<Array> gradients;
    Array scores =
        support::in_a_model([&](const auto& in) { return score(in[0], in[1]); }, {"states", "keys"},
                            {states, keys}, d_scores, constants, elsewhere, gradients);
    gradients.resize(2);
    return {std::move(scores), gradients[0], gradients[1]};
}

inline AdditiveScores additive_in_a_model(const Array& states, const Array& keys, const Array& v,
                                          const Array& d_scores,
                                          const std::vector<std::string>& constants,
                                          bool elsewhere) {
    return additive_in_a_model_by(lesson::additive, states, keys, v, d_scores, constants,
                                  elsewhere);
}

inline DotProductScores scaled_dot_product_in_a_model(const Array& states, const Array& keys,
                                                      const Array& d_scores,
                                                      const std::vector<std::string>& constants,
                                                      bool elsewhere) {
    return scaled_dot_product_in_a_model_by(lesson::scaled_dot_product, states, keys, d_scores,
                                            constants, elsewhere);
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
JUDGE_FUNCTION_IN(on_arrays, additive_in_a_model, states, keys, v, d_scores, constants, elsewhere);
JUDGE_FUNCTION_IN(on_arrays, scaled_dot_product_in_a_model, states, keys, d_scores, constants,
                  elsewhere);
JUDGE_SHOWN_AS(additive, "additive(states, keys, v), and the way back from d_scores,");
JUDGE_SHOWN_AS(scaled_dot_product,
               "scaled_dot_product(states, keys), and the way back from d_scores,");
JUDGE_SHOWN_AS(
    additive_in_a_model,
    "additive(states, keys, v), of which some are constants, and some are used elsewhere, "
    "too; and the way back from d_scores,");
JUDGE_SHOWN_AS(
    scaled_dot_product_in_a_model,
    "scaled_dot_product(states, keys), of which one may be a constant, or used elsewhere, "
    "too; and the way back from d_scores,");
JUDGE_FUNCTION(bleu, hypotheses, references);
JUDGE_FUNCTION(compare_attention, A, B, gold);
