// Wrong versions of 05.3 and 05.5 that leave out an end, or go wrong in one part of the sum.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

double largest_of(const Matrix& scores, const Mask& mask, std::size_t i, std::size_t first) {
    double most = -infinity;
    for (std::size_t j = first; j < scores.shape(1); ++j) {
        most = mask(i, j) ? std::max(most, scores(i, j)) : most;
    }
    return most;
}

/// exp(s − maximum) where allowed and seen(j, n_keys), each row divided by divisor(row).
using Seen = std::function<bool(std::size_t j, std::size_t n_keys)>;
using Divisor = std::function<double(const std::vector<double>& row)>;

bool every(std::size_t, std::size_t) {
    return true;
}

double sum_of(const std::vector<double>& row) {
    return std::accumulate(row.begin(), row.end(), 0.0);
}

auto exponentials(Seen seen, Divisor divisor = sum_of, Seen divided = every) {
    return [=](const Matrix& scores, const Mask& mask) -> Matrix {
        const std::size_t n_keys = scores.shape(1);
        Matrix weights = xt::zeros<double>({scores.shape(0), n_keys});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            const double maximum = largest_of(scores, mask, i, 0);
            std::vector<double> row(n_keys, 0.0);
            for (std::size_t j = 0; j < n_keys; ++j) {
                row[j] = mask(i, j) && seen(j, n_keys) ? std::exp(scores(i, j) - maximum) : 0;
            }
            const double sum = divisor(row);
            for (std::size_t j = 0; j < n_keys; ++j) {
                weights(i, j) = sum > 0 && divided(j, n_keys) ? row[j] / sum : row[j];
            }
        }
        return weights;
    };
}

WITHIN_ONE_SEQUENCE(last_exponential_left_out,
                    "the last key gets no exponential, and no weight: the loop stops one short. It "
                    "runs while j < n_keys.",
                    exponentials([](std::size_t j, std::size_t n_keys) { return j + 1 < n_keys; }));

WITHIN_ONE_SEQUENCE(first_exponential_left_out,
                    "the first key gets no exponential, and no weight: the loop begins at 1. "
                    "Indices begin at 0.",
                    exponentials([](std::size_t j, std::size_t) { return j > 0; }));

WITHIN_ONE_SEQUENCE(keys_beyond_64_left_out,
                    "keys beyond the first 64 get no weight. There may be any number of them: "
                    "scores.shape(1).",
                    exponentials([](std::size_t j, std::size_t) { return j < 64; }));

WITHIN_ONE_SEQUENCE(last_weight_not_divided,
                    "the last weight of a row is not divided by the row's sum: that loop stops one "
                    "short. It runs while j < n_keys.",
                    exponentials(every, sum_of,
                                 [](std::size_t j, std::size_t n_keys) { return j + 1 < n_keys; }));

WITHIN_ONE_SEQUENCE(
    sum_in_whole_numbers,
    "the sum of a row is kept in whole numbers, as by auto sum = 0 or std::accumulate(…, 0), which "
    "drops the fraction at every step. Let it be a double, and begin with 0.0.",
    exponentials(every, [](const std::vector<double>& row) {
        double sum = 0;
        for (const double part : row) {
            sum = std::floor(sum + part);
        }
        return sum;
    }));

WITHIN_ONE_SEQUENCE(divided_by_how_many_keys,
                    "the exponentials are divided by n_keys. Shares come of a division by the sum "
                    "of the row.",
                    exponentials(every, [](const std::vector<double>& row) {
                        return static_cast<double>(row.size());
                    }));

WITHIN_ONE_SEQUENCE(
    blocked_exponential_of_1,
    "a blocked key has the exponential 1, as if its score were the largest. It has none: exp(−∞) "
    "is 0.",
    [](const Matrix& scores, const Mask& mask) -> Matrix {
        Matrix weights = Matrix::from_shape({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            const double maximum = largest_of(scores, mask, i, 0);
            double sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 1;
                sum += weights(i, j);
            }
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) /= sum;
            }
        }
        return weights;
    });

WITHIN_ONE_SEQUENCE(terms_of_earlier_rows,
                    "a blocked key gets the exponential that an earlier row had for it: all rows "
                    "share the memory for their exponentials, and it is written to only where a "
                    "key is allowed. Write a 0 where it is blocked, or begin each row with zeros.",
                    [](const Matrix& scores, const Mask& mask) -> Matrix {
                        const std::size_t n_keys = scores.shape(1);
                        Matrix weights = xt::zeros<double>({scores.shape(0), n_keys});
                        std::vector<double> terms(n_keys, 0.0);
                        for (std::size_t i = 0; i < scores.shape(0); ++i) {
                            const double maximum = largest_of(scores, mask, i, 0);
                            double sum = 0;
                            for (std::size_t j = 0; j < n_keys; ++j) {
                                terms[j] = mask(i, j) ? std::exp(scores(i, j) - maximum) : terms[j];
                                sum += mask(i, j) ? terms[j] : 0;
                            }
                            for (std::size_t j = 0; sum > 0 && j < n_keys; ++j) {
                                weights(i, j) = terms[j] / sum;
                            }
                        }
                        return weights;
                    });

WITHIN_ONE_SEQUENCE(
    maximum_of_the_rows_before,
    "the search for the maximum goes on from row to row and is never begun anew. A row far below "
    "one before it has exponentials of 0 only, and one in which everything is blocked is taken for "
    "one that is not. Set the maximum to −∞ for each row.",
    [](const Matrix& scores, const Mask& mask) -> Matrix {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        double maximum = -infinity;
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            maximum = std::max(maximum, largest_of(scores, mask, i, 0));
            double sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
                sum += weights(i, j);
            }
            for (std::size_t j = 0; maximum > -infinity && j < scores.shape(1); ++j) {
                weights(i, j) /= sum;
            }
        }
        return weights;
    });

WITHIN_ONE_SEQUENCE(
    maximum_without_the_first,
    "the search for a row's maximum begins at the second score. Where the first is far above the "
    "others, its exponential overflows; and where it alone is allowed, nothing was found.",
    [](const Matrix& scores, const Mask& mask) -> Matrix {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            const double maximum = largest_of(scores, mask, i, 1);
            double sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
                sum += weights(i, j);
            }
            for (std::size_t j = 0; sum > 0 && j < scores.shape(1); ++j) {
                weights(i, j) /= sum;
            }
        }
        return weights;
    });

MISCONCEPTION(
    masked_softmax, lowest_means_blocked,
    "a row is taken for blocked because its maximum is still the number the search began "
    "with, such as numeric_limits<double>::lowest(). An allowed score may be that low; no "
    "finite one is as low as −∞.",
    checked([](const Matrix& scores, const Mask& mask) {
        Matrix weights = plain::masked_softmax(scores, mask);
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            if (largest_of(scores, mask, i, 0) <= std::numeric_limits<double>::lowest()) {
                xt::row(weights, static_cast<std::ptrdiff_t>(i)) = 0;
            }
        }
        return weights;
    }));

// ---- 05.5 alone

MISCONCEPTION(scaled_dot_product_attention, causal_without_a_mask,
              "without a mask this is causal. Nothing is blocked then: every query sees every key.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const xt::xarray<bool> causal =
                      mask_of(Q.shape(1), K.shape(1), [](auto i, auto j) { return j <= i; });
                  return Mechanism{}(Q, K, V, mask ? mask : OptionalMask(causal));
              });

MISCONCEPTION(
    scaled_dot_product_attention, value_of_no_mask,
    "the mask is asked for its value where there is none, which throws "
    "std::bad_optional_access. Ask first whether there is a mask, or ask attends(), which "
    "does.",
    [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        lesson::require_fit(Q, K, V, mask);
        const xt::xarray<bool> given = mask.value();
        return Mechanism{}(Q, K, V, given);
    });

MISCONCEPTION(scaled_dot_product_attention, rank_2_read_as_padding,
              "a mask of rank 2 is read as a row for each sequence, (batch, n_keys), where its "
              "first size is batch. Shapes are aligned at their last axes: of rank 2 it is "
              "(n_queries, n_keys), and for padding there is (batch, 1, n_keys).",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  lesson::require_fit(Q, K, V, mask);
                  if (!mask || mask->dimension() != 2 || mask->shape(0) != Q.shape(0)) {
                      return Mechanism{}(Q, K, V, mask);
                  }
                  xt::xarray<bool> padding = *mask;
                  padding.reshape({mask->shape(0), std::size_t{1}, mask->shape(1)});
                  return Mechanism{}(Q, K, V, padding);
              });

MISCONCEPTION(scaled_dot_product_attention, mask_inverted_but_not_left_out,
              "the mask is the wrong way round: what it allows is blocked, and the other way. true "
              "means that a query may attend to a key.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  if (!mask) {
                      return Mechanism{}(Q, K, V, mask);
                  }
                  const xt::xarray<bool> inverted = !*mask;
                  return Mechanism{}(Q, K, V, inverted);
              });

MISCONCEPTION(scaled_dot_product_attention, last_component_of_the_scores_left_out,
              "the scores leave out the last of the d_k components: the loop stops one short.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  Tensor3 shorter = Q;
                  xt::view(shorter, xt::all(), xt::all(), Q.shape(2) - 1) = 0;
                  lesson::require_fit(Q, K, V, mask);
                  return Mechanism{}(shorter, K, V, mask);
              });

MISCONCEPTION(scaled_dot_product_attention, last_component_of_the_output_left_out,
              "the last of the d_v components of the output stays 0: the loop stops one short.",
              spoilt([](Attention& result, const Attention&) {
                  xt::view(result.output, xt::all(), xt::all(), result.output.shape(2) - 1) = 0;
              }));

MISCONCEPTION(scaled_dot_product_attention, last_sequence_left_out,
              "the last sequence of the batch stays 0: the loop over the batch stops one short.",
              spoilt([](Attention& result, const Attention&) {
                  const std::size_t last = result.output.shape(0) - 1;
                  xt::view(result.output, last) = 0;
                  xt::view(result.weights, last) = 0;
              }));

} // namespace
