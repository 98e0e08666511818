// Wrong versions that read the mask in another order or guess what it says, and such that round or
// limit what they are given; see misconceptions.cpp for what becomes of them.

#include <algorithm>
#include <cmath>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.2 to 05.4: the order of the elements, and other guesses

/// mask(i, j) read as element number i + rows * j, as columns one after the other.
Mask by_columns(const Mask& mask) {
    const std::size_t rows = mask.shape(0), columns = mask.shape(1);
    return mask_of(rows, columns,
                   [&](std::size_t i, std::size_t j) { return mask.flat(i + rows * j); });
}

/// The elements of A, put down column after column.
Matrix put_by_columns(const Matrix& A) {
    Matrix result = A;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            result.flat(i + A.shape(0) * j) = A(i, j);
        }
    }
    return result;
}

constexpr const char* says_by_columns =
    "the elements are counted down the columns, i + n_queries * j. In an array of xtensor they "
    "stand row after row, i * n_keys + j: write mask(i, j), and it is right by itself.";

MISCONCEPTION(apply_mask, mask_by_columns, says_by_columns, checked([](auto& scores, auto& mask) {
                  return filled(scores, by_columns(mask), -infinity);
              }));
MISCONCEPTION(apply_mask, result_by_columns, says_by_columns, checked([](auto& scores, auto& mask) {
                  return put_by_columns(filled(scores, mask, -infinity));
              }));
MISCONCEPTION(additive_mask, added_mask_by_columns, says_by_columns, [](const Mask& mask) {
    const Matrix zeros = xt::zeros<double>({mask.shape(0), mask.shape(1)});
    return filled(zeros, by_columns(mask), -infinity);
});
MISCONCEPTION(additive_mask, added_result_by_columns, says_by_columns, [](const Mask& mask) {
    const Matrix zeros = xt::zeros<double>({mask.shape(0), mask.shape(1)});
    return put_by_columns(filled(zeros, mask, -infinity));
});
WITHIN_ONE_SEQUENCE(mask_read_by_columns, says_by_columns, [](auto& scores, auto& mask) {
    return plain::masked_softmax(scores, by_columns(mask));
});
WITHIN_ONE_SEQUENCE(weights_by_columns, says_by_columns, [](auto& scores, auto& mask) {
    return put_by_columns(plain::masked_softmax(scores, mask));
});

MISCONCEPTION(
    apply_mask, logarithm_of_masked_exponentials,
    "this is the logarithm of mask · exp(score). It is −∞ where it should be, but an "
    "allowed score comes back with other last digits, and infinite from about 710 or -745 "
    "on. Copy the scores, and replace the blocked ones.",
    checked([](const Matrix& scores, const Mask& mask) -> Matrix {
        return xt::log(filled(xt::exp(scores), mask, 0));
    }));

constexpr const char* says_low_blocked =
    "an allowed score that is low, such as -1e30, is taken for a blocked one and becomes −∞. A "
    "score may be any number: ask the mask, not the score.";

auto low_blocked(double bound) {
    return checked([=](const Matrix& scores, const Mask& mask) -> Matrix {
        const Matrix marked = filled(scores, mask, bound);
        return xt::where(marked <= bound, -infinity, marked);
    });
}

MISCONCEPTION(apply_mask, low_scores_blocked_1e3, says_low_blocked, low_blocked(-1e3));
MISCONCEPTION(apply_mask, low_scores_blocked_1e30, says_low_blocked, low_blocked(-1e30));
MISCONCEPTION(apply_mask, low_scores_blocked_1e300, says_low_blocked, low_blocked(-1e300));

constexpr const char* says_allowed_limited =
    "allowed scores beyond a bound, such as 50 or 700, are set to that bound. What a large score "
    "does to exp is the business of the softmax; here the allowed scores stay as they are.";

#define ALLOWED_LIMITED_TO(bound)                                                                  \
    MISCONCEPTION(apply_mask, allowed_limited_to_##bound, says_allowed_limited,                    \
                  checked([](auto& scores, auto& mask) {                                           \
                      return filled(Matrix(xt::clip(scores, -double{bound}, double{bound})), mask, \
                                    -infinity);                                                    \
                  }))

ALLOWED_LIMITED_TO(20);
ALLOWED_LIMITED_TO(50);
ALLOWED_LIMITED_TO(80);
ALLOWED_LIMITED_TO(88);
ALLOWED_LIMITED_TO(100);
ALLOWED_LIMITED_TO(500);
ALLOWED_LIMITED_TO(700);
ALLOWED_LIMITED_TO(709);
ALLOWED_LIMITED_TO(1000);
ALLOWED_LIMITED_TO(1e4);
ALLOWED_LIMITED_TO(1e6);
ALLOWED_LIMITED_TO(1e9);
ALLOWED_LIMITED_TO(1e30);
ALLOWED_LIMITED_TO(1e300);

MISCONCEPTION(additive_mask, one_row_made_square,
              "a mask of one row is repeated to a square. The result has the shape of the mask, "
              "that of one query, too.",
              [](const Mask& mask) -> Matrix {
                  const std::size_t n_keys = mask.shape(1);
                  const std::size_t rows = mask.shape(0) == 1 ? n_keys : mask.shape(0);
                  Matrix result = xt::zeros<double>({rows, n_keys});
                  for (std::size_t i = 0; i < rows; ++i) {
                      for (std::size_t j = 0; j < n_keys; ++j) {
                          result(i, j) = mask(mask.shape(0) == 1 ? 0 : i, j) ? 0 : -infinity;
                      }
                  }
                  return result;
              });

WITHIN_ONE_SEQUENCE(as_many_from_the_left,
                    "as many keys are allowed as the mask allows, but always those from the left. "
                    "The allowed keys may stand anywhere: ask mask(i, j) for each.",
                    [](auto& scores, auto& mask) {
                        const auto counted = [&](std::size_t i) {
                            std::size_t n = 0;
                            for (std::size_t j = 0; j < mask.shape(1); ++j) {
                                n += mask(i, j) ? 1 : 0;
                            }
                            return n;
                        };
                        return plain::masked_softmax(
                            scores, mask_of(mask.shape(0), mask.shape(1),
                                            [&](auto i, auto j) { return j < counted(i); }));
                    });

// ---- 05.3 and 05.5: what is rounded, limited or shifted otherwise

WITHIN_ONE_SEQUENCE(
    zero_for_blocked_scores_but_in_blocked_rows,
    "blocked scores were set to 0 before the softmax, as scores * mask does. exp(0) is 1, so "
    "blocked keys still get a weight, unless the whole row is blocked. Only −∞ has an exponential "
    "of 0.",
    [](auto& scores, auto& mask) {
        return plain::blocked_rows_zeroed(oracle::softmax_rows(filled(scores, mask, 0)), mask);
    });

WITHIN_ONE_SEQUENCE(
    logarithm_of_the_sum_subtracted,
    "weights are computed as exp(s − L), where L is the maximum plus the logarithm of the sum, or "
    "the logarithm of all exponentials. Where scores are large, that logarithm is lost in the "
    "digits of the maximum. Subtract the maximum alone, and divide by the sum.",
    [](auto& scores, auto& mask) -> Matrix {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            double maximum = -infinity, sum = 0;
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                maximum = mask(i, j) ? std::max(maximum, scores(i, j)) : maximum;
            }
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                sum += mask(i, j) ? std::exp(scores(i, j) - maximum) : 0;
            }
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - (maximum + std::log(sum))) : 0;
            }
        }
        return weights;
    });

constexpr const char* says_limited =
    "scores are limited to some range, such as ±50 or ±1e6, before the softmax: beyond it they all "
    "count alike. With the maximum subtracted nothing overflows, and no limit is needed.";

auto limited_to(double most) {
    return [=](const Matrix& scores, const Mask& mask) {
        return plain::masked_softmax(Matrix(xt::clip(scores, -most, most)), mask);
    };
}

WITHIN_ONE_SEQUENCE(limited_to_50, says_limited, limited_to(50));
WITHIN_ONE_SEQUENCE(limited_to_1e6, says_limited, limited_to(1e6));
WITHIN_ONE_SEQUENCE(limited_to_1e30, says_limited, limited_to(1e30));

constexpr const char* says_limited_to_half =
    "scores are kept between two huge limits, such as half of the largest double, so that no "
    "difference overflows. Scores beyond a limit become equal although they differ. A difference "
    "that overflows is −∞, and exp(−∞) is 0, as it should be: leave the limits out.";

WITHIN_ONE_SEQUENCE(limited_to_half_of_the_largest_double, says_limited_to_half,
                    limited_to(std::numeric_limits<double>::max() / 2));
WITHIN_ONE_SEQUENCE(limited_to_1e300, says_limited_to_half, limited_to(1e300));

template <class Array>
Array noise_dropped(Array numbers, double least) {
    for (double& x : numbers) {
        x = std::abs(x) < least ? 0 : x;
    }
    return numbers;
}

constexpr const char* says_noise =
    "small numbers, such as those below 1e-9, are taken for rounding errors of 0. How large they "
    "are says nothing: where all are small, they are all there is. Leave them as they are.";

WITHIN_ONE_SEQUENCE(scores_below_1e_6_dropped, says_noise, [](auto& scores, auto& mask) {
    return plain::masked_softmax(noise_dropped(scores, 1e-6), mask);
});
WITHIN_ONE_SEQUENCE(scores_below_1e_8_dropped, says_noise, [](auto& scores, auto& mask) {
    return plain::masked_softmax(noise_dropped(scores, 1e-8), mask);
});

/// Components below `least` taken for 0, in all three.
auto without_noise(double least) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        return Mechanism{}(noise_dropped(Q, least), noise_dropped(K, least),
                           noise_dropped(V, least), mask);
    };
}

MISCONCEPTION(scaled_dot_product_attention, components_below_1e_9_dropped, says_noise,
              without_noise(1e-9));
// ---- 05.5: the whole

MISCONCEPTION(scaled_dot_product_attention, equal_weights_beside_an_output_of_zeros,
              "where a query may see nothing, its output is 0 but its weights are equal shares. "
              "Nothing is allowed there: its weights are 0, too.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  Attention answer = Mechanism{}(Q, K, V, mask);
                  const std::size_t n_queries = Q.shape(1), n_keys = K.shape(1);
                  for (std::size_t b = 0; b < Q.shape(0); ++b) {
                      const Mask own = plain::mask_of_sequence(mask, b, n_queries, n_keys);
                      for (std::size_t i = 0; i < n_queries; ++i) {
                          if (plain::all_blocked(own, i)) {
                              xt::view(answer.weights, b, i, xt::all()) =
                                  1.0 / static_cast<double>(n_keys);
                          }
                      }
                  }
                  return answer;
              });

/// Each sequence's own mask, changed.
template <class Changed>
auto masked_by(Changed changed) {
    return [=](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        lesson::require_fit(Q, K, V, mask);
        xt::xarray<bool> all = xt::ones<bool>({Q.shape(0), Q.shape(1), K.shape(1)});
        for (std::size_t b = 0; b < Q.shape(0); ++b) {
            xt::view(all, b) =
                changed(mask, plain::mask_of_sequence(mask, b, Q.shape(1), K.shape(1)));
        }
        return Mechanism{}(Q, K, V, all);
    };
}

MISCONCEPTION(
    scaled_dot_product_attention, keys_beyond_the_mask_blocked,
    "where the last axis of a mask is 1, all keys but the first are blocked. An axis of 1 "
    "holds for every index: attends(mask, b, i, j) knows.",
    masked_by([](const OptionalMask& mask, const Mask& own) {
        return mask_of(own.shape(0), own.shape(1), [&](auto i, auto j) {
            return own(i, j) && (!mask || j < mask->shape(mask->dimension() - 1));
        });
    }));

MISCONCEPTION(scaled_dot_product_attention, causal_by_its_corner,
              "a square mask that blocks the last key from the first query is taken for the causal "
              "one, and only keys up to the query's own are looked at. Other masks do that, too: "
              "ask attends(mask, b, i, j) for each.",
              masked_by([](const OptionalMask&, const Mask& own) {
                  const std::size_t last = own.shape(1) - 1;
                  const bool causal = own.shape(0) == own.shape(1) && !own(0, last);
                  return mask_of(own.shape(0), own.shape(1),
                                 [&](auto i, auto j) { return own(i, j) && (!causal || j <= i); });
              }));

} // namespace
