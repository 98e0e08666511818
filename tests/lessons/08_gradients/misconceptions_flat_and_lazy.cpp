// Wrong versions of 08.1 and 08.2: rows found by the wrong size, expressions that are computed when
// what they refer to has changed, new axes in the wrong place, and rows taken for empty.

#include "wrong_products.hpp"

namespace misconceptions_flat_and_lazy {

using namespace wrong;

namespace {

using S = std::size_t;

// ---- 08.1 softmax_backward

/// One flat loop, in which element number `at` adds to, and takes from, the sum of row_of(at).
template <class RowOf>
auto sums_of_rows_by(RowOf row_of) {
    return [=](const Matrix& weights, const Matrix& d_weights) -> Matrix {
        demand_same(weights, d_weights);
        const S n_queries = weights.shape(0), n_keys = weights.shape(1);
        std::vector<double> sums(std::max(n_queries, n_keys), 0.0);
        for (S at = 0; at < weights.size(); ++at) {
            sums[row_of(at, n_queries, n_keys)] += weights.data()[at] * d_weights.data()[at];
        }
        Matrix result = weights;
        for (S at = 0; at < weights.size(); ++at) {
            result.data()[at] *= d_weights.data()[at] - sums[row_of(at, n_queries, n_keys)];
        }
        return result;
    };
}

MISCONCEPTION(softmax_backward, row_by_n_queries,
              "in a loop over all elements, number `at` is taken for one of row at / n_queries. A "
              "row is n_keys long, and the next one begins after it: at / n_keys.",
              sums_of_rows_by([](S at, S n_queries, S) { return at / n_queries; }));
MISCONCEPTION(softmax_backward, row_by_the_remainder,
              "in a loop over all elements, number `at` is taken for one of row at % n_queries. "
              "Memory holds row after row, each of n_keys elements: it is row at / n_keys.",
              sums_of_rows_by([](S at, S n_queries, S) { return at % n_queries; }));
MISCONCEPTION(softmax_backward, sum_of_what_is_being_changed,
              "the sums are an expression that is computed where it is used (auto sums = "
              "xt::sum(weights * g, …)), and g is changed meanwhile: from the second key on the "
              "sum contains what has already been subtracted. Give it a type, Matrix sums = …, and "
              "it is computed at once.",
              in_rows([](const Vector& p, Vector g) -> Vector {
                  for (S j = 0; j < g.size(); ++j) {
                      g(j) -= dot(p, g);
                  }
                  return p * g;
              }));

MISCONCEPTION(softmax_backward, mean_over_what_is_seen,
              "the plain mean of g over the keys with a weight is subtracted. It is the mean "
              "weighted with p, Σ p g: a key counts as much as it is attended to.",
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  double sum = 0, seen = 0;
                  for (S j = 0; j < p.size(); ++j) {
                      sum += p(j) > 0 ? g(j) : 0;
                      seen += p(j) > 0 ? 1 : 0;
                  }
                  return p * (g - sum / std::max(seen, 1.0));
              }));

constexpr const char* says_rows_of_sum_0 =
    "a row whose elements sum to 0 is taken for one that holds nothing, and is left out. 1 and −1 "
    "sum to 0, too: ask each element, or leave the shortcut out; zeros add nothing by themselves.";

MISCONCEPTION(softmax_backward, rows_of_sum_0_left_out, says_rows_of_sum_0,
              in_rows([](const Vector& p, const Vector& g) -> Vector {
                  return sum_of(g) == 0 ? Vector(0 * p) : right_row(p, g);
              }));

// ---- 08.2 matmul_backward and matmul_transposed_backward

/// What rows hold if a sum that belongs to each element begins at 0 with each row only.
Matrix summed_along_rows(Matrix X) {
    for (S i = 0; i < X.shape(0); ++i) {
        for (S j = 1; j < X.shape(1); ++j) {
            X(i, j) += X(i, j - 1);
        }
    }
    return X;
}

/// The same if it begins at 0 once.
Matrix summed_throughout(Matrix X) {
    for (S at = 1; at < X.size(); ++at) {
        X.data()[at] += X.data()[at - 1];
    }
    return X;
}

#define BOTH_PRODUCTS(name, explanation, change_A, change_B)                                       \
    MISCONCEPTION(                                                                                 \
        matmul_backward, name, explanation,                                                        \
        product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {                       \
            return ProductGradients{change_A(right_A(B, d_C)), change_B(right_B(A, d_C))};         \
        }));                                                                                       \
    MISCONCEPTION(                                                                                 \
        matmul_transposed_backward, transposed_##name, explanation,                                \
        transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {                    \
            return ProductGradients{change_A(right_A_t(B, d_C)), change_B(right_B_t(A, d_C))};     \
        }))

constexpr const char* says_reset_once_a_row =
    "a sum is set to 0 once for each row, and not for each element: every element also holds those "
    "left of it. Declare it inside the loop over the columns.";
constexpr const char* says_never_reset =
    "a sum is set to 0 once, at the beginning, and not for each element: every element also holds "
    "all those before it. Declare it inside the two loops.";

BOTH_PRODUCTS(sum_reset_once_a_row, says_reset_once_a_row, summed_along_rows, summed_along_rows);
BOTH_PRODUCTS(sum_of_d_A_reset_once_a_row, says_reset_once_a_row, summed_along_rows, Matrix);
BOTH_PRODUCTS(sum_of_d_B_reset_once_a_row, says_reset_once_a_row, Matrix, summed_along_rows);
BOTH_PRODUCTS(sum_never_reset, says_never_reset, summed_throughout, summed_throughout);
#undef BOTH_PRODUCTS

/// d_C without the rows, or the columns, whose elements sum to 0.
Matrix without_sums_of_0(const Matrix& d_C) {
    Matrix result = d_C;
    for (S i = 0; i < d_C.shape(0); ++i) {
        if (sum_of(Vector(xt::view(d_C, i, xt::all()))) == 0) {
            xt::view(result, i, xt::all()) = 0.0;
        }
    }
    return result;
}

MISCONCEPTION(matmul_backward, rows_of_sum_0_left_out, says_rows_of_sum_0,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix kept = without_sums_of_0(d_C);
                  return ProductGradients{right_A(B, kept), right_B(A, kept)};
              }));
MISCONCEPTION(matmul_transposed_backward, transposed_rows_of_sum_0_left_out, says_rows_of_sum_0,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix kept = without_sums_of_0(d_C);
                  return ProductGradients{right_A_t(B, kept), right_B_t(A, kept)};
              }));

/// X · Y, X · Yᵀ or else Xᵀ · Y: the first that exists and has this shape.
Matrix product_of_shape(const Matrix& X, const Matrix& Y, const Matrix& like) {
    const S rows = like.shape(0), columns = like.shape(1);
    if (X.shape(1) == Y.shape(0) && X.shape(0) == rows && Y.shape(1) == columns) {
        return matmul(X, Y);
    }
    if (X.shape(1) == Y.shape(1) && X.shape(0) == rows && Y.shape(0) == columns) {
        return matmul_transposed(X, Y);
    }
    return matmul(transposed(X), Y);
}

constexpr const char* says_by_shape =
    "which factor is transposed is chosen by what has the right shape. Where two sizes are equal, "
    "more than one product has it, and only one is the gradient: d_A = d_C · Bᵀ and d_B = Aᵀ · d_C "
    "for A · B, d_A = d_C · B and d_B = d_Cᵀ · A for A · Bᵀ.";

MISCONCEPTION(matmul_backward, chosen_by_shape, says_by_shape,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{product_of_shape(d_C, B, A), product_of_shape(A, d_C, B)};
              }));
MISCONCEPTION(matmul_transposed_backward, transposed_chosen_by_shape, says_by_shape,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  return ProductGradients{product_of_shape(d_C, B, A), product_of_shape(d_C, A, B)};
              }));

constexpr const char* says_new_axis =
    "a new axis stands at the wrong place. To sum d_C(i, j) A(i, k) over i, d_C becomes (m, n, 1) "
    "and A (m, 1, k), with the new axis in its middle; as (1, m, k) its rows are lined up with the "
    "columns of d_C, which fits where m = n, and is another number there.";

MISCONCEPTION(matmul_transposed_backward, transposed_new_axis_of_A_first, says_new_axis,
              transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix d_B = xt::sum(xt::view(d_C, xt::all(), xt::all(), xt::newaxis()) *
                                                 xt::view(A, xt::newaxis(), xt::all(), xt::all()),
                                             {0});
                  return ProductGradients{right_A_t(B, d_C), d_B};
              }));
MISCONCEPTION(matmul_backward, new_axis_of_d_C_first, says_new_axis,
              product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {
                  const Matrix d_B = xt::sum(xt::view(A, xt::all(), xt::all(), xt::newaxis()) *
                                                 xt::view(d_C, xt::newaxis(), xt::all(), xt::all()),
                                             {0});
                  return ProductGradients{right_A(B, d_C), d_B};
              }));

} // namespace

} // namespace misconceptions_flat_and_lazy
