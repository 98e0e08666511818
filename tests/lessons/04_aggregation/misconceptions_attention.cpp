// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using lesson::Matrix;

using namespace wrong;

namespace {

// ---- 04.3 self_attention

MISCONCEPTION(self_attention, weights_returned,
              "these are the attention weights. One step is missing: multiply them by the values.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix&) {
                  return right_weights(Q, K);
              }));

MISCONCEPTION(self_attention, keys_mixed,
              "the weights mix the keys, and V is not used. A key is what a position is "
              "found by; what it gives is its value.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix&) {
                  return matmul(right_weights(Q, K), K);
              }));

MISCONCEPTION(self_attention, keys_and_values_exchanged,
              "K and V are exchanged: compare the queries with the keys, and mix the values.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(right_weights(Q, V), K);
              }));

MISCONCEPTION(self_attention, values_multiplied_element_by_element,
              "weights and values are multiplied element by element. In xtensor * is never the "
              "matrix product: here each row of the weights is to mix all rows of V.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                  return right_weights(Q, K) * V;
              }));

MISCONCEPTION(self_attention, softmax_of_the_mixture,
              "the brackets are in the wrong place: this is softmax(Q · Kᵀ / √d_k · V). Softmax is "
              "taken of the scores, and its weights mix the values.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return softmax(matmul(oracle::scaled_scores(Q, K), V));
              }));

MISCONCEPTION(
    self_attention, linear_attention,
    "this is linear attention, softmax(Q) · (softmax(Kᵀ) · V): it needs no n × n matrix, "
    "and computes something else. Here the softmax is taken of the scores, Q · Kᵀ / √d_k.",
    checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
        return matmul(softmax(Q), matmul(softmax(transposed(K)), V));
    }));

MISCONCEPTION(self_attention, mean_of_values,
              "every query gets the plain mean of the values. Check that the scores are used, and "
              "that they are not added to memory that was never set to 0.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(equal_shares(Q.shape(0), K.shape(0)), V);
              }));

MISCONCEPTION(self_attention, root_of_d_v,
              "the scores are divided by √d_v, the columns of V. Values are not part of a score: "
              "it sums d_k products, the columns of Q and K.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  const Matrix scores = oracle::raw_scores(Q, K) / root(V.shape(1));
                  return matmul(softmax(scores), V);
              }));

MISCONCEPTION(self_attention, transposed_weights_in_attention,
              "the weights are right, but the values are mixed by their columns, weightsᵀ · V. The "
              "weights of query i are row i.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(transposed(right_weights(Q, K)), V);
              }));

MISCONCEPTION(self_attention, values_added,
              "the values themselves are added to the output. A Transformer has such a residual "
              "connection, but around attention, and with its input: attention itself ends with "
              "the weighted sum.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                  return V + matmul(right_weights(Q, K), V);
              }));

MISCONCEPTION(self_attention, queries_mixed,
              "the weights mix the queries, and V is not used. A query is what a position "
              "asks with; what it receives is values.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix&) {
                  return matmul(right_weights(Q, K), Q);
              }));

MISCONCEPTION(self_attention, queries_compared_with_values,
              "the queries are compared with the values, and K is not used. A position is "
              "found by its key.",
              checked_attention([](const Matrix& Q, const Matrix&, const Matrix& V) {
                  return matmul(right_weights(Q, V), V);
              }));

MISCONCEPTION(self_attention, values_compared_with_values,
              "the values are compared with each other, and neither Q nor K is used.",
              checked_attention([](const Matrix&, const Matrix&, const Matrix& V) {
                  return matmul(right_weights(V, V), V);
              }));

MISCONCEPTION(self_attention, raw_scores_mix,
              "the values are mixed by the raw scores, Q · Kᵀ · V. Between the two products come "
              "the division by √d_k and the softmax.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return matmul(oracle::raw_scores(Q, K), V);
              }));

MISCONCEPTION(self_attention, output_divided_by_root,
              "the output is divided by √d_k. It is the scores that are divided, once, before the "
              "softmax; attention_weights has done it.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
                  return matmul(right_weights(Q, K), V) / root(Q.shape(1));
              }));

MISCONCEPTION(self_attention, softmax_of_the_output,
              "softmax is applied to the output as well. It makes weights of scores; the output is "
              "a mixture of values, and may be any numbers.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  return softmax(matmul(right_weights(Q, K), V));
              }));

MISCONCEPTION(
    self_attention, queries_added,
    "the queries are added to the output. A Transformer has such a residual connection, "
    "but around attention, and with its input: attention itself ends with the weighted sum.",
    checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) -> Matrix {
        return Q + matmul(right_weights(Q, K), V);
    }));

/// The softmax that is carried along from tile to tile of keys, of which parts may be forgotten.
auto carried_along(std::size_t tile, bool rescale_sum, bool rescale_output) {
    return checked_attention([=](const Matrix& Q, const Matrix& K, const Matrix& V) {
        const Matrix scores = oracle::scaled_scores(Q, K);
        const std::size_t n_keys = scores.shape(1);
        Matrix output = xt::zeros<double>({Q.shape(0), V.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            auto mixture = xt::view(output, i);
            double maximum = largest(scores, i, 0, std::min(tile, n_keys)), sum = 0;
            for (std::size_t first = 0; first < n_keys; first += tile) {
                const std::size_t end = std::min(first + tile, n_keys);
                const double before = maximum;
                maximum = largest(scores, i, first, end, before);
                sum *= rescale_sum ? std::exp(before - maximum) : 1;
                mixture *= rescale_output ? std::exp(before - maximum) : 1;
                for (std::size_t j = first; j < end; ++j) {
                    const double term = std::exp(scores(i, j) - maximum);
                    sum += term;
                    mixture += term * xt::view(V, j);
                }
            }
            mixture /= sum;
        }
        return output;
    });
}

constexpr const char* without_rescaling =
    "with a new maximum, all exponentials before it are too large: multiply the sum and the output "
    "so far by exp(old maximum - new maximum).";

#define WITHOUT_RESCALING(suffix, tile)                                                            \
    MISCONCEPTION(self_attention, nothing_rescaled##suffix, without_rescaling,                     \
                  carried_along(tile, false, false));                                              \
    MISCONCEPTION(self_attention, output_not_rescaled##suffix, without_rescaling,                  \
                  carried_along(tile, true, false));                                               \
    MISCONCEPTION(self_attention, sum_not_rescaled##suffix, without_rescaling,                     \
                  carried_along(tile, false, true))

WITHOUT_RESCALING(, 1);
WITHOUT_RESCALING(_in_tiles_of_4, 4);
WITHOUT_RESCALING(_in_tiles_of_8, 8);
WITHOUT_RESCALING(_in_tiles_of_16, 16);
WITHOUT_RESCALING(_in_tiles_of_32, 32);
WITHOUT_RESCALING(_in_tiles_of_64, 64);

MISCONCEPTION(self_attention, components_counted_to_d_k,
              "the loop over the components of the output runs to d_k, the columns of Q and K. "
              "Values have d_v components, the columns of V.",
              checked_attention([](const Matrix& Q, const Matrix& K, const Matrix& V) {
                  if (Q.shape(1) > V.shape(1)) {
                      throw std::runtime_error("out of range");
                  }
                  return zero_unless(matmul(right_weights(Q, K), V),
                                     [&](auto, auto c) { return c < Q.shape(1); });
              }));

} // namespace
