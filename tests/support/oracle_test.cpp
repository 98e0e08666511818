#include "support/oracle.hpp"

#include "support/check_close.hpp"
#include "support/golden.hpp"

using attention::Matrix;
using attention::Vector;
using support::check_close;
using support::golden;
using support::golden_f;
using support::golden_vector;

// The oracle is held to PyTorch too: an error in it would otherwise excuse the same in the library.

TEST_CASE("oracle: project agrees with PyTorch") {
    for (const std::string view : {"q", "k", "v"}) {
        const std::string output(1, static_cast<char>(view[0] - 'a' + 'A'));
        CAPTURE(output);
        check_close(oracle::project(golden("projections/X"), golden("projections/W_" + view)),
                    golden("projections/" + output), {1e-14, 1e-14});
    }
}

TEST_CASE("oracle: raw_scores and scaled_scores agree with PyTorch") {
    const Matrix Q = golden("scores/Q");
    const Matrix K = golden("scores/K");
    check_close(oracle::raw_scores(Q, K), golden("scores/raw"), {1e-14, 1e-14});
    check_close(oracle::scaled_scores(Q, K), golden("scores/scaled"), {1e-14, 1e-14});
    check_close(golden_f("scores/scaled_float"),
                oracle::scaled_scores(golden_f("scores/Q_float"), golden_f("scores/K_float")),
                {1e-6, 1e-6});
}

TEST_CASE("oracle: softmax and its Jacobian agree with PyTorch") {
    const Vector scores = golden_vector("softmax/vector_scores");
    check_close(oracle::softmax(scores), golden_vector("softmax/vector"), {1e-14, 0});
    check_close(oracle::softmax_jacobian(oracle::softmax(scores)), golden("softmax/jacobian"),
                {1e-13, 1e-17});
}

TEST_CASE("oracle: softmax_rows agrees with PyTorch, large scores too") {
    const double smallest = std::numeric_limits<double>::denorm_min();
    check_close(oracle::softmax_rows(golden("softmax/scores")), golden("softmax/rows"), {1e-14, 0});
    check_close(oracle::softmax_rows(golden("softmax/large_scores")), golden("softmax/large_rows"),
                {1e-14, smallest});
}

TEST_CASE("oracle: shapes that do not fit are the test's mistake") {
    CHECK_THROWS_WITH_AS(oracle::matmul(Matrix::from_shape({2, 3}), Matrix::from_shape({2, 3})),
                         "oracle: the test passes shapes that do not fit", std::logic_error);
}
