// Wrong versions of 11.4 that take a logarithm of 0, a character that was certain, for none, or a
// size for a number with a sign.

#include "wrong_measures.hpp"

namespace misconceptions_certain {

using namespace wrong;

namespace {

/// The mean surprise, in nats, made something else by `unit`.
template <class Mean, class Unit>
auto measured(const char* function, Mean surprise, Unit unit) {
    return [=](const Vector& logs) -> double {
        lesson::require_any(function, logs);
        return unit(surprise(logs));
    };
}

double of_the_others(const Vector& logs) {
    const auto certain = std::count(logs.begin(), logs.end(), 0.0);
    const double others = count(logs) - static_cast<double>(certain);
    return -sum(logs) / others; // 0 / 0 where there are none
}

double of_the_others_if_any(const Vector& logs) {
    const double nats = of_the_others(logs);
    return std::isnan(nats) ? 0 : nats;
}

double until_a_certain_one(const Vector& logs) {
    const auto end = std::find(logs.begin(), logs.end(), 0.0);
    return -std::accumulate(logs.begin(), end, 0.0) / count(logs);
}

double to_perplexity(double nats) {
    return std::exp(nats);
}
double to_bits(double nats) {
    return nats / ln_2;
}

constexpr const char* certain_ones_not_counted =
    "characters that were certain, of a logarithm of 0, are not counted. They surprise nobody, and "
    "the mean is over all.";
MISCONCEPTION(perplexity, certain_ones_left_out, certain_ones_not_counted,
              measured("perplexity", of_the_others_if_any, to_perplexity));
MISCONCEPTION(bits_per_character, certain_ones_left_out_of_the_bits, certain_ones_not_counted,
              measured("bits_per_character", of_the_others_if_any, to_bits));

constexpr const char* undefined_without_others =
    "characters that were certain, of a logarithm of 0, are not counted, and where all were, 0 / 0 "
    "is NaN. They surprise nobody, and the mean is over all.";
MISCONCEPTION(perplexity, undefined_where_all_are_certain, undefined_without_others,
              measured("perplexity", of_the_others, to_perplexity));
MISCONCEPTION(bits_per_character, bits_undefined_where_all_are_certain, undefined_without_others,
              measured("bits_per_character", of_the_others, to_bits));

constexpr const char* certain_one_ends_it =
    "the sum ends at a character that was certain, of a logarithm of 0: break where continue is "
    "meant, or nothing.";
MISCONCEPTION(perplexity, ends_at_a_certain_one, certain_one_ends_it,
              measured("perplexity", until_a_certain_one, to_perplexity));
MISCONCEPTION(bits_per_character, bits_end_at_a_certain_one, certain_one_ends_it,
              measured("bits_per_character", until_a_certain_one, to_bits));

/// What size() is with a minus before it: 2⁶⁴ − n.
double by_minus_an_unsigned(const Vector& logs) {
    return sum(logs) / static_cast<double>(-logs.size());
}

constexpr const char* minus_an_unsigned =
    "the sum is divided by minus size(). size() has no sign, and -size() is 2⁶⁴ − n, some 1.8e19: "
    "what comes out is next to 0. Put the minus before the sum, or convert the size to double "
    "first.";
MISCONCEPTION(perplexity, minus_of_an_unsigned, minus_an_unsigned,
              measured("perplexity", by_minus_an_unsigned, to_perplexity));
MISCONCEPTION(bits_per_character, minus_of_an_unsigned_in_bits, minus_an_unsigned,
              measured("bits_per_character", by_minus_an_unsigned, to_bits));

} // namespace

} // namespace misconceptions_certain
