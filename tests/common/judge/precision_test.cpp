// Answers that are nearly right, and whether it was float that made them so: each way of being
// nearly right is a softmax of rows, or its derivative, computed here.

#include "judge/precision.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <doctest/doctest.h>

#include "judge/compare.hpp"

using attention::Matrix;
using judge::looks_like_float;
using judge::to_value;

namespace {

using Pairs = std::vector<std::pair<judge::Value, judge::Value>>;

Matrix drawn(std::size_t rows, std::size_t columns, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0, 2);
    Matrix X = Matrix::from_shape({rows, columns});
    for (double& x : X) {
        x = normal(engine);
    }
    return X;
}

/// Softmax of rows, all numbers of type T but for the sum, and ε added to that.
template <class T, class Sum = T>
Matrix softmax(const Matrix& scores, double epsilon = 0) {
    Matrix weights = scores;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        Sum sum = 0;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) = std::exp(static_cast<T>(scores(i, j)));
            sum += static_cast<Sum>(weights(i, j));
        }
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            weights(i, j) =
                static_cast<T>(static_cast<T>(weights(i, j)) / (sum + static_cast<Sum>(epsilon)));
        }
    }
    return weights;
}

/// The examples that a grader might ask, answered so.
Pairs answered(const std::function<Matrix(const Matrix&)>& mine) {
    Pairs pairs;
    unsigned seed = 1;
    for (const auto& [rows, columns] : {std::pair{1, 3}, {2, 3}, {4, 6}, {5, 7}}) {
        const Matrix X =
            drawn(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), seed++);
        pairs.emplace_back(to_value(mine(X)), to_value(softmax<double>(X)));
    }
    return pairs;
}

} // namespace

TEST_CASE("looks_like_float: all in float, a sum in float, a factor in float, rounded at the end") {
    CHECK(looks_like_float(answered([](const Matrix& X) { return softmax<float>(X); })));
    CHECK(looks_like_float(answered([](const Matrix& X) { return softmax<float, double>(X); })));
    CHECK(looks_like_float(answered([](const Matrix& X) { return softmax<double, float>(X); })));
    CHECK(looks_like_float(answered([](const Matrix& X) {
        return Matrix(xt::cast<double>(xt::cast<float>(softmax<double>(X))));
    })));
}

TEST_CASE("looks_like_float: also where a few elements are off by more, as exp of a large float") {
    const auto mine = [](const Matrix& X) {
        return softmax<double>(Matrix(xt::cast<double>(xt::cast<float>(X))));
    };
    const Matrix large{{81.3, 80.1, 1.5}};
    Pairs pairs = answered(mine);
    CHECK(looks_like_float(pairs));
    pairs.emplace_back(to_value(mine(large)), to_value(softmax<double>(large)));
    CHECK(looks_like_float(pairs));
    pairs.erase(pairs.begin(), pairs.end() - 1);
    CHECK_FALSE(looks_like_float(pairs));
}

TEST_CASE("looks_like_float: an added ε is none, whatever its size") {
    for (const double epsilon : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
        CAPTURE(epsilon);
        CHECK_FALSE(looks_like_float(
            answered([&](const Matrix& X) { return softmax<double>(X, epsilon); })));
        CHECK_FALSE(looks_like_float(
            answered([&](const Matrix& X) { return Matrix(softmax<double>(X) + epsilon); })));
    }
}

TEST_CASE("looks_like_float: right answers, other formulas and too few numbers are none") {
    CHECK_FALSE(looks_like_float(answered([](const Matrix& X) { return softmax<double>(X); })));
    CHECK_FALSE(looks_like_float(
        answered([](const Matrix& X) { return Matrix(1.0000001 * softmax<double>(X)); })));
    CHECK_FALSE(looks_like_float(
        answered([](const Matrix& X) { return Matrix(0.5 * softmax<double>(X)); })));
    CHECK_FALSE(looks_like_float({{to_value(double(0.1F)), to_value(0.1)}}));
    CHECK_FALSE(looks_like_float({}));
}
