// 11.4 perplexity, bits_per_character

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_perplexity {

using namespace proof;

const double ln_2 = std::log(2.0);

long double mean_surprise(const Vector& log_probabilities) {
    return -std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0L) /
           static_cast<long double>(log_probabilities.size());
}
double right_perplexity(const Vector& log_probabilities) {
    return static_cast<double>(std::exp(mean_surprise(log_probabilities)));
}
double right_bits(const Vector& log_probabilities) {
    return static_cast<double>(mean_surprise(log_probabilities) / std::log(2.0L));
}

/// Logarithms of probabilities: none is above 0.
void not_above_0(judge::List& arguments) {
    domain::fill(
        arguments[0], [](auto, auto, double x) { return x > 0 ? -x : x; }, Kind::array);
}

Domain measure(const auto& function, auto right) {
    return Domain(function, right, {{"log_probabilities", Kind::array, "n"}}, in_double)
        .made_to_fit(not_above_0)
        .scaled({{"log_probabilities", ""}})
        .large("n", 20'000)
        .refuses_nothing();
}

const Domain perplexity = measure(graded::perplexity, right_perplexity);
const Domain bits = measure(graded::bits_per_character, right_bits);

TEST_CASE("11.4 perplexity: probabilities 1/2 and 1/8 give the same as 1/4 twice") {
    expect_close(graded::perplexity({-ln_2, -3 * ln_2}), 4.0, in_double);
}

TEST_CASE("11.4 perplexity: guessing among 65 characters gives 65, however long the text") {
    for (const std::size_t n : {1U, 7U, 100U}) {
        const Vector each = std::log(1.0 / 65) * xt::ones<double>({n});
        expect_close(graded::perplexity(each), 65.0, in_double);
    }
}

PROPERTIES("11.4 perplexity", perplexity)

TEST_CASE("11.4 perplexity: a character given 0 makes it infinite, one given e^−800 does not") {
    expect_close(graded::perplexity({-1, -infinity, -2}), infinity, in_double);
    expect_close(graded::perplexity({-800, -1, -2, -1}), std::exp(201.0), in_double);
}

TEST_CASE("11.4 perplexity: no log-probabilities throw std::invalid_argument") {
    expect_refused(graded::perplexity.attempt(Vector(xt::zeros<double>({0}))),
                   "a call without log-probabilities");
}

TEST_CASE("11.4 bits_per_character: probabilities 1/2 and 1/8 are 1 and 3 bits, 2 on average") {
    expect_close(graded::bits_per_character({-ln_2, -3 * ln_2}), 2.0, in_double);
}

PROPERTIES("11.4 bits_per_character", bits)

TEST_CASE("11.4 bits_per_character: a character given 0 makes them infinite, e^−800 does not") {
    expect_close(graded::bits_per_character({-1, -infinity, -2}), infinity, in_double);
    expect_close(graded::bits_per_character({-800, -1, -2, -1}), 201 / ln_2, in_double);
    expect_close(graded::bits_per_character({-800, -900}), 850 / ln_2, in_double);
}

TEST_CASE("11.4 bits_per_character: no log-probabilities throw std::invalid_argument") {
    expect_refused(graded::bits_per_character.attempt(Vector(xt::zeros<double>({0}))),
                   "a call without log-probabilities");
}

} // namespace of_perplexity
