// 02.3: what it returns is random, so it is compared by how far it may stray.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "estimates.hpp"
#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"

using judge::expect_that;
using judge::number_text;
using lesson::Moments;
using of_seeds::Estimates;

namespace {

constexpr std::size_t samples = 40'000;
constexpr std::size_t enough = 10'000; // to tell two estimates apart

const bool registered = [] {
    judge::session().compare_with("dot_product_moments", same_estimates);
    return true;
}();

Moments moments_of(std::size_t d_k, std::size_t n, std::uint64_t seed) {
    const Estimates one = estimates_of(d_k, n, {seed});
    return {one.means[0], one.variances[0]};
}

std::string between(double middle, double radius) {
    return "between " + number_text(middle - radius) + " and " + number_text(middle + radius);
}

/// A quantity that goes as c · d_k^p, told from its values at d_k = 1, 4 and 16.
struct Law {
    double scale;
    double power;
};

std::optional<Law> law_of(const std::vector<double>& at) {
    const double power =
        std::round(std::log(at[2] / at[0]) / std::log(16.0)); // NaN if of two signs
    const auto fits = [&](double number, double d_k) {
        return std::abs(number / (at[0] * std::pow(d_k, power)) - 1) < 0.2;
    };
    if (std::abs(at[0]) < 1e-6 || !fits(at[1], 4) || !fits(at[2], 16)) {
        return std::nullopt;
    }
    return Law{at[0], power};
}

std::string text(const Law& law) {
    return "about " + fmt::format("{:.2g}", law.scale) +
           (law.power == 0   ? " whatever d_k is"
            : law.power == 1 ? " times d_k"
                             : fmt::format(" times d_k to the power of {}", law.power));
}

/// How the estimates go with d_k, in a sentence: what wrong ones look like. Asked once, and before
/// the call that is judged.
const judge::Suspicion& law_of_the_moments() {
    static const judge::Suspicion found = [] {
        std::vector<double> means;
        std::vector<double> variances;
        for (const std::size_t d_k : {1U, 4U, 16U}) {
            const Moments m = moments_of(d_k, enough, 30 + d_k);
            means.push_back(m.mean);
            variances.push_back(m.variance);
        }
        const auto variance = law_of(variances);
        const bool no_mean = std::abs(means[0]) < 0.05 * std::sqrt(std::abs(variances[0])) &&
                             std::abs(means[2]) < 0.05 * std::sqrt(std::abs(variances[2]));
        const auto mean = no_mean ? std::nullopt : law_of(means);
        if (!variance || (!mean && !no_mean) ||
            (no_mean && variance->power == 1 && std::abs(variance->scale - 1) < 0.15)) {
            return judge::Suspicion{};
        }
        return judge::Suspicion{
            "looks_like_another_law",
            "tried with 1, 4 and 16 components, your mean is " + (mean ? text(*mean) : "about 0") +
                ", and your variance " + text(*variance) +
                ". They are 0 and d_k where every component has mean 0 and variance 1, is drawn by "
                "itself, and the dot product is the sum of d_k products, not divided by anything."};
    }();
    return found;
}

/// A mean that is off beside a right variance: as far as a sum strays, or less.
judge::Suspicion where_the_mean_is_off(const Moments& moments, double d, double n) {
    const bool variance_is_right = std::abs(moments.variance / d - 1) < 0.2;
    const double of_a_sum = std::abs(moments.mean) / std::sqrt(d * n);
    if (!variance_is_right || of_a_sum > 4) {
        return law_of_the_moments();
    }
    if (of_a_sum > 0.02) {
        return {"looks_like_a_sum_for_the_mean",
                "your variance is about right, and your mean is far off, though not farther than "
                "the sum of all samples may be. Is it divided by samples?"};
    }
    return {"looks_like_samples_that_share_numbers",
            "your variance is about right, and your mean strays farther than one of samples that "
            "have nothing to do with each other. Does each have its own 2 d_k numbers, none of "
            "which another has, too?"};
}

void has_the_moments_of_a_dot_product(std::size_t d_k, std::size_t n_samples, std::uint64_t seed) {
    const judge::Suspicion& law = law_of_the_moments();
    const Moments moments = moments_of(d_k, n_samples, seed);
    const double d = static_cast<double>(d_k);
    const double n = static_cast<double>(n_samples);
    const double mean_error = 4 * wider() * std::sqrt(d / n);
    expect_that(std::abs(moments.mean) <= mean_error,
                "the mean of q · k is 0, and its estimate from " + std::to_string(n_samples) +
                    " samples should lie " + between(0, mean_error),
                "yours is " + number_text(moments.mean) + " (with the variance " +
                    number_text(moments.variance) + ")",
                law.name.empty() ? where_the_mean_is_off(moments, d, n) : law);
    expect_that(moments.mean != 0,
                "the mean of " + std::to_string(n_samples) + " random numbers is never exactly 0",
                "yours is",
                {"looks_like_a_mean_of_0",
                 "the mean is exactly 0. Is it never set, kept in an integer, or multiplied by "
                 "1 / samples, which is 0 as a division of integers? Or do the samples cancel in "
                 "pairs, as those of q and -q do?"});
    const double variance_error = 4 * wider() * std::sqrt((2 + 6 / d) / n) * d;
    expect_that(std::abs(moments.variance - d) <= variance_error,
                "the variance of q · k is d_k = " + std::to_string(d_k) +
                    ", and its estimate from " + std::to_string(n_samples) +
                    " samples should lie " + between(d, variance_error),
                "yours is " + number_text(moments.variance), law);
}

/// An average over many estimates is within part of what it should be.
void expect_about(const std::string& what, double found, double wanted, double part,
                  const judge::Suspicion& suspicion = {}) {
    expect_that(std::abs(found - wanted) <= part * wider() * wanted,
                what + " should be about " + number_text(wanted),
                "of yours it is " + number_text(found), suspicion);
}

std::string text(const Moments& moments) {
    return "mean " + number_text(moments.mean) + " and variance " + number_text(moments.variance);
}

const judge::Suspicion part_of_the_seed{
    "part_of_the_seed",
    "different seeds give the same numbers: only a part of the seed arrives at the engine. Is it "
    "kept in a smaller type, its remainder taken, or a bit of it set?"};

const judge::Suspicion means_repeat{
    "looks_like_a_mean_cut_off",
    "different seeds give the same mean, though not the same variance: the mean takes few values, "
    "as it does where a sum is kept in an integer, which drops the fractions."};

const judge::Suspicion whole_numbers{
    "looks_like_whole_products",
    "every mean is a whole number divided by the number of samples: the dot products are whole "
    "numbers, as they are if components are +1 or −1, or cut to an integer. A component is a "
    "standard normal number, with a fraction."};

/// Means of whole numbers, which repeat whatever the seeds are.
bool of_whole_numbers(const Estimates& estimates, std::size_t n) {
    return std::all_of(estimates.means.begin(), estimates.means.end(), [&](double mean) {
        const double sum = mean * static_cast<double>(n);
        return std::abs(sum - std::round(sum)) < 1e-9;
    });
}

/// A mean that was cut to a whole number repeats, too, but not the variance beside it.
bool repeats_whole_estimates(const Estimates& estimates) {
    std::set<std::pair<double, double>> different;
    for (std::size_t i = 0; i < estimates.means.size(); ++i) {
        different.emplace(estimates.means[i], estimates.variances[i]);
    }
    return different.size() < estimates.means.size();
}

/// What it is put down to that whole estimates repeat.
judge::Suspicion why_they_repeat(const Estimates& estimates, std::size_t n) {
    const auto& means = estimates.means;
    const bool all_one = std::equal(means.begin() + 1, means.end(), means.begin());
    return !all_one && of_whole_numbers(estimates, n) ? whole_numbers : part_of_the_seed;
}

const judge::Suspicion off_with_few_samples{
    "looks_like_off_with_few_samples",
    "with many samples your moments are right, and with few they are not: something is off by "
    "about "
    "one sample, or by the square of the mean. Check what each sum is divided by, how often the "
    "loop "
    "runs, and that the variance is the mean of the squares minus the square of the mean."};

const judge::Suspicion samples_share_numbers{
    "looks_like_samples_that_share_numbers",
    "mean and variance are right, but where one sample is large, another tends to be large as "
    "well: something that was drawn for one is used for another, too, a query for two samples, or "
    "a key as the next query. Draw all of q and all of k anew for each sample."};

const judge::Suspicion drawn_to_fit{
    "looks_like_numbers_drawn_to_fit",
    "from seed to seed your estimates stray too little: the numbers are made to fit, and so depend "
    "on each other. Are they shifted or divided so that their mean is 0 and their variance 1, or "
    "drawn in pairs with the two signs? Draw each by itself, and take it as it comes."};

bool equal(const Moments& a, const Moments& b) {
    return a.mean == b.mean && a.variance == b.variance;
}

/// The seed as it is: 0 is to arrive as 0.
void expect_the_same_twice(std::uint64_t seed) {
    const auto ask = [&] {
        const Estimates one = graded::dot_product_moments(3, enough, {seed});
        expect_that(one.means.size() == 1 && one.variances.size() == 1,
                    "each seed gives one estimate", "there are others");
        return Moments{one.means[0], one.variances[0]};
    };
    const Moments first = ask();
    const Moments second = ask();
    expect_that(equal(first, second), "the same seed should give the same result",
                "one call gave " + text(first) + ", the next " + text(second),
                {"not_of_the_seed_alone",
                 "the numbers do not come of the seed alone. std::random_device, the clock and "
                 "std::rand are others every time, and an engine that is static or global goes on "
                 "where the call before stopped: make it in the function, from seed. A seed of 0 "
                 "is a seed like any other."});
}

void refuses(std::size_t d_k, std::size_t n, const std::string& what) {
    judge::expect_refused(graded::dot_product_moments.attempt(d_k, n, {1}), what);
}

} // namespace

TEST_CASE("02.3 dot_product_moments: with 4 components the mean is 0 and the variance 4") {
    has_the_moments_of_a_dot_product(4, samples, 1);
}

TEST_CASE("02.3 dot_product_moments: with 64 components the variance is 64") {
    has_the_moments_of_a_dot_product(64, samples, 2);
}

TEST_CASE("02.3 dot_product_moments: a single product of two standard normal numbers has variance "
          "1") {
    has_the_moments_of_a_dot_product(1, samples, 3);
}

TEST_CASE("02.3 dot_product_moments: with 300 components and a seed of 19 digits the variance is "
          "300") {
    has_the_moments_of_a_dot_product(300, 2'000, 9'000'000'000'000'000'019U);
}

TEST_CASE("02.3 dot_product_moments: with 5003 components the variance is 5003") {
    has_the_moments_of_a_dot_product(5003, 100, 4);
}

TEST_CASE("02.3 dot_product_moments: the same seed gives the same numbers") {
    expect_the_same_twice(5);
}

TEST_CASE("02.3 dot_product_moments: a seed of 0 gives the same numbers, too") {
    expect_the_same_twice(0);
}

TEST_CASE("02.3 dot_product_moments: another seed gives other numbers") {
    const Moments first = moments_of(3, enough, 6);
    const Moments second = moments_of(3, enough, 7);
    const Moments other = moments_of(3, enough, 1006);
    expect_that(!equal(first, second), "another seed should give other numbers",
                "two seeds both gave " + text(first),
                equal(first, other) ? judge::Suspicion{} : part_of_the_seed);
}

TEST_CASE("02.3 dot_product_moments: another number of samples gives another estimate") {
    const Moments first = moments_of(3, enough, 8);
    const Moments second = moments_of(3, enough + 1000, 8);
    expect_that(!equal(first, second), "more samples should change the estimate",
                "10000 and 11000 samples both gave " + text(first));
}

TEST_CASE("02.3 dot_product_moments: one seed gives other numbers for another d_k") {
    const Moments two = moments_of(2, enough, 17);
    const Moments three = moments_of(3, enough, 17);
    expect_that(!equal(two, three), "2 and 3 components should give other estimates",
                "both gave " + text(two));
}

// The radii below are four standard errors of the average over that many seeds.

TEST_CASE("02.3 dot_product_moments: from seed to seed the estimates stray as chance has it") {
    constexpr std::size_t n = 500;
    const Estimates estimates = estimates_of(1, n, scattered(400, 11));
    const std::set<double> different(estimates.means.begin(), estimates.means.end());
    expect_that(different.size() == estimates.means.size(), "400 seeds give 400 estimates",
                "yours are " + std::to_string(different.size()),
                repeats_whole_estimates(estimates) ? why_they_repeat(estimates, n) : means_repeat);
    expect_about("for d_k = 1 and 500 samples, the mean of the squared mean",
                 spread_of(estimates.means, 0), 1.0 / n, 0.28,
                 spread_of(estimates.means, 0) < 1.0 / n ? drawn_to_fit : judge::Suspicion{});
    // A product s of normal numbers has E[s⁴] − E[s²]² = 9 − 1; of one that is itself normal it is
    // 3 − 1, and 3.24 − 1 of components that are drawn evenly.
    const double spread = spread_of(estimates.variances, 1);
    expect_about("for d_k = 1 and 500 samples, the mean squared distance of the variance from 1",
                 spread, 8.0 / n, 0.34, spread > 8.0 / n ? samples_share_numbers : drawn_to_fit);
}

TEST_CASE("02.3 dot_product_moments: of two samples the variance is measured from their mean") {
    const Estimates estimates = estimates_of(3, 2, scattered(2000, 12));
    const std::set<double> different(estimates.means.begin(), estimates.means.end());
    // Of 2000 seeds two may share 31 bits, which is all that some engines take.
    expect_that(different.size() + 5 > estimates.means.size(), "2000 seeds give 2000 estimates",
                "yours are " + std::to_string(different.size()),
                repeats_whole_estimates(estimates) ? why_they_repeat(estimates, 2)
                                                   : judge::Suspicion{});
    const double lowest = *std::min_element(estimates.variances.begin(), estimates.variances.end());
    expect_that(lowest >= -1e-6, "a variance is never negative",
                "one of yours is " + number_text(lowest), off_with_few_samples);
    const double m = mean_of(estimates.means);
    expect_that(std::abs(m) <= 0.11 * wider(), "over 2000 seeds the means average to about 0",
                "yours average to " + number_text(m));
    expect_about("for d_k = 3 and 2 samples, the mean of the squared mean",
                 spread_of(estimates.means, 0), 1.5, 0.17, off_with_few_samples);
    const double v = mean_of(estimates.variances);
    expect_that(std::abs(v - 1.5) <= 0.155 * wider() * 1.5 ||
                    std::abs(v - 3) <= 0.155 * wider() * 3,
                "for d_k = 3 and 2 samples, the variances of 2000 seeds should average to about "
                "1.5 (divided by samples) or 3 (by samples - 1)",
                "yours average to " + number_text(v), off_with_few_samples);
    expect_that(below_squared_mean(estimates) > 0.1,
                "two numbers that lie close together have a small variance, far from 0 as well",
                "your variance is hardly ever less than the squared mean", off_with_few_samples);
}

TEST_CASE("02.3 dot_product_moments: of ten samples the variance is d_k, or 9/10 of it") {
    const Estimates estimates = estimates_of(3, 10, scattered(1000, 13));
    const double v = mean_of(estimates.variances) / 3;
    expect_that(v >= 0.9 * (1 - 0.085 * wider()) && v <= 1 + 0.085 * wider(),
                "for 10 samples, the variances of 1000 seeds should average to about 0.9 d_k "
                "(divided by samples) or d_k (by samples - 1)",
                "yours average to " + number_text(v) + " d_k", off_with_few_samples);
}

TEST_CASE("02.3 dot_product_moments: of two samples one says nothing about the other") {
    const Estimates estimates = estimates_of(1, 2, scattered(2000, 14));
    // Of two numbers a and b, a · b is the square of their mean minus their variance.
    const double part = mean_of(estimates.variances) > 0.75 ? 0.5 : 1;
    double product = 0;
    for (std::size_t i = 0; i < estimates.means.size(); ++i) {
        const double mean = estimates.means[i];
        product += std::abs(mean * mean - part * estimates.variances[i]);
    }
    // The mean of |q k| is 2/π, and of a product of two such that are independent its square.
    product /= static_cast<double>(estimates.means.size());
    const double expected = std::pow(2 / std::acos(-1.0), 2);
    expect_about("for d_k = 1, the mean of |sample 0 times sample 1| over 2000 seeds", product,
                 expected, 0.2, product > expected ? samples_share_numbers : judge::Suspicion{});
}

TEST_CASE("02.3 dot_product_moments: vectors without components are refused") {
    refuses(0, 10, "d_k = 0");
}

TEST_CASE("02.3 dot_product_moments: fewer than two samples are refused") {
    refuses(4, 0, "samples = 0");
    refuses(4, 1, "samples = 1 (one number has no variance)");
}
