// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own. Here: 10.1.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

/// By other factors. Where one side has no keys, as people see to that: the other is returned.
template <class Rule>
auto by_factors(Rule rule) {
    return [=](P a, P b) -> Partial {
        check_partials(a, b);
        if (a.maximum == -infinity) {
            return b;
        }
        return b.maximum == -infinity ? a : merged(a, b, rule(a.maximum, b.maximum));
    };
}

/// The right factors, used wrongly.
template <class Rule>
auto with_factors(Rule rule) {
    return [=](P a, P b) -> Partial {
        check_partials(a, b);
        return rule(a, b, right_factors(a.maximum, b.maximum));
    };
}

MISCONCEPTION(merge, nothing_rescaled,
              "sums and outputs are added as they are. Each was summed with its own maximum: bring "
              "both to the larger one first, by exp(own maximum − larger maximum).",
              by_factors([](double a, double b) {
                  return Factors{std::max(a, b), 1, 1};
              }));

MISCONCEPTION(merge, outputs_not_rescaled,
              "the sums are brought to the new maximum, the outputs are not. They were summed with "
              "the same exponentials and take the same factors.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, a.output + b.output};
              }));

MISCONCEPTION(
    merge, output_of_b_not_rescaled,
    "where a has the larger maximum, the sum of b is brought to it, and its output is "
    "not. Both were summed with b's own maximum and take the same factor.",
    with_factors([](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, by.of_a * a.output + b.output};
    }));

MISCONCEPTION(
    merge, sum_of_b_not_rescaled,
    "where a has the larger maximum, the output of b is brought to it, and its sum is "
    "not. Both were summed with b's own maximum and take the same factor.",
    with_factors([](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, by.of_a * a.sum + b.sum, by.of_a * a.output + by.of_b * b.output};
    }));

MISCONCEPTION(
    merge, output_of_a_not_rescaled,
    "where b has the larger maximum, the sum of a is brought to it, and its output is "
    "not. Both were summed with a's own maximum and take the same factor.",
    with_factors([](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, a.output + by.of_b * b.output};
    }));

MISCONCEPTION(
    merge, sum_of_a_not_rescaled,
    "where b has the larger maximum, the output of a is brought to it, and its sum is "
    "not. Both were summed with a's own maximum and take the same factor.",
    with_factors([](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, a.sum + by.of_b * b.sum, by.of_a * a.output + by.of_b * b.output};
    }));

MISCONCEPTION(merge, sums_not_rescaled,
              "the outputs are brought to the new maximum, the sums are not. They were summed with "
              "the same exponentials and take the same factors.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  return {by.maximum, a.sum + b.sum, by.of_a * a.output + by.of_b * b.output};
              }));

MISCONCEPTION(merge, factors_interchanged,
              "a is multiplied by b's factor and b by a's. What had the smaller maximum shrinks.",
              with_factors([](P a, P b, const Factors& by) {
                  return merged(a, b, {by.maximum, by.of_b, by.of_a});
              }));

MISCONCEPTION(merge, factors_inverted,
              "the factors are exp(new maximum − own maximum), and make larger what should shrink. "
              "It is exp(own − new), at most 1.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, std::exp(m - a), std::exp(m - b)};
              }));

MISCONCEPTION(merge, only_a_rescaled,
              "b is not rescaled: its factor is 1 throughout, as if it had the larger maximum. "
              "Either it is left out, or it is computed when b's own maximum was overwritten "
              "already, and exp(0) is 1. In which order parts come must not matter.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, std::exp(a - m), 1};
              }));

MISCONCEPTION(merge, only_b_rescaled,
              "a is not rescaled: its factor is 1 throughout, as if it had the larger maximum. "
              "Either it is left out, or it is computed when a's own maximum was overwritten "
              "already, and exp(0) is 1. In which order parts come must not matter.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, 1, std::exp(b - m)};
              }));

MISCONCEPTION(merge, maximum_of_b,
              "the new maximum is always b's. The exponentials of a then overflow where a's is "
              "larger. It is the larger of the two.",
              by_factors([](double a, double b) {
                  return Factors{b, std::exp(a - b), 1};
              }));

MISCONCEPTION(merge, maximum_of_a,
              "the new maximum is always a's. The exponentials of b then overflow where b's is "
              "larger. It is the larger of the two.",
              by_factors([](double a, double b) {
                  return Factors{a, 1, std::exp(b - a)};
              }));

MISCONCEPTION(merge, smaller_maximum,
              "the new maximum is the smaller of the two, so that exponentials can overflow.",
              by_factors([](double a, double b) {
                  const double m = std::min(a, b);
                  return Factors{m, std::exp(a - m), std::exp(b - m)};
              }));

MISCONCEPTION(merge, maxima_added, "the maxima are added. The larger of the two is the maximum.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{a + b, std::exp(a - m), std::exp(b - m)};
              }));

MISCONCEPTION(merge, maximum_not_updated,
              "sums and outputs are brought to the larger maximum, but a's is returned.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{a, std::exp(a - m), std::exp(b - m)};
              }));

MISCONCEPTION(merge, no_maximum_in_the_factors,
              "the factors are exp(own maximum), with nothing subtracted. They belong to a maximum "
              "of 0, and overflow.",
              by_factors([](double a, double b) {
                  return Factors{std::max(a, b), std::exp(a), std::exp(b)};
              }));

MISCONCEPTION(merge, difference_without_exp,
              "the factors are the differences of the maxima themselves: exp is missing.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, a - m, b - m};
              }));

MISCONCEPTION(merge, powers_of_two, "the factors are powers of 2, the sums are of powers of e.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, std::exp2(a - m), std::exp2(b - m)};
              }));

MISCONCEPTION(merge, the_larger_alone,
              "only the side with the larger maximum comes back. The other counts, too, by its "
              "factor.",
              by_factors([](double a, double b) {
                  return a >= b ? Factors{a, 1, 0} : Factors{b, 0, 1};
              }));

MISCONCEPTION(merge, output_divided,
              "the output is divided by the sum already. Then the next merge cannot add to it: "
              "divide once, after the last.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  if (all.sum > 0) {
                      all.output /= all.sum;
                  }
                  return all;
              }));

MISCONCEPTION(merge, outputs_multiplied_by_sums,
              "each output is multiplied by its sum, as if it were a mean. It is a sum already, "
              "not divided by anything.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.output = by.of_a * a.sum * a.output + by.of_b * b.sum * b.output;
                  return all;
              }));

MISCONCEPTION(merge, outputs_taken_for_means,
              "the outputs are taken for means: multiplied by their sums, added, and divided by "
              "the new sum. They are sums already, not divided by anything.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.output = by.of_a * a.sum * a.output + by.of_b * b.sum * b.output;
                  if (all.sum > 0) {
                      all.output /= all.sum;
                  }
                  return all;
              }));

MISCONCEPTION(merge, mean_of_both,
              "it is the mean of both sides, half of what it should be. They are added.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, std::exp(a - m) / 2, std::exp(b - m) / 2};
              }));

MISCONCEPTION(merge, output_of_b_lost, "the output of b is not added to the output of a.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.output = by.of_a * a.output;
                  return all;
              }));

MISCONCEPTION(merge, output_of_a_lost, "the output of a is not added to the output of b.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.output = by.of_b * b.output;
                  return all;
              }));

MISCONCEPTION(merge, sum_of_b_lost, "the sum of b is not added to the sum of a.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.sum = by.of_a * a.sum;
                  return all;
              }));

MISCONCEPTION(merge, sum_of_a_lost, "the sum of a is not added to the sum of b.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.sum = by.of_b * b.sum;
                  return all;
              }));

MISCONCEPTION(merge, sums_multiplied, "the sums are multiplied. Two sums over different keys add.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.sum = by.of_a * a.sum * by.of_b * b.sum;
                  return all;
              }));

MISCONCEPTION(merge, nan_of_two_empties,
              "where neither side has keys it computes −∞ − (−∞), which is NaN. Return one of them "
              "in that case: there is nothing to add.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  const double m = std::max(a.maximum, b.maximum);
                  return merged(a, b, {m, std::exp(a.maximum - m), std::exp(b.maximum - m)});
              });

MISCONCEPTION(merge, empties_have_maximum_0,
              "where neither side has keys the maximum comes out as 0. Nothing was seen, and that "
              "is −∞: with 0, later scores far below 0 would come out as nothing.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  Partial all = right_merge(a, b);
                  all.maximum = all.maximum == -infinity ? 0 : all.maximum;
                  return all;
              });

MISCONCEPTION(merge, nothing_if_either_is_empty,
              "if one side has no keys, nothing comes back. The other side's keys are still there.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  if (a.maximum == -infinity) {
                      return a;
                  }
                  return b.maximum == -infinity ? b : right_merge(a, b);
              });

MISCONCEPTION(merge, empty_counts_one,
              "a side without keys adds 1 to the sum: its factor is taken as exp(0). Its sum is 0, "
              "and stays so.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  Partial all = right_merge(a, b);
                  all.sum += (a.maximum == -infinity ? 1 : 0) + (b.maximum == -infinity ? 1 : 0);
                  return all;
              });

// ---- Other slips.

MISCONCEPTION(merge, maximum_by_size,
              "the new maximum is the one of larger size, without its sign. Of −3 and −2 the "
              "larger is −2.",
              by_factors([](double a, double b) {
                  const double m = std::abs(a) > std::abs(b) ? a : b;
                  return Factors{m, std::exp(a - m), std::exp(b - m)};
              }));
MISCONCEPTION(merge, empty_side_returned,
              "where one side has no keys, a comes back, whichever it is. The other side is what "
              "is known then.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  return a.sum == 0 || b.sum == 0 ? a : right_merge(a, b);
              });
MISCONCEPTION(merge, empties_have_no_output,
              "where neither side has keys the output is empty. It has d_v zeros.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  return a.sum == 0 && b.sum == 0
                             ? Partial{-infinity, 0, Vector::from_shape({std::size_t{0}})}
                             : right_merge(a, b);
              });
MISCONCEPTION(merge, equal_maxima_drop_b,
              "where both maxima are equal, a alone comes back. They are added then, both with "
              "factor 1.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  return a.maximum == b.maximum ? a : right_merge(a, b);
              });
MISCONCEPTION(merge, factor_of_a_inverted,
              "a's factor is exp(new maximum − own maximum), and makes larger what should shrink. "
              "It is exp(own − new), at most 1.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, std::exp(m - a), std::exp(b - m)};
              }));
MISCONCEPTION(merge, factor_of_b_inverted,
              "b's factor is exp(new maximum − own maximum), and makes larger what should shrink. "
              "It is exp(own − new), at most 1.",
              by_factors([](double a, double b) {
                  const double m = std::max(a, b);
                  return Factors{m, std::exp(a - m), std::exp(m - b)};
              }));
MISCONCEPTION(merge, factor_of_a_for_both_sums,
              "both sums are multiplied by a's factor. Each takes its own.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.sum = by.of_a * (a.sum + b.sum);
                  return all;
              }));
MISCONCEPTION(merge, factor_of_b_for_both_outputs,
              "both outputs are multiplied by b's factor. Each takes its own. (A product of arrays "
              "that is kept in auto is computed where it is used, with what the factor is by then: "
              "keep it in a Vector.)",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.output = by.of_b * (a.output + b.output);
                  return all;
              }));
MISCONCEPTION(merge, maximum_is_the_logsumexp,
              "the maximum comes back as maximum + ln sum. That is the logsumexp, which 10.2 makes "
              "of a partial result at the end.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.maximum = all.sum > 0 ? all.maximum + std::log(all.sum) : all.maximum;
                  return all;
              }));
MISCONCEPTION(merge, outputs_subtracted, "b's output is subtracted from a's. They are added.",
              with_factors([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.output = by.of_a * a.output - by.of_b * b.output;
                  return all;
              }));

} // namespace
