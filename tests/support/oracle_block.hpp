#pragma once

// The oracle of a Transformer's block, in double: forward and backward each by its own formula,
// with nothing of the tape. Vectors are matrices of one row.

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/oracle.hpp"

namespace oracle {

inline Matrix transposed(const Matrix& A) {
    return xt::transpose(A);
}

/// element(i, j), (rows, columns).
template <class Element>
Matrix filled(std::size_t rows, std::size_t columns, Element element) {
    Matrix result = Matrix::from_shape({rows, columns});
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            result(i, j) = element(i, j);
        }
    }
    return result;
}

inline Matrix sum_of_rows(const Matrix& A) {
    Matrix sum = xt::zeros<double>({std::size_t{1}, A.shape(1)});
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            sum(0, j) += A(i, j);
        }
    }
    return sum;
}

/// A layer norm that keeps what its backward needs.
struct LayerNorm {
    Matrix normed, per_row, gain; // (n, d), (n, 1), (1, d)
    Matrix output;                // (n, d)

    LayerNorm(const Matrix& X, const Matrix& with_gain, const Matrix& bias)
        : normed(X), per_row(Matrix::from_shape({X.shape(0), 1})), gain(with_gain) {
        const double d = static_cast<double>(X.shape(1));
        for (std::size_t i = 0; i < X.shape(0); ++i) {
            double mean = 0, variance = 0;
            for (std::size_t c = 0; c < X.shape(1); ++c) {
                mean += X(i, c) / d;
            }
            for (std::size_t c = 0; c < X.shape(1); ++c) {
                variance += (X(i, c) - mean) * (X(i, c) - mean) / d;
            }
            per_row(i, 0) = 1 / std::sqrt(variance + 1e-5);
            for (std::size_t c = 0; c < X.shape(1); ++c) {
                normed(i, c) = (X(i, c) - mean) * per_row(i, 0);
            }
        }
        output = filled(X.shape(0), X.shape(1),
                        [&](auto i, auto c) { return normed(i, c) * gain(0, c) + bias(0, c); });
    }

    /// d_X of d_output.
    Matrix backward(const Matrix& d_output) const {
        const double d = static_cast<double>(normed.shape(1));
        Matrix d_X = d_output;
        for (std::size_t i = 0; i < d_X.shape(0); ++i) {
            double mean = 0, mean_with = 0; // of d_normed, and of d_normed ∘ normed
            for (std::size_t c = 0; c < d_X.shape(1); ++c) {
                d_X(i, c) *= gain(0, c);
                mean += d_X(i, c) / d;
                mean_with += d_X(i, c) * normed(i, c) / d;
            }
            for (std::size_t c = 0; c < d_X.shape(1); ++c) {
                d_X(i, c) = per_row(i, 0) * (d_X(i, c) - mean - normed(i, c) * mean_with);
            }
        }
        return d_X;
    }
    Matrix d_gain(const Matrix& d_output) const { return sum_of_rows(Matrix(d_output * normed)); }
};

/// Causal attention of each text and head separately, and its gradients.
struct CausalHeads {
    Matrix output, d_Q, d_K, d_V; // (n_texts · n, d)

    CausalHeads(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_texts,
                std::size_t n_heads)
        : output(xt::zeros_like(Q)), d_Q(output), d_K(output), d_V(output), Q_(Q), K_(K), V_(V),
          n_(Q.shape(0) / n_texts), d_k_(Q.shape(1) / n_heads) {
        each_query([&](std::size_t i, std::size_t first, std::size_t column, const auto& p) {
            for (std::size_t j = first; j <= i; ++j) {
                for (std::size_t c = column; c < column + d_k_; ++c) {
                    output(i, c) += p[j - first] * V_(j, c);
                }
            }
        });
    }

    void backward(const Matrix& d_output) {
        const double root = std::sqrt(static_cast<double>(d_k_));
        each_query([&](std::size_t i, std::size_t first, std::size_t column, const auto& p) {
            std::vector<double> d_p(p.size(), 0);
            double mean = 0;
            for (std::size_t j = first; j <= i; ++j) {
                for (std::size_t c = column; c < column + d_k_; ++c) {
                    d_p[j - first] += d_output(i, c) * V_(j, c);
                    d_V(j, c) += p[j - first] * d_output(i, c);
                }
                mean += p[j - first] * d_p[j - first];
            }
            for (std::size_t j = first; j <= i; ++j) {
                const double d_score = p[j - first] * (d_p[j - first] - mean) / root;
                for (std::size_t c = column; c < column + d_k_; ++c) {
                    d_Q(i, c) += d_score * K_(j, c);
                    d_K(j, c) += d_score * Q_(i, c);
                }
            }
        });
    }

private:
    /// visit(row, first row of its text, first column of the head, weights of the rows it sees).
    template <class Visit>
    void each_query(const Visit& visit) const {
        const double root = std::sqrt(static_cast<double>(d_k_));
        for (std::size_t column = 0; column < Q_.shape(1); column += d_k_) {
            for (std::size_t i = 0; i < Q_.shape(0); ++i) {
                const std::size_t first = i / n_ * n_;
                std::vector<double> p;
                for (std::size_t j = first; j <= i; ++j) {
                    double score = 0;
                    for (std::size_t c = column; c < column + d_k_; ++c) {
                        score += Q_(i, c) * K_(j, c);
                    }
                    p.push_back(score / root);
                }
                const double largest = *std::max_element(p.begin(), p.end());
                double sum = 0;
                for (double& each : p) {
                    each = std::exp(each - largest);
                    sum += each;
                }
                for (double& each : p) {
                    each /= sum;
                }
                visit(i, first, column, p);
            }
        }
    }

    Matrix Q_, K_, V_;
    std::size_t n_, d_k_;
};

inline double normal_distribution(double x) {
    return std::erfc(-x / std::sqrt(2.0)) / 2;
}
inline double gelu(double x) {
    return x * normal_distribution(x);
}
inline double gelu_slope(double x) {
    return normal_distribution(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0));
}

struct Gradients {
    Matrix output;
    std::vector<Matrix> gradients; // of each input
};

/// in: X, gain, bias.
inline Gradients layer_norm(const std::vector<Matrix>& in, const Matrix& d_Y) {
    const LayerNorm norm(in.at(0), in.at(1), in.at(2));
    return {norm.output, {norm.backward(d_Y), norm.d_gain(d_Y), sum_of_rows(d_Y)}};
}

/// in: X, then the weights in the order of language::BlockWeights.
inline Gradients transformer_block(const std::vector<Matrix>& in, std::size_t n_texts,
                                   std::size_t n_heads, const Matrix& d_Y) {
    const Matrix &X = in.at(0), &W_q = in.at(3), &W_k = in.at(4), &W_v = in.at(5), &W_o = in.at(6),
                 &W_in = in.at(9), &W_out = in.at(11);
    // forward
    const LayerNorm first(X, in.at(1), in.at(2));
    const Matrix N = first.output;
    CausalHeads heads(matmul(N, W_q), matmul(N, W_k), matmul(N, W_v), n_texts, n_heads);
    const Matrix H = X + matmul(heads.output, W_o);
    const LayerNorm second(H, in.at(7), in.at(8));
    const Matrix M = second.output;
    const Matrix U = matmul(M, W_in) + in.at(10);
    const Matrix G = filled(U.shape(0), U.shape(1), [&](auto i, auto c) { return gelu(U(i, c)); });
    const Matrix Y = H + matmul(G, W_out) + in.at(12);
    // backward
    const Matrix d_G = matmul(d_Y, transposed(W_out));
    const Matrix d_U = filled(U.shape(0), U.shape(1),
                              [&](auto i, auto c) { return d_G(i, c) * gelu_slope(U(i, c)); });
    const Matrix d_M = matmul(d_U, transposed(W_in));
    const Matrix d_H = d_Y + second.backward(d_M);
    heads.backward(matmul(d_H, transposed(W_o)));
    const Matrix d_N = matmul(heads.d_Q, transposed(W_q)) + matmul(heads.d_K, transposed(W_k)) +
                       matmul(heads.d_V, transposed(W_v));
    return {Y,
            {d_H + first.backward(d_N), first.d_gain(d_N), sum_of_rows(d_N),
             matmul(transposed(N), heads.d_Q), matmul(transposed(N), heads.d_K),
             matmul(transposed(N), heads.d_V), matmul(transposed(heads.output), d_H),
             second.d_gain(d_M), sum_of_rows(d_M), matmul(transposed(M), d_U), sum_of_rows(d_U),
             matmul(transposed(G), d_Y), sum_of_rows(d_Y)}};
}

/// The logits after each of these tokens.   m: the arrays of token_by_token::Model
template <class Model>
Matrix next_logits(const Model& m, const std::vector<std::size_t>& tokens) {
    const std::size_t d = m.tokens.shape(1);
    Matrix X = filled(tokens.size(), d,
                      [&](auto i, auto c) { return m.tokens(tokens[i], c) + m.positions(i, c); });
    for (std::size_t l = 0; l < m.attention_gain.shape(0); ++l) {
        const auto rows = [&](const Matrix& A, std::size_t n) {
            return filled(n, A.shape(1), [&](auto i, auto j) { return A(l * n + i, j); });
        };
        const std::vector<Matrix> in{X,
                                     rows(m.attention_gain, 1),
                                     rows(m.attention_bias, 1),
                                     rows(m.W_q, d),
                                     rows(m.W_k, d),
                                     rows(m.W_v, d),
                                     rows(m.W_o, d),
                                     rows(m.mlp_gain, 1),
                                     rows(m.mlp_bias, 1),
                                     rows(m.W_in, d),
                                     rows(m.b_in, 1),
                                     rows(m.W_out, 4 * d),
                                     rows(m.b_out, 1)};
        X = Matrix(transformer_block(in, 1, m.n_heads, X).output);
    }
    const auto row = [](const Vector& x) {
        return filled(1, x.size(), [&](auto, auto c) { return x(c); });
    };
    return matmul(LayerNorm(X, row(m.gain), row(m.bias)).output, transposed(m.tokens));
}

} // namespace oracle
