// 03.4 largest_derivative

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_largest_derivative {

using namespace proof;

// Where p is nearly 1, p - p² has only the few digits of 1 that rounding leaves.
constexpr Tolerance tolerance{1e-10, 1e-14};

/// The largest p (1 − p) of each query: where the largest element of its softmax's Jacobian is.
Vector right(const Matrix& Q, const Matrix& K, bool scaled) {
    const long double divisor = scaled ? std::sqrt(static_cast<long double>(Q.shape(1))) : 1;
    const auto largest = [](const oracle::Row& row) {
        long double found = 0;
        for (const long double p : oracle::softmax(row)) {
            found = std::max(found, p * (1 - p));
        }
        return found;
    };
    return oracle::of_rows(oracle::scores<long double>(Q, K, divisor), largest);
}

const auto largest_derivative = Domain(graded::largest_derivative, right,
                                       {{"Q", Kind::array, "n_queries x d_k"},
                                        {"K", Kind::array, "n_keys x d_k"},
                                        {"scaled", Kind::flag}},
                                       tolerance)
                                    .scaled({{"Q", "K"}, {"Q", ""}, {"K", ""}})
                                    .dot_products("Q", "K");

TEST_CASE("03.4 largest_derivative: two queries and three keys, small enough to do by hand") {
    // Half of 2 ln 2 and half of 2 ln 3 are scores: weights of 1/6, 1/3 and 1/2; and 1/3 each.
    const Matrix Q{{2, 0, 0, 0}, {0, 0, 0, 0}};
    const Matrix K{{0, 1, 0, 0}, {std::log(2.0), 0, 3, 0}, {std::log(3.0), 0, 0, -1}};
    expect_close(graded::largest_derivative(Q, K, true), Vector{1.0 / 4, 2.0 / 9}, tolerance);
    // Without the division the scores are 0, 2 ln 2 and 2 ln 3: weights of 1/14, 4/14 and 9/14.
    expect_close(graded::largest_derivative(Q, K, false), Vector{45.0 / 196, 2.0 / 9}, tolerance);
}

PROPERTIES("03.4 largest_derivative", largest_derivative)

} // namespace of_largest_derivative
