// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong_moments.hpp"

using namespace wrong;

namespace {

// ---- 02.3 dot_product_moments: components of another width, and sums that end or begin elsewhere

using S = std::size_t;
using Seed = std::uint64_t;

MOMENTS_MISCONCEPTION(deviation_two,
                      "these are components with standard deviation 2: the variance of the dot "
                      "product is 16 d_k. A standard normal number has standard deviation 1.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          return of_components(d_k, samples, seed, Normal(0, 2));
                      });

MOMENTS_MISCONCEPTION(deviation_root_of_d_k,
                      "these are components with standard deviation √d_k, which makes the variance "
                      "d_k³. The second parameter of std::normal_distribution is 1, whatever d_k "
                      "is.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          return of_components(d_k, samples, seed,
                                               Normal(0, std::sqrt(static_cast<double>(d_k))));
                      });

MOMENTS_MISCONCEPTION(dot_starts_at_one,
                      "the dot product starts at 1, and so the mean is 1. A sum starts at 0.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          const Moments m = right(d_k, samples, seed);
                          return {m.mean + 1, m.variance};
                      });

MOMENTS_MISCONCEPTION(half_of_the_samples,
                      "half of the samples are left out, while the sums are divided by all of "
                      "them.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          S count = 0;
                          return moments_of(
                              d_k, samples,
                              [&, engine = std::mt19937_64(seed), normal = Normal()]() mutable {
                                  double dot = 0;
                                  for (S i = 0; i < d_k; ++i) {
                                      const double q_i = normal(engine);
                                      dot += q_i * normal(engine);
                                  }
                                  return ++count > samples / 2 ? 0 : dot;
                              });
                      });

MOMENTS_MISCONCEPTION(sign_of_the_variance,
                      "the variance is negative: it is the mean of the squares minus the square of "
                      "the mean, not the other way round.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          const Moments m = right(d_k, samples, seed);
                          return {m.mean, -m.variance};
                      });

MOMENTS_MISCONCEPTION(distances_not_squared,
                      "the second number is the mean of the distances from the mean, which is 0: "
                      "those above and those below cancel. The variance takes their squares.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          const Moments m = right(d_k, samples, seed);
                          return {m.mean, 1e-17 * m.mean};
                      });

MOMENTS_MISCONCEPTION(sizes_of_the_dot_products,
                      "the dot products have lost their signs: their mean is far above 0.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          return moments_of(
                              d_k, samples,
                              [&, engine = std::mt19937_64(seed), normal = Normal()]() mutable {
                                  double dot = 0;
                                  for (S i = 0; i < d_k; ++i) {
                                      const double q_i = normal(engine);
                                      dot += q_i * normal(engine);
                                  }
                                  return std::abs(dot);
                              });
                      });

MOMENTS_MISCONCEPTION(sizes_of_the_components,
                      "the components have lost their signs, so that all products are positive: "
                      "the mean is 0.64 d_k. Standard normal numbers are of both signs.",
                      [](S d_k, S samples, Seed seed) -> Moments {
                          return moments_of(
                              d_k, samples,
                              [&, engine = std::mt19937_64(seed), normal = Normal()]() mutable {
                                  double dot = 0;
                                  for (S i = 0; i < d_k; ++i) {
                                      const double q_i = std::abs(normal(engine));
                                      dot += q_i * std::abs(normal(engine));
                                  }
                                  return dot;
                              });
                      });

MOMENTS_MISCONCEPTION(
    drawn_for_two_samples,
    "something that is drawn for one sample is used for the next one, too: its key as the next "
    "query, or one query for two samples. Then samples that follow each other are large together. "
    "Draw all of q and all of k anew for each sample.",
    [](S d_k, S samples, Seed seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        std::vector<double> q(d_k), k(d_k);
        for (double& component : q) {
            component = normal(engine);
        }
        return moments_of(d_k, samples, [&] {
            double dot = 0;
            for (S i = 0; i < d_k; ++i) {
                k[i] = normal(engine);
                dot += q[i] * k[i];
            }
            q = k;
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    drawn_anew_for_the_variance,
    "the variance is taken from other samples than the mean: they are drawn a second time, and "
    "their squared distances from the mean of the first ones come out too large, by 1 + 1 / "
    "samples. A range with std::views::transform computes its elements anew each time it is gone "
    "through, and so does a function that draws. Keep the samples in a std::vector<double>.",
    [](S d_k, S samples, Seed seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        const auto dot = [&] {
            double sum = 0;
            for (S i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                sum += q_i * normal(engine);
            }
            return sum;
        };
        const Moments first = moments_of(d_k, samples, dot);
        const Moments second = moments_of(d_k, samples, dot);
        const double apart = first.mean - second.mean;
        return {first.mean, second.variance + apart * apart};
    });

} // namespace
