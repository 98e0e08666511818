// Wrong versions of 09.2 to 09.4 that leave something of one head or row to the next, or meet the
// rows of W_o of another.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_left_over {

using namespace wrong;
using plain::GroupedMechanism;

namespace {

// ---- Weights of one head after the other, in which something is left over.

/// The largest score, or the sum, of what came before goes on. by_head: from head to head, and else
/// from row to row of each.
struct Kept {
    bool largest = false, sum = false, by_head = false;
};

/// Heads of scores become heads of weights.
Heads weights_with(const Kept& kept, const Heads& scores, const Mask& mask) {
    Heads weights = scores;
    std::vector<double> largest(scores[0].shape(0), -infinity), sums(scores[0].shape(0), 0.0);
    for (std::size_t h = 0; h < scores.size(); ++h) {
        double row_largest = -infinity, row_sum = 0;
        for (std::size_t i = 0; i < scores[h].shape(0); ++i) {
            double& most = kept.by_head ? largest[i] : row_largest;
            double& sum = kept.by_head ? sums[i] : row_sum;
            most = kept.largest ? most : -infinity;
            sum = kept.sum ? sum : 0;
            for (std::size_t j = 0; j < scores[h].shape(1); ++j) {
                most = mask(i, j) ? std::max(most, scores[h](i, j)) : most;
            }
            for (std::size_t j = 0; j < scores[h].shape(1); ++j) {
                weights[h](i, j) = mask(i, j) ? std::exp(scores[h](i, j) - most) : 0;
                sum += weights[h](i, j);
            }
            for (std::size_t j = 0; j < scores[h].shape(1); ++j) {
                weights[h](i, j) = mask(i, j) ? weights[h](i, j) / sum : 0;
            }
        }
    }
    return weights;
}

Heads scores_of(const Heads& Q, const Heads& K) {
    Heads scores;
    for (std::size_t h = 0; h < Q.size(); ++h) {
        scores.push_back(oracle::scaled_scores(Q[h], K[h * K.size() / Q.size()]));
    }
    return scores;
}

Matrix mixed(const Heads& weights, const Heads& V) {
    Heads outputs;
    for (std::size_t h = 0; h < weights.size(); ++h) {
        outputs.push_back(oracle::matmul(weights[h], V[h * V.size() / weights.size()]));
    }
    return plain::merge(outputs);
}

auto heads_keeping(Kept kept) {
    return
        [=](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
            const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) -> lesson::MultiHead {
            lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
            const auto split = [&](const Matrix& W) {
                return plain::split(oracle::matmul(X, W), n_heads);
            };
            const Heads weights = weights_with(kept, scores_of(split(W_q), split(W_k)),
                                               mask.value_or(plain::all_allowed(X.shape(0))));
            return {oracle::matmul(mixed(weights, split(W_v)), W_o), plain::stacked(weights)};
        };
}

auto groups_keeping(Kept kept) {
    return [=](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
        const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
        const Mask all = xt::ones<bool>({Q.shape(0), K.shape(0)});
        const Heads scores = scores_of(plain::split(Q, size.n_heads), plain::split(K, n_kv_heads));
        return mixed(weights_with(kept, scores, all), plain::split(V, n_kv_heads));
    };
}

auto rows_keeping(Kept kept) {
    return [=](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) {
        lesson::require_fit(Q, K, V, positions);
        const Heads scores{
            oracle::scaled_scores(plain::rotate(Q, positions), plain::rotate(K, positions))};
        return mixed(weights_with(kept, scores, plain::all_allowed(Q.shape(0))), {V});
    };
}

constexpr const char* largest_kept =
    "the largest score is sought on from one head to the next, or from one row to the next: where "
    "it was larger before, all that comes underflows to 0. It starts at −∞ for each row of each "
    "head.";
constexpr const char* sum_of_heads_kept =
    "the sum that a row is divided by goes on from head to head. It starts at 0 for each row of "
    "each head.";
constexpr const char* sum_of_rows_kept =
    "the sum that a row is divided by goes on from row to row. It starts at 0 for each row.";

MISCONCEPTION(multi_head_attention, largest_of_the_head_before, largest_kept,
              heads_keeping({.largest = true, .by_head = true}));
MISCONCEPTION(multi_head_attention, largest_of_the_row_before, largest_kept,
              heads_keeping({.largest = true}));
MISCONCEPTION(multi_head_attention, sum_of_the_head_before, sum_of_heads_kept,
              heads_keeping({.sum = true, .by_head = true}));
MISCONCEPTION(multi_head_attention, sum_of_the_row_before, sum_of_rows_kept,
              heads_keeping({.sum = true}));
MISCONCEPTION(grouped_query_attention, largest_of_the_head_before, largest_kept,
              groups_keeping({.largest = true, .by_head = true}));
MISCONCEPTION(grouped_query_attention, largest_of_the_row_before, largest_kept,
              groups_keeping({.largest = true}));
MISCONCEPTION(grouped_query_attention, sum_of_the_head_before, sum_of_heads_kept,
              groups_keeping({.sum = true, .by_head = true}));
MISCONCEPTION(grouped_query_attention, sum_of_the_row_before, sum_of_rows_kept,
              groups_keeping({.sum = true}));
MISCONCEPTION(rotary_attention, largest_of_the_row_before, largest_kept,
              rows_keeping({.largest = true}));
MISCONCEPTION(rotary_attention, sum_of_the_row_before, sum_of_rows_kept,
              rows_keeping({.sum = true}));

/// Sums of these and those before them.
void add_up(Heads& heads) {
    for (std::size_t h = 1; h < heads.size(); ++h) {
        heads[h] += heads[h - 1];
    }
}

MISCONCEPTION(multi_head_attention, outputs_added_up_from_head_to_head,
              "the output of a head still holds those of the heads before it: += into an array "
              "that is not set to 0 when a head begins.",
              Mechanism{.merge_outputs = [](Heads heads) {
                  add_up(heads);
                  return plain::merge(heads);
              }});
MISCONCEPTION(multi_head_attention, weights_added_up_from_head_to_head,
              "the weights of a head still hold those of the heads before it: += into an array "
              "that is not set to 0 when a head begins.",
              Mechanism{.change = add_up});
MISCONCEPTION(grouped_query_attention, outputs_added_up_from_head_to_head,
              "the output of a head still holds those of the heads before it: += into an array "
              "that is not set to 0 when a head begins.",
              GroupedMechanism{.merge_outputs = [](Heads heads, auto) {
                  add_up(heads);
                  return plain::merge(heads);
              }});

MISCONCEPTION(multi_head_attention, scores_added_up_from_head_to_head,
              "the scores of a head still hold those of the heads before it: += into an array that "
              "is not set to 0 when a head begins.",
              [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                 const Matrix& W_o, std::size_t n_heads,
                 const OptionalMask& mask) -> lesson::MultiHead {
                  lesson::require_fit(X, W_q, W_k, W_v, W_o, n_heads, mask);
                  const auto split = [&](const Matrix& W) {
                      return plain::split(oracle::matmul(X, W), n_heads);
                  };
                  Heads scores = scores_of(split(W_q), split(W_k));
                  add_up(scores);
                  const Heads weights =
                      weights_with({}, scores, mask.value_or(plain::all_allowed(X.shape(0))));
                  return {oracle::matmul(mixed(weights, split(W_v)), W_o), plain::stacked(weights)};
              });

// ---- W_o, a head at a time

/// heads · W_o, where head h meets other rows of it.
template <class Row>
auto finished_by_rows(Row row) {
    return [=](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
               const Matrix& W_o, std::size_t n_heads, const OptionalMask& mask) {
        const std::size_t d_v = n_heads > 0 ? W_v.shape(1) / n_heads : 0;
        Mechanism mechanism;
        mechanism.finish = [=](const Matrix& merged, const Matrix& W) {
            const Matrix rows = matrix_of(W.shape(0), W.shape(1), [&](auto i, auto c) {
                return W(row(i / d_v, i % d_v, n_heads, d_v), c);
            });
            return oracle::matmul(merged, rows);
        };
        return mechanism(X, W_q, W_k, W_v, W_o, n_heads, mask);
    };
}
MISCONCEPTION(multi_head_attention, rows_of_W_o_one_by_one,
              "head h is multiplied by the rows of W_o from h on. They begin at h · d_v.",
              finished_by_rows([](auto h, auto c, auto, auto) { return h + c; }));

} // namespace

} // namespace misconceptions_left_over
