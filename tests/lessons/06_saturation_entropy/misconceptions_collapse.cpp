// Wrong versions of 06.5.

#include "wrong.hpp"

using namespace wrong;

namespace {

/// Finds the first point for which here(i) holds. Checks first, as the stub does.
using Here = std::function<bool(const EntropyCurve& curve, std::size_t i)>;
std::size_t find(const EntropyCurve& curve, const Here& here) {
    if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
        throw std::invalid_argument("the curve must hold at least one d_k, and as many entropies");
    }
    std::size_t i = 0;
    while (i < curve.d_ks.size() && !here(curve, i)) {
        ++i;
    }
    return i;
}

auto first_where(Here here) {
    return [=](const EntropyCurve& curve) -> std::size_t {
        const std::size_t i = find(curve, here);
        return i < curve.d_ks.size() ? curve.d_ks[i] : 0;
    };
}

bool at_most_half(const EntropyCurve& curve, std::size_t i) {
    return curve.entropies(i) <= curve.entropies(0) / 2;
}

MISCONCEPTION(dk_at_collapse, index_of_the_collapse,
              "this is the index of the point in the curve, not its d_k: return curve.d_ks[i].",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return i < curve.d_ks.size() ? i : 0;
              });

MISCONCEPTION(dk_at_collapse, less_than_half,
              "an entropy of exactly half is passed over. \"At most half\" is <=, not <.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) < curve.entropies(0) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_a_nat,
              "this compares with 0.5 nats. What counts is half of the curve's own first entropy, "
              "which depends on how many keys there are.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= 0.5;
              }));

MISCONCEPTION(
    dk_at_collapse, half_as_many_keys,
    "this compares exp(H), the number of keys that attention is spread over, with half of "
    "what it is at first. Half of the entropy is asked for, which comes later.",
    first_where([](const EntropyCurve& curve, std::size_t i) {
        return std::exp(curve.entropies(i)) <= std::exp(curve.entropies(0)) / 2;
    }));

MISCONCEPTION(dk_at_collapse, half_of_the_largest,
              "this compares with half of the largest entropy of the curve. It is the first one "
              "that counts, even where the curve rises before it falls.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= largest(curve.entropies) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_one_before,
              "this compares each entropy with half of the one before it. A collapse in many small "
              "steps is then never seen: compare with the curve's first.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return i > 0 && curve.entropies(i) <= curve.entropies(i - 1) / 2;
              }));

MISCONCEPTION(dk_at_collapse, last_at_most_half,
              "this is the last d_k at or below half, not the first: the search goes on after it "
              "has found one. Return at once.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  std::size_t found = 0;
                  for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
                      found = at_most_half(curve, i) ? curve.d_ks[i] : found;
                  }
                  return found;
              });

MISCONCEPTION(dk_at_collapse, last_of_a_curve_without_collapse,
              "where the entropy never falls to half, this returns the curve's last d_k. Nothing "
              "collapsed there; the answer is 0.",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return curve.d_ks[std::min(i, curve.d_ks.size() - 1)];
              });

MISCONCEPTION(dk_at_collapse, one_before_the_collapse,
              "this is the last d_k that is still above half. The first that is at or below it "
              "comes one later.",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return i < curve.d_ks.size() ? curve.d_ks[i - 1] : 0;
              });

constexpr const char* says_almost_half =
    "an entropy a little above half is taken for half: there is a tolerance in the comparison. "
    "Numbers are compared as they are here, <=; halving a double is exact.";

auto almost_half(double tolerance) {
    return first_where([=](const EntropyCurve& curve, std::size_t i) {
        return curve.entropies(i) <= curve.entropies(0) / 2 + tolerance;
    });
}

MISCONCEPTION(dk_at_collapse, tolerance_of_1e_3, says_almost_half, almost_half(1e-3));
MISCONCEPTION(dk_at_collapse, tolerance_of_1e_6, says_almost_half, almost_half(1e-6));
MISCONCEPTION(dk_at_collapse, tolerance_of_1e_9, says_almost_half, almost_half(1e-9));
MISCONCEPTION(dk_at_collapse, tolerance_of_1e_12, says_almost_half, almost_half(1e-12));

MISCONCEPTION(dk_at_collapse, less_than_1e_9_above, says_almost_half,
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) - curve.entropies(0) / 2 < 1e-9;
              }));

MISCONCEPTION(dk_at_collapse, less_than_half_and_1e_9, says_almost_half,
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) < curve.entropies(0) / 2 + 1e-9;
              }));

MISCONCEPTION(dk_at_collapse, compared_in_float,
              "the comparison is made in float, which does not tell 1 from 1.00000001: an entropy "
              "a little above half is taken for half. Keep entropies and their half in double.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return static_cast<float>(curve.entropies(i)) <=
                         static_cast<float>(curve.entropies(0)) / 2;
              }));

constexpr const char* says_clearly_below =
    "an entropy of exactly half, or a little less, is passed over: a tolerance is subtracted in "
    "the comparison. \"At most half\" is <=, and nothing more.";

MISCONCEPTION(dk_at_collapse, clearly_below_by_1e_6, says_clearly_below, almost_half(-1e-6));
MISCONCEPTION(dk_at_collapse, clearly_below_by_1e_9, says_clearly_below, almost_half(-1e-9));
MISCONCEPTION(dk_at_collapse, clearly_below_by_1e_12, says_clearly_below, almost_half(-1e-12));

MISCONCEPTION(dk_at_collapse, one_nat,
              "this compares with 1 nat. What counts is half of the curve's own first entropy, "
              "which depends on how many keys there are.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= 1;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_last,
              "this compares with half of the curve's last entropy. It is half of the first that "
              "counts.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= curve.entropies(curve.entropies.size() - 1) / 2;
              }));

MISCONCEPTION(dk_at_collapse, below_the_first,
              "this finds the first entropy below the curve's first. Half of that is what it has "
              "to fall to.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) < curve.entropies(0);
              }));

MISCONCEPTION(dk_at_collapse, last_point_left_out,
              "the search ends one point early: the last of the curve is never looked at. A loop "
              "runs while i < curve.d_ks.size().",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return i + 1 < curve.d_ks.size() && at_most_half(curve, i);
              }));

MISCONCEPTION(dk_at_collapse, points_beyond_64_left_out,
              "the search ends after 64 points. A curve may have any number of them.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return i < 64 && at_most_half(curve, i);
              }));

MISCONCEPTION(dk_at_collapse, searched_as_if_sorted,
              "a binary search (std::lower_bound, std::partition_point) takes the entropies to "
              "fall from each to the next. A curve may rise again: look from the beginning.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  const auto at = std::lower_bound(curve.entropies.begin(), curve.entropies.end(),
                                                   curve.entropies(0) / 2, std::greater<double>());
                  const auto i = static_cast<std::size_t>(at - curve.entropies.begin());
                  return i < curve.d_ks.size() ? curve.d_ks[i] : 0;
              });

MISCONCEPTION(dk_at_collapse, lowest_of_the_curve,
              "this is the d_k with the smallest entropy of all. The first that is at or below "
              "half is asked for.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  const auto lowest =
                      std::min_element(curve.entropies.begin(), curve.entropies.end());
                  const auto i = static_cast<std::size_t>(lowest - curve.entropies.begin());
                  return at_most_half(curve, i) ? curve.d_ks[i] : 0;
              });

MISCONCEPTION(dk_at_collapse, closest_to_half,
              "this is the d_k whose entropy is closest to half, above or below. The first that is "
              "at or below half is asked for, and 0 if there is none.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  const auto off = [&](std::size_t i) {
                      return std::abs(curve.entropies(i) - curve.entropies(0) / 2);
                  };
                  std::size_t best = 0;
                  for (std::size_t i = 1; i < curve.d_ks.size(); ++i) {
                      best = off(i) < off(best) ? i : best;
                  }
                  return curve.d_ks[best];
              });

MISCONCEPTION(dk_at_collapse, place_of_the_collapse,
              "this is the place of the point in the curve, counted from 1, not its d_k: return "
              "curve.d_ks[i].",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return i < curve.d_ks.size() ? i + 1 : 0;
              });

/// Right where there is a collapse; that instead of 0 where there is none.
auto without_collapse(std::function<std::size_t(const EntropyCurve& curve)> none) {
    return [=](const EntropyCurve& curve) -> std::size_t {
        const std::size_t i = find(curve, at_most_half);
        return i < curve.d_ks.size() ? curve.d_ks[i] : none(curve);
    };
}

constexpr const char* says_without_collapse =
    "where the entropy never falls to half, something else than 0 is returned. Nothing collapsed "
    "there; the answer is 0.";

MISCONCEPTION(dk_at_collapse, minus_1_without_collapse,
              "where the entropy never falls to half, −1 is returned, which a std::size_t cannot "
              "hold: it becomes 18446744073709551615. Nothing collapsed there; the answer is 0.",
              without_collapse([](const EntropyCurve&) { return static_cast<std::size_t>(-1); }));
MISCONCEPTION(dk_at_collapse, first_without_collapse, says_without_collapse,
              without_collapse([](const EntropyCurve& curve) { return curve.d_ks.front(); }));
MISCONCEPTION(dk_at_collapse, size_without_collapse, says_without_collapse,
              without_collapse([](const EntropyCurve& curve) { return curve.d_ks.size(); }));

MISCONCEPTION(dk_at_collapse, always_the_first,
              "this is always the first d_k of the curve: its entropy is at least half (>= for "
              "<=), and at most the whole (where the half is forgotten). Half of it is what an "
              "entropy has to fall to, or below.",
              first_where([](const EntropyCurve&, std::size_t) { return true; }));

MISCONCEPTION(dk_at_collapse, exactly_half,
              "an entropy that equals half is looked for (==). A curve of doubles jumps past it: "
              "the first that is at or below half counts.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) == curve.entropies(0) / 2;
              }));

MISCONCEPTION(dk_at_collapse, smallest_dk_at_most_half,
              "of the d_ks at or below half this is the smallest. The first in the order of the "
              "curve is asked for.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  std::size_t found = 0;
                  for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
                      if (at_most_half(curve, i) && (found == 0 || curve.d_ks[i] < found)) {
                          found = curve.d_ks[i];
                      }
                  }
                  return found;
              });

MISCONCEPTION(dk_at_collapse, largest_dk_at_most_half,
              "of the d_ks at or below half this is the largest. The first in the order of the "
              "curve is asked for.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  std::size_t found = 0;
                  for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
                      found = at_most_half(curve, i) ? std::max(found, curve.d_ks[i]) : found;
                  }
                  return found;
              });

MISCONCEPTION(dk_at_collapse, never,
              "this says that no curve collapses. (Written 1/2 · …, the half is computed in whole "
              "numbers, and 1/2 is 0; and a return inside the loop ends it at the first point.)",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  return 0;
              });

MISCONCEPTION(dk_at_collapse, half_in_whole_numbers_here,
              "half of the first entropy is kept in a whole number and loses its fraction. It is a "
              "double, as the entropies are.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= std::floor(curve.entropies(0) / 2);
              }));

MISCONCEPTION(dk_at_collapse, one_after_the_collapse,
              "this is the d_k after the first that is at or below half: the index is one too "
              "large.",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half) + 1;
                  return i < curve.d_ks.size() ? curve.d_ks[i] : 0;
              });

MISCONCEPTION(dk_at_collapse, entropy_in_place_of_dk,
              "this is the entropy at the collapse, without its fraction. The d_k at the same "
              "index is asked for, curve.d_ks[i].",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return i < curve.d_ks.size() ? static_cast<std::size_t>(curve.entropies(i)) : 0;
              });

MISCONCEPTION(dk_at_collapse, half_way_to_the_lowest,
              "the threshold lies half way between the largest and the smallest entropy of the "
              "curve. It is half of the first entropy, however far the curve falls.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  const auto [low, high] =
                      std::minmax_element(curve.entropies.begin(), curve.entropies.end());
                  return curve.entropies(i) <= (*low + *high) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_mean,
              "this compares with half of the mean entropy. It is half of the first that counts.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <=
                         total(curve.entropies) / static_cast<double>(curve.entropies.size()) / 2;
              }));

MISCONCEPTION(dk_at_collapse, compared_by_dk,
              "it is the d_k that is compared with half, not the entropy at the same index.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return static_cast<double>(curve.d_ks[i]) <= curve.entropies(0) / 2;
              }));

} // namespace
