// Wrong versions of 07.2, whose scores go wrong as those of 07.1 do.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- project_keys

/// Checks first, as the stub does.
auto projected(std::function<Matrix(const Matrix& H, const Matrix& W_h)> projection) {
    return [=](const Matrix& H, const Matrix& W_h) -> Matrix {
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        return projection(H, W_h);
    };
}

MISCONCEPTION(project_keys, tanh_of_keys,
              "the keys have gone through tanh already. It cannot be taken ahead: tanh is of the "
              "sum, and the state is not known yet.",
              projected([](const Matrix& H, const Matrix& W_h) -> Matrix {
                  return xt::tanh(matmul(H, W_h));
              }));

MISCONCEPTION(project_keys, keys_transposed,
              "rows and columns have changed places: each column is a key here. A row is a key, as "
              "it is in H.",
              projected([](const Matrix& H, const Matrix& W_h) {
                  return transposed(matmul(H, W_h));
              }));

MISCONCEPTION(project_keys, key_weights_transposed,
              "W_h is transposed. The paper writes W h with h as a column; in this course keys are "
              "rows, and the product is H · W_h.",
              projected([](const Matrix& H, const Matrix& W_h) {
                  return matmul(H, transposed(W_h));
              }));

MISCONCEPTION(project_keys, projected_twice,
              "the keys are projected twice, H · W_h · W_h. Once is asked for, and only where d_h "
              "equals d_a does the second product exist.",
              projected([](const Matrix& H, const Matrix& W_h) {
                  return matmul(matmul(H, W_h), W_h);
              }));

MISCONCEPTION(project_keys, keys_as_they_are,
              "H is returned as it is. The product with W_h is the work that is to be done once "
              "here, not at every step.",
              projected([](const Matrix& H, const Matrix&) { return H; }));

MISCONCEPTION(project_keys, keys_scaled,
              "the keys are divided by √d_a. Nothing is scaled in the additive score: tanh keeps "
              "its terms in bounds.",
              projected([](const Matrix& H, const Matrix& W_h) -> Matrix {
                  return matmul(H, W_h) / std::sqrt(static_cast<double>(W_h.shape(1)));
              }));

// ---- additive_scores_from

template <class Wrong>
auto checked(Wrong wrong) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
        return wrong(S, keys, W_s, v);
    };
}

auto scored_by(PairScore score) {
    return checked([=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
        return each_pair(matmul(S, W_s), keys, v, score);
    });
}

/// The right scores, and something done to them.
auto then(std::function<Matrix(const Matrix& scores, std::size_t d_a)> change) {
    return checked([=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
        return change(each_pair(matmul(S, W_s), keys, v, right_score), v.size());
    });
}

MISCONCEPTION(additive_scores_from, tanh_of_each_from, says_tanh_of_each, scored_by(tanh_of_each));

MISCONCEPTION(additive_scores_from, no_tanh_from, says_no_tanh, scored_by(no_tanh));

MISCONCEPTION(additive_scores_from, v_before_tanh_from, says_tanh_outside, scored_by(tanh_outside));

MISCONCEPTION(additive_scores_from, v_inside_tanh_from, says_v_inside,
              scored_by(sum_of([](double q, double k, double v) {
                  return std::tanh(v * (q + k));
              })));

MISCONCEPTION(additive_scores_from, sum_without_v_from, says_without_v, scored_by(without_v));

MISCONCEPTION(additive_scores_from, tanh_by_exponentials_from, says_by_exponentials,
              scored_by(sum_of([](double q, double k, double v) {
                  const double up = std::exp(q + k), down = std::exp(-q - k);
                  return v * (up - down) / (up + down);
              })));

MISCONCEPTION(additive_scores_from, scaled_by_root_d_a_from, says_scaled,
              then([](const Matrix& scores, std::size_t d_a) -> Matrix {
                  return scores / std::sqrt(static_cast<double>(d_a));
              }));

MISCONCEPTION(additive_scores_from, softmax_already_applied_from, says_softmax,
              then([](const Matrix& scores, std::size_t) { return softmax(scores); }));

MISCONCEPTION(additive_scores_from, transposed_scores_from, says_transposed,
              then([](const Matrix& scores, std::size_t) { return transposed(scores); }));

MISCONCEPTION(additive_scores_from, sum_ends_at_d_s_from, says_stops_at_d_s,
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return each_pair(matmul(S, W_s), keys, v, of_the_first(S.shape(1)));
              }));

MISCONCEPTION(additive_scores_from, states_by_key_from, says_states_by_key,
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return states_by_key(matmul(S, W_s), keys, v);
              }));

MISCONCEPTION(additive_scores_from, squashed_key_and_sum,
              "the key goes through tanh before the state is added, and the sum again. There is "
              "one tanh, that of the sum.",
              scored_by(sum_of([](double q, double k, double v) {
                  return v * std::tanh(q + std::tanh(k));
              })));

MISCONCEPTION(additive_scores_from, first_state_only,
              "every row has the scores of the first state. Each of the states asks by itself: a "
              "row of S makes a row of scores.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  Matrix queries = matmul(S, W_s);
                  for (std::size_t i = 1; i < queries.shape(0); ++i) {
                      xt::view(queries, i, xt::all()) = row(queries, 0);
                  }
                  return each_pair(queries, keys, v, right_score);
              }));

MISCONCEPTION(additive_scores_from, states_left_out,
              "the states are left out: every row is the same, v · tanh(keys). What is left for "
              "every step is S · W_s, and it is added inside the tanh.",
              scored_by(sum_of([](double, double k, double v) { return v * std::tanh(k); })));

MISCONCEPTION(additive_scores_from, states_not_projected,
              "the states are used as they are, without W_s. The keys have been projected before, "
              "but each state is new, and has its projection still to come.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix&, const Vector& v) {
                  if (S.shape(1) != v.size()) {
                      throw std::runtime_error("states and keys differ in size");
                  }
                  return each_pair(S, keys, v, right_score);
              }));

MISCONCEPTION(additive_scores_from, keys_projected_again,
              "the keys are projected a second time, and by the states' weights. They have their "
              "projection already, and are only added.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return each_pair(matmul(S, W_s), matmul(keys, W_s), v, right_score);
              }));

MISCONCEPTION(additive_scores_from, state_weights_transposed,
              "W_s is transposed. The paper writes W s with s as a column; in this course states "
              "are rows, and the product is S · W_s.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return each_pair(matmul(S, transposed(W_s)), keys, v, right_score);
              }));

MISCONCEPTION(additive_scores_from, keys_for_states,
              "the projected keys stand in for the states: the keys ask themselves. The rows "
              "belong to S · W_s.",
              checked([](const Matrix&, const Matrix& keys, const Matrix&, const Vector& v) {
                  return each_pair(keys, keys, v, right_score);
              }));

MISCONCEPTION(additive_scores_from, dot_product_from,
              "this is the dot product of the projected state and key, the multiplicative score. "
              "Here they are added, squashed by tanh and weighed by v.",
              scored_by(sum_of([](double q, double k, double) { return q * k; })));

} // namespace
