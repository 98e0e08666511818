// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong.hpp"

#include <algorithm>

using namespace wrong;

namespace {

// ---- 02.1 raw_scores: what goes wrong in three loops

MISCONCEPTION(raw_scores, query_indices_swapped,
              "the indices of Q are swapped: Q(c, i) walks down a column, through the queries. "
              "Query i is row i, Q(i, c).",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(c, i) * K(j, c); });
              }));

MISCONCEPTION(
    raw_scores, written_to_the_wrong_place,
    "the score of query i with key j is stored at (j, i). Row i of the result belongs to query i.",
    checked([](const Matrix& Q, const Matrix& K) -> Matrix {
        Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                for (std::size_t c = 0; c < Q.shape(1); ++c) {
                    scores(j, i) += Q(i, c) * K(j, c);
                }
            }
        }
        return scores;
    }));

MISCONCEPTION(raw_scores, element_wise_in_loops,
              "this multiplies Q and K element by element, Q(i, j) * K(i, j). A score sums over "
              "all components: a third loop.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), 1,
                                  [&](auto i, auto j, auto) { return Q(i, j) * K(i, j); });
              }));

MISCONCEPTION(raw_scores, reshaped_keys,
              "K is reshaped to (d_k, n_keys), which keeps all numbers in their order and cuts the "
              "rows elsewhere: a column of it is no key. A transposition exchanges rows and "
              "columns, and here none is needed: read the rows of K.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix columns = K;
                  columns.reshape({K.shape(1), K.shape(0)});
                  return oracle::matmul(Q, columns);
              }));

MISCONCEPTION(raw_scores, upper_half_mirrored,
              "what lies below the diagonal is copied from above it, as if the score of query i "
              "with key j were that of query j with key i. It is so only where Q and K are the "
              "same: compute every pair.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (std::size_t i = 0; i < scores.shape(0); ++i) {
                      for (std::size_t j = 0; j < std::min(i, scores.shape(1)); ++j) {
                          const bool mirrored = i < scores.shape(1) && j < scores.shape(0);
                          scores(i, j) = mirrored ? scores(j, i) : 0;
                      }
                  }
                  return scores;
              }));

MISCONCEPTION(raw_scores, products_in_whole_numbers,
              "each product is cut to a whole number before it is added. Sum in a double.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
                      return std::trunc(Q(i, c) * K(j, c));
                  });
              }));

/// Only the products before end(d_k).
template <class End>
auto products_before(End end) {
    return [=](const Matrix& Q, const Matrix& K) -> Matrix {
        return in_loops(Q.shape(0), K.shape(0), end(Q.shape(1)),
                        [&](auto i, auto j, auto c) { return Q(i, c) * K(j, c); });
    };
}

auto whole_blocks_of(std::size_t size) {
    return products_before([=](std::size_t d_k) { return d_k / size * size; });
}

constexpr const char* lost_products =
    "the sum goes in blocks, and the products that are left over where d_k is no multiple of a "
    "block are lost. Add a loop for the rest.";

WRONG_DOT_PRODUCTS(products_past_blocks_of_2_lost, lost_products, whole_blocks_of(2));
WRONG_DOT_PRODUCTS(products_past_blocks_of_4_lost, lost_products, whole_blocks_of(4));
WRONG_DOT_PRODUCTS(products_past_blocks_of_8_lost, lost_products, whole_blocks_of(8));

/// Without the last block where nothing is left over.
auto without_the_last_block_of(std::size_t size) {
    return products_before([=](std::size_t d_k) { return d_k % size == 0 ? d_k - size : d_k; });
}

constexpr const char* lost_block =
    "the sum goes in blocks, and where d_k is a multiple of a block the last of them is lost. Does "
    "the loop run while c + 4 < d_k, or the like? A whole block is left there, too: <=.";

WRONG_DOT_PRODUCTS(last_block_of_2_lost, lost_block, without_the_last_block_of(2));
WRONG_DOT_PRODUCTS(last_block_of_4_lost, lost_block, without_the_last_block_of(4));
WRONG_DOT_PRODUCTS(last_block_of_8_lost, lost_block, without_the_last_block_of(8));
WRONG_DOT_PRODUCTS(last_block_of_16_lost, lost_block, without_the_last_block_of(16));

MISCONCEPTION(raw_scores, own_key_for_all,
              "each query is compared with the key of its own row in every column, K(i, c). Column "
              "j belongs to key j: K(j, c).",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto, auto c) { return Q(i, c) * K(i, c); });
              }));

MISCONCEPTION(raw_scores, own_query_for_all,
              "column j holds what query j scores with key j, Q(j, c), in every row. Row i belongs "
              "to query i: Q(i, c).",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto, auto j, auto c) { return Q(j, c) * K(j, c); });
              }));

MISCONCEPTION(raw_scores, keys_with_keys,
              "this is K · Kᵀ: the keys are compared with each other, and Q is never looked at.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return K(i, c) * K(j, c); });
              }));

MISCONCEPTION(raw_scores, first_key_everywhere,
              "every query is compared with key 0 alone: K(0, c) where K(j, c) is meant.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto, auto c) { return Q(i, c) * K(0, c); });
              }));

MISCONCEPTION(raw_scores, first_query_everywhere,
              "every row holds the scores of query 0: Q(0, c) where Q(i, c) is meant.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto, auto j, auto c) { return Q(0, c) * K(j, c); });
              }));

MISCONCEPTION(raw_scores, first_component_left_out,
              "the first component is left out of every score. Indices count from 0.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(
                      Q.shape(0), K.shape(0), Q.shape(1) - 1,
                      [&](auto i, auto j, auto c) { return Q(i, c + 1) * K(j, c + 1); });
              }));

MISCONCEPTION(raw_scores, one_query_component,
              "the query component does not change in the innermost loop, Q(i, j). Both change "
              "together: Q(i, c) and K(j, c).",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, j) * K(j, c); });
              }));

MISCONCEPTION(
    raw_scores, summed_over_keys,
    "the innermost loop ends at the number of keys. It goes over the components, d_k: the columns.",
    checked([](const Matrix& Q, const Matrix& K) -> Matrix {
        return in_loops(Q.shape(0), K.shape(0), K.shape(0),
                        [&](auto i, auto j, auto c) { return Q(i, c) * K(j, c); });
    }));

MISCONCEPTION(raw_scores, as_many_keys_as_queries,
              "the result has a column for each query, not for each key: the loop over the keys "
              "ends at the number of queries.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), Q.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * K(j, c); });
              }));

MISCONCEPTION(raw_scores, added_in_place_of_multiplied,
              "the components are added, Q(i, c) + K(j, c). They are multiplied, and the products "
              "are added up.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) + K(j, c); });
              }));

MISCONCEPTION(raw_scores, absolute_distance,
              "this is the sum of the absolute differences of the components. A distance is small "
              "where vectors are alike; a dot product is large.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
                      return std::abs(Q(i, c) - K(j, c));
                  });
              }));

MISCONCEPTION(
    raw_scores, squared_distance,
    "this is ‖q − k‖². A distance is small where vectors are alike; a dot product is large.",
    checked([](const Matrix& Q, const Matrix& K) -> Matrix {
        return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
            return (Q(i, c) - K(j, c)) * (Q(i, c) - K(j, c));
        });
    }));

/// A change to the right scores, one by one.
template <class Change>
auto each_score(Change change) {
    return [change](const Matrix& Q, const Matrix& K) -> Matrix {
        Matrix scores = oracle::raw_scores(Q, K);
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                scores(i, j) = change(scores(i, j), i, j, Q, K);
            }
        }
        return scores;
    };
}

MISCONCEPTION(
    raw_scores, distance,
    "this is the distance ‖q − k‖. It is small where vectors are alike; a dot product is large.",
    checked(each_score([](double score, std::size_t i, std::size_t j, const Matrix& Q,
                          const Matrix& K) -> double {
        return std::sqrt(std::max(0.0, squared_length(Q, i) + squared_length(K, j) - 2 * score));
    })));

MISCONCEPTION(raw_scores, mean_of_the_products,
              "each score is divided by d_k: the mean of the products. A dot product is their sum.",
              checked(each_score([](double score, std::size_t, std::size_t, const Matrix& Q,
                                    const Matrix&) -> double {
                  return score / static_cast<double>(Q.shape(1));
              })));

MISCONCEPTION(raw_scores, squared,
              "each score is squared, which loses its sign: a key that points the opposite way is "
              "made to match.",
              checked(each_score([](double score, std::size_t, std::size_t, const Matrix&,
                                    const Matrix&) -> double { return score * score; })));

MISCONCEPTION(raw_scores, subtracted,
              "the products are subtracted: the signs are all turned around. += adds.",
              checked(each_score([](double score, std::size_t, std::size_t, const Matrix&,
                                    const Matrix&) -> double { return -score; })));

MISCONCEPTION(raw_scores, starts_at_one,
              "every score is 1 too large: a sum starts at 0, xt::zeros, not xt::ones.",
              checked(each_score([](double score, std::size_t, std::size_t, const Matrix&,
                                    const Matrix&) -> double { return score + 1; })));

MISCONCEPTION(raw_scores, cut_to_a_whole_number,
              "the scores are cut to whole numbers once they are summed. An integer type holds "
              "them somewhere; they have to stay double.",
              checked(each_score([](double score, std::size_t, std::size_t, const Matrix&,
                                    const Matrix&) -> double { return std::trunc(score); })));

MISCONCEPTION(
    raw_scores, never_reaches_the_result,
    "every score is 0: what the loops compute never reaches the result. Is a variable declared a "
    "second time inside a loop, or multiplied, *=, where it should be added to?",
    checked(each_score([](double score, std::size_t, std::size_t, const Matrix&,
                          const Matrix&) -> double { return 0 * score; })));

MISCONCEPTION(raw_scores, last_key_left_out,
              "the last column stays 0: the loop over the keys ends one too early.",
              checked(each_score([](double score, std::size_t, std::size_t j, const Matrix&,
                                    const Matrix& K) -> double {
                  return j + 1 == K.shape(0) ? 0 : score;
              })));

MISCONCEPTION(raw_scores, last_query_left_out,
              "the last row stays 0: the loop over the queries ends one too early.",
              checked(each_score([](double score, std::size_t i, std::size_t, const Matrix& Q,
                                    const Matrix&) -> double {
                  return i + 1 == Q.shape(0) ? 0 : score;
              })));

MISCONCEPTION(raw_scores, first_query_only,
              "only the first row is there, the others are 0. Does a return stand inside the loop "
              "over the queries?",
              checked(each_score([](double score, std::size_t i, std::size_t, const Matrix&,
                                    const Matrix&) -> double { return i > 0 ? 0 : score; })));

MISCONCEPTION(
    raw_scores, first_element_only,
    "only the first score is there, the others are 0. Does a return stand inside the loops?",
    checked(each_score([](double score, std::size_t i, std::size_t j, const Matrix&,
                          const Matrix&) -> double { return i + j > 0 ? 0 : score; })));

MISCONCEPTION(
    raw_scores, earlier_keys_only,
    "the scores with later keys stay 0: the loop over the keys ends at the query's own position. "
    "What a position may see is the subject of lesson 05; here every query meets every key.",
    checked(each_score([](double score, std::size_t i, std::size_t j, const Matrix&,
                          const Matrix&) -> double { return j > i ? 0 : score; })));

MISCONCEPTION(raw_scores, sum_reset_for_each_query_only,
              "each score still holds those before it in its row. The sum starts at 0 for every "
              "pair: set it inside the loop over the keys.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (std::size_t i = 0; i < scores.shape(0); ++i) {
                      for (std::size_t j = 1; j < scores.shape(1); ++j) {
                          scores(i, j) += scores(i, j - 1);
                      }
                  }
                  return scores;
              }));

MISCONCEPTION(
    raw_scores, integer_sum,
    "the sum is kept in an integer, which drops the fraction at every step. Either it is declared "
    "so (auto sum = 0 is an int), or it happens unseen: in std::inner_product(first, last, other, "
    "0) the type of the 0 is the type of the sum. Let it be a double, and begin with 0.0.",
    checked([](const Matrix& Q, const Matrix& K) -> Matrix {
        Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                for (std::size_t c = 0; c < Q.shape(1); ++c) {
                    scores(i, j) = std::trunc(scores(i, j) + Q(i, c) * K(j, c));
                }
            }
        }
        return scores;
    }));

MISCONCEPTION(raw_scores, sizes_of_the_products,
              "the sizes of the products are summed, without their signs. A component in which "
              "query and key point opposite ways counts against the others.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
                      return std::abs(Q(i, c) * K(j, c));
                  });
              }));

MISCONCEPTION(raw_scores, largest_product,
              "each score is the largest of its products, not their sum.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          scores(i, j) = xt::amax(xt::row(Q, static_cast<std::ptrdiff_t>(i)) *
                                                  xt::row(K, static_cast<std::ptrdiff_t>(j)))();
                      }
                  }
                  return scores;
              }));

/// The dot products, divided by some of the lengths.
auto divided_by_lengths(bool of_queries, bool of_keys) {
    return checked([=](const Matrix& Q, const Matrix& K) -> Matrix {
        Matrix scores = oracle::raw_scores(Q, K);
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                scores(i, j) /= std::sqrt((of_queries ? squared_length(Q, i) : 1) *
                                          (of_keys ? squared_length(K, j) : 1));
            }
        }
        return scores;
    });
}

MISCONCEPTION(raw_scores, keys_of_length_one,
              "each key is divided by its length first. The dot product keeps the lengths: a "
              "longer key scores higher in the same direction.",
              divided_by_lengths(false, true));

MISCONCEPTION(raw_scores, queries_of_length_one,
              "each query is divided by its length first. The dot product keeps the lengths: a "
              "longer query makes sharper differences.",
              divided_by_lengths(true, false));

} // namespace
