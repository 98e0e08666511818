// Wrong versions of 06.4 and 06.5.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 06.4 predicted_entropy

/// Checks first, as the stub does.
auto predict(std::function<double(double ln_n, double variance)> nats) {
    return [=](std::size_t n_keys, double variance) -> double {
        if (n_keys == 0 || !(variance >= 0)) {
            throw std::invalid_argument("n_keys must be at least 1 and variance at least 0");
        }
        return nats(std::log(static_cast<double>(n_keys)), variance);
    };
}

MISCONCEPTION(
    predicted_entropy, not_frozen,
    "ln n − σ²/2 falls below 0 where the variance exceeds 2 ln n, and an entropy is never "
    "negative. From there on the softmax is frozen: the prediction is 0.",
    predict([](double ln_n, double v) { return ln_n - v / 2; }));

MISCONCEPTION(predicted_entropy, no_half, "this subtracts σ², not σ²/2.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n - v); }));

MISCONCEPTION(predicted_entropy, deviation_for_variance,
              "this subtracts σ/2. The variance is σ² already: no root is to be taken.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n - std::sqrt(v) / 2);
              }));

MISCONCEPTION(predicted_entropy, plus_half,
              "this adds σ²/2. Then scores that spread more would make attention more even than "
              "equal scores do, and ln n is the most there is.",
              predict([](double ln_n, double v) { return ln_n + v / 2; }));

MISCONCEPTION(predicted_entropy, logarithm_to_base_2,
              "the logarithm is to base 2: that is the number of bits, from which nats are "
              "subtracted. std::log is the natural one.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n / std::log(2.0) - v / 2);
              }));

MISCONCEPTION(predicted_entropy, variance_squared,
              "this subtracts half of the squared variance. What is asked for is σ²/2, and the "
              "parameter is σ² already.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n - v * v / 2); }));

MISCONCEPTION(predicted_entropy, frozen_too_early,
              "this is 0 from a variance of ln n on. ln n − σ²/2 reaches 0 only at 2 ln n.",
              predict([](double ln_n, double v) { return v < ln_n ? ln_n - v / 2 : 0; }));

MISCONCEPTION(predicted_entropy, logarithm_to_base_10,
              "the logarithm is to base 10. std::log is the natural one.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n / std::log(10.0) - v / 2);
              }));

MISCONCEPTION(predicted_entropy, all_of_it_halved,
              "all of it is halved, (ln n − σ²)/2. Only the variance is: ln n − σ²/2.",
              predict([](double ln_n, double v) { return std::max(0.0, (ln_n - v) / 2); }));

MISCONCEPTION(predicted_entropy, variance_left_out,
              "this is ln n whatever the variance. (Written 1/2 · σ², the half is computed in "
              "whole numbers, and 1/2 is 0; 0.5 is a half.)",
              predict([](double ln_n, double) { return ln_n; }));

MISCONCEPTION(predicted_entropy, variance_of_1,
              "this is ln n − ½ whatever the variance: right for scaled scores, whose variance is "
              "1. Unscaled ones have d_k.",
              predict([](double ln_n, double) { return std::max(0.0, ln_n - 0.5); }));

MISCONCEPTION(predicted_entropy, logarithm_forgotten,
              "this is n − σ²/2: the logarithm of n is missing.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, std::round(std::exp(ln_n)) - v / 2);
              }));

MISCONCEPTION(predicted_entropy, inside_the_logarithm,
              "σ²/2 is subtracted from n, inside the logarithm. It is ln(n) − σ²/2.",
              predict([](double ln_n, double v) {
                  const double inside = std::round(std::exp(ln_n)) - v / 2;
                  return inside > 1 ? std::log(inside) : 0;
              }));

MISCONCEPTION(predicted_entropy, sign_dropped,
              "beyond 2 ln n this rises again: the sign of ln n − σ²/2 is dropped (std::abs). "
              "There the softmax is frozen, and the prediction 0.",
              predict([](double ln_n, double v) { return std::abs(ln_n - v / 2); }));

MISCONCEPTION(predicted_entropy, minimum_for_maximum,
              "this is 0 at most: std::min where std::max belongs. The larger of ln n − σ²/2 and 0 "
              "is asked for.",
              predict([](double ln_n, double v) { return std::min(0.0, ln_n - v / 2); }));

MISCONCEPTION(predicted_entropy, variance_in_whole_numbers,
              "the variance loses its fraction before it is used: it is kept in a whole number. It "
              "is a double.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n - std::floor(v) / 2);
              }));

MISCONCEPTION(predicted_entropy, half_in_whole_numbers,
              "σ²/2 loses its fraction: it is computed in whole numbers. Divide a double.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n - std::floor(std::floor(v) / 2));
              }));

MISCONCEPTION(predicted_entropy, number_of_keys_left,
              "this is n e^(−σ²/2), how many keys have a score around σ². The entropy is the "
              "logarithm of that number.",
              predict([](double ln_n, double v) { return std::exp(ln_n - v / 2); }));

MISCONCEPTION(predicted_entropy, number_of_keys_at_least_1,
              "this is n e^(−σ²/2), but 1 at least: how many keys have a score around σ². The "
              "entropy is the logarithm of that number.",
              predict([](double ln_n, double v) { return std::exp(std::max(0.0, ln_n - v / 2)); }));

// ---- 06.5 dk_at_collapse

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

MISCONCEPTION(dk_at_collapse, at_least_half,
              "the comparison is the wrong way round: the first entropy that is at least half is "
              "looked for, and that is the very first.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) >= curve.entropies(0) / 2;
              }));

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
              "numbers, and 1/2 is 0; divide by 2.)",
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
