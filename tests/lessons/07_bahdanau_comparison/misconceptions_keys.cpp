// Wrong versions of 07.2, whose scores go wrong as those of 07.1 do.

#include <numeric>

#include "wrong.hpp"

namespace misconceptions_keys {

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

MISCONCEPTION(additive_scores_from, tanh_of_the_state_from, says_tanh_of_the_state,
              scored_by(tanh_of_the_state));

MISCONCEPTION(additive_scores_from, no_tanh_from, says_no_tanh, scored_by(no_tanh));

MISCONCEPTION(additive_scores_from, tanh_of_the_half_from,
              "tanh is taken of half the sum, as of a mean of state and key, or as 2 / (1 + "
              "exp(−x)) − 1 comes to. They are added: tanh(x) is 2 / (1 + exp(−2x)) − 1.",
              scored_by(sum_of([](double q, double k, double v) {
                  return v * std::tanh((q + k) / 2);
              })));

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

MISCONCEPTION(
    additive_scores_from, keys_not_given_back,
    "right, but after a large state: each is added to one copy of the keys and then taken "
    "away again, and what was rounded away beside it is missing for the states after it. "
    "Keep the keys as they are, and add where the sum is used.",
    checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
        const Matrix queries = matmul(S, W_s);
        Matrix work = keys;
        Matrix scores = Matrix::from_shape({S.shape(0), keys.shape(0)});
        for (std::size_t i = 0; i < S.shape(0); ++i) {
            const Vector query = xt::view(queries, i, xt::all());
            work += query;
            for (std::size_t j = 0; j < keys.shape(0); ++j) {
                scores(i, j) = 0;
                for (std::size_t a = 0; a < v.size(); ++a) {
                    scores(i, j) += v(a) * std::tanh(work(j, a));
                }
            }
            work -= query;
        }
        return scores;
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

MISCONCEPTION(additive_scores_from, first_state_only, says_first_state,
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

constexpr const char* says_states_not_projected =
    "the states are used as they are, without W_s. The keys have been projected before, but each "
    "state is new, and has its projection still to come.";

MISCONCEPTION(additive_scores_from, states_not_projected, says_states_not_projected,
              checked([](const Matrix& S, const Matrix& keys, const Matrix&, const Vector& v) {
                  if (S.shape(1) != v.size()) {
                      throw std::runtime_error("states and keys differ in size");
                  }
                  return each_pair(S, keys, v, right_score);
              }));

// In loops over d_a, which a state of more components than that survives.
MISCONCEPTION(additive_scores_from, states_not_projected_in_loops, says_states_not_projected,
              checked([](const Matrix& S, const Matrix& keys, const Matrix&, const Vector& v) {
                  if (S.shape(1) < v.size()) {
                      throw std::runtime_error("an index is out of range");
                  }
                  const Matrix states = xt::view(S, xt::all(), xt::range(0, v.size()));
                  return each_pair(states, keys, v, right_score);
              }));

MISCONCEPTION(additive_scores_from, keys_projected_again,
              "the keys are projected a second time, and by the states' weights. They have their "
              "projection already, and are only added.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return each_pair(matmul(S, W_s), matmul(keys, W_s), v, right_score);
              }));

MISCONCEPTION(additive_scores_from, keys_projected_again_where_that_fits,
              "where keys have as many components as states, they are projected a second time, and "
              "by the states' weights. They have their projection already, and are only added.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  const bool fits = keys.shape(1) == W_s.shape(0);
                  return each_pair(matmul(S, W_s), fits ? matmul(keys, W_s) : keys, v, right_score);
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

MISCONCEPTION(
    additive_scores_from, component_not_reset,
    "a component of the projected state includes those before it: its sum does not start at "
    "0 for every component. Declare it inside the loop over the components.",
    scored_by([](const Vector& q, const Vector& k, const Vector& v) {
        double sum = 0, component = 0;
        for (std::size_t a = 0; a < v.size(); ++a) {
            component += q(a);
            sum += v(a) * std::tanh(component + k(a));
        }
        return sum;
    }));

MISCONCEPTION(additive_scores_from, sum_not_reset_from, says_not_reset,
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return sum_carried_over(matmul(S, W_s), keys, v, false);
              }));

MISCONCEPTION(additive_scores_from, sum_not_reset_in_a_row_from, says_not_reset_in_a_row,
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return sum_carried_over(matmul(S, W_s), keys, v, true);
              }));

MISCONCEPTION(additive_scores_from, sum_in_whole_numbers_from, says_whole_numbers,
              scored_by(in_whole_numbers));

MISCONCEPTION(additive_scores_from, last_component_only_from, says_last_component,
              scored_by(last_component));

MISCONCEPTION(additive_scores_from, last_component_left_out_from, says_one_short,
              scored_by([](const Vector& q, const Vector& k, const Vector& v) {
                  return of_the_first(v.size() - 1)(q, k, v);
              }));

MISCONCEPTION(additive_scores_from, scores_of_the_first_key_from, says_first_key,
              then([](const Matrix& scores, std::size_t) {
                  return transposed(first_row_everywhere(transposed(scores)));
              }));

MISCONCEPTION(additive_scores_from, product_inside_tanh_from, says_product_inside,
              scored_by(product_inside));

MISCONCEPTION(additive_scores_from, difference_inside_tanh_from,
              "the key is subtracted from the state inside the tanh. The two are added.",
              scored_by(sum_of([](double q, double k, double v) { return v * std::tanh(q - k); })));

MISCONCEPTION(additive_scores_from, v_added_from,
              "v is added to the tanh, not multiplied with it: it is then the same amount for "
              "every pair. The score is the dot product of v and the tanh.",
              scored_by(sum_of([](double q, double k, double v) { return v + std::tanh(q + k); })));

MISCONCEPTION(additive_scores_from, mean_over_components_from,
              "the components are averaged: the sum is divided by d_a. v · tanh(…) is a plain sum, "
              "and v can learn to be small where that is needed.",
              then([](const Matrix& scores, std::size_t d_a) -> Matrix {
                  return scores / static_cast<double>(d_a);
              }));

MISCONCEPTION(additive_scores_from, keys_left_out,
              "the keys are left out: every score of a row is the same, and attention cannot "
              "choose. The projected key is to be added inside the tanh.",
              scored_by(sum_of([](double q, double, double v) { return v * std::tanh(q); })));

MISCONCEPTION(additive_scores_from, projected_element_by_element_from,
              "the states are multiplied with W_s element by element, where that runs at all. In "
              "xtensor * is never the matrix product.",
              checked([](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  return each_pair(Matrix(S * W_s), keys, v, right_score);
              }));

// ---- project_keys, continued

MISCONCEPTION(
    project_keys, keys_element_by_element,
    "H and W_h are multiplied element by element, where that runs at all: in xtensor * is "
    "never the matrix product. That pairs a row of H with a column of W_h, and sums.",
    projected([](const Matrix& H, const Matrix& W_h) -> Matrix { return H * W_h; }));

MISCONCEPTION(
    project_keys, keys_element_by_element_where_that_fits,
    "where H and W_h have one shape, they are multiplied element by element: in xtensor * is never "
    "the matrix product. That pairs a row of H with a column of W_h, and sums.",
    projected([](const Matrix& H, const Matrix& W_h) -> Matrix {
        return H.shape() == W_h.shape() ? Matrix(H * W_h) : matmul(H, W_h);
    }));

MISCONCEPTION(project_keys, unit_diagonal_for_the_identity,
              "a square W_h with ones on its diagonal is taken for the identity, and the keys are "
              "returned as they are. Beside the diagonal there may be other numbers than 0: "
              "multiply.",
              projected([](const Matrix& H, const Matrix& W_h) -> Matrix {
                  bool identity = W_h.shape(0) == W_h.shape(1);
                  for (std::size_t c = 0; identity && c < W_h.shape(0); ++c) {
                      identity = W_h(c, c) == 1;
                  }
                  return identity ? H : matmul(H, W_h);
              }));

MISCONCEPTION(
    project_keys, first_key_everywhere,
    "every row has the projection of the first key. Each key, each row of H, has its own.",
    projected([](const Matrix& H, const Matrix& W_h) {
        return first_row_everywhere(matmul(H, W_h));
    }));

MISCONCEPTION(
    project_keys, keys_in_whole_numbers,
    "the sum of the products is kept in whole numbers, as by auto sum = 0 or std::inner_product(…, "
    "0), which drops the fraction at every step. Let it be a double, and begin with 0.0.",
    projected([](const Matrix& H, const Matrix& W_h) {
        Matrix keys = xt::zeros<double>({H.shape(0), W_h.shape(1)});
        for (std::size_t i = 0; i < H.shape(0); ++i) {
            for (std::size_t a = 0; a < W_h.shape(1); ++a) {
                for (std::size_t c = 0; c < H.shape(1); ++c) {
                    keys(i, a) = std::trunc(keys(i, a) + H(i, c) * W_h(c, a));
                }
            }
        }
        return keys;
    }));

MISCONCEPTION(project_keys, last_product_only,
              "only the last product counts: each overwrites the one before. They are added up "
              "(+=).",
              projected([](const Matrix& H, const Matrix& W_h) {
                  const std::size_t last = H.shape(1) - 1;
                  Matrix keys = Matrix::from_shape({H.shape(0), W_h.shape(1)});
                  for (std::size_t i = 0; i < H.shape(0); ++i) {
                      xt::view(keys, i, xt::all()) = H(i, last) * row(W_h, last);
                  }
                  return keys;
              }));

MISCONCEPTION(
    project_keys, key_sum_not_reset,
    "each element includes those before it: the sum over the products does not start at 0 "
    "for every one. Declare it inside the two loops.",
    projected([](const Matrix& H, const Matrix& W_h) {
        Matrix keys = matmul(H, W_h);
        std::partial_sum(keys.begin(), keys.end(), keys.begin());
        return keys;
    }));

MISCONCEPTION(project_keys, last_product_left_out,
              "the sum stops one product short: the last component of H is left out. A loop runs "
              "while c < d_h.",
              projected([](const Matrix& H, const Matrix& W_h) {
                  const std::size_t last = H.shape(1) - 1;
                  return matmul(Matrix(xt::view(H, xt::all(), xt::range(0, last))),
                                Matrix(xt::view(W_h, xt::range(0, last), xt::all())));
              }));

} // namespace

} // namespace misconceptions_keys
