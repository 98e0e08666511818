// Wrong versions that people really write. Each is put in the learner's place by the project's
// tests, and must fail and be named; its explanation is what a learner reads whose answers equal
// its own.

#include <array>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 09.1 split_heads

/// heads(h, i, c) = element(X, i, h, c, d, n_heads), of shape (n_heads, n, d).
template <class Element>
auto taking(Element element) {
    return [=](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        Tensor3 heads = Tensor3::from_shape({n_heads, X.shape(0), d});
        for (std::size_t h = 0; h < n_heads; ++h) {
            for (std::size_t i = 0; i < X.shape(0); ++i) {
                for (std::size_t c = 0; c < d; ++c) {
                    heads(h, i, c) = element(X, i, h, c, d, n_heads);
                }
            }
        }
        return heads;
    };
}

/// The right element of (h, i, c), but the result has another order of axes: axes[k] says which of
/// h, i, c axis k is.
auto arranged(std::array<std::size_t, 3> axes) {
    return [=](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        const Tensor3 right = plain::stacked(plain::split(X, n_heads));
        return Tensor3(xt::transpose(right, std::vector<std::size_t>{axes[0], axes[1], axes[2]})) +
               0.0 * static_cast<double>(d);
    };
}

/// The numbers of X in row-major order under another shape.
template <class Shape>
auto under_shape(Shape shape) {
    return [=](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        Tensor3 result = Tensor3::from_shape(shape(n_heads, X.shape(0), d));
        std::copy(X.begin(), X.end(), result.begin());
        return result;
    };
}

using Shape3 = std::array<std::size_t, 3>;

MISCONCEPTION(split_heads, reshape_without_the_transpose,
              "this is the memory of X under the shape (n_heads, n, d): head 0 has the first rows "
              "of X, whole, and not its own columns of every row. A reshape changes no order; it "
              "takes (n, n_heads, d), and then a transpose of the first two axes.",
              under_shape([](auto h, auto n, auto d) {
                  return Shape3{h, n, d};
              }));

MISCONCEPTION(split_heads, transpose_missing,
              "the columns are cut right, but the axes are (n, n_heads, d). The head comes first, "
              "so that each head is a matrix of its own: the first two axes have to change places.",
              under_shape([](auto h, auto n, auto d) {
                  return Shape3{n, h, d};
              }));

MISCONCEPTION(split_heads, heads_interleaved,
              "a head takes every n_heads-th column here, c · n_heads + h. Its columns lie "
              "together: h · d + c.",
              taking([](auto& X, auto i, auto h, auto c, auto, auto n_heads) {
                  return X(i, c * n_heads + h);
              }));

MISCONCEPTION(split_heads, heads_transposed,
              "each head is transposed: its rows are components, (n_heads, d, n). A row of a head "
              "is a position, as in X.",
              arranged({0, 2, 1}));

MISCONCEPTION(
    split_heads, components_first,
    "the axes are (d, n, n_heads): components first and heads last. The head comes first.",
    arranged({2, 1, 0}));

MISCONCEPTION(split_heads, heads_last,
              "the axes are (n, d, n_heads). The head comes first: (n_heads, n, d).",
              arranged({1, 2, 0}));

MISCONCEPTION(split_heads, components_then_heads,
              "the axes are (d, n_heads, n). The head comes first, then the position: (n_heads, n, "
              "d).",
              arranged({2, 0, 1}));

MISCONCEPTION(split_heads, first_head_everywhere,
              "every head has the columns of head 0: h · d is missing where X is read.",
              taking([](auto& X, auto i, auto, auto c, auto, auto) { return X(i, c); }));

MISCONCEPTION(split_heads, last_head_everywhere,
              "every head has the columns of the last one. Look which h the index is made of.",
              taking([](auto& X, auto i, auto, auto c, auto d, auto n_heads) {
                  return X(i, (n_heads - 1) * d + c);
              }));

MISCONCEPTION(split_heads, heads_in_reverse,
              "the heads are right, and in reverse order: head 0 has the first columns.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto n_heads) {
                  return X(i, (n_heads - 1 - h) * d + c);
              }));

MISCONCEPTION(split_heads, columns_in_reverse,
              "within each head the columns are in reverse order. Component c of head h is column "
              "h · d + c.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return X(i, h * d + (d - 1 - c));
              }));

MISCONCEPTION(
    split_heads, stride_of_n_heads,
    "head h begins at column h · n_heads here. Each head has d columns, so it begins at h "
    "· d.",
    taking([](auto& X, auto i, auto h, auto c, auto, auto n_heads) {
        return X(i, h * n_heads + c);
    }));

MISCONCEPTION(
    split_heads, stride_of_one,
    "head h begins at column h here, so that the heads overlap. Each has d columns of its "
    "own: it begins at h · d.",
    taking([](auto& X, auto i, auto h, auto c, auto, auto) { return X(i, h + c); }));

MISCONCEPTION(split_heads, spread_by_d,
              "component c of head h is read from column c · d + h. It is column h · d + c: heads "
              "one after the other, components within.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return X(i, c * d + h);
              }));

MISCONCEPTION(
    split_heads, rest_is_zero,
    "only head 0 is filled, the others are 0. Look where the loop over the heads ends, or "
    "whether it returns too early.",
    taking([](auto& X, auto i, auto h, auto c, auto, auto) { return h == 0 ? X(i, c) : 0.0; }));

MISCONCEPTION(split_heads, last_head_missing,
              "the last head is 0 throughout: the loop over the heads ends one too early.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto n_heads) {
                  return h + 1 < n_heads ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, first_head_missing,
              "head 0 is 0 throughout: the loop over the heads begins at 1.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return h > 0 ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, first_position_only,
              "only the first position is filled, the others are 0. Look where the loop over the "
              "rows ends.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return i == 0 ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, last_position_missing,
              "the last position is 0 in every head: the loop over the rows ends one too early.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return i + 1 < X.shape(0) ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, last_column_missing,
              "the last column of every head is 0: the loop over its d columns ends one too early.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return c + 1 < d ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, first_column_missing,
              "the first column of every head is 0: the loop over its d columns begins at 1.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return c > 0 ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, first_column_only,
              "only the first column of every head is filled. Each head has d = columns / n_heads "
              "of them.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return c == 0 ? X(i, h * d) : 0.0;
              }));

MISCONCEPTION(split_heads, n_heads_columns_each,
              "n_heads and d have changed places: there are d heads of n_heads columns each.",
              [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
                  const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
                  return plain::stacked(plain::split(X, d));
              });

MISCONCEPTION(split_heads, whole_width_each,
              "every head is a copy of all of X. Each has only its own d = columns / n_heads of "
              "them.",
              [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
                  lesson::columns_of_a_head("split_heads", "X", X, n_heads);
                  return plain::stacked(Heads(n_heads, X));
              });

MISCONCEPTION(
    split_heads, whole_width_masked,
    "every head is as wide as X, with 0 in the columns of the others. It has only its own "
    "columns: d = columns / n_heads.",
    [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        Heads heads;
        for (std::size_t h = 0; h < n_heads; ++h) {
            heads.push_back(zero_unless(X, [&](auto, auto j) { return j / d == h; }));
        }
        return plain::stacked(heads);
    });

MISCONCEPTION(
    split_heads, rows_split,
    "the rows are shared out among the heads, and each keeps all columns. Every head sees "
    "every position; what is shared out are the columns.",
    [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        const std::size_t rows = X.shape(0) / n_heads;
        Tensor3 heads = Tensor3::from_shape({n_heads, rows, X.shape(1)});
        std::copy_n(X.begin(), heads.size(), heads.begin());
        return heads;
    });

MISCONCEPTION(split_heads, divided_by_n_heads,
              "every number is divided by n_heads. The heads share the columns out; the numbers "
              "stay.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto n_heads) {
                  return X(i, h * d + c) / real(n_heads);
              }));

MISCONCEPTION(split_heads, shifted_by_one,
              "every head begins one column too late, and the last column wraps round. Head h "
              "begins at column h · d.",
              taking([](auto& X, auto i, auto h, auto c, auto d, auto) {
                  return X(i, (h * d + c + 1) % X.shape(1));
              }));

MISCONCEPTION(split_heads, first_row_for_all,
              "every position has the components of position 0: an index i is missing where X is "
              "read.",
              taking([](auto& X, auto, auto h, auto c, auto d, auto) { return X(0, h * d + c); }));

MISCONCEPTION(split_heads, rows_in_reverse,
              "the positions are in reverse order: row i of a head is row i of X.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return X(X.shape(0) - 1 - i, h * d + c);
              }));

MISCONCEPTION(
    split_heads, divided_by_the_root,
    "every number is divided by √d. That belongs to the scores; here numbers are only copied.",
    taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
              [[maybe_unused]] auto c, [[maybe_unused]] auto d,
              [[maybe_unused]] auto n_heads) -> double { return X(i, h * d + c) / root(d); }));

MISCONCEPTION(split_heads, divided_by_d,
              "every number is divided by d. Here numbers are only copied.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return X(i, h * d + c) / real(d);
              }));

MISCONCEPTION(
    split_heads, heads_summed,
    "every head has the sum of all heads: each column of X belongs to one head alone, j / d.",
    taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
              [[maybe_unused]] auto c, [[maybe_unused]] auto d,
              [[maybe_unused]] auto n_heads) -> double {
        double sum = 0;
        for (std::size_t k = 0; k < n_heads; ++k) {
            sum += X(i, k * d + c);
        }
        return sum;
    }));

MISCONCEPTION(split_heads, interleaved_in_reverse,
              "a head takes every n_heads-th column, beginning at the wrong end. Its columns lie "
              "together: h · d + c.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return X(i, c * n_heads + n_heads - 1 - h);
              }));

MISCONCEPTION(split_heads, all_loops_too_short,
              "the last head, the last position and the last column are 0: all three loops end one "
              "too early.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return h + 1 < n_heads && i + 1 < X.shape(0) && c + 1 < d ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(
    split_heads, two_loops_too_short,
    "the last position and the last column of each head are 0: two loops end one too early.",
    taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
              [[maybe_unused]] auto c, [[maybe_unused]] auto d,
              [[maybe_unused]] auto n_heads) -> double {
        return i + 1 < X.shape(0) && c + 1 < d ? X(i, h * d + c) : 0.0;
    }));

MISCONCEPTION(split_heads, returned_after_the_first_row,
              "only the first row of head 0 is filled: it returns too early.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return h == 0 && i == 0 ? X(i, c) : 0.0;
              }));

MISCONCEPTION(split_heads, only_the_last_head, "only the last head is filled, the others are 0.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return h + 1 == n_heads ? X(i, h * d + c) : 0.0;
              }));

MISCONCEPTION(split_heads, first_column_repeated,
              "all columns of a head are its first one: c is missing where X is read.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double { return X(i, h * d); }));

MISCONCEPTION(split_heads, row_and_head_exchanged,
              "row and head have changed places where X is read: X(h, i · d + c). Rows of X are "
              "positions: X(i, h · d + c).",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double { return X(h, i * d + c); }));

MISCONCEPTION(split_heads, last_row_for_all, "every position has the components of the last one.",
              taking([]([[maybe_unused]] auto& X, [[maybe_unused]] auto i, [[maybe_unused]] auto h,
                        [[maybe_unused]] auto c, [[maybe_unused]] auto d,
                        [[maybe_unused]] auto n_heads) -> double {
                  return X(X.shape(0) - 1, h * d + c);
              }));

MISCONCEPTION(
    split_heads, column_remainders,
    "column j of X goes to head j % n_heads. It goes to head j / d, and there to column j "
    "% d.",
    [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        Tensor3 heads = xt::zeros<double>({n_heads, X.shape(0), d});
        for (std::size_t i = 0; i < X.shape(0); ++i) {
            for (std::size_t j = 0; j < X.shape(1); ++j) {
                heads(j % n_heads, i, j % d) = X(i, j);
            }
        }
        return heads;
    });

MISCONCEPTION(split_heads, interleaved_and_transposed,
              "each head takes every n_heads-th column, and is transposed. Its columns lie "
              "together, h · d + c, and a row is a position.",
              [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
                  lesson::columns_of_a_head("split_heads", "X", X, n_heads);
                  Heads heads = interleaved(X, n_heads);
                  for (Matrix& head : heads) {
                      head = transposed(head);
                  }
                  return plain::stacked(heads);
              });

MISCONCEPTION(split_heads, not_split,
              "this is X as a single head, (1, n, n_heads · d). Cut its columns among n_heads.",
              [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
                  lesson::columns_of_a_head("split_heads", "X", X, n_heads);
                  return plain::stacked({X});
              });

} // namespace
