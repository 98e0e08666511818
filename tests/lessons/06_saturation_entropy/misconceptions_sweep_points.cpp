// Wrong versions of 06.3: other means, other divisors, and scores that are kept from d_k to d_k.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- what is made of the queries' entropies

Vector sorted_entropies(const Matrix& weights) {
    Vector nats = in_rows(weights, plain_entropy);
    std::sort(nats.begin(), nats.end());
    return nats;
}

MISCONCEPTION(entropy_sweep, largest_of_the_queries,
              "this is the largest of the queries' entropies; their mean is asked for.",
              sweep_weights([](const Matrix& weights) {
                  return sorted_entropies(weights)(weights.shape(0) - 1);
              }));

MISCONCEPTION(entropy_sweep, smallest_of_the_queries,
              "this is the smallest of the queries' entropies; their mean is asked for.",
              sweep_weights([](const Matrix& weights) { return sorted_entropies(weights)(0); }));

MISCONCEPTION(entropy_sweep, median_of_the_queries,
              "this is the median of the queries' entropies; their mean is asked for.",
              sweep_weights([](const Matrix& weights) {
                  return sorted_entropies(weights)(weights.shape(0) / 2);
              }));

MISCONCEPTION(entropy_sweep, one_query_too_few_in_the_mean,
              "the sum of the queries' entropies is divided by n_queries − 1. A mean divides by "
              "how many there are.",
              sweep_weights([](const Matrix& weights) {
                  return total(in_rows(weights, plain_entropy)) /
                         (static_cast<double>(weights.shape(0)) - 1);
              }));

MISCONCEPTION(entropy_sweep, divided_inside_the_loop,
              "the sum is divided by n_queries after each query, inside the loop: early ones are "
              "divided several times. Divide once, after it.",
              sweep_weights([](const Matrix& weights) {
                  double sum = 0;
                  for (const double h : in_rows(weights, plain_entropy)) {
                      sum = (sum + h) / static_cast<double>(weights.shape(0));
                  }
                  return sum;
              }));

MISCONCEPTION(entropy_sweep, share_of_the_most,
              "the entropy is divided by ln n_keys, the most there can be. Nats are asked for.",
              sweep_weights([](const Matrix& weights) {
                  return total(in_rows(weights, plain_entropy)) /
                         static_cast<double>(weights.shape(0)) /
                         std::log(static_cast<double>(weights.shape(1)));
              }));

MISCONCEPTION(entropy_sweep, softmax_left_out,
              "the entropy is taken of the scores. It is one of weights: softmax_rows comes "
              "between.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                        root_if(scaled, static_cast<double>(d_k));
                  return total(in_rows(scores, plain_entropy)) / static_cast<double>(Q.shape(0));
              }));

MISCONCEPTION(entropy_sweep, softmax_down_entropy_along,
              "the softmax runs down the columns, and the entropy along the rows, whose weights "
              "then do not sum to 1. Both belong to the rows: a query shares out its attention.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const Matrix scores = oracle::raw_scores(columns(K, 0, d_k), columns(Q, 0, d_k)) /
                                        root_if(scaled, static_cast<double>(d_k));
                  const Matrix weights = xt::transpose(oracle::softmax_rows(scores));
                  return total(in_rows(weights, plain_entropy)) / static_cast<double>(Q.shape(0));
              }));

constexpr const char* says_epsilon_in_sweep =
    "a small number is added inside the logarithm, ln(p + ε), which changes every entropy a "
    "little. The lesson's own entropy(weights) does without, and can be called here.";

auto sweep_with_epsilon(double epsilon) {
    return sweep_weights([=](const Matrix& weights) {
        return -sum_over(Vector(xt::flatten(weights)), [=](double p) {
            return p * std::log(p + epsilon);
        }) / static_cast<double>(weights.shape(0));
    });
}

MISCONCEPTION(entropy_sweep, epsilon_1e_8, says_epsilon_in_sweep, sweep_with_epsilon(1e-8));
MISCONCEPTION(entropy_sweep, epsilon_1e_9, says_epsilon_in_sweep, sweep_with_epsilon(1e-9));
MISCONCEPTION(entropy_sweep, epsilon_1e_10, says_epsilon_in_sweep, sweep_with_epsilon(1e-10));
MISCONCEPTION(entropy_sweep, epsilon_1e_12, says_epsilon_in_sweep, sweep_with_epsilon(1e-12));

MISCONCEPTION(entropy_sweep, predicted_not_measured,
              "this is the prediction of 06.4. Here the entropies of the weights themselves are "
              "asked for, which Q and K make.",
              sweep([](const Matrix&, const Matrix& K, std::size_t d_k, bool scaled) {
                  return std::max(0.0, std::log(static_cast<double>(K.shape(0))) -
                                           (scaled ? 1 : static_cast<double>(d_k)) / 2);
              }));

// ---- which scores

MISCONCEPTION(entropy_sweep, root_of_n_queries,
              "scaled scores are divided by √n_queries. What makes a score large is how many "
              "products it sums, d_k.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                      root_if(scaled, static_cast<double>(Q.shape(0))));
              }));

MISCONCEPTION(entropy_sweep, first_rows_for_first_components,
              "the view takes the first d_k rows, the first queries. Components are columns: "
              "xt::view(Q, xt::all(), xt::range(0, d_k)).",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const Matrix some = xt::view(Q, xt::range(0, std::min(d_k, Q.shape(0))));
                  return mean_entropy(oracle::raw_scores(some, K) /
                                      root_if(scaled, static_cast<double>(Q.shape(1))));
              }));

MISCONCEPTION(entropy_sweep, queries_against_queries,
              "the scores are those of Q with itself. Queries ask the keys: Q Kᵀ.",
              sweep([](const Matrix& Q, const Matrix&, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(Q, 0, d_k), columns(Q, 0, d_k)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, keys_against_keys,
              "the scores are those of K with itself. Queries ask the keys: Q Kᵀ.",
              sweep([](const Matrix&, const Matrix& K, std::size_t d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(K, 0, d_k), columns(K, 0, d_k)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, components_beyond_64_left_out,
              "no d_k sees more than 64 components. It may be any number of them.",
              sweep([](const Matrix& Q, const Matrix& K, std::size_t d_k, bool scaled) {
                  const std::size_t seen = std::min<std::size_t>(64, d_k);
                  return mean_entropy(oracle::raw_scores(columns(Q, 0, seen), columns(K, 0, seen)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

// ---- what all of d_ks has a part in

/// entropies(i) by point(i, scores), where scores are whatever is left of those before.
using Step = std::function<void(Matrix& scores, std::size_t i, std::size_t& summed)>;
using DKs = std::vector<std::size_t>;
auto sweep_onward(std::function<Step(const Matrix& Q, const Matrix& K, const DKs& d_ks)> step,
                  bool divided_for_good = false) {
    return [=](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
        lesson::require_sweep(Q, K, d_ks);
        EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
        Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
        std::size_t summed = 0;
        const Step add = step(Q, K, d_ks);
        for (std::size_t i = 0; i < d_ks.size(); ++i) {
            add(scores, i, summed);
            const Matrix divided = scores / root_if(scaled, static_cast<double>(d_ks[i]));
            scores = divided_for_good ? divided : scores;
            curve.entropies(i) = mean_entropy(divided);
        }
        return curve;
    };
}

void add_components(Matrix& scores, const Matrix& Q, const Matrix& K, std::size_t from,
                    std::size_t to) {
    if (to > from) {
        scores += oracle::raw_scores(columns(Q, from, to), columns(K, from, to));
    }
}

MISCONCEPTION(entropy_sweep, scores_not_reset,
              "the scores of each d_k are added to those of the d_ks before it. Begin with 0, or "
              "add only the components that are new.",
              sweep_onward([](const Matrix& Q, const Matrix& K, const DKs& d_ks) -> Step {
                  return [&](Matrix& scores, std::size_t i, std::size_t&) {
                      add_components(scores, Q, K, 0, d_ks[i]);
                  };
              }));

constexpr const char* says_only_upwards =
    "the scores go on from one d_k to the next, which is right as long as d_ks rises. It comes in "
    "any order: after a larger d_k a smaller one has too many components.";

Step only_new(const Matrix& Q, const Matrix& K, const DKs& d_ks) {
    return [&](Matrix& scores, std::size_t i, std::size_t& summed) {
        add_components(scores, Q, K, summed, d_ks[i]);
        summed = std::max(summed, d_ks[i]);
    };
}

MISCONCEPTION(entropy_sweep, only_upwards, says_only_upwards, sweep_onward(only_new));

/// Of each d_k that is larger than the one before it only the components that it has more.
auto sweep_of_the_new(bool divided_by_their_root) {
    return [=](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
        lesson::require_sweep(Q, K, d_ks);
        EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
        for (std::size_t i = 0; i < d_ks.size(); ++i) {
            const std::size_t from = i > 0 && d_ks[i - 1] < d_ks[i] ? d_ks[i - 1] : 0;
            const std::size_t summed = d_ks[i] - (divided_by_their_root ? from : 0);
            Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
            add_components(scores, Q, K, from, d_ks[i]);
            curve.entropies(i) =
                mean_entropy(scores / root_if(scaled, static_cast<double>(summed)));
        }
        return curve;
    };
}

constexpr const char* says_only_the_new =
    "each d_k that is larger than the one before it sees only the components that it has more. It "
    "sees all of its first d_k: begin at component 0, or add to the scores of the one before.";

MISCONCEPTION(entropy_sweep, only_the_new_components, says_only_the_new, sweep_of_the_new(true));
MISCONCEPTION(entropy_sweep, only_the_new_components_by_the_whole_root, says_only_the_new,
              sweep_of_the_new(false));

MISCONCEPTION(entropy_sweep, divided_for_good,
              "the scores that are kept for the next d_k have been divided by the root of this "
              "one. Keep the sums, and divide a copy.",
              sweep_onward(
                  [](const Matrix& Q, const Matrix& K, const DKs& d_ks) -> Step {
                      return [&](Matrix& scores, std::size_t i, std::size_t& summed) {
                          if (d_ks[i] < summed) {
                              scores.fill(0);
                              summed = 0;
                          }
                          add_components(scores, Q, K, summed, d_ks[i]);
                          summed = d_ks[i];
                      };
                  },
                  true));

/// The divisor and the d_k that entropies(i) is computed for.
auto sweep_with(std::function<std::pair<std::size_t, double>(std::size_t i, const DKs& d_ks)> at) {
    return [=](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
        lesson::require_sweep(Q, K, d_ks);
        EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
        for (std::size_t i = 0; i < d_ks.size(); ++i) {
            const auto [seen, d_k] = at(i, d_ks);
            Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
            add_components(scores, Q, K, 0, seen);
            curve.entropies(i) = mean_entropy(scores / root_if(scaled, d_k));
        }
        return curve;
    };
}

MISCONCEPTION(entropy_sweep, root_of_the_largest_dk,
              "scaled scores are divided by the root of the largest of d_ks, for every d_k alike. "
              "Each has its own √d_k.",
              sweep_with([](std::size_t i, const DKs& d_ks) {
                  const std::size_t most = *std::max_element(d_ks.begin(), d_ks.end());
                  return std::pair(d_ks[i], static_cast<double>(most));
              }));

MISCONCEPTION(entropy_sweep, root_of_the_first_dk,
              "scaled scores are divided by the root of the first of d_ks, for every d_k alike. "
              "Each has its own √d_k.",
              sweep_with([](std::size_t i, const DKs& d_ks) {
                  return std::pair(d_ks[i], static_cast<double>(d_ks.front()));
              }));

MISCONCEPTION(entropy_sweep, index_from_0_for_dk,
              "entropies(i) is that of d_k = i: the index is taken for the d_k, which is d_ks[i].",
              sweep_with([](std::size_t i, const DKs&) {
                  return std::pair(i, static_cast<double>(i));
              }));

MISCONCEPTION(entropy_sweep, always_the_last_dk,
              "every entropy is that of the last of d_ks. entropies(i) belongs to d_ks[i].",
              sweep_with([](std::size_t, const DKs& d_ks) {
                  return std::pair(d_ks.back(), static_cast<double>(d_ks.back()));
              }));

MISCONCEPTION(
    entropy_sweep, divided_by_how_many_dks,
    "the sum of the queries' entropies is divided by how many d_ks there are. There are "
    "n_queries of them to average.",
    [](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
        auto curve = sweep([](const Matrix& Q_, const Matrix& K_, std::size_t d_k, bool is_scaled) {
            return mean_entropy(oracle::raw_scores(columns(Q_, 0, d_k), columns(K_, 0, d_k)) /
                                root_if(is_scaled, static_cast<double>(d_k)));
        })(Q, K, d_ks, scaled);
        curve.entropies *= static_cast<double>(Q.shape(0)) / static_cast<double>(d_ks.size());
        return curve;
    });

MISCONCEPTION(entropy_sweep, repeated_dks_dropped,
              "a d_k that comes again is dropped, as a set or a map does it. The curve has the "
              "same d_ks in the same order, repeated ones too.",
              [](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
                  lesson::require_sweep(Q, K, d_ks);
                  DKs once;
                  for (const std::size_t d_k : d_ks) {
                      if (std::find(once.begin(), once.end(), d_k) == once.end()) {
                          once.push_back(d_k);
                      }
                  }
                  return sweep_weights([](const Matrix& weights) {
                      const Vector nats = in_rows(weights, plain_entropy);
                      return total(nats) / static_cast<double>(nats.size());
                  })(Q, K, once, scaled);
              });

MISCONCEPTION(entropy_sweep, repeats_in_a_row_dropped,
              "a d_k that comes twice in a row is dropped, as std::unique does it. The curve has "
              "the same d_ks in the same order, repeated ones too.",
              [](const Matrix& Q, const Matrix& K, DKs d_ks, bool scaled) -> EntropyCurve {
                  lesson::require_sweep(Q, K, d_ks);
                  d_ks.erase(std::unique(d_ks.begin(), d_ks.end()), d_ks.end());
                  return sweep_weights([](const Matrix& weights) {
                      const Vector nats = in_rows(weights, plain_entropy);
                      return total(nats) / static_cast<double>(nats.size());
                  })(Q, K, d_ks, scaled);
              });

MISCONCEPTION(entropy_sweep, median_over_queries,
              "this is the median of the queries' entropies: half of them are larger. Their mean "
              "is asked for.",
              sweep_weights([](const Matrix& weights) {
                  Vector nats = in_rows(weights, plain_entropy);
                  std::sort(nats.begin(), nats.end());
                  return (nats((nats.size() - 1) / 2) + nats(nats.size() / 2)) / 2;
              }));

MISCONCEPTION(entropy_sweep, dks_in_ascending_order,
              "d_ks is sorted, and comes back in another order than it was given. The curve has "
              "the same d_ks in the same order.",
              [](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
                  DKs sorted = d_ks;
                  std::sort(sorted.begin(), sorted.end());
                  return sweep(
                      [](const Matrix& Q_, const Matrix& K_, std::size_t d_k, bool is_scaled) {
                          return mean_entropy(
                              oracle::raw_scores(columns(Q_, 0, d_k), columns(K_, 0, d_k)) /
                              root_if(is_scaled, static_cast<double>(d_k)));
                      })(Q, K, sorted, scaled);
              });

constexpr const char* says_over =
    "once the entropy is small, that of every d_k after it is taken for 0. It may rise again, and "
    "small is not 0: compute each.";

/// All d_k that come after one whose entropy is below the bound.
auto over_below(double bound) {
    return [=](const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) -> EntropyCurve {
        EntropyCurve curve =
            sweep([](const Matrix& Q_, const Matrix& K_, std::size_t d_k, bool is_scaled) {
                return mean_entropy(oracle::raw_scores(columns(Q_, 0, d_k), columns(K_, 0, d_k)) /
                                    root_if(is_scaled, static_cast<double>(d_k)));
            })(Q, K, d_ks, scaled);
        bool over = false;
        for (double& entropy : curve.entropies) {
            entropy = over ? 0 : entropy;
            over = over || entropy < bound;
        }
        return curve;
    };
}

MISCONCEPTION(entropy_sweep, over_below_a_hundredth, says_over, over_below(1e-2));
MISCONCEPTION(entropy_sweep, over_below_a_thousandth, says_over, over_below(1e-3));
MISCONCEPTION(entropy_sweep, over_below_a_millionth, says_over, over_below(1e-6));

} // namespace
