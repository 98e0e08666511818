// 02.3 asked with many thousands of seeds, and with seeds that follow each other; the rest of the
// exercise: grader_moments.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "estimates.hpp"
#include "judge/limits.hpp"
#include "judge/text.hpp"

namespace grader_moments_seeds {

using judge::expect_that;
using judge::number_text;

namespace {

constexpr std::size_t follow = 301;   // seeds that follow each other
constexpr std::size_t of_each = 512;  // and the samples of each
constexpr std::size_t many = 1500;    // seeds of a call
constexpr std::size_t of_many = 80;   // and the samples of each
constexpr double n = double{of_many}; // the same

/// The mean squared distance of a mean from that of the next seed, as a part of what it is where
/// they have no samples in common.
double from_seed_to_seed(const std::vector<double>& means) {
    double sum = 0;
    for (std::size_t i = 1; i < means.size(); ++i) {
        sum += (means[i] - means[i - 1]) * (means[i] - means[i - 1]);
    }
    return sum / static_cast<double>(means.size() - 1) * of_each / 2;
}

/// Those that share many of their 512 samples are not: threads may have engines made from seed + 0,
/// seed + 1 and so on.
bool nearly_the_same(const std::vector<double>& means) {
    return from_seed_to_seed(means) < 0.01;
}

/// How many of them are not the same but for rounding.
std::size_t different(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    std::size_t count = 1;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        count += numbers[i] - numbers[i - 1] > 1e-12 ? 1 : 0;
    }
    return count;
}

/// What comes of the variances of products of two normal numbers, each estimated from 80: their
/// mean, and how far they stray from 1, both as parts of what they should be.
struct Tails {
    double mean;
    double spread;
};

/// by_less: whether the variances are divided by samples − 1.
Tails tails_of(std::vector<double> variances, bool by_less) {
    for (double& variance : variances) {
        variance *= by_less ? 1 : n / (n - 1);
    }
    // E[s⁴] = 9 for a product s of two normal numbers.
    return {mean_of(variances), spread_of(variances, 1) / (9 / n - (n - 3) / n / (n - 1))};
}

/// A part of this many standard errors, of so many thousands of estimates. One is off by 0.316, and
/// its squared distance by twice its mean.
struct Errors {
    double of_mean;
    double of_spread;
};
Errors errors_of(std::size_t seeds) {
    const double root = std::sqrt(static_cast<double>(seeds));
    return {0.317 / root, 2.0 / root};
}

/// Lower than chance has it; or higher, where a sum of squares may be so more easily.
bool is_off(const Tails& tails, std::size_t seeds, double by) {
    const Errors one = errors_of(seeds);
    return std::abs(tails.mean - 1) > by * one.of_mean || tails.spread < 1 - by * one.of_spread ||
           tails.spread > 1 + 1.3 * by * one.of_spread;
}

/// Of how many seeds something is asked, as a part of all: what makes threads anew for each seed is
/// right, and would take minutes.
enum class Part { all, quarter, none };
Part part_to_ask() {
    Part part = Part::none;
    for (int tries = 0; tries < 3; ++tries) {
        static_cast<void>(estimates_of(1, of_many, scattered(300, 21)));
        const auto taken = judge::session().calls().back().taken;
        if (taken < std::chrono::milliseconds(40)) {
            return Part::all;
        }
        part = taken < std::chrono::milliseconds(150) ? Part::quarter : part;
    }
    return part;
}

/// Estimates from two samples average to 1 where they are divided by one less, and to 1/2 where by
/// two.
bool divided_by_one_less() {
    return mean_of(estimates_of(1, 2, scattered(4000, 15)).variances) > 0.67;
}

/// A slow one that is right is not to end at the limit of all calls together.
bool leaves_time_for_the_last_call_again() {
    const auto& calls = judge::session().calls();
    auto spent = 2 * calls.back().taken;
    for (const judge::RecordedCall& call : calls) {
        spent += call.taken;
    }
    return spent < judge::default_limits().total;
}

/// Of as many calls as there is time for, one at least: all variances.
std::vector<double> variances_of_calls(std::size_t calls, std::uint64_t start) {
    std::vector<double> all;
    for (std::size_t i = 0; i < calls && (i == 0 || leaves_time_for_the_last_call_again()); ++i) {
        const Estimates more = estimates_of(1, of_many, scattered(many, start + i));
        all.insert(all.end(), more.variances.begin(), more.variances.end());
    }
    return all;
}

/// Of the calls with so many seeds: all variances.
std::vector<double> variances_of(const std::vector<judge::Session::Answer>& answers,
                                 judge::Value judge::Session::Answer::*which) {
    std::vector<double> all;
    for (const auto& answer : answers) {
        const auto estimates = judge::from_value<Estimates>(answer.*which);
        if (estimates.means.size() == many) {
            all.insert(all.end(), estimates.variances.begin(), estimates.variances.end());
        }
    }
    return all;
}

/// Beside right estimates of the same seeds, which one it is divided by makes no difference.
bool strays_less(const std::vector<judge::Session::Answer>& answers) {
    const auto actual = variances_of(answers, &judge::Session::Answer::actual);
    const auto right = variances_of(answers, &judge::Session::Answer::expected);
    const auto part = [](const std::vector<double>& variances) {
        const double mean = mean_of(variances);
        return spread_of(variances, mean) / mean / mean;
    };
    return actual.size() > 20 * many && part(actual) < 0.98 * part(right);
}

constexpr std::size_t of_few = 8; // samples of each seed, where a sum of products is asked of many

/// How the variances of 8 samples stray from seed to seed, as a part of how those of a sum of d_k
/// products do. E[s⁴] is 3 + 6/d_k of σ⁴; of a normal number, 3. Which one they are divided by
/// makes no difference.
double part_of_spread(std::size_t d_k, std::size_t seeds, std::uint64_t start) {
    const std::vector<double> variances =
        estimates_of(d_k, of_few, scattered(seeds, start)).variances;
    const double mean = mean_of(variances);
    const double fourth = 3 + 6 / static_cast<double>(d_k);
    const double right = (fourth - (of_few - 3.0) / (of_few - 1.0)) / of_few;
    return spread_of(variances, mean) / mean / mean / right;
}

/// The least part of what right estimates of many seeds stray by, of which the variances of a
/// learner's do.
double least_part_of_right(const std::vector<judge::Session::Answer>& answers) {
    const auto of = [](const judge::Value& value) {
        const auto variances = judge::from_value<Estimates>(value).variances;
        const double mean = mean_of(variances);
        return variances.size() < 4000 ? 1 : spread_of(variances, mean) / mean / mean;
    };
    double least = 1;
    for (const auto& answer : answers) {
        least = std::min(least, of(answer.actual) / of(answer.expected));
    }
    return least;
}

/// Beside estimates that stray as they should, those of normal numbers in their place: they give
/// 0.84 of it.
bool strays_as_normal_sums(const std::vector<judge::Session::Answer>& answers) {
    const double part = least_part_of_right(answers);
    return part > 0.7 && part < 0.95;
}

/// And the variances of single products, times d_k = 16: as products of 16 times as many samples.
bool strays_as_products_pooled(const std::vector<judge::Session::Answer>& answers) {
    const double part = least_part_of_right(answers);
    return part > 0.1 && part < 0.35;
}

bool shares_samples(const std::vector<judge::Session::Answer>& answers) {
    return std::any_of(answers.begin(), answers.end(), [](const auto& answer) {
        const auto means = judge::from_value<Estimates>(answer.actual).means;
        return means.size() == follow && nearly_the_same(means);
    });
}

bool seeds_become_one(const std::vector<judge::Session::Answer>& answers) {
    return std::any_of(answers.begin(), answers.end(), [](const auto& answer) {
        const auto variances = judge::from_value<Estimates>(answer.actual).variances;
        return variances.size() == follow && different(variances) + 2 < follow;
    });
}

const bool registered = [] {
    judge::session().recognise("dot_product_moments", "seeds_share_samples", shares_samples);
    judge::session().recognise("dot_product_moments", "seeds_become_one", seeds_become_one);
    judge::session().recognise("dot_product_moments", "nearly_normal", strays_less);
    judge::session().recognise("dot_product_moments", "normal_sums_of_many", strays_as_normal_sums);
    judge::session().recognise("dot_product_moments", "products_pooled", strays_as_products_pooled);
    return true;
}();

} // namespace

TEST_CASE("02.3 dot_product_moments: seeds that follow each other have samples of their own") {
    if (!judge::session().failures().empty()) {
        return; // what is wrong with one seed tells more
    }
    std::vector<std::uint64_t> seeds(follow);
    for (std::size_t i = 0; i < follow; ++i) {
        seeds[i] = judge::redrawn(1000) % 1'000'000 + i;
    }
    const Estimates estimates = graded::dot_product_moments(1, of_each, seeds);
    expect_that(estimates.means.size() == follow && estimates.variances.size() == follow,
                "each seed gives one estimate", "there are others");
    expect_that(!nearly_the_same(estimates.means),
                "with 301 seeds that follow each other, each mean of 512 samples comes of samples "
                "of its own",
                "each of yours is nearly that of the seed before: the mean squared distance is " +
                    number_text(from_seed_to_seed(estimates.means)) +
                    " times what it is between samples of their own");
    // Two seeds may be one to an engine: 0 and 1 to some.
    const std::size_t count = different(estimates.variances);
    expect_that(count + 2 >= follow, "301 seeds that follow each other give 301 estimates",
                "but for rounding, yours are " + std::to_string(count));
}

TEST_CASE("02.3 dot_product_moments: components are normal, the large ones too") {
    if (!judge::session().failures().empty()) {
        return; // the same
    }
    const Part part = part_to_ask();
    if (part == Part::none) {
        return;
    }
    const std::size_t calls = part == Part::all ? 10 : 2;
    // Asked twice, the second time of few: one right answer in ten is asked again. It is refused
    // once in more than a billion times.
    const bool by_less = divided_by_one_less();
    const std::vector<double> first = variances_of_calls(calls, 100);
    if (!is_off(tails_of(first, by_less), first.size(), 2)) {
        return;
    }
    const std::vector<double> variances = variances_of_calls(4 * calls, 200);
    const Tails tails = tails_of(variances, by_less);
    expect_that(!is_off(tails, variances.size(), 6),
                "for d_k = 1 and 80 samples, the variances of many seeds should average to 1 and "
                "stray as those of products of two normal numbers do",
                fmt::format("yours average to {:.3f}, and their mean squared distance from 1 is "
                            "{:.3f} times what it should be",
                            tails.mean, tails.spread));
}

TEST_CASE("02.3 dot_product_moments: a sum of 16 products is not quite normal") {
    if (!judge::session().failures().empty()) {
        return;
    }
    const Part part = part_to_ask();
    if (part == Part::none) {
        return;
    }
    const std::size_t seeds = part == Part::all ? 16000 : 4000;
    // In two steps, as above. A normal number in place of the sum gives 0.84.
    if (part_of_spread(16, seeds / 4, 300) > 0.96) {
        return;
    }
    const double spread = part_of_spread(16, seeds, 400);
    expect_that(spread > (part == Part::all ? 0.91 : 0.87),
                fmt::format("for d_k = 16 and 8 samples, the variances of {} seeds should stray as "
                            "those of sums of 16 products do",
                            seeds),
                fmt::format("their mean squared distance from their mean is {:.3f} times what it "
                            "should be",
                            spread));
}

} // namespace grader_moments_seeds
