// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 02.1 raw_scores

constexpr const char* rows_with_columns =
    "this is Q · K, the product of lesson 01. It pairs the rows of Q with the columns of K, but a "
    "key is a row of K, and what belongs together is row with row.";

MISCONCEPTION(raw_scores, keys_not_transposed, rows_with_columns,
              checked([](const Matrix& Q, const Matrix& K) { return oracle::matmul(Q, K); }));

MISCONCEPTION(raw_scores, loops_of_project, rows_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(0), K.shape(1), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * K(c, j); });
              }));

MISCONCEPTION(raw_scores, key_indices_swapped, rows_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * K(c, j); });
              }));

constexpr const char* columns_with_columns =
    "this is Qᵀ · K. It sums over the rows, and so compares component with component: the result "
    "is (d_k, d_k). Queries and keys are rows, and it is their components that are summed over.";

MISCONCEPTION(raw_scores, components_with_components, columns_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return oracle::matmul(transposed(Q), K);
              }));

MISCONCEPTION(raw_scores, components_with_components_in_loops, columns_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(1), K.shape(1), Q.shape(0),
                                  [&](auto i, auto j, auto c) { return Q(c, i) * K(c, j); });
              }));

WRONG_DOT_PRODUCTS(
    summed_down_the_keys,
    "the products of a query with all keys are summed over axis 0, from key to key, and a sum is "
    "left for each component. A score belongs to a key, and sums over its components: axis 1.",
    [](const Matrix& Q, const Matrix& K) -> Matrix {
        if (K.shape(0) == 1 && K.shape(1) > 1) { // xtensor would write past the end of the row
            throw std::out_of_range("a row of one score has no room for the sums");
        }
        Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            const Matrix products = xt::view(Q, i, xt::all()) * K;
            xt::view(scores, i, xt::all()) = xt::sum(products, {0});
        }
        return scores;
    });

constexpr const char* row_with_same_row =
    "this compares each query with one key alone, the one in the same row. Attention compares "
    "every query with every key: n_queries times n_keys scores.";

MISCONCEPTION(raw_scores, own_key_only, row_with_same_row,
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return xt::sum(Q * K, {1}, xt::keep_dims);
              }));

MISCONCEPTION(raw_scores, own_key_on_the_diagonal, row_with_same_row,
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t c = 0; c < Q.shape(1); ++c) {
                          scores(i, i) += Q(i, c) * K(i, c);
                      }
                  }
                  return scores;
              }));

constexpr const char* keys_never_used =
    "this is Q · Qᵀ: the queries are compared with each other, and K is never looked at.";

MISCONCEPTION(raw_scores, queries_with_queries, keys_never_used,
              checked([](const Matrix& Q, const Matrix&) { return oracle::raw_scores(Q, Q); }));

MISCONCEPTION(raw_scores, queries_with_queries_in_loops, keys_never_used,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * Q(j, c); });
              }));

MISCONCEPTION(raw_scores, keys_first,
              "this is K · Qᵀ: the right numbers, transposed. Row i belongs to query i and holds "
              "its score with each key; the result is (n_queries, n_keys).",
              checked([](const Matrix& Q, const Matrix& K) { return oracle::raw_scores(K, Q); }));

MISCONCEPTION(raw_scores, element_wise_product,
              "this multiplies Q and K element by element. In xtensor * is never the matrix "
              "product; a score is a sum of such products, and there is one for every pair of a "
              "query and a key.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix { return Q * K; }));

MISCONCEPTION(raw_scores, last_product_only,
              "each score is the last of its products, not their sum: = where += is needed.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  const std::size_t last = Q.shape(1) - 1;
                  Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          scores(i, j) = Q(i, last) * K(j, last);
                      }
                  }
                  return scores;
              }));

WRONG_DOT_PRODUCTS(partial_sums_added,
                   "a score is the sum of its partial sums, so that the first product counts as "
                   "often as there are components, and the last once: += of the sum so far stands "
                   "inside the loop over the components. It belongs behind that loop, as =.",
                   [](const Matrix& Q, const Matrix& K) {
                       return in_loops(
                           Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
                               return static_cast<double>(Q.shape(1) - c) * Q(i, c) * K(j, c);
                           });
                   });

MISCONCEPTION(raw_scores, sum_not_reset,
              "each score still holds the sums of those before it. The sum starts at 0 for every "
              "pair: set it inside the loop over the keys.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (std::size_t k = 1; k < scores.size(); ++k) {
                      scores.flat(k) += scores.flat(k - 1);
                  }
                  return scores;
              }));

MISCONCEPTION(
    raw_scores, last_component_left_out,
    "the last component is left out of every score: the loop over d_k ends one too early.",
    checked([](const Matrix& Q, const Matrix& K) -> Matrix {
        return in_loops(
            Q.shape(0), K.shape(0), Q.shape(1) - 1,
            [&](std::size_t i, std::size_t j, std::size_t c) { return Q(i, c) * K(j, c); });
    }));

MISCONCEPTION(raw_scores, cosine_similarity,
              "this is the cosine of the angle, q · k / (‖q‖ ‖k‖). The dot product keeps the "
              "lengths: a longer key scores higher in the same direction, and a longer query makes "
              "sharper differences.",
              checked(cosines));

MISCONCEPTION(raw_scores, negative_squared_distance,
              "this is −‖q − k‖², closeness in space. It is 2 q · k − ‖q‖² − ‖k‖²: it punishes a "
              "key for being long, which the dot product rewards.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          scores(i, j) =
                              2 * scores(i, j) - squared_length(Q, i) - squared_length(K, j);
                      }
                  }
                  return scores;
              }));

MISCONCEPTION(raw_scores, already_scaled,
              "these are scores divided by √d_k. That is the next exercise, 02.2; here they are "
              "wanted raw.",
              checked([](const Matrix& Q, const Matrix& K) {
                  return oracle::scaled_scores(Q, K);
              }));

} // namespace
