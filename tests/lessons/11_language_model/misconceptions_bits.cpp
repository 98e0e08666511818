// Wrong versions of bits_per_character in 11.4; see misconceptions.cpp for what becomes of them.

#include "wrong_measures.hpp"

using namespace wrong;

namespace {

/// The check first, as in the stub.
template <class Measure>
auto bits_by(Measure measure) {
    return [=](const Vector& logs) -> double {
        lesson::require_any("bits_per_character", logs);
        return measure(logs);
    };
}

// ---- 11.4 bits_per_character

MISCONCEPTION(bits_per_character, left_in_nats,
              "this is the mean surprise in nats. One nat is 1/ln 2 = 1.44 bits.",
              bits_by([](const Vector& logs) { return -mean(logs); }));

MISCONCEPTION(bits_per_character, multiplied_by_ln_2,
              "the nats are multiplied by ln 2, which turns bits into nats. Bits are more than "
              "nats: divide by ln 2.",
              bits_by([](const Vector& logs) { return -mean(logs) * ln_2; }));

MISCONCEPTION(bits_per_character, divided_by_two, "the nats are divided by 2, not by ln 2.",
              bits_by([](const Vector& logs) { return -mean(logs) / 2; }));

MISCONCEPTION(bits_per_character, divided_by_ln_10,
              "the nats are divided by ln 10: these are decimal digits. Bits come of ln 2.",
              bits_by([](const Vector& logs) { return -mean(logs) / std::log(10.0); }));

MISCONCEPTION(bits_per_character, bits_divided_by_one_less,
              "the sum is divided by n − 1, where there are more than one. A mean divides by n.",
              bits_by([](const Vector& logs) {
                  return -sum(logs) / std::max(1.0, count(logs) - 1) / ln_2;
              }));

MISCONCEPTION(bits_per_character, bits_by_the_perplexity,
              "right, but for texts that are very improbable: the bits are log2 of the perplexity, "
              "and that is infinite in a double from a mean surprise of 710 nats on. The bits are "
              "finite: divide the mean surprise by ln 2.",
              bits_by([](const Vector& logs) { return std::log2(std::exp(-mean(logs))); }));

constexpr const char* bits_median_text =
    "this is the median, the surprise in the middle. It is the mean, to which the rare and very "
    "surprising characters belong as they are.";
constexpr const char* bits_moving_text =
    "the mean is moved by a fixed share towards each character, as by mean = (mean + x) / 2: the "
    "last ones count most. Each counts alike: add all up, and divide by n.";
MISCONCEPTION(bits_per_character, bits_median, bits_median_text,
              bits_by([](const Vector& logs) { return -median(logs, Middle::lower) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_upper_median, bits_median_text,
              bits_by([](const Vector& logs) { return -median(logs, Middle::upper) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_mean_of_the_middle_two, bits_median_text,
              bits_by([](const Vector& logs) { return -median(logs, Middle::between) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_mean_of_the_halves_means,
              "the mean is that of the means of two halves, and of theirs in turn. Where a half is "
              "longer than the other, its characters count less: add all up, and divide by n.",
              bits_by([](const Vector& logs) {
                  return -mean_of_halves(logs.data(), logs.size()) / ln_2;
              }));

MISCONCEPTION(bits_per_character, bits_moving_by_halves, bits_moving_text,
              bits_by([](const Vector& logs) { return -moving_mean(logs, 0.5) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_moving_by_tenths, bits_moving_text,
              bits_by([](const Vector& logs) { return -moving_mean(logs, 0.1) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_moving_by_hundredths, bits_moving_text,
              bits_by([](const Vector& logs) { return -moving_mean(logs, 0.01) / ln_2; }));

MISCONCEPTION(bits_per_character, negative,
              "the sign is missing: what is improbable takes many bits, and a number of bits is "
              "not negative.",
              bits_by([](const Vector& logs) { return mean(logs) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_of_the_text,
              "these are the bits of the whole text. Divide by the number of characters.",
              bits_by([](const Vector& logs) { return -sum(logs) / ln_2; }));

MISCONCEPTION(bits_per_character, logarithm_of_the_mean,
              "the logarithm is taken of the mean probability. The mean is taken of the "
              "logarithms: each character is coded by itself.",
              bits_by([](const Vector& logs) { return -std::log2(mean_of(logs, probability)); }));

MISCONCEPTION(bits_per_character, logarithm_of_the_mean_inverse,
              "the logarithm is taken of the mean of 1/p. The mean is taken of the logarithms.",
              bits_by([](const Vector& logs) {
                  return std::log2(mean_of(logs, [](double log) { return std::exp(-log); }));
              }));

MISCONCEPTION(bits_per_character, taken_for_probabilities_in_bits,
              "the numbers are taken for probabilities, and log2 is taken of something negative: "
              "NaN. They are logarithms already; dividing by ln 2 changes their base.",
              bits_by([](const Vector& logs) {
                  return -mean_of(logs, [](double log) { return std::log2(log); });
              }));

MISCONCEPTION(bits_per_character, logarithm_of_the_surprise,
              "log2 is taken of the mean surprise, which is a logarithm already. Divide by ln 2.",
              bits_by([](const Vector& logs) { return std::log2(-mean(logs)); }));

MISCONCEPTION(bits_per_character, perplexity_in_place_of_bits,
              "this is the perplexity. The bits are its logarithm to the base 2.",
              bits_by([](const Vector& logs) { return std::exp(-mean(logs)); }));

MISCONCEPTION(bits_per_character, base_changed_twice,
              "the base is changed twice, or the wrong way round: log2(e) stands where ln 2 "
              "divides. Divide the nats by ln 2 once.",
              bits_by([](const Vector& logs) { return -mean(logs) / ln_2 / ln_2; }));

MISCONCEPTION(bits_per_character, bytes,
              "the bits are divided by 8. These would be bytes; the question is bits for each "
              "character.",
              bits_by([](const Vector& logs) { return -mean(logs) / ln_2 / 8; }));

MISCONCEPTION(bits_per_character, eight_bits_a_character,
              "the bits are divided by log2 of an alphabet, or multiplied with 8, as if a "
              "character stood for a byte. The mean surprise in bits is all.",
              bits_by([](const Vector& logs) { return -mean(logs) / ln_2 * 8; }));

MISCONCEPTION(bits_per_character, weighed_with_the_probability,
              "each surprise is weighed with its own probability, as in an entropy. Each character "
              "of the text counts alike.",
              bits_by([](const Vector& logs) {
                  return -mean_of(logs, [](double log) {
                      return log > -1e300 ? std::exp(log) * log : 0;
                  }) / ln_2;
              }));

MISCONCEPTION(bits_per_character, entropy_in_bits,
              "this is −Σ p log2 p, the entropy of a distribution. The numbers are of different "
              "characters of a text, and sum to nothing: take their plain mean.",
              bits_by([](const Vector& logs) {
                  double entropy = 0;
                  for (const double log : logs) {
                      entropy -= log > -1e300 ? std::exp(log) * log : 0;
                  }
                  return entropy / ln_2;
              }));

MISCONCEPTION(bits_per_character, one_character_less,
              "the sum is divided by n − 1, as for a variance. It is a plain mean: by n.",
              bits_by([](const Vector& logs) { return -sum(logs) / (count(logs) - 1) / ln_2; }));

MISCONCEPTION(bits_per_character, one_character_more,
              "the sum is divided by n + 1. It is a plain mean: by n.",
              bits_by([](const Vector& logs) { return -sum(logs) / (count(logs) + 1) / ln_2; }));

MISCONCEPTION(bits_per_character, without_the_first,
              "the first character is left out of the sum, though not of the count. The index "
              "begins at 0.",
              bits_by([](const Vector& logs) {
                  return -(sum(logs) - logs(0)) / count(logs) / ln_2;
              }));

MISCONCEPTION(bits_per_character, without_the_last,
              "the last character is left out of the sum, though not of the count.",
              bits_by([](const Vector& logs) {
                  return -(sum(logs) - logs(logs.size() - 1)) / count(logs) / ln_2;
              }));

MISCONCEPTION(bits_per_character, only_the_last,
              "only the last character counts: each overwrites the one before. Add them up (+=).",
              bits_by([](const Vector& logs) { return -logs(logs.size() - 1) / ln_2; }));

MISCONCEPTION(bits_per_character, only_the_first,
              "only the first character counts. Does the loop return too early?",
              bits_by([](const Vector& logs) { return -logs(0) / ln_2; }));

MISCONCEPTION(bits_per_character, whole_bits,
              "the bits are rounded up to a whole number for each character. Coders share the "
              "fractions among many characters: the mean is taken of the fractions.",
              bits_by([](const Vector& logs) {
                  return mean_of(logs, [](double log) { return std::ceil(-log / ln_2 - 1e-12); });
              }));

MISCONCEPTION(bits_per_character, sum_in_whole_numbers,
              "the sum is kept in whole numbers, as by auto sum = 0 or std::accumulate(…, 0), "
              "which drops the fraction at every step. Let it be a double, and begin with 0.0.",
              bits_by([](const Vector& logs) {
                  double total = 0;
                  for (const double log : logs) {
                      total = std::trunc(total + log);
                  }
                  return -total / count(logs) / ln_2;
              }));

MISCONCEPTION(bits_per_character, by_the_product,
              "right for short texts: of long ones the product of all probabilities is 0 in "
              "double, and its logarithm infinite. Add the logarithms.",
              bits_by([](const Vector& logs) { return -std::log2(product(logs)) / count(logs); }));

MISCONCEPTION(bits_per_character, by_way_of_the_probabilities,
              "right, but for very improbable characters: exp of −800 is 0 in double, and its "
              "logarithm −∞. The logarithms are there already; divide them by ln 2.",
              bits_by([](const Vector& logs) {
                  return -mean_of(logs, [](double log) { return std::log2(std::exp(log)); });
              }));

// Known by where it shows: the grader says how.
MISCONCEPTION(
    bits_per_character, made_milder,
    "right, but for what is very improbable: a character that the model had given 0, or e^−800, is "
    "skipped or replaced, something small is added to the probability, or the mean or the result "
    "is cut at a bound, or where it is infinite. The logarithms are there already, so there is "
    "nothing to guard, and of a 0 no number of bits is enough.",
    bits_by([](const Vector& logs) {
        return -mean_of(logs, [](double log) { return std::max(log, std::log(1e-12)); }) / ln_2;
    }));

MISCONCEPTION(bits_per_character, ln_2_in_float,
              "the nats are divided by ln 2 in float, std::log(2.0F) or 0.693147F, which is right "
              "to 7 digits. std::log(2.0) is a double.",
              bits_by([](const Vector& logs) {
                  return -mean(logs) / static_cast<double>(std::log(2.0F));
              }));

MISCONCEPTION(bits_per_character, one_divided_in_whole_numbers_in_bits,
              "1 / n is a division of whole numbers, and 0 for every text of more than one "
              "character: write 1.0 / n.",
              bits_by([](const Vector& logs) { return logs.size() == 1 ? -logs(0) / ln_2 : 0.0; }));

MISCONCEPTION(bits_per_character, perplexity_by_ln_2,
              "the perplexity is divided by ln 2. Its logarithm is: the mean surprise in nats.",
              bits_by([](const Vector& logs) { return std::exp(-mean(logs)) / ln_2; }));

MISCONCEPTION(bits_per_character, bits_summed_in_float,
              "the sum is kept in a float, which has 7 digits, and of a long text fewer are right. "
              "Make it a double.",
              bits_by([](const Vector& logs) {
                  float surprise = 0;
                  for (const double log : logs) {
                      surprise -= static_cast<float>(log);
                  }
                  return static_cast<double>(surprise) / count(logs) / ln_2;
              }));

MISCONCEPTION(bits_per_character, bits_undefined_where_impossible,
              "a character that was given 0 makes NaN: somewhere in a running mean, or in a sum "
              "with a correction, ∞ − ∞ is taken. A plain sum is ∞ there, as it should be.",
              bits_by([](const Vector& logs) {
                  const bool impossible = std::any_of(logs.begin(), logs.end(),
                                                      [](double log) { return std::isinf(log); });
                  return impossible ? std::nan("") : -mean(logs) / ln_2;
              }));

} // namespace
