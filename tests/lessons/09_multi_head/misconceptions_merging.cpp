// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <array>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 09.1 merge_heads

/// merged(i, j) = element(heads, i, j, d), of shape (n, n_heads · d).
template <class Element>
auto placing(Element element) {
    return [=](const Tensor3& heads) -> Matrix {
        const std::size_t d = heads.shape(2);
        return matrix_of(heads.shape(1), heads.shape(0) * d,
                         [&](auto i, auto j) { return element(heads, i, j, d); });
    };
}

/// The numbers of the heads in row-major order under another shape.
template <class Shape>
auto flattened(Shape shape) {
    return [=](const Tensor3& heads) -> Matrix {
        Matrix result = Matrix::from_shape(shape(heads.shape(0), heads.shape(1), heads.shape(2)));
        std::copy(heads.begin(), heads.end(), result.begin());
        return result;
    };
}

using Shape2 = std::array<std::size_t, 2>;

MISCONCEPTION(merge_heads, merged_without_the_transpose,
              "this is the memory of the heads under the shape (n, n_heads · d): the first rows "
              "hold head 0 alone. A row has to hold one position of all heads. Transpose to (n, "
              "n_heads, d) first; then a reshape is right.",
              flattened([](auto h, auto n, auto d) {
                  return Shape2{n, h * d};
              }));

MISCONCEPTION(merge_heads, heads_below_each_other,
              "the heads stand below each other, (n_heads · n, d). They belong side by side: a row "
              "for each position.",
              flattened([](auto h, auto n, auto d) {
                  return Shape2{h * n, d};
              }));

MISCONCEPTION(merge_heads, a_row_a_head,
              "every head is one row, (n_heads, n · d). A row is a position: (n, n_heads · d).",
              flattened([](auto h, auto n, auto d) {
                  return Shape2{h, n * d};
              }));

MISCONCEPTION(merge_heads, merged_interleaved,
              "component c of head h goes to column c · n_heads + h. The columns of a head stay "
              "together: h · d + c.",
              placing([](auto& heads, auto i, auto j, auto) {
                  return heads(j % heads.shape(0), i, j / heads.shape(0));
              }));

MISCONCEPTION(merge_heads, merged_in_reverse,
              "the heads are side by side in reverse order: head 0 comes first.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return heads(heads.shape(0) - 1 - j / d, i, j % d);
              }));

MISCONCEPTION(merge_heads, components_in_reverse,
              "within each head the columns are in reverse order.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return heads(j / d, i, d - 1 - j % d);
              }));

MISCONCEPTION(merge_heads, first_head_repeated,
              "head 0 stands in the place of every head: the index h is missing where heads is "
              "read.",
              placing([](auto& heads, auto i, auto j, auto d) { return heads(0, i, j % d); }));

MISCONCEPTION(merge_heads, last_head_repeated, "the last head stands in the place of every head.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return heads(heads.shape(0) - 1, i, j % d);
              }));

MISCONCEPTION(merge_heads, all_in_the_first_columns,
              "every head was written over the one before, into the first d columns, and the rest "
              "is 0: h · d is missing where the result is written.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return j < d ? heads(heads.shape(0) - 1, i, j) : 0.0;
              }));

MISCONCEPTION(merge_heads, first_head_and_zeros,
              "only head 0 is there, the other columns are 0. Look where the loop over the heads "
              "ends, or whether it returns too early.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return j < d ? heads(0, i, j) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_last_head_missing,
              "the columns of the last head are 0: the loop over the heads ends one too early.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return j / d + 1 < heads.shape(0) ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_first_head_missing,
              "the columns of head 0 are 0: the loop over the heads begins at 1.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return j / d > 0 ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_first_position_only,
              "only the first position is filled, the others are 0. Look where the loop over the "
              "rows ends.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return i == 0 ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_last_position_missing,
              "the last position is 0: the loop over the rows ends one too early.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return i + 1 < heads.shape(1) ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, as_many_components_as_positions,
              "d is taken from the number of positions, shape(1), and not from shape(2): heads is "
              "(n_heads, n, d).",
              [](const Tensor3& heads) -> Matrix {
                  const std::size_t n = heads.shape(1);
                  if (n > heads.shape(2)) {
                      throw std::runtime_error("an index is out of range");
                  }
                  return matrix_of(n, heads.shape(0) * n,
                                   [&](auto i, auto j) { return heads(j / n, i, j % n); });
              });

MISCONCEPTION(merge_heads, merged_last_column_missing,
              "the last column of every head is 0: the loop over its d columns ends one too early.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return j % d + 1 < d ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_first_column_missing,
              "the first column of every head is 0: the loop over its d columns begins at 1.",
              placing([](auto& heads, auto i, auto j, auto d) {
                  return j % d > 0 ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_from_position_0,
              "every row is that of position 0: an index i is missing where heads is read.",
              placing([](auto& heads, auto, auto j, auto d) { return heads(j / d, 0, j % d); }));

MISCONCEPTION(merge_heads, heads_added_up,
              "the heads are added up, (n, d). They stand side by side, (n, n_heads · d), so that "
              "W_o can weigh each by itself.",
              [](const Tensor3& heads) -> Matrix { return sum_of(plain::unstacked(heads)); });

MISCONCEPTION(
    merge_heads, heads_averaged,
    "this is the mean of the heads, (n, d). They stand side by side, (n, n_heads · d), so "
    "that W_o can weigh each by itself.",
    [](const Tensor3& heads) -> Matrix {
        return sum_of(plain::unstacked(heads)) / real(heads.shape(0));
    });

MISCONCEPTION(merge_heads, one_head_alone,
              "this is head 0 alone, (n, d). All of them stand side by side, (n, n_heads · d).",
              [](const Tensor3& heads) -> Matrix { return plain::unstacked(heads).front(); });

MISCONCEPTION(merge_heads, last_head_alone,
              "this is the last head alone, (n, d). All of them stand side by side, (n, n_heads · "
              "d).",
              [](const Tensor3& heads) -> Matrix { return plain::unstacked(heads).back(); });

MISCONCEPTION(merge_heads, merged_transposed,
              "this is transposed, (n_heads · d, n). A row is a position.",
              [](const Tensor3& heads) -> Matrix {
                  return transposed(plain::merge(plain::unstacked(heads)));
              });

MISCONCEPTION(merge_heads, merged_divided_by_n_heads,
              "every number is divided by n_heads. Nothing is added up here, so nothing is left to "
              "divide by.",
              [](const Tensor3& heads) -> Matrix {
                  return plain::merge(plain::unstacked(heads)) / real(heads.shape(0));
              });

MISCONCEPTION(merge_heads, d_from_the_rows,
              "the columns are counted by shape(1), which is n. Of (n_heads, n, d) the width of a "
              "head is shape(2).",
              [](const Tensor3& heads) -> Matrix {
                  const std::size_t d = heads.shape(1);
                  return matrix_of(heads.shape(2), heads.shape(0) * d, [&](auto i, auto j) {
                      return heads(j / d, i, j % d); // outside where n and d differ
                  });
              });

MISCONCEPTION(merge_heads, heads_as_transposed,
              "every head is read transposed: heads(h, c, i). The axes are (n_heads, n, d).",
              [](const Tensor3& heads) -> Matrix {
                  const std::size_t d = heads.shape(2);
                  return matrix_of(heads.shape(1), heads.shape(0) * d, [&](auto i, auto j) {
                      return heads(j / d, j % d, i); // outside where n and d differ
                  });
              });

MISCONCEPTION(merge_heads, merged_divided_by_d,
              "every number is divided by d. Here numbers are only copied.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  return heads(j / d, i, j % d) / real(d);
              }));

MISCONCEPTION(merge_heads, merged_divided_by_the_root,
              "every number is divided by √d. Here numbers are only copied.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  return heads(j / d, i, j % d) / root(d);
              }));

MISCONCEPTION(merge_heads, all_added_in_the_first_columns,
              "all heads are added up in the first d columns, and the rest is 0: h · d is missing "
              "where the result is written.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  double sum = 0;
                  for (std::size_t h = 0; h < heads.shape(0) && j < d; ++h) {
                      sum += heads(h, i, j);
                  }
                  return sum;
              }));

MISCONCEPTION(merge_heads, sum_for_every_head,
              "in the place of every head stands the sum of all of them.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  double sum = 0;
                  for (std::size_t h = 0; h < heads.shape(0); ++h) {
                      sum += heads(h, i, j % d);
                  }
                  return sum;
              }));

MISCONCEPTION(merge_heads, merged_rows_in_reverse, "the positions are in reverse order.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  return heads(j / d, heads.shape(1) - 1 - i, j % d);
              }));

MISCONCEPTION(merge_heads, merged_first_component,
              "all columns of a head are its first one: c is missing where heads is read.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j,
                         [[maybe_unused]] auto d) -> double { return heads(j / d, i, 0); }));

MISCONCEPTION(merge_heads, merged_only_the_last_head,
              "only the last head is there, the other columns are 0.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  return j / d + 1 == heads.shape(0) ? heads(j / d, i, j % d) : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_all_loops_too_short,
              "the last head, the last position and the last column are 0: all three loops end one "
              "too early.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  return j / d + 1 < heads.shape(0) && i + 1 < heads.shape(1) && j % d + 1 < d
                             ? heads(j / d, i, j % d)
                             : 0.0;
              }));

MISCONCEPTION(merge_heads, merged_returned_early,
              "only the first row of head 0 is there: it returns too early.",
              placing([]([[maybe_unused]] auto& heads, [[maybe_unused]] auto i,
                         [[maybe_unused]] auto j, [[maybe_unused]] auto d) -> double {
                  return i == 0 && j < d ? heads(0, i, j) : 0.0;
              }));

/// heads(h, i, c) written to the column that place(h, c, n_heads, d) says; the last one stays.
template <class Place>
auto written_to(Place place) {
    return [=](const Tensor3& heads) -> Matrix {
        const std::size_t d = heads.shape(2);
        Matrix merged = xt::zeros<double>({heads.shape(1), heads.shape(0) * d});
        for (std::size_t h = 0; h < heads.shape(0); ++h) {
            for (std::size_t i = 0; i < heads.shape(1); ++i) {
                for (std::size_t c = 0; c < d; ++c) {
                    merged(i, place(h, c, heads.shape(0), d)) = heads(h, i, c);
                }
            }
        }
        return merged;
    };
}

MISCONCEPTION(merge_heads, merged_by_n_heads,
              "head h begins at column h · n_heads here. Each head has d columns: h · d.",
              written_to([](auto h, auto c, auto n_heads, auto) { return h * n_heads + c; }));

MISCONCEPTION(merge_heads, merged_overlapping,
              "head h begins at column h here, so that the heads overlap. It begins at h · d.",
              written_to([](auto h, auto c, auto, auto) { return h + c; }));

MISCONCEPTION(merge_heads, merged_spread_by_d,
              "component c of head h goes to column c · d + h. It goes to h · d + c.",
              written_to([](auto h, auto c, auto, auto d) { return c * d + h; }));

MISCONCEPTION(merge_heads, a_row_a_position_and_head,
              "every head of every position has a row, (n · n_heads, d). A row is a position with "
              "all its heads: (n, n_heads · d).",
              [](const Tensor3& heads) -> Matrix {
                  return matrix_of(heads.shape(1) * heads.shape(0), heads.shape(2),
                                   [&](auto row, auto c) {
                                       return heads(row % heads.shape(0), row / heads.shape(0), c);
                                   });
              });

MISCONCEPTION(merge_heads, axes_of_positions_and_components_exchanged,
              "the axes are read as (n_heads, d, n): positions and components have changed places. "
              "The heads are (n_heads, n, d).",
              [](const Tensor3& heads) -> Matrix {
                  const std::size_t n = heads.shape(2), d = heads.shape(1);
                  return matrix_of(n, heads.shape(0) * d,
                                   [&](auto i, auto j) { return heads(j / d, j % d, i); });
              });

} // namespace
