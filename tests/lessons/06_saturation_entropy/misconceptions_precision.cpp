// Wrong versions of 06.1 that are off by little, as what keeps the NaN away changes other terms;
// and other sums over the weights.

#include <limits>
#include <set>

#include "wrong.hpp"

using namespace wrong;

namespace {

constexpr const char* says_epsilon =
    "a small number is added inside the logarithm, ln(p + ε). That keeps the NaN away and changes "
    "every term: where one weight is 1 the entropy comes out below 0. Ask whether p is 0; that "
    "changes nothing else.";

constexpr const char* says_small_epsilon =
    "a small number is added inside the logarithm, ln(p + ε). That keeps the NaN away and changes "
    "the terms of weights that are as small: where one weight has nearly everything, they are all "
    "there is. Ask whether p is 0; that changes nothing else.";

auto with_epsilon(double epsilon) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(row, [=](double p) { return p * std::log(p + epsilon); });
    });
}

MISCONCEPTION(entropy, epsilon_of_1e_5, says_epsilon, with_epsilon(1e-5));
MISCONCEPTION(entropy, epsilon_of_1e_6, says_epsilon, with_epsilon(1e-6));
MISCONCEPTION(entropy, epsilon_of_1e_7, says_epsilon, with_epsilon(1e-7));
MISCONCEPTION(entropy, epsilon_of_1e_8, says_epsilon, with_epsilon(1e-8));
MISCONCEPTION(entropy, epsilon_of_1e_9, says_epsilon, with_epsilon(1e-9));
MISCONCEPTION(entropy, epsilon_of_1e_10, says_epsilon, with_epsilon(1e-10));
MISCONCEPTION(entropy, epsilon_of_1e_11, says_epsilon, with_epsilon(1e-11));
MISCONCEPTION(entropy, epsilon_of_1e_12, says_epsilon, with_epsilon(1e-12));
MISCONCEPTION(entropy, epsilon_of_1e_15, says_epsilon, with_epsilon(1e-15));
MISCONCEPTION(entropy, epsilon_of_1e_16, says_small_epsilon, with_epsilon(1e-16));
MISCONCEPTION(entropy, epsilon_of_1e_20, says_small_epsilon, with_epsilon(1e-20));
MISCONCEPTION(entropy, epsilon_of_1e_30, says_small_epsilon, with_epsilon(1e-30));
MISCONCEPTION(entropy, epsilon_of_1e_100, says_small_epsilon, with_epsilon(1e-100));
MISCONCEPTION(entropy, epsilon_of_double, says_epsilon, with_epsilon(2.220446049250313e-16));

constexpr const char* says_clamped =
    "weights are raised to a small least value before the formula, and small weights count for "
    "more than they are. A weight of 0 adds exactly 0: leave it out.";

auto clamped_at(double least) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(
            row, [=](double p) { return std::max(p, least) * std::log(std::max(p, least)); });
    });
}

MISCONCEPTION(entropy, clamped_at_1e_6, says_clamped, clamped_at(1e-6));
MISCONCEPTION(entropy, clamped_at_1e_8, says_clamped, clamped_at(1e-8));
MISCONCEPTION(entropy, clamped_at_1e_9, says_clamped, clamped_at(1e-9));
MISCONCEPTION(entropy, clamped_at_1e_10, says_clamped, clamped_at(1e-10));
MISCONCEPTION(entropy, clamped_at_1e_12, says_clamped, clamped_at(1e-12));

constexpr const char* says_logarithm_clamped =
    "the weight inside the logarithm is raised to a small least value: −p ln p of a weight below "
    "that comes out too small. Ask whether p is 0; that changes nothing else.";

auto logarithm_clamped_at(double least) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(row, [=](double p) { return p * std::log(std::max(p, least)); });
    });
}

MISCONCEPTION(entropy, logarithm_clamped_at_1e_6, says_logarithm_clamped,
              logarithm_clamped_at(1e-6));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_8, says_logarithm_clamped,
              logarithm_clamped_at(1e-8));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_9, says_logarithm_clamped,
              logarithm_clamped_at(1e-9));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_10, says_logarithm_clamped,
              logarithm_clamped_at(1e-10));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_12, says_logarithm_clamped,
              logarithm_clamped_at(1e-12));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_16, says_logarithm_clamped,
              logarithm_clamped_at(1e-16));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_30, says_logarithm_clamped,
              logarithm_clamped_at(1e-30));
MISCONCEPTION(entropy, logarithm_clamped_at_1e_100, says_logarithm_clamped,
              logarithm_clamped_at(1e-100));

constexpr const char* says_small_skipped =
    "small weights are left out, not only those that are 0. A weight of 1e-6 adds 0.00001 nats, "
    "which counts: compare with 0 itself.";

auto skipped_below(double least) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(row, [=](double p) { return p > least ? p * std::log(p) : 0; });
    });
}

MISCONCEPTION(entropy, skipped_below_1e_5, says_small_skipped, skipped_below(1e-5));
MISCONCEPTION(entropy, skipped_below_1e_6, says_small_skipped, skipped_below(1e-6));
MISCONCEPTION(entropy, skipped_below_1e_8, says_small_skipped, skipped_below(1e-8));
MISCONCEPTION(entropy, skipped_below_1e_9, says_small_skipped, skipped_below(1e-9));
MISCONCEPTION(entropy, skipped_below_1e_7, says_small_skipped, skipped_below(1e-7));
MISCONCEPTION(entropy, skipped_below_1e_10, says_small_skipped, skipped_below(1e-10));
MISCONCEPTION(entropy, skipped_below_1e_11, says_small_skipped, skipped_below(1e-11));
MISCONCEPTION(entropy, skipped_below_1e_12, says_small_skipped, skipped_below(1e-12));

constexpr const char* says_tiny_skipped =
    "tiny weights are left out, not only those that are 0. Where one weight has nearly everything, "
    "they are all there is: compare with 0 itself.";
MISCONCEPTION(entropy, skipped_below_epsilon, says_tiny_skipped,
              skipped_below(2.220446049250313e-16));
MISCONCEPTION(entropy, skipped_below_1e_20, says_tiny_skipped, skipped_below(1e-20));
MISCONCEPTION(entropy, skipped_below_1e_30, says_tiny_skipped, skipped_below(1e-30));
MISCONCEPTION(entropy, skipped_below_1e_100, says_tiny_skipped, skipped_below(1e-100));

// The limits of float and double, as std::numeric_limits has them.
constexpr double epsilon_of_float = std::numeric_limits<float>::epsilon();
constexpr double smallest_float = std::numeric_limits<float>::min();

MISCONCEPTION(entropy, epsilon_of_float, says_epsilon, with_epsilon(epsilon_of_float));
MISCONCEPTION(entropy, epsilon_of_the_smallest_float, says_small_epsilon,
              with_epsilon(smallest_float));
MISCONCEPTION(entropy, clamped_at_the_smallest_float, says_clamped, clamped_at(smallest_float));
MISCONCEPTION(entropy, logarithm_clamped_at_epsilon_of_float, says_logarithm_clamped,
              logarithm_clamped_at(epsilon_of_float));
MISCONCEPTION(entropy, logarithm_clamped_at_epsilon, says_logarithm_clamped,
              logarithm_clamped_at(2.220446049250313e-16));
MISCONCEPTION(entropy, logarithm_clamped_at_the_smallest_float, says_logarithm_clamped,
              logarithm_clamped_at(smallest_float));
MISCONCEPTION(entropy, skipped_below_the_smallest_float, says_tiny_skipped,
              skipped_below(smallest_float));

// ---- other sums

/// Σ −p ln p, where op(sum, p), which is meant to add one term, is also given two weights and two
/// sums, as std::reduce does it: in groups of four.
double reduced(const Vector& row) {
    const auto op = [](double sum, double p) { return p > 0 ? sum - p * std::log(p) : sum; };
    double sum = 0;
    std::size_t j = 0;
    for (; j + 4 <= row.size(); j += 4) {
        sum = op(sum, op(op(row(j), row(j + 1)), op(row(j + 2), row(j + 3))));
    }
    for (; j < row.size(); ++j) {
        sum = op(sum, row(j));
    }
    return sum;
}

MISCONCEPTION(entropy, reduced_in_groups_of_four,
              "the weights are joined in groups of four, and −p ln p is taken of sums, too, where "
              "a weight is meant. So does std::reduce, which joins whatever it has in any order: "
              "its operation is also given two weights, or two sums. Use a loop, std::accumulate "
              "or std::transform_reduce.",
              in_each_row(reduced));

double plain_entropy_of(const std::set<double>& weights) {
    double sum = 0;
    for (const double p : weights) {
        sum -= p > 0 ? p * std::log(p) : 0;
    }
    return sum;
}

MISCONCEPTION(entropy, equal_weights_once,
              "weights that are equal count once, as in a std::set or a std::map. Each key has a "
              "weight of its own, and each adds its −p ln p.",
              in_each_row([](const Vector& row) {
                  return plain_entropy_of(std::set<double>(row.begin(), row.end()));
              }));

MISCONCEPTION(entropy, done_at_a_certain_query,
              "after a query that has a weight of 1, all queries have the entropy 0: return leaves "
              "the function there. Go on with the next row (continue).",
              [](const Matrix& weights) -> Vector {
                  Vector nats = in_rows(weights, plain_entropy);
                  bool done = false;
                  for (std::size_t i = 0; i < nats.size(); ++i) {
                      done = done || largest(Vector(xt::view(weights, i, xt::all()))) == 1;
                      nats(i) = done ? 0 : nats(i);
                  }
                  return nats;
              });

MISCONCEPTION(entropy, only_the_last_term,
              "only the last term of each row is there: each overwrites the one before. They are "
              "added up (+= or -=, not =).",
              in_each_row([](const Vector& row) {
                  double term = 0;
                  for (const double p : row) {
                      term = p > 0 ? -p * std::log(p) : term;
                  }
                  return term;
              }));

MISCONCEPTION(entropy, of_order_two,
              "this is −ln Σ p², Rényi's entropy of order 2. The logarithm belongs inside the sum, "
              "one for each weight: −Σ p ln p.",
              in_each_row([](const Vector& row) {
                  return -std::log(sum_over(row, [](double p) { return p * p; }));
              }));

MISCONCEPTION(entropy, softmax_again,
              "a softmax is taken of the weights, which are the result of one already: they come "
              "out nearly equal. Use them as they are.",
              [](const Matrix& weights) -> Vector {
                  return in_rows(oracle::softmax_rows(weights), plain_entropy);
              });

MISCONCEPTION(entropy, zeros_only,
              "the condition is the wrong way round: weights above 0 are left out, and those that "
              "are 0 go into the logarithm.",
              in_each_row([](const Vector& row) {
                  return -sum_over(row, [](double p) { return p > 0 ? 0 : p * std::log(p); });
              }));

MISCONCEPTION(entropy, mean_logarithm,
              "this is the plain mean of −ln p. Each −ln p is weighed with its own p, not with "
              "1/n_keys: −Σ p ln p.",
              in_each_row([](const Vector& row) {
                  return -sum_over(row, [](double p) { return p > 0 ? std::log(p) : 0; }) /
                         static_cast<double>(row.size());
              }));

MISCONCEPTION(entropy, keys_beyond_64_left_out,
              "the sum ends at 64 keys. There may be any number of them: weights.shape(1).",
              in_each_row([](const Vector& row) {
                  return plain_entropy(
                      Vector(xt::view(row, xt::range(0, std::min<std::size_t>(64, row.size())))));
              }));

MISCONCEPTION(entropy, as_many_as_keys,
              "the result has n_keys elements. There is one entropy for each query, for each row: "
              "its size is weights.shape(0).",
              [](const Matrix& weights) -> Vector {
                  if (weights.shape(0) > weights.shape(1)) {
                      throw std::out_of_range("no such element");
                  }
                  Vector nats = xt::zeros<double>({weights.shape(1)});
                  xt::view(nats, xt::range(0, weights.shape(0))) = in_rows(weights, plain_entropy);
                  return nats;
              });

constexpr const char* says_saturated =
    "where one weight is nearly 1, the entropy comes out as exactly 0. Something is left of it: "
    "the "
    "formula holds there, too, and no case is needed but that of a weight of 0.";

auto saturated_above(double bound) {
    return in_each_row(
        [=](const Vector& row) { return largest(row) > bound ? 0.0 : plain_entropy(row); });
}

MISCONCEPTION(entropy, saturated_above_99, says_saturated, saturated_above(0.99));
MISCONCEPTION(entropy, saturated_above_999, says_saturated, saturated_above(0.999));
MISCONCEPTION(entropy, saturated_above_9999, says_saturated, saturated_above(0.9999));
MISCONCEPTION(entropy, saturated_above_5_nines, says_saturated, saturated_above(0.99999));
MISCONCEPTION(entropy, saturated_above_6_nines, says_saturated, saturated_above(0.999999));
MISCONCEPTION(entropy, saturated_above_9_nines, says_saturated, saturated_above(0.999999999));

} // namespace
