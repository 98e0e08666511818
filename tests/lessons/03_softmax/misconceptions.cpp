// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "wrong.hpp"

#include "support/oracle.hpp"

using namespace wrong;

namespace {

// 03.1 softmax and 03.2 softmax_rows: what can go wrong within one row

WITHIN_A_ROW(
    no_maximum,
    "the formula is taken word for word, and on a computer that is not enough: exp(1000) is "
    "infinite and inf / inf is NaN, exp(-1000) is 0 and 0 / 0 is NaN. Adding one constant to all "
    "scores of a row changes no weight, so choose one that keeps exp in bounds.",
    [](const Vector& row) { return shares(row, 0); });

WITHIN_A_ROW(no_exponential,
             "this divides the scores by their sum, without exp. Scores may be negative, and so "
             "may their sum, or it is 0: such quotients are no shares. exp makes every term "
             "positive first.",
             [](const Vector& row) { return divided_by_sum(row); });

WITHIN_A_ROW(absolute_values,
             "this divides |score| by the sum of the |scores|. A score of -5 then weighs as much "
             "as one of 5, and says the opposite. exp makes terms positive and keeps their order.",
             [](const Vector& row) {
                 return divided_by_sum(mapped(row, [](double s) { return std::abs(s); }));
             });

WITHIN_A_ROW(negatives_cut_off,
             "this replaces negative scores by 0 and divides by the sum. All that lies below 0 "
             "then weighs the same, and a row without a positive score is 0 / 0. exp makes terms "
             "positive without losing their order.",
             [](const Vector& row) {
                 return divided_by_sum(mapped(row, [](double s) { return std::max(s, 0.0); }));
             });

WITHIN_A_ROW(largest_weighs_one,
             "the largest weight is 1, whatever the others are: these are exp(score - maximum), "
             "still without the division by their sum. (To divide by the largest exponential comes "
             "to the same.) Weights are shares of a whole, and sum to 1.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 return mapped(row, [=](double s) { return std::exp(s - maximum); });
             });

WITHIN_A_ROW(exponentials_only,
             "these are the exponentials of the scores: positive and in the right proportion to "
             "each other, but not yet shares. What is missing is the division by their sum.",
             [](const Vector& row) { return mapped(row, [](double s) { return std::exp(s); }); });

WITHIN_A_ROW(divided_by_maximum,
             "the scores are divided by their maximum, not lowered by it. That keeps exp in bounds "
             "too, but it changes the differences between the scores, and those alone decide the "
             "weights (a negative maximum even turns their order around).",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 return shares(mapped(row, [=](double s) { return s / maximum; }), 0);
             });

WITHIN_A_ROW(minimum_subtracted,
             "this subtracts the smallest score. The weights are right until a score lies more "
             "than 709 above it: its exponential is infinite. To bound exp from above, the largest "
             "score has to land on 0.",
             [](const Vector& row) {
                 const double minimum = -largest(mapped(row, [](double s) { return -s; }));
                 return shares(row, minimum);
             });

WITHIN_A_ROW(mean_subtracted,
             "this subtracts the mean of the scores. Any constant gives the same quotient, but the "
             "mean bounds nothing: one score far above it still overflows. The largest score has "
             "to land on 0.",
             [](const Vector& row) {
                 return shares(row, sum_of(row) / static_cast<double>(row.size()));
             });

WITHIN_A_ROW(largest_magnitude_subtracted,
             "this subtracts the largest absolute value, not the largest score. One score far "
             "below 0 makes it huge, every exponential becomes 0, and 0 / 0 is NaN.",
             [](const Vector& row) {
                 return shares(row, largest(mapped(row, [](double s) { return std::abs(s); })));
             });

WITHIN_A_ROW(
    negative_maximum_missed,
    "a row of negative scores is not lowered by its own maximum, and far below 0 every "
    "exponential vanishes. Either the search for the maximum starts at a number that may be "
    "larger than all scores, such as 0, -1 or numeric_limits<double>::min(), which is the smallest "
    "positive number: start at the first score or at minus infinity. Or the maximum is subtracted "
    "only where it is large: subtract it always.",
    [](const Vector& row) { return shares(row, std::max(0.0, largest(row))); });

// The limits that people choose: numbers that exp stands.

auto capped_at(double limit) {
    return [=](const Vector& row) {
        return shares(mapped(row, [=](double s) { return std::min(s, limit); }), 0);
    };
}

auto clamped_at(double limit) {
    return [=](const Vector& row) {
        return shares(mapped(row, [=](double s) { return std::clamp(s, -limit, limit); }), 0);
    };
}

constexpr const char* cut_above =
    "scores are cut off at some limit before exp. That prevents overflow, but scores beyond the "
    "limit become equal although they differ, and exp(-1000) is still 0. Lowering all scores of "
    "the row by one amount loses nothing.";
constexpr const char* cut_on_both_sides =
    "scores are clamped between two limits before exp. That prevents overflow, but scores beyond a "
    "limit become equal although they differ. Lowering all scores of the row by one amount loses "
    "nothing.";

WITHIN_A_ROW(capped, cut_above, capped_at(500));
WITHIN_A_ROW(capped_at_700, cut_above, capped_at(700));
WITHIN_A_ROW(capped_at_709, cut_above, capped_at(709));
WITHIN_A_ROW(clamped, cut_on_both_sides, clamped_at(500));
WITHIN_A_ROW(clamped_at_700, cut_on_both_sides, clamped_at(700));
WITHIN_A_ROW(clamped_at_709, cut_on_both_sides, clamped_at(709));

WITHIN_A_ROW(epsilon_in_the_sum,
             "a small number in the denominator prevents 0 / 0, and hides what caused it: far "
             "below 0 every exponential has vanished, and weights of 0 do not sum to 1. Nor does "
             "it help against inf / inf. With the row's maximum subtracted the sum is at least 1.",
             [](const Vector& row) {
                 const Vector terms = mapped(row, [](double s) { return std::exp(s); });
                 const double sum = sum_of(terms) + 1e-9;
                 return mapped(terms, [=](double term) { return term / sum; });
             });

WITHIN_A_ROW(
    epsilon_beside_the_maximum,
    "a small number is added to the sum of the exponentials, so that the weights sum to less than "
    "1 and a score that is alone gets less than everything. With the row's maximum subtracted the "
    "sum is at least 1: there is nothing to guard against.",
    [](const Vector& row) {
        const double maximum = largest(row);
        const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
        const double sum = sum_of(terms) + 1e-9;
        return mapped(terms, [=](double term) { return term / sum; });
    });

WITHIN_A_ROW(through_float,
             "the scores pass through float, which ends at 3.4e38 and has seven digits: 1e308 "
             "becomes infinite, and inf - inf is NaN. Keep scores in double, at least until "
             "their maximum has been subtracted.",
             [](const Vector& row) {
                 const double limit = static_cast<double>(std::numeric_limits<float>::max());
                 const Vector rounded = mapped(row, [=](double s) {
                     return std::abs(s) > limit
                                ? std::copysign(std::numeric_limits<double>::infinity(), s)
                                : static_cast<double>(static_cast<float>(s));
                 });
                 return shares(rounded, largest(rounded));
             });

WITHIN_A_ROW(log_sum_exp_rounds,
             "this is exp(score - (maximum + log of the sum)). On paper that is the same; but "
             "beside a huge maximum the logarithm is too small to survive the addition, and the "
             "weights no longer sum to 1. Subtract the maximum first, and the logarithm after it, "
             "or simply divide.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const double sum =
                     sum_of(mapped(row, [=](double s) { return std::exp(s - maximum); }));
                 const double log_sum_exp = maximum + std::log(sum);
                 return mapped(row, [=](double s) { return std::exp(s - log_sum_exp); });
             });

WITHIN_A_ROW(log_softmax,
             "these are the logarithms of the weights, score - log(sum of exponentials). That "
             "form belongs in a loss; weights are never negative, and sum to 1.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const double sum =
                     sum_of(mapped(row, [=](double s) { return std::exp(s - maximum); }));
                 return mapped(row, [=](double s) { return s - maximum - std::log(sum); });
             });

WITHIN_A_ROW(base_two,
             "these are powers of 2, not of e. All the properties are right, but a score one "
             "higher weighs 2 times as much here, and e = 2.718... times in softmax.",
             [](const Vector& row) {
                 return shares(mapped(row, [](double s) { return s * std::log(2.0); }),
                               std::log(2.0) * largest(row));
             });

WITHIN_A_ROW(lowest_weighs_most,
             "the lowest score weighs most: the sign has turned around, as in exp(maximum - "
             "score). High similarity has to become high weight: exp(score - maximum).",
             [](const Vector& row) {
                 const Vector negated = mapped(row, [](double s) { return -s; });
                 return shares(negated, largest(negated));
             });

WITHIN_A_ROW(sigmoid,
             "this is 1 / (1 + exp(-score)): each score is squashed into 0 to 1 by itself. In "
             "softmax the scores of a row compete: what one gains, the others lose.",
             [](const Vector& row) {
                 return mapped(row, [](double s) { return 1 / (1 + std::exp(-s)); });
             });

WITHIN_A_ROW(scaled_by_length,
             "the scores are divided by the square root of their number. Scores come already "
             "scaled, by the root of d_k, in lesson 02; how many keys there are has nothing to do "
             "with it.",
             [](const Vector& row) {
                 const double root = std::sqrt(static_cast<double>(row.size()));
                 const Vector scaled = mapped(row, [=](double s) { return s / root; });
                 return shares(scaled, largest(scaled));
             });

// exp as a limit, the power taken by squaring: fast, and right for small differences only.
auto by_a_power(int squarings) {
    return [=](const Vector& row) {
        const double maximum = largest(row);
        return divided_by_sum(mapped(row, [=](double s) {
            return std::pow(1 + (s - maximum) / std::ldexp(1.0, squarings),
                            std::ldexp(1.0, squarings));
        }));
    };
}

constexpr const char* power_for_exp =
    "exp is made as (1 + x/n)^n. That is exp only for n without end: with n = 256 or 1024 it has "
    "three digits near 0, and far below 0 it grows again. std::exp is exact.";

WITHIN_A_ROW(exp_by_a_power_of_256, power_for_exp, by_a_power(8));
WITHIN_A_ROW(exp_by_a_power_of_1024, power_for_exp, by_a_power(10));

WITHIN_A_ROW(winner_takes_all,
             "the largest score gets everything: that is the arg-max, the hard choice. Softmax is "
             "soft, so that every score keeps a share, and a derivative to learn from.",
             [](const Vector& row) {
                 Vector chosen = xt::zeros<double>({row.size()});
                 if (row.size() > 0) {
                     chosen(static_cast<std::size_t>(std::max_element(row.begin(), row.end()) -
                                                     row.begin())) = 1;
                 }
                 return chosen;
             });

WITHIN_A_ROW(applied_twice,
             "softmax has been applied to weights, not to scores: twice. Weights lie between 0 "
             "and 1, so the second time flattens them almost to a mean.",
             [](const Vector& row) {
                 const Vector once = shares(row, largest(row));
                 return shares(once, largest(once));
             });

WITHIN_A_ROW(running_sum,
             "each term is divided by the sum so far, inside the loop that adds it up: the first "
             "weight is always 1. The sum has to be complete before the first division.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 double sum = 0;
                 return mapped(row, [&](double s) {
                     const double term = std::exp(s - maximum);
                     sum += term;
                     return term / sum;
                 });
             });

Vector divided_by_integer_sum(const Vector& terms) {
    long long sum = 0;
    for (const double term : terms) {
        sum = static_cast<long long>(std::clamp(static_cast<double>(sum) + term, 0.0, 9e18));
    }
    return mapped(terms, [=](double term) { return term / static_cast<double>(sum); });
}

WITHIN_A_ROW(
    integer_sum,
    "the sum is kept in an integer, which drops the fraction at every step. Either it is declared "
    "so (auto sum = 0 is an int), or it happens unseen: in std::accumulate(first, last, 0) the "
    "type of the 0 is the type of the sum. Let it be a double, and begin with 0.0.",
    [](const Vector& row) {
        const double maximum = largest(row);
        return divided_by_integer_sum(mapped(row, [=](double s) { return std::exp(s - maximum); }));
    });

WITHIN_A_ROW(integer_sum_of_exponentials,
             "the sum of the exponentials is kept in an integer, which drops the fraction at every "
             "step. Either it is declared so (auto sum = 0 is an int), or it happens unseen: in "
             "std::accumulate(first, last, 0) the type of the 0 is the type of the sum. Let it be "
             "a double, and begin with 0.0.",
             [](const Vector& row) {
                 return divided_by_integer_sum(mapped(row, [](double s) { return std::exp(s); }));
             });

} // namespace
