#pragma once

// A function of many numbers cannot travel: 08.4 gets one of these by its name.

#include <cmath>
#include <map>

#include "gradients.hpp"
#include "judge/export.hpp"

namespace by_name {

using lesson::ScalarFunction;
using lesson::Vector;

/// Σ weight_i term(x_i), with weights 1, 2, 3, …, so that all components have different weights.
template <class Term>
ScalarFunction weighted_sum(Term term) {
    return [term](const Vector& x) {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += static_cast<double>(i + 1) * term(x(i));
        }
        return sum;
    };
}

/// The functions that 08.4 is called with. Throws std::out_of_range at any other name.
inline ScalarFunction function_named(const std::string& name) {
    static const std::map<std::string, ScalarFunction> all{
        {"constant", [](const Vector&) { return 7.0; }},
        {"linear", weighted_sum([](double x) { return x; })},
        {"squares", weighted_sum([](double x) { return x * x; })},
        {"cubes", weighted_sum([](double x) { return x * x * x; })},
        {"exponentials", weighted_sum([](double x) { return std::exp(x); })},
        {"product", [](const Vector& x) { return xt::prod(x)(); }},
        {"roots", weighted_sum([](double x) { return std::sqrt(x); })},    // NaN below 0
        {"sinc", weighted_sum([](double x) { return std::sin(x) / x; })}}; // NaN at 0
    return all.at(name);
}

/// Any gradient_check, with a function by name.
template <class Check>
double gradient_check_by(const Check& check, const std::string& f, const Vector& x,
                         const Vector& gradient, double h) {
    return check(function_named(f), x, gradient, h);
}

// Under the name of the exercise's own function, which verdicts use.
inline double gradient_check(const std::string& f, const Vector& x, const Vector& gradient,
                             double h) {
    return gradient_check_by(lesson::gradient_check, f, x, gradient, h);
}

} // namespace by_name

JUDGE_STRUCT(lesson::ProductGradients, d_A, d_B);
JUDGE_STRUCT(lesson::AttentionGradients, d_Q, d_K, d_V);
JUDGE_STRUCT(lesson::Table, asked, entries, wanted);
JUDGE_STRUCT(lesson::Projections, W_q, W_k, W_v);
JUDGE_STRUCT(lesson::Learned, W_q, W_k, W_v, losses);

JUDGE_FUNCTION(softmax_backward, weights, d_weights);
JUDGE_FUNCTION(matmul_backward, A, B, d_C);
JUDGE_FUNCTION(matmul_transposed_backward, A, B, d_C);
JUDGE_FUNCTION(attention_backward, Q, K, V, mask, weights, d_output);
JUDGE_FUNCTION_IN(by_name, gradient_check, f, x, gradient, h);
JUDGE_FUNCTION(learn_lookup, tables, start, steps, rate);
