// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "wrong.hpp"

#include <algorithm>

using namespace wrong;

namespace {

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

MISCONCEPTION(scaled_scores, root_by_ten_steps,
              "the root of d_k is approximated in a fixed number of steps, which are too few where "
              "d_k is large. std::sqrt is exact, and as quick.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  const auto d_k = static_cast<double>(Q.shape(1));
                  double x = d_k;
                  for (int step = 0; step < 10; ++step) {
                      x = (x + d_k / x) / 2;
                  }
                  return 1 / x;
              }));

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
              "the root was cut to a whole number, so that √2 and √3 became 1, and √5 became 2. "
              "Either an integer type holds it somewhere, or it is rounded down, as by std::floor. "
              "Keep its fraction, in a double.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::floor(root(Q.shape(1)));
              }));

MISCONCEPTION(
    scaled_scores, root_cut_to_a_power_of_two,
    "the root was cut to a power of two: √2 and √3 became 1, √8 became 2, and √9 as well. An "
    "exponent or a number of bits that is halved, by std::frexp, std::bit_width or a shift, gives "
    "the root of powers of four alone. std::sqrt gives that of every d_k.",
    raw_times([](const Matrix& Q, const Matrix&) {
        return 1 / std::ldexp(1.0, std::ilogb(Q.shape(1)) / 2);
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

MISCONCEPTION(scaled_scores, multiplied_by_d_k,
              "this multiplies by d_k. The scores are too widely spread already; they have to be "
              "divided, by √d_k.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return static_cast<double>(Q.shape(1));
              }));

MISCONCEPTION(scaled_scores, root_of_size_of_keys,
              "this divides by the root of the number of all elements of K: size() is rows times "
              "columns. d_k is the number of columns alone.",
              raw_times([](const Matrix&, const Matrix& K) { return 1 / root(K.size()); }));

MISCONCEPTION(scaled_scores, root_of_number_of_scores,
              "this divides by the root of the number of scores. However many there are, no single "
              "score gets larger; what is summed in a score is d_k products.",
              raw_times([](const Matrix& Q, const Matrix& K) {
                  return 1 / root(Q.shape(0) * K.shape(0));
              }));

MISCONCEPTION(scaled_scores, rounded_root,
              "the root was rounded to a whole number. It has to stay a double.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::round(root(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, root_rounded_up,
              "the root was rounded up to a whole number. It has to stay a double.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::ceil(root(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, integer_reciprocal,
              "1 / d_k is a division of integers here: 0, whatever d_k is but 1. Make one of them "
              "a double; and it is √d_k that the scores are divided by.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return Q.shape(1) == 1 ? 1.0 : 0.0;
              }));

MISCONCEPTION(scaled_scores, cube_root,
              "this divides by the cube root of d_k. The variance grows like d_k, and dividing by "
              "c divides it by c²: c is the square root.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::cbrt(static_cast<double>(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, fourth_root,
              "this divides by the root of the root of d_k. That is right for Q and K both; if "
              "only one of them is scaled, it is √d_k.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::sqrt(root(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, logarithm,
              "this divides by ln d_k. The standard deviation of a score grows like √d_k.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::log(static_cast<double>(Q.shape(1)));
              }));

MISCONCEPTION(scaled_scores, square_of_d_k,
              "this divides by d_k². The variance grows like d_k, and dividing by c divides it by "
              "c²: c is √d_k.",
              raw_times([](const Matrix& Q, const Matrix&) {
                  return 1 / std::pow(static_cast<double>(Q.shape(1)), 2);
              }));

MISCONCEPTION(scaled_scores, root_of_one_more,
              "this divides by √(d_k + 1). A score sums d_k products, and nothing more.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(Q.shape(1) + 1); }));

MISCONCEPTION(scaled_scores, root_of_one_less,
              "this divides by √(d_k − 1), as a standard deviation that is estimated would be. "
              "Nothing is estimated here: a score sums d_k products.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(Q.shape(1) - 1); }));

MISCONCEPTION(scaled_scores, half,
              "this divides by 2, whatever d_k is. That is √d_k for four components only.",
              raw_times([](const Matrix&, const Matrix&) { return 0.5; }));

MISCONCEPTION(scaled_scores, eighth,
              "this divides by 8, whatever d_k is. That is √d_k for 64 components only.",
              raw_times([](const Matrix&, const Matrix&) { return 0.125; }));

MISCONCEPTION(scaled_scores, root_of_both_widths,
              "this divides by √(2 d_k), the columns of Q and of K together. They are the same "
              "components, counted twice.",
              raw_times([](const Matrix& Q, const Matrix&) { return 1 / root(2 * Q.shape(1)); }));

/// A wrong answer made of the raw scores and √d_k.
template <class Wrong>
auto scaled_as(Wrong wrong) {
    return [wrong](const Matrix& Q, const Matrix& K) -> Matrix {
        require_components(Q);
        return wrong(oracle::raw_scores(Q, K), root(Q.shape(1)));
    };
}

MISCONCEPTION(
    scaled_scores, standardised,
    "the mean is subtracted and the scores divided by their own standard deviation. Then a score "
    "depends on all the others. √d_k is known before any score is, and nothing is subtracted.",
    scaled_as([](const Matrix& scores, double) -> Matrix {
        return (scores - xt::mean(scores)()) / xt::stddev(scores)();
    }));

MISCONCEPTION(scaled_scores, divided_by_the_largest,
              "this divides by the largest of these scores. Then a score depends on all the "
              "others. √d_k is known before any score is.",
              scaled_as([](const Matrix& scores, double) -> Matrix {
                  return scores / xt::amax(scores)();
              }));

MISCONCEPTION(
    scaled_scores, root_subtracted,
    "√d_k is subtracted. That moves the scores and leaves them as widely spread as before: divide.",
    scaled_as([](const Matrix& scores, double root) -> Matrix { return scores - root; }));

MISCONCEPTION(scaled_scores, turned_over,
              "this is √d_k divided by the score. The score stands above, the root below.",
              scaled_as([](const Matrix& scores, double root) -> Matrix { return root / scores; }));

MISCONCEPTION(scaled_scores, root_of_the_score,
              "the root is taken of the score as well, √(score / d_k): a negative one has none. "
              "The root is that of d_k alone.",
              scaled_as([](const Matrix& scores, double root) -> Matrix {
                  return xt::sqrt(scores / (root * root));
              }));

MISCONCEPTION(scaled_scores, first_query_only,
              "only the first row is divided by √d_k. Every score is.",
              scaled_as([](const Matrix& scores, double root) -> Matrix {
                  Matrix result = scores;
                  for (std::size_t j = 0; j < scores.shape(1); ++j) {
                      result(0, j) /= root;
                  }
                  return result;
              }));

MISCONCEPTION(scaled_scores, diagonal_only, "only the diagonal is divided by √d_k. Every score is.",
              scaled_as([](const Matrix& scores, double root) -> Matrix {
                  Matrix result = scores;
                  for (std::size_t i = 0; i < std::min(scores.shape(0), scores.shape(1)); ++i) {
                      result(i, i) /= root;
                  }
                  return result;
              }));

MISCONCEPTION(scaled_scores, softmax_already,
              "these are the weights that softmax makes of the scaled scores. That is lesson 03; "
              "here the scaled scores themselves are wanted.",
              scaled_as([](const Matrix& scores, double root) -> Matrix {
                  const Matrix scaled = scores / root;
                  return oracle::softmax_rows(scaled);
              }));

MISCONCEPTION(scaled_scores, keys_first,
              "this is K · Qᵀ / √d_k: the right numbers, transposed. Row i belongs to query i.",
              scaled_as([](const Matrix& scores, double root) -> Matrix {
                  const Matrix swapped = xt::transpose(scores);
                  return swapped / root;
              }));

MISCONCEPTION(scaled_scores, keys_not_transposed,
              "this is Q · K / √d_k. It pairs the rows of Q with the columns of K, but a key is a "
              "row of K: row with row.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  require_components(Q);
                  return in_loops(Q.shape(0), K.shape(1), Q.shape(1),
                                  [&](auto i, auto j, auto c) { return Q(i, c) * K(c, j); }) /
                         root(Q.shape(1));
              });

MISCONCEPTION(scaled_scores, queries_with_queries,
              "this is Q · Qᵀ / √d_k: the queries are compared with each other, and K is never "
              "looked at.",
              [](const Matrix& Q, const Matrix&) -> Matrix {
                  require_components(Q);
                  return oracle::scaled_scores(Q, Q);
              });

MISCONCEPTION(scaled_scores, divided_at_every_step,
              "the running sum is divided by √d_k after each product, so that the early products "
              "fade away. Divide once, when the sum is complete.",
              [](const Matrix& Q, const Matrix& K) -> Matrix {
                  require_components(Q);
                  Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      for (std::size_t j = 0; j < K.shape(0); ++j) {
                          for (std::size_t c = 0; c < Q.shape(1); ++c) {
                              scores(i, j) = (scores(i, j) + Q(i, c) * K(j, c)) / root(Q.shape(1));
                          }
                      }
                  }
                  return scores;
              });

} // namespace
