// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <numeric>
#include <sstream>
#include <thread>

#include <cblas.h>

#include "exports.hpp"

using lesson::Matrix;
using lesson::QKV;

namespace {

void require_fit(const Matrix& X, const Matrix& W) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument(lesson::shape_text(X) + " · " + lesson::shape_text(W));
    }
}

/// X · W, each sum in Number, its terms from the last to the first.
template <class Number>
Matrix product(const Matrix& X, const Matrix& W) {
    require_fit(X, W);
    Matrix result = Matrix::from_shape({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            Number sum = 0;
            for (std::size_t k = X.shape(1); k-- > 0;) {
                sum += static_cast<Number>(X(i, k)) * static_cast<Number>(W(k, j));
            }
            result(i, j) = static_cast<double>(sum);
        }
    }
    return result;
}

/// Row by row, as sums of the rows of W.
Matrix by_rows(const Matrix& X, const Matrix& W) {
    require_fit(X, W);
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t k = 0; k < X.shape(1); ++k) {
            xt::view(result, i) += X(i, k) * xt::view(W, k);
        }
    }
    return result;
}

Matrix by_cblas(const Matrix& X, const Matrix& W) {
    require_fit(X, W);
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    const auto n = [](std::size_t size) { return static_cast<blasint>(size); };
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n(X.shape(0)), n(W.shape(1)),
                n(X.shape(1)), 1, X.data(), n(X.shape(1)), W.data(), n(W.shape(1)), 0,
                result.data(), n(W.shape(1)));
    return result;
}

// ---- 01.1 project

ALTERNATIVE(project, backwards_in_long_double, product<long double>);
ALTERNATIVE(project, by_rows, by_rows);
ALTERNATIVE(project, by_cblas, by_cblas);
ALTERNATIVE(project, by_inner_product, [](const Matrix& X, const Matrix& W) -> Matrix {
    require_fit(X, W);
    Matrix result = Matrix::from_shape({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            const auto row = xt::view(X, i, xt::all());
            const auto column = xt::view(W, xt::all(), j);
            result(i, j) = std::inner_product(row.begin(), row.end(), column.begin(), 0.0);
        }
    }
    return result;
});
ALTERNATIVE(project, by_broadcasting, [](const Matrix& X, const Matrix& W) -> Matrix {
    require_fit(X, W);
    const auto terms = xt::view(X, xt::all(), xt::all(), xt::newaxis()) *
                       xt::view(W, xt::newaxis(), xt::all(), xt::all());
    return xt::sum(terms, {1});
});
ALTERNATIVE(project, a_thread_a_row, [](const Matrix& X, const Matrix& W) -> Matrix {
    require_fit(X, W);
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        threads.emplace_back([&, i] {
            for (std::size_t j = 0; j < W.shape(1); ++j) {
                for (std::size_t k = 0; k < X.shape(1); ++k) {
                    result(i, j) += X(i, k) * W(k, j);
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return result;
});

// ---- 01.2 compute_qkv

using Weights = const Matrix&;

ALTERNATIVE(compute_qkv, one_product_then_cut,
            [](const Matrix& X, Weights W_q, Weights W_k, Weights W_v) -> QKV {
                require_fit(X, W_q);
                require_fit(X, W_k);
                require_fit(X, W_v);
                const std::size_t d_k = W_q.shape(1), both = d_k + W_k.shape(1);
                const Matrix W = xt::concatenate(xt::xtuple(W_q, W_k, W_v), 1);
                const Matrix all = by_cblas(X, W);
                return {xt::view(all, xt::all(), xt::range(0, d_k)),
                        xt::view(all, xt::all(), xt::range(d_k, both)),
                        xt::view(all, xt::all(), xt::range(both, all.shape(1)))};
            });

// ---- 01.3 check_projection

ALTERNATIVE(check_projection, by_projecting,
            [](const Matrix& X, const Matrix& W) { lesson::project(X, W); });
ALTERNATIVE(check_projection, in_other_words, [](const Matrix& X, const Matrix& W) {
    const bool fits = W.shape(0) == X.shape(1);
    if (!fits) {
        std::ostringstream text;
        text << "cannot multiply " << X.shape(0) << "x" << X.shape(1) << " by " << W.shape(0) << "x"
             << W.shape(1);
        throw std::invalid_argument(text.str());
    }
});
ALTERNATIVE(check_projection, in_a_sentence, [](const Matrix& X, const Matrix& W) {
    if (X.shape(1) != W.shape(0)) {
        throw std::invalid_argument("X has " + std::to_string(X.shape(1)) + " columns and " +
                                    std::to_string(X.shape(0)) + " rows, W has " +
                                    std::to_string(W.shape(1)) + " columns and " +
                                    std::to_string(W.shape(0)) + " rows");
    }
});

} // namespace
