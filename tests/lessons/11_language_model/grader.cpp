// 11.4; the rest of the lesson: grader_norm.cpp, grader_transformer.cpp, grader_cache.cpp,
// grader_kept.cpp, grader_sample.cpp.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace grader {

using judge::expect_close;
using lesson::Vector;

namespace {

constexpr judge::Tolerance ten_digits{1e-10, 1e-13};
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Natural logarithms of so many probabilities, all different.
Vector some(std::size_t n, std::uint64_t seed) {
    const Vector numbers = drawn::standard_normal(n, seed);
    Vector logs = Vector::from_shape({n});
    for (std::size_t i = 0; i < n; ++i) {
        logs(i) = -0.05 - numbers(i) * numbers(i);
    }
    return logs;
}

Vector repeated(double probability, std::size_t n) {
    return Vector(std::log(probability) * xt::ones<double>({n}));
}

// A guard against logarithms of 0 shows nowhere but where a character is next to impossible, and
// there it may give any number.
const bool registered = [] {
    const auto milder_than = [](double huge) {
        return [=](const std::vector<judge::Session::Answer>& answers) {
            bool shows = false;
            for (const judge::Session::Answer& answer : answers) {
                const bool is_right = !judge::compare(answer.actual, answer.expected, ten_digits);
                const double right = judge::from_value<double>(answer.expected);
                const double mine = judge::from_value<double>(answer.actual);
                if (!is_right && !(right > huge && std::isfinite(mine) && mine >= 0)) {
                    return false;
                }
                shows = shows || !is_right;
            }
            return shows;
        };
    };
    judge::session().recognise("perplexity", "improbable_made_milder", milder_than(1e50));
    judge::session().recognise("bits_per_character", "made_milder", milder_than(100));
    return true;
}();

void expect_perplexity(const Vector& logs) {
    expect_close(graded::perplexity(logs), plain::perplexity(logs), ten_digits);
}

void expect_bits(const Vector& logs) {
    expect_close(graded::bits_per_character(logs), plain::bits(logs), ten_digits);
}

const double ln_2 = std::log(2.0);

} // namespace

TEST_CASE("11.4 perplexity: probabilities 1/2 and 1/8 are as one of four, twice") {
    expect_close(graded::perplexity({-ln_2, -3 * ln_2}), 4.0, ten_digits);
}

TEST_CASE("11.4 perplexity: who guesses among 65 characters has 65, however long the text") {
    for (const std::size_t n : {1U, 2U, 7U, 100U}) {
        expect_close(graded::perplexity(repeated(1.0 / 65, n)), 65.0, ten_digits);
    }
}

TEST_CASE("11.4 perplexity: a single character") {
    expect_close(graded::perplexity({-ln_2 * 5}), 32.0, ten_digits);
    expect_close(graded::perplexity({std::log(0.7)}), 1 / 0.7, ten_digits);
}

TEST_CASE("11.4 perplexity: other texts") {
    for (const std::size_t n : {5U, 2U, 3U, 8U, 13U}) {
        expect_perplexity(some(n, n));
    }
}

TEST_CASE("11.4 perplexity: who knows what comes has 1") {
    expect_close(graded::perplexity({0, 0, 0}), 1.0, ten_digits);
}

TEST_CASE("11.4 perplexity: three characters, and one of them certain") {
    expect_perplexity({-1.5, -0.25, -2});
    expect_perplexity({-1.5, 0, -2, -0.5});
    expect_perplexity({0, -1.5, -2, -0.5});
    expect_perplexity({-1.5, -2, -0.5, 0});
}

TEST_CASE("11.4 perplexity: 67, 131 and 20,000 characters, whose product no double holds") {
    for (const std::size_t n : {67U, 131U, 20'000U}) {
        expect_perplexity(some(n, 20 + n));
    }
}

TEST_CASE("11.4 perplexity: a character that was given 0 makes it infinite, one of e^−800 not") {
    expect_close(graded::perplexity({-1, -infinity, -2}), infinity, ten_digits);
    expect_close(graded::perplexity({-800, -1, -2, -1}), std::exp(201.0), ten_digits);
}

TEST_CASE("11.4 perplexity: e^−800 and less for each character is more than a double holds") {
    expect_perplexity({-1.5, -0.25, -2}); // asked only of what is right on ordinary ones
    expect_close(graded::perplexity({-800, -900}), infinity, ten_digits);
    expect_close(graded::perplexity({-10'000, -9'000, -11'000}), infinity, ten_digits);
}

TEST_CASE("11.4 perplexity: surprises of 1e-12 and less beside others, and of 1e100") {
    expect_perplexity({-1.5, -0.25, -2}); // asked only of what is right on ordinary ones
    for (const double size : {1e-6, 1e-9, 1e-12, 1e-100}) {
        expect_perplexity({-size, -2 * size});
        expect_perplexity({-size, -1.5, -size});
    }
    expect_close(graded::perplexity({-1e100, -1e30, -0.5}), infinity, ten_digits);
    expect_perplexity({-700, -705}); // nearly all that a double holds
    expect_perplexity({-100, -0.5, -230});
}

TEST_CASE("11.4 perplexity: no characters are refused") {
    judge::expect_refused(graded::perplexity.attempt(Vector(xt::zeros<double>({0}))),
                          "a call without log-probabilities");
}

TEST_CASE("11.4 bits_per_character: probabilities 1/2 and 1/8 are 1 and 3 bits, 2 each") {
    expect_close(graded::bits_per_character({-ln_2, -3 * ln_2}), 2.0, ten_digits);
}

TEST_CASE("11.4 bits_per_character: who guesses among 64 characters needs 6 bits for each") {
    for (const std::size_t n : {1U, 2U, 7U, 100U}) {
        expect_close(graded::bits_per_character(repeated(1.0 / 64, n)), 6.0, ten_digits);
    }
}

TEST_CASE("11.4 bits_per_character: a single character") {
    expect_close(graded::bits_per_character({-ln_2 * 5}), 5.0, ten_digits);
    expect_close(graded::bits_per_character({std::log(0.7)}), -std::log2(0.7), ten_digits);
}

TEST_CASE("11.4 bits_per_character: other texts") {
    for (const std::size_t n : {5U, 2U, 3U, 8U, 13U}) {
        expect_bits(some(n, 40 + n));
    }
}

TEST_CASE("11.4 bits_per_character: who knows what comes needs none") {
    expect_close(graded::bits_per_character({0, 0, 0}), 0.0, ten_digits);
}

TEST_CASE("11.4 bits_per_character: three characters, and one of them certain") {
    expect_bits({-1.5, -0.25, -2});
    expect_bits({-1.5, 0, -2, -0.5});
    expect_bits({0, -1.5, -2, -0.5});
    expect_bits({-1.5, -2, -0.5, 0});
}

TEST_CASE("11.4 bits_per_character: 67, 131 and 20,000 characters") {
    for (const std::size_t n : {67U, 131U, 20'000U}) {
        expect_bits(some(n, 60 + n));
    }
}

TEST_CASE(
    "11.4 bits_per_character: a character that was given 0 makes them infinite, one of e^−800 "
    "not") {
    expect_close(graded::bits_per_character({-1, -infinity, -2}), infinity, ten_digits);
    expect_close(graded::bits_per_character({-800, -1, -2, -1}), 201 / ln_2, ten_digits);
}

TEST_CASE("11.4 bits_per_character: e^−800 and less for each character is finite in bits") {
    expect_bits({-1.5, -0.25, -2}); // asked only of what is right on ordinary ones
    expect_bits({-800, -900});
    expect_bits({-720});
    expect_bits({-10'000, -9'000, -11'000});
}

// In a perplexity nothing is left of them: it is 1 and a little.
TEST_CASE("11.4 bits_per_character: surprises of 1e-12 and less, and of 1e100") {
    judge::session().suspect(
        {"small_surprises_lost",
         "right, but where all surprises are next to nothing, or very large: they are taken for 0, "
         "cut off at a bound, or lose their digits in a perplexity, which is then 1 and a little. "
         "The mean surprise divided by ln 2 is as exact as the numbers are."});
    expect_bits({-1.5, -0.25, -2}); // asked only of what is right on ordinary ones
    constexpr judge::Tolerance of_any_size{1e-10, 0};
    for (const double size : {1e-6, 1e-9, 1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100, 1e300}) {
        const Vector logs{-size, -2 * size, -0.25 * size};
        expect_close(graded::bits_per_character(logs), plain::bits(logs), of_any_size);
        expect_close(graded::bits_per_character({-size}), size / ln_2, of_any_size);
    }
}

TEST_CASE("11.4 bits_per_character: no characters are refused") {
    judge::expect_refused(graded::bits_per_character.attempt(Vector(xt::zeros<double>({0}))),
                          "a call without log-probabilities");
}

} // namespace grader
