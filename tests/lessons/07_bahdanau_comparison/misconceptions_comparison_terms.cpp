// More wrong versions of 07.5.

#include "wrong_comparison.hpp"

namespace misconceptions_comparison_terms {

using namespace wrong_comparison;

namespace {

/// Σ_j term(a_j, b_j).
Divergence sum_of(std::function<double(double a, double b)> term) {
    return [=](const Vector& a, const Vector& b) {
        double sum = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
            sum += term(a(j), b(j));
        }
        return sum;
    };
}

double share(double a, double of) {
    return a > 0 ? a * std::log(a / of) : 0;
}

MISCONCEPTION(compare_attention, kl_of_B,
              "js_divergence is the Kullback–Leibler divergence Σ b ln(b/a) here. It is not the "
              "same both ways, and infinite where a is 0 and b is not. Each row is held against "
              "their middle m = (a + b)/2.",
              but_divergence(sum_of([](double a, double b) { return share(b, a); })));

MISCONCEPTION(compare_attention, kl_where_both_have_weight,
              "js_divergence is ½ Σ a ln(a/b) + ½ Σ b ln(b/a) here, over the keys at which neither "
              "is 0. Each row is held against their middle m = (a + b)/2, and only its own zeros "
              "add nothing.",
              but_divergence(sum_of([](double a, double b) {
                  return a > 0 && b > 0 ? (share(a, b) + share(b, a)) / 2 : 0;
              })));

MISCONCEPTION(compare_attention, terms_below_0_cut_off,
              "terms a ln(a/m) below 0 are set to 0. Where a is less than the middle its term is "
              "negative, and only the sum of all is not.",
              but_divergence(sum_of([](double a, double b) {
                  const double middle = (a + b) / 2;
                  return (std::max(0.0, share(a, middle)) + std::max(0.0, share(b, middle))) / 2;
              })));

MISCONCEPTION(compare_attention, middle_of_zero,
              "the middle is 0: (1/2) is computed in whole numbers. Write (a + b) / 2.",
              but_divergence(sum_of([](double a, double b) {
                  return share(a, 0 * b) / 2 + share(b, 0 * a) / 2;
              })));

MISCONCEPTION(compare_attention, geometric_middle,
              "the middle is √(a b), which is 0 where one weight is, and does not sum to 1. It is "
              "(a + b)/2.",
              but_divergence(sum_of([](double a, double b) {
                  return share(a, std::sqrt(a * b)) / 2 + share(b, std::sqrt(a * b)) / 2;
              })));

MISCONCEPTION(compare_attention, squared_differences,
              "js_divergence is Σ (a − b)² here. The Jensen–Shannon divergence has logarithms.",
              but_divergence(sum_of([](double a, double b) { return (a - b) * (a - b); })));

MISCONCEPTION(compare_attention, entropies_not_halved,
              "js_divergence is the entropy of the middle less the entropies of A and B. Of those "
              "two the mean is subtracted, with a ½ before each.",
              but_divergence(sum_of([](double a, double b) {
                  return share(a, 1) + share(b, 1) - share((a + b) / 2, 1);
              })));

MISCONCEPTION(compare_attention, entropies_compared,
              "js_divergence is made of the entropies of A and B alone. What each is away from "
              "their middle is asked for.",
              but_divergence(sum_of([](double a, double b) { return share(b, 1) - share(a, 1); })));

constexpr const char* says_epsilon_in_divergence =
    "a small number is added inside the logarithm of js_divergence. That keeps the NaN away and "
    "changes every term. Ask whether the weight is 0; that changes nothing else.";

auto with_epsilon_at_the_quotient(double epsilon) {
    return but_divergence(sum_of([=](double a, double b) {
        const double m = (a + b) / 2;
        return (a * std::log(a / m + epsilon) + b * std::log(b / m + epsilon)) / 2;
    }));
}

MISCONCEPTION(compare_attention, epsilon_1e_9_at_the_quotient, says_epsilon_in_divergence,
              with_epsilon_at_the_quotient(1e-9));

MISCONCEPTION(compare_attention, logarithm_by_a_difference,
              "ln(a/m) is computed as log1p((a − b)/(a + b)), or log1p(a/m − 1). Where a weight is "
              "tiny beside the other, that is the logarithm of 0, and js_divergence −∞: in a "
              "double (a − b)/(a + b) is −1 there. Take std::log(a / m).",
              but_divergence(sum_of([](double a, double b) {
                  const double difference = (a - b) / (a + b);
                  return (a > 0 ? a * std::log1p(difference) / 2 : 0) +
                         (b > 0 ? b * std::log1p(-difference) / 2 : 0);
              })));

MISCONCEPTION(compare_attention, keys_beyond_64_left_out,
              "js_divergence ends at 64 keys. There may be any number of them: A.shape(1).",
              but_divergence([](const Vector& a, const Vector& b) {
                  double sum = 0;
                  for (std::size_t j = 0; j < std::min<std::size_t>(64, a.size()); ++j) {
                      const double m = (a(j) + b(j)) / 2;
                      sum += (share(a(j), m) + share(b(j), m)) / 2;
                  }
                  return sum;
              }));

MISCONCEPTION(compare_attention, divergence_not_reset,
              "js_divergence adds the divergence of each row, and those of all rows before it: the "
              "sum over the keys does not start at 0 for every row. Declare it inside the loop "
              "over the rows.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  double so_far = 0;
                  result.js_divergence = over_rows(A, B,
                                                   [&](const Vector& a, const Vector& b) {
                                                       return so_far += jensen_shannon(a, b);
                                                   }) /
                                         n_rows(A);
              }));

MISCONCEPTION(compare_attention, share_that_differs,
              "argmax_agreement is the share of the rows that do not agree.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  result.argmax_agreement = 1 - result.argmax_agreement;
              }));

MISCONCEPTION(compare_attention, agreement_of_gold_rows_over_all,
              "argmax_agreement leaves out rows without a gold key. It asks where A and B look, in "
              "every row; gold is for alignment_accuracy.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  double agree = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      agree += any_gold(gold, i) && argmax(row(A, i)) == argmax(row(B, i)) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
              }));

MISCONCEPTION(compare_attention, one_without_gold,
              "where no row has a gold key, alignment_accuracy is 1 here, as if all were right. "
              "There is nothing to judge; NaN says so.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const double found = accuracy(A, gold);
                  return std::isnan(found) ? 1 : found;
              }));

MISCONCEPTION(compare_attention, over_all_rows,
              "the number of right rows is divided by all rows, which is 0 even where no row has a "
              "gold key. Divide by the rows that have one.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  return count_right(A, gold).right / n_rows(A);
              }));

MISCONCEPTION(compare_attention, last_gold_key_only,
              "only the last gold key of a row counts as right. A word may translate several "
              "source words, and the largest weight on any of them is right.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  Right counts;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      std::size_t last = A.shape(1);
                      for (std::size_t j = 0; j < A.shape(1); ++j) {
                          last = gold(i, j) ? j : last;
                      }
                      counts.aligned += any_gold(gold, i) ? 1 : 0;
                      counts.right += last == argmax(row(A, i)) ? 1 : 0;
                  }
                  return counts.aligned > 0 ? counts.right / counts.aligned : not_a_number;
              }));

MISCONCEPTION(compare_attention, either_right,
              "a row counts as right where A or B looks at a gold key. It is the first model, A, "
              "whose alignment is judged, whatever B does.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  Right counts;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      counts.aligned += any_gold(gold, i) ? 1 : 0;
                      counts.right +=
                          gold(i, argmax(row(A, i))) || gold(i, argmax(row(B, i))) ? 1 : 0;
                  }
                  result.alignment_accuracy =
                      counts.aligned > 0 ? counts.right / counts.aligned : not_a_number;
              }));

MISCONCEPTION(compare_attention, accuracy_left_out,
              "alignment_accuracy is never set, and stays at 0.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  result.alignment_accuracy = 0;
              }));

MISCONCEPTION(compare_attention, members_exchanged,
              "argmax_agreement and alignment_accuracy have changed places: the members are given "
              "in their order, argmax_agreement, js_divergence, alignment_accuracy.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  std::swap(result.argmax_agreement, result.alignment_accuracy);
              }));

} // namespace

MISCONCEPTION(compare_attention, middle_before_the_rows,
              "js_divergence is ½ Σ m ln(m/a) + ½ Σ m ln(m/b) here: row and middle have changed "
              "places, as they do where PyTorch's kl_div is handed log a and m. Each row is before "
              "the logarithm and above the line: Σ a ln(a/m).",
              but_divergence([](const Vector& a, const Vector& b) {
                  double sum = 0;
                  for (std::size_t j = 0; j < a.size(); ++j) {
                      const double m = (a(j) + b(j)) / 2;
                      sum += a(j) > 0 ? m * std::log(m / a(j)) / 2 : 0;
                      sum += b(j) > 0 ? m * std::log(m / b(j)) / 2 : 0;
                  }
                  return sum;
              }));

/// Whether the largest of both rows, or of one that is gold, is at one place, of all where it is.
bool any_place_in_common(const Vector& a, const Vector& b) {
    for (std::size_t j = 0; j < a.size(); ++j) {
        if (a(j) == xt::amax(a)() && b(j) == xt::amax(b)()) {
            return true;
        }
    }
    return false;
}
MISCONCEPTION(compare_attention, ties_agree_anywhere,
              "where several weights of a row are the largest, any of them counts here, if one is "
              "where it should be. The first of them counts.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.argmax_agreement = over_rows(A, B, any_place_in_common) / n_rows(A);
                  double right = 0, aligned = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const Vector wanted = xt::cast<double>(xt::view(gold, i, xt::all()));
                      aligned += any_gold(gold, i) ? 1 : 0;
                      right += any_gold(gold, i) && any_place_in_common(row(A, i), wanted) ? 1 : 0;
                  }
                  result.alignment_accuracy = aligned > 0 ? right / aligned : not_a_number;
              }));

} // namespace misconceptions_comparison_terms
