#include <chrono>
#include <map>
#include <random>
#include <stdexcept>
#include <thread>

#include "exports.hpp"
#include "judge/todo.hpp"

namespace lesson {

Matrix doubled(const Matrix& X) {
    return 2 * X;
}

Matrix changes_its_argument(const Matrix& X, bool and_throws) {
    const_cast<Matrix&>(X)(0, 0) += 1;
    if (and_throws) {
        throw std::invalid_argument("no");
    }
    return X;
}

double changes_its_copy(Matrix X) {
    X(0, 0) = 7;
    return X(0, 0);
}

double half_written(double a) {
    if (a < 0) {
        todo("09.9", a);
    }
    return a;
}

namespace {

ALTERNATIVE(doubled, sum_goes_on, [](const Matrix& X) -> Matrix {
    static std::map<std::size_t, Matrix> sums;
    Matrix& sum = sums.try_emplace(X.size(), Matrix(xt::zeros<double>(X.shape()))).first->second;
    sum += 2 * X;
    return sum;
});

ALTERNATIVE(doubled, kept_by_shape, [](const Matrix& X) -> Matrix {
    static std::map<std::size_t, Matrix> kept;
    return kept.try_emplace(X.size(), Matrix(2 * X)).first->second;
});

ALTERNATIVE(doubled, kept_by_value, [](const Matrix& X) -> Matrix {
    static std::map<std::vector<double>, Matrix> kept;
    return kept.try_emplace({X.begin(), X.end()}, Matrix(2 * X)).first->second;
});

// Right for the calls of a grader that begins with a row of three; after that, or elsewhere,
// endless.
ALTERNATIVE(doubled, endless_when_asked_again, [](const Matrix& X) -> Matrix {
    static int calls = X.size() == 3 ? 0 : 1000;
    while (++calls > 3) {
        std::this_thread::sleep_for(std::chrono::hours(1));
    }
    return 2 * X;
});

ALTERNATIVE(doubled, one_element_short, [](const Matrix& X) -> Matrix {
    Matrix result = Matrix::from_shape(X.shape());
    for (std::size_t i = 0; i + 1 < X.size(); ++i) {
        result.flat(i) = 2 * X.flat(i);
    }
    return result;
});

ALTERNATIVE(doubled, drawn_at_random, [](const Matrix& X) -> Matrix {
    return 2 * X + static_cast<double>(std::random_device()() % 1000);
});

ALTERNATIVE(doubled, last_digits_at_random, [](const Matrix& X) -> Matrix {
    return 2 * X * (1 + 1e-7 * static_cast<double>(std::random_device()() % 10));
});

MISTAKE(doubled, squared, "this squares.", [](const Matrix& X) -> Matrix { return X * X; });

MISTAKE(doubled, nothing, "this is 0.", [](const Matrix& X) -> Matrix { return 0 * X; });

Matrix without_last_row(const Matrix& X) {
    Matrix result = 2 * X;
    xt::view(result, X.shape(0) - 1) = 0;
    return result;
}
ALTERNATIVE(doubled, last_row_left_out, without_last_row);
MISTAKE(doubled, second_of_two_rows_left_out, "this drops the second of two rows.",
        [](const Matrix& X) -> Matrix {
            return X.shape(0) == 2 ? without_last_row(X) : Matrix(2 * X);
        });

MISTAKE(doubled, nothing_of_one_row, "this drops a single row.",
        [](const Matrix& X) -> Matrix { return (X.shape(0) == 1 ? 0 : 3) * X; });

// The same where that is 0, and once where it is not.
ALTERNATIVE(doubled, nothing_of_one_row_either, [](const Matrix& X) -> Matrix {
    const double rows = static_cast<double>(X.shape(0));
    return (rows == 1 ? 0 : rows == 2 ? 3 : 7) * X;
});

// squared, except for one edge case.
ALTERNATIVE(doubled, squared_but_for_one_row, [](const Matrix& X) -> Matrix {
    return X.shape(0) == 1 ? Matrix(3 * X) : Matrix(X * X);
});

// squared, and NaN in one edge case or another.
ALTERNATIVE(doubled, squared_or_nan_where_tall, [](const Matrix& X) -> Matrix {
    return X.shape(0) > X.shape(1) ? Matrix(X / 0.0 - X / 0.0) : Matrix(X * X);
});
ALTERNATIVE(doubled, squared_or_nan_in_one_row, [](const Matrix& X) -> Matrix {
    return X.shape(0) == 1 ? Matrix(X / 0.0 - X / 0.0) : Matrix(X * X);
});

// squared if it is tall, and otherwise something else.
ALTERNATIVE(doubled, squared_half_the_time, [](const Matrix& X) -> Matrix {
    return X.shape(0) > X.shape(1) ? Matrix(X * X) : Matrix(3 * X);
});

// Right as long as the unset memory is not larger.
ALTERNATIVE(doubled, spoilt_by_large_garbage, [](const Matrix& X) -> Matrix {
    const Matrix fresh = Matrix::from_shape({1, 1});
    return fresh(0, 0) < 0 ? Matrix(-X) : Matrix(2 * X);
});

ALTERNATIVE(doubled, in_float, [](const Matrix& X) -> Matrix {
    const xt::xtensor<float, 2> x = X;
    return 2 * x;
});

} // namespace
} // namespace lesson
