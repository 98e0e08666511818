// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>
#include <cmath>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.5 scaled_dot_product_attention: other divisors, and what is not scaled, compared or
// weighed

MISCONCEPTION(scaled_dot_product_attention, divided_by_the_square_of_d_k,
              "the scores are divided by d_k². They are divided by its root, √d_k.",
              Mechanism{.divisor = [](auto& Q, auto&) {
                  const double d_k = root(Q.shape(2));
                  return d_k * d_k * d_k * d_k;
              }});

MISCONCEPTION(scaled_dot_product_attention, root_of_one_more,
              "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              Mechanism{.divisor = [](auto& Q, auto&) { return root(Q.shape(2) + 1); }});

MISCONCEPTION(scaled_dot_product_attention, root_in_whole_numbers,
              "√d_k is cut to a whole number. Keep its fraction, in a double.",
              Mechanism{.divisor = [](auto& Q, auto&) { return std::floor(root(Q.shape(2))); }});

MISCONCEPTION(scaled_dot_product_attention, root_in_float,
              "√d_k is kept in a float, which has 7 digits. Keep it in a double.",
              Mechanism{.divisor = [](auto& Q, auto&) {
                  return static_cast<double>(static_cast<float>(root(Q.shape(2))));
              }});

MISCONCEPTION(scaled_dot_product_attention, logarithm_of_d_k,
              "the scores are divided by ln(d_k + 1). They are divided by the root, √d_k.",
              Mechanism{.divisor = [](auto& Q, auto&) {
                  return std::log(static_cast<double>(Q.shape(2)) + 1);
              }});

MISCONCEPTION(scaled_dot_product_attention, scaled_after_the_softmax,
              "the softmax is taken of scores that are not scaled, and the weights divided by √d_k "
              "after it: they no longer sum to 1. Divide the scores.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::Attention answer =
                      Mechanism{.divisor = [](auto&, auto&) { return 1.0; }}(Q, K, V, mask);
                  answer.weights /= root(Q.shape(2));
                  answer.output /= root(Q.shape(2));
                  return answer;
              });

MISCONCEPTION(scaled_dot_product_attention, keys_of_another_sequence,
              "the sequences are compared with the keys of another one, counted from the end. "
              "Queries, keys and values of one b belong together.",
              Mechanism{.key = [](const Tensor3& tensor, std::size_t b) {
                  return plain::slice(tensor, tensor.shape(0) - 1 - b);
              }});

MISCONCEPTION(scaled_dot_product_attention, rows_of_the_output_reversed,
              "the outputs of a sequence stand in reverse order. Output i belongs to query i.",
              spoilt([](auto& right, auto&) {
                  const lesson::Attention as_it_was = right;
                  const std::size_t n = right.output.shape(1);
                  for (std::size_t i = 0; i < n; ++i) {
                      xt::view(right.output, xt::all(), i) =
                          xt::view(as_it_was.output, xt::all(), n - 1 - i);
                  }
              }));

MISCONCEPTION(scaled_dot_product_attention, hard_attention,
              "the largest score gets everything: that is the arg-max. Softmax is soft, so that "
              "every key that is allowed keeps a share.",
              Mechanism{.weigh = [](auto& scores, auto& mask) -> Matrix {
                  Matrix weights = xt::zeros<double>(scores.shape());
                  for (std::size_t i = 0; i < scores.shape(0); ++i) {
                      double largest = -infinity;
                      for (std::size_t j = 0; j < scores.shape(1); ++j) {
                          largest = mask(i, j) ? std::max(largest, scores(i, j)) : largest;
                      }
                      for (std::size_t j = 0; j < scores.shape(1); ++j) {
                          weights(i, j) = mask(i, j) && scores(i, j) == largest ? 1 : 0;
                      }
                  }
                  return weights;
              }});

MISCONCEPTION(scaled_dot_product_attention, powers_of_two,
              "these are powers of 2, not of e: std::exp2 for std::exp.",
              Mechanism{.weigh = [](auto& scores, auto& mask) -> Matrix {
                  return plain::masked_softmax(Matrix(std::log(2.0) * scores), mask);
              }});

MISCONCEPTION(scaled_dot_product_attention, mask_added_to_the_scores,
              "the mask is added to the scores as it is: 1 where a key is allowed, 0 where it is "
              "blocked. A blocked key then keeps most of its weight. It takes −∞ to block it.",
              Mechanism{.weigh = [](auto& scores, auto& mask) -> Matrix {
                  Matrix sums = scores;
                  for (std::size_t i = 0; i < scores.shape(0); ++i) {
                      for (std::size_t j = 0; j < scores.shape(1); ++j) {
                          sums(i, j) += mask(i, j) ? 1 : 0;
                      }
                  }
                  return oracle::softmax_rows(sums);
              }});

} // namespace
