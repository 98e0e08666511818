// 01.3 check_projection

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_check_projection {

using namespace proof;

const Domain check_projection(
    graded::check_projection, [](const Matrix&, const Matrix&) {},
    {{"X", Kind::array, "n x d_model"}, {"W", Kind::array, "d_model x d_out"}}, exact);

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

void refuses(const Matrix& X, const Matrix& W) {
    expect_invalid_argument(graded::check_projection.attempt(X, W), {sizes(X), sizes(W)});
}

TEST_CASE("01.3 check_projection: does not throw when X has as many columns as W has rows") {
    graded::check_projection(zeros(2, 3), zeros(3, 4));
}

TEST_CASE("01.3 check_projection: throws std::invalid_argument and names both shapes") {
    refuses(zeros(2, 3), zeros(4, 5));
}

TEST_CASE("01.3 check_projection: the same shape twice does not make a product") {
    refuses(zeros(3, 4), zeros(3, 4));
}

TEST_CASE("01.3 check_projection: W · X would exist, X · W does not") {
    refuses(zeros(2, 3), zeros(5, 2));
}

TEST_CASE("01.3 check_projection: a single row or column is not stretched to fit") {
    refuses(zeros(2, 1), zeros(3, 4));
    refuses(zeros(2, 3), zeros(1, 4));
}

TEST_CASE("01.3 check_projection: every pair of shapes from (1, 1) to (3, 3)") {
    std::vector<std::pair<Matrix, Matrix>> pairs;
    for (std::size_t i = 0; i < 81; ++i) {
        pairs.emplace_back(zeros(i / 27 + 1, i / 9 % 3 + 1), zeros(i / 3 % 3 + 1, i % 3 + 1));
    }
    // All calls are made before the first verdict: together they show which rule a check follows.
    for (const auto& [X, W] : pairs) {
        static_cast<void>(graded::check_projection.attempt(X, W));
    }
    for (const auto& [X, W] : pairs) {
        if (X.shape(1) == W.shape(0)) {
            graded::check_projection(X, W);
        } else {
            refuses(X, W);
        }
    }
}

TEST_CASE("01.3 check_projection: a size may be 0") {
    graded::check_projection(zeros(0, 3), zeros(3, 2));
    graded::check_projection(zeros(2, 0), zeros(0, 4));
    graded::check_projection(zeros(2, 3), zeros(3, 0));
    refuses(zeros(0, 3), zeros(2, 3));
    refuses(zeros(2, 0), zeros(3, 4));
}

PROPERTIES("01.3 check_projection", check_projection)

} // namespace of_check_projection
