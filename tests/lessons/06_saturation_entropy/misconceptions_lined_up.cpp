// Wrong versions of 06.2 and 06.3: sums and maxima that meet columns in place of rows, and a
// reshape for a transpose.

#include "gain.hpp"

namespace misconceptions_lined_up {

using namespace wrong;

namespace {

using S = std::size_t;

MISCONCEPTION(gradient_gain, means_lined_up_with_the_keys,
              "all rows are stretched at once, and their p · g are a Vector, which xtensor lines "
              "up with the columns: with as many queries as keys that of row j is subtracted in "
              "column j, with other sizes nothing fits. Keep the dimension, xt::sum(…, {1}, "
              "xt::keep_dims), so that they stand as a column.",
              [](const Matrix& weights) -> Vector {
                  Matrix G = xt::zeros<double>({weights.shape(0), weights.shape(1)});
                  for (S i = 0; i < weights.shape(0); ++i) {
                      G(i, at_largest(Vector(xt::view(weights, i, xt::all())))) = 1;
                  }
                  Vector gains = xt::zeros<double>({weights.shape(0)});
                  for (int step = 0; step < 1000; ++step) {
                      const Vector means = xt::sum(weights * G, {1});
                      const Matrix stretched = weights * (G - means);
                      const Vector lengths = xt::sqrt(xt::sum(stretched * stretched, {1}));
                      bool settled = true;
                      for (S i = 0; i < gains.size(); ++i) {
                          settled = settled && lengths(i) - gains(i) <= 1e-12 * lengths(i);
                          for (S j = 0; j < weights.shape(1); ++j) {
                              G(i, j) = lengths(i) > 0 ? stretched(i, j) / lengths(i) : 0;
                          }
                      }
                      gains = lengths;
                      if (settled) {
                          break;
                      }
                  }
                  return gains;
              });

/// The mean entropy of exp(s − maxima) / sums, of which either may be a Vector.
auto softmax_with(bool maxima_lined_up, bool sums_lined_up) {
    return sweep([=](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
        const Matrix scores = oracle::raw_scores(columns(Q, 0, d_k), columns(K, 0, d_k)) /
                              root_if(scaled, static_cast<double>(d_k));
        const Vector largest = xt::amax(scores, {1});
        const Matrix in_column = xt::view(largest, xt::all(), xt::newaxis());
        const Matrix shifted =
            maxima_lined_up ? Matrix(scores - largest) : Matrix(scores - in_column);
        const Matrix terms = xt::exp(shifted);
        const Vector sums = xt::sum(terms, {1});
        const Matrix sums_in_column = xt::view(sums, xt::all(), xt::newaxis());
        const Matrix weights =
            sums_lined_up ? Matrix(terms / sums) : Matrix(terms / sums_in_column);
        return total(in_rows(weights, plain_entropy)) / static_cast<double>(weights.shape(0));
    });
}

constexpr const char* says_lined_up =
    "the maxima or the sums of the softmax are a Vector, which xtensor lines up with the columns: "
    "with as many keys as queries, column j is divided by the sum of row j, with other sizes "
    "nothing fits. Keep the dimension, xt::sum(…, {1}, xt::keep_dims), so that they stand as a "
    "column.";

MISCONCEPTION(entropy_sweep, sums_lined_up_with_the_keys, says_lined_up, softmax_with(false, true));
MISCONCEPTION(entropy_sweep, maxima_lined_up_with_the_keys, says_lined_up,
              softmax_with(true, false));
MISCONCEPTION(entropy_sweep, maxima_and_sums_lined_up_with_the_keys, says_lined_up,
              softmax_with(true, true));

MISCONCEPTION(entropy_sweep, keys_reshaped_for_transposed,
              "the keys are brought to the shape (d_k, n_keys) by a reshape, which keeps the order "
              "of the numbers. A transpose moves element (j, c) to (c, j): xt::transpose, or "
              "attention::raw_scores, which needs none.",
              sweep([](const Matrix& Q, const Matrix& K, S d_k, bool scaled) {
                  Matrix keys = columns(K, 0, d_k);
                  keys.reshape({d_k, K.shape(0)});
                  return mean_entropy(
                      Matrix(oracle::raw_scores(columns(Q, 0, d_k), Matrix(xt::transpose(keys))) /
                             root_if(scaled, static_cast<double>(d_k))));
              }));

} // namespace

} // namespace misconceptions_lined_up
