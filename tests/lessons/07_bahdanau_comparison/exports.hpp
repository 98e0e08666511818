#pragma once

// Values live on a tape and cannot travel: what 07.3 is asked is arrays, and what it answers is the
// scores with the gradients of Σ scores ∘ d_scores.

#include <algorithm>
#include <string>
#include <vector>

#include "bahdanau_comparison.hpp"
#include "judge/export.hpp"

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

/// The same scores as a part of a model: constants says which of the inputs need no gradient (and
/// are told to have one of 0). elsewhere: each input is the result of an operation, is used before
/// and after the scores, and in two calls, the second of which has −½ times the states; the scores
/// are then the sum of both calls'.
template <class Call> // call(inputs): the scores
Array in_a_model(const Call& call, const std::vector<std::string>& names,
                 const std::vector<Array>& arrays, const Array& d_scores,
                 const std::vector<std::string>& constants, bool elsewhere,
                 std::vector<Array>& gradients) {
    using autograd::Value;
    autograd::Tape tape;
    std::vector<Value> inputs, values, losses;
    const auto used_elsewhere = [&](float factor) {
        for (const Value& value : values) {
            losses.push_back(autograd::sum(autograd::scale(value, factor)));
        }
    };
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const bool constant =
            std::find(constants.begin(), constants.end(), names[i]) != constants.end();
        inputs.push_back(constant ? tape.constant(arrays[i]) : tape.variable(arrays[i]));
        values.push_back(elsewhere ? autograd::scale(inputs.back(), 1.0F) : inputs.back());
    }
    if (elsewhere) {
        used_elsewhere(3);
    }
    Value scores = call(values);
    if (elsewhere) {
        std::vector<Value> others = values;
        others[0] = autograd::scale(values[0], -0.5F);
        const Value second = call(others);
        if (!scores.exists() || !second.exists() ||
            autograd::shape_of(scores.data()) != autograd::shape_of(second.data())) {
            return Array();
        }
        scores = autograd::add(scores, second);
        used_elsewhere(5);
    }
    if (scores.exists() && autograd::shape_of(scores.data()) == autograd::shape_of(d_scores)) {
        Value loss = autograd::sum(autograd::multiply(scores, tape.constant(d_scores)));
        for (const Value& other : losses) {
            loss = autograd::add(loss, other);
        }
        tape.backward(loss);
    }
    for (const Value& input : inputs) {
        gradients.push_back(input.needs_gradient() ? input.gradient()
                                                   : Array(xt::zeros_like(input.data())));
    }
    return scores.exists() ? scores.data() : Array();
}

template <class Score>
AdditiveScores additive_in_a_model_by(const Score& score, const Array& states, const Array& keys,
                                      const Array& v, const Array& d_scores,
                                      const std::vector<std::string>& constants, bool elsewhere) {
    std::vector<Array> gradients;
    Array scores = in_a_model([&](const auto& in) { return score(in[0], in[1], in[2]); },
                              {"states", "keys", "v"}, {states, keys, v}, d_scores, constants,
                              elsewhere, gradients);
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
        in_a_model([&](const auto& in) { return score(in[0], in[1]); }, {"states", "keys"},
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
JUDGE_FUNCTION(bleu, hypotheses, references);
JUDGE_FUNCTION(compare_attention, A, B, gold);
