// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// only many thousands of samples tell, or seeds that follow each other: grader_moments_seeds.cpp
// knows them by that, since all their estimates are as good as right ones.

#include "wrong_moments.hpp"

namespace misconceptions_seeds {

using namespace wrong;

namespace {

MOMENTS_MISCONCEPTION(
    nearly_normal,
    "the components are only nearly normal: large ones come too seldom. A sum of twelve numbers "
    "drawn evenly is like that, and so are normal numbers of which those beyond a bound are cut or "
    "drawn again. std::normal_distribution draws them as they are to be.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return of_components(d_k, samples, seed, [normal = Normal()](auto& engine) mutable {
            double component = normal(engine);
            while (std::abs(component) > 3.5) {
                component = normal(engine);
            }
            return component;
        });
    });

MOMENTS_MISCONCEPTION(normal_sums_of_many,
                      "where there are many components, one normal number of variance d_k stands "
                      "for the whole sum. A sum "
                      "of many terms comes near to a normal number, but is none yet: large ones "
                      "come more often. Draw "
                      "every component.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          if (d_k <= 8) {
                              return of_components(d_k, samples, seed, Normal());
                          }
                          std::mt19937_64 engine(seed);
                          Normal normal;
                          return moments_of(d_k, samples, [&] {
                              return std::sqrt(static_cast<double>(d_k)) * normal(engine);
                          });
                      });

MOMENTS_MISCONCEPTION(
    products_pooled,
    "the variance is that of single products q_i k_i, of all samples together, times d_k. That is "
    "d_k as well, but what is asked for is how far the dot products stray: it says nothing of "
    "them, and strays itself far less from seed to seed. Sum the d_k products of a sample first.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        double sum = 0;
        double squares = 0;
        const Moments of_dots = moments_of(d_k, samples, [&] {
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                const double product = q_i * normal(engine);
                dot += product;
                squares += product * product;
            }
            sum += dot;
            return dot;
        });
        const double n = static_cast<double>(samples * d_k);
        return {of_dots.mean, static_cast<double>(d_k) * (squares / n - sum / n * (sum / n))};
    });

MOMENTS_MISCONCEPTION(
    seeds_share_samples,
    "seeds that follow each other share nearly all of their samples, as they do if sample s has an "
    "engine of its own, made from seed + s. Make one engine from the seed, before the loop.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return moments_of(d_k, samples, [&] {
            std::mt19937_64 engine(seed++);
            Normal normal;
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot += q_i * normal(engine);
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    seeds_become_one,
    "seeds that follow each other give the same samples, if in another order: mixed with a "
    "counter, two seeds become one, as seed ^ i is one of the same eight numbers for each of eight "
    "seeds and i = 0 … 7. Make one engine from the seed, before the loop.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::vector<std::mt19937_64> engines;
        for (std::uint64_t lane = 0; lane < 8; ++lane) {
            engines.emplace_back(seed ^ lane);
        }
        Normal normal;
        std::size_t sample = 0;
        return moments_of(d_k, samples, [&] {
            normal.reset();
            auto& engine = engines[sample++ % engines.size()];
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot += q_i * normal(engine);
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    seed_of_0_replaced,
    "a seed of 0 is taken for none, and another takes its place, so that two seeds give the same "
    "numbers. 0 is a seed like any other: hand it to the engine as it is.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return right(d_k, samples, seed == 0 ? std::mt19937_64::default_seed : seed);
    });

} // namespace

} // namespace misconceptions_seeds
