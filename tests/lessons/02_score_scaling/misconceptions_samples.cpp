// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>
#include <numeric>
#include <vector>

#include "wrong_moments.hpp"

using namespace wrong;

namespace {

// ---- 02.3 dot_product_moments: what shows from seed to seed, or with few samples

/// The one-pass form, with a product of the learner's: of the distances from the mean before and
/// after.
template <class Product>
Moments welford(std::size_t d_k, std::size_t samples, std::uint64_t seed, Product product) {
    std::mt19937_64 engine(seed);
    Normal normal;
    double mean = 0;
    double squares = 0;
    double n = 0;
    moments_of(d_k, samples, [&] {
        double dot = 0;
        for (std::size_t i = 0; i < d_k; ++i) {
            const double q_i = normal(engine);
            dot += q_i * normal(engine);
        }
        n += 1;
        const double before = dot - mean;
        mean += before / n;
        squares += product(before, dot - mean);
        return dot;
    });
    return {mean, squares / n};
}

MOMENTS_MISCONCEPTION(sums_of_components,
                      "this adds q_i and k_i, where they are multiplied: each term then has "
                      "variance 2, and the whole 2 d_k.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          std::mt19937_64 engine(seed);
                          Normal normal;
                          return moments_of(d_k, samples, [&] {
                              double dot = 0;
                              for (std::size_t i = 0; i < d_k; ++i) {
                                  const double q_i = normal(engine);
                                  dot += q_i + normal(engine);
                              }
                              return dot;
                          });
                      });

MOMENTS_MISCONCEPTION(
    not_products_of_normals,
    "mean and variance are right, but from seed to seed the estimated variance strays less than "
    "that "
    "of products of two normal numbers. Single normal numbers in place of products do that, and so "
    "do components that are drawn evenly and stretched to variance 1.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        return moments_of(d_k, samples, [&] {
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                dot += normal(engine);
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    deviation_of_d_k,
    "these are components with standard deviation d_k. The second parameter of "
    "std::normal_distribution is 1 for a standard normal number, whatever d_k is.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return of_components(d_k, samples, seed, Normal(0, static_cast<double>(d_k)));
    });

MOMENTS_MISCONCEPTION(
    divided_by_d_k,
    "the variance is 1/d_k: each dot product is divided by d_k, or each component by √d_k. Nothing "
    "divides them yet.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        const double n = static_cast<double>(d_k);
        return {m.mean / n, m.variance / (n * n)};
    });

MOMENTS_MISCONCEPTION(one_product_less,
                      "one of the d_k products is left out: the variance is d_k − 1. The loop runs "
                      "d_k times, from 0.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          return moments_of(
                              d_k, samples,
                              [&, engine = std::mt19937_64(seed), normal = Normal()]() mutable {
                                  double dot = 0;
                                  for (std::size_t i = 1; i < d_k; ++i) {
                                      const double q_i = normal(engine);
                                      dot += q_i * normal(engine);
                                  }
                                  return dot;
                              });
                      });

MOMENTS_MISCONCEPTION(one_product_more,
                      "there is one product too many: the variance is d_k + 1. The loop runs d_k "
                      "times: i < d_k, not i <= d_k.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          return right(d_k + 1, samples, seed);
                      });

MOMENTS_MISCONCEPTION(seed_ignored,
                      "every seed gives the same numbers: the engine is not made from the seed.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          return right(d_k, samples, 1 + 0 * seed);
                      });

MOMENTS_MISCONCEPTION(
    not_centred,
    "your variance is the mean of the squares, without subtracting the square of the mean. With "
    "many samples that is nearly 0 and hardly matters; with two it does.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        return {m.mean, m.variance + m.mean * m.mean};
    });

MOMENTS_MISCONCEPTION(
    mean_not_squared,
    "the mean is subtracted from the mean of the squares, not the square of the mean. With many "
    "samples both are nearly 0; with two, a variance can come out negative.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        return {m.mean, m.variance + m.mean * m.mean - m.mean};
    });

MOMENTS_MISCONCEPTION(squared_mean_added,
                      "the square of the mean is added to the mean of the squares. It is "
                      "subtracted; with many samples it is nearly 0, with two it matters.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          const Moments m = right(d_k, samples, seed);
                          return {m.mean, m.variance + 2 * m.mean * m.mean};
                      });

MOMENTS_MISCONCEPTION(one_sample_less,
                      "one sample is left out: the loop runs one time too few, while the sums are "
                      "divided by samples.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          const Moments all = right(d_k, samples, seed);
                          if (samples > 1000) {
                              return all;
                          }
                          std::mt19937_64 engine(seed);
                          Normal normal;
                          std::size_t count = 0;
                          return moments_of(d_k, samples, [&] {
                              if (count++ == 0) {
                                  return 0.0;
                              }
                              double dot = 0;
                              for (std::size_t i = 0; i < d_k; ++i) {
                                  const double q_i = normal(engine);
                                  dot += q_i * normal(engine);
                              }
                              return dot;
                          });
                      });

MOMENTS_MISCONCEPTION(
    distance_from_the_old_mean,
    "in the one-pass form the squared distance is taken from the mean before the new sample, on "
    "both sides. It is (new - mean before) times (new - mean after).",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return welford(d_k, samples, seed, [](double before, double) { return before * before; });
    });

MOMENTS_MISCONCEPTION(
    distance_from_the_new_mean,
    "in the one-pass form the squared distance is taken from the mean after the new sample, on "
    "both sides. It is (new - mean before) times (new - mean after).",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return welford(d_k, samples, seed, [](double, double after) { return after * after; });
    });

MOMENTS_MISCONCEPTION(mean_absolute_deviation,
                      "the second number is the mean of the absolute distances. The variance is "
                      "the mean of the squared ones.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          std::vector<double> dots;
                          moments_of(
                              d_k, samples,
                              [&, engine = std::mt19937_64(seed), normal = Normal()]() mutable {
                                  double dot = 0;
                                  for (std::size_t i = 0; i < d_k; ++i) {
                                      const double q_i = normal(engine);
                                      dot += q_i * normal(engine);
                                  }
                                  dots.push_back(dot);
                                  return dot;
                              });
                          const double n = static_cast<double>(samples);
                          double mean = 0;
                          for (const double dot : dots) {
                              mean += dot / n;
                          }
                          double distance = 0;
                          for (const double dot : dots) {
                              distance += std::abs(dot - mean) / n;
                          }
                          return {mean, distance};
                      });

MOMENTS_MISCONCEPTION(sums_returned,
                      "these are the sums themselves: neither is divided by samples.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          const Moments m = right(d_k, samples, seed);
                          const double n = static_cast<double>(samples);
                          const double sum = m.mean * n;
                          return {sum, m.variance * n};
                      });

MOMENTS_MISCONCEPTION(first_sample_only,
                      "only one sample has been drawn, and its parts divided by samples. Does a "
                      "return stand inside the loop?",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          std::mt19937_64 engine(seed);
                          Normal normal;
                          bool first = true;
                          return moments_of(d_k, samples, [&] {
                              if (!first) {
                                  return 0.0;
                              }
                              first = false;
                              double dot = 0;
                              for (std::size_t i = 0; i < d_k; ++i) {
                                  const double q_i = normal(engine);
                                  dot += q_i * normal(engine);
                              }
                              return dot;
                          });
                      });

MOMENTS_MISCONCEPTION(
    integer_dot,
    "the dot product is kept in an integer, which drops the fraction at every step, as in auto dot "
    "= 0 or std::inner_product(…, 0). Let it be a double, and begin with 0.0.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        return moments_of(d_k, samples, [&] {
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot = std::trunc(dot + q_i * normal(engine));
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    windows_that_overlap,
    "the samples share numbers: each is a window of d_k numbers in a longer row, which starts one "
    "further than the window before. The mean of such samples strays farther than that of samples "
    "that have nothing to do with each other. Draw 2 d_k new numbers for each.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        std::vector<double> q(samples + d_k);
        std::vector<double> k(samples + d_k);
        std::generate(q.begin(), q.end(), [&] { return normal(engine); });
        std::generate(k.begin(), k.end(), [&] { return normal(engine); });
        std::ptrdiff_t at = 0;
        return moments_of(d_k, samples, [&] {
            const auto first = q.begin() + at;
            return std::inner_product(first, first + static_cast<std::ptrdiff_t>(d_k),
                                      k.begin() + at++, 0.0);
        });
    });

MOMENTS_MISCONCEPTION(cosines,
                      "each dot product is divided by the lengths of q and k: a cosine, with "
                      "variance 1/d_k. Nothing divides it.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          std::mt19937_64 engine(seed);
                          Normal normal;
                          return moments_of(d_k, samples, [&] {
                              double dot = 0;
                              double q_q = 0;
                              double k_k = 0;
                              for (std::size_t i = 0; i < d_k; ++i) {
                                  const double q_i = normal(engine);
                                  const double k_i = normal(engine);
                                  dot += q_i * k_i;
                                  q_q += q_i * q_i;
                                  k_k += k_i * k_i;
                              }
                              return dot / std::sqrt(q_q * k_k);
                          });
                      });

MOMENTS_MISCONCEPTION(
    engine_by_value,
    "all samples are one and the same, and q is k: whatever draws gets the engine by value, a copy "
    "that starts anew each time. Pass it by reference, std::mt19937_64& engine.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return moments_of(d_k, samples, [&] {
            std::mt19937_64 engine(seed);
            Normal normal;
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot += q_i * q_i;
            }
            return dot;
        });
    });

} // namespace
