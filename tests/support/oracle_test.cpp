#include "support/oracle_attention.hpp"

#include "support/check_close.hpp"

using attention::Matrix;
using attention::Vector;
using support::check_close;

// That the library agrees with the oracle, and both with PyTorch, is tested in tests/common.

TEST_CASE("oracle: a fully blocked row has weights of 0, and the row beside it does not change") {
    const xt::xtensor<bool, 2> mask{{false, false, false}, {true, false, true}};
    check_close(oracle::masked_softmax(Matrix{{1, 2, 3}, {4, 5, 4}}, mask),
                Matrix{{0, 0, 0}, {0.5, 0, 0.5}}, {0, 0});
}

TEST_CASE("oracle: the eigenvalues of a softmax's Jacobian, where they are known") {
    const auto eigenvalues = [](const oracle::Row& p) {
        Vector found = Vector::from_shape({p.size()});
        for (std::size_t place = 0; place < p.size(); ++place) {
            found(place) = static_cast<double>(oracle::softmax_eigenvalue(p, place));
        }
        return found;
    };
    check_close(eigenvalues({0.5L, 0.25L, 0.25L}), Vector{0.375, 0.25, 0}, {1e-16, 1e-18});
    check_close(eigenvalues({0.2L, 0.2L, 0.2L, 0.2L, 0.2L}), Vector{0.2, 0.2, 0.2, 0.2, 0},
                {1e-16, 1e-18});
    check_close(eigenvalues({0.5L, 0, 0.5L}), Vector{0.5, 0, 0}, {1e-16, 1e-18});
}

TEST_CASE("oracle: shapes that do not fit are the test's mistake") {
    CHECK_THROWS_WITH_AS(oracle::matmul(Matrix::from_shape({2, 3}), Matrix::from_shape({2, 3})),
                         "oracle: the test passes shapes that do not fit", std::logic_error);
}
