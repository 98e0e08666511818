// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong.hpp"

using namespace wrong;

namespace {

// 03.1 softmax and 03.2 softmax_rows: numbers that are not what they are taken for, within one row

constexpr const char* says_digits_of_e =
    "these are powers of a number that is nearly e: 2.718 and 2.71828 are e to four and to six "
    "digits, and a double has sixteen. std::exp(x) knows them all.";

/// pow(e, score - maximum), with e to some digits.
auto power_of(double nearly_e) {
    return [=](const Vector& row) {
        const double maximum = largest(row);
        return divided_by_sum(
            mapped(row, [=](double s) { return std::pow(nearly_e, s - maximum); }));
    };
}

WITHIN_A_ROW(e_of_2_digits, says_digits_of_e, power_of(2.7));
WITHIN_A_ROW(e_of_3_digits, says_digits_of_e, power_of(2.72));
WITHIN_A_ROW(e_of_4_digits, says_digits_of_e, power_of(2.718));
WITHIN_A_ROW(e_of_5_digits, says_digits_of_e, power_of(2.7183));
WITHIN_A_ROW(e_of_6_digits, says_digits_of_e, power_of(2.71828));
WITHIN_A_ROW(e_of_7_digits, says_digits_of_e, power_of(2.718282));
WITHIN_A_ROW(e_of_8_digits, says_digits_of_e, power_of(2.7182818));

constexpr const char* says_epsilon_in_each_term =
    "a small number is added to every exponential. What has to be next to nothing then gets a "
    "share, too. With the row's maximum subtracted the sum is at least 1: there is nothing to "
    "guard against.";

auto with_epsilon_in_each_term(double epsilon) {
    return [=](const Vector& row) {
        const double maximum = largest(row);
        return divided_by_sum(
            mapped(row, [=](double s) { return std::exp(s - maximum) + epsilon; }));
    };
}

WITHIN_A_ROW(epsilon_1e_6_in_each_term, says_epsilon_in_each_term, with_epsilon_in_each_term(1e-6));
WITHIN_A_ROW(epsilon_1e_8_in_each_term, says_epsilon_in_each_term, with_epsilon_in_each_term(1e-8));
WITHIN_A_ROW(epsilon_1e_9_in_each_term, says_epsilon_in_each_term, with_epsilon_in_each_term(1e-9));
WITHIN_A_ROW(epsilon_1e_10_in_each_term, says_epsilon_in_each_term,
             with_epsilon_in_each_term(1e-10));
WITHIN_A_ROW(maximum_in_float,
             "the maximum is kept in a float, which ends at 3.4e38: one of 1e300 becomes infinite, "
             "and the weights 0 or NaN. Keep it in a double, like the scores.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const double limit = static_cast<double>(std::numeric_limits<float>::max());
                 return shares(row,
                               std::abs(maximum) > limit
                                   ? std::copysign(std::numeric_limits<double>::infinity(), maximum)
                                   : static_cast<double>(static_cast<float>(maximum)));
             });

WITHIN_A_ROW(maximum_by_arithmetic,
             "the larger of two numbers is made as (a + b + |a − b|) / 2, and the sum in that "
             "overflows where scores are near 1e308. std::max compares, and overflows nowhere.",
             [](const Vector& row) {
                 double maximum = row(0);
                 for (const double score : row) {
                     maximum = (maximum + score + std::abs(maximum - score)) / 2;
                 }
                 return shares(row, maximum);
             });

auto with_a_maximum_of_at_least(double start) {
    return [=](const Vector& row) { return shares(row, std::max(start, largest(row))); };
}

constexpr const char* says_large_negative_start =
    "the search for the maximum starts at a number that a row may lie below, such as -1e9, -1e30 "
    "or numeric_limits<float>::lowest(): every exponential of such a row is 0, and 0 / 0 is NaN. "
    "Start at the first score, or at minus infinity.";

// Known by the rows that lie below: one of -1e10, of -1e30, of -1e100.
WITHIN_A_ROW(maximum_starts_at_a_large_negative_number, says_large_negative_start,
             with_a_maximum_of_at_least(-1e9));
WITHIN_A_ROW(maximum_starts_at_minus_1e20, says_large_negative_start,
             with_a_maximum_of_at_least(-1e20));
WITHIN_A_ROW(maximum_starts_at_the_lowest_float, says_large_negative_start,
             with_a_maximum_of_at_least(std::numeric_limits<float>::lowest()));

constexpr const char* says_limited =
    "scores are kept between two huge limits, such as half of the largest double, so that no "
    "difference overflows. Scores beyond a limit become equal although they differ. A difference "
    "that overflows is −∞, and exp(−∞) is 0, as it should be: leave the limits out.";

/// Right but for scores beyond the limits.
auto within(double least, double most) {
    return [=](const Vector& row) {
        const Vector limited = mapped(row, [=](double s) { return std::clamp(s, least, most); });
        return shares(limited, largest(limited));
    };
}

constexpr double half_of_the_largest = std::numeric_limits<double>::max() / 2;

WITHIN_A_ROW(within_half_of_the_largest_double, says_limited,
             within(-half_of_the_largest, half_of_the_largest));
WITHIN_A_ROW(below_half_of_the_largest_double, says_limited,
             within(std::numeric_limits<double>::lowest(), half_of_the_largest));

constexpr const char* says_sum_ends =
    "the sum ends at the first exponential that is too small to change it, as if those after it "
    "could only be smaller, too. Scores stand in any order, and the largest may come last: add all "
    "exponentials.";

/// Of any exponential, or of those that are not 0.
auto ended_where_unchanged(bool unless_0) {
    return [=](const Vector& row) {
        const double maximum = largest(row);
        const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
        double sum = 0;
        for (const double term : terms) {
            if (sum + term == sum && (unless_0 ? term : sum) != 0) {
                break;
            }
            sum += term;
        }
        return mapped(terms, [=](double term) { return term / sum; });
    };
}

WITHIN_A_ROW(sum_ends_where_it_does_not_change, says_sum_ends, ended_where_unchanged(false));
WITHIN_A_ROW(sum_ends_at_a_term_too_small, says_sum_ends, ended_where_unchanged(true));

WITHIN_A_ROW(softplus,
             "each term is log(1 + exp(score)), which grows only as the score does. Softmax "
             "divides the exponentials themselves.",
             [](const Vector& row) {
                 return divided_by_sum(
                     mapped(row, [](double s) { return std::log1p(std::exp(s)); }));
             });

WITHIN_A_ROW(index_of_the_maximum_subtracted,
             "what is subtracted is the index of the largest score, and not that score: argmax and "
             "std::max_element say where it stands. The weights are right until exp overflows.",
             [](const Vector& row) {
                 const auto at = std::max_element(row.begin(), row.end()) - row.begin();
                 return shares(row, static_cast<double>(at));
             });

WITHIN_A_ROW(number_of_scores_subtracted,
             "what is subtracted is how many scores there are, and not the largest of them. The "
             "weights are right until exp overflows.",
             [](const Vector& row) { return shares(row, static_cast<double>(row.size())); });

WITHIN_A_ROW(sum_without_the_first,
             "the sum leaves out the first term: its loop starts at 1. The weights come to more "
             "than 1.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
                 double sum = 0;
                 for (std::size_t j = 1; j < terms.size(); ++j) {
                     sum += terms(j);
                 }
                 return mapped(terms, [=](double term) { return term / sum; });
             });

WITHIN_A_ROW(sorted_scores,
             "the weights of a row are sorted by size. Weight j belongs to score j: look for the "
             "maximum without sorting, or sort a copy.",
             [](const Vector& row) {
                 Vector sorted = row;
                 std::sort(sorted.begin(), sorted.end());
                 return shares(sorted, largest(sorted));
             });

/// Equal weights where no two scores differ by more than that.
auto equal_within(double bound) {
    return [=](const Vector& row) {
        const double maximum = largest(row);
        const double minimum = -largest(mapped(row, [](double s) { return -s; }));
        return shares(maximum - minimum < bound ? Vector(0 * row) : row,
                      maximum - minimum < bound ? 0 : maximum);
    };
}

constexpr const char* says_equal_within =
    "scores that are nearly equal are taken as equal. Then weights that differ by little come out "
    "the same: leave the comparison out, since the formula is right for equal scores, too.";

WITHIN_A_ROW(equal_within_1e_3, says_equal_within, equal_within(1e-3));
WITHIN_A_ROW(equal_within_1e_5, says_equal_within, equal_within(1e-5));
WITHIN_A_ROW(equal_within_1e_7, says_equal_within, equal_within(1e-7));
WITHIN_A_ROW(equal_within_1e_8, says_equal_within, equal_within(1e-8));
WITHIN_A_ROW(equal_within_1e_9, says_equal_within, equal_within(1e-9));

/// Softmax of each block of so many scores by itself.
auto in_blocks_of(std::size_t size) {
    return [=](const Vector& row) {
        Vector weights = row;
        for (std::size_t first = 0; first < row.size(); first += size) {
            const std::size_t end = std::min(first + size, row.size());
            const Vector scores = xt::view(row, xt::range(first, end));
            xt::view(weights, xt::range(first, end)) = shares(scores, largest(scores));
        }
        return weights;
    };
}

constexpr const char* says_blocks =
    "each block of a row has a softmax of its own, and sums to 1 by itself. Maximum and sum are "
    "those of the whole row: finish both before you divide.";

WITHIN_A_ROW(blocks_of_4, says_blocks, in_blocks_of(4));
WITHIN_A_ROW(blocks_of_8, says_blocks, in_blocks_of(8));
WITHIN_A_ROW(blocks_of_16, says_blocks, in_blocks_of(16));
WITHIN_A_ROW(blocks_of_32, says_blocks, in_blocks_of(32));
WITHIN_A_ROW(blocks_of_64, says_blocks, in_blocks_of(64));

// Known by all answers together: what rounding leaves depends on the order in which is subtracted
// (see grader_recognised.cpp).
WITHIN_A_ROW(one_minus_the_others,
             "one weight of the row is 1 minus the others. Where it is small, little of it is left "
             "but what rounding has made, and it may be negative: divide each exponential by the "
             "sum, this one too.",
             [](const Vector& row) {
                 Vector weights = shares(row, largest(row));
                 const std::size_t last = weights.size() - 1;
                 weights(last) = 0;
                 weights(last) = 1 - sum_of(weights);
                 return weights;
             });

} // namespace
