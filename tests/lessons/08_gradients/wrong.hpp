#pragma once

// What the misconceptions are made of: right in everything but the one thing that is handed in.

#include <algorithm>
#include <cmath>
#include <functional>

#include "attention/product.hpp"
#include "plain.hpp"

namespace wrong {

using attention::matmul;
using attention::matmul_transposed;
using lesson::AttentionGradients;
using lesson::Learned;
using lesson::Mask;
using lesson::Matrix;
using lesson::ProductGradients;
using lesson::Projections;
using lesson::Table;
using lesson::Vector;

inline Matrix transposed(const Matrix& X) {
    return xt::transpose(X);
}

inline Matrix zeros_like(const Matrix& X) {
    return xt::zeros<double>({X.shape(0), X.shape(1)});
}

// ---- 08.1

/// From one row p and its g, the row of the result.
using RowFunction = std::function<Vector(const Vector& p, const Vector& g)>;

inline void demand_same(const Matrix& weights, const Matrix& d_weights) {
    lesson::require_equal("softmax_backward", "n_queries", "weights", weights, 0, "d_weights",
                          d_weights, 0);
    lesson::require_equal("softmax_backward", "n_keys", "weights", weights, 1, "d_weights",
                          d_weights, 1);
}

inline Matrix rows_by(const RowFunction& function, const Matrix& weights, const Matrix& d_weights) {
    demand_same(weights, d_weights);
    Matrix result = weights;
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        xt::view(result, i, xt::all()) = function(Vector(xt::view(weights, i, xt::all())),
                                                  Vector(xt::view(d_weights, i, xt::all())));
    }
    return result;
}

inline auto in_rows(RowFunction function) {
    return [=](const Matrix& weights, const Matrix& d_weights) -> Matrix {
        return rows_by(function, weights, d_weights);
    };
}

inline double sum_of(const Vector& row) {
    return xt::sum(row)();
}

inline double dot(const Vector& p, const Vector& g) {
    return xt::sum(p * g)();
}

inline Vector right_row(const Vector& p, const Vector& g) {
    return p * (g - dot(p, g));
}

inline Matrix right_softmax_backward(const Matrix& weights, const Matrix& d_weights) {
    return rows_by(right_row, weights, d_weights);
}

// ---- 08.3

/// Everything that 08.3 is made of, each of it to be replaced.
struct Parts {
    Matrix Q, K, V;
    Mask mask;
    Matrix weights, d_output;

    Matrix d_weights() const { return matmul_transposed(d_output, V); }
    Matrix seen(const Matrix& d_weights) const { return xt::where(mask, d_weights, 0.0); }
    Matrix d_scores() const { return right_softmax_backward(weights, seen(d_weights())); }
    double root() const { return std::sqrt(static_cast<double>(Q.shape(1))); }
    Matrix d_V() const { return matmul(transposed(weights), d_output); }
    /// d_Q and d_K from d_scores as it is.
    AttentionGradients from(const Matrix& d_scores) const {
        return {matmul(d_scores, K), matmul(transposed(d_scores), Q), d_V()};
    }
    AttentionGradients right() const { return from(d_scores() / root()); }
};

using Way = std::function<AttentionGradients(const Parts&)>;

inline auto by_parts(Way way) {
    return [=](const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
               const Matrix& weights, const Matrix& d_output) -> AttentionGradients {
        const auto share = [](auto&&... arguments) {
            lesson::require_equal("attention_backward", arguments...);
        };
        share("d_k", "Q", Q, 1U, "K", K, 1U);
        share("n_keys", "K", K, 0U, "V", V, 0U);
        share("n_queries", "Q", Q, 0U, "mask", mask, 0U);
        share("n_keys", "K", K, 0U, "mask", mask, 1U);
        share("n_queries", "Q", Q, 0U, "weights", weights, 0U);
        share("n_keys", "K", K, 0U, "weights", weights, 1U);
        share("n_queries", "Q", Q, 0U, "d_output", d_output, 0U);
        share("d_v", "V", V, 1U, "d_output", d_output, 1U);
        return way({Q, K, V, mask, weights, d_output});
    };
}

/// Right, but for the gradient at the scores.
inline auto by_d_scores(std::function<Matrix(const Parts&)> d_scores) {
    return by_parts([=](const Parts& at) { return at.from(d_scores(at) / at.root()); });
}

/// Right, but for the number that d_scores is divided by.
inline auto by_divisor(std::function<double(const Parts&)> divisor) {
    return by_parts([=](const Parts& at) { return at.from(at.d_scores() / divisor(at)); });
}

// ---- 08.5

/// One table's forward and backward pass, each matrix of it.
struct Pass {
    Table table;
    Matrix Q, K, V, weights, error; // output − wanted
    AttentionGradients back;
    Matrix d_W_q, d_W_k, d_W_v;
    double n_queries, loss;
};

/// factor: what the gradient at the output is multiplied by, beyond 1 / n_queries.
inline Pass pass(const Table& table, const Projections& W, double factor = 1) {
    Pass p;
    p.table = table;
    p.n_queries = static_cast<double>(table.asked.shape(0));
    p.Q = matmul(table.asked, W.W_q);
    p.K = matmul(table.entries, W.W_k);
    p.V = matmul(table.entries, W.W_v);
    p.weights = oracle::softmax_rows(oracle::scaled_scores(p.Q, p.K));
    p.error = matmul(p.weights, p.V) - table.wanted;
    p.loss = xt::sum(xt::square(p.error))() / (2 * p.n_queries);
    const Mask all = xt::ones<bool>({p.Q.shape(0), p.K.shape(0)});
    p.back = Parts{p.Q, p.K, p.V, all, p.weights, p.error * (factor / p.n_queries)}.right();
    p.d_W_q = matmul(transposed(table.asked), p.back.d_Q);
    p.d_W_k = matmul(transposed(table.entries), p.back.d_K);
    p.d_W_v = matmul(transposed(table.entries), p.back.d_V);
    return p;
}

inline void descend(Projections& W, const Pass& p, double rate) {
    W.W_q -= rate * p.d_W_q;
    W.W_k -= rate * p.d_W_k;
    W.W_v -= rate * p.d_W_v;
}

/// What one step does, given the pass at its beginning; it returns the loss to write down.
struct Step {
    const std::vector<Table>& tables;
    const Projections& start;
    std::size_t t;
    std::size_t steps; // of which this is t
    double rate;
    Projections& W;
};
using StepFunction = std::function<double(const Step&)>;

inline const Table& table_of(const Step& step) {
    return step.tables[step.t % step.tables.size()];
}

inline Learned learned(const Projections& W, const Vector& losses) {
    return {W.W_q, W.W_k, W.W_v, losses};
}

inline auto stepwise(StepFunction function) {
    return [=](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
               double rate) -> Learned {
        lesson::require_tables(tables, start);
        Projections W = start;
        Vector losses = Vector::from_shape({steps});
        for (std::size_t t = 0; t < steps; ++t) {
            losses(t) = function({tables, start, t, steps, rate, W});
        }
        return learned(W, losses);
    };
}

/// Right losses at each step; `move` moves the weights.
inline auto moved_by(std::function<void(const Step&, const Pass&)> move) {
    return stepwise([=](const Step& step) {
        const Pass p = pass(table_of(step), step.W);
        move(step, p);
        return p.loss;
    });
}

/// Right steps; the loss that is written down is another.
inline auto losses_by(std::function<double(const Pass&)> loss) {
    return stepwise([=](const Step& step) {
        const Pass p = pass(table_of(step), step.W);
        descend(step.W, p, step.rate);
        return loss(p);
    });
}

} // namespace wrong
