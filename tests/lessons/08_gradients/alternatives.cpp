// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <numeric>

#include "wrong.hpp"

using namespace wrong;
using lesson::ScalarFunction;

namespace {

// ---- 08.1

ALTERNATIVE(softmax_backward, in_loops, [](const Matrix& p, const Matrix& g) -> Matrix {
    demand_same(p, g);
    Matrix d_scores = Matrix::from_shape({p.shape(0), p.shape(1)});
    for (std::size_t i = 0; i < p.shape(0); ++i) {
        double mean = 0;
        for (std::size_t j = 0; j < p.shape(1); ++j) {
            mean += p(i, j) * g(i, j);
        }
        for (std::size_t j = 0; j < p.shape(1); ++j) {
            d_scores(i, j) = p(i, j) * (g(i, j) - mean);
        }
    }
    return d_scores;
});

ALTERNATIVE(softmax_backward, products_first, [](const Matrix& p, const Matrix& g) -> Matrix {
    demand_same(p, g);
    const Matrix products = p * g;
    const Vector sums = xt::sum(products, {1});
    return products - p * xt::view(sums, xt::all(), xt::newaxis());
});

ALTERNATIVE(softmax_backward, row_by_row, in_rows([](const Vector& p, const Vector& g) -> Vector {
                const double mean = std::inner_product(p.begin(), p.end(), g.begin(), 0.0);
                return p * (g - mean);
            }));

// ---- 08.2

ALTERNATIVE(matmul_backward, in_loops,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                lesson::require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
                lesson::require_equal("matmul_backward", "m", "A", A, 0, "d_C", d_C, 0);
                lesson::require_equal("matmul_backward", "n", "B", B, 1, "d_C", d_C, 1);
                ProductGradients result{zeros_like(A), zeros_like(B)};
                for (std::size_t i = 0; i < A.shape(0); ++i) {
                    for (std::size_t j = 0; j < B.shape(1); ++j) {
                        for (std::size_t k = 0; k < A.shape(1); ++k) {
                            result.d_A(i, k) += d_C(i, j) * B(k, j);
                            result.d_B(k, j) += d_C(i, j) * A(i, k);
                        }
                    }
                }
                return result;
            });

ALTERNATIVE(matmul_backward, transposed_results,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                lesson::require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
                lesson::require_equal("matmul_backward", "m", "A", A, 0, "d_C", d_C, 0);
                lesson::require_equal("matmul_backward", "n", "B", B, 1, "d_C", d_C, 1);
                const Matrix A_t = matmul_transposed(B, d_C);  // (k, m)
                const Matrix B_t = matmul(transposed(d_C), A); // (n, k)
                return {transposed(A_t), transposed(B_t)};
            });

ALTERNATIVE(matmul_backward, in_long_double,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                lesson::require_equal("matmul_backward", "k", "A", A, 1, "B", B, 0);
                lesson::require_equal("matmul_backward", "m", "A", A, 0, "d_C", d_C, 0);
                lesson::require_equal("matmul_backward", "n", "B", B, 1, "d_C", d_C, 1);
                return plain::matmul_backward(A, B, d_C);
            });

ALTERNATIVE(matmul_transposed_backward, by_the_other,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                lesson::require_equal("matmul_transposed_backward", "k", "A", A, 1, "B", B, 1);
                lesson::require_equal("matmul_transposed_backward", "m", "A", A, 0, "d_C", d_C, 0);
                lesson::require_equal("matmul_transposed_backward", "n", "B", B, 0, "d_C", d_C, 1);
                const auto [d_A, d_B_t] = lesson::matmul_backward(A, transposed(B), d_C);
                return {d_A, transposed(d_B_t)};
            });

ALTERNATIVE(matmul_transposed_backward, row_by_row,
            [](const Matrix& A, const Matrix& B, const Matrix& d_C) -> ProductGradients {
                lesson::require_equal("matmul_transposed_backward", "k", "A", A, 1, "B", B, 1);
                lesson::require_equal("matmul_transposed_backward", "m", "A", A, 0, "d_C", d_C, 0);
                lesson::require_equal("matmul_transposed_backward", "n", "B", B, 0, "d_C", d_C, 1);
                ProductGradients result{zeros_like(A), zeros_like(B)};
                for (std::size_t i = 0; i < A.shape(0); ++i) {
                    for (std::size_t j = 0; j < B.shape(0); ++j) {
                        xt::row(result.d_A, static_cast<std::ptrdiff_t>(i)) +=
                            d_C(i, j) * xt::row(B, static_cast<std::ptrdiff_t>(j));
                        xt::row(result.d_B, static_cast<std::ptrdiff_t>(j)) +=
                            d_C(i, j) * xt::row(A, static_cast<std::ptrdiff_t>(i));
                    }
                }
                return result;
            });

// ---- 08.3

ALTERNATIVE(attention_backward, pair_by_pair, by_parts([](const Parts& at) {
                return plain::attention_backward(at.Q, at.K, at.V, at.mask, at.weights,
                                                 at.d_output);
            }));

ALTERNATIVE(attention_backward, scaled_at_the_end, by_parts([](const Parts& at) {
                AttentionGradients result = at.from(at.d_scores());
                result.d_Q /= at.root();
                result.d_K *= 1 / at.root();
                return result;
            }));

ALTERNATIVE(attention_backward, padding_emptied_first, by_parts([](const Parts& at) {
                Parts clean = at; // rows of V that no query sees become 0
                for (std::size_t j = 0; j < at.V.shape(0); ++j) {
                    bool seen = false;
                    for (std::size_t i = 0; i < at.Q.shape(0); ++i) {
                        seen = seen || at.mask(i, j);
                    }
                    if (!seen) {
                        xt::view(clean.V, j, xt::all()) = 0;
                    }
                }
                const Matrix d_scores = right_softmax_backward(clean.weights, clean.d_weights());
                return clean.from(d_scores / clean.root());
            }));

/// Σ p g is d_output · output of the same query: what streaming attention's way back uses.
ALTERNATIVE(attention_backward, sum_from_the_output, by_parts([](const Parts& at) {
                const Matrix g = at.seen(at.d_weights());
                Matrix V = at.V;
                for (double& v : V) {
                    v = std::isfinite(v) && std::abs(v) < 1e300 ? v : 0;
                }
                const Matrix output = matmul(at.weights, V);
                const Matrix sums = xt::sum(output * at.d_output, {1}, xt::keep_dims);
                const Matrix d_scores = at.weights * (g - sums);
                return at.from(d_scores / at.root());
            }));

// ---- 08.4

ALTERNATIVE_IN(by_name, gradient_check, moved_and_put_back,
               [](const std::string& name, const Vector& x, const Vector& gradient, double h) {
                   return by_name::gradient_check_by(
                       [](const ScalarFunction& f, Vector at, const Vector& claimed, double step) {
                           lesson::require_equal("gradient_check", "n", "x", at, 0, "gradient",
                                                 claimed, 0);
                           if (!(step > 0)) {
                               throw std::invalid_argument("gradient_check: h must be above 0");
                           }
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
                               const double size =
                                   std::max(std::abs(claimed(i)), std::abs(difference));
                               largest = size > largest ? size : largest;
                           }
                           return error == 0 ? 0 : error / largest;
                       },
                       name, x, gradient, h);
               });

ALTERNATIVE_IN(by_name, gradient_check, whole_vectors,
               [](const std::string& name, const Vector& x, const Vector& gradient, double h) {
                   return by_name::gradient_check_by(
                       [](const ScalarFunction& f, const Vector& at, const Vector& claimed,
                          double step) {
                           lesson::require_equal("gradient_check", "n", "x", at, 0, "gradient",
                                                 claimed, 0);
                           if (!(step > 0)) {
                               throw std::invalid_argument("gradient_check: h must be above 0");
                           }
                           Vector differences = at;
                           for (std::size_t i = 0; i < at.size(); ++i) {
                               Vector e = xt::zeros<double>({at.size()});
                               e(i) = step;
                               differences(i) = (f(at + e) - f(at - e)) / (2 * step);
                           }
                           const double sum = xt::sum(differences + claimed)(); // NaN if any is
                           if (std::isnan(sum)) {
                               return sum;
                           }
                           const double error = xt::amax(xt::abs(differences - claimed))();
                           const double largest = std::max(xt::amax(xt::abs(differences))(),
                                                           xt::amax(xt::abs(claimed))());
                           return largest == 0 ? 0 : error / largest;
                       },
                       name, x, gradient, h);
               });

ALTERNATIVE_IN(
    by_name, gradient_check, all_errors_and_sizes_in_lists,
    [](const std::string& name, const Vector& x, const Vector& gradient, double h) {
        return by_name::gradient_check_by(
            [](const ScalarFunction& f, const Vector& at, const Vector& claimed, double step) {
                lesson::require_equal("gradient_check", "n", "x", at, 0, "gradient", claimed, 0);
                if (!(step > 0)) {
                    throw std::invalid_argument("gradient_check: h must be above 0");
                }
                std::vector<double> errors, sizes;
                for (std::size_t i = 0; i < at.size(); ++i) {
                    Vector above = at, below = at;
                    above(i) += step;
                    below(i) -= step;
                    const double difference = (f(above) - f(below)) / step / 2;
                    errors.push_back(std::abs(claimed(i) - difference));
                    sizes.push_back(std::abs(claimed(i)));
                    sizes.push_back(std::abs(difference));
                }
                for (const double size : sizes) {
                    if (std::isnan(size)) {
                        return size;
                    }
                }
                const double largest = *std::max_element(sizes.begin(), sizes.end());
                return largest == 0 ? 0 : *std::max_element(errors.begin(), errors.end()) / largest;
            },
            name, x, gradient, h);
    });

// ---- 08.5

ALTERNATIVE(learn_lookup, on_the_oracle,
            [](const std::vector<Table>& tables, const Projections& start, std::size_t steps,
               double rate) -> Learned {
                lesson::require_tables(tables, start);
                return plain::learn_lookup(tables, start, steps, rate);
            });

ALTERNATIVE(learn_lookup, gradients_kept_then_applied,
            moved_by([](const Step& step, const Pass& p) {
                const Projections next{step.W.W_q - step.rate * p.d_W_q,
                                       step.W.W_k - step.rate * p.d_W_k,
                                       step.W.W_v - step.rate * p.d_W_v};
                step.W = next;
            }));

ALTERNATIVE(learn_lookup, one_query_at_a_time, stepwise([](const Step& step) {
                // The loss is a mean over queries, and so is its gradient.
                const Table& table = table_of(step);
                const std::size_t n = table.asked.shape(0);
                const Projections at = step.W;
                double loss = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    const Table one{xt::view(table.asked, xt::range(i, i + 1), xt::all()),
                                    table.entries,
                                    xt::view(table.wanted, xt::range(i, i + 1), xt::all())};
                    const Pass p = pass(one, at);
                    descend(step.W, p, step.rate / static_cast<double>(n));
                    loss += p.loss / static_cast<double>(n);
                }
                return loss;
            }));

} // namespace
