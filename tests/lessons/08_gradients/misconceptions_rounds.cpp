// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_rounds {

using namespace wrong;

namespace {

// ---- 08.1

/// Of each row the sum over a part of its keys, maybe some of them twice.
inline auto with_sum_of(double (*sum)(const Vector& p, const Vector& g)) {
    return in_rows([=](const Vector& p, const Vector& g) -> Vector { return p * (g - sum(p, g)); });
}

template <std::size_t Together>
double remainder_from_the_number_of_blocks(const Vector& p, const Vector& g) {
    double sum = 0;
    for (std::size_t k = 0; k < p.size() / Together * Together; ++k) {
        sum += p(k) * g(k);
    }
    for (std::size_t k = p.size() / Together; k < p.size(); ++k) {
        sum += p(k) * g(k);
    }
    return sum;
}

constexpr const char* remainder_counted_twice =
    "keys are counted twice in the sum: what is left over after the blocks begins at their number, "
    "n / 4, and should begin where they end, n / 4 * 4.";
MISCONCEPTION(softmax_backward, remainder_after_pairs_counted_twice, remainder_counted_twice,
              with_sum_of(remainder_from_the_number_of_blocks<2>));
MISCONCEPTION(softmax_backward, remainder_after_fours_counted_twice, remainder_counted_twice,
              with_sum_of(remainder_from_the_number_of_blocks<4>));
MISCONCEPTION(softmax_backward, remainder_after_eights_counted_twice, remainder_counted_twice,
              with_sum_of(remainder_from_the_number_of_blocks<8>));

constexpr const char* small_weights_left_out =
    "a key of a small weight is left out. Its weight may meet a g that is as large: leave the "
    "bound out.";
template <int Digits>
Vector without_small_weights(const Vector& p, const Vector& g) {
    const double bound = std::pow(10.0, -Digits);
    const Vector kept = xt::where(p > bound, p, 0.0);
    return kept * (g - dot(kept, g));
}
MISCONCEPTION(softmax_backward, weights_below_1e_9_left_out, small_weights_left_out,
              in_rows(without_small_weights<9>));
MISCONCEPTION(softmax_backward, weights_below_1e_12_left_out, small_weights_left_out,
              in_rows(without_small_weights<12>));
MISCONCEPTION(softmax_backward, weights_below_1e_15_left_out, small_weights_left_out,
              in_rows(without_small_weights<15>));

MISCONCEPTION(softmax_backward, sum_of_equal_weights_kept,
              "a row whose weights are those of the row before takes over its sum. The sum is of "
              "p and g, and their g differ.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  Matrix result = weights;
                  double sum = 0;
                  for (std::size_t i = 0; i < weights.shape(0); ++i) {
                      const Vector p = xt::view(weights, i, xt::all());
                      const Vector g = xt::view(d_weights, i, xt::all());
                      if (i == 0 || p != Vector(xt::view(weights, i - 1, xt::all()))) {
                          sum = dot(p, g);
                      }
                      xt::view(result, i, xt::all()) = p * (g - sum);
                  }
                  return result;
              });

MISCONCEPTION(softmax_backward, largest_g_subtracted_first,
              "the row's largest g is subtracted from all of them first, as softmax does with the "
              "scores. Here no exp can overflow, and digits are lost: a g of 0, or a small one, "
              "becomes as large as the largest, and so does the sum that is subtracted from it. "
              "Take g as it is: p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) {
                  return right_row(p, g - xt::amax(g)());
              }));

// ---- 08.5

/// Steps in which no matrix moves, but for the last of each round: that moves them by the sum of
/// the round's gradients, or by their mean.
auto moved_once_a_round(bool by_the_mean, bool moves_at_the_end = false) {
    return [=](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
               double rate) -> Learned {
        lesson::require_tables(tables, start);
        const double share = by_the_mean ? 1 / static_cast<double>(tables.size()) : 1;
        Projections W = start, moved = start;
        Vector losses = Vector::from_shape({steps});
        for (std::size_t t = 0; t < steps; ++t) {
            const Pass p = pass(tables[t % tables.size()], W);
            losses(t) = p.loss;
            descend(moved, p, rate * share);
            if ((t + 1) % tables.size() == 0 || (moves_at_the_end && t + 1 == steps)) {
                W = moved;
            }
        }
        return learned(W, losses);
    };
}

constexpr const char* one_step_a_round =
    "the gradients of all tables are collected, and the matrices move once a round, after the last "
    "table. Each step moves them by the gradient of its own table, at once.";
MISCONCEPTION(learn_lookup, moved_once_a_round_by_the_sum, one_step_a_round,
              moved_once_a_round(false));
MISCONCEPTION(learn_lookup, moved_once_a_round_by_the_mean, one_step_a_round,
              moved_once_a_round(true));
MISCONCEPTION(learn_lookup, moved_once_a_round_and_at_the_end_by_the_sum, one_step_a_round,
              moved_once_a_round(false, true));
MISCONCEPTION(learn_lookup, moved_once_a_round_and_at_the_end_by_the_mean, one_step_a_round,
              moved_once_a_round(true, true));

MISCONCEPTION(learn_lookup, last_round_left_out,
              "the tables are gone through in whole rounds, and the steps of a last round that is "
              "not whole are left out: steps / tables.size() rounds down. Let one loop run over "
              "the steps, with tables[step % tables.size()].",
              stepwise([](const Step& step) {
                  const std::size_t n = step.tables.size();
                  if (step.t >= step.steps / n * n) {
                      return 0.0;
                  }
                  const Pass p = pass(table_of(step), step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, matrices_of_the_smallest_loss,
              "what is returned are the matrices of the step with the smallest loss. They are "
              "those after the last step: nothing says that a loss on one table compares with that "
              "on another.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  lesson::require_tables(tables, start);
                  Projections W = start, best = start;
                  Vector losses = Vector::from_shape({steps});
                  double smallest = std::numeric_limits<double>::infinity();
                  for (std::size_t t = 0; t < steps; ++t) {
                      const Pass p = pass(tables[t % tables.size()], W);
                      descend(W, p, rate);
                      losses(t) = p.loss;
                      if (p.loss < smallest) {
                          smallest = p.loss;
                          best = W;
                      }
                  }
                  return learned(best, losses);
              });

} // namespace

} // namespace misconceptions_rounds
