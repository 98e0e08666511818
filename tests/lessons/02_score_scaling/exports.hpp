#pragma once

#include <vector>

#include "judge/export.hpp"
#include "score_scaling.hpp"

// A single result of 02.3 is random and says little: it is called with many seeds at once.
namespace of_seeds {

struct Estimates {
    std::vector<double> means;
    std::vector<double> variances;
};

/// Any estimate of the moments, asked once with each seed.
template <class Moments>
Estimates dot_product_moments_by(const Moments& moments, std::size_t d_k, std::size_t samples,
                                 const std::vector<std::uint64_t>& seeds) {
    Estimates estimates;
    for (const std::uint64_t seed : seeds) {
        const lesson::Moments of_one = moments(d_k, samples, seed);
        estimates.means.push_back(of_one.mean);
        estimates.variances.push_back(of_one.variance);
    }
    return estimates;
}

// Under the name of the exercise's own function, which verdicts use.
inline Estimates dot_product_moments(std::size_t d_k, std::size_t samples,
                                     const std::vector<std::uint64_t>& seeds) {
    return dot_product_moments_by(lesson::dot_product_moments, d_k, samples, seeds);
}

} // namespace of_seeds

JUDGE_STRUCT(of_seeds::Estimates, means, variances);

JUDGE_FUNCTION(raw_scores, Q, K);
JUDGE_FUNCTION(scaled_scores, Q, K);
JUDGE_FUNCTION_IN(of_seeds, dot_product_moments, d_k, samples, seeds);
JUDGE_SHOWN_AS(dot_product_moments, "dot_product_moments(d_k, samples, seed), for each of seeds,");
