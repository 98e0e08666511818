// Wrong versions of 07.5 that take a 0 for nothing or for an end, or treat the smallest sizes
// apart.

#include "wrong_comparison.hpp"

namespace misconceptions_comparison_zeros {

using namespace wrong_comparison;

namespace {

/// a up to the first key at which a or b or both, as asked, are 0.
template <class Ends>
Divergence until(Ends ends) {
    return [=](const Vector& a, const Vector& b) {
        double sum = 0;
        for (std::size_t j = 0; j < a.size() && !ends(a(j), b(j)); ++j) {
            const double middle = (a(j) + b(j)) / 2;
            sum += a(j) > 0 ? a(j) * std::log(a(j) / middle) / 2 : 0;
            sum += b(j) > 0 ? b(j) * std::log(b(j) / middle) / 2 : 0;
        }
        return sum;
    };
}

bool has_zero(const Vector& weights) {
    return std::any_of(weights.begin(), weights.end(), [](double w) { return w == 0; });
}

MISCONCEPTION(compare_attention, divergence_ends_at_zero_of_either,
              "the divergence ends at a weight of 0, in A or in B: break where continue was meant. "
              "That weight adds 0, and those after it what they do.",
              but_divergence(until([](double a, double b) { return a == 0 || b == 0; })));
MISCONCEPTION(compare_attention, divergence_ends_at_zero_of_A,
              "the divergence ends at a weight of 0 in A: break where continue was meant. That "
              "weight adds 0, and those after it, and that of B, what they do.",
              but_divergence(until([](double a, double) { return a == 0; })));
MISCONCEPTION(compare_attention, divergence_ends_where_both_are_zero,
              "the divergence ends at a key to which neither attends: break where continue was "
              "meant. The keys after it count.",
              but_divergence(until([](double a, double b) { return a + b == 0; })));
MISCONCEPTION(compare_attention, rows_with_a_zero_diverge_by_0,
              "a row with a weight of 0 in it adds no divergence at all. That weight adds 0, and "
              "the others what they do.",
              but_divergence([](const Vector& a, const Vector& b) {
                  return has_zero(a) || has_zero(b) ? 0.0 : jensen_shannon(a, b);
              }));
MISCONCEPTION(compare_attention, rows_alike_left_out_of_the_mean,
              "rows that do not diverge are left out of the mean. They count as rows of 0.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  const double n = over_rows(A, B, [](const Vector& a, const Vector& b) {
                      return jensen_shannon(a, b) > 1e-15 ? 1 : 0;
                  });
                  result.js_divergence = over_rows(A, B, jensen_shannon) / (n > 0 ? n : 1);
              }));
MISCONCEPTION(compare_attention, search_begins_at_key_1,
              "the search for the largest weight begins at key 1: key 0 is never found.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  const auto from_1 = [](const Vector& weights) {
                      return static_cast<std::size_t>(
                          (weights.size() == 1
                               ? weights.begin()
                               : std::max_element(weights.begin() + 1, weights.end())) -
                          weights.begin());
                  };
                  result.argmax_agreement = agreement(A, B, from_1);
                  result.alignment_accuracy = accuracy(A, gold, from_1);
              }));
MISCONCEPTION(
    compare_attention, right_if_any_gold_has_weight,
    "a row is right here if it attends to a gold key at all. Its largest weight has to be "
    "there.",
    but_accuracy([](const Matrix& A, const Mask& gold) {
        double right = 0;
        for (std::size_t i = 0; i < A.shape(0); ++i) {
            bool any = false;
            for (std::size_t j = 0; j < A.shape(1); ++j) {
                any = any || (gold(i, j) && A(i, j) > 0);
            }
            right += any ? 1 : 0;
        }
        const double aligned = count_right(A, gold).aligned;
        return aligned > 0 ? right / aligned : not_a_number;
    }));
MISCONCEPTION(compare_attention, single_row_without_gold_is_wrong,
              "where there is a single word and it translates none, the accuracy is 0. It is NaN "
              "whenever no row is left.",
              but([](Comparison& result, const Matrix& A, const Matrix&, const Mask&) {
                  if (A.shape(0) == 1 && std::isnan(result.alignment_accuracy)) {
                      result.alignment_accuracy = 0;
                  }
              }));

MISCONCEPTION(compare_attention, all_largest_may_be_right,
              "of several largest weights any may be on a gold key here. The first of them counts.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  double right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      const double most = row(A, i)(argmax(row(A, i)));
                      bool any = false;
                      for (std::size_t j = 0; j < A.shape(1); ++j) {
                          any = any || (gold(i, j) && A(i, j) == most);
                      }
                      right += any ? 1 : 0;
                  }
                  const double aligned = count_right(A, gold).aligned;
                  return aligned > 0 ? right / aligned : not_a_number;
              }));

/// The largest weight of a row is at this key as well.
bool largest_at(const Vector& weights, std::size_t key) {
    return weights(key) == weights(argmax(weights));
}

bool share_a_largest(const Vector& a, const Vector& b) {
    bool any = false;
    for (std::size_t j = 0; j < a.size(); ++j) {
        any = any || (largest_at(a, j) && largest_at(b, j));
    }
    return any;
}

/// agree(a, b): whether two rows do.
auto agreeing_by(bool (*agree)(const Vector& a, const Vector& b)) {
    return but([=](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
        result.argmax_agreement = over_rows(A, B, agree) / n_rows(A);
    });
}

MISCONCEPTION(compare_attention, any_largest_of_B_agrees,
              "two rows agree here if B has its largest weight where A looks, there or elsewhere "
              "as well: of several largest weights in a row of B any will do. The first of them "
              "counts: compare the two places.",
              agreeing_by([](const Vector& a, const Vector& b) {
                  return largest_at(b, argmax(a));
              }));
MISCONCEPTION(compare_attention, any_largest_of_A_agrees,
              "two rows agree here if A has its largest weight where B looks, there or elsewhere "
              "as well: of several largest weights in a row of A any will do. The first of them "
              "counts: compare the two places.",
              agreeing_by([](const Vector& a, const Vector& b) {
                  return largest_at(a, argmax(b));
              }));
MISCONCEPTION(compare_attention, any_largest_in_common,
              "two rows agree here if any of A's largest weights is at a key of one of B's. The "
              "first of each counts: compare the two places.",
              agreeing_by(share_a_largest));

MISCONCEPTION(compare_attention, gold_keys_together,
              "a row is right here if its gold keys together have as much weight as any key. Its "
              "largest weight has to be on one of them.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  double right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      double together = 0;
                      for (std::size_t j = 0; j < A.shape(1); ++j) {
                          together += gold(i, j) ? A(i, j) : 0;
                      }
                      right +=
                          any_gold(gold, i) && together >= row(A, i)(argmax(row(A, i))) ? 1 : 0;
                  }
                  const double aligned = count_right(A, gold).aligned;
                  return aligned > 0 ? right / aligned : not_a_number;
              }));
MISCONCEPTION(compare_attention, whole_order_agrees,
              "two rows agree here only if all their weights stand in the same order. The largest "
              "alone are compared.",
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  const double agreeing = over_rows(A, B, [](const Vector& a, const Vector& b) {
                      for (std::size_t j = 0; j < a.size(); ++j) {
                          for (std::size_t k = 0; k < a.size(); ++k) {
                              if ((a(j) > a(k)) != (b(j) > b(k))) {
                                  return 0;
                              }
                          }
                      }
                      return 1;
                  });
                  result.argmax_agreement = agreeing / n_rows(A);
              }));

// ---- alignment_accuracy

/// gold(j, i) for gold(i, j), which an array refuses where it is outside.
Mask with_source_first(const Mask& gold) {
    Mask read = Mask::from_shape(gold.shape());
    for (std::size_t i = 0; i < gold.shape(0); ++i) {
        for (std::size_t j = 0; j < gold.shape(1); ++j) {
            read(i, j) = gold(j, i);
        }
    }
    return read;
}

MISCONCEPTION(
    compare_attention, gold_with_the_source_first,
    "rows and columns of gold are exchanged: gold(j, i) is asked. It has the shape of the "
    "weights, a row for each query: gold(i, j).",
    but_accuracy([](const Matrix& A, const Mask& gold) {
        return accuracy(A, with_source_first(gold));
    }));

MISCONCEPTION(compare_attention, gold_on_the_diagonal,
              "key i is taken for the right one of query i, and gold is not asked. Which keys are "
              "right it says: gold(i, j).",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  Mask diagonal = xt::zeros<bool>(gold.shape());
                  for (std::size_t i = 0; i < gold.shape(0) && i < gold.shape(1); ++i) {
                      diagonal(i, i) = true;
                  }
                  return count_right(A, diagonal).right / n_rows(A);
              }));

} // namespace

} // namespace misconceptions_comparison_zeros
