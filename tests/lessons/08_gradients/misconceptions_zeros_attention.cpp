// Wrong versions of 08.3 and 08.5 that take a number which happens to be 0 for a sign.

#include <algorithm>
#include <cmath>

#include "wrong.hpp"

namespace misconceptions_zeros_attention {

using namespace wrong;

namespace {

// ---- 08.3

/// Right, but for pairs of a query and a key that are lost.
auto losing(std::function<bool(const Parts&, std::size_t i, std::size_t j)> lost) {
    return by_parts([=](const Parts& at) {
        Parts other = at;
        for (std::size_t i = 0; i < at.weights.shape(0); ++i) {
            for (std::size_t j = 0; j < at.weights.shape(1); ++j) {
                if (lost(at, i, j)) {
                    other.mask(i, j) = false;
                    other.weights(i, j) = 0;
                }
            }
        }
        return other.right();
    });
}

MISCONCEPTION(attention_backward, query_ends_at_a_blocked_key,
              "a query ends at its first blocked key: break where continue is meant. The mask may "
              "block one key and allow those after it.",
              losing([](const Parts& at, std::size_t i, std::size_t j) {
                  std::size_t seen = 0;
                  while (seen < j && at.mask(i, seen)) {
                      ++seen;
                  }
                  return seen < j;
              }));

MISCONCEPTION(attention_backward, first_key_blocked_for_all,
              "a query whose first key is blocked is taken for one that sees no key. It may see "
              "others.",
              losing([](const Parts& at, std::size_t i, std::size_t) { return !at.mask(i, 0); }));

MISCONCEPTION(attention_backward, last_key_blocked_for_all,
              "a query whose last key is blocked is taken for one that sees no key. It may see "
              "others.",
              losing([](const Parts& at, std::size_t i, std::size_t) {
                  return !at.mask(i, at.mask.shape(1) - 1);
              }));

MISCONCEPTION(attention_backward, key_blocked_for_the_last_query,
              "a key that the last query does not see is taken for padding. Others may see it.",
              losing([](const Parts& at, std::size_t, std::size_t j) {
                  return !at.mask(at.mask.shape(0) - 1, j);
              }));

bool zero_row(const Matrix& X, std::size_t row) {
    return xt::amax(xt::abs(xt::view(X, row, xt::all())))() == 0;
}

constexpr const char* zeros_for_padding =
    "a row of zeros is taken for padding, and left out. What is padding the mask says.";
MISCONCEPTION(attention_backward, zeros_in_Q_for_padding, zeros_for_padding,
              losing([](const Parts& at, std::size_t i, std::size_t) {
                  return zero_row(at.Q, i);
              }));
MISCONCEPTION(attention_backward, zeros_in_K_for_padding, zeros_for_padding,
              losing([](const Parts& at, std::size_t, std::size_t j) {
                  return zero_row(at.K, j);
              }));
MISCONCEPTION(attention_backward, zeros_in_V_for_padding, zeros_for_padding,
              losing([](const Parts& at, std::size_t, std::size_t j) {
                  return zero_row(at.V, j);
              }));

MISCONCEPTION(attention_backward, first_d_output_of_0_for_none,
              "a query whose first component of d_output is 0 is left out. The others count.",
              losing([](const Parts& at, std::size_t i, std::size_t) {
                  return at.d_output(i, 0) == 0;
              }));

MISCONCEPTION(attention_backward, ends_at_a_query_without_gradient,
              "all queries after one whose d_output is 0 are left out: break or return where "
              "continue is meant.",
              losing([](const Parts& at, std::size_t i, std::size_t) {
                  std::size_t before = 0;
                  while (before < i && !zero_row(at.d_output, before)) {
                      ++before;
                  }
                  return before < i;
              }));

MISCONCEPTION(attention_backward, ends_at_a_query_that_sees_nothing,
              "all queries after one that sees no key are left out: break or return where continue "
              "is meant.",
              losing([](const Parts& at, std::size_t i, std::size_t) {
                  const auto sees = [&](std::size_t query) {
                      return xt::any(xt::view(at.mask, query, xt::all()));
                  };
                  std::size_t before = 0;
                  while (before < i && sees(before)) {
                      ++before;
                  }
                  return before < i;
              }));

MISCONCEPTION(
    attention_backward, nan_alone_replaced,
    "what is NaN at the gradient of the weights becomes 0, and what is infinite stays: 0 · "
    "∞ is NaN later. The mask says what to replace, whatever stands there.",
    by_d_scores([](const Parts& at) {
        Matrix g = at.d_weights();
        std::replace_if(
            g.begin(), g.end(), [](double x) { return std::isnan(x); }, 0.0);
        return right_softmax_backward(at.weights, g);
    }));

MISCONCEPTION(attention_backward, infinity_alone_replaced,
              "what is infinite at the gradient of the weights becomes 0, and what is NaN stays. "
              "The mask says what to replace, whatever stands there.",
              by_d_scores([](const Parts& at) {
                  Matrix g = at.d_weights();
                  std::replace_if(
                      g.begin(), g.end(), [](double x) { return std::isinf(x); }, 0.0);
                  return right_softmax_backward(at.weights, g);
              }));

MISCONCEPTION(attention_backward, padding_by_the_first_query,
              "values that the first query does not see are set to 0. Other queries see them: "
              "padding is what none sees.",
              by_parts([](const Parts& at) {
                  Parts other = at;
                  for (std::size_t j = 0; j < at.V.shape(0); ++j) {
                      if (!at.mask(0, j)) {
                          xt::view(other.V, j, xt::all()) = 0;
                      }
                  }
                  return other.right();
              }));

MISCONCEPTION(attention_backward, d_weights_by_the_last_query,
              "what the last query does not see gets no d_weights from any query: one row of the "
              "mask is taken for all. Others may see it: read the mask at every pair, mask(i, j).",
              by_d_scores([](const Parts& at) {
                  Matrix g = at.d_weights();
                  for (std::size_t j = 0; j < g.shape(1); ++j) {
                      if (!at.mask(g.shape(0) - 1, j)) {
                          xt::view(g, xt::all(), j) = 0;
                      }
                  }
                  return right_softmax_backward(at.weights, g);
              }));

MISCONCEPTION(attention_backward, one_key_always_seen,
              "where there is one key it is taken to be seen: all of d_output goes to its value. "
              "The mask may block it.",
              by_parts([](const Parts& at) {
                  AttentionGradients result = at.right();
                  if (at.V.shape(0) == 1) {
                      result.d_V = xt::sum(at.d_output, {0}, xt::keep_dims);
                  }
                  return result;
              }));

// ---- 08.5

MISCONCEPTION(learn_lookup, averaged_over_components_too,
              "loss and gradients are means over all elements: divided by d_v, too. It is the sum "
              "over a row's components, and the mean over rows.",
              stepwise([](const Step& step) {
                  const Pass p = pass(table_of(step), step.W);
                  const double d_v = static_cast<double>(step.W.W_v.shape(1));
                  descend(step.W, p, step.rate / d_v);
                  return p.loss / d_v;
              }));

MISCONCEPTION(learn_lookup, gradient_by_the_rows_of_the_first_table,
              "the gradient is divided by the number of queries of the first table, whichever has "
              "its turn. Each has its own.",
              stepwise([](const Step& step) {
                  const Pass p = pass(table_of(step), step.W);
                  const double first = static_cast<double>(step.tables.front().asked.shape(0));
                  descend(step.W, p, step.rate * p.n_queries / first);
                  return p.loss;
              }));

constexpr const char* zeros_left_out =
    "a row of zeros is left out of a table. It is a row like any other.";

Matrix rows_kept(const Matrix& X, const Matrix& by) {
    Matrix result = Matrix::from_shape({0, X.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        if (!zero_row(by, i)) {
            result = xt::concatenate(
                xt::xtuple(result, Matrix(xt::view(X, xt::range(i, i + 1), xt::all()))));
        }
    }
    return result.shape(0) > 0 ? result : X;
}

auto on_tables(std::function<Table(const Table&)> change) {
    return stepwise([=](const Step& step) {
        const Pass p = pass(change(table_of(step)), step.W);
        descend(step.W, p, step.rate);
        return p.loss;
    });
}

MISCONCEPTION(
    learn_lookup, asked_zeros_left_out, zeros_left_out, on_tables([](const Table& t) {
        return Table{rows_kept(t.asked, t.asked), t.entries, rows_kept(t.wanted, t.asked)};
    }));
MISCONCEPTION(learn_lookup, entries_of_zeros_left_out, zeros_left_out,
              on_tables([](const Table& t) {
                  return Table{t.asked, rows_kept(t.entries, t.entries), t.wanted};
              }));
MISCONCEPTION(
    learn_lookup, wanted_zeros_left_out, zeros_left_out, on_tables([](const Table& t) {
        return Table{rows_kept(t.asked, t.wanted), t.entries, rows_kept(t.wanted, t.wanted)};
    }));

} // namespace

} // namespace misconceptions_zeros_attention
