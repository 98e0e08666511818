// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "support/oracle.hpp"

namespace misconceptions_qkv {

using lesson::Matrix;
using lesson::QKV;

namespace {

// ---- 01.2 compute_qkv

MISCONCEPTION(compute_qkv, one_weight_for_queries_and_keys,
              "queries and keys both come from W_q. Each has a weight of its own: what a position "
              "looks for need not be what it can be found by.",
              [](const Matrix& X, const Matrix& W_q, const Matrix&, const Matrix& W_v) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_q), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, key_weight_for_queries,
              "queries and keys both come from W_k; the queries have a weight of their own, W_q.",
              [](const Matrix& X, const Matrix&, const Matrix& W_k, const Matrix& W_v) -> QKV {
                  return {oracle::matmul(X, W_k), oracle::matmul(X, W_k), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, key_weight_for_values,
              "keys and values both come from W_k; the values have a weight of their own, W_v.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix&) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_k), oracle::matmul(X, W_k)};
              });

MISCONCEPTION(compute_qkv, keys_and_values_swapped,
              "K and V have changed places: W_k makes the keys, W_v the values.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_v), oracle::matmul(X, W_k)};
              });

MISCONCEPTION(compute_qkv, queries_and_keys_swapped,
              "Q and K have changed places: W_q makes the queries, W_k the keys.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) -> QKV {
                  return {oracle::matmul(X, W_k), oracle::matmul(X, W_q), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, keys_from_queries,
              "the keys are made from the queries, Q · W_k. All three are views of the same input: "
              "each is X times its own weight.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) -> QKV {
                  const Matrix Q = oracle::matmul(X, W_q);
                  return {Q, oracle::matmul(Q, W_k), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, values_from_keys,
              "the values are made from the keys, K · W_v. All three are views of the same input: "
              "each is X times its own weight.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) -> QKV {
                  const Matrix K = oracle::matmul(X, W_k);
                  return {oracle::matmul(X, W_q), K, oracle::matmul(K, W_v)};
              });

/// One product for all three, cut into parts as wide as a third of it; V has what is left, or as
/// much.
QKV cut_into_parts(Matrix all, bool the_rest_is_v, bool rounded_up = false) {
    const std::size_t third = (all.shape(1) + (rounded_up ? 2 : 0)) / 3;
    return {
        xt::view(all, xt::all(), xt::range(0, third)),
        xt::view(all, xt::all(), xt::range(third, 2 * third)),
        xt::view(all, xt::all(), xt::range(2 * third, the_rest_is_v ? all.shape(1) : 3 * third))};
}
constexpr const char* cut_in_thirds =
    "the weights stand side by side, which is one product for all three, but what comes out is cut "
    "into equal thirds. Q and K have d_k columns each, V has d_v.";
Matrix all_side_by_side(const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
    return xt::concatenate(
        xt::xtuple(oracle::matmul(X, W_q), oracle::matmul(X, W_k), oracle::matmul(X, W_v)), 1);
}
MISCONCEPTION(compute_qkv, cut_into_thirds, cut_in_thirds,
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
                  return cut_into_parts(all_side_by_side(X, W_q, W_k, W_v), false);
              });
MISCONCEPTION(compute_qkv, cut_into_thirds_and_the_rest, cut_in_thirds,
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
                  return cut_into_parts(all_side_by_side(X, W_q, W_k, W_v), true);
              });
MISCONCEPTION(compute_qkv, cut_into_thirds_rounded_up, cut_in_thirds, // as PyTorch's chunk does
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
                  return cut_into_parts(all_side_by_side(X, W_q, W_k, W_v), true, true);
              });

MISCONCEPTION(compute_qkv, values_not_projected,
              "the values are X itself. They have a projection too, W_v: what a position gives is "
              "learned, like what it looks for.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix&) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_k), X};
              });

/// The three results of learner's formulas; a size that does not fit fails here as there.
using Weights = const Matrix&;

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

MISCONCEPTION(compute_qkv, query_weight_for_all,
              "all three come from W_q. Each view has a weight of its own.",
              [](const Matrix& X, Weights W_q, Weights, Weights) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_q), oracle::matmul(X, W_q)};
              });

MISCONCEPTION(compute_qkv, key_weight_for_all,
              "all three come from W_k. Each view has a weight of its own.",
              [](const Matrix& X, Weights, Weights W_k, Weights) -> QKV {
                  return {oracle::matmul(X, W_k), oracle::matmul(X, W_k), oracle::matmul(X, W_k)};
              });

MISCONCEPTION(compute_qkv, value_weight_for_all,
              "all three come from W_v. Each view has a weight of its own.",
              [](const Matrix& X, Weights, Weights, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_v), oracle::matmul(X, W_v), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, query_weight_for_values,
              "queries and values both come from W_q; the values have a weight of their own, W_v.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_k), oracle::matmul(X, W_q)};
              });

MISCONCEPTION(compute_qkv, value_weight_for_queries,
              "queries and values both come from W_v; the queries have a weight of their own, W_q.",
              [](const Matrix& X, Weights, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_v), oracle::matmul(X, W_k), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, value_weight_for_keys,
              "keys and values both come from W_v; the keys have a weight of their own, W_k.",
              [](const Matrix& X, Weights W_q, Weights, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_v), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, queries_and_values_swapped,
              "Q and V have changed places: W_q makes the queries, W_v the values.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_v), oracle::matmul(X, W_k), oracle::matmul(X, W_q)};
              });

MISCONCEPTION(compute_qkv, one_place_on,
              "each matrix stands one place further on: Q holds what W_v makes, K what W_q and V "
              "what W_k. The members of QKV stand in the order Q, K, V.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_v), oracle::matmul(X, W_q), oracle::matmul(X, W_k)};
              });

MISCONCEPTION(compute_qkv, one_place_back,
              "each matrix stands one place too early: Q holds what W_k makes, K what W_v and V "
              "what W_q. The members of QKV stand in the order Q, K, V.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_k), oracle::matmul(X, W_v), oracle::matmul(X, W_q)};
              });

MISCONCEPTION(compute_qkv, values_from_queries,
              "the values are made from the queries, Q · W_v. All three are views of the same "
              "input: each is X times its own weight.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  const Matrix Q = oracle::matmul(X, W_q);
                  return {Q, oracle::matmul(X, W_k), oracle::matmul(Q, W_v)};
              });

MISCONCEPTION(compute_qkv, each_from_the_one_before,
              "the keys are made from the queries, and the values from the keys. All three are "
              "views of the same input: each is X times its own weight.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  const Matrix Q = oracle::matmul(X, W_q);
                  const Matrix K = oracle::matmul(Q, W_k);
                  return {Q, K, oracle::matmul(K, W_v)};
              });

MISCONCEPTION(compute_qkv, element_wise_products,
              "these are X * W_q, X * W_k and X * W_v, element by element. In xtensor * is never "
              "the matrix product; project is.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {X * W_q, X * W_k, X * W_v};
              });

MISCONCEPTION(compute_qkv, weights_transposed,
              "the weights are transposed first. A column of a weight belongs to one output "
              "component as it stands: X · W.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(X, transposed(W_q)), oracle::matmul(X, transposed(W_k)),
                          oracle::matmul(X, transposed(W_v))};
              });

MISCONCEPTION(compute_qkv, weights_first,
              "the products are W · X. The positions are the rows of X, so X stands on the left: "
              "project(X, W).",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(W_q, X), oracle::matmul(W_k, X), oracle::matmul(W_v, X)};
              });

MISCONCEPTION(compute_qkv, weights_themselves,
              "these are the weights themselves. Each view is X times its weight.",
              [](const Matrix&, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {W_q, W_k, W_v};
              });

MISCONCEPTION(compute_qkv, nothing_projected,
              "all three are X itself. Each view is X times its weight.",
              [](const Matrix& X, Weights, Weights, Weights) -> QKV {
                  return {X, X, X};
              });

MISCONCEPTION(compute_qkv, all_transposed,
              "the three are transposed. Row i of each belongs to position i.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  return {transposed(oracle::matmul(X, W_q)), transposed(oracle::matmul(X, W_k)),
                          transposed(oracle::matmul(X, W_v))};
              });

MISCONCEPTION(
    compute_qkv, keys_transposed,
    "K is transposed. Scores will want Kᵀ, in lesson 02; here row i of K is the key of position i.",
    [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
        return {oracle::matmul(X, W_q), transposed(oracle::matmul(X, W_k)), oracle::matmul(X, W_v)};
    });

MISCONCEPTION(compute_qkv, only_queries, "K and V are empty: only Q has been made.",
              [](const Matrix& X, Weights W_q, Weights, Weights) -> QKV {
                  return {oracle::matmul(X, W_q), Matrix(), Matrix()};
              });

MISCONCEPTION(compute_qkv, values_missing, "V is empty: only Q and K have been made.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_k), Matrix()};
              });

MISCONCEPTION(compute_qkv, keys_over_queries,
              "Q holds the keys, and K is empty: the keys were assigned to the member Q.",
              [](const Matrix& X, Weights, Weights W_k, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_k), Matrix(), oracle::matmul(X, W_v)};
              });

MISCONCEPTION(compute_qkv, values_over_keys,
              "K holds the values, and V is empty: the values were assigned to the member K.",
              [](const Matrix& X, Weights W_q, Weights, Weights W_v) -> QKV {
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_v), Matrix()};
              });

MISCONCEPTION(compute_qkv, values_as_wide_as_keys,
              "V is cut, or filled up, to the width of the keys. It has as many columns as W_v: "
              "d_v need not be d_k.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  Matrix V = xt::zeros<double>({X.shape(0), W_k.shape(1)});
                  const Matrix right = oracle::matmul(X, W_v);
                  for (std::size_t i = 0; i < V.shape(0); ++i) {
                      for (std::size_t j = 0; j < std::min(V.shape(1), right.shape(1)); ++j) {
                          V(i, j) = right(i, j);
                      }
                  }
                  return {oracle::matmul(X, W_q), oracle::matmul(X, W_k), V};
              });

MISCONCEPTION(compute_qkv, queries_scaled,
              "the queries are divided by the root of d_k. Scaling comes in lesson 02, after the "
              "comparison with the keys.",
              [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                  const Matrix Q = oracle::matmul(X, W_q);
                  return {Q / std::sqrt(static_cast<double>(Q.shape(1))), oracle::matmul(X, W_k),
                          oracle::matmul(X, W_v)};
              });

Matrix summed_in_whole_numbers(const Matrix& X, const Matrix& W) {
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            for (std::size_t k = 0; k < X.shape(1); ++k) {
                result(i, j) = std::trunc(result(i, j) + X(i, k) * W(k, j));
            }
        }
    }
    return result;
}

MISCONCEPTION(
    compute_qkv, sums_in_whole_numbers,
    "the sums are kept in integers, which drop the fraction at every step. Either they are "
    "declared "
    "so (auto sum = 0 is an int), or it happens unseen: in std::inner_product(first, last, other, "
    "0) the type of the 0 is the type of the sum. Begin with 0.0.",
    [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) -> QKV {
        return {summed_in_whole_numbers(X, W_q), summed_in_whole_numbers(X, W_k),
                summed_in_whole_numbers(X, W_v)};
    });

MISCONCEPTION(
    compute_qkv, first_position_only,
    "only the first position is projected. Every row of X has a query, a key and a value.",
    [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
        const Matrix first = xt::view(X, xt::range(0, 1), xt::all());
        return {oracle::matmul(first, W_q), oracle::matmul(first, W_k), oracle::matmul(first, W_v)};
    });

} // namespace

} // namespace misconceptions_qkv
