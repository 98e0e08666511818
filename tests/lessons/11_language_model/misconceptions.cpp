// Wrong versions that people really write, of perplexity in 11.4; of bits_per_character:
// misconceptions_bits.cpp, of the other exercises: misconceptions_*.cpp. Each is put in the
// learner's place by the project's tests, and must fail and be named; its explanation is what a
// learner reads whose answers equal its own.

#include "wrong_measures.hpp"

using namespace wrong;

namespace {

/// The check first, as in the stub.
template <class Measure>
auto perplexity_by(Measure measure) {
    return [=](const Vector& logs) -> double {
        lesson::require_any("perplexity", logs);
        return measure(logs);
    };
}
// ---- 11.4 perplexity

MISCONCEPTION(perplexity, power_of_two,
              "this is 2 to the mean surprise, and the surprise is in nats. The logarithms are "
              "natural, so what undoes them is exp; 2 to the power of it belongs to bits.",
              perplexity_by([](const Vector& logs) { return std::pow(2.0, -mean(logs)); }));

MISCONCEPTION(perplexity, power_of_ten,
              "this is 10 to the mean surprise. The logarithms are natural: what undoes them is "
              "exp.",
              perplexity_by([](const Vector& logs) { return std::pow(10.0, -mean(logs)); }));

MISCONCEPTION(
    perplexity, sign_lost,
    "this is exp of the mean log-probability: the sign is missing. It is the geometric mean of the "
    "probabilities, at most 1; perplexity is one divided by it.",
    perplexity_by([](const Vector& logs) { return std::exp(mean(logs)); }));

MISCONCEPTION(perplexity, sum_in_place_of_the_mean,
              "the surprises are added up and not divided by how many there are. A longer text "
              "would have a larger perplexity, whatever the model.",
              perplexity_by([](const Vector& logs) { return std::exp(-sum(logs)); }));

MISCONCEPTION(perplexity, probability_of_the_text,
              "this is the probability of the whole text, the product of all: exp of the sum. "
              "Perplexity is exp of minus the mean.",
              perplexity_by([](const Vector& logs) { return std::exp(sum(logs)); }));

MISCONCEPTION(perplexity, mean_surprise_itself,
              "this is the mean surprise in nats, the loss that training prints. Perplexity is exp "
              "of it.",
              perplexity_by([](const Vector& logs) { return -mean(logs); }));

MISCONCEPTION(perplexity, mean_log_probability,
              "this is the mean log-probability. Perplexity is exp of minus that.",
              perplexity_by([](const Vector& logs) { return mean(logs); }));

MISCONCEPTION(
    perplexity, mean_of_inverse_probabilities,
    "each surprise goes through exp by itself, and then the mean is taken: the mean of 1/p. The "
    "mean comes first; a single rare character would outweigh all the rest.",
    perplexity_by([](const Vector& logs) {
        return mean_of(logs, [](double log) { return std::exp(-log); });
    }));

MISCONCEPTION(perplexity, inverse_of_the_mean_probability,
              "this is 1 divided by the mean of the probabilities. The mean is taken of the "
              "logarithms, so that a text's probability is the product of its characters'.",
              perplexity_by([](const Vector& logs) { return 1 / mean_of(logs, probability); }));

MISCONCEPTION(perplexity, exp_of_the_mean_probability,
              "the log-probabilities are turned into probabilities before the mean is taken. The "
              "mean is taken of the logarithms.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(mean_of(logs, probability));
              }));

MISCONCEPTION(perplexity, exp_of_minus_the_mean_probability,
              "this is exp of minus the mean probability. The mean is taken of the logarithms as "
              "they come.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-mean_of(logs, probability));
              }));

MISCONCEPTION(perplexity, taken_for_probabilities,
              "the numbers are taken for probabilities, and their logarithm is taken again: of "
              "something negative that is NaN. They are logarithms already.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-mean_of(logs, [](double log) { return std::log(log); }));
              }));

MISCONCEPTION(perplexity, logarithms_of_the_surprises,
              "the logarithm is taken once more, of minus each log-probability. They are "
              "logarithms already: take their mean as they come.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-mean_of(logs, [](double log) { return std::log(-log); }));
              }));

MISCONCEPTION(perplexity, minus_the_mean_probability,
              "this is minus the mean of the probabilities: exp is taken of each, before the mean. "
              "It is exp of minus the mean.",
              perplexity_by([](const Vector& logs) { return -mean_of(logs, probability); }));

MISCONCEPTION(perplexity, entropy_of_the_probabilities,
              "each surprise is weighed with its own probability, −Σ p ln p, as in an entropy. "
              "Here the text says how often what comes: each character counts once.",
              perplexity_by([](const Vector& logs) {
                  double entropy = 0;
                  for (const double log : logs) {
                      entropy -= log > -1e300 ? std::exp(log) * log : 0;
                  }
                  return std::exp(entropy);
              }));

MISCONCEPTION(perplexity, mean_of_p_log_p,
              "each surprise is weighed with its own probability before the mean is taken. Each "
              "character of the text counts alike.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-mean_of(
                      logs, [](double log) { return log > -1e300 ? std::exp(log) * log : 0; }));
              }));

MISCONCEPTION(perplexity, product_underflows,
              "right for short texts: of long ones the product of all probabilities is 0 in "
              "double, and one divided by it, or exp of the whole sum, infinite. Divide the sum of "
              "the logarithms by the number of characters first.",
              perplexity_by([](const Vector& logs) {
                  return std::pow(product(logs), -1 / count(logs));
              }));

MISCONCEPTION(perplexity, square_root,
              "the square root is taken, whatever the length of the text. The mean divides by the "
              "number of characters.",
              perplexity_by([](const Vector& logs) { return std::exp(-sum(logs) / 2); }));

MISCONCEPTION(perplexity, exp_of_the_sum_divided,
              "the division by the number of characters comes after exp. It belongs inside: exp of "
              "the mean.",
              perplexity_by([](const Vector& logs) { return std::exp(-sum(logs)) / count(logs); }));

MISCONCEPTION(perplexity, divided_by_one_less,
              "the sum is divided by n − 1, as for a variance. It is a plain mean: by n.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-sum(logs) / (count(logs) - 1));
              }));

MISCONCEPTION(perplexity, divided_by_one_less_of_several,
              "the sum is divided by n − 1, where there are more than one. The first character is "
              "predicted, too: a mean of n numbers divides by n.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-sum(logs) / std::max(1.0, count(logs) - 1));
              }));

constexpr const char* median_text =
    "this is the median, the surprise in the middle. It is the mean, to which the rare and very "
    "surprising characters belong as they are.";
constexpr const char* moving_text =
    "the mean is moved by a fixed share towards each character, as by mean = (mean + x) / 2: the "
    "last ones count most. Each counts alike: add all up, and divide by n.";
MISCONCEPTION(perplexity, median, median_text, perplexity_by([](const Vector& logs) {
                  return std::exp(-median(logs, Middle::lower));
              }));

MISCONCEPTION(perplexity, upper_median, median_text, perplexity_by([](const Vector& logs) {
                  return std::exp(-median(logs, Middle::upper));
              }));

MISCONCEPTION(perplexity, mean_of_the_middle_two, median_text,
              perplexity_by([](const Vector& logs) {
                  return std::exp(-median(logs, Middle::between));
              }));

MISCONCEPTION(perplexity, mean_of_the_halves_means,
              "the mean is that of the means of two halves, and of theirs in turn. Where a half is "
              "longer than the other, its characters count less: add all up, and divide by n.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-mean_of_halves(logs.data(), logs.size()));
              }));

MISCONCEPTION(perplexity, moving_by_halves, moving_text,
              perplexity_by([](const Vector& logs) { return std::exp(-moving_mean(logs, 0.5)); }));

MISCONCEPTION(perplexity, moving_by_tenths, moving_text,
              perplexity_by([](const Vector& logs) { return std::exp(-moving_mean(logs, 0.1)); }));

MISCONCEPTION(perplexity, moving_by_hundredths, moving_text,
              perplexity_by([](const Vector& logs) { return std::exp(-moving_mean(logs, 0.01)); }));

MISCONCEPTION(perplexity, divided_by_one_more,
              "the sum is divided by n + 1. It is a plain mean: by n.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-sum(logs) / (count(logs) + 1));
              }));

MISCONCEPTION(perplexity, first_left_out,
              "the first character is left out of the sum, though not of the count. The index "
              "begins at 0.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-(sum(logs) - logs(0)) / count(logs));
              }));

MISCONCEPTION(perplexity, last_left_out,
              "the last character is left out of the sum, though not of the count.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-(sum(logs) - logs(logs.size() - 1)) / count(logs));
              }));

MISCONCEPTION(perplexity, of_the_last_character,
              "only the last character counts: each overwrites the one before. Add them up (+=).",
              perplexity_by([](const Vector& logs) { return std::exp(-logs(logs.size() - 1)); }));

MISCONCEPTION(perplexity, of_the_first_character,
              "only the first character counts. Does the loop return too early?",
              perplexity_by([](const Vector& logs) { return std::exp(-logs(0)); }));

MISCONCEPTION(perplexity, of_the_worst_character,
              "only the most surprising character counts. All do, by their mean.",
              perplexity_by([](const Vector& logs) {
                  return std::exp(-*std::min_element(logs.begin(), logs.end()));
              }));

MISCONCEPTION(perplexity, in_whole_numbers,
              "the sum is kept in whole numbers, as by auto sum = 0 or std::accumulate(…, 0), "
              "which drops the fraction at every step. Let it be a double, and begin with 0.0.",
              perplexity_by([](const Vector& logs) {
                  double total = 0;
                  for (const double log : logs) {
                      total = std::trunc(total + log);
                  }
                  return std::exp(-total / count(logs));
              }));

MISCONCEPTION(perplexity, quotient_in_whole_numbers,
              "the mean is cut to a whole number before exp. Is a sum or a mean kept in an int?",
              perplexity_by([](const Vector& logs) { return std::exp(std::trunc(-mean(logs))); }));

// Known by where it shows: the grader says how.
MISCONCEPTION(
    perplexity, improbable_made_milder,
    "right, but for what is very improbable: a character that the model had given 0, or e^−800, is "
    "skipped or replaced, something small is added to the probability, or the mean or the result "
    "is cut at a bound, such as e^20, or where it is infinite. No logarithm is taken here, and exp "
    "gives ∞ by itself: there is nothing to guard, and of a 0 no perplexity is large enough but ∞.",
    perplexity_by([](const Vector& logs) {
        return std::exp(-mean_of(logs, [](double log) { return std::max(log, std::log(1e-12)); }));
    }));

MISCONCEPTION(perplexity, converted_to_bits_and_undone_by_exp,
              "the mean surprise is turned into bits, and exp taken of that. exp undoes nats; 2 to "
              "the power undoes bits.",
              perplexity_by([](const Vector& logs) { return std::exp(-mean(logs) / ln_2); }));

MISCONCEPTION(perplexity, bits_in_place_of_perplexity,
              "this is the mean surprise in bits. Perplexity is exp of the mean surprise in nats.",
              perplexity_by([](const Vector& logs) { return -mean(logs) / ln_2; }));

MISCONCEPTION(perplexity, one_divided_in_whole_numbers,
              "1 / n is a division of whole numbers, and 0 for every text of more than one "
              "character: write 1.0 / n. exp(0) is 1.",
              perplexity_by([](const Vector& logs) {
                  return logs.size() == 1 ? std::exp(-logs(0)) : 1.0;
              }));

MISCONCEPTION(perplexity, summed_in_float,
              "the sum is kept in a float, which has 7 digits, and of a long text fewer are right. "
              "Make it a double.",
              perplexity_by([](const Vector& logs) {
                  float surprise = 0;
                  for (const double log : logs) {
                      surprise -= static_cast<float>(log);
                  }
                  return std::exp(static_cast<double>(surprise) / count(logs));
              }));

MISCONCEPTION(perplexity, undefined_where_impossible,
              "a character that was given 0 makes NaN: somewhere in a running mean, or in a sum "
              "with a correction, ∞ − ∞ is taken. A plain sum is ∞ there, as it should be.",
              perplexity_by([](const Vector& logs) {
                  const bool impossible = std::any_of(logs.begin(), logs.end(),
                                                      [](double log) { return std::isinf(log); });
                  return impossible ? std::nan("") : std::exp(-mean(logs));
              }));

} // namespace
