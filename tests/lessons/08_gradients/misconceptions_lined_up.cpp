// Wrong versions of 08.3 and 08.5: sums that meet columns in place of rows, a reshape for a
// transpose, and what has been changed in place before it is used again.

#include "wrong.hpp"

namespace misconceptions_lined_up {

using namespace wrong;

namespace {

MISCONCEPTION(attention_backward, row_sums_lined_up_with_the_keys,
              "in the way back through the softmax the sums are a Vector, which xtensor lines up "
              "with the columns: with as many keys as queries the sum of row j is subtracted in "
              "column j, with other sizes nothing fits. Keep the dimension, xt::keep_dims.",
              by_d_scores([](const Parts& at) {
                  const Matrix g = at.seen(at.d_weights());
                  const Vector sums = xt::sum(at.weights * g, {1});
                  return Matrix(at.weights * (g - sums));
              }));

/// The numbers of X under the shape of its transpose.
Matrix reshaped(const Matrix& X) {
    Matrix result = Matrix::from_shape({X.shape(1), X.shape(0)});
    std::copy(X.begin(), X.end(), result.begin());
    return result;
}

constexpr const char* says_reshaped =
    "a matrix is brought to the shape of its transpose by a reshape, which keeps the order of the "
    "numbers. A transpose moves element (i, j) to (j, i): xt::transpose.";

MISCONCEPTION(attention_backward, d_scores_reshaped_for_transposed, says_reshaped,
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_K = matmul(reshaped(at.d_scores() / at.root()), at.Q);
                  return result;
              }));
MISCONCEPTION(attention_backward, weights_reshaped_for_transposed, says_reshaped,
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_V = matmul(reshaped(at.weights), at.d_output);
                  return result;
              }));
MISCONCEPTION(attention_backward, d_scores_and_weights_reshaped, says_reshaped,
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  result.d_K = matmul(reshaped(at.d_scores() / at.root()), at.Q);
                  result.d_V = matmul(reshaped(at.weights), at.d_output);
                  return result;
              }));
MISCONCEPTION(attention_backward, values_reshaped_for_transposed, says_reshaped,
              by_d_scores([](const Parts& at) {
                  const Matrix d_weights = matmul(at.d_output, reshaped(at.V));
                  return right_softmax_backward(at.weights, at.seen(d_weights));
              }));

MISCONCEPTION(learn_lookup, tables_reshaped_for_transposed,
              "asked and entries are brought to the shape of their transposes by a reshape, which "
              "keeps the order of the numbers. A transpose moves element (i, j) to (j, i): "
              "xt::transpose.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * matmul(reshaped(p.table.asked), p.back.d_Q);
                  step.W.W_k -= step.rate * matmul(reshaped(p.table.entries), p.back.d_K);
                  step.W.W_v -= step.rate * matmul(reshaped(p.table.entries), p.back.d_V);
              }));

MISCONCEPTION(learn_lookup, loss_of_the_divided_error,
              "the error is divided by n_queries in place, to become the gradient, and the loss is "
              "made of it afterwards: it comes out n_queries² times too small. Compute the loss "
              "first, or divide a copy.",
              losses_by([](const Pass& p) { return p.loss / (p.n_queries * p.n_queries); }));

} // namespace

} // namespace misconceptions_lined_up
