// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "exports.hpp"
#include "wrong.hpp"

using lesson::Matrix;

using namespace wrong;

namespace {

// ---- 04.1 aggregate

constexpr const char* weights_by_columns =
    "this is weightsᵀ · V: it mixes by a column of the weights. A row of the weights belongs to a "
    "query and sums to 1: query i mixes by row i.";

MISCONCEPTION(aggregate, transposed_weights, weights_by_columns,
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(transposed(weights), V);
              }));

MISCONCEPTION(aggregate, transposed_weights_in_loops, weights_by_columns,
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      for (std::size_t j = 0; j < weights.shape(1); ++j) {
                          for (std::size_t c = 0; c < V.shape(1); ++c) {
                              output(i, c) += weights(j, i) * V(j, c);
                          }
                      }
                  }
                  return output;
              }));

MISCONCEPTION(aggregate, plain_mean,
              "this is the plain mean of the values, the same for every query. Multiply each value "
              "by its weight.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(equal_shares(weights.shape(0), weights.shape(1)), V);
              }));

WRONG_MIXTURE(plain_sum,
              "this adds the values without their weights. Multiply each value by its own weight "
              "before you add; to multiply the sums is something else.",
              [](const Matrix& weights, const Matrix& V) {
                  return mixed(weights, V, [&](auto, auto j, auto c) { return V(j, c); });
              });

MISCONCEPTION(
    aggregate, best_value_only,
    "each query gets only the value with its largest weight: hard attention. That changes in "
    "jumps, and gives no derivative to learn from; a weighted sum changes smoothly.",
    checked_aggregate([](const Matrix& weights, const Matrix& V) {
        return matmul(hard(weights), V);
    }));

/// The mixture of the keys that are not left out.
template <class Kept>
auto of_keys(Kept kept) {
    return [kept](const Matrix& weights, const Matrix& V) {
        return mixed(weights, V, [&](auto i, auto j, auto c) {
            return kept(j, V.shape(0)) ? weights(i, j) * V(j, c) : 0.0;
        });
    };
}

WRONG_MIXTURE(last_term_only,
              "only the last value is in the result, times its weight: = where += is needed. All "
              "values are added up.",
              of_keys([](auto j, auto n) { return j + 1 == n; }));

WRONG_MIXTURE(last_key_left_out,
              "the last value is left out: the loop over the keys ends one too early.",
              of_keys([](auto j, auto n) { return j + 1 < n; }));

WRONG_MIXTURE(first_key_left_out,
              "the first value is left out: the loop over the keys begins at 1, and they count "
              "from 0.",
              of_keys([](auto j, auto) { return j > 0; }));

constexpr const char* not_from_zero =
    "each element still holds the sums of elements before it. The sum starts at 0 for every "
    "element of the output.";

/// Sums that go on from element to element, and begin anew every `period` elements.
template <class Period>
auto going_on(Period period) {
    return [period](const Matrix& weights, const Matrix& V) {
        Matrix output = matmul(weights, V);
        for (std::size_t k = 1; k < output.size(); ++k) {
            output.flat(k) += k % period(output) == 0 ? 0 : output.flat(k - 1);
        }
        return output;
    };
}

WRONG_MIXTURE(sum_not_reset, not_from_zero, going_on([](auto& output) { return output.size(); }));
WRONG_MIXTURE(sum_not_reset_in_a_row, not_from_zero,
              going_on([](auto& output) { return output.shape(1); }));

WRONG_MIXTURE(
    sum_not_reset_from_query_to_query,
    "the mixture of a query still holds those of the queries before it. It starts at 0 for every "
    "query.",
    [](const Matrix& weights, const Matrix& V) {
        Matrix output = matmul(weights, V);
        for (std::size_t k = V.shape(1); k < output.size(); ++k) {
            output.flat(k) += output.flat(k - V.shape(1));
        }
        return output;
    });

constexpr const char* small_weights_lost =
    "small weights are left out of the sum, to save time. Where their values are large, they "
    "count: skip a key only if its weight is exactly 0.";

/// The mixture of the keys that weigh at least so much.
auto from_a_weight_on(double least) {
    return checked_aggregate([=](const Matrix& weights, const Matrix& V) {
        return mixed(weights, V, [&](auto i, auto j, auto c) {
            return weights(i, j) < least ? 0.0 : weights(i, j) * V(j, c);
        });
    });
}

MISCONCEPTION(aggregate, weights_below_a_millionth_skipped, small_weights_lost,
              from_a_weight_on(1e-6));
MISCONCEPTION(aggregate, weights_below_1e_10_skipped, small_weights_lost, from_a_weight_on(1e-10));

constexpr const char* lost_keys =
    "the sum over the keys goes in blocks, and the keys that are left over where n_keys is no "
    "multiple of a block are lost. Add a loop for the rest.";

WRONG_MIXTURE(keys_past_blocks_of_2_lost, lost_keys,
              of_keys([](auto j, auto n) { return j < n / 2 * 2; }));
WRONG_MIXTURE(keys_past_blocks_of_4_lost, lost_keys,
              of_keys([](auto j, auto n) { return j < n / 4 * 4; }));
WRONG_MIXTURE(keys_past_blocks_of_8_lost, lost_keys,
              of_keys([](auto j, auto n) { return j < n / 8 * 8; }));

constexpr const char* lost_block =
    "the sum over the keys goes in blocks, and where n_keys is a multiple of a block the last of "
    "them is lost. Does the loop run while j + 4 < n_keys, or the like? A whole block is left "
    "there, too: <=.";

auto without_the_last_block_of(std::size_t size) {
    return of_keys([=](auto j, auto n) { return n % size != 0 || j + size < n; });
}

WRONG_MIXTURE(last_block_of_2_keys_lost, lost_block, without_the_last_block_of(2));
WRONG_MIXTURE(last_block_of_4_keys_lost, lost_block, without_the_last_block_of(4));
WRONG_MIXTURE(last_block_of_8_keys_lost, lost_block, without_the_last_block_of(8));

WRONG_MIXTURE(divided_by_n_keys,
              "this is right except for a division by n_keys. The weights already sum to 1: the "
              "weighted sum is a mean.",
              [](const Matrix& weights, const Matrix& V) -> Matrix {
                  return matmul(weights, V) / static_cast<double>(V.shape(0));
              });

MISCONCEPTION(aggregate, softmax_applied_again,
              "softmax is applied to the weights again. They are the result of a softmax and sum "
              "to 1; a second one makes them nearly equal.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) {
                  return matmul(softmax(weights), V);
              }));

WRONG_MIXTURE(values_by_rows,
              "this is weights · Vᵀ. Here a row of the weights is multiplied by the columns of V: "
              "the sum is over the n_keys values.",
              [](const Matrix& weights, const Matrix& V) {
                  return oracle::matmul_transposed(weights, V);
              });

WRONG_MIXTURE(transposed_result,
              "these are the right numbers in a transposed matrix. Row i of the output belongs to "
              "query i: its shape is (n_queries, d_v).",
              [](const Matrix& weights, const Matrix& V) {
                  return transposed(matmul(weights, V));
              });

MISCONCEPTION(aggregate, element_wise_product,
              "this multiplies weights and V element by element. In xtensor * is never the matrix "
              "product: that pairs a row of the weights with a column of V, and sums.",
              checked_aggregate([](const Matrix& weights, const Matrix& V) -> Matrix {
                  return weights * V;
              }));

/// The right mixture with 0 where not kept(i, c, output).
template <class Kept>
auto with_zeros(Kept kept) {
    return [kept](const Matrix& weights, const Matrix& V) {
        const Matrix output = matmul(weights, V);
        return zero_unless(output, [&](auto i, auto c) { return kept(i, c, output); });
    };
}

WRONG_MIXTURE(last_component_left_out,
              "the last column of the output is 0: the loop over the components ends one too "
              "early.",
              with_zeros([](auto, auto c, auto& output) { return c + 1 < output.shape(1); }));

WRONG_MIXTURE(last_component_cut_off,
              "the output has one column too few. It is as wide as V: d_v components.",
              [](const Matrix& weights, const Matrix& V) -> Matrix {
                  return xt::view(matmul(weights, V), xt::all(),
                                  xt::range(std::size_t{0}, V.shape(1) - 1));
              });

WRONG_MIXTURE(last_query_left_out,
              "the last row of the output is 0: the loop over the queries ends one too early.",
              with_zeros([](auto i, auto, auto& output) { return i + 1 < output.shape(0); }));

WRONG_MIXTURE(first_query_only,
              "only the first query has an output, the others have 0. Look where the loop over the "
              "queries ends, or whether it returns too early.",
              with_zeros([](auto i, auto, auto&) { return i == 0; }));

WRONG_MIXTURE(first_component_only,
              "only the first column of the output is filled, the others are 0. Each component of "
              "the values is mixed.",
              with_zeros([](auto, auto c, auto&) { return c == 0; }));

WRONG_MIXTURE(
    weights_of_the_first_query,
    "every query uses the weights of the first one: the index i of the weights is missing.",
    [](const Matrix& weights, const Matrix& V) {
        return mixed(weights, V, [&](auto, auto j, auto c) { return weights(0, j) * V(j, c); });
    });

/// For an index that may lie outside of A: a learner's arrays check theirs.
double at(const Matrix& A, std::size_t i, std::size_t j) {
    if (i >= A.shape(0) || j >= A.shape(1)) {
        throw std::runtime_error("out of range");
    }
    return A(i, j);
}

WRONG_MIXTURE(value_of_the_query,
              "the value is taken from row i of V, the query's own position, for every key. Weight "
              "j belongs to value j: weights(i, j) * V(j, c).",
              [](const Matrix& weights, const Matrix& V) {
                  return mixed(weights, V,
                               [&](auto i, auto j, auto c) { return weights(i, j) * at(V, i, c); });
              });

WRONG_MIXTURE(weight_by_component,
              "the weight is taken by the component: weights(i, c). All components of value j have "
              "the same weight, weights(i, j).",
              [](const Matrix& weights, const Matrix& V) {
                  return mixed(weights, V,
                               [&](auto i, auto j, auto c) { return at(weights, i, c) * V(j, c); });
              });

WRONG_MIXTURE(sum_in_an_int,
              "the sum is kept in an int, and after each term the digits after the point are cut "
              "off. auto sum = 0 is an int, and std::inner_product and std::accumulate sum in the "
              "type of their start value: 0.0, not 0.",
              [](const Matrix& weights, const Matrix& V) {
                  Matrix output = xt::zeros<double>({weights.shape(0), V.shape(1)});
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      for (std::size_t c = 0; c < V.shape(1); ++c) {
                          for (std::size_t j = 0; j < V.shape(0); ++j) {
                              output(i, c) = std::trunc(output(i, c) + weights(i, j) * V(j, c));
                          }
                      }
                  }
                  return output;
              });

WRONG_MIXTURE(subtracted,
              "the sign is wrong: the weighted values are subtracted, -= in place of +=.",
              [](const Matrix& weights, const Matrix& V) -> Matrix { return -matmul(weights, V); });

WRONG_MIXTURE(added_to_the_weight,
              "weight and value are added. A value is multiplied by its weight, and the products "
              "are added up.",
              [](const Matrix& weights, const Matrix& V) {
                  return mixed(weights, V,
                               [&](auto i, auto j, auto c) { return weights(i, j) + V(j, c); });
              });

constexpr const char* says_residual =
    "the values themselves are added to the output, each position's own to its mixture. A "
    "Transformer has such a residual connection, but around attention, and with its input: a "
    "mixture is the weighted sum alone.";

MISCONCEPTION(aggregate, values_added, says_residual,
              checked_aggregate([](const Matrix& weights, const Matrix& V) -> Matrix {
                  return V + matmul(weights, V);
              }));

WRONG_MIXTURE(own_value_added, says_residual, [](const Matrix& weights, const Matrix& V) {
    return mixed(weights, V, [&](auto i, auto j, auto c) {
        return (weights(i, j) + (i == j ? 1 : 0)) * V(j, c);
    });
});

WRONG_MIXTURE(keys_up_to_the_query,
              "query i mixes only the values 0 to i. That is causal, the subject of lesson 05; "
              "here every query uses all values.",
              [](const Matrix& weights, const Matrix& V) {
                  return mixed(weights, V, [&](auto i, auto j, auto c) {
                      return j <= i ? weights(i, j) * V(j, c) : 0.0;
                  });
              });

WRONG_MIXTURE(largest_product, "each element is the largest of the weighted values, not their sum.",
              [](const Matrix& weights, const Matrix& V) {
                  Matrix output = Matrix::from_shape({weights.shape(0), V.shape(1)});
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      for (std::size_t c = 0; c < V.shape(1); ++c) {
                          output(i, c) = weights(i, 0) * V(0, c);
                          for (std::size_t j = 1; j < V.shape(0); ++j) {
                              output(i, c) = std::max(output(i, c), weights(i, j) * V(j, c));
                          }
                      }
                  }
                  return output;
              });

} // namespace
