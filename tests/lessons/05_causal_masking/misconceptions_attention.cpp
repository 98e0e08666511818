// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.5 scaled_dot_product_attention: what goes wrong around that

Matrix of_first(const Tensor3& tensor, std::size_t) {
    return plain::slice(tensor, 0);
}

MISCONCEPTION(scaled_dot_product_attention, not_scaled,
              "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, "
              "where 1 / 2 is 0.",
              Mechanism{.divisor = [](auto&, auto&) { return 1.0; }});

MISCONCEPTION(scaled_dot_product_attention, scaled_twice,
              "the scores are divided by d_k, or twice by its root. attention::scaled_scores has "
              "divided by √d_k already.",
              Mechanism{.divisor = [](auto& Q, auto&) { return static_cast<double>(Q.shape(2)); }});

MISCONCEPTION(scaled_dot_product_attention, root_of_n_queries,
              "the scores are divided by √n_queries. With a batch in front every axis has moved: "
              "shape(1) counts queries now, and d_k is shape(2).",
              Mechanism{.divisor = [](auto& Q, auto&) { return root(Q.shape(1)); }});

MISCONCEPTION(scaled_dot_product_attention, root_of_n_keys,
              "the scores are divided by √n_keys. With a batch in front every axis has moved: "
              "shape(1) of K counts keys now, and d_k is shape(2).",
              Mechanism{.divisor = [](auto&, auto& K) { return root(K.shape(1)); }});

MISCONCEPTION(
    scaled_dot_product_attention, keys_of_the_first_sequence,
    "every sequence is compared with the keys of the first one: an index b is missing at K.",
    Mechanism{.key = of_first});

MISCONCEPTION(scaled_dot_product_attention, queries_of_the_first_sequence,
              "every sequence asks with the queries of the first one: an index b is missing at Q.",
              Mechanism{.query = of_first});

MISCONCEPTION(scaled_dot_product_attention, values_of_the_first_sequence,
              "the weights are right, but every sequence mixes the values of the first one: an "
              "index b is missing at V.",
              Mechanism{.value = of_first});

MISCONCEPTION(scaled_dot_product_attention, mask_of_the_first_sequence,
              "every sequence is masked with the mask of the first one. A mask of rank 3 may "
              "differ from sequence to sequence: attends(mask, b, i, j) wants the b of the loop.",
              Mechanism{.first_mask = true});

MISCONCEPTION(
    scaled_dot_product_attention, first_sequence_everywhere,
    "every sequence has the answer of the first one: the index b is not used in the loop.",
    Mechanism{.query = of_first, .key = of_first, .value = of_first, .first_mask = true});

MISCONCEPTION(scaled_dot_product_attention, nothing_seen_without_a_mask,
              "without a mask everything is blocked. Without one nothing is: attends(mask, b, i, "
              "j) says yes then.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const xt::xarray<bool> nothing = xt::zeros<bool>({Q.shape(1), K.shape(1)});
                  return Mechanism{}(Q, K, V, mask ? mask : OptionalMask(nothing));
              });

MISCONCEPTION(scaled_dot_product_attention, masks_of_all_sequences_so_far,
              "what is blocked in one sequence stays blocked in those after it: the mask of a "
              "sequence starts anew for each. Set every element of it inside the loop over b.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::require_fit(Q, K, V, mask);
                  const std::size_t n = Q.shape(1), m = K.shape(1);
                  xt::xarray<bool> all = xt::ones<bool>({Q.shape(0), n, m});
                  for (std::size_t b = 0; b < Q.shape(0); ++b) {
                      for (std::size_t i = 0; i < n; ++i) {
                          for (std::size_t j = 0; j < m; ++j) {
                              all(b, i, j) =
                                  lesson::attends(mask, b, i, j) && (b == 0 || all(b - 1, i, j));
                          }
                      }
                  }
                  return Mechanism{}(Q, K, V, OptionalMask(all));
              });

MISCONCEPTION(scaled_dot_product_attention, only_the_first_sequence,
              "only the first sequence is computed, the others stay 0. Look where the loop over b "
              "ends, or whether it returns too early.",
              spoilt([](auto& right, auto&) {
                  for (std::size_t b = 1; b < right.output.shape(0); ++b) {
                      xt::view(right.output, b, xt::all(), xt::all()) = 0;
                      xt::view(right.weights, b, xt::all(), xt::all()) = 0;
                  }
              }));

MISCONCEPTION(scaled_dot_product_attention, last_of_several_sequences_left_out,
              "the last of several sequences stays 0: the loop over b ends one too early.",
              spoilt([](auto& right, auto&) {
                  const std::size_t last = right.output.shape(0) - 1;
                  if (last > 0) {
                      xt::view(right.output, last, xt::all(), xt::all()) = 0;
                      xt::view(right.weights, last, xt::all(), xt::all()) = 0;
                  }
              }));

MISCONCEPTION(scaled_dot_product_attention, output_without_the_mask,
              "the weights are masked, but the output uses weights that are not: it depends on "
              "blocked keys. Multiply V by the masked weights.",
              spoilt([](auto& right, auto& unmasked) { right.output = unmasked.output; }));

MISCONCEPTION(scaled_dot_product_attention, weights_without_the_mask,
              "the output is right, but the weights that are returned beside it are those before "
              "masking. Return the ones that made the output.",
              spoilt([](auto& right, auto& unmasked) { right.weights = unmasked.weights; }));

/// The scaled scores of all sequences, returned where the weights belong.
auto with_scores_for_weights(bool blocked) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        const Mechanism scores{.weigh = [=](auto& of_one, auto& of_mask) {
            return blocked ? plain::filled(of_one, of_mask, -infinity) : Matrix(of_one);
        }};
        return Attention{Mechanism{}(Q, K, V, mask).output, scores(Q, K, V, mask).weights};
    };
}

constexpr const char* says_scores = "the output is right, but in place of the weights beside it "
                                    "these are the scores, which softmax "
                                    "has not made weights of. Return what made the output.";

MISCONCEPTION(scaled_dot_product_attention, scores_for_weights, says_scores,
              with_scores_for_weights(false));
MISCONCEPTION(scaled_dot_product_attention, blocked_scores_for_weights, says_scores,
              with_scores_for_weights(true));

MISCONCEPTION(scaled_dot_product_attention, multiplied,
              "the scores are multiplied by √d_k. They have to be divided.",
              Mechanism{.divisor = [](auto& Q, auto&) { return 1 / root(Q.shape(2)); }});

MISCONCEPTION(scaled_dot_product_attention, root_of_batch,
              "the scores are divided by the root of the batch. With a batch in front every axis "
              "has moved: shape(0) counts sequences now, and d_k is shape(2).",
              Mechanism{.divisor = [](auto& Q, auto&) { return root(Q.shape(0)); }});

MISCONCEPTION(scaled_dot_product_attention, root_of_d_v,
              "the scores are divided by √d_v, the columns of V. Values are not part of a score: "
              "it sums d_k products.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const double d_v = root(V.shape(2));
                  return Mechanism{.divisor = [=](auto&, auto&) { return d_v; }}(Q, K, V, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, queries_with_queries,
              "the queries are compared with each other, and K is not used.",
              [](const Tensor3& Q, const Tensor3&, const Tensor3& V, const OptionalMask& mask) {
                  return Mechanism{}(Q, Q, V, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, keys_with_keys,
              "the keys are compared with each other, and Q is not used.",
              [](const Tensor3&, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  return Mechanism{}(K, K, V, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, queries_with_values,
              "the queries are compared with the values, and K is not used.",
              [](const Tensor3& Q, const Tensor3&, const Tensor3& V, const OptionalMask& mask) {
                  return Mechanism{}(Q, V, V, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, keys_mixed,
              "the weights mix the keys, and V is not used. A key is what a position is "
              "found by; what it gives is its value.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3&, const OptionalMask& mask) {
                  return Mechanism{}(Q, K, K, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, keys_and_values_exchanged,
              "K and V are exchanged: compare the queries with the keys, and mix the values.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  return Mechanism{}(Q, V, K, mask);
              });

} // namespace
