// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here a
// part is looked at in place of all, or what is seldom needed is left out.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_shortcuts {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

// ---- Some numbers in place of all

MISCONCEPTION(aggregate, row_before_where_ends_agree,
              "the output of the query before is taken again where two rows of weights begin and "
              "end alike. Between their ends they may differ: compare all of a row, or compute "
              "each.",
              checked_aggregate([](M weights, M V) {
                  Matrix output = matmul(weights, V);
                  const S last = weights.shape(1) - 1, second = std::min<S>(1, last);
                  for (S i = 1; i < weights.shape(0); ++i) {
                      bool alike = true;
                      for (const S j : {S{0}, second, last}) {
                          alike = alike && weights(i, j) == weights(i - 1, j);
                      }
                      for (S c = 0; alike && c < V.shape(1); ++c) {
                          output(i, c) = output(i - 1, c);
                      }
                  }
                  return output;
              }));

MISCONCEPTION(aggregate, mean_where_ends_agree,
              "a query gets the plain mean of the values where its first and its last weight are "
              "equal, as if then all were. Between them others may stand: leave the case out, "
              "since the formula is right for equal weights, too.",
              checked_aggregate([](M weights, M V) {
                  return mixed(weights, V, [&](auto i, auto j, auto c) {
                      const S n = weights.shape(1);
                      const bool agree = weights(i, 0) == weights(i, n - 1);
                      return (agree ? 1 / static_cast<double>(n) : weights(i, j)) * V(j, c);
                  });
              }));

WRONG_MIXTURE(
    nearly_one_taken_for_one,
    "where a weight is nearly 1, more than 0.999999, the output is that value alone. The others "
    "have small weights, and where their values are large, they count: leave the case out.",
    [](M weights, M V) {
        Matrix output = matmul(weights, V);
        for (S i = 0; i < weights.shape(0); ++i) {
            for (S j = 0; j < weights.shape(1); ++j) {
                if (weights(i, j) > 1 - 1e-6) {
                    xt::view(output, i) = xt::view(V, j);
                }
            }
        }
        return output;
    });

constexpr const char* says_zero_by_its_sum =
    "a query whose components sum to 0 is taken for one of zeros, and attends to all keys alike. "
    "[1, -1] sums to 0 as well: look at each component.";

WRONG_WEIGHTS(query_of_zeros_by_its_sum, says_zero_by_its_sum, [](M Q, M K) {
    Matrix weights = right_weights(Q, K);
    for (S i = 0; i < Q.shape(0); ++i) {
        double sum = 0;
        for (S c = 0; c < Q.shape(1); ++c) {
            sum += Q(i, c);
        }
        for (S j = 0; sum == 0 && j < K.shape(0); ++j) {
            weights(i, j) = 1 / static_cast<double>(K.shape(0));
        }
    }
    return weights;
});

constexpr const char* says_16_bits =
    "what comes after the first 65,536 numbers of the result is 0: an index is kept in 16 bits, "
    "and begins anew there. Use std::size_t.";

Matrix first_65536(const Matrix& A) {
    return zero_unless(A, [&](auto i, auto j) { return i * A.shape(1) + j < 65536; });
}

MISCONCEPTION(aggregate, index_in_16_bits, says_16_bits,
              checked_aggregate([](M weights, M V) { return first_65536(matmul(weights, V)); }));
MISCONCEPTION(attention_weights, index_in_16_bits_of_weights, says_16_bits,
              checked_weights([](M Q, M K) { return first_65536(right_weights(Q, K)); }));
MISCONCEPTION(self_attention, index_in_16_bits_of_output, says_16_bits,
              checked_attention([](M Q, M K, M V) {
                  return first_65536(matmul(right_weights(Q, K), V));
              }));

// ---- What is subtracted before the exponentials

WRONG_WEIGHTS(
    bound_for_maximum,
    "what is subtracted before exp is a bound on the scores, made of the lengths of queries and "
    "keys, and not the largest score. It may lie far above them all: then every exponential is 0, "
    "and 0 / 0 is NaN. Subtract the largest score itself.",
    [](M Q, M K) {
        const auto length = [](M A, S i) {
            return std::sqrt(
                row_sum(A, i, [](auto& B, auto r, auto c) { return B(r, c) * B(r, c); }));
        };
        double longest = 0;
        for (S j = 0; j < K.shape(0); ++j) {
            longest = std::max(longest, length(K, j));
        }
        return shares(oracle::scaled_scores(Q, K),
                      [&](auto&, auto i) { return length(Q, i) * longest / root(Q.shape(1)); });
    });

constexpr const char* says_only_beyond =
    "the largest score is subtracted only where a score is beyond some bound. Short of it exp, or "
    "the sum of a few, is infinite already, or has hardly a digit left, as exp(-735) has. Subtract "
    "it always: that costs nothing and changes no weight.";

MISCONCEPTION(attention_weights, maximum_only_beyond_740, says_only_beyond,
              checked_weights([](M Q, M K) {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  const bool beyond = xt::amax(xt::abs(scores))() > 740;
                  return shares(scores,
                                [&](auto& s, auto i) { return beyond ? largest(s, i) : 0; });
              }));
MISCONCEPTION(attention_weights, largest_only_beyond_709, says_only_beyond,
              checked_weights([](M Q, M K) {
                  return shares(oracle::scaled_scores(Q, K), [](auto& s, auto i) {
                      return std::abs(largest(s, i)) < 709 ? 0 : largest(s, i);
                  });
              }));

MISCONCEPTION(self_attention, maximum_only_beyond_700,
              "the largest score is subtracted only where a score is beyond some bound. Short of "
              "it exp is finite, but its product with a large value need not be: exp(650) · 1e100 "
              "is infinite. Subtract it always: that changes no weight.",
              checked_attention([](M Q, M K, M V) -> Matrix {
                  const Matrix scores = oracle::scaled_scores(Q, K);
                  Matrix output = matmul(right_weights(Q, K), V);
                  if (xt::amax(xt::abs(scores))() > 700) {
                      return output;
                  }
                  output.fill(0);
                  for (S i = 0; i < Q.shape(0); ++i) {
                      double sum = 0;
                      for (S j = 0; j < K.shape(0); ++j) {
                          sum += std::exp(scores(i, j));
                          for (S c = 0; c < V.shape(1); ++c) {
                              output(i, c) += std::exp(scores(i, j)) * V(j, c);
                          }
                      }
                      for (S c = 0; c < V.shape(1); ++c) {
                          output(i, c) /= sum;
                      }
                  }
                  return output;
              }));

// ---- One number for queries and keys

MISCONCEPTION(self_attention, as_many_keys_as_queries_in_attention,
              "there are taken to be as many keys as queries, one n for both: the loop over the "
              "keys ends at the number of queries, the rows of Q. It goes over the rows of K, of "
              "which there may be more or fewer.",
              checked_attention([](M Q, M K, M V) {
                  const S n = Q.shape(0);
                  if (n > K.shape(0)) {
                      throw std::runtime_error("out of range"); // as a learner's arrays do
                  }
                  return matmul(right_weights(Q, xt::view(K, xt::range(S{0}, n), xt::all())),
                                xt::view(V, xt::range(S{0}, n), xt::all()));
              }));

} // namespace

} // namespace misconceptions_shortcuts
