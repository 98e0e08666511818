// More wrong versions of 08.5: slips of rates, tables and places.

#include "wrong.hpp"

using namespace wrong;

namespace {

double queries_of(const Table& table) {
    return static_cast<double>(table.asked.shape(0));
}

double d_v_of(const Table& table) {
    return static_cast<double>(table.wanted.shape(1));
}

MISCONCEPTION(learn_lookup, gradient_of_the_other_factor,
              "each matrix moves by the first result of matmul_backward, d_A, which belongs to "
              "asked or entries and has their shape. The matrix is the second factor: its gradient "
              "is d_B.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * matmul(p.back.d_Q, transposed(step.W.W_q));
                  step.W.W_k -= step.rate * matmul(p.back.d_K, transposed(step.W.W_k));
                  step.W.W_v -= step.rate * matmul(p.back.d_V, transposed(step.W.W_v));
              }));

/// The same of one or two of them: 0 for W_q, 1 for W_k, 2 for W_v.
auto other_factor_for(std::vector<std::size_t> which) {
    return moved_by([=](const Step& step, const Pass& p) {
        const auto is_wrong = [&](std::size_t k) {
            return std::find(which.begin(), which.end(), k) != which.end();
        };
        const auto move = [&](std::size_t k, Matrix& W, const Matrix& d_W, const Matrix& d_out) {
            const Matrix gradient = is_wrong(k) ? matmul(d_out, transposed(W)) : d_W;
            W -= step.rate * gradient;
        };
        move(0, step.W.W_q, p.d_W_q, p.back.d_Q);
        move(1, step.W.W_k, p.d_W_k, p.back.d_K);
        move(2, step.W.W_v, p.d_W_v, p.back.d_V);
    });
}
constexpr const char* other_factor_of_one =
    "a matrix moves by the first result of matmul_backward, d_A, which belongs to asked or entries "
    "and has their shape. The matrix is the second factor: its gradient is d_B.";
MISCONCEPTION(learn_lookup, other_factor_for_W_q, other_factor_of_one, other_factor_for({0}));
MISCONCEPTION(learn_lookup, other_factor_for_W_k, other_factor_of_one, other_factor_for({1}));
MISCONCEPTION(learn_lookup, other_factor_for_W_v, other_factor_of_one, other_factor_for({2}));
MISCONCEPTION(learn_lookup, other_factor_for_W_k_and_W_v, other_factor_of_one,
              other_factor_for({1, 2}));

MISCONCEPTION(learn_lookup, gradients_clipped,
              "each element of a gradient is cut to at most 0.01. Many programs do the like; plain "
              "descent takes the gradient as it is.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass q = p;
                  q.d_W_q = xt::clip(p.d_W_q, -0.01, 0.01);
                  q.d_W_k = xt::clip(p.d_W_k, -0.01, 0.01);
                  q.d_W_v = xt::clip(p.d_W_v, -0.01, 0.01);
                  descend(step.W, q, step.rate);
              }));

MISCONCEPTION(learn_lookup, rate_twice,
              "the rate is multiplied in twice: once at the gradient, and once more in the step.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, step.rate * step.rate);
              }));

MISCONCEPTION(learn_lookup, averaged_twice,
              "the gradient is divided by the number of queries twice. Once at d_output is enough.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, step.rate / p.n_queries);
              }));

MISCONCEPTION(learn_lookup, rate_shared_among_tables,
              "the step is divided by the number of tables. Each step belongs to one table, and "
              "takes the whole rate.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, step.rate / static_cast<double>(step.tables.size()));
              }));

MISCONCEPTION(learn_lookup, W_q_alone_learns, "only W_q learns. All three matrices do.",
              moved_by([](const Step& step, const Pass& p) { step.W.W_q -= step.rate * p.d_W_q; }));

MISCONCEPTION(learn_lookup, W_k_alone_learns, "only W_k learns. All three matrices do.",
              moved_by([](const Step& step, const Pass& p) { step.W.W_k -= step.rate * p.d_W_k; }));

MISCONCEPTION(learn_lookup, W_k_moves_by_d_W_q,
              "W_k moves by the gradient of W_q. Each matrix has its own.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * p.d_W_q;
                  step.W.W_k -= step.rate * p.d_W_q;
                  step.W.W_v -= step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, gradients_crossed,
              "W_q moves by the gradient of W_k, and W_k by that of W_q. Each matrix has its own.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * p.d_W_k;
                  step.W.W_k -= step.rate * p.d_W_q;
                  step.W.W_v -= step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, W_v_ascends, "W_v moves along its gradient: += where −= is meant.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * p.d_W_q;
                  step.W.W_k -= step.rate * p.d_W_k;
                  step.W.W_v += step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, W_q_and_W_k_ascend,
              "W_q and W_k move along their gradients: += where −= is meant.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q += step.rate * p.d_W_q;
                  step.W.W_k += step.rate * p.d_W_k;
                  step.W.W_v -= step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, two_steps_for_one, "each step is taken twice. One gradient, one step.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, step.rate);
                  descend(step.W, pass(table_of(step), step.W), step.rate);
              }));

MISCONCEPTION(learn_lookup, first_step_left_out,
              "the first step is not taken: the loop, or a condition in it, starts at 1.",
              moved_by([](const Step& step, const Pass& p) {
                  if (step.t > 0) {
                      descend(step.W, p, step.rate);
                  }
              }));

MISCONCEPTION(learn_lookup, W_v_first,
              "W_v moves first, and the gradients of W_q and W_k are computed with the new one. "
              "All three gradients belong to the point where the step begins.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_v -= step.rate * p.d_W_v;
                  const Pass after = pass(table_of(step), step.W);
                  step.W.W_q -= step.rate * after.d_W_q;
                  step.W.W_k -= step.rate * after.d_W_k;
              }));

MISCONCEPTION(learn_lookup, softmax_sum_left_out,
              "on the way back through the softmax the row's sum is not subtracted: p ∘ g, where "
              "it is p ∘ (g − Σ p g). attention_backward has it.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass q = p;
                  const double root = std::sqrt(static_cast<double>(p.Q.shape(1)));
                  const Matrix d_output = p.error / p.n_queries;
                  const Matrix d_scores = p.weights * matmul_transposed(d_output, p.V) / root;
                  q.d_W_q = matmul(transposed(p.table.asked), matmul(d_scores, p.K));
                  q.d_W_k = matmul(transposed(p.table.entries), matmul(transposed(d_scores), p.Q));
                  descend(step.W, q, step.rate);
              }));

MISCONCEPTION(learn_lookup, d_W_v_scaled,
              "the gradient of W_v is divided by √d_k. The values do not go through the scores.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass q = p;
                  q.d_W_v /= std::sqrt(static_cast<double>(p.Q.shape(1)));
                  descend(step.W, q, step.rate);
              }));

MISCONCEPTION(learn_lookup, momentum,
              "a part of the step before is added to each step. That is momentum; plain descent "
              "was asked for.",
              moved_by([](const Step& step, const Pass& p) {
                  static thread_local Projections velocity;
                  if (step.t == 0) {
                      velocity = {zeros_like(p.d_W_q), zeros_like(p.d_W_k), zeros_like(p.d_W_v)};
                  }
                  velocity.W_q = 0.9 * velocity.W_q + p.d_W_q;
                  velocity.W_k = 0.9 * velocity.W_k + p.d_W_k;
                  velocity.W_v = 0.9 * velocity.W_v + p.d_W_v;
                  step.W.W_q -= step.rate * velocity.W_q;
                  step.W.W_k -= step.rate * velocity.W_k;
                  step.W.W_v -= step.rate * velocity.W_v;
              }));

MISCONCEPTION(learn_lookup, last_table_alone,
              "every step takes the last table. They take turns: tables[step % tables.size()].",
              stepwise([](const Step& step) {
                  const Pass p = pass(step.tables.back(), step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, tables_backwards,
              "the tables take turns from the last to the first. Step 0 takes tables[0].",
              stepwise([](const Step& step) {
                  const Pass p = pass(
                      step.tables[step.tables.size() - 1 - step.t % step.tables.size()], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, stays_at_the_last_table,
              "when all tables have had their turn, the last one stays. The first follows it: "
              "tables[step % tables.size()].",
              stepwise([](const Step& step) {
                  const Pass p =
                      pass(step.tables[std::min(step.t, step.tables.size() - 1)], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, loss_is_the_mean_square,
              "the loss that is written down is the mean squared error over all elements. It is Σ "
              "error² / (2 n_queries).",
              losses_by([](const Pass& p) {
                  return 2 * p.loss / static_cast<double>(p.error.shape(1));
              }));

MISCONCEPTION(
    learn_lookup, loss_is_the_sum_of_squares,
    "the loss that is written down is the sum of the squares. It is Σ error² / (2 n_queries).",
    losses_by([](const Pass& p) { return 2 * p.loss * p.n_queries; }));

MISCONCEPTION(learn_lookup, loss_of_the_next_table,
              "the loss that is written down is that of the next table. losses(t) belongs to the "
              "table of step t.",
              stepwise([](const Step& step) {
                  descend(step.W, pass(table_of(step), step.W), step.rate);
                  return pass(step.tables[(step.t + 1) % step.tables.size()], step.W).loss;
              }));

MISCONCEPTION(
    learn_lookup, no_half_anywhere,
    "the ½ is missing, in the loss and in its gradient. The loss is Σ error² / (2 n_queries).",
    stepwise([](const Step& step) {
        const Table& table = table_of(step);
        const Pass p = pass(table, step.W, 2);
        descend(step.W, p, step.rate);
        return p.loss * 2;
    }));

MISCONCEPTION(learn_lookup, no_mean_anywhere,
              "nothing is divided by the number of queries, neither loss nor gradient. The loss is "
              "a mean over the queries.",
              stepwise([](const Step& step) {
                  const Table& table = table_of(step);
                  const Pass p = pass(table, step.W, queries_of(table));
                  descend(step.W, p, step.rate);
                  return p.loss * queries_of(table);
              }));

MISCONCEPTION(learn_lookup, mean_square_everywhere,
              "loss and gradient are those of the mean squared error over all elements. Here the "
              "loss is Σ error² / (2 n_queries).",
              stepwise([](const Step& step) {
                  const Table& table = table_of(step);
                  const Pass p = pass(table, step.W, 2 / d_v_of(table));
                  descend(step.W, p, step.rate);
                  return p.loss * 2 / d_v_of(table);
              }));

MISCONCEPTION(
    learn_lookup, d_W_v_averaged_twice,
    "the gradient of W_v is divided by the number of queries once more. d_output has that "
    "factor already.",
    moved_by([](const Step& step, const Pass& p) {
        Pass q = p;
        q.d_W_v /= p.n_queries;
        descend(step.W, q, step.rate);
    }));

MISCONCEPTION(learn_lookup, moved_from_the_start,
              "each step moves what stood at the start, W ← start.W − rate · d_W, so only the last "
              "one counts. Go on from where the step before ended.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W = step.start;
                  descend(step.W, p, step.rate);
              }));

MISCONCEPTION(learn_lookup, loss_divided_by_two_times_n,
              "the loss is (…) / 2 * n, which C++ reads as (… / 2) · n. Put the denominator in "
              "parentheses: / (2 * n).",
              losses_by([](const Pass& p) { return p.loss * p.n_queries * p.n_queries; }));

MISCONCEPTION(learn_lookup, mean_over_components_everywhere,
              "loss and gradient are divided by d_v, the components of an output. The loss is a "
              "mean over the queries: divide by asked.shape(0).",
              stepwise([](const Step& step) {
                  const Table& table = table_of(step);
                  const double factor = static_cast<double>(table.asked.shape(0)) / d_v_of(table);
                  const Pass p = pass(table, step.W, factor);
                  descend(step.W, p, step.rate);
                  return p.loss * factor;
              }));

MISCONCEPTION(learn_lookup, n_queries_of_the_first_table,
              "n_queries is that of the first table at every step. Tables may have different "
              "numbers of rows: take it from the step's own.",
              stepwise([](const Step& step) {
                  const double first = static_cast<double>(step.tables[0].asked.shape(0));
                  const double own = static_cast<double>(table_of(step).asked.shape(0));
                  const Pass p = pass(table_of(step), step.W, own / first);
                  descend(step.W, p, step.rate);
                  return p.loss * own / first;
              }));

MISCONCEPTION(learn_lookup, values_made_anew_after_W_v_moved,
              "W_v moves first, and the gradients of queries and keys are made with new values. "
              "All three gradients belong to the weights before the step.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_v -= step.rate * p.d_W_v;
                  const Mask all = xt::ones<bool>({p.Q.shape(0), p.K.shape(0)});
                  const AttentionGradients back =
                      Parts{p.Q, p.K,       matmul(p.table.entries, step.W.W_v),
                            all, p.weights, p.error / p.n_queries}
                          .right();
                  step.W.W_q -= step.rate * matmul(transposed(p.table.asked), back.d_Q);
                  step.W.W_k -= step.rate * matmul(transposed(p.table.entries), back.d_K);
              }));

} // namespace
