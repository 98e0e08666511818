// Wrong versions whose sums end too early, whose counts are too narrow, whose arrays are kept by
// their number of elements, and whose texts are cut off; grader_tiny_between.cpp asks for them.

#include <cstdint>

#include "support/common_mistakes.hpp"
#include "wrong_check.hpp"
#include "wrong_products.hpp"

namespace misconceptions_sums_ended {

using namespace wrong;
using mistakes::Ends;
using mistakes::product_ended;
using mistakes::require_in_a_buffer;

namespace {

constexpr Ends at_any = Ends::at_any, not_0 = Ends::at_one_that_is_not_0;
constexpr const char* sum_ends = mistakes::sum_ends_where_unchanged;
constexpr const char* cut_off = mistakes::text_cut_off;

// ---- 08.1

auto row_sum_ended(Ends ends) {
    return in_rows([=](const Vector& p, const Vector& g) -> Vector {
        const auto term = [&](std::size_t k) { return p(k) * g(k); };
        return p * (g - mistakes::sum_ended(p.size(), ends, term));
    });
}
MISCONCEPTION(softmax_backward, sum_ends_where_unchanged, sum_ends, row_sum_ended(at_any));
MISCONCEPTION(softmax_backward, sum_ends_where_unchanged_but_not_at_0, sum_ends,
              row_sum_ended(not_0));

MISCONCEPTION(softmax_backward, text_cut_off, cut_off,
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  for (const std::size_t axis : {0U, 1U}) {
                      require_in_a_buffer(56, "softmax_backward", "weights", weights, axis,
                                          "its gradient", d_weights, axis);
                  }
                  return right_softmax_backward(weights, d_weights);
              });

// ---- 08.2

enum class In { d_A, d_B, both };

auto product_sums_ended(In in, Ends ends) {
    return product_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{
            in == In::d_B ? right_A(B, d_C) : product_ended(d_C, transposed(B), ends),
            in == In::d_A ? right_B(A, d_C) : product_ended(transposed(A), d_C, ends)};
    });
}
auto transposed_sums_ended(In in, Ends ends) {
    return transposed_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{in == In::d_B ? right_A_t(B, d_C) : product_ended(d_C, B, ends),
                                in == In::d_A ? right_B_t(A, d_C)
                                              : product_ended(transposed(d_C), A, ends)};
    });
}

#define SUMS_ENDED(where)                                                                          \
    MISCONCEPTION(matmul_backward, where##_ends_where_unchanged, sum_ends,                         \
                  product_sums_ended(In::where, at_any));                                          \
    MISCONCEPTION(matmul_backward, where##_ends_where_unchanged_but_not_at_0, sum_ends,            \
                  product_sums_ended(In::where, not_0));                                           \
    MISCONCEPTION(matmul_transposed_backward, transposed_##where##_ends_where_unchanged, sum_ends, \
                  transposed_sums_ended(In::where, at_any));                                       \
    MISCONCEPTION(matmul_transposed_backward,                                                      \
                  transposed_##where##_ends_where_unchanged_but_not_at_0, sum_ends,                \
                  transposed_sums_ended(In::where, not_0))
SUMS_ENDED(d_A);
SUMS_ENDED(d_B);
SUMS_ENDED(both);
#undef SUMS_ENDED

MISCONCEPTION(matmul_backward, text_cut_off, cut_off,
              [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                  const char* const function = "matmul_backward";
                  require_in_a_buffer(40, function, "A", A, 1, "B", B, 0);
                  require_in_a_buffer(40, function, "A", A, 0, "d_C", d_C, 0);
                  require_in_a_buffer(40, function, "B", B, 1, "d_C", d_C, 1);
                  return {right_A(B, d_C), right_B(A, d_C)};
              });
MISCONCEPTION(matmul_transposed_backward, transposed_text_cut_off, cut_off,
              [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                  const char* const function = "matmul_transposed_backward";
                  require_in_a_buffer(50, function, "A", A, 1, "B", B, 1);
                  require_in_a_buffer(50, function, "A", A, 0, "d_C", d_C, 0);
                  require_in_a_buffer(50, function, "B", B, 0, "d_C", d_C, 1);
                  return {right_A_t(B, d_C), right_B_t(A, d_C)};
              });

// ---- 08.3

/// The sums that end: of d_weights, of d_V, of Σ p g, and of d_Q and d_K; or all of them.
constexpr unsigned d_weights = 1, d_V = 2, of_rows = 4, d_Q_and_d_K = 8, all = 15;
auto attention_sums_ended(unsigned in, Ends ends) {
    return by_parts([=](const Parts& at) {
        const auto product = [&](unsigned one, const Matrix& X, const Matrix& Y) {
            return (in & one) != 0 ? product_ended(X, Y, ends) : matmul(X, Y);
        };
        const Matrix g = at.seen(product(d_weights, at.d_output, transposed(at.V)));
        const Matrix d_scores =
            Matrix((in & of_rows) != 0 ? row_sum_ended(ends)(at.weights, g)
                                       : right_softmax_backward(at.weights, g)) /
            at.root();
        return AttentionGradients{product(d_Q_and_d_K, d_scores, at.K),
                                  product(d_Q_and_d_K, transposed(d_scores), at.Q),
                                  product(d_V, transposed(at.weights), at.d_output)};
    });
}
MISCONCEPTION(attention_backward, sums_end_where_unchanged, sum_ends,
              attention_sums_ended(all, at_any));
MISCONCEPTION(attention_backward, sums_end_where_unchanged_but_not_at_0, sum_ends,
              attention_sums_ended(all, not_0));
MISCONCEPTION(attention_backward, d_weights_end_where_unchanged, sum_ends,
              attention_sums_ended(d_weights, not_0));
MISCONCEPTION(attention_backward, d_V_ends_where_unchanged, sum_ends,
              attention_sums_ended(d_V, not_0));
MISCONCEPTION(attention_backward, row_sums_end_where_unchanged, sum_ends,
              attention_sums_ended(of_rows, not_0));
MISCONCEPTION(attention_backward, d_Q_and_d_K_end_where_unchanged, sum_ends,
              attention_sums_ended(d_Q_and_d_K, not_0));

constexpr const char* queries_in_8_bits =
    "a key that 256 queries see is taken for padding that no query sees: they are counted in 8 "
    "bits, which begin again at 0. Count in a std::size_t, or ask whether any query sees the key.";
constexpr const char* keys_in_8_bits =
    "a query that sees 256 keys is taken for one that sees none: they are counted in 8 bits, which "
    "begin again at 0. Count in a std::size_t, or ask whether it sees any key.";

std::uint8_t in_8_bits(const Mask& mask) {
    return static_cast<std::uint8_t>(std::count(mask.begin(), mask.end(), true));
}
Mask column_of(const Mask& mask, std::size_t j) {
    return xt::view(mask, xt::all(), xt::range(j, j + 1));
}
Mask row_of(const Mask& mask, std::size_t i) {
    return xt::view(mask, xt::range(i, i + 1), xt::all());
}

MISCONCEPTION(attention_backward, queries_counted_in_8_bits, queries_in_8_bits,
              by_parts([](const Parts& at) {
                  Parts seen = at;
                  for (std::size_t j = 0; j < at.mask.shape(1); ++j) {
                      if (in_8_bits(column_of(at.mask, j)) == 0) {
                          xt::view(seen.mask, xt::all(), j) = false;
                          xt::view(seen.weights, xt::all(), j) = 0;
                      }
                  }
                  return seen.right();
              }));
MISCONCEPTION(attention_backward, values_cleared_by_8_bits, queries_in_8_bits,
              by_parts([](const Parts& at) {
                  Parts cleared = at;
                  for (std::size_t j = 0; j < at.mask.shape(1); ++j) {
                      if (in_8_bits(column_of(at.mask, j)) == 0) {
                          xt::view(cleared.V, j, xt::all()) = 0;
                      }
                  }
                  return cleared.right();
              }));
MISCONCEPTION(attention_backward, keys_counted_in_8_bits, keys_in_8_bits,
              by_parts([](const Parts& at) {
                  Parts seen = at;
                  for (std::size_t i = 0; i < at.mask.shape(0); ++i) {
                      if (in_8_bits(row_of(at.mask, i)) == 0) {
                          xt::view(seen.mask, i, xt::all()) = false;
                          xt::view(seen.weights, i, xt::all()) = 0;
                      }
                  }
                  return seen.right();
              }));

MISCONCEPTION(attention_backward, text_cut_off, cut_off,
              [](const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
                 const Matrix& weights, const Matrix& d_output) -> AttentionGradients {
                  const auto share = [](auto&&... arguments) {
                      require_in_a_buffer(46, "attention_backward", arguments...);
                  };
                  share("Q", Q, 1U, "K", K, 1U);
                  share("K", K, 0U, "V", V, 0U);
                  share("Q", Q, 0U, "mask", mask, 0U);
                  share("K", K, 0U, "mask", mask, 1U);
                  share("Q", Q, 0U, "weights", weights, 0U);
                  share("K", K, 0U, "weights", weights, 1U);
                  share("Q", Q, 0U, "d_output", d_output, 0U);
                  share("V", V, 1U, "d_output", d_output, 1U);
                  return Parts{Q, K, V, mask, weights, d_output}.right();
              });

// ---- 08.4

MISCONCEPTION_IN(by_name, gradient_check, text_cut_off, cut_off,
                 [](const std::string& f, const Vector& x, const Vector& gradient, double h) {
                     require_in_a_buffer(48, "gradient_check", "x", x, 0, "its gradient", gradient,
                                         0);
                     return checked([](const ScalarFunction& function, const Vector& at,
                                       const Vector& claimed, double step) {
                         return right_measure(differences_by(centred, function, at, step), claimed);
                     })(f, x, gradient, h);
                 });

// ---- 08.5

MISCONCEPTION(learn_lookup, loss_ends_where_unchanged, sum_ends, losses_by([](const Pass& p) {
                  return mistakes::sum_ended(
                             p.error.size(), not_0,
                             [&](std::size_t i) { return p.error.data()[i] * p.error.data()[i]; }) /
                         (2 * p.n_queries);
              }));

constexpr const char* kept_by_number =
    "an array that is kept from step to step, such as the mask, is made anew only where the number "
    "of its elements changes. Tables of (2, 6) and of (3, 4) have as many: make it anew at every "
    "step, or compare its shape.";

/// changes: whether a mask of this shape has to be made anew for these weights.
auto with_kept_mask(bool (*changes)(const Mask& kept, const Matrix& weights)) {
    return [=](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
               double rate) -> Learned {
        lesson::require_tables(tables, start);
        Projections W = start;
        Vector losses = Vector::from_shape({steps});
        Mask kept = Mask::from_shape({0, 0});
        for (std::size_t t = 0; t < steps; ++t) {
            const Pass p = pass(tables[t % tables.size()], W);
            if (changes(kept, p.weights)) {
                kept = xt::ones<bool>({p.weights.shape(0), p.weights.shape(1)});
            }
            lesson::attention_backward(p.Q, p.K, p.V, kept, p.weights, p.error); // may refuse it
            losses(t) = p.loss;
            descend(W, p, rate);
        }
        return learned(W, losses);
    };
}
MISCONCEPTION(learn_lookup, mask_kept_by_its_number, kept_by_number,
              with_kept_mask([](const Mask& kept, const Matrix& weights) {
                  return kept.size() != weights.size();
              }));

constexpr const char* kept_by_one_size =
    "an array that is kept from step to step, such as the mask, is made anew only where one of its "
    "sizes changes. Tables may differ in the other: make it anew at every step, or compare its "
    "shape.";
MISCONCEPTION(learn_lookup, mask_kept_by_its_queries, kept_by_one_size,
              with_kept_mask([](const Mask& kept, const Matrix& weights) {
                  return kept.shape(0) != weights.shape(0);
              }));
MISCONCEPTION(learn_lookup, mask_kept_by_its_entries, kept_by_one_size,
              with_kept_mask([](const Mask& kept, const Matrix& weights) {
                  return kept.shape(1) != weights.shape(1);
              }));
MISCONCEPTION(learn_lookup, text_cut_off, cut_off,
              [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                 double rate) -> Learned {
                  const auto share = [](auto&&... arguments) {
                      require_in_a_buffer(44, "learn_lookup", arguments...);
                  };
                  share("W_q", start.W_q, 1U, "W_k", start.W_k, 1U);
                  for (const Table& table : tables) {
                      share("asked", table.asked, 0U, "wanted", table.wanted, 0U);
                      share("asked", table.asked, 1U, "W_q", start.W_q, 0U);
                      share("entries", table.entries, 1U, "W_k", start.W_k, 0U);
                      share("entries", table.entries, 1U, "W_v", start.W_v, 0U);
                      share("wanted", table.wanted, 1U, "W_v", start.W_v, 1U);
                  }
                  lesson::require_tables(tables, start); // which refuses that there is none
                  return plain::learn_lookup(tables, start, steps, rate);
              });

} // namespace

} // namespace misconceptions_sums_ended
