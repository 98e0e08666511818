// More of what can go wrong within one row; see misconceptions.cpp for what becomes of it.

#include "wrong.hpp"

using namespace wrong;

namespace {

WITHIN_A_ROW(first_is_the_maximum,
             "the first score is subtracted, as if it were the largest. One far above it still "
             "overflows. Search the whole row for the maximum.",
             [](const Vector& row) { return shares(row, row(0)); });

WITHIN_A_ROW(last_is_the_maximum,
             "the last score is subtracted, as if it were the largest. One far above it still "
             "overflows. Search the whole row for the maximum.",
             [](const Vector& row) { return shares(row, row(row.size() - 1)); });

WITHIN_A_ROW(maximum_misses_the_last,
             "the search for the maximum ends before the last score. If that is far above the "
             "others, it overflows.",
             [](const Vector& row) {
                 double maximum = row(0);
                 for (std::size_t j = 0; j + 1 < row.size(); ++j) {
                     maximum = std::max(maximum, row(j));
                 }
                 return shares(row, maximum);
             });

WITHIN_A_ROW(maximum_misses_the_first,
             "the search for the maximum leaves out the first score. If that is far above the "
             "others, it overflows.",
             [](const Vector& row) {
                 double maximum = row(row.size() - 1);
                 for (std::size_t j = 1; j < row.size(); ++j) {
                     maximum = std::max(maximum, row(j));
                 }
                 return shares(row, maximum);
             });

WITHIN_A_ROW(maximum_of_neighbours,
             "each score is compared with its neighbour, not with the largest so far: what is "
             "found is the last score that is above the one before it.",
             [](const Vector& row) {
                 double maximum = row(0);
                 for (std::size_t j = 1; j < row.size(); ++j) {
                     maximum = row(j) > row(j - 1) ? row(j) : maximum;
                 }
                 return shares(row, maximum);
             });

WITHIN_A_ROW(shifted_above_only,
             "the maximum is subtracted in the numerator only. It cancels only if the sum in the "
             "denominator is made of the same terms.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const double sum = sum_of(mapped(row, [](double s) { return std::exp(s); }));
                 return mapped(row, [=](double s) { return std::exp(s - maximum) / sum; });
             });

WITHIN_A_ROW(shifted_below_only,
             "the maximum is subtracted in the denominator only. It cancels only if the numerators "
             "are those same terms.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const double sum =
                     sum_of(mapped(row, [=](double s) { return std::exp(s - maximum); }));
                 return mapped(row, [=](double s) { return std::exp(s) / sum; });
             });

WITHIN_A_ROW(divided_by_count,
             "the terms are divided by how many there are, not by their sum. Such quotients do not "
             "sum to 1.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const double n = static_cast<double>(row.size());
                 return mapped(row, [=](double s) { return std::exp(s - maximum) / n; });
             });

WITHIN_A_ROW(length_one,
             "the terms are divided by the root of the sum of their squares, as one makes a vector "
             "of length 1. Shares are divided by the sum itself.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
                 const double length =
                     std::sqrt(sum_of(mapped(terms, [](double t) { return t * t; })));
                 return mapped(terms, [=](double term) { return term / length; });
             });

WITHIN_A_ROW(above_the_minimum,
             "the smallest score is subtracted, and the rest divided by its sum, without exp. The "
             "smallest then gets nothing, and a row of equal scores is 0 / 0.",
             [](const Vector& row) {
                 const double minimum = -largest(mapped(row, [](double s) { return -s; }));
                 return divided_by_sum(mapped(row, [=](double s) { return s - minimum; }));
             });

WITHIN_A_ROW(base_ten,
             "these are powers of 10, not of e: a score one higher weighs 10 times as much, and e "
             "= 2.718... times in softmax.",
             [](const Vector& row) {
                 return shares(mapped(row, [](double s) { return s * std::log(10.0); }),
                               std::log(10.0) * largest(row));
             });

WITHIN_A_ROW(squares,
             "these are the squares of the scores, divided by their sum. A score of -5 then weighs "
             "as much as one of 5, and says the opposite.",
             [](const Vector& row) {
                 return divided_by_sum(mapped(row, [](double s) { return s * s; }));
             });

WITHIN_A_ROW(exponential_less_one,
             "these are exp(score - maximum) - 1 (std::expm1): 0 for the largest score.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 return divided_by_sum(
                     mapped(row, [=](double s) { return std::expm1(s - maximum); }));
             });

WITHIN_A_ROW(absolute_scores,
             "exp is taken of the absolute values. A score of -5 then weighs as much as one of 5, "
             "and says the opposite.",
             [](const Vector& row) {
                 const Vector sizes = mapped(row, [](double s) { return std::abs(s); });
                 return shares(sizes, largest(sizes));
             });

WITHIN_A_ROW(sigmoid_shares,
             "each score goes through a sigmoid, 1 / (1 + exp(-score)), and those are divided by "
             "their sum. Softmax divides exponentials: only then do differences alone decide.",
             [](const Vector& row) {
                 return divided_by_sum(
                     mapped(row, [](double s) { return 1 / (1 + std::exp(-s)); }));
             });

WITHIN_A_ROW(hyperbolic_tangent,
             "this is tanh of each score by itself, between -1 and 1. In softmax the scores of a "
             "row compete for a whole of 1.",
             [](const Vector& row) { return mapped(row, [](double s) { return std::tanh(s); }); });

WITHIN_A_ROW(
    online_without_rescaling,
    "in the one-pass form the sum is not rescaled when a larger score turns up: the terms before "
    "it were made with another maximum. Multiply the sum by exp(old - new maximum).",
    [](const Vector& row) {
        double maximum = -std::numeric_limits<double>::infinity();
        double sum = 0;
        for (const double s : row) {
            maximum = std::max(maximum, s);
            sum += std::exp(s - maximum);
        }
        return mapped(row, [=](double s) { return std::exp(s - maximum) / sum; });
    });

WITHIN_A_ROW(last_score_left_out, "the last score gets nothing: a loop ends one too early.",
             [](const Vector& row) {
                 Vector weights = xt::zeros<double>({row.size()});
                 if (row.size() > 1) {
                     const Vector rest = xt::view(row, xt::range(std::size_t{0}, row.size() - 1));
                     const Vector of_rest = shares(rest, largest(row));
                     std::copy(of_rest.begin(), of_rest.end(), weights.begin());
                 }
                 return weights;
             });

WITHIN_A_ROW(sum_without_the_last,
             "the sum leaves out the last term: its loop ends one too early. The weights come to "
             "more than 1.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
                 const double sum = sum_of(terms) - terms(terms.size() - 1);
                 return mapped(terms, [=](double term) { return term / sum; });
             });

WITHIN_A_ROW(sum_starts_at_one,
             "the sum starts at 1 in place of 0: the weights come to less than 1.",
             [](const Vector& row) {
                 const double maximum = largest(row);
                 const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
                 const double sum = 1 + sum_of(terms);
                 return mapped(terms, [=](double term) { return term / sum; });
             });

WITHIN_A_ROW(
    first_weight_only,
    "only the first weight is there, the others are 0. Does a return stand inside the loop?",
    [](const Vector& row) {
        Vector weights = xt::zeros<double>({row.size()});
        weights(0) = shares(row, largest(row))(0);
        return weights;
    });

WITHIN_A_ROW(
    last_not_divided,
    "the last term is not divided by the sum: the loop over the divisions ends one too early.",
    [](const Vector& row) {
        const double maximum = largest(row);
        Vector weights = shares(row, maximum);
        weights(weights.size() - 1) = std::exp(row(row.size() - 1) - maximum);
        return weights;
    });

WITHIN_A_ROW(
    standardised,
    "the scores are standardised first: their mean subtracted, and divided by their standard "
    "deviation. That changes the differences between them, and those alone decide the weights.",
    [](const Vector& row) {
        const double n = static_cast<double>(row.size());
        const double mean = sum_of(row) / n;
        const double deviation =
            std::sqrt(sum_of(mapped(row, [=](double s) { return (s - mean) * (s - mean); })) / n);
        return shares(mapped(row, [=](double s) { return (s - mean) / deviation; }), 0);
    });

WITHIN_A_ROW(
    squeezed_between_0_and_1,
    "the scores are squeezed between 0 and 1 first, (score - minimum) / (maximum - minimum). That "
    "changes the differences between them, and those alone decide the weights.",
    [](const Vector& row) {
        const double maximum = largest(row);
        const double minimum = -largest(mapped(row, [](double s) { return -s; }));
        return shares(mapped(row, [=](double s) { return (s - minimum) / (maximum - minimum); }),
                      0);
    });

WITHIN_A_ROW(
    sum_subtracted,
    "the sum of the scores is subtracted, not the largest. Any constant gives the same quotient "
    "until exp overflows, or all terms vanish; the largest score has to land on 0.",
    [](const Vector& row) { return shares(row, sum_of(row)); });

WITHIN_A_ROW(zero_for_nan,
             "weights that are NaN are replaced by 0. That hides the overflow, and the row no "
             "longer sums to 1. Subtract the maximum, and no NaN comes up.",
             [](const Vector& row) {
                 return mapped(shares(row, 0),
                               [](double weight) { return std::isnan(weight) ? 0 : weight; });
             });

WITHIN_A_ROW(log_of_an_overflowed_sum,
             "this is exp(score - log(sum of exponentials)): the exponentials overflow before the "
             "logarithm is taken. Subtract the maximum first.",
             [](const Vector& row) {
                 const double log_sum =
                     std::log(sum_of(mapped(row, [](double s) { return std::exp(s); })));
                 return mapped(row, [=](double s) { return std::exp(s - log_sum); });
             });

WITHIN_A_ROW(shifted_where_one_score_is_too_large,
             "the maximum is subtracted only where a score by itself is too much for exp. Before "
             "that, the sum of several exponentials is infinite, and far below 0 they lose digits. "
             "Subtract the maximum always.",
             [](const Vector& row) {
                 const bool in_range = std::all_of(row.begin(), row.end(), [](double score) {
                     return score >= -700 && score <= 709;
                 });
                 return shares(row, in_range ? 0 : largest(row));
             });

WITHIN_A_ROW(powers_of_2_of_large_scores,
             "the scores are multiplied by log2(e) first, for powers of 2, and the maximum is "
             "subtracted after that: large products are rounded, and their differences are left "
             "with few digits. Subtract the maximum first.",
             [](const Vector& row) {
                 constexpr double log2_of_e = 1.4426950408889634;
                 const double maximum = largest(row) * log2_of_e;
                 return divided_by_sum(
                     mapped(row, [=](double s) { return std::exp2(s * log2_of_e - maximum); }));
             });

} // namespace
