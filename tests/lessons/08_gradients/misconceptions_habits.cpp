// Wrong versions of 08.2 to 08.5 that come of habits of other libraries, and of other mechanisms.

#include "wrong_check.hpp"
#include "wrong_products.hpp"

namespace misconceptions_habits {

using namespace wrong;

namespace {

// ---- 08.1

MISCONCEPTION(softmax_backward, rest_of_a_block_cut_to_one,
              "the sum Σ p g goes by fours, and of what is left over it takes one key alone. There "
              "may be three: a loop takes them all.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  double sum = 0;
                  for (std::size_t k = 0; k < p.size() / 4 * 4 + (p.size() % 4 > 0 ? 1 : 0); ++k) {
                      sum += p(k) * g(k);
                  }
                  return p * (g - sum);
              }));

// ---- 08.2

constexpr const char* star =
    "d_C is multiplied with a transposed factor element by element. In xtensor * is never the "
    "matrix product: attention::matmul is.";

#define STAR(name, of_product, of_transposed)                                                      \
    MISCONCEPTION(matmul_backward, name, star,                                                     \
                  product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {             \
                      return ProductGradients of_product;                                          \
                  }));                                                                             \
    MISCONCEPTION(matmul_transposed_backward, transposed_##name, star,                             \
                  transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {          \
                      return ProductGradients of_transposed;                                       \
                  }))
// Braces hold commas that a macro would take for its own.
#define PAIR(first, second)                                                                        \
    { Matrix(first), Matrix(second) }
STAR(star_for_d_A, PAIR(d_C* transposed(B), right_B(A, d_C)), PAIR(d_C* B, right_B_t(A, d_C)));
STAR(star_for_d_B, PAIR(right_A(B, d_C), transposed(A) * d_C),
     PAIR(right_A_t(B, d_C), transposed(d_C) * A));
STAR(star_for_both, PAIR(d_C* transposed(B), transposed(A) * d_C),
     PAIR(d_C* B, transposed(d_C) * A));
#undef PAIR
#undef STAR

/// X · Y, whose sums are kept in an int.
Matrix in_whole_numbers(const Matrix& X, const Matrix& Y) {
    Matrix result = xt::zeros<double>({X.shape(0), Y.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < Y.shape(1); ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < Y.shape(0); ++k) {
                sum = std::trunc(std::clamp(sum + X(i, k) * Y(k, j), -2e9, 2e9));
            }
            result(i, j) = sum;
        }
    }
    return result;
}

constexpr const char* whole_numbers =
    "the sums are kept in an int, so their fractions are lost. auto sum = 0 is an int, and "
    "std::accumulate and std::inner_product sum in the type of their start value: write 0.0.";

MISCONCEPTION(matmul_backward, sums_in_whole_numbers, whole_numbers,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{in_whole_numbers(d_C, transposed(B)),
                                          in_whole_numbers(transposed(A), d_C)};
              }));
MISCONCEPTION(
    matmul_transposed_backward, sums_in_whole_numbers, whole_numbers,
    transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{in_whole_numbers(d_C, B), in_whole_numbers(transposed(d_C), A)};
    }));

/// Where an element of a factor is 0, its own gradient is 0 as well.
Matrix zero_where_zero(const Matrix& factor, const Matrix& gradient) {
    return xt::where(xt::equal(factor, 0.0), 0.0, gradient);
}

constexpr const char* zeros_skipped =
    "an element of a factor that is 0 is passed over, and its own gradient stays 0 with it. It is "
    "0 "
    "now and may move: what d_C and the other factor say of it counts.";

#define ZEROS_SKIPPED(name, if_A, if_B)                                                            \
    MISCONCEPTION(matmul_backward, name, zeros_skipped,                                            \
                  product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {             \
                      const Matrix d_A = right_A(B, d_C), d_B = right_B(A, d_C);                   \
                      return ProductGradients{if_A ? zero_where_zero(A, d_A) : d_A,                \
                                              if_B ? zero_where_zero(B, d_B) : d_B};               \
                  }));                                                                             \
    MISCONCEPTION(matmul_transposed_backward, transposed_##name, zeros_skipped,                    \
                  transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {          \
                      const Matrix d_A = right_A_t(B, d_C), d_B = right_B_t(A, d_C);               \
                      return ProductGradients{if_A ? zero_where_zero(A, d_A) : d_A,                \
                                              if_B ? zero_where_zero(B, d_B) : d_B};               \
                  }))
ZEROS_SKIPPED(zeros_of_A_passed_over, true, false);
ZEROS_SKIPPED(zeros_of_B_passed_over, false, true);
ZEROS_SKIPPED(zeros_of_both_passed_over, true, true);
#undef ZEROS_SKIPPED

// ---- 08.3

constexpr const char* causal =
    "this is causal, whatever the mask says: no query sees a key after its own place. Who sees "
    "whom is what the mask is for.";

Mask lower(const Mask& mask) {
    Mask result = mask;
    for (std::size_t i = 0; i < mask.shape(0); ++i) {
        for (std::size_t j = 0; j < mask.shape(1); ++j) {
            result(i, j) = j <= i;
        }
    }
    return result;
}

MISCONCEPTION(attention_backward, causal_and_the_mask, causal, by_parts([](const Parts& at) {
                  Parts other = at;
                  other.mask = at.mask && lower(at.mask);
                  other.weights = xt::where(other.mask, at.weights, 0.0);
                  return other.right();
              }));

MISCONCEPTION(attention_backward, causal_before_the_softmax, causal, by_parts([](const Parts& at) {
                  const Matrix seen = xt::where(lower(at.mask), at.d_weights(), 0.0);
                  return at.from(right_softmax_backward(at.weights, seen) / at.root());
              }));

constexpr const char* by_the_corner =
    "a mask that blocks the last key for query 0 is taken for a causal one: keys after a query's "
    "place get nothing. Other masks block that key too, such as one of padding. Read the mask at "
    "every pair, mask(i, j).";

/// else_unmasked: where that corner is not blocked, nothing is.
auto causal_by_the_corner(bool else_unmasked) {
    return by_d_scores([=](const Parts& at) {
        const bool blocked = !at.mask(0, at.mask.shape(1) - 1);
        const Matrix g = at.d_weights();
        const Matrix seen = blocked         ? Matrix(xt::where(lower(at.mask), g, 0.0))
                            : else_unmasked ? g
                                            : at.seen(g);
        return right_softmax_backward(at.weights, seen);
    });
}
MISCONCEPTION(attention_backward, causal_by_the_corner, by_the_corner, causal_by_the_corner(false));
MISCONCEPTION(attention_backward, causal_by_the_corner_or_unmasked, by_the_corner,
              causal_by_the_corner(true));

MISCONCEPTION(attention_backward, mean_from_the_output,
              "Σ p g is taken as d_output · output, which it is where all of V is finite. But the "
              "output is made of V here, and at padding V may hold anything: 0 · ∞ is NaN. Add up "
              "p · g over the keys that the mask allows.",
              by_parts([](const Parts& at) {
                  const Matrix output = matmul(at.weights, at.V);
                  const Matrix means = xt::sum(at.d_output * output, {1}, xt::keep_dims);
                  const Matrix d_scores = at.weights * (at.d_weights() - means);
                  return at.from(xt::where(at.mask, d_scores, 0.0) / at.root());
              }));

// ---- 08.4

MISCONCEPTION_IN(by_name, gradient_check, relative_to_the_gradient_unless_equal,
                 "the error is divided by the largest component of the gradient alone. If that is "
                 "wrong, so is the measure: a gradient of 0 is infinitely far off, and one that is "
                 "much too large hardly. Look at the differences as well.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const double error = largest_of(g - d);
                     return error == 0 ? 0 : error / largest_of(g);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_the_differences_unless_equal,
                 "the error is divided by the largest difference alone. Where f does not change "
                 "that is 0, and the error infinite; look at the gradient as well.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const double error = largest_of(g - d);
                     return error == 0 ? 0 : error / largest_of(d);
                 }));

// ---- 08.5

/// Every step moves by the gradients of all tables, each times share; the loss is its own table's.
auto by_all_tables(bool mean) {
    return stepwise([=](const Step& step) {
        const Projections at = step.W;
        const double share = mean ? 1 / static_cast<double>(step.tables.size()) : 1;
        for (const Table& table : step.tables) {
            descend(step.W, pass(table, at), step.rate * share);
        }
        return pass(table_of(step), at).loss;
    });
}

MISCONCEPTION(learn_lookup, turns_by_bits,
              "the table is tables[t & (n − 1)], which is t mod n where n is a power of two, and "
              "leaves tables out where it is not. Take the remainder: t % tables.size().",
              stepwise([](const Step& step) {
                  const Pass p = pass(step.tables[step.t & (step.tables.size() - 1)], step.W);
                  descend(step.W, p, step.rate);
                  return p.loss;
              }));

MISCONCEPTION(learn_lookup, moved_by_all_tables,
              "every step moves by the gradients of all tables, added up. Step t takes one table, "
              "whose loss is written down, and they take turns: tables[t % tables.size()].",
              by_all_tables(false));

MISCONCEPTION(learn_lookup, moved_by_the_mean_of_all_tables,
              "every step moves by the mean gradient of all tables. Step t takes one table, whose "
              "loss is written down, and they take turns: tables[t % tables.size()].",
              by_all_tables(true));

} // namespace

} // namespace misconceptions_habits
