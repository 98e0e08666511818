// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "support/at_zero.hpp"
#include "wrong.hpp"

#include <algorithm>

namespace misconceptions_zeros {

using namespace at_zero;
using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

template <class At>
auto raw(At at) {
    return checked([at](M Q, M K) { return product_transposed(Q, K, at); });
}

/// From the raw scores and the root of d_k.
template <class Scaled>
auto scaled(Scaled scores_of) {
    return checked([scores_of](M Q, M K) -> Matrix {
        if (Q.shape(1) == 0) {
            refuse(Q, K);
        }
        return scores_of(Q, K, std::sqrt(static_cast<double>(Q.shape(1))));
    });
}

template <class At>
auto scaled_at(At at) {
    return scaled(
        [at](M Q, M K, double root) -> Matrix { return product_transposed(Q, K, at) / root; });
}

/// Q · Kᵀ, of which each sum ends at the first product that does not change it, or at the first of
/// those that are not 0.
Matrix ended_where_unchanged(M Q, M K, bool unless_0) {
    Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
    for (S i = 0; i < Q.shape(0); ++i) {
        for (S j = 0; j < K.shape(0); ++j) {
            double& sum = scores(i, j);
            for (S c = 0; c < Q.shape(1); ++c) {
                const double term = Q(i, c) * K(j, c);
                if (sum + term == sum && (unless_0 ? term : sum) != 0) {
                    break;
                }
                sum += term;
            }
        }
    }
    return scores;
}

constexpr const char* says_unchanged =
    "the sum ends at a product that does not change it, such as one that is 0, as if those after "
    "it could only be smaller. They may be of any size: add all of them.";
constexpr const char* says_too_small =
    "the sum ends at the first product that is too small to change it, as if those after it could "
    "only be smaller, too. They may be of any size, and a large one may follow: add all of them.";

// ---- 02.1 raw_scores

MISCONCEPTION(raw_scores, sum_ends_at_zero_in_query,
              "the sum ends at a component of the query that is 0: break where continue was meant. "
              "A 0 adds nothing, and what comes after it counts.",
              raw(end_at_zero_left));
MISCONCEPTION(raw_scores, sum_ends_at_zero_in_key,
              "the sum ends at a component of the key that is 0: break where continue was meant. A "
              "0 adds nothing, and what comes after it counts.",
              raw(end_at_zero_right));
MISCONCEPTION(raw_scores, sum_ends_at_zero_product,
              "the sum ends at a product that is 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              raw(end_at_zero_product));
MISCONCEPTION(raw_scores, sum_ends_where_it_does_not_change, says_unchanged,
              checked([](M Q, M K) { return ended_where_unchanged(Q, K, false); }));
WRONG_DOT_PRODUCTS(sum_ends_at_a_product_too_small_to_change_it, says_too_small,
                   [](M Q, M K) { return ended_where_unchanged(Q, K, true); });
MISCONCEPTION(raw_scores, query_that_begins_with_zero_skipped,
              "a query whose first component is 0 is taken for padding, and its scores stay 0. A 0 "
              "is a number like any other.",
              raw(skip_row_that_begins_with_zero));
MISCONCEPTION(raw_scores, key_that_begins_with_zero_skipped,
              "a key whose first component is 0 is taken for padding, and its scores stay 0. A 0 "
              "is a number like any other.",
              raw(skip_column_that_begins_with_zero));

MISCONCEPTION(raw_scores, later_keys_only,
              "a query is compared with its own key and the later ones only, and the rest stays 0: "
              "the loop over the keys starts at i. It starts at 0: every query, every key.",
              checked([](M Q, M K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i < scores.shape(0); ++i) {
                      for (S j = 0; j < std::min(i, scores.shape(1)); ++j) {
                          scores(i, j) = 0;
                      }
                  }
                  return scores;
              }));
MISCONCEPTION(raw_scores, not_with_its_own_key,
              "query i is not compared with key i: the diagonal is 0. A position may well find "
              "itself: every query, every key.",
              checked([](M Q, M K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i < std::min(scores.shape(0), scores.shape(1)); ++i) {
                      scores(i, i) = 0;
                  }
                  return scores;
              }));
MISCONCEPTION(raw_scores, components_backwards,
              "component c of a query is multiplied with component d_k - 1 - c of a key. Each is "
              "multiplied with its own: Q(i, c) * K(j, c).",
              checked([](M Q, M K) -> Matrix {
                  const Matrix backwards = xt::flip(K, 1);
                  return oracle::raw_scores(Q, backwards);
              }));
MISCONCEPTION(raw_scores, negatives_cut_off,
              "scores below 0 have become 0. A score may be negative: query and key point away "
              "from each other.",
              checked([](M Q, M K) -> Matrix {
                  return xt::maximum(oracle::raw_scores(Q, K), 0.0);
              }));
MISCONCEPTION(raw_scores, last_key_everywhere,
              "every query is compared with the last key only: a K that is overwritten in a loop, "
              "or an index that stands still. Key j is row j of K.",
              checked([](M Q, M K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto, auto c) {
                      return Q(i, c) * K(K.shape(0) - 1, c);
                  });
              }));
MISCONCEPTION(raw_scores, first_product_only,
              "each score is the first of its products, not their sum. Does a break or a return "
              "stand inside the innermost loop?",
              checked([](M Q, M K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), 1,
                                  [&](auto i, auto j, auto) { return Q(i, 0) * K(j, 0); });
              }));
MISCONCEPTION(raw_scores, every_second_product,
              "every second product is left out: does c grow by 2?",
              checked([](M Q, M K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
                      return c % 2 == 0 ? Q(i, c) * K(j, c) : 0;
                  });
              }));
MISCONCEPTION(raw_scores, product_of_the_sums,
              "the components of a query and of a key are summed first, and the two sums "
              "multiplied. It is the other way round: multiply, and sum the products.",
              checked([](M Q, M K) -> Matrix {
                  const Matrix of_queries = xt::sum(Q, {1}, xt::keep_dims);
                  const Matrix of_keys = xt::sum(K, {1}, xt::keep_dims);
                  return oracle::raw_scores(of_queries, of_keys);
              }));

// ---- 02.2 scaled_scores

MISCONCEPTION(scaled_scores, sum_ends_at_zero_in_query,
              "the sum ends at a component of the query that is 0: break where continue was meant. "
              "A 0 adds nothing, and what comes after it counts.",
              scaled_at(end_at_zero_left));
MISCONCEPTION(scaled_scores, sum_ends_at_zero_in_key,
              "the sum ends at a component of the key that is 0: break where continue was meant. A "
              "0 adds nothing, and what comes after it counts.",
              scaled_at(end_at_zero_right));
MISCONCEPTION(scaled_scores, sum_ends_at_zero_product,
              "the sum ends at a product that is 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              scaled_at(end_at_zero_product));
MISCONCEPTION(scaled_scores, sum_ends_where_it_does_not_change, says_unchanged,
              scaled([](M Q, M K, double root) -> Matrix {
                  return ended_where_unchanged(Q, K, false) / root;
              }));
MISCONCEPTION(scaled_scores, scaling_ends_at_zero,
              "the scaling ends at a score of 0: what comes after it in its row is not divided. A "
              "score of 0 is one like any other.",
              scaled([](M Q, M K, double root) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i < scores.shape(0); ++i) {
                      for (S j = 0; j < scores.shape(1) && scores(i, j) != 0; ++j) {
                          scores(i, j) /= root;
                      }
                  }
                  return scores;
              }));
MISCONCEPTION(scaled_scores, single_key_not_scaled,
              "the scores of a single key are not divided. However many keys there are, a score is "
              "divided by √d_k.",
              scaled([](M Q, M K, double root) -> Matrix {
                  return oracle::raw_scores(Q, K) / (K.shape(0) == 1 ? 1 : root);
              }));
MISCONCEPTION(scaled_scores, single_query_not_scaled,
              "the scores of a single query are not divided. However many queries there are, a "
              "score is divided by √d_k.",
              scaled([](M Q, M K, double root) -> Matrix {
                  return oracle::raw_scores(Q, K) / (Q.shape(0) == 1 ? 1 : root);
              }));
MISCONCEPTION(scaled_scores, negatives_cut_off,
              "scores below 0 have become 0. A score may be negative: query and key point away "
              "from each other.",
              scaled([](M Q, M K, double root) -> Matrix {
                  return xt::maximum(oracle::raw_scores(Q, K), 0.0) / root;
              }));
MISCONCEPTION(scaled_scores, signs_lost,
              "all scores are positive: a root of a square, or std::abs. A score may be negative.",
              scaled([](M Q, M K, double root) -> Matrix {
                  return xt::abs(oracle::raw_scores(Q, K)) / root;
              }));
MISCONCEPTION(scaled_scores, first_key_only,
              "only the first column is divided: the division stands outside the loop over the "
              "keys, or has the index 0.",
              scaled([](M Q, M K, double root) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i < scores.shape(0); ++i) {
                      scores(i, 0) /= root;
                  }
                  return scores;
              }));
MISCONCEPTION(scaled_scores, last_key_not_scaled,
              "the last column is not divided: the loop that divides ends one too early.",
              scaled([](M Q, M K, double root) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i < scores.shape(0); ++i) {
                      for (S j = 0; j + 1 < scores.shape(1); ++j) {
                          scores(i, j) /= root;
                      }
                  }
                  return scores;
              }));
MISCONCEPTION(scaled_scores, last_query_not_scaled,
              "the last row is not divided: the loop that divides ends one too early.",
              scaled([](M Q, M K, double root) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i + 1 < scores.shape(0); ++i) {
                      for (S j = 0; j < scores.shape(1); ++j) {
                          scores(i, j) /= root;
                      }
                  }
                  return scores;
              }));
MISCONCEPTION(scaled_scores, divided_again_for_each_key,
              "the first score of a row is divided once, the second twice, and so on: the factor "
              "grows within the loop. All are divided by the same √d_k.",
              scaled([](M Q, M K, double root) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (S i = 0; i < scores.shape(0); ++i) {
                      double divisor = 1;
                      for (S j = 0; j < scores.shape(1); ++j) {
                          divisor *= root;
                          scores(i, j) /= divisor;
                      }
                  }
                  return scores;
              }));

} // namespace

} // namespace misconceptions_zeros
