// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong_moments.hpp"

using namespace wrong;

namespace {

// ---- 02.3 dot_product_moments, known by what comes out on average
//
// Two of them, one_query and dot_not_reset, never settle on an average. They are recognised where a
// learner draws in the order that they do, which is the usual one.

MOMENTS_MISCONCEPTION(
    standard_deviation,
    "the second number is the standard deviation, the root of the variance. The variance "
    "is the mean of the squared distances itself.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        return {m.mean, std::sqrt(m.variance)};
    });

MOMENTS_MISCONCEPTION(
    moments_divided_by_d_k,
    "your variance stays at 1 whatever d_k is: both moments are divided by d_k. Nothing divides "
    "the dot product yet, nor its moments.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        const double n = static_cast<double>(d_k);
        return {m.mean / n, m.variance / n};
    });

MOMENTS_MISCONCEPTION(
    divided_by_root_d_k,
    "your variance stays at 1 whatever d_k is: the dot product is divided by √d_k, as in "
    "02.2. Here nothing divides it: what is measured is why 02.2 does.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        const double n = static_cast<double>(d_k);
        return {m.mean / std::sqrt(n), m.variance / n};
    });

MOMENTS_MISCONCEPTION(
    one_product,
    "your variance stays at 1 whatever d_k is. That is the variance of a single product q_i k_i, "
    "as if each product replaced the one before it; the dot product is the sum of all d_k "
    "products.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        return moments_of(d_k, samples, [&] {
            double product = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                product = q_i * normal(engine);
            }
            return product;
        });
    });

MOMENTS_MISCONCEPTION(
    uniform_from_0_to_1,
    "these are components drawn evenly between 0 and 1. Their mean is 0.5, so the dot "
    "product has mean d_k / 4; standard normal components have mean 0 and variance 1.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return of_components(d_k, samples, seed, Uniform(0, 1));
    });

MOMENTS_MISCONCEPTION(
    uniform_from_minus_1_to_1,
    "these are components drawn evenly between −1 and 1. Their mean is 0, but their "
    "variance is 1/3, which makes that of the dot product d_k / 9; standard normal "
    "components have variance 1.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return of_components(d_k, samples, seed, Uniform(-1, 1));
    });

MOMENTS_MISCONCEPTION(
    components_around_1,
    "these are components around 1 rather than 0. The first parameter of "
    "std::normal_distribution is the mean, the second the standard deviation; the "
    "defaults are 0 and 1.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        return of_components(d_k, samples, seed, Normal(1, 1));
    });

MOMENTS_MISCONCEPTION(
    same_vector,
    "q and k are one and the same vector here: you get the moments of ‖q‖², which are d_k and 2 "
    "d_k. Two engines that start from one seed draw the same numbers, and so do two copies of one "
    "engine that was passed by value; one engine for both, by reference, does not.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        return moments_of(d_k, samples, [&] {
            double dot = 0;
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot += q_i * q_i;
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    one_number_a_vector,
    "the variance is d_k², as it is where all components of a vector are one number, so that its "
    "products are alike and never cancel, or where every q_i is multiplied with every k_j. Draw "
    "each component by itself, and multiply q_i with k_i alone.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        return moments_of(d_k, samples, [&] {
            const double q_i = normal(engine);
            return static_cast<double>(d_k) * q_i * normal(engine);
        });
    });

MOMENTS_MISCONCEPTION(
    one_query,
    "one of the two vectors is drawn only once, before the loop, and every sample is compared with "
    "that same one. Then the variance is its squared length, which is d_k on average but is off "
    "for any one vector; draw both anew for each sample.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        std::vector<double> q(d_k);
        for (double& q_i : q) {
            q_i = normal(engine);
        }
        return moments_of(d_k, samples, [&] {
            double dot = 0;
            for (const double q_i : q) {
                dot += q_i * normal(engine);
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    seeded_for_each_sample,
    "every sample is the same number, so the variance is 0. Either the engine is made anew for "
    "each sample and starts over; or it is passed by value, so that each call draws from a copy of "
    "it: take it by reference, std::mt19937_64&; or q and k are drawn once and for all. Make the "
    "engine before the loop over the samples, and draw both vectors inside it.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed); // once is enough: every sample would draw the same
        Normal normal;
        double dot = 0;
        for (std::size_t i = 0; i < d_k; ++i) {
            const double q_i = normal(engine);
            dot += q_i * normal(engine);
        }
        return moments_of(d_k, samples, [=] { return dot; });
    });

MOMENTS_MISCONCEPTION(
    dot_not_reset,
    "the dot product does not start at 0 for each sample: it carries on from the one "
    "before, so that these are the moments of a running total, which wanders ever "
    "farther off.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        std::mt19937_64 engine(seed);
        Normal normal;
        double dot = 0;
        return moments_of(d_k, samples, [&] {
            for (std::size_t i = 0; i < d_k; ++i) {
                const double q_i = normal(engine);
                dot += q_i * normal(engine);
            }
            return dot;
        });
    });

MOMENTS_MISCONCEPTION(
    not_divided_by_samples,
    "your variance grows with the number of samples: the squares are added up, but their "
    "sum is not divided by how many there are.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        return {m.mean, m.variance * static_cast<double>(samples)};
    });

MOMENTS_MISCONCEPTION(
    squares_not_divided_by_samples,
    "your variance grows with the number of samples: the squares are added up, and the square of "
    "the mean is subtracted from their sum. Divide the sum by samples first.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        const double square = m.mean * m.mean;
        return {m.mean, (m.variance + square) * static_cast<double>(samples) - square};
    });

MOMENTS_MISCONCEPTION(
    sums_not_divided_by_samples,
    "these are sums, of the dot products and of their squares, and both grow with the number of "
    "samples. Divide both by samples, and subtract the square of the mean.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        const double n = static_cast<double>(samples);
        return {m.mean * n, (m.variance + m.mean * m.mean) * n};
    });

MOMENTS_MISCONCEPTION(
    variance_of_the_mean,
    "your variance shrinks towards 0 as samples grows. It is divided by samples twice, "
    "which makes it the variance of the mean: how far the estimate is off, not how far "
    "one dot product strays.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
        const Moments m = right(d_k, samples, seed);
        return {m.mean, m.variance / static_cast<double>(samples)};
    });

MOMENTS_MISCONCEPTION(members_swapped,
                      "mean and variance have changed places: Moments holds the mean first.",
                      [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                          const Moments m = right(d_k, samples, seed);
                          return {m.variance, m.mean};
                      });

MOMENTS_MISCONCEPTION(
    formula,
    "this returns what theory predicts, 0 and d_k. The exercise is to measure it: a mean "
    "of random numbers is close to 0 and never exactly 0.",
    [](std::size_t d_k, std::size_t samples, std::uint64_t) -> Moments {
        moments_of(d_k, samples, [] { return 0.0; });
        return {0, static_cast<double>(d_k)};
    });

} // namespace
