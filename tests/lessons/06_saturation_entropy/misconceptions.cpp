// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 06.1 entropy

MISCONCEPTION(entropy, nan_at_zero,
              "the formula is taken word for word, and where a weight is exactly 0 the machine "
              "computes 0 times minus infinity, which is NaN. p ln p tends to 0 as p does: a "
              "weight of 0 adds nothing, and the code has to say so.",
              in_each_row([](const Vector& row) {
                  return -sum_over(row, [](double p) { return p * std::log(p); });
              }));

MISCONCEPTION(entropy, in_bits,
              "this is the entropy in bits: the logarithm is to base 2, and everything comes out "
              "1.4427 times as large. Nats take the natural logarithm, std::log.",
              in_each_row([](const Vector& p) { return plain_entropy(p) / std::log(2.0); }));

MISCONCEPTION(entropy, sign_forgotten,
              "these are negative: Σ p ln p without the minus in front. The logarithm of a weight "
              "below 1 is negative, and the minus makes the entropy positive.",
              in_each_row([](const Vector& p) { return -plain_entropy(p); }));

MISCONCEPTION(entropy, mean_over_keys,
              "this is the mean of −p ln p over the keys, not the sum. The weights p in the sum "
              "are the averaging already: entropy is the average of −ln p.",
              in_each_row([](const Vector& p) {
                  return plain_entropy(p) / static_cast<double>(p.size());
              }));

MISCONCEPTION(entropy, perplexity,
              "this is exp(H), the perplexity: as how many equally attended keys it feels. The "
              "entropy is its logarithm.",
              in_each_row([](const Vector& p) { return std::exp(plain_entropy(p)); }));

MISCONCEPTION(entropy, only_the_largest,
              "this is −ln of the largest weight alone (the min-entropy). The other weights "
              "count too, each with its share: the sum goes over all of them.",
              in_each_row([](const Vector& p) { return 0.0 - std::log(largest(p)); }));

MISCONCEPTION(
    entropy, each_key_yes_or_no,
    "this adds −(1 − p) ln(1 − p) for every key: the entropy of n_keys separate yes-or-no "
    "questions. A query asks one question with n_keys answers, whose weights sum to 1.",
    in_each_row([](const Vector& p) {
        const Vector rest = 1 - p;
        return plain_entropy(p) + plain_entropy(rest);
    }));

MISCONCEPTION(entropy, over_queries,
              "this runs down the columns: one number for each key. It is the row of a query that "
              "sums to 1 and has an entropy.",
              [](const Matrix& weights) -> Vector { return in_columns(weights, plain_entropy); });

MISCONCEPTION(entropy, whole_matrix,
              "this is one sum for the whole matrix. Every query has an entropy of its own; the "
              "result is a Vector with one element a row.",
              [](const Matrix& weights) -> Vector {
                  return {total(in_rows(weights, plain_entropy))};
              });

MISCONCEPTION(entropy, sum_not_reset,
              "each query's number includes those of the queries before it: the sum does not start "
              "at 0 for every row. Declare it inside the loop over the rows.",
              [](const Matrix& weights) -> Vector {
                  Vector nats = in_rows(weights, plain_entropy);
                  for (std::size_t i = 1; i < nats.size(); ++i) {
                      nats(i) += nats(i - 1);
                  }
                  return nats;
              });

MISCONCEPTION(entropy, gini,
              "this is Σ p (1 − p), which is also 0 for one-hot weights and largest for equal ones "
              "(Gini's impurity). Entropy averages −ln p, not 1 − p.",
              in_each_row(trace));

// ---- 06.3 entropy_sweep

MISCONCEPTION(entropy_sweep, root_of_all_components,
              "scaled scores are divided by the root of how many components Q and K have, for "
              "every d_k alike. A score of d_k products has the variance d_k, so it is √d_k that "
              "brings it to 1.",
              sweep_divided([](const Matrix& K, double, bool scaled) {
                  return root_if(scaled, static_cast<double>(K.shape(1)));
              }));

MISCONCEPTION(entropy_sweep, divided_by_dk,
              "scaled scores are divided by d_k instead of √d_k (or scaled twice). Their variance "
              "is then 1/d_k, and the weights become equal as d_k grows.",
              sweep_divided([](const Matrix&, double d_k, bool scaled) {
                  return scaled ? d_k : 1.0;
              }));

MISCONCEPTION(entropy_sweep, scaled_the_wrong_way_round,
              "scaled is taken the wrong way round: true divides by √d_k, false does not.",
              sweep_divided([](const Matrix&, double d_k, bool scaled) {
                  return root_if(!scaled, d_k);
              }));

MISCONCEPTION(entropy_sweep, always_scaled,
              "the scores are divided by √d_k whatever `scaled` says. For false they stay as they "
              "are: that is the arm that collapses.",
              sweep_divided([](const Matrix&, double d_k, bool) { return std::sqrt(d_k); }));

MISCONCEPTION(entropy_sweep, never_scaled,
              "the scores are never divided by √d_k, whatever `scaled` says.",
              sweep_divided([](const Matrix&, double, bool) { return 1.0; }));

MISCONCEPTION(entropy_sweep, all_components,
              "every d_k sees all components of Q and K, and only the divisor changes. Each d_k is "
              "to see its first d_k components, and nothing of the others.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(Q, K) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, same_scores_for_every_dk,
              "the curve is flat: every d_k gets the entropy of the complete Q and K, d_ks[i] is "
              "not used. Each d_k is to see its first d_k components.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t, bool scaled) {
                  return mean_entropy(oracle::raw_scores(Q, K) /
                                      root_if(scaled, static_cast<double>(Q.shape(1))));
              }));

MISCONCEPTION(entropy_sweep, last_components,
              "each d_k sees the last d_k components of Q and K. It should be the first: the "
              "scores of d_k + 1 are then those of d_k and one product more.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const std::size_t all = Q.shape(1);
                  return mean_entropy(
                      oracle::raw_scores(columns(Q, all - d_k, all), columns(K, all - d_k, all)) /
                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(
    entropy_sweep, one_component_short,
    "each d_k sees only d_k − 1 components. xt::range(0, d_k) already leaves out its end, "
    "and so does a loop that runs while c < d_k.",
    sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
        return mean_entropy(oracle::raw_scores(columns(Q, 0, d_k - 1), columns(K, 0, d_k - 1)) /
                            root_if(scaled, static_cast<double>(d_k)));
    }));

MISCONCEPTION(entropy_sweep, one_component_only,
              "each d_k sees a single component, the one at d_k − 1. The score sums the products "
              "of all components before it too.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(
                      oracle::raw_scores(columns(Q, d_k - 1, d_k), columns(K, d_k - 1, d_k)) /
                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, entropy_of_mean_weights,
              "this averages the weights over the queries, and takes the entropy of that average. "
              "Queries that each want one key, but not the same, then look undecided. Take each "
              "query's entropy first, and average those.",
              sweep_weights([](const Matrix& weights) {
                  return plain_entropy(Vector(xt::mean(weights, {0})));
              }));

MISCONCEPTION(entropy_sweep, sum_over_the_queries,
              "this is the sum of the entropies of all queries; their mean is asked for.",
              sweep_weights([](const Matrix& weights) {
                  return total(in_rows(weights, plain_entropy));
              }));

MISCONCEPTION(entropy_sweep, softmax_over_queries,
              "the softmax runs down the columns: the queries compete for each key. It is a query "
              "that shares out its attention over the keys.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(K, 0, d_k), columns(Q, 0, d_k)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, first_query_only,
              "this is the entropy of the first query alone; the mean over all queries is asked "
              "for.",
              sweep_weights([](const Matrix& weights) {
                  return in_rows(weights, plain_entropy)(0);
              }));

// ---- 06.4 predicted_entropy

/// Checks first, as the stub does.
auto predict(std::function<double(double ln_n, double variance)> nats) {
    return [=](std::size_t n_keys, double variance) -> double {
        if (n_keys == 0 || !(variance >= 0)) {
            throw std::invalid_argument("n_keys must be at least 1 and variance at least 0");
        }
        return nats(std::log(static_cast<double>(n_keys)), variance);
    };
}

MISCONCEPTION(
    predicted_entropy, not_frozen,
    "ln n − σ²/2 falls below 0 where the variance exceeds 2 ln n, and an entropy is never "
    "negative. From there on the softmax is frozen: the prediction is 0.",
    predict([](double ln_n, double v) { return ln_n - v / 2; }));

MISCONCEPTION(predicted_entropy, no_half, "this subtracts σ², not σ²/2.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n - v); }));

MISCONCEPTION(predicted_entropy, deviation_for_variance,
              "this subtracts σ/2. The variance is σ² already: no root is to be taken.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n - std::sqrt(v) / 2);
              }));

MISCONCEPTION(predicted_entropy, plus_half,
              "this adds σ²/2. Then scores that spread more would make attention more even than "
              "equal scores do, and ln n is the most there is.",
              predict([](double ln_n, double v) { return ln_n + v / 2; }));

MISCONCEPTION(predicted_entropy, logarithm_to_base_2,
              "the logarithm is to base 2: that is the number of bits, from which nats are "
              "subtracted. std::log is the natural one.",
              predict([](double ln_n, double v) {
                  return std::max(0.0, ln_n / std::log(2.0) - v / 2);
              }));

MISCONCEPTION(predicted_entropy, variance_squared,
              "this subtracts half of the squared variance. What is asked for is σ²/2, and the "
              "parameter is σ² already.",
              predict([](double ln_n, double v) { return std::max(0.0, ln_n - v * v / 2); }));

MISCONCEPTION(predicted_entropy, frozen_too_early,
              "this is 0 from a variance of ln n on. ln n − σ²/2 reaches 0 only at 2 ln n.",
              predict([](double ln_n, double v) { return v < ln_n ? ln_n - v / 2 : 0; }));

// ---- 06.5 dk_at_collapse

/// Finds the first point for which here(i) holds. Checks first, as the stub does.
using Here = std::function<bool(const EntropyCurve& curve, std::size_t i)>;
std::size_t find(const EntropyCurve& curve, const Here& here) {
    if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
        throw std::invalid_argument("the curve must hold at least one d_k, and as many entropies");
    }
    std::size_t i = 0;
    while (i < curve.d_ks.size() && !here(curve, i)) {
        ++i;
    }
    return i;
}

auto first_where(Here here) {
    return [=](const EntropyCurve& curve) -> std::size_t {
        const std::size_t i = find(curve, here);
        return i < curve.d_ks.size() ? curve.d_ks[i] : 0;
    };
}

bool at_most_half(const EntropyCurve& curve, std::size_t i) {
    return curve.entropies(i) <= curve.entropies(0) / 2;
}

MISCONCEPTION(dk_at_collapse, index_of_the_collapse,
              "this is the index of the point in the curve, not its d_k: return curve.d_ks[i].",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return i < curve.d_ks.size() ? i : 0;
              });

MISCONCEPTION(dk_at_collapse, less_than_half,
              "an entropy of exactly half is passed over. \"At most half\" is <=, not <.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) < curve.entropies(0) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_a_nat,
              "this compares with 0.5 nats. What counts is half of the curve's own first entropy, "
              "which depends on how many keys there are.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= 0.5;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_largest,
              "this compares with half of the largest entropy of the curve. It is the first one "
              "that counts, even where the curve rises before it falls.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return curve.entropies(i) <= largest(curve.entropies) / 2;
              }));

MISCONCEPTION(dk_at_collapse, half_of_the_one_before,
              "this compares each entropy with half of the one before it. A collapse in many small "
              "steps is then never seen: compare with the curve's first.",
              first_where([](const EntropyCurve& curve, std::size_t i) {
                  return i > 0 && curve.entropies(i) <= curve.entropies(i - 1) / 2;
              }));

MISCONCEPTION(dk_at_collapse, last_at_most_half,
              "this is the last d_k at or below half, not the first: the search goes on after it "
              "has found one. Return at once.",
              [](const EntropyCurve& curve) -> std::size_t {
                  find(curve, at_most_half);
                  std::size_t found = 0;
                  for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
                      found = at_most_half(curve, i) ? curve.d_ks[i] : found;
                  }
                  return found;
              });

MISCONCEPTION(dk_at_collapse, last_of_a_curve_without_collapse,
              "where the entropy never falls to half, this returns the curve's last d_k. Nothing "
              "collapsed there; the answer is 0.",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return curve.d_ks[std::min(i, curve.d_ks.size() - 1)];
              });

MISCONCEPTION(dk_at_collapse, one_before_the_collapse,
              "this is the last d_k that is still above half. The first that is at or below it "
              "comes one later.",
              [](const EntropyCurve& curve) -> std::size_t {
                  const std::size_t i = find(curve, at_most_half);
                  return i < curve.d_ks.size() ? curve.d_ks[i - 1] : 0;
              });

} // namespace
