// Wrong versions of 06.3 that sum wrongly, and such that round or limit what they are given.

#include <algorithm>
#include <cmath>

#include "wrong.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(entropy_sweep, sum_not_reset,
              "each entropy includes those of the d_ks before it: the sum over the queries does "
              "not start at 0 for every d_k. Declare it inside the loop over d_ks.",
              [](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
                 bool scaled) -> EntropyCurve {
                  lesson::require_sweep(Q, K, d_ks);
                  EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
                  double sum = 0;
                  for (std::size_t i = 0; i < d_ks.size(); ++i) {
                      sum += mean_entropy(
                          oracle::raw_scores(columns(Q, 0, d_ks[i]), columns(K, 0, d_ks[i])) /
                          root_if(scaled, static_cast<double>(d_ks[i])));
                      curve.entropies(i) = sum;
                  }
                  return curve;
              });

MISCONCEPTION(entropy_sweep, all_zero_curve,
              "every entropy is 0, as where a sum is kept in whole numbers: std::accumulate(…, 0) "
              "drops the fraction at every step. It begins with 0.0.",
              sweep([](const Matrix&, const Matrix&, std::size_t, bool) { return 0.0; }));

MISCONCEPTION(entropy_sweep, sum_in_whole_numbers,
              "the entropies of the queries are added in whole numbers, as by auto sum = 0 or "
              "std::accumulate(…, 0), which drops the fraction at every step. Let it be a double, "
              "and begin with 0.0.",
              sweep_weights([](const Matrix& weights) {
                  const Vector nats = in_rows(weights, plain_entropy);
                  double sum = 0;
                  for (const double h : nats) {
                      sum = std::floor(sum + h);
                  }
                  return sum / static_cast<double>(nats.size());
              }));

/// What is done right, but for what becomes of Q and K before, and of the scores after.
auto sweep_changed(std::function<Matrix(Matrix)> inputs, std::function<Matrix(Matrix)> scores) {
    return sweep([=](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
        return mean_entropy(
            scores(oracle::raw_scores(columns(inputs(Q), 0, d_k), columns(inputs(K), 0, d_k)) /
                   root_if(scaled, static_cast<double>(d_k))));
    });
}

Matrix as_it_is(Matrix X) {
    return X;
}

std::function<Matrix(Matrix)> limited(double most) {
    return [=](const Matrix& X) -> Matrix { return xt::clip(X, -most, most); };
}

std::function<Matrix(Matrix)> below_dropped(double least) {
    return [=](const Matrix& X) -> Matrix { return xt::where(xt::abs(X) < least, 0.0, X); };
}

constexpr const char* says_limited =
    "scores are limited to some range, such as ±50 or ±1e6, before the softmax: beyond it they all "
    "count alike, and a query that is certain comes out as undecided. attention::softmax_rows "
    "needs no limit.";

MISCONCEPTION(entropy_sweep, scores_limited_to_10, says_limited,
              sweep_changed(as_it_is, limited(10)));
MISCONCEPTION(entropy_sweep, scores_limited_to_20, says_limited,
              sweep_changed(as_it_is, limited(20)));
MISCONCEPTION(entropy_sweep, scores_limited_to_50, says_limited,
              sweep_changed(as_it_is, limited(50)));
MISCONCEPTION(entropy_sweep, scores_limited_to_1e6, says_limited,
              sweep_changed(as_it_is, limited(1e6)));

constexpr const char* says_noise =
    "small components, such as those below 1e-9, are taken for rounding errors of 0. How large "
    "they are says nothing: those of the other matrix may be large. Leave them as they are.";

MISCONCEPTION(entropy_sweep, components_below_1e_6_dropped, says_noise,
              sweep_changed(below_dropped(1e-6), as_it_is));
MISCONCEPTION(entropy_sweep, components_below_1e_10_dropped, says_noise,
              sweep_changed(below_dropped(1e-10), as_it_is));

MISCONCEPTION(
    entropy_sweep, log_sum_exp_rounds,
    "weights are made as exp(s − L), where L is the maximum plus the logarithm of the sum. "
    "On paper that is the same; beside a huge maximum the logarithm is lost, scores that "
    "are equal get a weight of 1 each, and 1 ln 1 is 0. Subtract the maximum alone, and "
    "divide by the sum.",
    sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
        Matrix weights = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                         root_if(scaled, static_cast<double>(d_k));
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            auto row = xt::view(weights, i);
            const double maximum = xt::amax(row)();
            const double log_sum_exp = maximum + std::log(xt::sum(xt::exp(row - maximum))());
            row = xt::exp(row - log_sum_exp);
        }
        return total(in_rows(weights, plain_entropy)) / static_cast<double>(weights.shape(0));
    }));

} // namespace
