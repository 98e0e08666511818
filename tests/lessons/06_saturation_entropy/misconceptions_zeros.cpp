// Wrong versions that take a 0 for nothing or for an end, or treat the smallest sizes apart.

#include "gain.hpp"
#include "support/at_zero.hpp"

namespace misconceptions_zeros {

using namespace wrong;

namespace {

using S = std::size_t;

/// The weights up to the first that is 0.
Vector up_to_zero(const Vector& p) {
    const auto end = std::find(p.begin(), p.end(), 0.0);
    Vector first = Vector::from_shape({static_cast<S>(end - p.begin())});
    std::copy(p.begin(), end, first.begin());
    return first;
}

// ---- 06.1 entropy

MISCONCEPTION(entropy, first_weight_of_zero_ends_row,
              "a row whose first weight is 0 gets the entropy 0. That weight adds nothing, and the "
              "others do.",
              in_each_row([](const Vector& p) { return p(0) == 0 ? 0.0 : plain_entropy(p); }));
MISCONCEPTION(
    entropy, zero_adds_one,
    "a weight of 0 adds 1: something stands in for its logarithm that is not multiplied by "
    "the weight. 0 · log 0 is 0.",
    in_each_row([](const Vector& p) {
        return sum_over(p, [](double x) { return x > 0 ? -x * std::log(x) : 1.0; });
    }));
MISCONCEPTION(entropy, single_query_term_by_term,
              "a single row of weights is not summed but returned term by term. One query has one "
              "entropy.",
              [](const Matrix& weights) -> Vector {
                  if (weights.shape(0) > 1) {
                      return in_rows(weights, plain_entropy);
                  }
                  return in_columns(weights, plain_entropy);
              });

// ---- 06.2 gradient_gain

MISCONCEPTION(gradient_gain, row_ends_at_zero,
              "the weights after the first 0 are left out: the loop ends there. A weight of 0 has "
              "no part in the gain, and those after it do.",
              in_each_row([](const Vector& p) {
                  const Vector first = up_to_zero(p);
                  return first.size() == 0 ? 0.0 : right_gain(first);
              }));
MISCONCEPTION(gradient_gain, rows_with_a_zero_left_out,
              "a row with a weight of 0 in it gets the gain 0. A weight of 0 has no part in the "
              "gain, and the others do.",
              in_each_row([](const Vector& p) {
                  return up_to_zero(p).size() < p.size() ? 0.0 : right_gain(p);
              }));

MISCONCEPTION(gradient_gain, largest_of_all_queries,
              "every query gets the largest gain of all: the maximum is not reset with each row.",
              [](const Matrix& weights) -> Vector {
                  const double most = largest(in_rows(weights, right_gain));
                  return most * xt::ones<double>({weights.shape(0)});
              });
MISCONCEPTION(gradient_gain, of_the_outer_product,
              "this is the largest eigenvalue of p pᵀ alone, Σ p². diag(p) is missing, from which "
              "it is subtracted.",
              in_each_row([](const Vector& p) {
                  return sum_over(p, [](double x) { return x * x; });
              }));
MISCONCEPTION(gradient_gain, of_the_two_largest_weights,
              "only the two largest weights are looked at, as if they were shares of a softmax of "
              "two. The others change the gain, too.",
              in_each_row([](const Vector& p) {
                  Vector sorted = p;
                  std::sort(sorted.begin(), sorted.end(), std::greater<>());
                  return p.size() < 2 ? 0.0 : 2 * sorted(0) * sorted(1) / (sorted(0) + sorted(1));
              }));

// ---- 06.3 entropy_sweep

/// Scores in loops that ask `at` what to do at each product.
template <class At>
auto sweep_scores(At at) {
    return sweep([at](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
        return mean_entropy(
            at_zero::product_transposed(columns(Q, 0, d_k), columns(K, 0, d_k), at) /
            root_if(scaled, static_cast<double>(d_k)));
    });
}

/// The mean over the queries that count(nats) counts.
template <class Counts>
auto sweep_mean_of(Counts counts) {
    return sweep_weights([counts](const Matrix& weights) {
        const Vector nats = in_rows(weights, plain_entropy);
        double sum = 0, n = 0;
        for (const double h : nats) {
            sum += counts(h) ? h : 0;
            n += counts(h) ? 1 : 0;
        }
        return sum / (n > 0 ? n : 1);
    });
}

MISCONCEPTION(entropy_sweep, score_ends_at_zero_in_query,
              "a score ends at a component of the query that is 0: break where continue was meant. "
              "A 0 adds nothing, and what comes after it counts.",
              sweep_scores(at_zero::end_at_zero_left));
MISCONCEPTION(entropy_sweep, score_ends_at_zero_in_key,
              "a score ends at a component of the key that is 0: break where continue was meant. A "
              "0 adds nothing, and what comes after it counts.",
              sweep_scores(at_zero::end_at_zero_right));
MISCONCEPTION(entropy_sweep, score_ends_at_zero_product,
              "a score ends at a product that is 0: break where continue was meant. A 0 adds "
              "nothing, and what comes after it counts.",
              sweep_scores(at_zero::end_at_zero_product));
MISCONCEPTION(entropy_sweep, certain_queries_left_out_of_the_mean,
              "a query whose entropy is 0 is left out of the mean. It counts as any other: it is "
              "certain.",
              sweep_mean_of([](double h) { return h > 0; }));
MISCONCEPTION(entropy_sweep, single_query_not_scaled,
              "the scores of a single query are not scaled. However many queries there are, scaled "
              "ones are divided by √d_k.",
              sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
                  return mean_entropy(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                                      root_if(scaled && Q.shape(0) > 1, static_cast<double>(d_k)));
              }));

MISCONCEPTION(entropy_sweep, components_counted_from_1,
              "d_k sees components 1 … d_k, and not 0 … d_k - 1: indices count from 0.",
              sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
                  const S end = std::min(d_k + 1, Q.shape(1));
                  return mean_entropy(oracle::raw_scores(columns(Q, 1, end), columns(K, 1, end)) /
                                      root_if(scaled, static_cast<double>(d_k)));
              }));

// ---- 06.5 dk_at_collapse

/// The first d_k that found(curve, i) finds, before an i at which ended(curve, i).
template <class Found, class Ended>
auto first_that(Found found, Ended ended) {
    return [=](const EntropyCurve& curve) -> S {
        if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
            throw std::invalid_argument("an empty curve, or lists of different lengths");
        }
        for (S i = 0; i < curve.d_ks.size() && !ended(curve, i); ++i) {
            if (found(curve, i)) {
                return curve.d_ks[i];
            }
        }
        return 0;
    };
}

bool at_most_half(const EntropyCurve& curve, S i) {
    return curve.entropies(i) <= curve.entropies(0) / 2;
}

MISCONCEPTION(dk_at_collapse, entropy_of_zero_skipped,
              "a point whose entropy is 0 is skipped, as if it had not been measured. There the "
              "softmax has collapsed altogether.",
              first_that([](const EntropyCurve& curve,
                            S i) { return at_most_half(curve, i) && curve.entropies(i) != 0; },
                         [](const EntropyCurve&, S) { return false; }));
MISCONCEPTION(dk_at_collapse, curve_ends_at_zero,
              "an entropy of 0 is taken for the end of the curve. There the softmax has collapsed "
              "altogether.",
              first_that(at_most_half,
                         [](const EntropyCurve& curve, S i) { return curve.entropies(i) == 0; }));
} // namespace

} // namespace misconceptions_zeros
