// Right solutions, written otherwise: each must pass. Some are written as a learner should not.

#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/scores.hpp"
#include "exports.hpp"

using lesson::Matrix;
using lesson::Vector;

namespace {

/// In loops, with exponentials and sums in Number; scores are too far apart for float itself.
template <class Number>
Vector in_loops(const Vector& scores) {
    double maximum = scores(0);
    for (const double score : scores) {
        maximum = std::max(maximum, score);
    }
    std::vector<Number> terms;
    Number sum = 0;
    for (auto score = scores.rbegin(); score != scores.rend(); ++score) {
        terms.push_back(std::exp(static_cast<Number>(*score - maximum)));
        sum += terms.back();
    }
    Vector weights = Vector::from_shape({scores.size()});
    for (std::size_t j = 0; j < scores.size(); ++j) {
        weights(j) = static_cast<double>(terms[scores.size() - 1 - j] / sum);
    }
    return weights;
}

/// Through the logarithm of the sum: exp(s − max − ln Σ exp(s − max)).
Vector by_log_sum_exp(const Vector& scores) {
    const Vector below = scores - xt::amax(scores)();
    const double log_sum = std::log(xt::sum(xt::exp(below))());
    return xt::exp(below - log_sum);
}

/// A weight below 10⁻³⁰⁵ is 0, and zeros are negative: possible in a row of one-hot weights.
Vector one_hot_when_saturated(const Vector& scores) {
    Vector weights = in_loops<double>(scores);
    for (double& weight : weights) {
        weight = weight < 1e-305 ? -0.0 : weight;
    }
    return weights;
}

/// In one pass: maximum and sum together, the sum rescaled when the maximum moves.
Vector online(const Vector& scores) {
    double maximum = scores(0);
    double sum = 0;
    for (const double score : scores) {
        const double before = maximum;
        maximum = std::max(maximum, score);
        sum = sum * std::exp(before - maximum) + std::exp(score - maximum);
    }
    return xt::exp(scores - maximum) / sum;
}

/// Without a maximum: p_j is 1 over the sum of exp(s_k - s_j).
Vector pair_by_pair(const Vector& scores) {
    Vector weights = Vector::from_shape({scores.size()});
    for (std::size_t j = 0; j < scores.size(); ++j) {
        double sum = 0;
        for (const double score : scores) {
            sum += std::exp(score - scores(j));
        }
        weights(j) = 1 / sum;
    }
    return weights;
}

template <class Softmax>
auto row_by_row(Softmax softmax) {
    return [=](const Matrix& scores) -> Matrix {
        Matrix weights = scores;
        for (std::size_t i = 0; i < scores.shape(0) && scores.shape(1) > 0; ++i) {
            const Vector row = xt::view(scores, i, xt::all());
            xt::view(weights, i, xt::all()) = softmax(row);
        }
        return weights;
    };
}

// ---- 03.1 softmax

ALTERNATIVE(softmax, in_loops, in_loops<double>);
ALTERNATIVE(softmax, long_double_inside, in_loops<long double>);
ALTERNATIVE(softmax, by_log_sum_exp, by_log_sum_exp);
ALTERNATIVE(softmax, one_hot_when_saturated, one_hot_when_saturated);
ALTERNATIVE(softmax, online, online);
ALTERNATIVE(softmax, pair_by_pair, pair_by_pair);
ALTERNATIVE(softmax, lazy_until_the_end, [](const Vector& scores) -> Vector {
    const double maximum = *std::max_element(scores.begin(), scores.end());
    const auto terms = xt::exp(scores - maximum);
    return terms / xt::sum(terms);
});

// ---- 03.2 softmax_rows

ALTERNATIVE(softmax_rows, in_loops, row_by_row(in_loops<double>));
ALTERNATIVE(softmax_rows, by_log_sum_exp, row_by_row(by_log_sum_exp));
ALTERNATIVE(softmax_rows, one_hot_when_saturated, row_by_row(one_hot_when_saturated));
ALTERNATIVE(softmax_rows, online, row_by_row(online));
ALTERNATIVE(softmax_rows, pair_by_pair, row_by_row(pair_by_pair));
ALTERNATIVE(softmax_rows, of_the_lesson, row_by_row(lesson::softmax));
ALTERNATIVE(softmax_rows, by_broadcasting, [](const Matrix& scores) -> Matrix {
    const Vector maxima = xt::amax(scores, {1});
    const Matrix terms = xt::exp(scores - xt::view(maxima, xt::all(), xt::newaxis()));
    const Vector sums = xt::sum(terms, {1});
    Matrix weights = terms;
    weights /= xt::view(sums, xt::all(), xt::newaxis());
    return weights;
});
ALTERNATIVE(softmax_rows, down_the_columns_of_the_transpose, [](const Matrix& scores) -> Matrix {
    const Matrix columns = xt::transpose(scores); // (n_keys, n_queries)
    const Vector maxima = xt::amax(columns, {0});
    const Matrix terms = xt::exp(columns - maxima);
    const Vector sums = xt::sum(terms, {0});
    const Matrix weights = terms / sums;
    return xt::transpose(weights);
});

// ---- 03.3 softmax_jacobian

ALTERNATIVE(softmax_jacobian, by_broadcasting, [](const Vector& p) -> Matrix {
    const Matrix outer =
        xt::view(p, xt::all(), xt::newaxis()) * xt::view(p, xt::newaxis(), xt::all());
    Matrix J = -outer;
    for (std::size_t i = 0; i < p.size(); ++i) {
        J(i, i) += p(i);
    }
    return J;
});
ALTERNATIVE(softmax_jacobian, two_cases, [](const Vector& p) -> Matrix {
    Matrix J = Matrix::from_shape({p.size(), p.size()});
    for (std::size_t j = 0; j < p.size(); ++j) {
        for (std::size_t i = 0; i < p.size(); ++i) {
            J(i, j) = i == j ? p(i) * (1 - p(i)) : -p(j) * p(i);
        }
    }
    return J;
});
ALTERNATIVE(softmax_jacobian, by_diag, [](const Vector& p) -> Matrix {
    const Matrix column = xt::view(p, xt::all(), xt::newaxis());
    return xt::diag(p) - column * xt::transpose(column);
});

// ---- 03.4 largest_derivative

ALTERNATIVE(largest_derivative, from_the_diagonal,
            [](const Matrix& Q, const Matrix& K, bool scaled) -> Vector {
                Matrix scores = attention::raw_scores(Q, K);
                scores /= scaled ? std::sqrt(static_cast<double>(Q.shape(1))) : 1.0;
                const Matrix p = lesson::softmax_rows(scores);
                const Matrix diagonal = p * (1 - p);
                return xt::amax(diagonal, {1});
            });

} // namespace
