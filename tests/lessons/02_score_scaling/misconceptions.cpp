// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include <cmath>
#include <random>

#include "exports.hpp"
#include "support/oracle.hpp"

using lesson::Matrix;
using lesson::Moments;

namespace {

Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

double squared_length(const Matrix& A, std::size_t row) {
    double sum = 0;
    for (std::size_t c = 0; c < A.shape(1); ++c) {
        sum += A(row, c) * A(row, c);
    }
    return sum;
}

Matrix cosines(const Matrix& Q, const Matrix& K) {
    Matrix scores = oracle::raw_scores(Q, K);
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j < K.shape(0); ++j) {
            scores(i, j) /= std::sqrt(squared_length(Q, i) * squared_length(K, j));
        }
    }
    return scores;
}

// ---- 02.1 raw_scores

/// A wrong function behind the check that stands in the stub, as a learner's is: without it the two
/// would part on shapes that do not fit.
template <class Wrong>
auto checked(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K) -> Matrix {
        if (Q.shape(1) != K.shape(1)) {
            throw std::invalid_argument("Q and K differ in d_k");
        }
        return wrong(Q, K);
    };
}

/// Plain loops with a term of the learner's. They are written out, and not as a product, because
/// they run or fail where a learner's would: a term may read what is not there.
template <class Term>
Matrix in_loops(std::size_t n_rows, std::size_t n_columns, std::size_t n_terms, Term term) {
    Matrix result = xt::zeros<double>({n_rows, n_columns});
    for (std::size_t i = 0; i < n_rows; ++i) {
        for (std::size_t j = 0; j < n_columns; ++j) {
            for (std::size_t c = 0; c < n_terms; ++c) {
                result(i, j) += term(i, j, c);
            }
        }
    }
    return result;
}

constexpr const char* rows_with_columns =
    "this is Q · K, the product of lesson 01. It pairs the rows of Q with the columns of K, but a "
    "key is a row of K, and what belongs together is row with row.";

MISCONCEPTION(raw_scores, keys_not_transposed, rows_with_columns,
              checked([](const Matrix& Q, const Matrix& K) { return oracle::matmul(Q, K); }));

MISCONCEPTION(raw_scores, loops_of_project, rows_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(0), K.shape(1), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * K(c, j); });
              }));

MISCONCEPTION(raw_scores, key_indices_swapped, rows_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * K(c, j); });
              }));

constexpr const char* columns_with_columns =
    "this is Qᵀ · K. It sums over the rows, and so compares component with component: the result "
    "is (d_k, d_k). Queries and keys are rows, and it is their components that are summed over.";

MISCONCEPTION(raw_scores, components_with_components, columns_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return oracle::matmul(transposed(Q), K);
              }));

MISCONCEPTION(raw_scores, components_with_components_in_loops, columns_with_columns,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(1), K.shape(1), Q.shape(0),
                                  [&](auto i, auto j, auto c) { return Q(c, i) * K(c, j); });
              }));

constexpr const char* row_with_same_row =
    "this compares each query with one key alone, the one in the same row. Attention compares "
    "every query with every key: n_queries times n_keys scores.";

MISCONCEPTION(raw_scores, own_key_only, row_with_same_row,
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  return xt::sum(Q * K, {1}, xt::keep_dims);
              }));

MISCONCEPTION(raw_scores, own_key_on_the_diagonal, row_with_same_row,
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t c = 0; c < Q.shape(1); ++c) {
                          scores(i, i) += Q(i, c) * K(i, c);
                      }
                  }
                  return scores;
              }));

constexpr const char* keys_never_used =
    "this is Q · Qᵀ: the queries are compared with each other, and K is never looked at.";

MISCONCEPTION(raw_scores, queries_with_queries, keys_never_used,
              checked([](const Matrix& Q, const Matrix&) { return oracle::raw_scores(Q, Q); }));

MISCONCEPTION(raw_scores, queries_with_queries_in_loops, keys_never_used,
              checked([](const Matrix& Q, const Matrix& K) {
                  return in_loops(Q.shape(0), K.shape(0), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * Q(j, c); });
              }));

MISCONCEPTION(raw_scores, keys_first,
              "this is K · Qᵀ: the right numbers, transposed. Row i belongs to query i and holds "
              "its score with each key; the result is (n_queries, n_keys).",
              checked([](const Matrix& Q, const Matrix& K) { return oracle::raw_scores(K, Q); }));

MISCONCEPTION(raw_scores, element_wise_product,
              "this multiplies Q and K element by element. In xtensor * is never the matrix "
              "product; a score is a sum of such products, and there is one for every pair of a "
              "query and a key.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix { return Q * K; }));

MISCONCEPTION(raw_scores, last_product_only,
              "each score is the last of its products, not their sum: = where += is needed.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  const std::size_t last = Q.shape(1) - 1;
                  Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          scores(i, j) = Q(i, last) * K(j, last);
                      }
                  }
                  return scores;
              }));

MISCONCEPTION(raw_scores, cosine_similarity,
              "this is the cosine of the angle, q · k / (‖q‖ ‖k‖). The dot product keeps the "
              "lengths: a longer key scores higher in the same direction, and a longer query makes "
              "sharper differences.",
              checked(cosines));

MISCONCEPTION(raw_scores, negative_squared_distance,
              "this is −‖q − k‖², closeness in space. It is 2 q · k − ‖q‖² − ‖k‖²: it punishes a "
              "key for being long, which the dot product rewards.",
              checked([](const Matrix& Q, const Matrix& K) -> Matrix {
                  Matrix scores = oracle::raw_scores(Q, K);
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          scores(i, j) =
                              2 * scores(i, j) - squared_length(Q, i) - squared_length(K, j);
                      }
                  }
                  return scores;
              }));

MISCONCEPTION(raw_scores, already_scaled,
              "these are scores divided by √d_k. That is the next exercise, 02.2; here they are "
              "wanted raw.",
              checked([](const Matrix& Q, const Matrix& K) {
                  return oracle::scaled_scores(Q, K);
              }));

// ---- 02.2 scaled_scores

/// The part of the stub's check that the oracle does not make.
void require_components(const Matrix& Q) {
    if (Q.shape(1) == 0) {
        throw std::invalid_argument("d_k is 0");
    }
}

/// The raw scores times a factor.
template <class Factor>
auto raw_times(Factor factor) {
    return [factor](const Matrix& Q, const Matrix& K) -> Matrix {
        require_components(Q);
        return oracle::raw_scores(Q, K) * factor(Q, K);
    };
}

double root(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

MISCONCEPTION(scaled_scores, not_scaled,
              "these are the raw scores: nothing was divided, or it was divided by 1. "
              "(std::pow(d_k, 1/2) is 1, because 1/2 is a division of integers and gives 0.)",
              raw_times([](const Matrix&, const Matrix&) { return 1.0; }));

MISCONCEPTION(scaled_scores, divided_by_d_k,
              "this divides by d_k, not by its root; dividing both Q and K by √d_k comes to the "
              "same. The variance is what grows like d_k, and dividing by c divides a variance by "
              "c²: with d_k the scores shrink towards 0 as d_k grows.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / static_cast<double>(Q.shape(1));
              }));

MISCONCEPTION(scaled_scores, multiplied,
              "this multiplies by √d_k. The scores are too widely spread already; they have to be "
              "divided.",
              raw_times([](const Matrix& Q, const Matrix&) { return root(Q.shape(1)); }));

MISCONCEPTION(scaled_scores, root_of_n_keys,
              "this divides by √n_keys, the number of rows of K. However many keys there are, no "
              "single score gets larger; what is summed in a score is d_k products.",
              raw_times([](const Matrix&, const Matrix& K) { return 1 / root(K.shape(0)); }));

MISCONCEPTION(scaled_scores, root_of_n_queries,
              "this divides by √n_queries, the number of rows of Q. However many queries there "
              "are, no single score gets larger; what is summed in a score is d_k products.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(Q.shape(0)); }));

MISCONCEPTION(scaled_scores, root_of_size,
              "this divides by the root of the number of all elements of Q: size() is rows times "
              "columns. d_k is the number of columns alone.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(Q.size()); }));

MISCONCEPTION(scaled_scores, integer_root,
              "the root was cut to a whole number, so that √2 and √3 became 1, and √5 became 2. An "
              "integer type holds it somewhere; it has to stay a double.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::floor(root(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, lengths_instead_of_root,
              "this divides each score by the lengths of its query and key, which makes it a "
              "cosine between −1 and 1. √d_k is one number for all scores, known before any query "
              "is; it leaves a long key its advantage.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  require_components(Q);
                  return cosines(Q, K);
              });

MISCONCEPTION(scaled_scores, measured_deviation,
              "this divides by the standard deviation of these very scores. Then a score depends "
              "on all the others, and scores that are all alike are blown up. √d_k is what the "
              "standard deviation should be, known before any score is.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  require_components(Q);
                  const Matrix scores = oracle::raw_scores(Q, K);
                  return scores / xt::stddev(scores)();
              });

// ---- 02.3 dot_product_moments, known by what comes out on average
//
// Two of them, one_query and dot_not_reset, never settle on an average. They are recognised where a
// learner draws in the order that they do, which is the usual one.

/// The mean and the variance of `samples` numbers, with the check that the stub holds.
template <class Draw>
Moments moments_of(std::size_t d_k, std::size_t samples, Draw draw) {
    if (d_k == 0 || samples < 2) {
        throw std::invalid_argument("d_k must be at least 1 and samples at least 2");
    }
    double sum = 0;
    double sum_of_squares = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const double number = draw();
        sum += number;
        sum_of_squares += number * number;
    }
    const double n = static_cast<double>(samples);
    const double mean = sum / n;
    return {mean, sum_of_squares / n - mean * mean};
}

template <class Distribution>
Moments of_components(std::size_t d_k, std::size_t samples, std::uint64_t seed,
                      Distribution component) {
    std::mt19937_64 engine(seed);
    return moments_of(d_k, samples, [&] {
        double dot = 0;
        for (std::size_t i = 0; i < d_k; ++i) {
            const double q_i = component(engine);
            dot += q_i * component(engine);
        }
        return dot;
    });
}

using Normal = std::normal_distribution<double>;
using Uniform = std::uniform_real_distribution<double>;

Moments right(std::size_t d_k, std::size_t samples, std::uint64_t seed) {
    return of_components(d_k, samples, seed, Normal());
}

MISCONCEPTION(dot_product_moments, standard_deviation,
              "the second number is the standard deviation, the root of the variance. The variance "
              "is the mean of the squared distances itself.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  const Moments m = right(d_k, samples, seed);
                  return {m.mean, std::sqrt(m.variance)};
              });

MISCONCEPTION(dot_product_moments, one_component,
              "your variance stays at 1 whatever d_k is. That is the variance of a single product "
              "q_i k_i, or of the dot product after a division by √d_k; the dot product is the sum "
              "of all d_k products, and nothing divides it yet.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  const Moments m = right(d_k, samples, seed);
                  const double n = static_cast<double>(d_k);
                  return {m.mean / n, m.variance / n};
              });

MISCONCEPTION(dot_product_moments, uniform_from_0_to_1,
              "these are components drawn evenly between 0 and 1. Their mean is 0.5, so the dot "
              "product has mean d_k / 4; standard normal components have mean 0 and variance 1.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  return of_components(d_k, samples, seed, Uniform(0, 1));
              });

MISCONCEPTION(dot_product_moments, uniform_from_minus_1_to_1,
              "these are components drawn evenly between −1 and 1. Their mean is 0, but their "
              "variance is 1/3, which makes that of the dot product d_k / 9; standard normal "
              "components have variance 1.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  return of_components(d_k, samples, seed, Uniform(-1, 1));
              });

MISCONCEPTION(dot_product_moments, components_around_1,
              "these are components around 1 rather than 0. The first parameter of "
              "std::normal_distribution is the mean, the second the standard deviation; the "
              "defaults are 0 and 1.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  return of_components(d_k, samples, seed, Normal(1, 1));
              });

MISCONCEPTION(dot_product_moments, same_vector,
              "q and k are one and the same vector here: you get the moments of ‖q‖², which are "
              "d_k and 2 d_k. Two engines that start from one seed draw the same numbers; one "
              "engine for both does not.",
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

MISCONCEPTION(dot_product_moments, one_number_a_vector,
              "all components of a vector are the same number here, so its products are all alike "
              "and never cancel: the variance is d_k². Each component is drawn by itself.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  std::mt19937_64 engine(seed);
                  Normal normal;
                  return moments_of(d_k, samples, [&] {
                      const double q_i = normal(engine);
                      return static_cast<double>(d_k) * q_i * normal(engine);
                  });
              });

MISCONCEPTION(dot_product_moments, one_query,
              "q is drawn only once, before the loop, and every sample is compared with that same "
              "q. Then the variance is ‖q‖², which is d_k on average but is off for any one q; "
              "draw both vectors anew for each sample.",
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

MISCONCEPTION(dot_product_moments, seeded_for_each_sample,
              "every sample is the same number, so the variance is 0: the engine is made anew for "
              "each sample and starts over. Make it once, before the loop.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  return moments_of(d_k, samples, [&] {
                      std::mt19937_64 engine(seed);
                      Normal normal;
                      double dot = 0;
                      for (std::size_t i = 0; i < d_k; ++i) {
                          const double q_i = normal(engine);
                          dot += q_i * normal(engine);
                      }
                      return dot;
                  });
              });

MISCONCEPTION(dot_product_moments, dot_not_reset,
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

MISCONCEPTION(dot_product_moments, not_divided_by_samples,
              "your variance grows with the number of samples: the squares are added up, but their "
              "sum is not divided by how many there are.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  const Moments m = right(d_k, samples, seed);
                  return {m.mean, m.variance * static_cast<double>(samples)};
              });

MISCONCEPTION(dot_product_moments, variance_of_the_mean,
              "your variance shrinks towards 0 as samples grows. It is divided by samples twice, "
              "which makes it the variance of the mean: how far the estimate is off, not how far "
              "one dot product strays.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  const Moments m = right(d_k, samples, seed);
                  return {m.mean, m.variance / static_cast<double>(samples)};
              });

MISCONCEPTION(dot_product_moments, members_swapped,
              "mean and variance have changed places: Moments holds the mean first.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t seed) -> Moments {
                  const Moments m = right(d_k, samples, seed);
                  return {m.variance, m.mean};
              });

MISCONCEPTION(dot_product_moments, formula,
              "this returns what theory predicts, 0 and d_k. The exercise is to measure it: a mean "
              "of random numbers is close to 0 and never exactly 0.",
              [](std::size_t d_k, std::size_t samples, std::uint64_t) -> Moments {
                  moments_of(d_k, samples, [] { return 0.0; });
                  return {0, static_cast<double>(d_k)};
              });

} // namespace
