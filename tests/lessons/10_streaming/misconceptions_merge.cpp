// Wrong versions of 10.1: a for b where a line was copied, and other maxima. Each as it stands, and
// where a side without keys is asked about first, so that the other comes back.

#include "wrong.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(
    merge, maximum_by_logsumexp,
    "the maximum that comes back is that of the side with the larger maximum + ln sum. It is the "
    "larger of the two maxima, whatever the sums are: exp of a positive difference may overflow.",
    [](P a, P b) -> Partial {
        check_partials(a, b);
        if (a.maximum == -infinity || b.maximum == -infinity) {
            return right_merge(a, b);
        }
        const bool of_a = a.maximum + std::log(a.sum) >= b.maximum + std::log(b.sum);
        const double maximum = of_a ? a.maximum : b.maximum;
        return merged(a, b,
                      {maximum, std::exp(a.maximum - maximum), std::exp(b.maximum - maximum)});
    });

using Rule = std::function<Partial(P a, P b, const Factors& right)>;

auto ruled_by(const Rule& rule, bool asks_for_empty_sides) {
    return [=](P a, P b) -> Partial {
        check_partials(a, b);
        if (asks_for_empty_sides && (a.sum == 0 || b.sum == 0)) {
            return a.sum == 0 ? b : a;
        }
        const Factors by = right_factors(a.maximum, b.maximum);
        return by.maximum == -infinity ? a : rule(a, b, by);
    };
}

#define MERGE_MISCONCEPTION(name, explanation, ...)                                                \
    MISCONCEPTION(merge, name, explanation, ruled_by(__VA_ARGS__, false));                         \
    MISCONCEPTION(merge, name##_of_two, explanation, ruled_by(__VA_ARGS__, true))

MERGE_MISCONCEPTION(
    output_of_a_twice,
    "both terms of the output are made of a's. The second is b's output, by b's "
    "factor.",
    [](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, (by.of_a + by.of_b) * a.output};
    });
MERGE_MISCONCEPTION(
    sum_of_a_twice, "both terms of the sum are made of a's. The second is b's sum, by b's factor.",
    [](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, (by.of_a + by.of_b) * a.sum, by.of_a * a.output + by.of_b * b.output};
    });
MERGE_MISCONCEPTION(
    outputs_not_swapped,
    "where b has the larger maximum, maxima and sums change places, and the outputs do not: each "
    "is multiplied by the other's factor. Swap all three, or none.",
    [](P a, P b, const Factors& by) -> Partial {
        const bool swapped = b.maximum > a.maximum;
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum,
                (swapped ? by.of_b : by.of_a) * a.output +
                    (swapped ? by.of_a : by.of_b) * b.output};
    });
MERGE_MISCONCEPTION(
    factor_of_a_in_the_output,
    "in the output b has a's factor. Each side has its own, in sum and output "
    "alike.",
    [](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, by.of_a * a.sum + by.of_b * b.sum, by.of_a * (a.output + b.output)};
    });
MISCONCEPTION(
    merge, factor_of_a_in_the_sum_of_two,
    "in the sum b has a's factor. Each side has its own, in sum and output alike.",
    ruled_by(
        [](P a, P b, const Factors& by) -> Partial {
            return {by.maximum, by.of_a * (a.sum + b.sum), by.of_a * a.output + by.of_b * b.output};
        },
        true));
MISCONCEPTION(merge, sums_multiplied_of_two,
              "the sums are multiplied. Each takes its factor, and then they are added.",
              ruled_by(
                  [](P a, P b, const Factors& by) -> Partial {
                      return {by.maximum, a.sum * b.sum, by.of_a * a.output + by.of_b * b.output};
                  },
                  true));

/// Brought to another maximum, which is right as long as nothing overflows, but not what was asked.
Rule brought_to(std::function<double(double a, double b)> maximum) {
    return [=](P a, P b, const Factors&) {
        const double m = maximum(a.maximum, b.maximum);
        return merged(a, b, {m, std::exp(a.maximum - m), std::exp(b.maximum - m)});
    };
}
MERGE_MISCONCEPTION(maximum_from_0,
                    "the maximum is no less than 0, as if it had been sought from there. Where "
                    "both maxima are far below, every exponential is then 0.",
                    brought_to([](double a, double b) {
                        return std::max({0.0, a, b});
                    }));
MISCONCEPTION(merge, maximum_of_the_sizes_of_two,
              "the maximum is that of the two without their signs. Where both are far below 0, "
              "every exponential is then 0.",
              ruled_by(brought_to([](double a, double b) {
                           return std::max(std::abs(a), std::abs(b));
                       }),
                       true));
constexpr const char* far_side_dropped =
    "a side whose maximum is far below is left out. Its factor is small, and its output may be as "
    "large: it counts like any other.";
Rule dropping(double below) {
    return [=](P a, P b, const Factors& by) {
        return a.maximum - b.maximum > below   ? a
               : b.maximum - a.maximum > below ? b
                                               : merged(a, b, by);
    };
}
MISCONCEPTION(merge, side_20_below_dropped, far_side_dropped, ruled_by(dropping(20), false));
MISCONCEPTION(merge, side_30_below_dropped, far_side_dropped, ruled_by(dropping(30), false));
MISCONCEPTION(merge, side_50_below_dropped, far_side_dropped, ruled_by(dropping(50), false));
MISCONCEPTION(merge, maxima_added_of_two,
              "the maxima are added. The larger of the two is the maximum.",
              ruled_by(brought_to([](double a, double b) { return a + b; }), true));
MISCONCEPTION(
    merge, maximum_in_the_middle_of_two,
    "the new maximum is the mean of the two. It is the larger one, so that no exponential "
    "overflows.",
    ruled_by(brought_to([](double a, double b) { return (a + b) / 2; }), true));
MISCONCEPTION(merge, exponentials_of_the_maxima_of_two,
              "exp is taken of the maxima themselves, and divided by that of the new one: of 1000 "
              "it is infinite, and ∞ / ∞ is NaN. Subtract first: exp(own − new).",
              ruled_by(
                  [](P a, P b, const Factors& by) -> Partial {
                      const double of_a = std::exp(a.maximum), of_b = std::exp(b.maximum),
                                   of_both = std::exp(by.maximum);
                      return {by.maximum, (of_a * a.sum + of_b * b.sum) / of_both,
                              (of_a * a.output + of_b * b.output) / of_both};
                  },
                  true));
MISCONCEPTION(merge, factors_interchanged_of_two,
              "a is multiplied by b's factor and b by a's. What had the smaller maximum shrinks.",
              ruled_by(
                  [](P a, P b, const Factors& by) {
                      return merged(a, b, {by.maximum, by.of_b, by.of_a});
                  },
                  true));

/// The side that is taken to have the larger maximum keeps what it has.
Rule larger_on_the(bool left) {
    return [=](P a, P b, const Factors& by) {
        return merged(a, b,
                      {by.maximum, left ? 1 : std::exp(a.maximum - b.maximum),
                       left ? std::exp(b.maximum - a.maximum) : 1});
    };
}
MERGE_MISCONCEPTION(larger_taken_to_be_on_the_left,
                    "the maximum of a is taken to be the larger one: a stays as it is, and b takes "
                    "exp(b's − a's), which is above 1 where b's is larger. Both take a factor, "
                    "exp(own − larger).",
                    larger_on_the(true));
MERGE_MISCONCEPTION(larger_taken_to_be_on_the_right,
                    "the maximum of b is taken to be the larger one: b stays as it is, and a takes "
                    "exp(a's − b's), which is above 1 where a's is larger. Both take a factor, "
                    "exp(own − larger).",
                    larger_on_the(false));
constexpr const char* larger_by_sum =
    "the side with the larger sum stays as it is, and the other is brought to its maximum. A sum "
    "says nothing of the maximum: where the smaller sum has the larger one, exp(own − other's) is "
    "above 1, and overflows. Compare the maxima.";
/// Of equal sums: whether a stays.
Rule larger_sum_stays(bool a_of_equals) {
    return [=](P a, P b, const Factors&) -> Partial {
        const bool a_stays = a_of_equals ? a.sum >= b.sum : a.sum > b.sum;
        const double m = a_stays ? a.maximum : b.maximum;
        return merged(a, b, {m, std::exp(a.maximum - m), std::exp(b.maximum - m)});
    };
}
MISCONCEPTION(merge, side_of_the_larger_sum_stays, larger_by_sum,
              ruled_by(larger_sum_stays(true), true));
MISCONCEPTION(merge, side_of_the_larger_sum_stays_or_b, larger_by_sum,
              ruled_by(larger_sum_stays(false), true));
MERGE_MISCONCEPTION(
    logsumexp_in_place_of_the_maximum,
    "the logsumexp is kept in place of the maximum, with a sum of 1. Divided, it "
    "is the same; but what was asked for is the largest score and the sum of "
    "exp(score − maximum), which the next merge goes on with.",
    [](P a, P b, const Factors& by) -> Partial {
        const double sum = by.of_a * a.sum + by.of_b * b.sum;
        return {by.maximum + std::log(sum), 1, (by.of_a * a.output + by.of_b * b.output) / sum};
    });

MISCONCEPTION(merge, empty_b_comes_back,
              "where b has no keys, b itself comes back. The other side is what is known then: "
              "look which of the two the condition asks, and which is returned.",
              [](P a, P b) -> Partial {
                  check_partials(a, b);
                  return b.sum == 0 ? b : right_merge(a, b);
              });

/// A value that may come is read as "no keys on this side".
auto taken_for_empty(std::function<bool(P side)> is_empty) {
    return ruled_by(
        [=](P a, P b, const Factors& by) {
            return is_empty(a) ? b : is_empty(b) ? a : merged(a, b, by);
        },
        true);
}
MISCONCEPTION(merge, maximum_0_taken_for_no_keys,
              "a maximum of 0 is taken for a side without keys. A score may be 0; without "
              "keys the maximum is −∞ and the sum 0.",
              taken_for_empty([](P side) { return side.maximum == 0; }));
MISCONCEPTION(merge, output_0_taken_for_no_keys,
              "an output of zeros is taken for a side without keys. Values may be 0; without "
              "keys the maximum is −∞ and the sum 0.",
              taken_for_empty([](P side) { return xt::all(xt::equal(side.output, 0.0)); }));
MISCONCEPTION(merge, far_below_taken_for_no_keys,
              "a maximum far below 0, such as −1e300, is taken for a side without keys. Only "
              "−∞ is: compare with == −infinity, or ask for a sum of 0.",
              taken_for_empty([](P side) { return side.maximum <= -1e30; }));
MISCONCEPTION(merge, lowest_taken_for_no_keys,
              "a maximum far below 0, such as −1e300, is taken for a side without keys. Only "
              "−∞ is: compare with == −infinity, or ask for a sum of 0.",
              taken_for_empty([](P side) { return side.maximum <= -1e300; }));
MISCONCEPTION(merge, large_taken_for_no_keys,
              "a maximum of a large size, above 0 or below, is taken for a side without "
              "keys. Only −∞ is: compare with == −infinity, or ask for a sum of 0.",
              taken_for_empty([](P side) { return std::abs(side.maximum) >= 1e30; }));

MISCONCEPTION(merge, far_below_taken_for_no_keys_on_both_sides,
              "where both maxima are far below 0, such as −1e9, both sides are taken for ones "
              "without keys, and a alone comes back. Only −∞ is: compare with == −infinity, or ask "
              "for a sum of 0.",
              [](P a, P b) {
                  check_partials(a, b);
                  return std::max(a.maximum, b.maximum) <= -1e9 ? a : right_merge(a, b);
              });

// ---- one of the two with the factors of the other

MISCONCEPTION(merge, factors_exchanged_in_the_sum,
              "in the sum the two factors have changed places; the output is right. Each is what "
              "its own maximum has to be brought down by.",
              [](P a, P b) {
                  check_partials(a, b);
                  const Factors by = right_factors(a.maximum, b.maximum);
                  Partial result = merged(a, b, by);
                  result.sum = by.of_b * a.sum + by.of_a * b.sum;
                  return result;
              });
MISCONCEPTION(merge, factors_exchanged_in_the_output,
              "in the output the two factors have changed places; the sum is right. Each is what "
              "its own maximum has to be brought down by.",
              [](P a, P b) {
                  check_partials(a, b);
                  const Factors by = right_factors(a.maximum, b.maximum);
                  Partial result = merged(a, b, by);
                  result.output = by.of_b * a.output + by.of_a * b.output;
                  return result;
              });

} // namespace
