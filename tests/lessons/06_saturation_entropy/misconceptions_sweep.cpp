// Wrong versions of 06.3.

#include "wrong.hpp"

using namespace wrong;

namespace {

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

MISCONCEPTION(
    entropy_sweep, logarithm_of_the_mean_number_of_keys,
    "the mean is taken of exp(H), the number of keys that a query is spread over, and its "
    "logarithm at the end. The mean of the entropies themselves is asked for; it is less.",
    sweep_weights([](const Matrix& weights) {
        const Vector keys = xt::exp(in_rows(weights, plain_entropy));
        return std::log(total(keys) / static_cast<double>(keys.size()));
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

MISCONCEPTION(entropy_sweep, multiplied_by_the_root,
              "scaled scores are multiplied by √d_k, not divided by it. They spread even more.",
              sweep_divided([](const Matrix&, double d_k, bool scaled) {
                  return 1 / root_if(scaled, d_k);
              }));

MISCONCEPTION(entropy_sweep, root_in_whole_numbers,
              "the root of d_k is kept in a whole number, which drops its fraction: √2 becomes 1. "
              "Keep it in a double.",
              sweep_divided([](const Matrix&, double d_k, bool scaled) {
                  return std::floor(root_if(scaled, d_k));
              }));

MISCONCEPTION(entropy_sweep, root_of_n_keys,
              "scaled scores are divided by √n_keys. What makes a score large is how many products "
              "it sums, d_k, not how many keys there are.",
              sweep_divided([](const Matrix& K, double, bool scaled) {
                  return root_if(scaled, static_cast<double>(K.shape(0)));
              }));

MISCONCEPTION(entropy_sweep, weights_divided_by_the_root,
              "it is the weights that are divided by √d_k, after the softmax. Their rows then sum "
              "to 1/√d_k. The scores are divided, before it.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const Matrix weights = oracle::softmax_rows(oracle::raw_scores(
                                             columns(Q, 0, d_k), columns(K, 0, d_k))) /
                                         root_if(scaled, static_cast<double>(d_k));
                  return total(in_rows(weights, plain_entropy)) /
                         static_cast<double>(weights.shape(0));
              }));

MISCONCEPTION(entropy_sweep, one_component_too_many,
              "each d_k sees d_k + 1 components, where there are as many. xt::range(0, d_k) and a "
              "loop that runs while c < d_k see d_k of them.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const std::size_t end = std::min(d_k + 1, Q.shape(1));
                  return mean_entropy(oracle::raw_scores(columns(Q, 0, end), columns(K, 0, end)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, first_component_left_out,
              "each d_k leaves out the first component: a range from 1 to d_k. Columns are "
              "numbered from 0.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(Q, 1, d_k), columns(K, 1, d_k)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, divided_by_n_keys,
              "the sum of the queries' entropies is divided by n_keys. There are n_queries of them "
              "to average.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                      root_if(scaled, static_cast<double>(d_k))) *
                         static_cast<double>(Q.shape(0)) / static_cast<double>(K.shape(0));
              }));

MISCONCEPTION(entropy_sweep, last_query_only,
              "this is the entropy of the last query alone, as where each overwrites the one "
              "before; the mean over all queries is asked for.",
              sweep_weights([](const Matrix& weights) {
                  return in_rows(weights, plain_entropy)(weights.shape(0) - 1);
              }));

MISCONCEPTION(entropy_sweep, softmax_over_the_whole_matrix,
              "the softmax is taken over the whole matrix, so that all weights together sum to 1. "
              "Each query, each row, has weights of its own that do.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                  root_if(scaled, static_cast<double>(d_k));
                  scores.reshape({std::size_t{1}, scores.size()});
                  return plain_entropy(Vector(xt::row(oracle::softmax_rows(scores), 0))) /
                         static_cast<double>(Q.shape(0));
              }));

MISCONCEPTION(entropy_sweep, one_entropy_for_the_whole_matrix,
              "this is the entropy of a softmax over the whole matrix, as if all pairs shared one "
              "attention. Each query, each row, has weights and an entropy of its own; their mean "
              "is asked for.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                  root_if(scaled, static_cast<double>(d_k));
                  scores.reshape({std::size_t{1}, scores.size()});
                  return plain_entropy(Vector(xt::row(oracle::softmax_rows(scores), 0)));
              }));

MISCONCEPTION(entropy_sweep, nan_at_zero_weights,
              "where a weight is exactly 0 this is NaN: 0 times minus infinity. The lesson's own "
              "entropy(weights) takes care of that, and can be called here.",
              sweep_weights([](const Matrix& weights) {
                  return total(in_rows(weights,
                                       [](const Vector& row) {
                                           return -sum_over(
                                               row, [](double p) { return p * std::log(p); });
                                       })) /
                         static_cast<double>(weights.shape(0));
              }));

MISCONCEPTION(
    entropy_sweep, softmax_overflows_unseen,
    "where scores are in the thousands, above 0 or below, the entropy is 0: weights are NaN, and "
    "an entropy that skips what is not above 0 skips them all. Either exp overflows, and ∞/∞ is "
    "NaN, or all exponentials of a row are 0, and 0/0 is NaN, as where no maximum is subtracted, "
    "or one that is searched from 0. attention::softmax_rows subtracts each row's own maximum.",
    sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
        const Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                              root_if(scaled, static_cast<double>(d_k));
        const Matrix terms = xt::exp(scores);
        const Matrix sums = xt::sum(terms, {1}, xt::keep_dims);
        const Vector nats = in_rows(Matrix(terms / sums), plain_entropy);
        return total(nats) / static_cast<double>(nats.size());
    }));

MISCONCEPTION(entropy_sweep, rows_cut,
              "the first d_k rows are taken, queries and keys, and not the first d_k columns, "
              "their components: xt::view(Q, xt::all(), xt::range(0, d_k)).",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const auto first = [=](const Matrix& X) -> Matrix {
                      return xt::view(X, xt::range(std::size_t{0}, std::min(d_k, X.shape(0))));
                  };
                  return mean_entropy(oracle::raw_scores(first(Q), first(K)) /
                                      root_if(scaled, static_cast<double>(Q.shape(1))));
              }));

MISCONCEPTION(entropy_sweep, softmax_overflows,
              "where scores are in the thousands this is NaN: either exp overflows, and ∞/∞ is "
              "NaN, or all exponentials of a row are 0, and 0/0 is NaN. attention::softmax_rows "
              "subtracts each row's maximum first.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                        root_if(scaled, static_cast<double>(d_k));
                  for (const double score : scores) {
                      if (score > 709.78) {
                          return std::numeric_limits<double>::quiet_NaN();
                      }
                  }
                  return mean_entropy(scores);
              }));

MISCONCEPTION(
    entropy_sweep, in_bits_here,
    "the entropies are in bits: the logarithm is to base 2. The lesson's entropy(weights) "
    "is in nats.",
    sweep_weights([](const Matrix& weights) {
        return total(in_rows(weights, plain_entropy)) / std::log(2.0) /
               static_cast<double>(weights.shape(0));
    }));

/// A sweep in which entropies(i) is computed for another d_k than d_ks[i].
auto sweep_at(std::function<std::size_t(std::size_t i, const std::vector<std::size_t>& d_ks)> at) {
    return [=](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
               bool scaled) -> EntropyCurve {
        lesson::require_sweep(Q, K, d_ks);
        EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
        for (std::size_t i = 0; i < d_ks.size(); ++i) {
            const std::size_t d_k = at(i, d_ks);
            curve.entropies(i) =
                mean_entropy(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                             root_if(scaled, static_cast<double>(d_k)));
        }
        return curve;
    };
}

MISCONCEPTION(entropy_sweep, index_for_dk,
              "entropies(i) is that of d_k = i + 1: the index is taken for the d_k, which is "
              "d_ks[i].",
              sweep_at([](std::size_t i, const std::vector<std::size_t>&) { return i + 1; }));

MISCONCEPTION(entropy_sweep, always_the_first_dk,
              "every entropy is that of the first of d_ks. entropies(i) belongs to d_ks[i].",
              sweep_at([](std::size_t, const std::vector<std::size_t>& d_ks) {
                  return d_ks.front();
              }));

MISCONCEPTION(entropy_sweep, entropies_in_ascending_order_of_dk,
              "the entropies come in ascending order of d_k, whatever order d_ks has. entropies(i) "
              "belongs to d_ks[i].",
              sweep_at([](std::size_t i, const std::vector<std::size_t>& d_ks) {
                  std::vector<std::size_t> sorted = d_ks;
                  std::sort(sorted.begin(), sorted.end());
                  return sorted[i];
              }));

} // namespace
