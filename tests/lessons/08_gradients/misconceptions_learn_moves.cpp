// Wrong versions of 08.5 that the grader knows at any bound and any multiple; here are examples.

#include "wrong.hpp"

using namespace wrong;

namespace {

double norm(const Matrix& A) {
    return std::sqrt(xt::sum(xt::square(A))());
}

Matrix held(const Matrix& A, double bound) {
    return A * std::min(1.0, bound / norm(A));
}

MISCONCEPTION(learn_lookup, elements_held,
              "large elements of a gradient are cut off at a bound. That is clipping; plain "
              "descent moves by the gradient as it is.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass q = p;
                  for (Matrix* d_W : {&q.d_W_q, &q.d_W_k, &q.d_W_v}) {
                      *d_W = xt::clip(*d_W, -0.3, 0.3);
                  }
                  descend(step.W, q, step.rate);
              }));

MISCONCEPTION(learn_lookup, norms_held,
              "a gradient that is longer than a bound is shortened to it. That is clipping by the "
              "norm; plain descent moves by the gradient as it is.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass q = p;
                  q.d_W_q = held(p.d_W_q, 0.7);
                  q.d_W_k = held(p.d_W_k, 0.7);
                  q.d_W_v = held(p.d_W_v, 0.7);
                  descend(step.W, q, step.rate);
              }));

MISCONCEPTION(learn_lookup, norm_of_all_held,
              "where the gradients of all three matrices together are longer than a bound, all are "
              "shortened. That is clipping by the norm; plain descent moves by the gradients as "
              "they are.",
              moved_by([](const Step& step, const Pass& p) {
                  const double length = std::hypot(norm(p.d_W_q), norm(p.d_W_k), norm(p.d_W_v));
                  descend(step.W, p, step.rate * std::min(1.0, 1 / length));
              }));

MISCONCEPTION(learn_lookup, one_rate_multiplied,
              "one of the matrices moves by a multiple of its step, and another does not: all "
              "three move by rate times their gradients.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * p.d_W_q;
                  step.W.W_k -= step.rate * p.d_W_k;
                  step.W.W_v -= 2 * step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, all_rates_multiplied,
              "all three matrices move by the same multiple of their steps. A step is rate times "
              "the gradient, and nothing else.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, 0.1 * step.rate);
              }));

} // namespace
