// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 05.3 masked_softmax, and 05.5: the softmax written out, and a slip in it

/// The largest allowed score of row i from begin to before end, and of start.
double largest(const Matrix& scores, const Mask& mask, std::size_t i, std::size_t begin,
               std::size_t end, double start = -infinity) {
    for (std::size_t j = begin; j < end; ++j) {
        start = mask(i, j) ? std::max(start, scores(i, j)) : start;
    }
    return start;
}

double largest(const Matrix& scores, const Mask& mask, std::size_t i) {
    return largest(scores, mask, i, 0, scores.shape(1));
}

/// Σⱼ exp(sⱼ − reference) over what is allowed.
double row_sum(const Matrix& scores, const Mask& mask, std::size_t i, double reference) {
    double sum = 0;
    for (std::size_t j = 0; j < scores.shape(1); ++j) {
        sum += mask(i, j) ? std::exp(scores(i, j) - reference) : 0;
    }
    return sum;
}

double right_sum(const Matrix& scores, const Mask& mask, std::size_t i) {
    return row_sum(scores, mask, i, largest(scores, mask, i));
}

/// exp(s − reference(i)) / divisor(i) where allowed, and 0 where blocked, or where no share can be
/// computed.
template <class Reference, class Divisor>
auto written_out(Reference reference, Divisor divisor) {
    return [=](const Matrix& scores, const Mask& mask) {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            const double r = reference(scores, mask, i);
            const double sum = divisor(scores, mask, i, r);
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                if (mask(i, j) && sum != 0) {
                    weights(i, j) = std::exp(scores(i, j) - r) / sum;
                }
            }
        }
        return weights;
    };
}

/// Divided by the sum of the exponentials: right until something over- or underflows.
template <class Reference>
auto shifted_by(Reference reference) {
    return written_out(reference, row_sum);
}

const auto own_largest = [](auto& scores, auto& mask, auto i) { return largest(scores, mask, i); };
const auto nothing = [](auto&, auto&, auto) { return 0.0; };

constexpr const char* no_maximum =
    "exponentials are taken of the scores as they are: exp(1e4) is infinite, and exp(-1e4) is 0, "
    "so that a row of such scores looks blocked. Subtract the largest allowed score of the row "
    "first, as in lesson 03.";

WITHIN_ONE_SEQUENCE(no_maximum_subtracted, no_maximum, shifted_by(nothing));

WITHIN_ONE_SEQUENCE(no_maximum_and_nan_mended, no_maximum, [](auto& scores, auto& mask) {
    Matrix weights = shifted_by(nothing)(scores, mask);
    for (double& weight : weights) {
        weight = std::isnan(weight) ? 0 : weight;
    }
    return weights;
});

WITHIN_ONE_SEQUENCE(no_maximum_and_times_mask,
                    "exponentials are taken of the scores as they are, and multiplied by the mask: "
                    "exp(1e4) is infinite, ∞ · 0 is NaN, and exp(-1e4) is 0, so that a row of such "
                    "scores looks blocked. Subtract the largest allowed score first, and choose "
                    "by the mask in place of multiplying.",
                    [](auto& scores, auto& mask) {
                        Matrix weights = scores;
                        for (std::size_t i = 0; i < scores.shape(0); ++i) {
                            double sum = 0;
                            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                                weights(i, j) = std::exp(scores(i, j)) * (mask(i, j) ? 1 : 0);
                                sum += weights(i, j);
                            }
                            for (std::size_t j = 0; j < scores.shape(1) && sum != 0; ++j) {
                                weights(i, j) /= sum;
                            }
                        }
                        return weights;
                    });

MISCONCEPTION(scaled_dot_product_attention, moved_by_what_comes_later,
              "what comes later moves the output before it, if only in its last digits: something "
              "is taken of all keys or values, such as a maximum, and not of those alone that the "
              "query sees.",
              plain::Mechanism{.weigh = shifted_by([](auto& scores, auto& mask, auto i) {
                                   const bool large = xt::amax(xt::abs(scores))() >= 100;
                                   return large ? largest(scores, mask, i) : 0.0;
                               })});

const auto from_zero = shifted_by([](auto& scores, auto& mask, auto i) {
    return largest(scores, mask, i, 0, scores.shape(1), 0);
});

WITHIN_ONE_SEQUENCE(maximum_from_zero,
                    "the search for a row's maximum starts at 0 (numeric_limits<double>::min() is "
                    "as much as 0). Where all allowed scores are far below, their exponentials "
                    "are all 0, and the row looks blocked. Start at −∞.",
                    from_zero);

WITHIN_ONE_SEQUENCE(maximum_from_zero_and_nan,
                    "the search for a row's maximum starts at 0 (numeric_limits<double>::min() is "
                    "as much as 0). Where all allowed scores are far below, their exponentials "
                    "are all 0, and 0 / 0 is NaN. Start at −∞.",
                    [](auto& scores, auto& mask) {
                        Matrix weights = from_zero(scores, mask);
                        for (std::size_t i = 0; i < scores.shape(0); ++i) {
                            auto row = xt::view(weights, i, xt::all());
                            if (!nothing_allowed_in(mask, i) && xt::sum(row)() == 0) {
                                row = not_a_number;
                            }
                        }
                        return weights;
                    });

WITHIN_ONE_SEQUENCE(first_score_for_maximum,
                    "the first score of a row is subtracted, not the largest that is allowed. One "
                    "far above it overflows.",
                    shifted_by([](auto& scores, auto&, auto i) { return scores(i, 0); }));

WITHIN_ONE_SEQUENCE(maximum_without_the_last,
                    "the search for a row's maximum ends before the last score. Where that one is "
                    "far above the others, its exponential overflows.",
                    shifted_by([](auto& scores, auto& mask, auto i) {
                        const double found = largest(scores, mask, i, 0, scores.shape(1) - 1);
                        return std::isinf(found) ? largest(scores, mask, i) : found;
                    }));

WITHIN_ONE_SEQUENCE(
    maximum_of_the_matrix,
    "one maximum, that of the whole matrix, is subtracted from every row. A row far below it has "
    "exponentials of 0 only, and looks blocked although it is not. Each row needs its own.",
    shifted_by([](auto& scores, auto& mask, auto) {
        double found = -infinity;
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            found = std::max(found, largest(scores, mask, i));
        }
        return found;
    }));

WITHIN_ONE_SEQUENCE(maximum_not_reset,
                    "the maximum is not reset for each row: a row far below an earlier one has "
                    "exponentials of 0 only, and looks blocked although it is not.",
                    shifted_by([](auto& scores, auto& mask, auto i) {
                        double found = -infinity;
                        for (std::size_t row = 0; row <= i; ++row) {
                            found = std::max(found, largest(scores, mask, row));
                        }
                        return found;
                    }));

WITHIN_ONE_SEQUENCE(exponentials_only,
                    "these are the exponentials, not yet divided by the sum of their row.",
                    written_out(nothing, [](auto&, auto&, auto, auto) { return 1.0; }));

WITHIN_ONE_SEQUENCE(largest_in_place_of_the_sum,
                    "the largest weight of each row is 1: the maximum was subtracted, but the "
                    "exponentials are not yet divided by the sum of their row.",
                    written_out(own_largest, [](auto&, auto&, auto, auto) { return 1.0; }));

WITHIN_ONE_SEQUENCE(divided_by_n_keys,
                    "the exponentials are divided by n_keys. Divide by the sum of the row.",
                    written_out(nothing, [](auto& scores, auto&, auto, auto) {
                        return static_cast<double>(scores.shape(1));
                    }));

WITHIN_ONE_SEQUENCE(
    divided_by_the_allowed,
    "the exponentials are divided by how many keys are allowed. Divide by the sum of the row.",
    written_out(nothing, [](auto& scores, auto& mask, auto i, auto) {
        double count = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            count += mask(i, j) ? 1 : 0;
        }
        return count;
    }));

WITHIN_ONE_SEQUENCE(equal_shares_of_the_allowed,
                    "every allowed key gets the same weight: the scores are not used.",
                    [](auto& scores, auto& mask) {
                        return plain::masked_softmax(0 * scores, mask);
                    });

constexpr const char* shifted_once =
    "the maximum is subtracted in the numerator or in the sum, and not in the other. It cancels "
    "only if it is subtracted in both: compute the exponentials once, and sum those.";

WITHIN_ONE_SEQUENCE(shifted_numerator, shifted_once,
                    written_out(own_largest, [](auto& scores, auto& mask, auto i, auto) {
                        return row_sum(scores, mask, i, 0);
                    }));
WITHIN_ONE_SEQUENCE(shifted_sum, shifted_once,
                    written_out(nothing, [](auto& scores, auto& mask, auto i, auto) {
                        return right_sum(scores, mask, i);
                    }));

constexpr const char* sum_goes_on =
    "the sum is not set back to 0 for each row: a row is divided by all that was added up so far.";

template <class Reference>
auto summed_on(Reference reference) {
    return written_out(reference, [=](auto& scores, auto& mask, auto i, auto) {
        double sum = 0;
        for (std::size_t row = 0; row <= i; ++row) {
            sum += plain::all_blocked(mask, row)
                       ? 0
                       : row_sum(scores, mask, row, reference(scores, mask, row));
        }
        return sum;
    });
}

WITHIN_ONE_SEQUENCE(sum_not_reset, sum_goes_on, summed_on(own_largest));
WITHIN_ONE_SEQUENCE(sum_of_unshifted_not_reset, sum_goes_on, summed_on(nothing));

WITHIN_ONE_SEQUENCE(sum_not_rescaled,
                    "maximum and sum are taken in one loop, and when a new maximum comes, the sum "
                    "so far is not multiplied by exp(old maximum - new maximum). Do that, or take "
                    "the maximum in a loop of its own.",
                    written_out(own_largest, [](auto& scores, auto& mask, auto i, auto) {
                        double sum = 0;
                        for (std::size_t j = 0; j < scores.shape(1); ++j) {
                            sum += mask(i, j)
                                       ? std::exp(scores(i, j) - largest(scores, mask, i, 0, j + 1))
                                       : 0;
                        }
                        return sum;
                    }));

/// Something small added to the sum, "against division by zero".
auto with_epsilon(double epsilon) {
    return written_out(own_largest, [=](auto& scores, auto& mask, auto i, auto) {
        return right_sum(scores, mask, i) + epsilon;
    });
}

constexpr const char* epsilon_added =
    "a small number, such as 1e-9, is added to the sum, and no row sums to 1. With the maximum "
    "subtracted the sum is at least exp(0) = 1, unless the whole row is blocked: handle this row "
    "by itself.";

WITHIN_ONE_SEQUENCE(epsilon_1e_5, epsilon_added, with_epsilon(1e-5));
WITHIN_ONE_SEQUENCE(epsilon_1e_6, epsilon_added, with_epsilon(1e-6));
WITHIN_ONE_SEQUENCE(epsilon_1e_7, epsilon_added, with_epsilon(1e-7));
WITHIN_ONE_SEQUENCE(epsilon_1e_8, epsilon_added, with_epsilon(1e-8));
WITHIN_ONE_SEQUENCE(epsilon_1e_9, epsilon_added, with_epsilon(1e-9));
WITHIN_ONE_SEQUENCE(epsilon_1e_10, epsilon_added, with_epsilon(1e-10));

WITHIN_ONE_SEQUENCE(weight_for_blocked_keys,
                    "maximum and sum are taken over what is allowed, but each key gets its share, "
                    "a blocked one, too: its weight is not 0. Ask the mask there as well.",
                    [](auto& scores, auto& mask) {
                        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
                        for (std::size_t i = 0; i < scores.shape(0); ++i) {
                            const double maximum = largest(scores, mask, i);
                            const double sum = row_sum(scores, mask, i, maximum);
                            for (std::size_t j = 0; j < scores.shape(1) && sum > 0; ++j) {
                                weights(i, j) = std::exp(scores(i, j) - maximum) / sum;
                            }
                        }
                        return weights;
                    });

} // namespace
