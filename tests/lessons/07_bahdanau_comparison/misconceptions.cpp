// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "wrong.hpp"

namespace misconceptions {

using namespace wrong;

namespace {

// ---- 07.1 additive_scores

/// Checks first, as the stub does.
void require(const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
             const Vector& v) {
    lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
    lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
    lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
    lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
}

template <class Wrong>
auto checked(Wrong wrong) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        require(S, H, W_s, W_h, v);
        return wrong(S, H, W_s, W_h, v);
    };
}

/// Projects both sides as it should be, and then scores each pair like this.
auto scored_by(PairScore score) {
    return checked(
        [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
            const Vector& v) { return each_pair(matmul(S, W_s), matmul(H, W_h), v, score); });
}

/// The right scores, and something done to them.
auto then(std::function<Matrix(const Matrix& scores, std::size_t d_a)> change) {
    return checked([=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                       const Vector& v) {
        return change(each_pair(matmul(S, W_s), matmul(H, W_h), v, right_score), v.size());
    });
}

MISCONCEPTION(additive_scores, tanh_of_each_term, says_tanh_of_each, scored_by(tanh_of_each));

MISCONCEPTION(additive_scores, no_tanh, says_no_tanh, scored_by(wrong::no_tanh));

MISCONCEPTION(additive_scores, v_before_tanh, says_tanh_outside, scored_by(tanh_outside));

MISCONCEPTION(additive_scores, v_inside_tanh, says_v_inside,
              scored_by(sum_of([](double q, double k, double v) {
                  return std::tanh(v * (q + k));
              })));

MISCONCEPTION(additive_scores, sum_without_v, says_without_v, scored_by(without_v));

MISCONCEPTION(additive_scores, v_added,
              "v is added to the tanh, not multiplied with it: it is then the same amount for "
              "every pair, and makes no difference between keys. The score is the dot product of v "
              "and the tanh.",
              scored_by(sum_of([](double q, double k, double v) { return v + std::tanh(q + k); })));

MISCONCEPTION(additive_scores, product_inside_tanh, says_product_inside, scored_by(product_inside));

MISCONCEPTION(additive_scores, difference_inside_tanh,
              "the key is subtracted from the state inside the tanh. The two are added.",
              scored_by(sum_of([](double q, double k, double v) { return v * std::tanh(q - k); })));

MISCONCEPTION(additive_scores, dot_product,
              "this is the dot product of the projected state and key, the multiplicative score. "
              "Here they are added, squashed by tanh and weighed by v.",
              scored_by(sum_of([](double q, double k, double) { return q * k; })));

MISCONCEPTION(additive_scores, sigmoid_in_place_of_tanh,
              "the components are squashed by the sigmoid 1 / (1 + exp(−x)), which lies between 0 "
              "and 1. tanh lies between −1 and 1, and is 0 at 0.",
              scored_by(sum_of([](double q, double k, double v) {
                  return v / (1 + std::exp(-q - k));
              })));

MISCONCEPTION(additive_scores, relu_in_place_of_tanh,
              "negative components are cut off at 0 and positive ones kept, as ReLU does. tanh "
              "squashes both sides alike, to between −1 and 1.",
              scored_by(sum_of([](double q, double k, double v) {
                  return v * std::max(0.0, q + k);
              })));

MISCONCEPTION(additive_scores, tanh_by_exponentials, says_by_exponentials,
              scored_by(sum_of([](double q, double k, double v) {
                  const double up = std::exp(q + k), down = std::exp(-q - k);
                  return v * (up - down) / (up + down);
              })));

MISCONCEPTION(additive_scores, states_only,
              "the keys are left out: every score of a row is the same, and attention cannot "
              "choose. The projected key is to be added inside the tanh.",
              scored_by(sum_of([](double q, double, double v) { return v * std::tanh(q); })));

MISCONCEPTION(additive_scores, keys_only,
              "the states are left out: every row is the same, so each word attends like every "
              "other. The projected state is to be added inside the tanh.",
              scored_by(sum_of([](double, double k, double v) { return v * std::tanh(k); })));

MISCONCEPTION(additive_scores, scaled_by_root_d_a, says_scaled,
              then([](const Matrix& scores, std::size_t d_a) -> Matrix {
                  return scores / std::sqrt(static_cast<double>(d_a));
              }));

MISCONCEPTION(additive_scores, mean_over_components,
              "the components are averaged: the sum is divided by d_a. v · tanh(…) is a plain sum, "
              "and v can learn to be small where that is needed.",
              then([](const Matrix& scores, std::size_t d_a) -> Matrix {
                  return scores / static_cast<double>(d_a);
              }));

MISCONCEPTION(additive_scores, softmax_already_applied, says_softmax,
              then([](const Matrix& scores, std::size_t) { return softmax(scores); }));

MISCONCEPTION(additive_scores, transposed_scores, says_transposed,
              then([](const Matrix& scores, std::size_t) { return transposed(scores); }));

MISCONCEPTION(additive_scores, sides_swapped,
              "W_s and W_h have changed roles: states are projected by the keys' weights, and keys "
              "by the states'. It only runs where d_s equals d_h.",
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(matmul(S, W_h), matmul(H, W_s), v, right_score);
              }));

MISCONCEPTION(additive_scores, weights_transposed,
              "the weights are transposed. The paper writes W s with s as a column; in this course "
              "states are rows, and W is laid out for S · W_s as it is.",
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(matmul(S, transposed(W_s)), matmul(H, transposed(W_h)), v,
                                   right_score);
              }));

MISCONCEPTION(additive_scores, sum_ends_at_d_s, says_stops_at_d_s,
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(matmul(S, W_s), matmul(H, W_h), v, of_the_first(S.shape(1)));
              }));

MISCONCEPTION(additive_scores, sum_ends_at_d_h,
              "the sum over the components ends at d_h, how many a key has before it is projected. "
              "Projected states, projected keys and v have d_a.",
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(matmul(S, W_s), matmul(H, W_h), v, of_the_first(H.shape(1)));
              }));

MISCONCEPTION(additive_scores, states_by_key, says_states_by_key,
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return wrong::states_by_key(matmul(S, W_s), matmul(H, W_h), v);
              }));

MISCONCEPTION(additive_scores, keys_ask_themselves,
              "H stands in for S: the keys ask themselves, and there are as many rows as keys. "
              "Rows belong to the decoder's states.",
              checked([](const Matrix&, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(matmul(H, W_s), matmul(H, W_h), v, right_score);
              }));

MISCONCEPTION(additive_scores, states_asked,
              "S stands in for H: the states ask each other, and there are as many columns as "
              "states. Columns belong to the encoder's states.",
              checked([](const Matrix& S, const Matrix&, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(matmul(S, W_s), matmul(S, W_h), v, right_score);
              }));

MISCONCEPTION(additive_scores, not_projected,
              "states and keys are added as they are, without W_s and W_h. They come from two "
              "networks, and may differ in size; their projections are what can be compared.",
              checked([](const Matrix& S, const Matrix& H, const Matrix&, const Matrix&,
                         const Vector& v) {
                  if (S.shape(1) != v.size() || H.shape(1) != v.size()) {
                      throw std::runtime_error("states, keys and v differ in size");
                  }
                  return each_pair(S, H, v, right_score);
              }));

MISCONCEPTION(additive_scores, sum_not_reset, says_not_reset,
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return sum_carried_over(matmul(S, W_s), matmul(H, W_h), v, false);
              }));

MISCONCEPTION(additive_scores, sum_not_reset_in_a_row, says_not_reset_in_a_row,
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return sum_carried_over(matmul(S, W_s), matmul(H, W_h), v, true);
              }));

MISCONCEPTION(additive_scores, sum_in_whole_numbers, says_whole_numbers,
              scored_by(in_whole_numbers));

MISCONCEPTION(additive_scores, last_component_only, says_last_component, scored_by(last_component));

MISCONCEPTION(additive_scores, last_component_left_out, says_one_short,
              scored_by([](const Vector& q, const Vector& k, const Vector& v) {
                  return of_the_first(v.size() - 1)(q, k, v);
              }));

MISCONCEPTION(additive_scores, scores_of_the_first_key, says_first_key,
              then([](const Matrix& scores, std::size_t) {
                  return transposed(first_row_everywhere(transposed(scores)));
              }));

MISCONCEPTION(additive_scores, scores_of_the_first_state, says_first_state,
              then([](const Matrix& scores, std::size_t) { return first_row_everywhere(scores); }));

MISCONCEPTION(additive_scores, projected_element_by_element,
              "states and keys are multiplied with their weights element by element, S * W_s and "
              "H * W_h, where that runs at all. In xtensor * is never the matrix product.",
              checked([](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                         const Vector& v) {
                  return each_pair(Matrix(S * W_s), Matrix(H * W_h), v, right_score);
              }));

} // namespace

} // namespace misconceptions
