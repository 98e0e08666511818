#pragma once

// The oracle of a Transformer's block: forward and backward each by its own formula, with nothing
// of the tape. Vectors are matrices of one row.

#include "support/oracle_gradients.hpp"

namespace oracle {

inline Matrix sum_of_rows(const Matrix& A) {
    return matmul(Matrix(xt::ones<double>({std::size_t{1}, A.shape(0)})), A);
}

struct Gradients {
    Matrix output;
    std::vector<Matrix> gradients; // of each input
};

/// in: X, gain, bias.
inline Gradients layer_norm(const std::vector<Matrix>& in, const Matrix& d_Y) {
    const Matrix &X = in.at(0), &gain = in.at(1);
    const std::size_t d = X.shape(1);
    /// The mean of each row, as a column.
    const auto means = [&](const Matrix& A) {
        return matmul(A, Matrix(xt::ones<double>({d, std::size_t{1}}) / double(d)));
    };
    const Matrix centred = X - means(X);
    const Matrix per_row = 1 / xt::sqrt(means(centred * centred) + 1e-5);
    const Matrix normed = centred * per_row, d_normed = d_Y * gain;
    const Matrix d_X =
        per_row * (d_normed - means(d_normed) - normed * means(Matrix(d_normed * normed)));
    return {normed * gain + in.at(2), {d_X, sum_of_rows(d_Y * normed), sum_of_rows(d_Y)}};
}

/// Causal attention of each text and head separately, and its gradients.
inline Gradients causal_heads(const Matrix& Q, const Matrix& K, const Matrix& V,
                              std::size_t n_texts, std::size_t n_heads, const Matrix& d_output) {
    const std::size_t n = Q.shape(0) / n_texts, d_k = Q.shape(1) / n_heads;
    const Mask mask = causal_mask(n);
    Gradients all{Q, {Q, K, V}};
    for (std::size_t text = 0; text < Q.shape(0); text += n) {
        for (std::size_t head = 0; head < Q.shape(1); head += d_k) {
            const auto part = [&](auto& A) {
                return xt::view(A, xt::range(text, text + n), xt::range(head, head + d_k));
            };
            const Matrix Q_h = part(Q), K_h = part(K), V_h = part(V);
            const Attention of = attention(Q_h, K_h, V_h, mask);
            const auto [d_Q, d_K, d_V] =
                attention_backward(Q_h, K_h, V_h, mask, of.weights, Matrix(part(d_output)));
            part(all.output) = of.output;
            part(all.gradients[0]) = d_Q;
            part(all.gradients[1]) = d_K;
            part(all.gradients[2]) = d_V;
        }
    }
    return all;
}

inline double normal_distribution(double x) {
    return std::erfc(-x / std::sqrt(2.0)) / 2;
}
inline double gelu(double x) {
    return x * normal_distribution(x);
}
inline double gelu_slope(double x) {
    return normal_distribution(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
}

inline Matrix each(Matrix A, double (*of)(double)) {
    std::transform(A.begin(), A.end(), A.begin(), of);
    return A;
}

/// in: X, then the weights in the order of language::BlockWeights.
inline Gradients transformer_block(const std::vector<Matrix>& in, std::size_t n_texts,
                                   std::size_t n_heads, const Matrix& d_Y) {
    const Matrix &X = in.at(0), &W_q = in.at(3), &W_k = in.at(4), &W_v = in.at(5), &W_o = in.at(6),
                 &W_in = in.at(9), &W_out = in.at(11);
    // forward
    const Matrix N = layer_norm({X, in.at(1), in.at(2)}, X).output;
    const Matrix Q = matmul(N, W_q), K = matmul(N, W_k), V = matmul(N, W_v);
    const Matrix attended = causal_heads(Q, K, V, n_texts, n_heads, V).output;
    const Matrix H = X + matmul(attended, W_o);
    const Matrix M = layer_norm({H, in.at(7), in.at(8)}, H).output;
    const Matrix U = matmul(M, W_in) + in.at(10);
    const Matrix G = each(U, gelu);
    const Matrix Y = H + matmul(G, W_out) + in.at(12);
    // backward
    const Matrix d_U = matmul_transposed(d_Y, W_out) * each(U, gelu_slope);
    const Matrix d_M = matmul_transposed(d_U, W_in);
    const auto second = layer_norm({H, in.at(7), in.at(8)}, d_M).gradients;
    const Matrix d_H = d_Y + second[0];
    const auto heads =
        causal_heads(Q, K, V, n_texts, n_heads, matmul_transposed(d_H, W_o)).gradients;
    const Matrix d_N = matmul_transposed(heads[0], W_q) + matmul_transposed(heads[1], W_k) +
                       matmul_transposed(heads[2], W_v);
    const auto first = layer_norm({X, in.at(1), in.at(2)}, d_N).gradients;
    const auto of_weights = [](const Matrix& input, const Matrix& d_result) {
        return matmul(Matrix(xt::transpose(input)), d_result);
    };
    return {Y,
            {d_H + first[0], first[1], first[2], of_weights(N, heads[0]), of_weights(N, heads[1]),
             of_weights(N, heads[2]), of_weights(attended, d_H), second[1], second[2],
             of_weights(M, d_U), sum_of_rows(d_U), of_weights(G, d_Y), sum_of_rows(d_Y)}};
}

} // namespace oracle
