// 03.3 softmax_jacobian

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_softmax_jacobian {

using namespace proof;

// Where p is nearly 1, p - p² has only the few digits of 1 that rounding leaves.
constexpr Tolerance tolerance{1e-10, 4e-16};

const auto softmax_jacobian = Domain(graded::softmax_jacobian, oracle::softmax_jacobian<double>,
                                     {{"p", Kind::weights, "n_keys"}}, tolerance);

TEST_CASE("03.3 softmax_jacobian: weights of 1/2, 1/3 and 1/6, small enough to do by hand") {
    expect_close(graded::softmax_jacobian({1.0 / 2, 1.0 / 3, 1.0 / 6}),
                 Matrix{{1.0 / 4, -1.0 / 6, -1.0 / 12},
                        {-1.0 / 6, 2.0 / 9, -1.0 / 18},
                        {-1.0 / 12, -1.0 / 18, 5.0 / 36}},
                 tolerance);
}

TEST_CASE(
    "03.3 softmax_jacobian: equal weights: a gain of 3/16 is paid for by three losses of 1/16") {
    const double gain = 3.0 / 16, loss = -1.0 / 16;
    expect_close(graded::softmax_jacobian({0.25, 0.25, 0.25, 0.25}),
                 Matrix{{gain, loss, loss, loss},
                        {loss, gain, loss, loss},
                        {loss, loss, gain, loss},
                        {loss, loss, loss, gain}},
                 tolerance);
}

TEST_CASE("03.3 softmax_jacobian: all 0 if one weight is 1") {
    expect_close(graded::softmax_jacobian({0, 1, 0}), Matrix(xt::zeros<double>({3, 3})), tolerance);
}

PROPERTIES("03.3 softmax_jacobian", softmax_jacobian)

} // namespace of_softmax_jacobian
