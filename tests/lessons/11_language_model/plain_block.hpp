#pragma once

// 11.1 as plainly as it can be said: in double, forward and backward each by its own formula, with
// nothing of the tape.

#include <cmath>

#include "exports.hpp"
#include "support/oracle.hpp"

namespace plain {

using lesson::Matrix;
using lesson::Vector;
using on_arrays::Array;
using on_arrays::Block;
using on_arrays::Normed;
using on_arrays::Transformed;
using oracle::matmul;

inline Matrix in_double(const Array& A) { // a vector is a row
    Matrix result = Matrix::from_shape({A.dimension() == 1 ? 1 : A.shape(0), A.shape().back()});
    std::copy(A.begin(), A.end(), result.begin());
    return result;
}

inline Array in_float(const Matrix& A, bool is_vector = false) {
    Array result = xt::zeros<float>(is_vector ? std::vector<std::size_t>{A.size()}
                                              : std::vector<std::size_t>{A.shape(0), A.shape(1)});
    std::transform(A.begin(), A.end(), result.begin(),
                   [](double number) { return static_cast<float>(number); });
    return result;
}

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
struct Norm {
    Matrix normed, per_row, gain; // (n, d), (n, 1), (1, d)
    Matrix output;                // (n, d)

    Norm(const Matrix& X, const Matrix& with_gain, const Matrix& bias)
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

inline Normed layer_norm(const Array& X, const Array& gain, const Array& bias,
                         const Array& d_output) {
    const Norm norm(in_double(X), in_double(gain), in_double(bias));
    const Matrix d_Y = in_double(d_output);
    return {in_float(norm.output), in_float(norm.backward(d_Y)), in_float(norm.d_gain(d_Y), true),
            in_float(sum_of_rows(d_Y), true)};
}

/// Causal attention of each text and head by itself, and its gradients.
struct Heads {
    Matrix output, d_Q, d_K, d_V; // (n_texts · n, d)

    Heads(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_texts,
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

inline Transformed transformer_block(const Array& X_in, const Block& weights, std::size_t n_texts,
                                     std::size_t n_heads, const Array& d_output) {
    const Matrix X = in_double(X_in), d_Y = in_double(d_output);
    const Matrix W_q = in_double(weights.W_q), W_k = in_double(weights.W_k),
                 W_v = in_double(weights.W_v), W_o = in_double(weights.W_o),
                 W_in = in_double(weights.W_in), W_out = in_double(weights.W_out),
                 b_in = in_double(weights.b_in), b_out = in_double(weights.b_out);
    // forward
    const Norm first(X, in_double(weights.attention_gain), in_double(weights.attention_bias));
    const Matrix N = first.output;
    Heads heads(matmul(N, W_q), matmul(N, W_k), matmul(N, W_v), n_texts, n_heads);
    const Matrix H = X + matmul(heads.output, W_o);
    const Norm second(H, in_double(weights.mlp_gain), in_double(weights.mlp_bias));
    const Matrix M = second.output;
    const Matrix U = matmul(M, W_in) + b_in;
    const Matrix G = filled(U.shape(0), U.shape(1), [&](auto i, auto c) { return gelu(U(i, c)); });
    const Matrix Y = H + matmul(G, W_out) + b_out;
    // backward
    const Matrix d_G = matmul(d_Y, transposed(W_out));
    const Matrix d_U = filled(U.shape(0), U.shape(1),
                              [&](auto i, auto c) { return d_G(i, c) * gelu_slope(U(i, c)); });
    const Matrix d_M = matmul(d_U, transposed(W_in));
    const Matrix d_H = d_Y + second.backward(d_M);
    heads.backward(matmul(d_H, transposed(W_o)));
    const Matrix d_N = matmul(heads.d_Q, transposed(W_q)) + matmul(heads.d_K, transposed(W_k)) +
                       matmul(heads.d_V, transposed(W_v));
    const Matrix d_X = d_H + first.backward(d_N);
    return {in_float(Y),
            in_float(d_X),
            {in_float(first.d_gain(d_N), true), in_float(sum_of_rows(d_N), true),
             in_float(matmul(transposed(N), heads.d_Q)), in_float(matmul(transposed(N), heads.d_K)),
             in_float(matmul(transposed(N), heads.d_V)),
             in_float(matmul(transposed(heads.output), d_H)), in_float(second.d_gain(d_M), true),
             in_float(sum_of_rows(d_M), true), in_float(matmul(transposed(M), d_U)),
             in_float(sum_of_rows(d_U), true), in_float(matmul(transposed(G), d_Y)),
             in_float(sum_of_rows(d_Y), true)}};
}

// ---- As parts of a model: see support/in_a_model.hpp.

inline Normed layer_norm_in_a_model(const Array& X, const Array& gain, const Array& bias,
                                    const Array& d_output, const on_arrays::Names& constants,
                                    bool elsewhere) {
    const Normed one = layer_norm(X, gain, bias, d_output);
    const Normed two = layer_norm(Array(-0.5F * X), gain, bias, d_output);
    const auto gradient = [&](const char* name, const Array& first, const Array& second) {
        return support::gradient_in_a_model(name, first, second, *name == 'X' ? -0.5F : 1,
                                            constants, elsewhere);
    };
    return {elsewhere ? Array(one.output + two.output) : one.output,
            gradient("X", one.d_X, two.d_X), gradient("gain", one.d_gain, two.d_gain),
            gradient("bias", one.d_bias, two.d_bias)};
}

inline Transformed transformer_block_in_a_model(const Array& X, const Block& weights,
                                                std::size_t n_texts, std::size_t n_heads,
                                                const Array& d_output,
                                                const on_arrays::Names& constants, bool elsewhere) {
    const Transformed one = plain::transformer_block(X, weights, n_texts, n_heads, d_output);
    const Transformed two =
        plain::transformer_block(Array(-0.5F * X), weights, n_texts, n_heads, d_output);
    const auto gradient = [&](const char* name, Array Block::*of) {
        return support::gradient_in_a_model(name, one.d_weights.*of, two.d_weights.*of, 1,
                                            constants, elsewhere);
    };
    return {elsewhere ? Array(one.output + two.output) : one.output,
            support::gradient_in_a_model("X", one.d_X, two.d_X, -0.5F, constants, elsewhere),
            {gradient("attention_gain", &Block::attention_gain),
             gradient("attention_bias", &Block::attention_bias), gradient("W_q", &Block::W_q),
             gradient("W_k", &Block::W_k), gradient("W_v", &Block::W_v),
             gradient("W_o", &Block::W_o), gradient("mlp_gain", &Block::mlp_gain),
             gradient("mlp_bias", &Block::mlp_bias), gradient("W_in", &Block::W_in),
             gradient("b_in", &Block::b_in), gradient("W_out", &Block::W_out),
             gradient("b_out", &Block::b_out)}};
}

} // namespace plain
