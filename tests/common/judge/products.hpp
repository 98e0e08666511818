#pragma once

// Right and wrong answers to X W, and descriptions of them.

#include "judge/arrays.hpp"
#include "judge/looks.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace products {

using attention::Matrix;
using namespace judge;

using Answer = std::function<Matrix(const Matrix& X, const Matrix& W)>;

inline Matrix product_of(const Matrix& X, const Matrix& W) {
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            for (std::size_t k = 0; k < X.shape(1); ++k) {
                result(i, j) += X(i, k) * W(k, j);
            }
        }
    }
    return result;
}

/// Numbers without a pattern, of both signs, none of them 0.
inline Matrix some_numbers(std::size_t rows, std::size_t columns, double start) {
    Matrix result = Matrix::from_shape({rows, columns});
    double value = start;
    for (double& number : result) {
        value = std::fmod(value * 3.7 + 1.3, 5);
        number = value - 2.503;
    }
    return result;
}

inline std::optional<Value> ask_product(const List& arguments) {
    const auto X = from_value<Matrix>(arguments.at(0));
    const auto W = from_value<Matrix>(arguments.at(1));
    return X.shape(1) == W.shape(0) ? std::optional(to_value(product_of(X, W))) : std::nullopt;
}

inline std::vector<JudgedCall> answered(const Answer& wrong) {
    std::vector<JudgedCall> answers;
    for (const auto& [n, d_model, d_out] :
         {std::array<std::size_t, 3>{2, 3, 4}, {5, 3, 2}, {3, 6, 5}, {4, 4, 4}, {1, 2, 3}}) {
        const Matrix X = some_numbers(n, d_model, 0.1 + static_cast<double>(n));
        const Matrix W = some_numbers(d_model, d_out, 0.7 + static_cast<double>(d_out));
        const Matrix got = wrong(X, W);
        const Matrix right = product_of(X, W);
        answers.push_back(
            {{"product", {"X", "W"}, {to_value(X), to_value(W)}, Returned{to_value(got)}},
             Returned{to_value(right)},
             got.shape() == right.shape() && xt::allclose(got, right, 1e-12, 1e-12)});
    }
    return answers;
}

inline std::string looks(const Answer& wrong) {
    const auto look = look_of(answered(wrong), ask_product);
    return look ? look->name + ": " + look->text : "";
}

/// The same of a change to the right answer.
inline std::string looks_changed(const std::function<Matrix(Matrix right)>& change) {
    return looks([&](const Matrix& X, const Matrix& W) { return change(product_of(X, W)); });
}

} // namespace products
