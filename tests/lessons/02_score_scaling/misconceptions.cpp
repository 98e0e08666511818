// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include <cmath>
#include <random>

#include "exports.hpp"
#include "support/oracle.hpp"

using lesson::Matrix;
using lesson::Moments;

namespace {

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

double squared_length(const Matrix& A, std::size_t row) {
    double sum = 0;
    for (std::size_t c = 0; c < A.shape(1); ++c) {
        sum += A(row, c) * A(row, c);
    }
    return sum;
}

Matrix cosines(const Matrix& Q, const Matrix& K) {
    Matrix scores = oracle::raw_scores(Q, K);
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            scores(i, j) /= std::sqrt(squared_length(Q, i) * squared_length(K, j));
        }
    }
    return scores;
}

// ---- 02.1 raw_scores

/// A wrong function behind the check that stands in the stub, as a learner's is: without it the two
/// would part on shapes that do not fit.
template <class Wrong>
auto checked(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K) -> Matrix {
        if (Q.shape(1) != K.shape(1)) {
            throw std::invalid_argument("Q and K differ in d_k");
        }
        return wrong(Q, K);
    };
}

/// Plain loops with a term of the learner's. They are written out, and not as a product, because
/// they run or fail where a learner's would: a term may read what is not there.
template <class Term>
Matrix in_loops(std::size_t n_rows, std::size_t n_columns, std::size_t n_terms, Term term) {
    Matrix result = xt::zeros<double>({n_rows, n_columns});
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n_columns; ++j) {
            for (std::size_t c = 0; c < n_terms; ++c) {
                result(i, j) += term(i, j, c);
            }
        }
    }
    return result;
}

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

// ---- 02.2 scaled_scores

/// The part of the stub's check that the oracle does not make.
void require_components(const Matrix& Q) {
    if (Q.shape(1) == 0) {
        throw std::invalid_argument("d_k is 0");
    }
}

/// The raw scores times a factor.
template <class Factor>
auto raw_times(Factor factor) {
    return [factor](const Matrix& Q, const Matrix& K) -> Matrix {
        require_components(Q);
        return oracle::raw_scores(Q, K) * factor(Q, K);
    };
}

double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

MISCONCEPTION(scaled_scores, not_scaled,
              "these are the raw scores: nothing was divided, or it was divided by 1. "
              "(std::pow(d_k, 1/2) is 1, because 1/2 is a division of integers and gives 0.)",
              raw_times([](const Matrix&, const Matrix&) { return 1.0; }));

MISCONCEPTION(scaled_scores, divided_by_d_k,
              "this divides by d_k, not by its root; dividing both Q and K by √d_k comes to the "
              "same. The variance is what grows like d_k, and dividing by c divides a variance by "
              "c²: with d_k the scores shrink towards 0 as d_k grows.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / static_cast<double>(Q.shape(1));
              }));

MISCONCEPTION(scaled_scores, multiplied,
              "this multiplies by √d_k. The scores are too widely spread already; they have to be "
              "divided.",
              raw_times([](const Matrix& Q, const Matrix&) { return root(Q.shape(1)); }));

MISCONCEPTION(scaled_scores, root_of_n_keys,
              "this divides by √n_keys, the number of rows of K. However many keys there are, no "
              "single score gets larger; what is summed in a score is d_k products.",
              raw_times([](const Matrix&, const Matrix& K) { return 1 / root(K.shape(0)); }));

MISCONCEPTION(scaled_scores, root_of_n_queries,
              "this divides by √n_queries, the number of rows of Q. However many queries there "
              "are, no single score gets larger; what is summed in a score is d_k products.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(Q.shape(0)); }));

MISCONCEPTION(scaled_scores, root_of_size,
              "this divides by the root of the number of all elements of Q: size() is rows times "
              "columns. d_k is the number of columns alone.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(Q.size()); }));

MISCONCEPTION(scaled_scores, integer_root,
              "the root was cut to a whole number, so that √2 and √3 became 1, and √5 became 2. An "
              "integer type holds it somewhere; it has to stay a double.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::floor(root(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, lengths_instead_of_root,
              "this divides each score by the lengths of its query and key, which makes it a "
              "cosine between −1 and 1. √d_k is one number for all scores, known before any query "
              "is; it leaves a long key its advantage.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  require_components(Q);
                  return cosines(Q, K);
              });

MISCONCEPTION(scaled_scores, measured_deviation,
              "this divides by the standard deviation of these very scores. Then a score depends "
              "on all the others, and scores that are all alike are blown up. √d_k is what the "
              "standard deviation should be, known before any score is.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  require_components(Q);
                  const Matrix scores = oracle::raw_scores(Q, K);
                  return scores / xt::stddev(scores)();
              });

} // namespace
