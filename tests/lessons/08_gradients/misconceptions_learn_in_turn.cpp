// Wrong versions of 08.5 in which the matrices do not move at once, or tables do not take turns.
// Those in the order that most people choose are in misconceptions_learn.cpp and
// misconceptions_learn_slips.cpp.

#include <limits>

#include "wrong.hpp"

using namespace wrong;

namespace {

constexpr const char* in_turn =
    "the matrices do not move at once: of those that move later the gradient is computed after "
    "others have moved. All three gradients belong to the point where the step begins.";

/// The groups move one after the other: "q", "kv".
auto moved_in_turn(std::vector<std::string> groups) {
    return moved_by([=](const Step& step, const Pass& p) {
        Pass here = p;
        for (const std::string& group : groups) {
            for (const char matrix : group) {
                if (matrix == 'q') {
                    step.W.W_q -= step.rate * here.d_W_q;
                } else if (matrix == 'k') {
                    step.W.W_k -= step.rate * here.d_W_k;
                } else {
                    step.W.W_v -= step.rate * here.d_W_v;
                }
            }
            here = pass(table_of(step), step.W);
        }
    });
}

MISCONCEPTION(learn_lookup, W_q_W_v_W_k_in_turn, in_turn, moved_in_turn({"q", "v", "k"}));
MISCONCEPTION(learn_lookup, W_k_W_q_W_v_in_turn, in_turn, moved_in_turn({"k", "q", "v"}));
MISCONCEPTION(learn_lookup, W_k_W_v_W_q_in_turn, in_turn, moved_in_turn({"k", "v", "q"}));
MISCONCEPTION(learn_lookup, W_v_W_q_W_k_in_turn, in_turn, moved_in_turn({"v", "q", "k"}));
MISCONCEPTION(learn_lookup, W_v_W_k_W_q_in_turn, in_turn, moved_in_turn({"v", "k", "q"}));
MISCONCEPTION(learn_lookup, W_q_before_the_others, in_turn, moved_in_turn({"q", "kv"}));
MISCONCEPTION(learn_lookup, W_k_before_the_others, in_turn, moved_in_turn({"k", "qv"}));
MISCONCEPTION(learn_lookup, W_v_after_the_others, in_turn, moved_in_turn({"qk", "v"}));
MISCONCEPTION(learn_lookup, W_k_after_the_others, in_turn, moved_in_turn({"qv", "k"}));
MISCONCEPTION(learn_lookup, W_q_after_the_others, in_turn, moved_in_turn({"kv", "q"}));

MISCONCEPTION(learn_lookup, losses_in_whole_numbers,
              "the squares of a loss are summed in an integer, which drops the fraction at every "
              "step: in std::inner_product(first, last, other, 0) and std::accumulate(…, 0) the "
              "type of the 0 is the type of the sum. Begin with 0.0.",
              stepwise([](const Step& step) {
                  const Pass p = pass(table_of(step), step.W);
                  descend(step.W, p, step.rate);
                  double sum = 0;
                  for (const double error : p.error) {
                      sum = std::trunc(sum + error * error);
                  }
                  return sum / (2 * p.n_queries);
              }));

// ---- tables that do not take turns

MISCONCEPTION(learn_lookup, a_table_after_the_other,
              "each table is used for a block of steps, one after the other. They take turns at "
              "every step: tables[t % tables.size()].",
              stepwise([](const Step& step) {
                  const std::size_t n = step.tables.size(), each = (step.steps + n - 1) / n;
                  const Pass p = pass(step.tables[step.t / each], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, a_table_after_the_other_and_the_last,
              "each table is used for steps / tables.size() steps, one after the other, and the "
              "last for what remains. They take turns at every step: tables[t % tables.size()].",
              stepwise([](const Step& step) {
                  const std::size_t n = step.tables.size(),
                                    each = std::max(step.steps / n, std::size_t{1});
                  const Pass p = pass(step.tables[std::min(step.t / each, n - 1)], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, tables_there_and_back,
              "in every second round the tables are taken from the last to the first. Every round "
              "begins with the first: tables[t % tables.size()].",
              stepwise([](const Step& step) {
                  const std::size_t n = step.tables.size(), i = step.t % n;
                  const Pass p = pass(step.tables[step.t / n % 2 == 0 ? i : n - 1 - i], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, a_copy_learns,
              "the losses are right, and what is returned is `start`: a copy of it has learned. "
              "Return the matrices that have moved.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  return learned(start, plain::learn_lookup(tables, start, steps, rate).losses);
              });

MISCONCEPTION(learn_lookup, all_of_it_in_a_copy,
              "what is returned is `start`, and losses of 0: the steps have changed something "
              "else. auto [W_q, W_k, W_v, losses] = learned copies all four, and only the copies "
              "move; auto& [W_q, …] gives names to those in learned.",
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double) -> Learned {
                  lesson::require_tables(tables, start);
                  return learned(start, xt::zeros<double>({steps}));
              });

constexpr const char* square_mask =
    "it refuses every table that has not as many queries as entries: the mask is a square. It has "
    "a row for each query and a column for each entry.";
/// axis: of the weights, whose size the mask has on both sides.
auto under_a_square_mask(std::size_t axis) {
    return moved_by([=](const Step& step, const Pass& p) {
        const std::size_t n = p.weights.shape(axis);
        const Mask mask = xt::ones<bool>({n, n});
        lesson::attention_backward(p.Q, p.K, p.V, mask, p.weights, p.error); // which refuses it
        descend(step.W, p, step.rate);
    });
}
MISCONCEPTION(learn_lookup, mask_of_queries, square_mask, under_a_square_mask(0));
MISCONCEPTION(learn_lookup, mask_of_entries, square_mask, under_a_square_mask(1));

constexpr const char* ends_early =
    "once the loss of a table is small no more steps are taken. As many are asked for as `steps` "
    "says, and other tables may have much to learn.";

/// The losses of the steps that are not taken: 0, or that of the last one taken.
auto ending_below(double bound, bool last_loss_goes_on) {
    return [=](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
               double rate) -> Learned {
        lesson::require_tables(tables, start);
        Projections W = start;
        Vector losses = xt::zeros<double>({steps});
        for (std::size_t t = 0; t < steps; ++t) {
            const Pass p = pass(tables[t % tables.size()], W);
            losses(t) = p.loss;
            if (p.loss < bound) {
                xt::view(losses, xt::range(t + 1, steps)) = last_loss_goes_on ? p.loss : 0.0;
                break;
            }
            descend(W, p, rate);
        }
        return learned(W, losses);
    };
}
MISCONCEPTION(learn_lookup, ends_at_a_small_loss, ends_early, ending_below(1e-6, false));
MISCONCEPTION(learn_lookup, ends_at_a_small_loss_which_goes_on, ends_early,
              ending_below(1e-10, true));

MISCONCEPTION(learn_lookup, ends_at_a_loss_of_0,
              "once the loss of a table is 0 no more steps are taken. As many are asked for as "
              "`steps` says, and other tables may have much to learn.",
              ending_below(std::numeric_limits<double>::denorm_min(), false));

MISCONCEPTION(learn_lookup, small_losses_move_nothing,
              "where the loss is small no matrix moves, as if there was nothing left to learn. How "
              "far to go the gradient says and the rate: leave the bound out.",
              moved_by([](const Step& step, const Pass& p) {
                  descend(step.W, p, p.loss < 1e-10 ? 0 : step.rate);
              }));

MISCONCEPTION(
    learn_lookup, losses_of_0_at_a_rate_of_0,
    "with a rate of 0 it returns at once, and all losses are 0. No matrix moves then, but "
    "each step has the loss of its table all the same. Leave that case out: the loop "
    "does it right.",
    [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
       double rate) -> Learned {
        Learned result = plain::learn_lookup(tables, start, steps, rate);
        result.losses *= rate == 0 ? 0 : 1;
        return result;
    });

constexpr const char* clipped =
    "large elements of the gradients are cut off at a bound. That is clipping; plain descent moves "
    "by the gradient as it is.";
auto cut_at(double bound) {
    return moved_by([=](const Step& step, const Pass& p) {
        Pass cut = p;
        for (Matrix* d_W : {&cut.d_W_q, &cut.d_W_k, &cut.d_W_v}) {
            *d_W = xt::clip(*d_W, -bound, bound);
        }
        descend(step.W, cut, step.rate);
    });
}
MISCONCEPTION(learn_lookup, gradient_cut_at_a_tenth, clipped, cut_at(0.1));
MISCONCEPTION(learn_lookup, gradient_cut_at_a_half, clipped, cut_at(0.5));
MISCONCEPTION(learn_lookup, gradient_cut_at_1, clipped, cut_at(1));

MISCONCEPTION(learn_lookup, last_table_left_out,
              "the last table never gets its turn: t is taken modulo one less than there are.",
              stepwise([](const Step& step) {
                  const std::size_t n = std::max(std::size_t{2}, step.tables.size());
                  const Pass p = pass(step.tables[step.t % (n - 1)], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

} // namespace
