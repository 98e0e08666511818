// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// arrays are read and written by their memory, views are assigned to, and expressions are computed
// after what they are computed from has changed.

#include "support/misread.hpp"
#include "support/oracle.hpp"
#include "wrong.hpp"

namespace misconceptions_views {

using namespace wrong;

namespace {

/// A row that is changed in place.
auto in_place(void (*change)(double* row, std::size_t n)) {
    return [=](Vector row) {
        change(row.data(), row.size());
        return row;
    };
}

WITHIN_A_ROW(maximum_taken_while_changing, misread::says_maximum_while_changing,
             in_place(misread::shift_while_changing));
WITHIN_A_ROW(exponentials_of_exponentials_summed, misread::says_exponentials_of_exponentials,
             in_place(misread::softmax_by_exponentials_of_exponentials));

WITHIN_A_ROW(an_eighth_of_the_row_copied, misread::says_bytes, [](const Vector& row) {
    const Vector copied = misread::first_bytes(row);
    return shares(copied, largest(copied));
});
WITHIN_A_ROW(an_eighth_of_the_weights_copied, misread::says_bytes,
             [](const Vector& row) { return misread::first_bytes(shares(row, largest(row))); });

// ---- 03.2 softmax_rows

MISCONCEPTION(softmax_rows, an_eighth_of_the_scores_copied, misread::says_bytes,
              [](const Matrix& scores) {
                  return oracle::softmax_rows(misread::first_bytes(scores));
              });
MISCONCEPTION(softmax_rows, an_eighth_of_all_weights_copied, misread::says_bytes,
              [](const Matrix& scores) {
                  return misread::first_bytes(oracle::softmax_rows(scores));
              });

MISCONCEPTION(softmax_rows, all_written_to_row_0, misread::says_row_0, [](const Matrix& scores) {
    return misread::last_at_the_top(oracle::softmax_rows(scores), misread::zeros_like(scores));
});
MISCONCEPTION(softmax_rows, all_written_to_row_0_of_the_scores, misread::says_row_0,
              [](const Matrix& scores) {
                  return misread::last_at_the_top(oracle::softmax_rows(scores), scores);
              });

// ---- 03.3 softmax_jacobian

/// The Jacobian with changed(J, p) done to it.
template <class Change>
auto changed(Change change) {
    return [=](const Vector& p) {
        Matrix J = oracle::softmax_jacobian(p);
        change(J, p);
        return J;
    };
}

MISCONCEPTION(softmax_jacobian, diagonal_counted_twice,
              "the diagonal is twice what it should be: a half of the matrix was added to its "
              "transpose, and the diagonal is in both. Halve it, or leave it out of one.",
              changed([](Matrix& J, const Vector& p) {
                  for (std::size_t i = 0; i < p.size(); ++i) {
                      J(i, i) *= 2;
                  }
              }));

MISCONCEPTION(softmax_jacobian, weights_added_to_the_first_column,
              "diag(p) has come into the first column: the weights are added to the first element "
              "of each row. From one element of the diagonal to the next it is a row and one "
              "more, n + 1 elements; J(i, i) counts by itself.",
              changed([](Matrix& J, const Vector& p) {
                  for (std::size_t i = 0; i < p.size(); ++i) {
                      J(i, i) -= p(i);
                      J(i, 0) += p(i);
                  }
              }));

MISCONCEPTION(softmax_jacobian, all_rows_written_to_row_0, misread::says_row_0,
              [](const Vector& p) {
                  const Matrix J = oracle::softmax_jacobian(p);
                  return misread::last_at_the_top(J, misread::zeros_like(J));
              });

MISCONCEPTION(softmax_jacobian, an_eighth_of_the_jacobian_copied, misread::says_bytes,
              [](const Vector& p) { return misread::first_bytes(oracle::softmax_jacobian(p)); });

constexpr const char* says_equal_loss =
    "what one weight gains is taken from all others alike: p_i (1 - p_i) / (n - 1) each. They lose "
    "in proportion to what they have, since it is the sum in the denominator that grows: -p_i p_j.";

/// −p (1 − p) / (n − 1) off the diagonal, with p of the row or of the column.
auto with_equal_loss(bool of_the_row) {
    return changed([=](Matrix& J, const Vector& p) {
        for (std::size_t i = 0; i < p.size(); ++i) {
            for (std::size_t j = 0; j < p.size(); ++j) {
                const double gained = J(of_the_row ? i : j, of_the_row ? i : j);
                if (i != j) {
                    J(i, j) = -gained / static_cast<double>(p.size() - 1);
                }
            }
        }
    });
}

MISCONCEPTION(softmax_jacobian, equal_loss_along_the_row, says_equal_loss, with_equal_loss(true));
MISCONCEPTION(softmax_jacobian, equal_loss_along_the_column, says_equal_loss,
              with_equal_loss(false));

} // namespace

} // namespace misconceptions_views
