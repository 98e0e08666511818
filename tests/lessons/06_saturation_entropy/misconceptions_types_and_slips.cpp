// Wrong versions of the whole lesson: numbers in types that are too small, sums along the wrong
// axis, rows found in the wrong place, and short cuts that are right nearly everywhere.

#include <cstdint>

#include "gain.hpp"

namespace misconceptions_types_and_slips {

using namespace wrong;

namespace {

using S = std::size_t;

// ---- 06.1 entropy

constexpr const char* says_ends_early =
    "the sum over a row ends once nearly all of its weight has been seen. What comes after that "
    "counts for more than its share: −ln p is the larger, the smaller p is, and where one weight "
    "has nearly everything, the others are all there is. Go on to the end of the row.";

auto ends_once_seen(double all) {
    return in_each_row([=](const Vector& row) {
        double sum = 0, seen = 0;
        for (const double p : row) {
            sum -= p > 0 ? p * std::log(p) : 0;
            seen += p;
            if (seen >= all) {
                break;
            }
        }
        return sum;
    });
}

MISCONCEPTION(entropy, ends_once_seen_but_1e_3, says_ends_early, ends_once_seen(1 - 1e-3));
MISCONCEPTION(entropy, ends_once_seen_but_1e_6, says_ends_early, ends_once_seen(1 - 1e-6));
MISCONCEPTION(entropy, ends_once_seen_but_1e_9, says_ends_early, ends_once_seen(1 - 1e-9));
MISCONCEPTION(entropy, ends_once_seen_but_1e_12, says_ends_early, ends_once_seen(1 - 1e-12));
MISCONCEPTION(entropy, ends_once_seen_but_1e_15, says_ends_early, ends_once_seen(1 - 1e-15));

MISCONCEPTION(entropy, all_but_the_largest_taken_for_equal,
              "all weights but the largest are taken for equal: what is left for them is shared "
              "out evenly. Each weight of the row adds its own −p ln p.",
              in_each_row([](const Vector& p) {
                  const double most = largest(p), rest = 1 - most;
                  const double others = static_cast<double>(p.size()) - 1;
                  return (most > 0 ? -most * std::log(most) : 0) -
                         (rest > 0 && others > 0 ? rest * std::log(rest / others) : 0);
              }));

// ---- 06.2 gradient_gain

MISCONCEPTION(gradient_gain, single_key_as_equal_weights,
              "a single key is taken for a row of equal weights, whose gain is 1 / n_keys. That "
              "holds from two keys on: a single weight is always 1, and no gradient gets through.",
              in_each_row([](const Vector& p) { return p.size() == 1 ? 1.0 : right_gain(p); }));

MISCONCEPTION(gradient_gain, squares_over_the_trace,
              "this is the sum of all squared eigenvalues over the sum of all eigenvalues, Σ J² / "
              "trace: a mean of them. It is the largest only where all above 0 are alike.",
              in_each_row([](const Vector& p) {
                  const Matrix J = oracle::softmax_jacobian(p);
                  const double of_p = wrong::trace(p);
                  return of_p > 0 ? xt::sum(J * J)() / of_p : 0;
              }));

constexpr const char* says_small_weights_dropped =
    "small weights are left out of the row, and not only those that are 0. Where one weight has "
    "nearly everything, they are what the gain is made of: it is about twice what is left for "
    "them. Keep all that are above 0.";

auto without_weights_below(double least) {
    return in_each_row([=](const Vector& p) {
        std::vector<double> kept;
        std::copy_if(p.begin(), p.end(), std::back_inserter(kept),
                     [&](double x) { return x > least * largest(p); });
        Vector row = Vector::from_shape({kept.size()});
        std::copy(kept.begin(), kept.end(), row.begin());
        return kept.empty() ? 0.0 : right_gain(row);
    });
}

MISCONCEPTION(gradient_gain, weights_below_1e_3_left_out, says_small_weights_dropped,
              without_weights_below(1e-3));
MISCONCEPTION(gradient_gain, weights_below_1e_6_left_out, says_small_weights_dropped,
              without_weights_below(1e-6));
MISCONCEPTION(gradient_gain, weights_below_1e_9_left_out, says_small_weights_dropped,
              without_weights_below(1e-9));
MISCONCEPTION(gradient_gain, weights_below_1e_12_left_out, says_small_weights_dropped,
              without_weights_below(1e-12));

// ---- 06.3 entropy_sweep

MISCONCEPTION(
    entropy_sweep, products_summed_over_the_keys,
    "the products of a query with all keys, (n_keys, d_k), are summed over the keys (axis 0), so "
    "that there is one number for each component. Sum over the components (axis 1): a score "
    "belongs to a key.",
    sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
        const Vector of_keys = xt::sum(columns(K, 0, d_k), {0});
        const Matrix products = columns(Q, 0, d_k) * of_keys;
        return mean_entropy(Matrix(products / root_if(scaled, static_cast<double>(d_k))));
    }));

/// The first d_k components of each row, as if rows of X were only d_k long.
Matrix rows_too_close(const Matrix& X, S d_k) {
    Matrix first = Matrix::from_shape({X.shape(0), d_k});
    std::copy_n(X.data(), first.size(), first.data());
    return first;
}

constexpr const char* says_too_close =
    "row i is sought at i · d_k in the memory of Q and K. Their rows are as long as they have "
    "components, of which d_k may be only the first: row i begins at i · Q.shape(1), and Q(i, c) "
    "knows that.";

auto sweep_of(std::function<Matrix(const Matrix&, S)> of_Q,
              std::function<Matrix(const Matrix&, S)> of_K) {
    return sweep([=](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
        return mean_entropy(Matrix(oracle::raw_scores(of_Q(Q, d_k), of_K(K, d_k)) /
                                   root_if(scaled, static_cast<double>(d_k))));
    });
}

Matrix first_columns(const Matrix& X, S d_k) {
    return columns(X, 0, d_k);
}

MISCONCEPTION(entropy_sweep, rows_too_close, says_too_close,
              sweep_of(rows_too_close, rows_too_close));
MISCONCEPTION(entropy_sweep, rows_of_Q_too_close, says_too_close,
              sweep_of(rows_too_close, first_columns));
MISCONCEPTION(entropy_sweep, rows_of_K_too_close, says_too_close,
              sweep_of(first_columns, rows_too_close));

constexpr const char* says_measured_deviation =
    "scaled scores are divided by the standard deviation that they happen to have. Attention "
    "divides by √d_k, what scores of independent components have on average: then a query that "
    "sees larger scores than others stays more certain.";

/// By the deviation of numbers around their mean, or 1 where they are all alike.
double deviation(const Vector& numbers) {
    const double mean = total(numbers) / static_cast<double>(numbers.size());
    const double squares = sum_over(numbers, [=](double x) { return (x - mean) * (x - mean); });
    return squares > 0 ? std::sqrt(squares / static_cast<double>(numbers.size())) : 1;
}

MISCONCEPTION(entropy_sweep, divided_by_the_deviation_of_all, says_measured_deviation,
              sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
                  Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k));
                  scores /= scaled ? deviation(Vector(xt::flatten(scores))) : 1;
                  return mean_entropy(scores);
              }));
MISCONCEPTION(entropy_sweep, divided_by_the_deviation_of_each_row, says_measured_deviation,
              sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
                  Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k));
                  for (S i = 0; scaled && i < scores.shape(0); ++i) {
                      auto row = xt::view(scores, i, xt::all());
                      row /= deviation(Vector(row));
                  }
                  return mean_entropy(scores);
              }));

constexpr const char* says_mean_of_means =
    "the queries are averaged block by block, and the means of the blocks once more: a shorter "
    "block at the end counts as much as the others, and each of its queries more. Add up all "
    "entropies, and divide once, by n_queries.";

auto mean_of_means(S block) {
    return sweep_weights([=](const Matrix& weights) {
        const Vector nats = in_rows(weights, plain_entropy);
        double means = 0, blocks = 0;
        for (S from = 0; from < nats.size(); from += block, ++blocks) {
            const S to = std::min(from + block, nats.size());
            means +=
                total(Vector(xt::view(nats, xt::range(from, to)))) / static_cast<double>(to - from);
        }
        return means / blocks;
    });
}

MISCONCEPTION(entropy_sweep, mean_of_the_means_of_2, says_mean_of_means, mean_of_means(2));
MISCONCEPTION(entropy_sweep, mean_of_the_means_of_4, says_mean_of_means, mean_of_means(4));
MISCONCEPTION(entropy_sweep, mean_of_the_means_of_8, says_mean_of_means, mean_of_means(8));
MISCONCEPTION(entropy_sweep, mean_of_the_means_of_32, says_mean_of_means, mean_of_means(32));
MISCONCEPTION(entropy_sweep, mean_of_the_means_of_64, says_mean_of_means, mean_of_means(64));

MISCONCEPTION(
    entropy_sweep, scaled_by_powers_of_the_weights,
    "scaled weights are made of the unscaled ones, to the power 1/√d_k. On paper that is the same; "
    "but weights that had become 0 stay 0, and scores some hundreds apart are no more than some "
    "deviations apart once they are divided. Divide the scores, before the softmax.",
    sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
        Matrix weights =
            oracle::softmax_rows(oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)));
        if (scaled) {
            const Matrix powers = xt::pow(weights, 1 / std::sqrt(static_cast<double>(d_k)));
            const Matrix sums = xt::sum(powers, {1}, xt::keep_dims);
            weights = powers / sums;
        }
        return total(in_rows(weights, plain_entropy)) / static_cast<double>(weights.shape(0));
    }));

constexpr const char* says_of_all =
    "what is subtracted before the exponentials is the largest score of the whole matrix, not of "
    "each row. Where all scores of a query are some hundreds below it, their exponentials are 0, "
    "and so is their sum. Each row has a largest score of its own; attention::softmax_rows "
    "subtracts it.";

/// Exponentials divided by their sums, after the largest of all scores has been subtracted;
/// if_all_vanish: the entropy of a row whose exponentials are all 0.
auto by_the_largest_of_all(double if_all_vanish) {
    return sweep([=](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
        const Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                              root_if(scaled, static_cast<double>(d_k));
        const double most = xt::amax(scores)();
        return total(in_rows(scores,
                             [=](const Vector& row) {
                                 const Vector terms = xt::exp(row - most);
                                 const double sum = total(terms);
                                 return sum > 0 ? plain_entropy(Vector(terms / sum))
                                                : if_all_vanish;
                             })) /
               static_cast<double>(scores.shape(0));
    });
}

MISCONCEPTION(entropy_sweep, largest_of_all_queries_and_0, says_of_all, by_the_largest_of_all(0));
MISCONCEPTION(entropy_sweep, largest_of_all_queries_and_nan, says_of_all,
              by_the_largest_of_all(std::numeric_limits<double>::quiet_NaN()));

constexpr const char* says_root_in_float =
    "the root of d_k is a float, or its reciprocal is, and has seven digits. Every score is then "
    "off a little, and the entropies with it. Let it be a double: std::sqrt of a double is one.";

MISCONCEPTION(entropy_sweep, root_in_float, says_root_in_float,
              sweep_divided([](const Matrix&, double d_k, bool scaled) {
                  return static_cast<double>(std::sqrt(static_cast<float>(scaled ? d_k : 1)));
              }));
MISCONCEPTION(entropy_sweep, reciprocal_root_in_float, says_root_in_float,
              sweep_divided([](const Matrix&, double d_k, bool scaled) {
                  return 1.0 / (1.0F / std::sqrt(static_cast<float>(scaled ? d_k : 1)));
              }));

// ---- 06.4 predicted_entropy

/// Checks first, as the stub does.
auto predict(std::function<double(S n_keys, double variance)> nats) {
    return [=](S n_keys, double variance) -> double {
        if (n_keys == 0 || !(variance >= 0)) {
            throw std::invalid_argument("n_keys must be at least 1 and variance at least 0");
        }
        return nats(n_keys, variance);
    };
}

constexpr const char* says_signed =
    "n_keys is put into a signed number of 64 bits (long long, std::int64_t, std::ptrdiff_t). From "
    "2^63 on it is below 0 there, and a logarithm of that is NaN. Convert the std::size_t to a "
    "double at once.";

double logarithm_of_signed(S n) {
    return std::log(static_cast<double>(static_cast<std::int64_t>(n)));
}

MISCONCEPTION(predicted_entropy, keys_in_signed_64_bits, says_signed,
              predict([](S n, double v) { return std::max(0.0, logarithm_of_signed(n) - v / 2); }));
MISCONCEPTION(predicted_entropy, keys_in_signed_64_bits_and_nan, says_signed,
              predict([](S n, double v) { return std::max(logarithm_of_signed(n) - v / 2, 0.0); }));

MISCONCEPTION(predicted_entropy, variance_of_a_sample,
              "half of (1 − 1/n) σ² is subtracted, as where the variance was measured in a sample "
              "of n. What is given is the variance itself: half of that.",
              predict([](S n_keys, double v) {
                  const auto n = static_cast<double>(n_keys);
                  return std::max(0.0, std::log(n) - (n > 1 ? (1 - 1 / n) * v / 2 : 0));
              }));

MISCONCEPTION(predicted_entropy, share_of_the_most_is_0_by_0,
              "the variance is divided by 2 ln n, which is 0 for a single key: 0 / 0 is NaN. "
              "Subtract half of it from ln n, and nothing is divided by what may be 0.",
              predict([](S n, double v) {
                  const double ln_n = std::log(static_cast<double>(n));
                  return ln_n * std::max(1 - v / (2 * ln_n), 0.0);
              }));

// ---- 06.5 dk_at_collapse

/// What is found, as `narrow` keeps it.
auto found_in(std::function<S(S d_k)> narrow) {
    return [=](const EntropyCurve& curve) -> S {
        if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
            throw std::invalid_argument("an empty curve, or lists of different lengths");
        }
        for (S i = 0; i < curve.d_ks.size(); ++i) {
            if (curve.entropies(i) <= curve.entropies(0) / 2) {
                return narrow(curve.d_ks[i]);
            }
        }
        return 0;
    };
}

/// Every second point, and the one before it where that is low: before, if it is to be looked at.
auto every_second(bool before) {
    return [=](const EntropyCurve& curve) -> S {
        const S n = curve.d_ks.size();
        if (n == 0 || n != curve.entropies.size()) {
            throw std::invalid_argument("an empty curve, or lists of different lengths");
        }
        const auto is_low = [&](S i) { return curve.entropies(i) <= curve.entropies(0) / 2; };
        for (S i = 0; i < (before ? n + 1 : n); i += 2) {
            const S at = std::min(i, n - 1);
            if (is_low(at)) {
                return curve.d_ks[before && at > 0 && is_low(at - 1) ? at - 1 : at];
            }
        }
        return 0;
    };
}

constexpr const char* says_every_second =
    "only every second point of the curve is looked at (i += 2). One between them may be at half "
    "or below, and the curve rise again after it: look at all, one after the other.";

MISCONCEPTION(dk_at_collapse, every_second_point, says_every_second, every_second(false));
MISCONCEPTION(dk_at_collapse, every_second_point_and_the_one_before, says_every_second,
              every_second(true));

constexpr const char* says_narrow =
    "the d_k that is found is kept in a type that cannot hold each std::size_t, such as an int, an "
    "unsigned, a float or a double: a large one comes back as another number. Keep it in a "
    "std::size_t, or return it at once.";

MISCONCEPTION(dk_at_collapse, dk_in_an_int, says_narrow,
              found_in([](S d_k) { return static_cast<S>(static_cast<std::int32_t>(d_k)); }));
MISCONCEPTION(dk_at_collapse, dk_in_a_double, says_narrow, found_in([](S d_k) {
                  const auto kept = static_cast<double>(d_k);
                  return kept < 0x1p64 ? static_cast<S>(kept) : 0;
              }));

} // namespace

} // namespace misconceptions_types_and_slips
