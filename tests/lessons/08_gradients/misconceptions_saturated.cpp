// Wrong versions of 08.1 and 08.3 that take a row for decided, and those that take a row's first
// blocked key for its end.

#include "wrong.hpp"

namespace misconceptions_saturated {

using namespace wrong;

namespace {

constexpr const char* decided =
    "where one weight is nearly 1 the row is taken for decided, and no gradient goes back through "
    "it. What is left over to 1 is small, and what it is multiplied by may be large: leave the "
    "bound out. Where a weight is 1, and the others 0, the formula gives 0 by itself.";

/// The grader knows it at any bound.
Vector undecided(const Vector& p, const Vector& g) {
    return right_row(p, g) * (xt::amax(p)() > 0.9999 ? 0.0 : 1.0);
}

MISCONCEPTION(softmax_backward, nearly_decided_rows_dropped, decided, in_rows(undecided));

MISCONCEPTION(attention_backward, nearly_decided_rows_dropped, decided,
              by_d_scores([](const Parts& at) {
                  return rows_by(undecided, at.weights, at.seen(at.d_weights()));
              }));

// ---- what follows a blocked key is not looked at

MISCONCEPTION(softmax_backward, row_and_sum_end_at_a_weight_of_0,
              "a row is looked at up to its first weight that is 0, as if the mask were causal. A "
              "mask may block any key, and those after it get their gradient.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  Vector seen = p;
                  bool ended = false;
                  for (double& weight : seen) {
                      ended = ended || weight == 0;
                      weight = ended ? 0 : weight;
                  }
                  return right_row(seen, g);
              }));

MISCONCEPTION(attention_backward, d_weights_end_at_a_blocked_key,
              "the gradients of a row of weights end at its first blocked key: break where "
              "continue is meant. A mask need not be causal, and keys after a blocked one count.",
              by_d_scores([](const Parts& at) {
                  Matrix g = at.seen(at.d_weights());
                  for (std::size_t i = 0; i < g.shape(0); ++i) {
                      bool ended = false;
                      for (std::size_t j = 0; j < g.shape(1); ++j) {
                          ended = ended || !at.mask(i, j);
                          g(i, j) = ended ? 0 : g(i, j);
                      }
                  }
                  return right_softmax_backward(at.weights, g);
              }));

} // namespace

} // namespace misconceptions_saturated
