#include <cstdio>
#include <iostream>

#include <unistd.h>

#include "exports.hpp"

namespace lesson {

double add(double a, double b) {
    return a + b;
}

Matrix echo(const Matrix& X) {
    return X;
}

Sample describe_sample(const Matrix& X, const std::string& label) {
    return {X, xt::sum(X, 1), label, std::nullopt};
}

Matrix product(const Matrix& X, const Matrix& W) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument("cannot multiply " + attention::shape_text(X) + " by " +
                                    attention::shape_text(W));
    }
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            for (std::size_t k = 0; k < W.shape(0); ++k) {
                result(i, j) += X(i, k) * W(k, j);
            }
        }
    }
    return result;
}

void check_product(const Matrix& X, const Matrix& W) {
    product(X, W);
}

void nothing() {}

double print(const std::string& text) {
    std::cout << "cout " << text << "\n";
    std::printf("printf %s\n", text.c_str());
    std::cerr << "cerr " << text << "\n";
    std::clog << "clog " << text << "\n";
    return 0;
}

int process_id() {
    return getpid();
}

namespace {

MISTAKE(product, transposed_weight, "this is X · Wᵀ.",
        [](const Matrix& X, const Matrix& W) -> Matrix {
            const Matrix turned = xt::transpose(W);
            return product(X, turned);
        });

MISTAKE(product, element_wise, "this multiplies element by element.",
        [](const Matrix& X, const Matrix& W) -> Matrix { return X * W; });

// One mistake in two versions, of which the second stops short of large numbers.
constexpr const char* says_negative = "the sign is wrong.";
MISTAKE(product, negative, says_negative,
        [](const Matrix& X, const Matrix& W) -> Matrix { return -product(X, W); });
MISTAKE(product, negative_but_where_large, says_negative,
        [](const Matrix& X, const Matrix& W) -> Matrix {
            const Matrix right = product(X, W);
            return xt::amax(right)() > 1000 ? right : Matrix(-right);
        });

// The same answers as element_wise, from another idea: neither can be named.
MISTAKE(product, element_wise_backwards, "this multiplies element by element, backwards.",
        [](const Matrix& X, const Matrix& W) -> Matrix { return W * X; });

MISTAKE(product, accepts_anything, "it makes something of any shapes.",
        [](const Matrix& X, const Matrix& W) -> Matrix {
            return X.shape(1) == W.shape(0) ? product(X, W) : X;
        });

MISTAKE(product, refuses_everything, "it refuses everything.",
        [](const Matrix&, const Matrix&) -> Matrix { throw std::runtime_error("never 2"); });

MISTAKE(check_product, another_exception, "it throws something else.",
        [](const Matrix& X, const Matrix& W) {
            if (X.shape(1) != W.shape(0)) {
                throw std::runtime_error("no");
            }
        });

MISTAKE(product, ends_the_program, "it exits.",
        [](const Matrix&, const Matrix&) -> Matrix { std::exit(3); });

} // namespace
} // namespace lesson
