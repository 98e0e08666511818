// Wrong versions of 08.5: what queries, keys and values are made of, and what counts in a step.

#include "attention/attention.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

/// What the three are made of, forwards and, where it is another, on the way back.
struct Made {
    const Matrix& Q;
    const Matrix& K;
    const Matrix& V;
};

Pass pass_made_of(const Table& table, const Projections& W, const Made& of, const Made& back) {
    Pass p;
    p.table = table;
    p.n_queries = static_cast<double>(table.asked.shape(0));
    p.Q = matmul(of.Q, W.W_q);
    p.K = matmul(of.K, W.W_k);
    p.V = matmul(of.V, W.W_v);
    const auto [output, weights] = attention::attention(p.Q, p.K, p.V);
    p.weights = weights;
    p.error = output - table.wanted;
    p.loss = xt::sum(xt::square(p.error))() / (2 * p.n_queries);
    const Mask all = xt::ones<bool>({p.Q.shape(0), p.K.shape(0)});
    p.back = Parts{p.Q, p.K, p.V, all, p.weights, p.error / p.n_queries}.right();
    p.d_W_q = matmul(transposed(back.Q), p.back.d_Q);
    p.d_W_k = matmul(transposed(back.K), p.back.d_K);
    p.d_W_v = matmul(transposed(back.V), p.back.d_V);
    return p;
}

/// made: of a table, what Q, K and V are made of. Going back as well, or forwards alone.
auto made_of(Made (*made)(const Table&), bool going_back_too) {
    return stepwise([=](const Step& step) {
        const Table& table = table_of(step);
        const Made right{table.asked, table.entries, table.entries};
        const Pass p =
            pass_made_of(table, step.W, made(table), going_back_too ? made(table) : right);
        descend(step.W, p, step.rate);
        return p.loss;
    });
}

Made keys_of_asked(const Table& table) {
    return {table.asked, table.asked, table.entries};
}
Made values_of_asked(const Table& table) {
    return {table.asked, table.entries, table.asked};
}
Made keys_and_values_of_asked(const Table& table) {
    return {table.asked, table.asked, table.asked};
}
Made queries_of_entries(const Table& table) {
    return {table.entries, table.entries, table.entries};
}

MISCONCEPTION(learn_lookup, keys_from_asked,
              "the keys are made of what is asked, K = asked · W_k. What can be found stands in "
              "the entries: K = entries · W_k.",
              made_of(keys_of_asked, false));

MISCONCEPTION(learn_lookup, keys_from_asked_both_ways,
              "the keys are made of what is asked, and so is d_W_k. What can be found stands in "
              "the entries: K = entries · W_k.",
              made_of(keys_of_asked, true));

MISCONCEPTION(learn_lookup, values_from_asked,
              "the values are made of what is asked, V = asked · W_v. What is handed out stands in "
              "the entries: V = entries · W_v.",
              made_of(values_of_asked, false));

MISCONCEPTION(learn_lookup, values_from_asked_both_ways,
              "the values are made of what is asked, and so is d_W_v. What is handed out stands in "
              "the entries: V = entries · W_v.",
              made_of(values_of_asked, true));

MISCONCEPTION(learn_lookup, all_from_asked,
              "queries, keys and values are all made of what is asked, and the entries are not "
              "looked at: that would be self-attention. K and V are made of the entries.",
              made_of(keys_and_values_of_asked, true));

MISCONCEPTION(learn_lookup, queries_from_entries,
              "the queries are made of the entries, Q = entries · W_q. It is `asked` that asks: "
              "Q = asked · W_q.",
              made_of(queries_of_entries, false));

MISCONCEPTION(learn_lookup, all_from_entries,
              "queries, keys and values are all made of the entries, and `asked` is not looked at: "
              "that would be self-attention. Q = asked · W_q.",
              made_of(queries_of_entries, true));

// ---- which point, which number

MISCONCEPTION(learn_lookup, forward_pass_from_the_start,
              "the forward pass uses start.W_q, start.W_k and start.W_v in every step, so the "
              "gradients stay those of the beginning. Use the matrices that have moved.",
              stepwise([](const Step& step) {
                  const Pass p = pass(table_of(step), step.start);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

double over_keys(const Table& table) {
    return static_cast<double>(table.asked.shape(0)) / static_cast<double>(table.entries.shape(0));
}

MISCONCEPTION(
    learn_lookup, mean_over_keys_everywhere,
    "loss and gradient are divided by the number of entries. The loss is a mean over the queries: "
    "divide by asked.shape(0).",
    stepwise([](const Step& step) {
        const Table& table = table_of(step);
        const Pass p = pass(table, step.W, over_keys(table));
        descend(step.W, p, step.rate);
        return p.loss * over_keys(table);
    }));

MISCONCEPTION(learn_lookup, loss_over_keys,
              "the loss that is written down is divided by the number of entries. It is a mean "
              "over the queries.",
              losses_by([](const Pass& p) { return p.loss * over_keys(p.table); }));

MISCONCEPTION(learn_lookup, scores_not_scaled_going_forward,
              "the forward pass does not divide the scores by √d_k, and the way back does: the "
              "gradients belong to another function. attention::attention divides.",
              stepwise([](const Step& step) {
                  const Table& table = table_of(step);
                  Pass p = pass(table, step.W);
                  p.weights = oracle::softmax_rows(matmul_transposed(p.Q, p.K));
                  p.error = matmul(p.weights, p.V) - table.wanted;
                  const Mask all = xt::ones<bool>({p.Q.shape(0), p.K.shape(0)});
                  p.back = Parts{p.Q, p.K, p.V, all, p.weights, p.error / p.n_queries}.right();
                  p.d_W_q = matmul(transposed(table.asked), p.back.d_Q);
                  p.d_W_k = matmul(transposed(table.entries), p.back.d_K);
                  p.d_W_v = matmul(transposed(table.entries), p.back.d_V);
                  descend(step.W, p, step.rate);
                  return xt::sum(xt::square(p.error))() / (2 * p.n_queries);
              }));

MISCONCEPTION(learn_lookup, causal_mask_going_back,
              "on the way back a causal mask stands, so keys after a query's own position get "
              "nothing. In a table everything may be looked at: the mask is true everywhere.",
              moved_by([](const Step& step, const Pass& p) {
                  Mask lower = xt::ones<bool>({p.Q.shape(0), p.K.shape(0)});
                  for (std::size_t i = 0; i < lower.shape(0); ++i) {
                      for (std::size_t j = i + 1; j < lower.shape(1); ++j) {
                          lower(i, j) = false;
                      }
                  }
                  const auto back =
                      Parts{p.Q, p.K, p.V, lower, p.weights, p.error / p.n_queries}.right();
                  step.W.W_q -= step.rate * matmul(transposed(p.table.asked), back.d_Q);
                  step.W.W_k -= step.rate * matmul(transposed(p.table.entries), back.d_K);
                  step.W.W_v -= step.rate * matmul(transposed(p.table.entries), back.d_V);
              }));

/// All gradients of a pass in which one of W_q and W_k stands for both.
auto one_for_both(bool W_q) {
    return stepwise([=](const Step& step) {
        const Projections both{W_q ? step.W.W_q : step.W.W_k, W_q ? step.W.W_q : step.W.W_k,
                               step.W.W_v};
        const Pass p = pass(table_of(step), both);
        descend(step.W, p, step.rate);
        return p.loss;
    });
}

MISCONCEPTION(learn_lookup, keys_by_W_q,
              "the keys are made with W_q. They have a matrix of their own: K = entries · W_k.",
              one_for_both(true));

MISCONCEPTION(learn_lookup, queries_by_W_k,
              "the queries are made with W_k. They have a matrix of their own: Q = asked · W_q.",
              one_for_both(false));

MISCONCEPTION(learn_lookup, gradients_never_reset,
              "each step moves by the sum of all gradients so far: they are added up, and not set "
              "back to 0. A step has the gradient of its own table.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  lesson::require_tables(tables, start);
                  Projections W = start;
                  Pass all;
                  Vector losses = Vector::from_shape({steps});
                  for (std::size_t t = 0; t < steps; ++t) {
                      const Pass p = pass(tables[t % tables.size()], W);
                      losses(t) = p.loss;
                      if (t == 0) {
                          all = p;
                      } else {
                          all.d_W_q += p.d_W_q;
                          all.d_W_k += p.d_W_k;
                          all.d_W_v += p.d_W_v;
                      }
                      descend(W, all, rate);
                  }
                  return learned(W, losses);
              });

// ---- which tables, and when

/// A step for each table, one after the other; returns the sum of their losses.
double step_for_each(const Step& step) {
    double loss = 0;
    for (const Table& table : step.tables) {
        const Pass p = pass(table, step.W);
        descend(step.W, p, step.rate);
        loss += p.loss;
    }
    return loss;
}

MISCONCEPTION(
    learn_lookup, all_tables_at_every_step_losses_summed,
    "every step goes over all tables, takes a step for each, and adds up their losses. One step "
    "takes one table.",
    stepwise(step_for_each));

MISCONCEPTION(learn_lookup, all_tables_at_every_step_losses_averaged,
              "every step goes over all tables, takes a step for each, and writes down the mean of "
              "their losses. One step takes one table, and they take turns.",
              stepwise([](const Step& step) {
                  return step_for_each(step) / static_cast<double>(step.tables.size());
              }));

MISCONCEPTION(
    learn_lookup, sum_over_all_tables,
    "every step takes the gradients of all tables together, and adds up their losses. One step "
    "takes one table, and they take turns.",
    stepwise([](const Step& step) {
        const Projections at = step.W;
        double loss = 0;
        for (const Table& table : step.tables) {
            const Pass p = pass(table, at);
            descend(step.W, p, step.rate);
            loss += p.loss;
        }
        return loss;
    }));

MISCONCEPTION(learn_lookup, each_table_twice_in_a_row,
              "each table has two steps before the next one has its turn. They take turns from "
              "step to step: tables[step % tables.size()].",
              stepwise([](const Step& step) {
                  const Pass p = pass(step.tables[step.t / 2 % step.tables.size()], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, each_table_several_steps_in_a_row,
              "each table gets its steps in a row, the first table first. They take turns from "
              "step to step: tables[step % tables.size()].",
              stepwise([](const Step& step) {
                  const Pass p =
                      pass(step.tables[step.t * step.tables.size() / step.steps], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

} // namespace
