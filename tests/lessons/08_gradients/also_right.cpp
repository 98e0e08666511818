// Right solutions, written otherwise: each must pass. Some are written as a learner should not.
// Ours is called first where it does nothing but refuse.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention/attention.hpp"
#include "attention/product.hpp"
#include "exports.hpp"
#include "support/agree.hpp"

using attention::matmul;
using attention::matmul_transposed;
using lesson::AttentionGradients;
using lesson::Learned;
using lesson::Mask;
using lesson::Matrix;
using lesson::ProductGradients;
using lesson::Projections;
using lesson::ScalarFunction;
using lesson::Table;
using lesson::Vector;
using support::agree;

namespace {

Matrix transposed(const Matrix& X) {
    return xt::transpose(X);
}

// ---- 08.1

ALTERNATIVE(softmax_backward, in_loops, [](const Matrix& p, const Matrix& g) -> Matrix {
    Matrix d_scores = lesson::softmax_backward(p, g);
    for (std::size_t i = 0; i < p.shape(0); ++i) {
        const auto row = [&](const Matrix& X) { return X.data() + i * X.shape(1); };
        const double sum = std::inner_product(row(p), row(p) + p.shape(1), row(g), 0.0);
        for (std::size_t j = 0; j < p.shape(1); ++j) {
            d_scores(i, j) = p(i, j) * (g(i, j) - sum);
        }
    }
    return d_scores;
});

ALTERNATIVE(softmax_backward, products_first, [](const Matrix& p, const Matrix& g) -> Matrix {
    lesson::softmax_backward(p, g);
    const Matrix products = p * g;
    const Vector sums = xt::sum(products, {1});
    return products - p * xt::view(sums, xt::all(), xt::newaxis());
});

// ---- 08.2

ALTERNATIVE(
    matmul_backward, transposed_results,
    [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
        agree(d_C, 1, B, 1);
        agree(d_C, 0, A, 0);
        agree(B, 0, A, 1);
        return {transposed(matmul_transposed(B, d_C)), transposed(matmul(transposed(d_C), A))};
    });

// ---- 08.3

/// Rows of V that no query sees become 0. Σ p g is d_output · output of the same query, as the
/// streaming backward pass has it, and the scale comes last.
ALTERNATIVE(attention_backward, sum_from_the_output,
            [](const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
               const Matrix& weights, const Matrix& d_output) -> AttentionGradients {
                lesson::attention_backward(Q, K, V, mask, weights, d_output);
                Matrix clean = V;
                for (std::size_t j = 0; j < V.shape(0); ++j) {
                    if (!xt::any(xt::view(mask, xt::all(), j))) {
                        xt::view(clean, j, xt::all()) = 0;
                    }
                }
                const auto [g, d_V] = lesson::matmul_backward(weights, clean, d_output);
                const Matrix output = matmul(weights, clean);
                const Matrix sums = xt::sum(output * d_output, {1}, xt::keep_dims);
                const Matrix d_scores = weights * (g - sums);
                const double root = std::sqrt(static_cast<double>(K.shape(1)));
                return {matmul(d_scores, K) / root, matmul(transposed(d_scores), Q) / root, d_V};
            });

// ---- 08.4

double moved_and_put_back(const ScalarFunction& f, Vector at, const Vector& claimed, double step) {
    lesson::gradient_check([](const Vector&) { return 0; }, at, claimed, step);
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double before = at(i);
        at(i) = before + step;
        double difference = f(at);
        at(i) = before - step;
        difference = (difference - f(at)) / 2 / step;
        at(i) = before;
        const double off = std::abs(claimed(i) - difference);
        error = std::isnan(error) || off <= error ? error : off;
        largest = std::max({largest, std::abs(claimed(i)), std::abs(difference)});
    }
    return error == 0 ? 0 : error / largest;
}

ALTERNATIVE_IN(by_name, gradient_check, moved_and_put_back,
               [](const std::string& name, const Vector& x, const Vector& gradient, double h) {
                   return by_name::gradient_check_by(moved_and_put_back, name, x, gradient, h);
               });

// ---- 08.5

/// The loss is a mean over queries, and so is its gradient.
ALTERNATIVE(learn_lookup, one_query_at_a_time,
            [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
               double rate) -> Learned {
                lesson::require_tables(tables, start);
                Projections W = start;
                Vector losses = xt::zeros<double>({steps});
                for (std::size_t t = 0; t < steps; ++t) {
                    const Table& table = tables[t % tables.size()];
                    const Projections at = W;
                    const std::size_t n = table.asked.shape(0);
                    for (std::size_t i = 0; i < n; ++i) {
                        const Table one{xt::view(table.asked, xt::range(i, i + 1), xt::all()),
                                        table.entries,
                                        xt::view(table.wanted, xt::range(i, i + 1), xt::all())};
                        const double share = 1.0 / static_cast<double>(n);
                        const Learned next = lesson::learn_lookup({one}, at, 1, rate * share);
                        losses(t) += next.losses(0) * share;
                        W.W_q += next.W_q - at.W_q;
                        W.W_k += next.W_k - at.W_k;
                        W.W_v += next.W_v - at.W_v;
                    }
                }
                return {W.W_q, W.W_k, W.W_v, losses};
            });

} // namespace
