// Wrong versions of 06.4.

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

MISCONCEPTION(predicted_entropy, frozen_at_a_whole_variance,
              "the variance at which this becomes 0 is 2 ln n without its fraction. It is no whole "
              "number: leave it a double, or ask whether ln n − σ²/2 is below 0.",
              predict([](double ln_n, double v) {
                  return v < std::floor(2 * ln_n) ? std::max(0.0, ln_n - v / 2) : 0;
              }));

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

MISCONCEPTION(
    predicted_entropy, variance_of_at_least_1,
    "a variance below 1 is raised to 1. Scores may vary less than those of our inputs do: "
    "it is ln n − σ²/2 there, too.",
    predict([](double ln_n, double v) { return std::max(0.0, ln_n - std::max(v, 1.0) / 2); }));

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

MISCONCEPTION(predicted_entropy, half_in_whole_numbers_before_the_end,
              "σ²/2 loses its fraction: it is computed in whole numbers. Divide a double.",
              predict([](double ln_n, double v) {
                  return v >= 2 * ln_n ? 0 : ln_n - std::floor(v / 2);
              }));

MISCONCEPTION(predicted_entropy, number_of_keys_left,
              "this is n e^(−σ²/2), how many keys have a score around σ². The entropy is the "
              "logarithm of that number.",
              predict([](double ln_n, double v) { return std::exp(ln_n - v / 2); }));

MISCONCEPTION(predicted_entropy, number_of_keys_at_least_1,
              "this is n e^(−σ²/2), but 1 at least: how many keys have a score around σ². The "
              "entropy is the logarithm of that number.",
              predict([](double ln_n, double v) { return std::exp(std::max(0.0, ln_n - v / 2)); }));

/// ln n of a number of keys close to n, at least 1.
double ln_of(double ln_n, double more) {
    return std::log(std::round(std::exp(ln_n)) + more);
}

MISCONCEPTION(predicted_entropy, one_key_too_few, "this is ln(n − 1) − σ²/2: there are n keys.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_of(ln_n, -1) - v / 2);
              }));

MISCONCEPTION(predicted_entropy, one_key_too_many,
              "this is ln(n + 1) − σ²/2: there are n keys. (std::log1p(n) is ln(1 + n).)",
              predict([](double ln_n, double v) { return std::max(0.0, ln_of(ln_n, 1) - v / 2); }));

MISCONCEPTION(predicted_entropy, a_quarter, "this subtracts σ²/4, not σ²/2.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n - v / 4); }));

MISCONCEPTION(predicted_entropy, twice_the_variance, "this subtracts 2 σ², not σ²/2.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n - 2 * v); }));

MISCONCEPTION(predicted_entropy, root_of_n_for_its_logarithm,
              "this is √n − σ²/2: it is the logarithm of n that is asked for.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, std::exp(ln_n / 2) - v / 2);
              }));

MISCONCEPTION(predicted_entropy, multiplied,
              "ln n is multiplied with 1 − σ²/2. It is a difference: ln n − σ²/2.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n * (1 - v / 2)); }));

MISCONCEPTION(predicted_entropy, at_most_1,
              "this is 1 at most. An entropy in nats goes up to ln n.",
              predict([](double ln_n, double v) { return std::clamp(ln_n - v / 2, 0.0, 1.0); }));

MISCONCEPTION(predicted_entropy, all_zero, "this is 0 whatever n and the variance are.",
              predict([](double, double) { return 0.0; }));

MISCONCEPTION(predicted_entropy, frozen_at_2n,
              "this is 0 from a variance of 2 n on, and negative before. ln n − σ²/2 reaches 0 at "
              "2 ln n.",
              predict([](double ln_n, double v) {
                  return v < 2 * std::round(std::exp(ln_n)) ? ln_n - v / 2 : 0;
              }));

/// Right before the softmax freezes; that instead of 0 from there on.
auto frozen_as(std::function<double(double ln_n)> frozen) {
    return predict(
        [=](double ln_n, double v) { return ln_n > v / 2 ? ln_n - v / 2 : frozen(ln_n); });
}

constexpr const char* says_frozen_as =
    "where ln n − σ²/2 is below 0, something else than 0 is returned. The softmax is frozen there: "
    "all weight is on one key, and the entropy is 0.";

MISCONCEPTION(predicted_entropy, frozen_as_nan, says_frozen_as,
              frozen_as([](double) { return std::numeric_limits<double>::quiet_NaN(); }));
MISCONCEPTION(predicted_entropy, frozen_as_minus_1, says_frozen_as,
              frozen_as([](double) { return -1; }));
MISCONCEPTION(predicted_entropy, frozen_as_ln_n, says_frozen_as,
              frozen_as([](double ln_n) { return ln_n; }));
MISCONCEPTION(predicted_entropy, frozen_as_half, says_frozen_as,
              frozen_as([](double ln_n) { return ln_n / 2; }));

MISCONCEPTION(predicted_entropy, keys_in_32_bits,
              "n_keys is turned into an int or unsigned, which cannot hold 5,000,000,000. Convert "
              "it to double at once.",
              [](std::size_t n_keys, double variance) -> double {
                  if (n_keys == 0 || !(variance >= 0)) {
                      throw std::invalid_argument("n_keys must be at least 1");
                  }
                  return std::max(
                      0.0, std::log(static_cast<double>(static_cast<std::uint32_t>(n_keys))) -
                               variance / 2);
              });

MISCONCEPTION(predicted_entropy, logarithm_in_whole_numbers,
              "ln n is cut to a whole number: an integer type holds it somewhere. Keep it in a "
              "double.",
              [](std::size_t n_keys, double variance) {
                  return std::max(0.0,
                                  std::floor(std::log(static_cast<double>(n_keys))) - variance / 2);
              });

MISCONCEPTION(predicted_entropy, logarithm_from_whole_bits,
              "the logarithm to base 2 is cut to a whole number on the way, as std::bit_width is: "
              "ln n comes out right for powers of two only. std::log takes any number.",
              predict([](double ln_n, double variance) {
                  const double ln_2 = std::log(2.0);
                  return std::max(0.0, ln_2 * std::floor(ln_n / ln_2 + 1e-9) - variance / 2);
              }));

MISCONCEPTION(predicted_entropy, logarithm_rounded,
              "ln n is rounded to a whole number. Keep it in a double.",
              [](std::size_t n_keys, double variance) {
                  return std::max(0.0,
                                  std::round(std::log(static_cast<double>(n_keys))) - variance / 2);
              });

} // namespace
