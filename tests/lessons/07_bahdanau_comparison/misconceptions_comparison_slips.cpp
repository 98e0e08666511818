// Wrong versions of 07.5: numbers that have changed before they are used, pointers that stay, and
// sides that are taken for one.

#include <numeric>

#include "wrong_comparison.hpp"

namespace misconceptions_comparison_slips {

using namespace wrong_comparison;

namespace {

/// w ln(w / m), and 0 where w is 0.
double weighed(double w, double m) {
    return w > 0 ? w * std::log(w / m) : 0;
}

constexpr const char* says_middle_of_terms =
    "the middle is an expression that has not been computed yet (auto M = (P + R) / 2): it refers "
    "to P and R, and once P has been overwritten with its terms, the terms of R are made with "
    "another middle. Give it a type, Matrix M = …, before anything that it is made of changes.";

MISCONCEPTION(compare_attention, middle_of_terms_of_A, says_middle_of_terms,
              but_divergence([](const Vector& a, const Vector& b) {
                  double sum = 0;
                  for (std::size_t j = 0; j < a.size(); ++j) {
                      const double term = weighed(a(j), (a(j) + b(j)) / 2);
                      sum += term + weighed(b(j), (term + b(j)) / 2);
                  }
                  return sum / 2;
              }));
MISCONCEPTION(compare_attention, middle_of_terms_of_B, says_middle_of_terms,
              but_divergence([](const Vector& a, const Vector& b) {
                  double sum = 0;
                  for (std::size_t j = 0; j < a.size(); ++j) {
                      const double term = weighed(b(j), (a(j) + b(j)) / 2);
                      sum += term + weighed(a(j), (term + a(j)) / 2);
                  }
                  return sum / 2;
              }));

MISCONCEPTION(compare_attention, divergence_from_B,
              "js_divergence is Σ b ln(b/m) here, what B alone is away from the middle. A is away "
              "from it, too: the mean of the two counts.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return kullback_leibler(b, Vector((a + b) / 2));
              }));

/// Row 0 of gold for every row.
Mask first_row_of(const Mask& gold) {
    Mask rows = gold;
    for (std::size_t i = 1; i < gold.shape(0); ++i) {
        xt::view(rows, i, xt::all()) = xt::view(gold, 0, xt::all());
    }
    return rows;
}

MISCONCEPTION(compare_attention, gold_of_the_first_row,
              "every row is held against the first row of gold, as where a pointer into it is not "
              "moved on. Row i of the weights has row i of gold.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  return accuracy(A, first_row_of(gold));
              }));

/// The key that std::sort puts first, which keeps equal ones in order only up to 16 of them.
std::size_t first_sorted(const Vector& weights) {
    std::vector<std::size_t> keys(weights.size());
    std::iota(keys.begin(), keys.end(), std::size_t{0});
    std::sort(keys.begin(), keys.end(),
              [&](std::size_t left, std::size_t right) { return weights(left) > weights(right); });
    return keys.front();
}

MISCONCEPTION(compare_attention, first_of_the_sorted_keys,
              "the keys are sorted by their weights (std::sort), which does not keep equal ones in "
              "order, from 17 keys on. Of several largest weights the first counts: std::"
              "max_element finds that, and std::stable_sort keeps the order.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.argmax_agreement = agreement(A, B, first_sorted);
                  result.alignment_accuracy = accuracy(A, gold, first_sorted);
              }));

/// The key with the largest weight of a among those at which a and b differ, or 0.
std::size_t largest_that_differs(const Vector& a, const Vector& b) {
    std::size_t best = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        best = a(j) != b(j) && a(j) > a(best) ? j : best;
    }
    return best;
}

MISCONCEPTION(compare_attention, equal_weights_not_searched,
              "a key at which both models have the same weight is skipped altogether (continue), "
              "and so its weight is not compared with the largest. It adds nothing to the "
              "divergence, but may be the one that is looked at most.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  double agreeing = 0, aligned = 0, right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const std::size_t of_A = largest_that_differs(row(A, i), row(B, i));
                      agreeing += of_A == largest_that_differs(row(B, i), row(A, i)) ? 1 : 0;
                      aligned += any_gold(gold, i) ? 1 : 0;
                      right += gold(i, of_A) ? 1 : 0;
                  }
                  result.argmax_agreement = agreeing / n_rows(A);
                  result.alignment_accuracy = aligned > 0 ? right / aligned : not_a_number;
              }));

} // namespace

} // namespace misconceptions_comparison_slips
