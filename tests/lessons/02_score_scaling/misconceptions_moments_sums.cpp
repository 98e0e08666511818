// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong_moments.hpp"

using namespace wrong;

namespace {

// ---- 02.3 dot_product_moments: what is made of the sums, and from how many samples

using S = std::size_t;
using Seed = std::uint64_t;

struct Sums {
    double dots;
    double squares;
    double n;
};

/// Moments from the sums that a right solution comes to.
template <class FromSums>
auto from_sums(FromSums from) {
    return [from](S d_k, S samples, Seed seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        const double n = static_cast<double>(samples);
        return from(Sums{m.mean * n, (m.variance + m.mean * m.mean) * n, n});
    };
}

/// Of how many samples the loop draws, and what their sums are divided by.
template <class Count>
auto with_samples(Count count) {
    return [count](S d_k, S samples, Seed seed) -> Moments {
        right(d_k, 2, seed);
        if (samples < 2) {
            right(d_k, samples, seed); // refuses
        }
        std::mt19937_64 engine(seed);
        Normal normal;
        const auto [drawn, terms, divisor] = count(d_k, samples);
        double sum = 0;
        double squares = 0;
        for (S sample = 0; sample < drawn; ++sample) {
            double dot = 0;
            for (S i = 0; i < terms; ++i) {
                const double q_i = normal(engine);
                dot += q_i * normal(engine);
            }
            sum += dot;
            squares += dot * dot;
        }
        const double mean = sum / divisor;
        return {mean, squares / divisor - mean * mean};
    };
}

struct Loop {
    S drawn;
    S terms; // of each dot product
    double divisor;
};

constexpr const char* says_mean_of_one_less =
    "the mean is the sum divided by samples - 1. Only the variance may be divided by that, as its "
    "distances are from a mean that was estimated; a mean is divided by samples.";

MOMENTS_MISCONCEPTION(mean_over_one_less, says_mean_of_one_less, from_sums([](const Sums& s) {
                          const double mean = s.dots / (s.n - 1);
                          return Moments{mean, s.squares / s.n - mean * mean};
                      }));
MOMENTS_MISCONCEPTION(both_over_one_less, says_mean_of_one_less, from_sums([](const Sums& s) {
                          const double mean = s.dots / (s.n - 1);
                          return Moments{mean, s.squares / (s.n - 1) - mean * mean};
                      }));
MOMENTS_MISCONCEPTION(
    distances_from_a_mean_over_one_less, says_mean_of_one_less, from_sums([](const Sums& s) {
        const double mean = s.dots / (s.n - 1);
        return Moments{mean, (s.squares - 2 * mean * s.dots + s.n * mean * mean) / (s.n - 1)};
    }));

MOMENTS_MISCONCEPTION(
    squares_over_one_less,
    "the squares are divided by samples - 1, and the square of the mean is subtracted from that. "
    "samples - 1 divides the sum of the squared distances: (squares - samples * mean²) / "
    "(samples - 1). Or divide the squares by samples.",
    from_sums([](const Sums& s) {
        const double mean = s.dots / s.n;
        return Moments{mean, s.squares / (s.n - 1) - mean * mean};
    }));

MOMENTS_MISCONCEPTION(over_one_more,
                      "the variance is divided by samples + 1. The mean of the squared distances "
                      "divides by samples (samples - 1 is right, too).",
                      from_sums([](const Sums& s) {
                          const double mean = s.dots / s.n;
                          return Moments{mean, (s.squares - s.n * mean * mean) / (s.n + 1)};
                      }));

MOMENTS_MISCONCEPTION(squared_mean_divided_as_well,
                      "the square of the mean is subtracted from the sum of the squares, and both "
                      "divided by samples. The mean is divided already: divide the squares alone, "
                      "then subtract.",
                      from_sums([](const Sums& s) {
                          const double mean = s.dots / s.n;
                          return Moments{mean, (s.squares - mean * mean) / s.n};
                      }));

MOMENTS_MISCONCEPTION(square_of_the_sum_divided_once,
                      "the square of the sum is divided by samples once, sum² / samples, where the "
                      "square of the mean is subtracted: the mean is sum / samples, so both "
                      "factors are divided.",
                      from_sums([](const Sums& s) {
                          return Moments{s.dots / s.n, s.squares / s.n - s.dots * s.dots / s.n};
                      }));

MOMENTS_MISCONCEPTION(square_of_the_sum,
                      "the square of the sum is subtracted, which is huge. It is the square of the "
                      "mean, sum / samples, that is subtracted from the mean of the squares.",
                      from_sums([](const Sums& s) {
                          return Moments{s.dots / s.n, s.squares / s.n - s.dots * s.dots};
                      }));

MOMENTS_MISCONCEPTION(sum_for_the_mean,
                      "the first number is the sum of the dot products. The mean is that divided "
                      "by samples.",
                      from_sums([](const Sums& s) {
                          const double mean = s.dots / s.n;
                          return Moments{s.dots, s.squares / s.n - mean * mean};
                      }));

MOMENTS_MISCONCEPTION(variance_left_out, "the variance is never set, and stays at 0.",
                      from_sums([](const Sums& s) {
                          return Moments{s.dots / s.n, 0};
                      }));

MOMENTS_MISCONCEPTION(mean_for_both,
                      "both numbers are the mean. The variance is the mean of the squared "
                      "distances from it.",
                      from_sums([](const Sums& s) {
                          return Moments{s.dots / s.n, s.dots / s.n};
                      }));

MOMENTS_MISCONCEPTION(variance_for_both, "both numbers are the variance. The first is the mean.",
                      from_sums([](const Sums& s) {
                          const double mean = s.dots / s.n;
                          const double variance = s.squares / s.n - mean * mean;
                          return Moments{variance, variance};
                      }));

MOMENTS_MISCONCEPTION(variance_squared,
                      "the variance is squared: it is d_k². The mean of the squared distances is "
                      "the variance itself.",
                      from_sums([](const Sums& s) {
                          const double mean = s.dots / s.n;
                          const double variance = s.squares / s.n - mean * mean;
                          return Moments{mean, variance * variance};
                      }));

MOMENTS_MISCONCEPTION(one_sample_more,
                      "one sample too many is added up: the loop runs while sample <= samples, and "
                      "the sums are divided by samples. It runs while sample < samples.",
                      with_samples([](S d_k, S samples) {
                          return Loop{samples + 1, d_k, static_cast<double>(samples)};
                      }));

MOMENTS_MISCONCEPTION(sizes_exchanged,
                      "d_k and samples have changed places: d_k dot products of samples components "
                      "are drawn. The outer loop runs over the samples, the inner one over d_k.",
                      with_samples([](S d_k, S samples) {
                          return Loop{d_k, samples, static_cast<double>(d_k)};
                      }));

MOMENTS_MISCONCEPTION(products_of_all_samples,
                      "the products are added up one by one, each with its own square, and divided "
                      "by all of them, samples * d_k. A sample is a dot product, the sum of d_k "
                      "products: add that up, and its square.",
                      with_samples([](S d_k, S samples) {
                          const S products = samples * d_k;
                          return Loop{products, 1, static_cast<double>(products)};
                      }));

MOMENTS_MISCONCEPTION(squares_of_the_products,
                      "the squares of the single products are added up. The square of a sample is "
                      "that of the whole dot product, once it is complete.",
                      with_samples([](S d_k, S samples) {
                          return Loop{samples * d_k, 1, static_cast<double>(samples)};
                      }));

MOMENTS_MISCONCEPTION(
    integer_sum,
    "the sum of the dot products is kept in an integer, which drops the fraction at every step. "
    "Either it is declared so (auto sum = 0 is an int), or it happens unseen, by the 0 in "
    "std::accumulate(first, last, 0). Let it be a double, and begin with 0.0.",
    [](S d_k, S samples, Seed seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        double sum = 0;
        const Moments m = moments_of(d_k, samples, [&] {
            double dot = 0;
            for (S i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot += q_i * normal(engine);
            }
            sum = std::trunc(sum + dot);
            return dot;
        });
        const double mean = sum / static_cast<double>(samples);
        return {mean, m.variance + m.mean * m.mean - mean * mean};
    });

} // namespace
