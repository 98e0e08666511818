// Wrong versions of 06.5: other thresholds, other orders, and what is counted.

#include "wrong.hpp"

using namespace wrong;

namespace {

void check(const EntropyCurve& curve) {
    if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
        throw std::invalid_argument("the curve must hold at least one d_k, and as many entropies");
    }
}

/// The d_k of the first point at or below a threshold.
template <class Threshold>
auto at_most(Threshold threshold) {
    return [=](const EntropyCurve& curve) -> std::size_t {
        check(curve);
        for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
            if (curve.entropies(i) <= threshold(curve, i)) {
                return curve.d_ks[i];
            }
        }
        return 0;
    };
}

auto share_of_the_first(double share) {
    return at_most(
        [=](const EntropyCurve& curve, std::size_t) { return share * curve.entropies(0); });
}

double half(const EntropyCurve& curve) {
    return curve.entropies(0) / 2;
}

constexpr const char* says_another_share =
    "the entropy is compared with another share of the first one. Half of it is asked for, "
    "curve.entropies(0) / 2.";

MISCONCEPTION(dk_at_collapse, tenth_of_the_first, says_another_share, share_of_the_first(0.1));
MISCONCEPTION(dk_at_collapse, quarter_of_the_first, says_another_share, share_of_the_first(0.25));
MISCONCEPTION(dk_at_collapse, share_of_1_over_e, says_another_share,
              share_of_the_first(std::exp(-1.0)));
MISCONCEPTION(dk_at_collapse, share_of_55_percent, says_another_share, share_of_the_first(0.55));
MISCONCEPTION(dk_at_collapse, share_of_51_percent, says_another_share, share_of_the_first(0.51));

MISCONCEPTION(dk_at_collapse, tolerance_of_1e_2,
              "an entropy a little above half is taken for half: there is a tolerance in the "
              "comparison. Numbers are compared as they are here, <=.",
              at_most([](const EntropyCurve& curve, std::size_t) { return half(curve) + 0.01; }));

MISCONCEPTION(dk_at_collapse, half_a_nat_below_the_first,
              "this finds the first entropy that is half a nat below the first. Half of the first "
              "entropy is what it has to fall to.",
              at_most([](const EntropyCurve& curve, std::size_t) {
                  return curve.entropies(0) - 0.5;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_maximum,
              "this compares with half of ln n, the entropy of even weights, or of some other "
              "number that is not in the curve. It is half of the curve's first entropy, however "
              "many points the curve has.",
              at_most([](const EntropyCurve& curve, std::size_t) {
                  return std::log(static_cast<double>(curve.d_ks.size())) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_second,
              "this compares with half of the curve's second entropy. The first has index 0.",
              at_most([](const EntropyCurve& curve, std::size_t) {
                  return curve.entropies(curve.d_ks.size() > 1 ? 1 : 0) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_first_dk,
              "this compares entropies with half of the first d_k. It is half of the first entropy "
              "that counts.",
              at_most([](const EntropyCurve& curve, std::size_t) {
                  return static_cast<double>(curve.d_ks[0]) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_in_float,
              "half of the first entropy is kept in a float, which rounds it: an entropy that is "
              "exactly half may lie above that, or one above half below it. Keep it in a double.",
              at_most([](const EntropyCurve& curve, std::size_t) {
                  return static_cast<double>(static_cast<float>(curve.entropies(0)) / 2);
              }));

MISCONCEPTION(dk_at_collapse, nearly_zero,
              "this compares with a number close to 0, or with 0. An entropy has collapsed when it "
              "is half of the curve's first, or less.",
              at_most([](const EntropyCurve&, std::size_t) { return 0.01; }));

/// The entropy at an index that is looked up by the d_k: that of the first d_k that is equal, or,
/// as in a map in which later ones replace earlier ones, of the last.
std::size_t index_by_dk(const EntropyCurve& curve, std::size_t i, bool of_the_last) {
    const auto& d_ks = curve.d_ks;
    const auto at = of_the_last ? std::find(d_ks.rbegin(), d_ks.rend(), d_ks[i]).base() - 1
                                : std::find(d_ks.begin(), d_ks.end(), d_ks[i]);
    return static_cast<std::size_t>(at - d_ks.begin());
}

auto looked_up_by_dk(bool of_the_last) {
    return [=](const EntropyCurve& curve) -> std::size_t {
        check(curve);
        for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
            if (curve.entropies(index_by_dk(curve, i, of_the_last)) <= half(curve)) {
                return curve.d_ks[i];
            }
        }
        return 0;
    };
}

constexpr const char* says_looked_up =
    "the entropy of a point is looked up by its d_k, by std::find or in a map. A d_k may come "
    "again, and then all points that have it get one entropy: d_ks[i] and entropies(i) belong "
    "together.";

MISCONCEPTION(dk_at_collapse, entropy_of_the_first_equal_dk, says_looked_up,
              looked_up_by_dk(false));
MISCONCEPTION(dk_at_collapse, entropy_of_the_last_equal_dk, says_looked_up, looked_up_by_dk(true));

MISCONCEPTION(dk_at_collapse, has_to_stay_below,
              "this finds the point from which on the entropy stays at or below half, up to the "
              "end of the curve. The first point counts, even if the curve rises again after it.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  std::size_t found = 0;
                  for (std::size_t i = curve.d_ks.size(); i-- > 0;) {
                      if (curve.entropies(i) > half(curve)) {
                          break;
                      }
                      found = curve.d_ks[i];
                  }
                  return found;
              });

MISCONCEPTION(dk_at_collapse, gives_up_at_a_rise,
              "the search gives up where the curve rises. It may rise before it falls: look at "
              "every point, up to the first at or below half.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
                      if (i > 0 && curve.entropies(i) > curve.entropies(i - 1)) {
                          break;
                      }
                      if (curve.entropies(i) <= half(curve)) {
                          return curve.d_ks[i];
                      }
                  }
                  return 0;
              });

MISCONCEPTION(dk_at_collapse, steepest_fall,
              "this is the d_k at which the entropy falls most from one point to the next. The "
              "first at or below half of the curve's first entropy is asked for.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  std::size_t found = 0;
                  double most = 0;
                  for (std::size_t i = 1; i < curve.d_ks.size(); ++i) {
                      const double fall = curve.entropies(i - 1) - curve.entropies(i);
                      if (fall > most) {
                          most = fall;
                          found = curve.d_ks[i];
                      }
                  }
                  return found;
              });

constexpr const char* says_interpolated =
    "this is a d_k between two points of the curve, where a line between their entropies passes "
    "half. One of the curve's own d_ks is asked for: the first whose entropy is at or below half.";

template <class Round>
auto interpolated(Round round) {
    return [=](const EntropyCurve& curve) -> std::size_t {
        check(curve);
        for (std::size_t i = 1; i < curve.d_ks.size(); ++i) {
            if (curve.entropies(i) <= half(curve)) {
                const double above = curve.entropies(i - 1);
                const double left = static_cast<double>(curve.d_ks[i - 1]);
                const double right = static_cast<double>(curve.d_ks[i]);
                const double part = (above - half(curve)) / (above - curve.entropies(i));
                return static_cast<std::size_t>(round(left + part * (right - left)));
            }
        }
        return 0;
    };
}

MISCONCEPTION(dk_at_collapse, interpolated_and_cut, says_interpolated,
              interpolated([](double d_k) { return std::floor(d_k); }));
MISCONCEPTION(dk_at_collapse, interpolated_and_rounded, says_interpolated,
              interpolated([](double d_k) { return std::round(d_k); }));
MISCONCEPTION(dk_at_collapse, interpolated_and_rounded_up, says_interpolated,
              interpolated([](double d_k) { return std::ceil(d_k); }));

MISCONCEPTION(dk_at_collapse, dks_sorted_alone,
              "the d_ks are sorted and the entropies are not, so that they no longer belong to "
              "each other. Take the curve in the order that it has.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  std::vector<std::size_t> sorted = curve.d_ks;
                  std::sort(sorted.begin(), sorted.end());
                  for (std::size_t i = 0; i < sorted.size(); ++i) {
                      if (curve.entropies(i) <= half(curve)) {
                          return sorted[i];
                      }
                  }
                  return 0;
              });

MISCONCEPTION(
    dk_at_collapse, curve_sorted_by_dk,
    "the curve is sorted by d_k first, and its first entropy is then that of the smallest "
    "d_k. Take the curve in the order that it has.",
    [](const EntropyCurve& curve) -> std::size_t {
        check(curve);
        std::vector<std::pair<std::size_t, double>> points;
        for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
            points.emplace_back(curve.d_ks[i], curve.entropies(i));
        }
        std::sort(points.begin(), points.end());
        for (const auto& [d_k, entropy] : points) {
            if (entropy <= points.front().second / 2) {
                return d_k;
            }
        }
        return 0;
    });

MISCONCEPTION(dk_at_collapse, points_above_counted,
              "this is how many entropies lie above half. The d_k of the first that does not is "
              "asked for.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  return static_cast<std::size_t>(
                      std::count_if(curve.entropies.begin(), curve.entropies.end(),
                                    [&](double entropy) { return entropy > half(curve); }));
              });

MISCONCEPTION(dk_at_collapse, points_below_counted,
              "this is how many entropies are at or below half. The d_k of the first of them is "
              "asked for.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  return static_cast<std::size_t>(
                      std::count_if(curve.entropies.begin(), curve.entropies.end(),
                                    [&](double entropy) { return entropy <= half(curve); }));
              });

MISCONCEPTION(dk_at_collapse, nearest_to_half,
              "this is the d_k whose entropy is nearest to half. The first one at or below half is "
              "asked for, however far below it is.",
              [](const EntropyCurve& curve) -> std::size_t {
                  check(curve);
                  std::size_t best = 0;
                  bool is_reached = false;
                  for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
                      const auto away = [&](std::size_t at) {
                          return std::abs(curve.entropies(at) - half(curve));
                      };
                      best = away(i) < away(best) ? i : best;
                      is_reached = is_reached || curve.entropies(i) <= half(curve);
                  }
                  return is_reached ? curve.d_ks[best] : 0;
              });

} // namespace
