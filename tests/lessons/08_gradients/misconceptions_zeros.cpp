// Wrong versions of 08.1 and 08.2 that take a number which happens to be 0 for a sign, or
// one that is small for none.

#include "wrong_products.hpp"

namespace misconceptions_zeros {

using namespace wrong;

namespace {

// ---- 08.1

/// The row where what `stops` says at a key ends the sum.
RowFunction sum_until(std::function<bool(double p, double g)> stops) {
    return [=](const Vector& p, const Vector& g) -> Vector {
        double sum = 0;
        for (std::size_t j = 0; j < p.size() && !stops(p(j), g(j)); ++j) {
            sum += p(j) * g(j);
        }
        return p * (g - sum);
    };
}

/// The row, left at 0 from where `stops` says so.
RowFunction written_until(std::function<bool(double p, double g)> stops) {
    return [=](const Vector& p, const Vector& g) {
        Vector result = right_row(p, g);
        bool stopped = false;
        for (std::size_t j = 0; j < p.size(); ++j) {
            stopped = stopped || stops(p(j), g(j));
            result(j) = stopped ? 0 : result(j);
        }
        return result;
    };
}

bool no_weight(double p, double) {
    return p == 0;
}
bool no_gradient(double, double g) {
    return g == 0;
}

MISCONCEPTION(softmax_backward, sum_ends_at_a_weight_of_0,
              "the sum Σ p g ends at the first weight that is 0: break where continue is meant, or "
              "nothing. Keys after a blocked one count.",
              in_rows(sum_until(no_weight)));

MISCONCEPTION(softmax_backward, sum_ends_at_a_gradient_of_0,
              "the sum Σ p g ends at the first gradient that is 0: break where continue is meant, "
              "or nothing. Keys after it count.",
              in_rows(sum_until(no_gradient)));

MISCONCEPTION(softmax_backward, row_ends_at_a_weight_of_0,
              "a row ends at its first weight that is 0, and stays 0 from there: break where "
              "continue is meant. Keys after a blocked one get their gradient.",
              in_rows(written_until(no_weight)));

MISCONCEPTION(softmax_backward, row_ends_at_a_gradient_of_0,
              "a row ends at its first gradient that is 0, and stays 0 from there: break where "
              "continue is meant, or nothing.",
              in_rows(written_until(no_gradient)));

MISCONCEPTION(softmax_backward, gradient_of_0_stays_0,
              "where g is 0 the result is 0. There it is −p Σ p g: the key's weight moves with "
              "those of the others.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return xt::where(xt::equal(g, 0.0), 0.0, right_row(p, g));
              }));

MISCONCEPTION(softmax_backward, first_weight_of_0_for_an_empty_row,
              "a row whose first weight is 0 is taken for one that sees nothing. Its first key may "
              "be blocked, and the others not.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p(0) == 0 ? Vector(xt::zeros_like(p)) : right_row(p, g);
              }));

MISCONCEPTION(softmax_backward, last_weight_of_0_for_an_empty_row,
              "a row whose last weight is 0 is taken for one that sees nothing. Its last key may "
              "be blocked, and the others not.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p(p.size() - 1) == 0 ? Vector(xt::zeros_like(p)) : right_row(p, g);
              }));

MISCONCEPTION(softmax_backward, first_gradient_of_0_for_none,
              "a row whose first gradient is 0 is left at 0. The others may be something else.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return g(0) == 0 ? Vector(xt::zeros_like(p)) : right_row(p, g);
              }));

/// All rows from the first that is all 0 on are 0.
auto rows_until_zeros(const Matrix& of, const Matrix& result) {
    Matrix kept = result;
    for (std::size_t i = 0, zeros = 0; i < of.shape(0); ++i) {
        zeros += xt::amax(xt::abs(xt::view(of, i, xt::all())))() == 0 ? 1 : 0;
        xt::view(kept, i, xt::all()) *= zeros > 0 ? 0.0 : 1.0;
    }
    return kept;
}

MISCONCEPTION(softmax_backward, ends_at_a_row_without_gradient,
              "all rows below one whose gradients are 0 stay 0: break or return where continue is "
              "meant.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  return rows_until_zeros(d_weights, right_softmax_backward(weights, d_weights));
              });

MISCONCEPTION(softmax_backward, ends_at_a_row_without_weights,
              "all rows below one that sees nothing stay 0: break or return where continue is "
              "meant.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  return rows_until_zeros(weights, right_softmax_backward(weights, d_weights));
              });

#define WEIGHTS_BELOW(digits)                                                                      \
    MISCONCEPTION(softmax_backward, weights_below_1e_##digits##_are_0,                             \
                  "a weight that is small is taken for 0. What meets it may be as large.",         \
                  in_rows([](const Vector& p, const Vector& g) {                                   \
                      return right_row(xt::where(p < 1e-##digits, 0.0, p), g);                     \
                  }));                                                                             \
    MISCONCEPTION(softmax_backward, 1e_##digits##_added_to_weights,                                \
                  "something small is added to the weights, as if they were divided by. Nothing "  \
                  "is: they go in as they are.",                                                   \
                  in_rows([](const Vector& p, const Vector& g) -> Vector {                         \
                      return right_row(p + 1e-##digits, g);                                        \
                  }))
WEIGHTS_BELOW(5);
WEIGHTS_BELOW(7);
WEIGHTS_BELOW(8);
WEIGHTS_BELOW(9);
WEIGHTS_BELOW(10);
WEIGHTS_BELOW(12);
WEIGHTS_BELOW(15);
#undef WEIGHTS_BELOW

// ---- 08.1, and where the sum stands

MISCONCEPTION(softmax_backward, sum_of_the_row_above,
              "each row subtracts the sum of the row above it, and the first none: the sum is made "
              "after it is used. Two loops over the keys: the first sums, the second writes.",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  double above = 0;
                  return rows_by(
                      [&](const Vector& p, const Vector& g) -> Vector {
                          const Vector result = p * (g - above);
                          above = dot(p, g);
                          return result;
                      },
                      weights, d_weights);
              });

MISCONCEPTION(softmax_backward, weights_overwritten,
              "the result is written over the weights while they are needed: the sum of the next "
              "key is made with what is already changed. Write into an array of its own.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  Vector result = p;
                  for (std::size_t j = 0; j < p.size(); ++j) {
                      const double sum = dot(result, g);
                      result(j) *= g(j) - sum;
                  }
                  return result;
              }));

MISCONCEPTION(softmax_backward, sum_as_a_factor,
              "this is p g (1 − Σ p g), as if the sum scaled what comes in. It is subtracted: "
              "p ∘ (g − Σ p g).",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return p * g * (1 - dot(p, g));
              }));

// ---- 08.2

/// What the loops over i, k and j add, where one of them ends, or goes on, at a 0.
struct Ends {
    bool d_C_ends_row = false;   // over j
    bool d_C_ends_all = false;   // over i
    bool first_of_row = false;   // the row is left out
    bool other_ends_row = false; // the element of the other factor
    bool columns_end_at_k = false;
};

ProductGradients ended(const Matrix& A, const Matrix& B, const Matrix& d_C, const Ends& ends) {
    ProductGradients result{zeros_like(A), zeros_like(B)};
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        if (ends.d_C_ends_all && xt::amax(xt::abs(xt::view(d_C, i, xt::all())))() == 0) {
            break;
        }
        if (ends.first_of_row && d_C(i, 0) == 0) {
            continue;
        }
        const std::size_t n = ends.columns_end_at_k ? std::min(A.shape(1), B.shape(1)) : B.shape(1);
        for (std::size_t j = 0; j < n; ++j) {
            if (ends.d_C_ends_row && d_C(i, j) == 0) {
                break;
            }
            bool in_A = true, in_B = true;
            for (std::size_t k = 0; k < A.shape(1); ++k) {
                in_A = in_A && !(ends.other_ends_row && B(k, j) == 0);
                in_B = in_B && !(ends.other_ends_row && A(i, k) == 0);
                result.d_A(i, k) += in_A ? d_C(i, j) * B(k, j) : 0;
                result.d_B(k, j) += in_B ? d_C(i, j) * A(i, k) : 0;
            }
        }
    }
    return result;
}

auto product_ending(Ends ends) {
    return product_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ended(A, B, d_C, ends);
    });
}

auto transposed_ending(Ends ends) {
    return transposed_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        const ProductGradients result = ended(A, transposed(B), d_C, ends);
        return ProductGradients{result.d_A, transposed(result.d_B)};
    });
}

#define ENDS_AT_0(name, text, ...)                                                                 \
    MISCONCEPTION(matmul_backward, name, text, product_ending(Ends{__VA_ARGS__}));                 \
    MISCONCEPTION(matmul_transposed_backward, transposed_##name, text,                             \
                  transposed_ending(Ends{__VA_ARGS__}))
ENDS_AT_0(row_ends_at_a_0_of_d_C,
          "where an element of d_C is 0 the rest of its row is left out: break where continue is "
          "meant, or nothing.",
          .d_C_ends_row = true);
ENDS_AT_0(ends_at_a_row_of_zeros_in_d_C,
          "where a row of d_C is 0 all rows below it are left out: break where continue is meant, "
          "or nothing.",
          .d_C_ends_all = true);
ENDS_AT_0(row_without_its_first_d_C,
          "where the first element of a row of d_C is 0 the row is left out. The others count.",
          .first_of_row = true);
ENDS_AT_0(ends_at_a_0_of_a_factor,
          "where an element of A or B is 0 the loop over k ends: break where continue is meant, or "
          "nothing.",
          .other_ends_row = true);
ENDS_AT_0(columns_as_many_as_k,
          "a loop over the columns of d_C ends at k, the number of columns of A. There are n of "
          "them.",
          .columns_end_at_k = true);
#undef ENDS_AT_0

} // namespace

} // namespace misconceptions_zeros
