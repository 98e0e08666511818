// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.5 scaled_dot_product_attention: the mixture, what is not written, and the mask

/// A wrong product of weights and values.
#define MIXED_BY(name, explanation, ...)                                                           \
    MISCONCEPTION(scaled_dot_product_attention, name, explanation, Mechanism{.mix = __VA_ARGS__})

MIXED_BY(mixed_by_columns,
         "the values are mixed by the columns of the weights, weightsᵀ · V. The weights of query i "
         "are row i.",
         [](auto& weights, auto& V) -> Matrix {
             return oracle::matmul(Matrix(xt::transpose(weights)), V);
         });

MIXED_BY(output_divided_by_n_keys,
         "the output is right except for a division by n_keys. The weights already sum to 1.",
         [](auto& weights, auto& V) -> Matrix {
             return oracle::matmul(weights, V) / static_cast<double>(V.shape(0));
         });

MIXED_BY(last_term_only,
         "only the last value is in the output, times its weight: = where += is needed.",
         [](auto& weights, auto& V) -> Matrix {
             return oracle::matmul(
                 zero_unless(weights, [&](auto, auto j) { return j + 1 == V.shape(0); }), V);
         });

MIXED_BY(last_value_left_out,
         "the last value is not in the output: the loop over the keys ends one too early.",
         [](auto& weights, auto& V) -> Matrix {
             return oracle::matmul(
                 zero_unless(weights, [&](auto, auto j) { return j + 1 < V.shape(0); }), V);
         });

MIXED_BY(output_of_the_first_query_only,
         "the weights are right, but only the first query of each sequence has an output, the "
         "others have 0. Look where the loop over the queries ends.",
         [](auto& weights, auto& V) -> Matrix {
             return zero_unless(oracle::matmul(weights, V), [](auto i, auto) { return i == 0; });
         });

constexpr const char* says_divided_values =
    "the values are divided by the largest of them, or by their length, before they are mixed. "
    "Where they are all 0, so is that, and 0 / 0 is NaN. Weights sum to 1, so that no mixture is "
    "larger than its values: leave the division out.";

MIXED_BY(values_of_a_sequence_divided_by_the_largest, says_divided_values,
         [](auto& weights, auto& V) -> Matrix {
             const double most = xt::amax(xt::abs(V))();
             return oracle::matmul(weights, Matrix(V / most)) * most;
         });

MISCONCEPTION(scaled_dot_product_attention, values_divided_by_the_largest, says_divided_values,
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const double most = xt::amax(xt::abs(V))();
                  Attention answer = Mechanism{}(Q, K, V / most, mask);
                  answer.output *= most;
                  return answer;
              });

/// The mask as a learner's own broadcasting has it: changed(mask, f, j) of the element that is
/// number f of (batch, n_queries, n_keys), in column j.
template <class Changed>
auto broadcast_by(Changed changed) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        lesson::require_fit(Q, K, V, mask);
        if (!mask) {
            return Mechanism{}(Q, K, V, mask);
        }
        const std::size_t n_keys = K.shape(1);
        xt::xarray<bool> all = xt::xarray<bool>::from_shape({Q.shape(0), Q.shape(1), n_keys});
        for (std::size_t b = 0, f = 0; b < Q.shape(0); ++b) {
            for (std::size_t i = 0; i < Q.shape(1); ++i) {
                for (std::size_t j = 0; j < n_keys; ++j, ++f) {
                    all(b, i, j) = changed(*mask, lesson::attends(mask, b, i, j), f, j);
                }
            }
        }
        return Mechanism{}(Q, K, V, all);
    };
}

MISCONCEPTION(scaled_dot_product_attention, mask_of_one_column_for_the_first_key,
              "a mask whose last axis is 1 blocks the first key only. An axis of 1 holds for every "
              "index: attends(mask, b, i, j) knows.",
              broadcast_by([](auto& mask, bool right, auto, auto j) {
                  return mask.shape().back() != 1 || j == 0 ? right : true;
              }));

MISCONCEPTION(scaled_dot_product_attention, mask_repeated_from_its_start,
              "the mask is read on and on, from its start again where it ends. That is right where "
              "only its first axis is 1 or missing; an axis of 1 anywhere holds for every index: "
              "attends(mask, b, i, j) knows.",
              broadcast_by([](auto& mask, bool, auto f, auto) {
                  return mask.flat(f % mask.size());
              }));

MISCONCEPTION(
    scaled_dot_product_attention, mask_of_one_column_read_on,
    "of a mask whose last axis is 1 the rows are read as if it was n_keys: the mask is read "
    "on past its row, and from its start again where it ends. An axis of 1 holds for every "
    "index: attends(mask, b, i, j) knows.",
    broadcast_by([](auto& mask, bool right, auto f, auto) {
        return mask.shape().back() == 1 ? mask.flat(f % mask.size()) : right;
    }));

/// Sequence b of what begins n_queries rows after the one before, however many keys there are.
auto begun_after_queries(std::size_t n_queries) {
    return [=](const Tensor3& all, std::size_t b) {
        const std::size_t rows = all.shape(1), columns = all.shape(2);
        Matrix sequence = Matrix::from_shape({rows, columns});
        for (std::size_t t = 0; t < rows * columns; ++t) {
            const std::size_t at = b * n_queries * columns + t;
            if (at >= all.size()) {
                throw std::runtime_error("out of range");
            }
            sequence.flat(t) = all.flat(at);
        }
        return sequence;
    };
}

MISCONCEPTION(scaled_dot_product_attention, keys_begin_after_as_many_queries,
              "from the second sequence on keys and values are read from elsewhere: a sequence of "
              "keys has n_keys rows, not n_queries.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const auto begun = begun_after_queries(Q.shape(1));
                  return Mechanism{.key = begun, .value = begun}(Q, K, V, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, outputs_added_up,
              "an output holds those of the sequences before it as well: what is summed up starts "
              "at 0 for every sequence.",
              spoilt([](auto& right, auto&) {
                  for (std::size_t b = 1; b < right.output.shape(0); ++b) {
                      xt::view(right.output, b) += xt::view(right.output, b - 1);
                  }
              }));

MISCONCEPTION(scaled_dot_product_attention, mean_in_blocked_rows,
              "the weights are right, but a query that may see nothing receives the mean of the "
              "values. Its weights are 0, and so is its output.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const Mechanism equal{.mix = [](auto& weights, auto& values) -> Matrix {
                      Matrix shares = weights;
                      for (std::size_t i = 0; i < weights.shape(0); ++i) {
                          auto row = xt::view(shares, i);
                          if (xt::sum(row)() == 0) {
                              row = 1.0 / static_cast<double>(weights.shape(1));
                          }
                      }
                      return oracle::matmul(shares, values);
                  }};
                  return equal(Q, K, V, mask);
              });

/// Rows b · n to b · n + n of a tensor's sequences one below the other.
Matrix stacked(const Tensor3& tensor) {
    Matrix all = Matrix::from_shape({tensor.shape(0) * tensor.shape(1), tensor.shape(2)});
    std::copy(tensor.begin(), tensor.end(), all.begin());
    return all;
}

MISCONCEPTION(scaled_dot_product_attention, one_long_sequence,
              "the batch is treated as one long sequence: the weights of a query are shared out "
              "over the keys of all sequences. Sequences do not see each other: compute one after "
              "the other.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::require_fit(Q, K, V, mask);
                  const std::size_t n = Q.shape(1), m = K.shape(1);
                  const Mask allowed = mask_of(Q.shape(0) * n, K.shape(0) * m, [&](auto i, auto j) {
                      return lesson::attends(mask, i / n, i % n, j % m);
                  });
                  const Matrix weights = plain::masked_softmax(
                      Matrix(oracle::scaled_scores(stacked(Q), stacked(K))), allowed);
                  const Matrix output = oracle::matmul(weights, stacked(V));
                  Attention result{Tensor3::from_shape({Q.shape(0), n, V.shape(2)}),
                                   Tensor3::from_shape({Q.shape(0), n, m})};
                  std::copy(output.begin(), output.end(), result.output.begin());
                  for (std::size_t b = 0; b < Q.shape(0); ++b) {
                      xt::view(result.weights, b) = xt::view(weights, xt::range(b * n, b * n + n),
                                                             xt::range(b * m, b * m + m));
                  }
                  return result;
              });

/// Attention under a mask that was read wrongly.
template <class Read>
auto under(Read read) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        lesson::require_fit(Q, K, V, mask);
        return Mechanism{}(Q, K, V, mask ? OptionalMask(read(*mask, Q, K)) : mask);
    };
}

MISCONCEPTION(scaled_dot_product_attention, causal_where_there_is_a_mask,
              "where there is a mask, this is causal, whatever the mask says. The caller decides "
              "who may see whom: ask attends(mask, b, i, j).",
              under([](auto&, auto& Q, auto& K) {
                  return xt::xarray<bool>(
                      mask_of(Q.shape(1), K.shape(1), [](auto i, auto j) { return j <= i; }));
              }));

MISCONCEPTION(scaled_dot_product_attention, rank_2_taken_for_causal,
              "a mask of rank 2 is taken for the causal one, whatever it says. The caller decides "
              "who may see whom, and there are others of rank 2: ask attends(mask, b, i, j).",
              under([](auto& mask, auto& Q, auto& K) {
                  return mask.dimension() == 2
                             ? xt::xarray<bool>(mask_of(Q.shape(1), K.shape(1),
                                                        [](auto i, auto j) { return j <= i; }))
                             : mask;
              }));

MISCONCEPTION(scaled_dot_product_attention, nothing_blocked_if_not_in_the_first_sequence,
              "a mask that blocks nothing in sequence 0 has no effect on the others either. It may "
              "block there, as padding does that begins with the longest sentence: ask "
              "attends(mask, b, i, j) for each b.",
              under([](auto& mask, auto& Q, auto& K) {
                  const Mask first = plain::mask_of_sequence(mask, 0, Q.shape(1), K.shape(1));
                  return std::find(first.begin(), first.end(), false) == first.end()
                             ? xt::xarray<bool>(xt::ones<bool>({Q.shape(1), K.shape(1)}))
                             : mask;
              }));

MISCONCEPTION(scaled_dot_product_attention, padding_as_a_length,
              "a mask of (batch, 1, n_keys) is taken for a length: as many keys are allowed as it "
              "allows, but those from the left. Padding may stand on the left, or anywhere: ask "
              "attends(mask, b, i, j) for each.",
              under([](auto& mask, auto&, auto&) {
                  xt::xarray<bool> read = mask;
                  if (mask.dimension() == 3 && mask.shape(1) == 1) {
                      const std::size_t n = mask.shape(2);
                      for (std::size_t b = 0; b < mask.shape(0); ++b) {
                          bool* const row = read.data() + b * n;
                          std::sort(row, row + n, std::greater<>());
                      }
                  }
                  return read;
              }));

MISCONCEPTION(scaled_dot_product_attention, padding_ignored,
              "a mask of (batch, 1, n_keys) has no effect. Its axis of size 1 stands for every "
              "query: attends(mask, b, i, j) knows.",
              under([](auto& mask, auto& Q, auto& K) {
                  return mask.dimension() == 3 && mask.shape(1) == 1 && Q.shape(1) > 1
                             ? xt::xarray<bool>(xt::ones<bool>({Q.shape(1), K.shape(1)}))
                             : mask;
              }));

MISCONCEPTION(scaled_dot_product_attention, padding_by_queries,
              "a mask of (batch, 1, n_keys) is read as one for each query: it blocks whole rows. "
              "Its last axis counts keys, and the axis of size 1 stands for every query.",
              under([](auto& mask, auto& Q, auto& K) {
                  xt::xarray<bool> turned = mask;
                  if (mask.dimension() == 3 && mask.shape(1) == 1 && Q.shape(1) == K.shape(1)) {
                      turned.reshape({mask.shape(0), mask.shape(2), std::size_t{1}});
                  }
                  return turned;
              }));

MISCONCEPTION(scaled_dot_product_attention, rank_2_read_by_sequence,
              "a mask of rank 2 is read as a row for each sequence, (*mask)(b, j), as if its first "
              "axis were the batch. It is (n_queries, n_keys), the same for every sequence: "
              "(*mask)(i, j). For padding there is (batch, 1, n_keys).",
              under([](auto& mask, auto& Q, auto& K) -> xt::xarray<bool> {
                  const std::size_t rows = mask.shape(0);
                  if (mask.dimension() == 3) {
                      return mask;
                  }
                  if (rows > 1 && rows < Q.shape(0)) {
                      throw std::runtime_error("out of range"); // as a learner's arrays do
                  }
                  xt::xarray<bool> read =
                      xt::xarray<bool>::from_shape({Q.shape(0), std::size_t{1}, K.shape(1)});
                  for (std::size_t b = 0; b < Q.shape(0); ++b) {
                      for (std::size_t j = 0; j < K.shape(1); ++j) {
                          read(b, 0, j) = lesson::attends(mask, 0, b, j);
                      }
                  }
                  return read;
              }));

MISCONCEPTION(scaled_dot_product_attention, only_masks_of_rank_2,
              "a mask of rank 3 has no effect. attends(mask, b, i, j) answers for both ranks.",
              under([](auto& mask, auto& Q, auto& K) {
                  return mask.dimension() == 3
                             ? xt::xarray<bool>(xt::ones<bool>({Q.shape(1), K.shape(1)}))
                             : mask;
              }));

MISCONCEPTION(scaled_dot_product_attention, only_masks_of_rank_3,
              "a mask of rank 2 has no effect. attends(mask, b, i, j) answers for both ranks.",
              under([](auto& mask, auto& Q, auto& K) {
                  return mask.dimension() == 2
                             ? xt::xarray<bool>(xt::ones<bool>({Q.shape(1), K.shape(1)}))
                             : mask;
              }));

MISCONCEPTION(scaled_dot_product_attention, key_before_query,
              "query and key have changed places where the mask is asked: attends(mask, b, key, "
              "query). The query comes first, as in the scores: attends(mask, b, query, key).",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::require_fit(Q, K, V, mask);
                  if (!mask) {
                      return Mechanism{}(Q, K, V, mask);
                  }
                  xt::xarray<bool> read = xt::zeros<bool>({Q.shape(0), Q.shape(1), K.shape(1)});
                  for (std::size_t b = 0; b < Q.shape(0); ++b) {
                      for (std::size_t i = 0; i < Q.shape(1); ++i) {
                          for (std::size_t j = 0; j < K.shape(1); ++j) {
                              read(b, i, j) = lesson::attends(mask, b, j, i);
                          }
                      }
                  }
                  return Mechanism{}(Q, K, V, read);
              });

} // namespace
