// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong.hpp"

namespace misconceptions_one_pass {

using namespace wrong;

namespace {

WITHIN_A_ROW(online_rescaled_upside_down,
             "in the one-pass form the sum so far is multiplied by exp(new - old maximum) where a "
             "larger score turns up, and grows. The terms in it were made with the old maximum, "
             "which is smaller: multiply by exp(old - new maximum).",
             [](const Vector& row) {
                 double maximum = row(0);
                 double sum = 1;
                 for (std::size_t j = 1; j < row.size(); ++j) {
                     if (row(j) > maximum) {
                         sum = sum * std::exp(row(j) - maximum) + 1;
                         maximum = row(j);
                     } else {
                         sum += std::exp(row(j) - maximum);
                     }
                 }
                 return mapped(row, [=](double s) { return std::exp(s - maximum) / sum; });
             });

WITHIN_A_ROW(online_sum_started_anew,
             "in the one-pass form the sum begins again at 1 where a larger score turns up, and "
             "the terms before it are lost. Multiply the sum so far by exp(old - new maximum), and "
             "add 1.",
             [](const Vector& row) {
                 double maximum = row(0);
                 double sum = 1;
                 for (std::size_t j = 1; j < row.size(); ++j) {
                     sum = row(j) > maximum ? 1 : sum + std::exp(row(j) - maximum);
                     maximum = std::max(maximum, row(j));
                 }
                 return mapped(row, [=](double s) { return std::exp(s - maximum) / sum; });
             });

/// A row in blocks: with a new maximum the sum is rescaled, and what is stored stays as it is.
auto stored_in_blocks_of(std::size_t size) {
    return [=](const Vector& row) {
        Vector terms = row;
        double maximum = row(0);
        double sum = 0;
        for (std::size_t first = 0; first < row.size(); first += size) {
            const std::size_t end = std::min(first + size, row.size());
            const double before = maximum;
            for (std::size_t j = first; j < end; ++j) {
                maximum = std::max(maximum, row(j));
            }
            sum *= std::exp(before - maximum);
            for (std::size_t j = first; j < end; ++j) {
                terms(j) = std::exp(row(j) - maximum);
                sum += terms(j);
            }
        }
        return mapped(terms, [=](double term) { return term / sum; });
    };
}

constexpr const char* says_stored =
    "a row is taken score by score, or block by block, and where a larger score turns up the sum "
    "so far is multiplied by exp(old - new maximum), but the exponentials that are stored already "
    "are not. They were made with the old maximum, too: make them once the maximum of the whole "
    "row is known.";

WITHIN_A_ROW(stored_terms_not_rescaled, says_stored, stored_in_blocks_of(1));
WITHIN_A_ROW(stored_blocks_of_4_not_rescaled, says_stored, stored_in_blocks_of(4));
WITHIN_A_ROW(stored_blocks_of_8_not_rescaled, says_stored, stored_in_blocks_of(8));
WITHIN_A_ROW(stored_blocks_of_16_not_rescaled, says_stored, stored_in_blocks_of(16));
WITHIN_A_ROW(stored_blocks_of_32_not_rescaled, says_stored, stored_in_blocks_of(32));
WITHIN_A_ROW(stored_blocks_of_64_not_rescaled, says_stored, stored_in_blocks_of(64));
WITHIN_A_ROW(stored_blocks_of_128_not_rescaled, says_stored, stored_in_blocks_of(128));

/// The same, with what is stored of the block before rescaled, and of those before that not.
auto block_before_rescaled(std::size_t size) {
    return [=](const Vector& row) {
        Vector terms = row;
        double maximum = row(0);
        double sum = 0;
        for (std::size_t first = 0; first < row.size(); first += size) {
            const std::size_t end = std::min(first + size, row.size());
            const double before = maximum;
            for (std::size_t j = first; j < end; ++j) {
                maximum = std::max(maximum, row(j));
            }
            sum *= std::exp(before - maximum);
            for (std::size_t j = first - std::min(first, size); j < first; ++j) {
                terms(j) *= std::exp(before - maximum);
            }
            for (std::size_t j = first; j < end; ++j) {
                terms(j) = std::exp(row(j) - maximum);
                sum += terms(j);
            }
        }
        return mapped(terms, [=](double term) { return term / sum; });
    };
}

constexpr const char* says_block_before =
    "a row is taken score by score, or block by block, and where a larger score turns up only the "
    "exponentials of the block before are multiplied by exp(old - new maximum). All that are "
    "stored were made with an old maximum: rescale every one, or make them once the maximum of the "
    "whole row is known.";

WITHIN_A_ROW(term_before_rescaled, says_block_before, block_before_rescaled(1));
WITHIN_A_ROW(block_of_4_before_rescaled, says_block_before, block_before_rescaled(4));
WITHIN_A_ROW(block_of_8_before_rescaled, says_block_before, block_before_rescaled(8));
WITHIN_A_ROW(block_of_16_before_rescaled, says_block_before, block_before_rescaled(16));
WITHIN_A_ROW(block_of_32_before_rescaled, says_block_before, block_before_rescaled(32));
WITHIN_A_ROW(block_of_64_before_rescaled, says_block_before, block_before_rescaled(64));

constexpr const char* says_ties =
    "where the largest score of a row comes more than once, the sum counts it once. Every score "
    "has a term, also one that equals the maximum: the weights would sum to more than 1.";

WITHIN_A_ROW(largest_counted_once, says_ties, [](const Vector& row) {
    const double maximum = largest(row);
    const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
    const double sum =
        1 + sum_of(mapped(row, [=](double s) { return s == maximum ? 0 : std::exp(s - maximum); }));
    return mapped(terms, [=](double term) { return term / sum; });
});

WITHIN_A_ROW(
    online_equal_to_the_maximum_forgotten,
    "in the one-pass form a score that equals the largest so far is in neither of the two cases, "
    "> and <, and adds nothing to the sum. It adds 1: write >= or else.",
    [](const Vector& row) {
        double maximum = -std::numeric_limits<double>::infinity();
        double sum = 0;
        for (const double s : row) {
            if (s > maximum) {
                sum = sum * std::exp(maximum - s) + 1;
                maximum = s;
            } else if (s < maximum) {
                sum += std::exp(s - maximum);
            }
        }
        return mapped(row, [=](double s) { return std::exp(s - maximum) / sum; });
    });

WITHIN_A_ROW(
    centred_before_the_maximum,
    "the mean of a row is subtracted before its maximum is. That changes nothing but where "
    "the scores are so large that their sum overflows: then it is infinite, and the row "
    "NaN. Leave the mean out.",
    [](const Vector& row) {
        const double mean = sum_of(row) / static_cast<double>(row.size());
        const Vector centred = mapped(row, [=](double s) { return s - mean; });
        return shares(centred, largest(centred));
    });

MISCONCEPTION(
    softmax_rows, single_column_as_one_row,
    "a matrix with a single column is taken for one row of scores, and its weights sum to "
    "1 together. It has a query in each row, with one key: that one gets everything.",
    [](const Matrix& scores) -> Matrix {
        Matrix weights = scores;
        if (scores.shape(1) != 1) {
            return in_each_row([](const Vector& row) { return shares(row, largest(row)); })(scores);
        }
        const Vector column = xt::col(scores, 0);
        const Vector shared = shares(column, largest(column));
        xt::col(weights, 0) = shared;
        return weights;
    });

} // namespace

} // namespace misconceptions_one_pass
