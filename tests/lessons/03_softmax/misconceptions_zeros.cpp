// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "support/oracle.hpp"
#include "wrong.hpp"

namespace misconceptions_zeros {

using namespace wrong;

namespace {

using S = std::size_t;

/// The exponentials of a row with its maximum subtracted, as a learner changes them, and shared
/// out.
template <class Change>
auto changed(Change change) {
    return [change](const Vector& row) {
        const double maximum = largest(row);
        Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
        change(terms, row);
        return divided_by_sum(terms);
    };
}

Vector right(const Vector& row) {
    return shares(row, largest(row));
}

bool all_zero(const Vector& row) {
    return std::all_of(row.begin(), row.end(), [](double s) { return s == 0; });
}

// ---- 03.1 and 03.2: a score of 0

WITHIN_A_ROW(zero_gets_nothing,
             "a score of 0 gets the weight 0, as if nothing stood there. It is a score like any "
             "other: exp(0) is 1.",
             changed([](Vector& terms, const Vector& row) {
                 for (S j = 0; j < row.size(); ++j) {
                     terms(j) = row(j) == 0 ? 0 : terms(j);
                 }
             }));

WITHIN_A_ROW(row_ends_at_zero,
             "a score of 0 ends its row: that one and those after it get the weight 0. A 0 is a "
             "score like any other: exp(0) is 1.",
             changed([](Vector& terms, const Vector& row) {
                 bool ended = false;
                 for (S j = 0; j < row.size(); ++j) {
                     ended = ended || row(j) == 0;
                     terms(j) = ended ? 0 : terms(j);
                 }
             }));

WITHIN_A_ROW(zeros_in_zeros_out,
             "a row of nothing but 0 gets the weights 0. Equal scores share equally, whatever they "
             "are: exp(0) is 1.",
             [](const Vector& row) { return all_zero(row) ? row : right(row); });

WITHIN_A_ROW(sum_of_zero_returned,
             "a row whose scores sum to 0 is returned as it is. It is the exponentials that are "
             "summed and divided by, and their sum is never 0.",
             [](const Vector& row) { return sum_of(row) == 0 ? row : right(row); });

WITHIN_A_ROW(maximum_of_zero_returned,
             "a row whose largest score is 0 is returned as it is. The maximum is subtracted, not "
             "divided by: 0 is one like any other.",
             [](const Vector& row) { return largest(row) == 0 ? row : right(row); });

WITHIN_A_ROW(first_counts_twice,
             "the first score is in the sum twice: the sum starts with it, and the loop adds it "
             "again. Start at 0, or begin the loop at 1.",
             [](const Vector& row) -> Vector {
                 const double maximum = largest(row);
                 const Vector terms = mapped(row, [=](double s) { return std::exp(s - maximum); });
                 const double sum = terms(0) + sum_of(terms);
                 return mapped(terms, [=](double term) { return term / sum; });
             });

WITHIN_A_ROW(
    divided_as_it_goes,
    "the sum is made anew for every weight, of terms of which some are weights already, as an "
    "xt::sum that is kept with auto is: it is computed whenever it is asked for. Make it once, in "
    "a double, before the first division.",
    [](const Vector& row) -> Vector {
        Vector terms = mapped(row, [m = largest(row)](double s) { return std::exp(s - m); });
        for (S j = 0; j < terms.size(); ++j) {
            terms(j) /= sum_of(terms); // those before it have been divided already
        }
        return terms;
    });

MISCONCEPTION(softmax_rows, row_that_begins_with_zero_skipped,
              "a row whose first score is 0 is taken for padding, and its weights are 0. A 0 is a "
              "score like any other.",
              in_each_row([](const Vector& row) -> Vector {
                  return row(0) == 0 ? Vector(0 * row) : right(row);
              }));

MISCONCEPTION(
    softmax_rows, ends_at_a_row_of_zeros,
    "a row of nothing but 0 is taken for the end of the matrix: it and those below it get "
    "the weights 0. The number of rows says where the matrix ends.",
    [](const Matrix& scores) -> Matrix {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (S i = 0; i < scores.shape(0); ++i) {
            const Vector row = xt::row(scores, static_cast<std::ptrdiff_t>(i));
            if (all_zero(row)) {
                break;
            }
            xt::row(weights, static_cast<std::ptrdiff_t>(i)) = right(row);
        }
        return weights;
    });

MISCONCEPTION(softmax_rows, single_row_by_column,
              "a single row is taken for a column of scores that are each alone: all its weights "
              "are 1. One row is shared out like several.",
              [](const Matrix& scores) -> Matrix {
                  return scores.shape(0) == 1 ? Matrix(xt::ones<double>({S{1}, scores.shape(1)}))
                                              : in_each_row(right)(scores);
              });

// ---- 03.3 softmax_jacobian

/// The Jacobian, with elements that a learner never reaches left 0.
template <class Reached>
auto where(Reached reached) {
    return [reached](const Vector& p) -> Matrix {
        Matrix J = oracle::softmax_jacobian(p);
        for (S i = 0; i < p.size(); ++i) {
            for (S j = 0; j < p.size(); ++j) {
                J(i, j) = reached(p, i, j) ? J(i, j) : 0;
            }
        }
        return J;
    };
}

bool zero_up_to(const Vector& p, S last) {
    return std::any_of(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(last + 1),
                       [](double weight) { return weight == 0; });
}

MISCONCEPTION(softmax_jacobian, ends_at_a_weight_of_zero,
              "a weight of 0 ends the loop over the rows: those below it stay 0. A weight of 0 has "
              "a row and a column like any other.",
              where([](const Vector& p, S i, S) { return !zero_up_to(p, i); }));

MISCONCEPTION(
    softmax_jacobian, row_ends_at_a_weight_of_zero,
    "a weight of 0 ends the loop over a row: what stands right of it stays 0. A weight of "
    "0 has a row and a column like any other.",
    where([](const Vector& p, S, S j) { return !zero_up_to(p, j); }));

MISCONCEPTION(
    softmax_jacobian, diagonal_from_a_sum_that_ends,
    "the diagonal is made from a sum over the others of its row, and that ends at the first that "
    "is too small to change it, as if those after it could only be smaller, too. Weights stand in "
    "any order: add all of them, or write p_i (1 - p_i).",
    [](const Vector& p) -> Matrix {
        Matrix J = oracle::softmax_jacobian(p);
        for (S i = 0; i < p.size(); ++i) {
            double others = 0;
            for (S j = 0; j < p.size(); ++j) {
                const double moved = j == i ? 0 : -J(i, j);
                if (moved != 0 && others + moved == others) {
                    break;
                }
                others += moved;
            }
            J(i, i) = others;
        }
        return J;
    });

MISCONCEPTION(softmax_jacobian, weights_of_zero_dropped,
              "weights of 0 have no row and no column. They do not move, and that is what the 0 in "
              "their row and column say: the shape is (n_keys, n_keys).",
              [](const Vector& p) -> Matrix {
                  Vector kept = Vector::from_shape(
                      {p.size() - static_cast<S>(std::count(p.begin(), p.end(), 0.0))});
                  std::copy_if(p.begin(), p.end(), kept.begin(),
                               [](double weight) { return weight != 0; });
                  return oracle::softmax_jacobian(kept);
              });

MISCONCEPTION(softmax_jacobian, zeros_beside_a_weight_of_one,
              "where a weight is exactly 1 everything is 0. Beside it others may be tiny and not "
              "0, as those of softmax([0, -50]) are, and they move by as much as they weigh: leave "
              "the case out, since the formula is right for it, too.",
              [](const Vector& p) -> Matrix {
                  const Matrix J = oracle::softmax_jacobian(p);
                  return std::count(p.begin(), p.end(), 1.0) > 0 ? Matrix(0 * J) : J;
              });

MISCONCEPTION(softmax_jacobian, weights_added_to_the_first_row,
              "the weights are added to row 0 and not to the diagonal. For a matrix J(i) is J(0, "
              "i): xtensor takes an index that is missing for 0. The diagonal is J(i, i).",
              [](const Vector& p) -> Matrix {
                  Matrix J = Matrix::from_shape({p.size(), p.size()});
                  for (S i = 0; i < p.size(); ++i) {
                      for (S j = 0; j < p.size(); ++j) {
                          J(i, j) = (i == 0 ? p(j) : 0) - p(i) * p(j);
                      }
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, squared_on_the_diagonal,
              "on the diagonal stands p_i - p_i, or p_i² with nothing taken from it: the square of "
              "the weight belongs after the minus, p_i - p_i².",
              [](const Vector& p) -> Matrix {
                  Matrix J = oracle::softmax_jacobian(p);
                  for (S i = 0; i < p.size(); ++i) {
                      J(i, i) = p(i) * p(i);
                  }
                  return J;
              });

MISCONCEPTION(softmax_jacobian, neighbour_on_the_diagonal,
              "on the diagonal each weight meets that of the row before: p_i (1 - p_(i-1)). It is "
              "p_i (1 - p_i).",
              [](const Vector& p) -> Matrix {
                  Matrix J = oracle::softmax_jacobian(p);
                  for (S i = 1; i < p.size(); ++i) {
                      J(i, i) = p(i) * (1 - p(i - 1));
                  }
                  return J;
              });

} // namespace

} // namespace misconceptions_zeros
