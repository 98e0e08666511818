// Wrong versions of 08.5.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- the step

MISCONCEPTION(learn_lookup, ascends,
              "the weights move along the gradient, so the loss rises. A gradient says where the "
              "loss grows: W ← W − rate · d_W.",
              moved_by([](const Step& step, const Pass& p) { descend(step.W, p, -step.rate); }));

MISCONCEPTION(learn_lookup, W_v_does_not_learn,
              "W_v stays where it starts. All three matrices learn.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * p.d_W_q;
                  step.W.W_k -= step.rate * p.d_W_k;
              }));

MISCONCEPTION(learn_lookup, W_q_does_not_learn,
              "W_q stays where it starts. All three matrices learn.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_k -= step.rate * p.d_W_k;
                  step.W.W_v -= step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, W_k_does_not_learn,
              "W_k stays where it starts. All three matrices learn.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * p.d_W_q;
                  step.W.W_v -= step.rate * p.d_W_v;
              }));

MISCONCEPTION(learn_lookup, W_v_alone_learns,
              "only W_v learns; W_q and W_k stay where they start, so nobody looks elsewhere than "
              "before. Gradients go through the softmax to queries and keys too, unless a mask of "
              "xt::zeros<bool> blocks them: it has to be true everywhere.",
              moved_by([](const Step& step, const Pass& p) { step.W.W_v -= step.rate * p.d_W_v; }));

MISCONCEPTION(learn_lookup, nothing_learns,
              "the weights come back as they started: what the steps compute is not kept.",
              moved_by([](const Step&, const Pass&) {}));

MISCONCEPTION(learn_lookup, rate_ignored,
              "the rate is not used: each step goes by the whole gradient.",
              moved_by([](const Step& step, const Pass& p) { descend(step.W, p, 1); }));

MISCONCEPTION(learn_lookup, rate_divides,
              "the gradient is divided by the rate, where it is multiplied.",
              moved_by([](const Step& step, const Pass& p) { descend(step.W, p, 1 / step.rate); }));

MISCONCEPTION(learn_lookup, rate_falls,
              "the rate falls from step to step. Many programs do so; here it stays.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, step.rate / static_cast<double>(step.t + 1));
              }));

MISCONCEPTION(learn_lookup, signs_of_the_gradient,
              "each weight moves by the rate itself, up or down: only the gradient's sign is used. "
              "Its size says how far.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * xt::sign(p.d_W_q);
                  step.W.W_k -= step.rate * xt::sign(p.d_W_k);
                  step.W.W_v -= step.rate * xt::sign(p.d_W_v);
              }));

MISCONCEPTION(
    learn_lookup, gradient_of_length_one,
    "each gradient is divided by its length before the step. Then steps do not get shorter "
    "near the goal, as those of plain descent do.",
    moved_by([](const Step& step, const Pass& p) {
        const auto move = [&](Matrix& W, const Matrix& d_W) {
            const double length = std::sqrt(xt::sum(xt::square(d_W))());
            W -= step.rate / (length > 0 ? length : 1) * d_W;
        };
        move(step.W.W_q, p.d_W_q);
        move(step.W.W_k, p.d_W_k);
        move(step.W.W_v, p.d_W_v);
    }));

MISCONCEPTION(
    learn_lookup, one_matrix_after_the_other,
    "W_q moves first, and the gradients of W_k and W_v are computed with the new one. All "
    "three gradients belong to the point where the step begins.",
    moved_by([](const Step& step, const Pass& p) {
        step.W.W_q -= step.rate * p.d_W_q;
        step.W.W_k -= step.rate * pass(table_of(step), step.W).d_W_k;
        step.W.W_v -= step.rate * pass(table_of(step), step.W).d_W_v;
    }));

MISCONCEPTION(
    learn_lookup, weights_decay,
    "weights are drawn towards 0 beside the step, as in W ← (1 − λ) W − rate · d_W. No such "
    "term was asked for.",
    moved_by([](const Step& step, const Pass& p) {
        step.W.W_q *= 1 - step.rate;
        step.W.W_k *= 1 - step.rate;
        step.W.W_v *= 1 - step.rate;
        descend(step.W, p, step.rate);
    }));

MISCONCEPTION(learn_lookup, gradient_replaces_the_weights,
              "the weights are replaced by −rate · d_W: = where −= is meant.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W = {-step.rate * p.d_W_q, -step.rate * p.d_W_k, -step.rate * p.d_W_v};
              }));

MISCONCEPTION(learn_lookup, every_step_from_the_start,
              "every step starts from `start` again, so only the last one counts. Go on from where "
              "the step before ended.",
              stepwise([](const Step& step) {
                  step.W = step.start;
                  const Pass p = pass(table_of(step), step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

// ---- the gradient

MISCONCEPTION(learn_lookup, gradient_not_averaged,
              "the gradient is that of the sum over the queries: (output − wanted) has not been "
              "divided by n_queries, as the loss is.",
              stepwise([](const Step& step) {
                  const Table& table = table_of(step);
                  const Pass p = pass(table, step.W, static_cast<double>(table.asked.shape(0)));
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, gradient_doubled,
              "the gradient is twice what it should be: the derivative of a square is 2 · error, "
              "and the ½ of the loss takes the 2 away.",
              stepwise([](const Step& step) {
                  const Pass p = pass(table_of(step), step.W, 2);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, gradient_halved,
              "the gradient is half of what it should be: the derivative of ½ error² is the error "
              "itself, the ½ is gone.",
              stepwise([](const Step& step) {
                  const Pass p = pass(table_of(step), step.W, 0.5);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(
    learn_lookup, gradient_averaged_over_elements,
    "the gradient is divided by d_v as well, as the mean over all elements would have it. "
    "The loss is a mean over the queries alone.",
    stepwise([](const Step& step) {
        const Table& table = table_of(step);
        const Pass p = pass(table, step.W, 1 / static_cast<double>(table.wanted.shape(1)));
        descend(step.W, p, step.rate);
        return p.loss;
    }));

MISCONCEPTION(learn_lookup, gradient_over_keys,
              "the gradient is divided by the number of entries. The loss is a mean over the "
              "queries.",
              stepwise([](const Step& step) {
                  const Table& table = table_of(step);
                  const Pass p = pass(table, step.W,
                                      static_cast<double>(table.asked.shape(0)) /
                                          static_cast<double>(table.entries.shape(0)));
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, d_W_q_from_entries,
              "d_W_q is made with the entries. Queries are made of what is asked, Q = asked · W_q, "
              "so d_W_q is askedᵀ · d_Q.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass other = p;
                  other.d_W_q = matmul(transposed(p.table.entries), p.back.d_Q);
                  descend(step.W, other, step.rate);
              }));

MISCONCEPTION(learn_lookup, d_W_k_from_asked,
              "d_W_k is made with what is asked. Keys are made of the entries, K = entries · W_k, "
              "so d_W_k is entriesᵀ · d_K.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass other = p;
                  other.d_W_k = matmul(transposed(p.table.asked), p.back.d_K);
                  descend(step.W, other, step.rate);
              }));

MISCONCEPTION(
    learn_lookup, d_W_v_from_asked,
    "d_W_v is made with what is asked. Values are made of the entries, V = entries · W_v, "
    "so d_W_v is entriesᵀ · d_V.",
    moved_by([](const Step& step, const Pass& p) {
        Pass other = p;
        other.d_W_v = matmul(transposed(p.table.asked), p.back.d_V);
        descend(step.W, other, step.rate);
    }));

MISCONCEPTION(learn_lookup, scale_missing_going_back,
              "on the way back the division by √d_k is missing: d_W_q and d_W_k are √d_k times too "
              "large.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass other = p;
                  const double root = std::sqrt(static_cast<double>(p.Q.shape(1)));
                  other.d_W_q *= root;
                  other.d_W_k *= root;
                  descend(step.W, other, step.rate);
              }));

MISCONCEPTION(learn_lookup, scores_not_scaled,
              "the scores are not divided by √d_k, forward and back.",
              stepwise([](const Step& step) {
                  Projections larger = step.W;
                  const double root = std::sqrt(static_cast<double>(larger.W_q.shape(1)));
                  larger.W_q *= root;
                  Pass p = pass(table_of(step), larger);
                  p.d_W_q *= root;
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, softmax_skipped_going_back,
              "the way back leaves out the softmax: what comes at the weights goes straight on to "
              "queries and keys. attention_backward has it.",
              moved_by([](const Step& step, const Pass& p) {
                  Pass other = p;
                  const double root = std::sqrt(static_cast<double>(p.Q.shape(1)));
                  const Matrix d_output = p.error / p.n_queries;
                  const Matrix d_scores = matmul_transposed(d_output, p.V) / root;
                  other.d_W_q = matmul(transposed(p.table.asked), matmul(d_scores, p.K));
                  other.d_W_k =
                      matmul(transposed(p.table.entries), matmul(transposed(d_scores), p.Q));
                  descend(step.W, other, step.rate);
              }));

// ---- which table, which weights, how often

MISCONCEPTION(learn_lookup, first_table_alone,
              "every step takes the first table. They take turns: tables[step % tables.size()].",
              stepwise([](const Step& step) {
                  const Pass p = pass(step.tables.front(), step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, tables_one_ahead,
              "the first step takes the second table: the index is one ahead. Step t takes "
              "tables[t % tables.size()], and t starts at 0.",
              stepwise([](const Step& step) {
                  const Pass p = pass(step.tables[(step.t + 1) % step.tables.size()], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(
    learn_lookup, all_tables_at_every_step,
    "every step goes over all tables, and takes a step for each. One step takes one table.",
    stepwise([](const Step& step) {
        double loss = 0;
        for (const Table& table : step.tables) {
            const Pass p = pass(table, step.W);
            descend(step.W, p, step.rate);
            loss = p.loss;
        }
        return loss;
    }));

MISCONCEPTION(
    learn_lookup, mean_of_all_tables,
    "every step takes the mean gradient of all tables. One step takes one table, and they "
    "take turns.",
    stepwise([](const Step& step) {
        const Projections at = step.W;
        const double share = 1 / static_cast<double>(step.tables.size());
        double loss = 0;
        for (const Table& table : step.tables) {
            const Pass p = pass(table, at);
            descend(step.W, p, step.rate * share);
            loss += p.loss * share;
        }
        return loss;
    }));

MISCONCEPTION(learn_lookup, starts_at_zero,
              "descent starts at 0 and not at `start`. With W_q and W_k both 0 no gradient reaches "
              "them at all.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  lesson::require_tables(tables, start);
                  return plain::learn_lookup(
                      tables, {zeros_like(start.W_q), zeros_like(start.W_k), zeros_like(start.W_v)},
                      steps, rate);
              });

MISCONCEPTION(
    learn_lookup, last_step_not_taken,
    "one step too few is taken: the loss of the last one is written down, and the weights "
    "do not move any more.",
    [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
       double rate) -> Learned {
        Learned result = plain::learn_lookup(tables, start, steps, rate);
        const Learned before = plain::learn_lookup(tables, start, steps > 0 ? steps - 1 : 0, rate);
        return {before.W_q, before.W_k, before.W_v, result.losses};
    });

MISCONCEPTION(learn_lookup, one_step_too_many,
              "one step too many is taken after the last loss has been written down.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  Learned result = plain::learn_lookup(tables, start, steps, rate);
                  const Learned after = plain::learn_lookup(tables, start, steps + 1, rate);
                  return {after.W_q, after.W_k, after.W_v, result.losses};
              });

MISCONCEPTION(learn_lookup, W_q_and_W_k_interchanged,
              "W_q and W_k have changed places in the result.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  const Learned right = plain::learn_lookup(tables, start, steps, rate);
                  return {right.W_k, right.W_q, right.W_v, right.losses};
              });

// ---- the loss

MISCONCEPTION(learn_lookup, loss_without_the_half,
              "the loss that is written down has no ½: Σ error² / n_queries. It is "
              "Σ error² / (2 n_queries).",
              losses_by([](const Pass& p) { return 2 * p.loss; }));

MISCONCEPTION(learn_lookup, loss_not_averaged,
              "the loss that is written down is not divided by the number of queries.",
              losses_by([](const Pass& p) { return p.loss * p.n_queries; }));

MISCONCEPTION(
    learn_lookup, loss_per_element,
    "the loss that is written down is a mean over all elements, divided by d_v too. It is "
    "a mean over the queries alone.",
    losses_by([](const Pass& p) { return p.loss / static_cast<double>(p.error.shape(1)); }));

MISCONCEPTION(learn_lookup, loss_is_a_root,
              "the loss that is written down is the root of what is asked, a distance. Keep the "
              "square.",
              losses_by([](const Pass& p) { return std::sqrt(p.loss); }));

MISCONCEPTION(learn_lookup, loss_of_absolute_errors,
              "the loss that is written down sums absolute errors. They are squared.",
              losses_by([](const Pass& p) {
                  return xt::sum(xt::abs(p.error))() / (2 * p.n_queries);
              }));

MISCONCEPTION(learn_lookup, loss_after_the_step,
              "the loss is written down after the step. losses(t) is that just before step t.",
              stepwise([](const Step& step) {
                  descend(step.W, pass(table_of(step), step.W), step.rate);
                  return pass(table_of(step), step.W).loss;
              }));

MISCONCEPTION(
    learn_lookup, losses_stay_zero,
    "the losses stay 0: they are not written down, or multiplied by 0, as 1 / (2 * n) is in "
    "integers.",
    losses_by([](const Pass&) { return 0.0; }));

MISCONCEPTION(learn_lookup, losses_added_up,
              "the losses are added up from step to step. Each step has a loss of its own.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  Learned result = plain::learn_lookup(tables, start, steps, rate);
                  for (std::size_t t = 1; t < steps; ++t) {
                      result.losses(t) += result.losses(t - 1);
                  }
                  return result;
              });

} // namespace
