// Wrong versions of 07.5, continued: which rows count, and what is not begun anew in each.

#include "wrong_comparison.hpp"

namespace misconceptions_comparison_rows {

using namespace wrong_comparison;

namespace {

// ---- js_divergence

MISCONCEPTION(compare_attention, either_zero_skipped,
              "keys at which either weight is 0 are left out of js_divergence. Where a is 0 and b "
              "is not, ½ b ln(b/m) still counts, and it is the largest there: only the term of the "
              "weight that is 0 adds 0.",
              but_divergence([](const Vector& a, const Vector& b) {
                  double sum = 0;
                  for (std::size_t j = 0; j < a.size(); ++j) {
                      const double m = (a(j) + b(j)) / 2;
                      if (a(j) > 0 && b(j) > 0) {
                          sum += a(j) * std::log(a(j) / m) + b(j) * std::log(b(j) / m);
                      }
                  }
                  return sum / 2;
              }));

MISCONCEPTION(compare_attention, sign_of_divergence,
              "js_divergence has the wrong sign: it is a ln(a/m), not a ln(m/a), and no divergence "
              "is below 0.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return -jensen_shannon(a, b);
              }));

MISCONCEPTION(compare_attention, total_variation,
              "js_divergence is half the sum of |a − b| here, the total variation. The "
              "Jensen–Shannon divergence has logarithms.",
              but_divergence([](const Vector& a, const Vector& b) {
                  double sum = 0;
                  for (std::size_t j = 0; j < a.size(); ++j) {
                      sum += std::abs(a(j) - b(j));
                  }
                  return sum / 2;
              }));

constexpr const char* says_epsilon =
    "a small number is added to the weights or inside the logarithm of js_divergence. That keeps "
    "the NaN away and changes every term. Ask whether a weight is 0; that changes nothing else.";

/// Σ a ln((a + ε)/(m + ε)).
auto with_epsilon(double epsilon) {
    return but_divergence([=](const Vector& a, const Vector& b) {
        double sum = 0;
        for (std::size_t j = 0; j < a.size(); ++j) {
            const double m = (a(j) + b(j)) / 2;
            sum += a(j) * std::log((a(j) + epsilon) / (m + epsilon)) +
                   b(j) * std::log((b(j) + epsilon) / (m + epsilon));
        }
        return sum / 2;
    });
}

MISCONCEPTION(compare_attention, epsilon_of_1e_6, says_epsilon, with_epsilon(1e-6));
MISCONCEPTION(compare_attention, epsilon_of_1e_8, says_epsilon, with_epsilon(1e-8));
MISCONCEPTION(compare_attention, epsilon_of_1e_9, says_epsilon, with_epsilon(1e-9));
MISCONCEPTION(compare_attention, epsilon_of_1e_10, says_epsilon, with_epsilon(1e-10));

MISCONCEPTION(compare_attention, rows_without_gold_left_out_of_all,
              "rows without a gold key are left out of argmax_agreement and js_divergence, too. "
              "Those compare the two models, and ask no gold: only alignment_accuracy leaves such "
              "rows out.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  double agreeing = 0, divergence = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      if (any_gold(gold, i)) {
                          agreeing += argmax(row(A, i)) == argmax(row(B, i)) ? 1 : 0;
                          divergence += jensen_shannon(row(A, i), row(B, i));
                      }
                  }
                  result.argmax_agreement = agreeing / n_rows(A);
                  result.js_divergence = divergence / n_rows(A);
              }));

MISCONCEPTION(compare_attention, divergence_of_the_first_row,
              "js_divergence is that of the first row. The mean over all rows is asked for.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.js_divergence = jensen_shannon(row(A, 0), row(B, 0));
              }));

MISCONCEPTION(compare_attention, divergence_of_the_last_row,
              "js_divergence is that of the last row, as where each overwrites the one before. The "
              "mean over all rows is asked for.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  const std::size_t last = A.shape(0) - 1;
                  result.js_divergence = jensen_shannon(row(A, last), row(B, last));
              }));

MISCONCEPTION(compare_attention, divergence_per_key,
              "the sum of the rows' divergences is divided by n_keys. There are n_queries rows to "
              "average.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.js_divergence =
                      over_rows(A, B, jensen_shannon) / static_cast<double>(A.shape(1));
              }));

// ---- rows that count

/// The rows of X that have a gold key.
Matrix gold_rows(const Matrix& X, const Mask& gold) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        if (any_gold(gold, i)) {
            kept.push_back(i);
        }
    }
    Matrix rows = Matrix::from_shape({kept.size(), X.shape(1)});
    for (std::size_t i = 0; i < kept.size(); ++i) {
        xt::view(rows, i, xt::all()) = row(X, kept[i]);
    }
    return rows;
}

double mean_or_nan(double sum, const Matrix& rows) {
    return rows.shape(0) > 0 ? sum / n_rows(rows) : not_a_number;
}

MISCONCEPTION(compare_attention, only_gold_rows,
              "argmax_agreement and js_divergence leave out the rows without a gold key. They "
              "compare A with B in all rows; gold is for alignment_accuracy alone.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const Matrix a = gold_rows(A, gold), b = gold_rows(B, gold);
                  result.argmax_agreement = mean_or_nan(agreement(a, b) * n_rows(a), a);
                  result.js_divergence = mean_or_nan(over_rows(a, b, jensen_shannon), a);
              }));

MISCONCEPTION(compare_attention, divergence_over_gold_rows,
              "js_divergence is averaged over the rows with a gold key alone. It compares A with B "
              "in all rows; gold is for alignment_accuracy.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const Matrix a = gold_rows(A, gold), b = gold_rows(B, gold);
                  result.js_divergence = mean_or_nan(over_rows(a, b, jensen_shannon), a);
              }));

MISCONCEPTION(compare_attention, divergence_of_gold_rows_over_all,
              "js_divergence adds up the rows with a gold key alone (and divides by all). It "
              "compares A with B in every row; gold is for alignment_accuracy.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.js_divergence =
                      over_rows(gold_rows(A, gold), gold_rows(B, gold), jensen_shannon) / n_rows(A);
              }));

MISCONCEPTION(compare_attention, agreement_over_gold_rows,
              "argmax_agreement is the share of the rows with a gold key. It compares A with B in "
              "all rows; gold is for alignment_accuracy.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const Matrix a = gold_rows(A, gold), b = gold_rows(B, gold);
                  result.argmax_agreement = mean_or_nan(agreement(a, b) * n_rows(a), a);
              }));

// ---- argmax and shares

MISCONCEPTION(
    compare_attention, smallest_for_largest,
    "it is the smallest weight of each row that is looked for. Where a row looks is where "
    "its largest weight is.",
    but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
        const auto argmin = [](const Vector& weights) {
            return static_cast<std::size_t>(std::min_element(weights.begin(), weights.end()) -
                                            weights.begin());
        };
        result.argmax_agreement = agreement(A, B, argmin);
        result.alignment_accuracy = accuracy(A, gold, argmin);
    }));

/// Of columns in place of rows.
double agreement_of_columns(const Matrix& A, const Matrix& B) {
    return agreement(Matrix(xt::transpose(A)), Matrix(xt::transpose(B)));
}

double accuracy_of_columns(const Matrix& A, const Mask& gold) {
    return accuracy(Matrix(xt::transpose(A)), Mask(xt::transpose(gold)));
}

constexpr const char* says_columns =
    "the largest weight is looked for down the columns, argmax over axis 0: that is the word that "
    "looks at a key most. A row is a distribution: look along it, over the keys.";

MISCONCEPTION(compare_attention, agreement_of_columns_over_rows, says_columns,
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.argmax_agreement =
                      agreement_of_columns(A, B) * static_cast<double>(A.shape(1)) / n_rows(A);
              }));

MISCONCEPTION(compare_attention, accuracy_of_columns, says_columns,
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask& gold) {
                  result.alignment_accuracy = accuracy_of_columns(A, gold);
              }));

MISCONCEPTION(compare_attention, argmax_of_columns, says_columns,
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.argmax_agreement = agreement_of_columns(A, B);
                  result.alignment_accuracy = accuracy_of_columns(A, gold);
              }));

MISCONCEPTION(compare_attention, argmax_of_axis_0, says_columns,
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const Matrix a = xt::transpose(A), b = xt::transpose(B);
                  if (A.shape(0) > A.shape(1)) {
                      throw std::runtime_error("out of range");
                  }
                  double agree = 0, aligned = 0, right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) { // where row i is meant, column i
                      agree += argmax(row(a, i)) == argmax(row(b, i)) ? 1 : 0;
                      aligned += any_gold(gold, i) ? 1 : 0;
                      right += gold(i, argmax(row(a, i))) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
                  result.alignment_accuracy = aligned > 0 ? right / aligned : not_a_number;
              }));

/// What over and over compares with the largest weight of the rows before.
std::vector<std::size_t> places_carried_over(const Matrix& X) {
    std::vector<std::size_t> places;
    std::size_t at = 0;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < X.shape(1); ++j) {
            at = X(i, j) > X(i, at) ? j : at;
        }
        places.push_back(at);
    }
    return places;
}

MISCONCEPTION(compare_attention, argmax_not_reset,
              "the place of the largest weight is carried over from row to row: of equal weights "
              "the one at the old place wins, not the first. It starts at 0 in every row.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const auto a = places_carried_over(A), b = places_carried_over(B);
                  double agree = 0, aligned = 0, right = 0;
                  for (std::size_t i = 0; i < a.size(); ++i) {
                      agree += a[i] == b[i] ? 1 : 0;
                      aligned += any_gold(gold, i) ? 1 : 0;
                      right += gold(i, a[i]) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
                  result.alignment_accuracy = aligned > 0 ? right / aligned : not_a_number;
              }));

MISCONCEPTION(compare_attention, agreement_in_whole_numbers,
              "argmax_agreement is divided in whole numbers, which drops the fraction: it is 0 "
              "unless all rows agree. Make a double of one of the two counts.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  result.argmax_agreement = std::floor(result.argmax_agreement);
              }));

MISCONCEPTION(compare_attention, accuracy_in_whole_numbers,
              "alignment_accuracy is divided in whole numbers, which drops the fraction: it is 0 "
              "unless all rows are right. Make a double of one of the two counts.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  result.alignment_accuracy = std::floor(result.alignment_accuracy);
              }));

MISCONCEPTION(compare_attention, shares_in_whole_numbers,
              "both shares are divided in whole numbers, which drops the fraction: they are 0 "
              "unless every row counts. Make a double of one of the counts.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  result.argmax_agreement = std::floor(result.argmax_agreement);
                  result.alignment_accuracy = std::floor(result.alignment_accuracy);
              }));

MISCONCEPTION(compare_attention, shares_of_n_keys,
              "argmax_agreement is divided by n_keys. It is a share of the rows: divide by "
              "n_queries.",
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask&) {
                  result.argmax_agreement *= n_rows(A) / static_cast<double>(A.shape(1));
              }));

MISCONCEPTION(
    compare_attention, more_than_half_on_gold,
    "a row counts as right where a gold key has more than half of the weight. It is right "
    "where the largest weight is on a gold key, by however much.",
    but_accuracy([](const Matrix& A, const Mask& gold) {
        Right counts;
        for (std::size_t i = 0; i < A.shape(0); ++i) {
            counts.aligned += any_gold(gold, i) ? 1 : 0;
            bool half = false;
            for (std::size_t j = 0; j < A.shape(1); ++j) {
                half = half || (gold(i, j) && A(i, j) > 0.5);
            }
            counts.right += half ? 1 : 0;
        }
        return counts.aligned > 0 ? counts.right / counts.aligned : not_a_number;
    }));

MISCONCEPTION(compare_attention, gold_not_reset,
              "once a row has a gold key, all rows after it count as having one: whether there is "
              "one is not asked anew. It starts with false in every row.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  double aligned = 0;
                  bool any = false;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      any = any || any_gold(gold, i);
                      aligned += any ? 1 : 0;
                  }
                  return aligned > 0 ? count_right(A, gold).right / aligned : not_a_number;
              }));

/// The largest weight of all rows so far, and its key.
struct LargestSoFar {
    double weight = 0;
    std::size_t key = 0;

    std::size_t operator()(const Vector& weights) {
        for (std::size_t j = 0; j < weights.size(); ++j) {
            key = weights(j) > weight ? j : key;
            weight = std::max(weight, weights(j));
        }
        return key;
    }
};

MISCONCEPTION(compare_attention, largest_not_reset,
              "the search for the largest weight goes on from row to row: a row whose weights are "
              "all smaller than one seen before keeps that one's key. Start anew in every row.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  LargestSoFar of_a, of_b;
                  double agree = 0, aligned = 0, right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const std::size_t a = of_a(row(A, i)), b = of_b(row(B, i));
                      agree += a == b ? 1 : 0;
                      aligned += any_gold(gold, i) ? 1 : 0;
                      right += gold(i, a) ? 1 : 0;
                  }
                  result.argmax_agreement = agree / n_rows(A);
                  result.alignment_accuracy = aligned > 0 ? right / aligned : not_a_number;
              }));

} // namespace

} // namespace misconceptions_comparison_rows
