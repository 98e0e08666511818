// Wrong versions of 07.5: one of the three numbers is wrong in each.

#include "wrong_comparison.hpp"

namespace misconceptions_comparison {

using namespace wrong_comparison;

namespace {

// ---- js_divergence

MISCONCEPTION(compare_attention, kl_for_js,
              "js_divergence is the Kullback–Leibler divergence Σ a ln(a/b) here. It is not the "
              "same both ways, and infinite where b is 0 and a is not. Jensen and Shannon hold "
              "both rows against their middle m = (a + b)/2.",
              but_divergence(kullback_leibler));

MISCONCEPTION(compare_attention, kl_both_ways,
              "js_divergence is ½ Σ a ln(a/b) + ½ Σ b ln(b/a) here: the same both ways, but "
              "infinite where one row has a weight of 0. Each row is held against their middle m "
              "= (a + b)/2, not against the other.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return (kullback_leibler(a, b) + kullback_leibler(b, a)) / 2;
              }));

MISCONCEPTION(compare_attention, only_the_half_of_A,
              "js_divergence is Σ a ln(a/m) here, what A alone is away from the middle. B is away "
              "from it, too: the mean of the two counts.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return kullback_leibler(a, Vector((a + b) / 2));
              }));

MISCONCEPTION(compare_attention, half_of_B_left_out,
              "js_divergence is ½ Σ a ln(a/m) here, half of it. The other half is ½ Σ b ln(b/m), "
              "what B is away from the middle.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return kullback_leibler(a, Vector((a + b) / 2)) / 2;
              }));

MISCONCEPTION(compare_attention, bits,
              "the logarithm is to base 2: js_divergence is in bits, and 1 at most. Nats take the "
              "natural logarithm, std::log, and reach ln 2 = 0.693.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return jensen_shannon(a, b) / std::log(2.0);
              }));

MISCONCEPTION(compare_attention, halves_forgotten,
              "js_divergence is twice as large as it should be: the two sums are added, where "
              "their mean is asked for. Each has a ½ before it.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return 2 * jensen_shannon(a, b);
              }));

MISCONCEPTION(compare_attention, middle_not_halved,
              "m is a + b here, not (a + b)/2: it sums to 2, and js_divergence is ln 2 too small, "
              "negative for rows that are alike.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return jensen_shannon(a, b) - std::log(2.0);
              }));

MISCONCEPTION(compare_attention, root_of_divergence,
              "this is the root of the divergence, the Jensen–Shannon distance, as scipy's "
              "jensenshannon returns it. The divergence itself is asked for.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return std::sqrt(std::max(0.0, jensen_shannon(a, b)));
              }));

MISCONCEPTION(compare_attention, root_of_the_mean,
              "js_divergence is the root of the mean divergence. The root of a Jensen–Shannon "
              "divergence is a distance; what is asked for is the mean itself.",
              but([](Comparison& result, const Matrix&, const Matrix&, const Mask&) {
                  result.js_divergence = std::sqrt(std::max(0.0, result.js_divergence));
              }));

MISCONCEPTION(compare_attention, sum_of_divergences,
              "js_divergence is the sum over the rows. Their mean is asked for, so that long and "
              "short sentences can be compared.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.js_divergence = over_rows(A, B, jensen_shannon);
              }));

MISCONCEPTION(
    compare_attention, mean_over_elements,
    "js_divergence is divided by n_queries · n_keys. A row's divergence is a sum over its "
    "keys; only the rows are averaged.",
    but([](Comparison& result, const Matrix& A, const Matrix&, const Mask&) {
        result.js_divergence /= static_cast<double>(A.shape(1));
    }));

MISCONCEPTION(compare_attention, divergence_of_means,
              "js_divergence compares the mean rows of A and B. Two models that swap what they "
              "look at, word by word, look alike then. Compare row by row, and average that.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.js_divergence =
                      jensen_shannon(Vector(xt::mean(A, {0})), Vector(xt::mean(B, {0})));
              }));

MISCONCEPTION(compare_attention, nan_at_zero,
              "js_divergence is NaN where a weight is 0: the machine computes 0 times minus "
              "infinity, or divides 0 by 0. A weight of 0 adds 0, and the code has to say so.",
              but_divergence([](const Vector& a, const Vector& b) {
                  const bool zero =
                      std::any_of(a.begin(), a.end(), [](double x) { return x == 0; }) ||
                      std::any_of(b.begin(), b.end(), [](double x) { return x == 0; });
                  return zero ? not_a_number : jensen_shannon(a, b);
              }));

// ---- argmax_agreement

MISCONCEPTION(compare_attention, agreement_counted,
              "argmax_agreement is the number of rows that agree. Their share is asked for, from 0 "
              "to 1.",
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask&) {
                  result.argmax_agreement *= n_rows(A);
              }));

MISCONCEPTION(compare_attention, argmax_over_columns,
              "argmax_agreement looks for the largest weight of each column: which word looks at a "
              "key most. It is a row that shares out its attention, so look where each row has its "
              "largest.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.argmax_agreement =
                      agreement(Matrix(xt::transpose(A)), Matrix(xt::transpose(B)));
              }));

MISCONCEPTION(compare_attention, agreement_with_gold,
              "argmax_agreement holds A against gold. It is A and B that are to agree, right or "
              "wrong; gold is for alignment_accuracy.",
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask& gold) {
                  result.argmax_agreement = count_right(A, gold).right / n_rows(A);
              }));

MISCONCEPTION(compare_attention, equal_largest_weights,
              "argmax_agreement counts the rows whose largest weights are equally large. Where the "
              "largest weight is matters, not how large: two models may look at the same key with "
              "0.9 and 0.6.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.argmax_agreement =
                      over_rows(A, B,
                                [](const Vector& a, const Vector& b) {
                                    return a(argmax(a)) == b(argmax(b)) ? 1 : 0;
                                }) /
                      n_rows(A);
              }));

MISCONCEPTION(compare_attention, last_of_equal_weights,
              "of several largest weights in a row the last is taken, as a comparison with >= "
              "does. The first counts.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.argmax_agreement = agreement(A, B, last_argmax);
                  result.alignment_accuracy = accuracy(A, gold, last_argmax);
              }));

// ---- alignment_accuracy

MISCONCEPTION(compare_attention, accuracy_of_B,
              "alignment_accuracy is that of B. It is the first model, A, whose alignment is "
              "judged.",
              but([](Comparison& result, const Matrix&, const Matrix& B, const Mask& gold) {
                  result.alignment_accuracy = accuracy(B, gold);
              }));

MISCONCEPTION(compare_attention, both_right,
              "a row counts as right only where A and B both look at a gold key. It is the first "
              "model, A, whose alignment is judged, whatever B does.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  Right counts;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      counts.aligned += any_gold(gold, i) ? 1 : 0;
                      counts.right +=
                          gold(i, argmax(row(A, i))) && gold(i, argmax(row(B, i))) ? 1 : 0;
                  }
                  result.alignment_accuracy =
                      counts.aligned > 0 ? counts.right / counts.aligned : not_a_number;
              }));

MISCONCEPTION(compare_attention, rows_without_gold_are_wrong,
              "rows without a gold key count as wrong: the number of right ones is divided by all "
              "rows. A word that translates nothing cannot be looked up rightly or wrongly; divide "
              "by the rows that have a gold key.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const Right counts = count_right(A, gold);
                  return counts.aligned > 0 ? counts.right / n_rows(A) : not_a_number;
              }));

MISCONCEPTION(compare_attention, rows_without_gold_are_right,
              "rows without a gold key count as right. A word that translates nothing has nothing "
              "to be right about: leave its row out.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const Right counts = count_right(A, gold);
                  return counts.aligned > 0
                             ? (counts.right + n_rows(A) - counts.aligned) / n_rows(A)
                             : not_a_number;
              }));

MISCONCEPTION(compare_attention, zero_without_gold,
              "where no row has a gold key, alignment_accuracy is 0 here, as if all were wrong. "
              "There is nothing to judge; NaN says so.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  return count_right(A, gold).aligned > 0 ? accuracy(A, gold) : 0;
              }));

MISCONCEPTION(compare_attention, right_rows_counted,
              "alignment_accuracy is the number of rows that look at a gold key. Their share is "
              "asked for.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const Right counts = count_right(A, gold);
                  return counts.aligned > 0 ? counts.right : not_a_number;
              }));

MISCONCEPTION(compare_attention, first_gold_key_only,
              "only the first gold key of a row counts as right. A word may translate several "
              "source words, and the largest weight on any of them is right.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  Mask first = gold;
                  for (std::size_t i = 0; i < gold.shape(0); ++i) {
                      bool found = false;
                      for (std::size_t j = 0; j < gold.shape(1); ++j) {
                          first(i, j) = gold(i, j) && !found;
                          found = found || gold(i, j);
                      }
                  }
                  return accuracy(A, first);
              }));

MISCONCEPTION(compare_attention, gold_keys_in_place_of_rows,
              "the number of right rows is divided by the number of gold keys. A row that has two "
              "is still one row, and can be right once.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  const double keys =
                      static_cast<double>(std::count(gold.begin(), gold.end(), true));
                  return keys > 0 ? count_right(A, gold).right / keys : not_a_number;
              }));

MISCONCEPTION(compare_attention, weight_on_gold,
              "alignment_accuracy is the weight that falls on gold keys, on average. What is asked "
              "for counts rows: right where the largest weight is on a gold key, by however much.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  double weight = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      for (std::size_t j = 0; j < A.shape(1); ++j) {
                          weight += gold(i, j) ? A(i, j) : 0;
                      }
                  }
                  const double aligned = count_right(A, gold).aligned;
                  return aligned > 0 ? weight / aligned : not_a_number;
              }));

} // namespace

} // namespace misconceptions_comparison
