// Wrong versions of 07.5: other terms, other counts, and what is divided by what.

#include "wrong_comparison.hpp"

namespace misconceptions_comparison_more {

using namespace wrong_comparison;

namespace {

using Term = std::function<double(double a, double b)>;

/// w ln(x / m), and 0 where w is 0.
double weighed(double w, double x, double m) {
    return w > 0 ? w * std::log(x / m) : 0;
}

auto with_terms(Term term) {
    return but_divergence([=](const Vector& a, const Vector& b) {
        double sum = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
            sum += term(a(j), b(j));
        }
        return sum;
    });
}

constexpr const char* says_one_half_only =
    "only one of the two sums in js_divergence has its ½. Both are halved: ½ Σ a ln(a/m) + ½ Σ b "
    "ln(b/m).";

MISCONCEPTION(compare_attention, half_of_A_only, says_one_half_only,
              with_terms([](double a, double b) {
                  return weighed(a, a, (a + b) / 2) / 2 + weighed(b, b, (a + b) / 2);
              }));
MISCONCEPTION(compare_attention, half_of_B_only, says_one_half_only,
              with_terms([](double a, double b) {
                  return weighed(a, a, (a + b) / 2) + weighed(b, b, (a + b) / 2) / 2;
              }));

constexpr const char* says_zero_of_one_asked =
    "js_divergence asks whether the weight of one model is 0, and leaves out, or computes, the "
    "terms of both accordingly. Each term has its own weight, and only that decides: a = 0 drops "
    "the term of a, b = 0 that of b.";

MISCONCEPTION(compare_attention, both_terms_where_A_has_weight, says_zero_of_one_asked,
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return a > 0 ? (weighed(a, a, m) + weighed(b, b, m)) / 2 : 0;
              }));
MISCONCEPTION(compare_attention, both_terms_where_B_has_weight, says_zero_of_one_asked,
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return b > 0 ? (weighed(a, a, m) + weighed(b, b, m)) / 2 : 0;
              }));
MISCONCEPTION(compare_attention, only_zeros_of_A_asked, says_zero_of_one_asked,
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return a > 0 ? (weighed(a, a, m) + b * std::log(b / m)) / 2 : 0;
              }));

MISCONCEPTION(compare_attention, weighed_by_the_middle,
              "the logarithms are weighed by m. ln(a/m) is weighed by a, and ln(b/m) by b.",
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return (a > 0 ? m * std::log(a / m) / 2 : 0) +
                         (b > 0 ? m * std::log(b / m) / 2 : 0);
              }));

MISCONCEPTION(compare_attention, weights_crossed,
              "ln(a/m) is weighed by b, and ln(b/m) by a. Each is weighed by its own.",
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return (a > 0 ? b * std::log(a / m) / 2 : 0) +
                         (b > 0 ? a * std::log(b / m) / 2 : 0);
              }));

MISCONCEPTION(compare_attention, logarithms_not_weighed,
              "the logarithms are added up as they are. ln(a/m) is weighed by a, and ln(b/m) by b.",
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return (a > 0 ? std::log(a / m) / 2 : 0) + (b > 0 ? std::log(b / m) / 2 : 0);
              }));

constexpr const char* says_small_left_out =
    "small weights are left out of js_divergence. Only a weight of exactly 0 adds nothing: ask "
    "for a > 0.";

auto from_threshold(double threshold) {
    return with_terms([=](double a, double b) {
        const double m = (a + b) / 2;
        return (a > threshold ? weighed(a, a, m) / 2 : 0) +
               (b > threshold ? weighed(b, b, m) / 2 : 0);
    });
}
MISCONCEPTION(compare_attention, weights_from_1e_2, says_small_left_out, from_threshold(1e-2));
MISCONCEPTION(compare_attention, weights_from_1e_3, says_small_left_out, from_threshold(1e-3));
MISCONCEPTION(compare_attention, weights_from_1e_4, says_small_left_out, from_threshold(1e-4));
MISCONCEPTION(compare_attention, weights_from_1e_6, says_small_left_out, from_threshold(1e-6));

MISCONCEPTION(compare_attention, logarithm_of_1_plus,
              "std::log1p(x) is ln(1 + x). js_divergence takes std::log.",
              with_terms([](double a, double b) {
                  const double m = (a + b) / 2;
                  return (a > 0 ? a * std::log1p(a / m) / 2 : 0) +
                         (b > 0 ? b * std::log1p(b / m) / 2 : 0);
              }));

MISCONCEPTION(compare_attention, larger_for_the_middle,
              "m is the larger of a and b. It is their mean, (a + b)/2.",
              with_terms([](double a, double b) {
                  return (weighed(a, a, std::max(a, b)) + weighed(b, b, std::max(a, b))) / 2;
              }));

MISCONCEPTION(compare_attention, distance_of_roots,
              "js_divergence is made of (√a − √b)², the Hellinger distance. The Jensen–Shannon "
              "divergence has logarithms.",
              with_terms([](double a, double b) {
                  const double apart = std::sqrt(a) - std::sqrt(b);
                  return apart * apart / 2;
              }));

MISCONCEPTION(compare_attention, cross_entropy,
              "js_divergence is the cross entropy −Σ a ln b here. Each row is held against the "
              "middle of both, m = (a + b)/2.",
              with_terms([](double a, double b) { return b > 0 ? -a * std::log(b) : 0; }));

MISCONCEPTION(compare_attention, divergence_over_the_aligned,
              "the sum of the rows' divergences is divided by the number of rows with a gold key. "
              "Gold is for alignment_accuracy alone: divide by n_queries.",
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask& gold) {
                  result.js_divergence *= n_rows(A) / count_right(A, gold).aligned;
              }));

MISCONCEPTION(compare_attention, agreement_over_the_aligned,
              "the number of rows that agree is divided by the number of rows with a gold key. "
              "Gold is for alignment_accuracy alone: divide by n_queries.",
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask& gold) {
                  result.argmax_agreement *= n_rows(A) / count_right(A, gold).aligned;
              }));

MISCONCEPTION(compare_attention, accuracy_over_the_agreeing,
              "the number of right rows is divided by the number of rows in which A and B agree. "
              "Divide by the rows that have a gold key.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const Right counts = count_right(A, gold);
                  result.alignment_accuracy = counts.aligned > 0
                                                  ? counts.right / (agreement(A, B) * n_rows(A))
                                                  : not_a_number;
              }));

MISCONCEPTION(compare_attention, minus_1_without_gold,
              "where no row has a gold key, alignment_accuracy is −1 here. There is nothing to "
              "judge; NaN says so.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const double found = accuracy(A, gold);
                  return std::isnan(found) ? -1 : found;
              }));

MISCONCEPTION(compare_attention, agreement_on_gold,
              "a row counts as agreeing only where both look at a gold key. A and B are to agree, "
              "right or wrong.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  double agree = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const std::size_t largest = argmax(row(A, i));
                      agree += largest == argmax(row(B, i)) && gold(i, largest) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
              }));

MISCONCEPTION(compare_attention, both_on_gold,
              "argmax_agreement counts the rows where both look at a gold key, be it the same or "
              "not. It is the same key that both are to look at, gold or not.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  double agree = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      agree += gold(i, argmax(row(A, i))) && gold(i, argmax(row(B, i))) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
              }));

MISCONCEPTION(compare_attention, neighbours_agree,
              "a row counts as agreeing where A and B look at neighbouring keys, too. It has to be "
              "the same key.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  double agree = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const std::size_t a = argmax(row(A, i)), b = argmax(row(B, i));
                      agree += a == b || a + 1 == b || b + 1 == a ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
              }));

MISCONCEPTION(compare_attention, right_where_both_agree,
              "a row counts as right only where A and B look at the same key, and that is gold. It "
              "is the first model, A, whose alignment is judged, whatever B does.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  Right counts = count_right(A, gold);
                  counts.right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const std::size_t largest = argmax(row(A, i));
                      counts.right += largest == argmax(row(B, i)) && gold(i, largest) ? 1 : 0;
                  }
                  result.alignment_accuracy =
                      counts.aligned > 0 ? counts.right / counts.aligned : not_a_number;
              }));

MISCONCEPTION(compare_attention, rows_without_gold_are_right_among_all,
              "rows without a gold key count as right, and are counted. A word that translates "
              "nothing has nothing to be right about: leave its row out.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const Right counts = count_right(A, gold);
                  return (counts.right + n_rows(A) - counts.aligned) / n_rows(A);
              }));

constexpr const char* says_rows_counted =
    "the rows are counted wrongly: by one too many or one too few. A mean over the rows is divided "
    "by n_queries, A.shape(0).";

MISCONCEPTION(compare_attention, divided_by_one_row_more, says_rows_counted,
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask&) {
                  result.argmax_agreement *= n_rows(A) / (n_rows(A) + 1);
                  result.js_divergence *= n_rows(A) / (n_rows(A) + 1);
              }));
MISCONCEPTION(compare_attention, divergence_over_one_row_less, says_rows_counted,
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask&) {
                  result.js_divergence *= n_rows(A) / (n_rows(A) - 1);
              }));

/// Another way to find the largest weight, of both models.
auto with_argmax(Argmax largest) {
    return but([=](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
        result.argmax_agreement = agreement(A, B, largest);
        result.alignment_accuracy = accuracy(A, gold, largest);
    });
}

MISCONCEPTION(compare_attention, search_without_the_last_key,
              "the search for the largest weight ends before the last key of a row. A loop runs "
              "while j < A.shape(1).",
              with_argmax([](const Vector& weights) {
                  std::size_t found = 0;
                  for (std::size_t j = 1; j + 1 < weights.size(); ++j) {
                      found = weights(j) > weights(found) ? j : found;
                  }
                  return found;
              }));

MISCONCEPTION(compare_attention, more_than_half,
              "a key is looked at here if its weight is more than ½. The largest weight of a row "
              "may be smaller than that.",
              with_argmax([](const Vector& weights) {
                  std::size_t found = 0;
                  for (std::size_t j = 0; j < weights.size(); ++j) {
                      found = weights(j) > 0.5 ? j : found;
                  }
                  return found;
              }));

MISCONCEPTION(compare_attention, larger_than_its_neighbour,
              "each weight is compared with the one before it, not with the largest so far.",
              with_argmax([](const Vector& weights) {
                  std::size_t found = 0;
                  for (std::size_t j = 0; j < weights.size(); ++j) {
                      found = weights(j) > (j > 0 ? weights(j - 1) : 0) ? j : found;
                  }
                  return found;
              }));

MISCONCEPTION(compare_attention, nearly_equal_weights,
              "weights that differ by very little count as equal: there is a tolerance in the "
              "comparison, or it is made in float. The larger one is the larger one, by however "
              "little.",
              with_argmax([](const Vector& weights) {
                  std::size_t found = 0;
                  for (std::size_t j = 1; j < weights.size(); ++j) {
                      found = weights(j) > weights(found) + 1e-9 ? j : found;
                  }
                  return found;
              }));

MISCONCEPTION(compare_attention, first_of_equal_weights_in_its_lane,
              "the largest weight is searched in parts, in lanes or threads, and of equal weights "
              "in two of them it is not always the first of the row that is taken. Where the parts "
              "are put together, compare the places of equal ones, too.",
              with_argmax([](const Vector& weights) {
                  constexpr std::size_t lanes = 4;
                  std::size_t found = 0;
                  for (std::size_t lane = 0; lane < lanes; ++lane) {
                      for (std::size_t j = lane; j < weights.size(); j += lanes) {
                          found = weights(j) > weights(found) ? j : found;
                      }
                  }
                  return found;
              }));

MISCONCEPTION(compare_attention, last_of_equal_weights_of_A,
              "of several largest weights in a row of A the last is taken, as a comparison with >= "
              "does. The first counts.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  double agree = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      agree += last_argmax(row(A, i)) == argmax(row(B, i)) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
                  result.alignment_accuracy = accuracy(A, gold, last_argmax);
              }));

MISCONCEPTION(compare_attention, last_of_equal_weights_of_B,
              "of several largest weights in a row of B the last is taken, as a comparison with >= "
              "does. The first counts.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  double agree = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      agree += argmax(row(A, i)) == last_argmax(row(B, i)) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
              }));

/// The place where a largest weight so far, kept in whole numbers, was last exceeded.
std::size_t argmax_in_whole_numbers(const Vector& weights) {
    double most = 0;
    std::size_t place = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        if (weights(j) > most) {
            most = std::floor(weights(j));
            place = j;
        }
    }
    return place;
}

MISCONCEPTION(compare_attention, largest_in_whole_numbers,
              "the last weight above 0 is taken for the largest: the largest so far is kept in a "
              "whole number (auto largest = 0 is an int), which drops its fraction. It begins with "
              "0.0.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.argmax_agreement = agreement(A, B, argmax_in_whole_numbers);
                  result.alignment_accuracy = accuracy(A, gold, argmax_in_whole_numbers);
              }));

} // namespace

} // namespace misconceptions_comparison_more
