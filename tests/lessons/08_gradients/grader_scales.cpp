// 08.1 to 08.5 with numbers that are tiny and huge, each argument by itself; and 08.3 with sizes
// that are equal by twos, rows that are there twice, and padding that is far off.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/bounds.hpp"
#include "support/drawn.hpp"
#include "support/scales.hpp"

namespace grader_scales {

using drawn::scales;
using drawn::standard_normal;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;

namespace {

/// All errors are right, but some are 0, and these of gradients that are tiny throughout.
bool no_error_of_what_is_tiny(const bounds::Answers& answers) {
    std::vector<double> sizes; // of the gradients that were answered
    for (const judge::RecordedCall& call : judge::session().calls()) {
        if (call.function == "gradient_check" &&
            std::holds_alternative<judge::Returned>(call.outcome)) {
            sizes.push_back(xt::amax(xt::abs(judge::from_value<Vector>(call.arguments[2])))());
        }
    }
    bool shows = false, right_otherwise = sizes.size() == answers.size();
    for (std::size_t i = 0; right_otherwise && i < answers.size(); ++i) {
        const double a = judge::from_value<double>(answers[i].actual),
                     e = judge::from_value<double>(answers[i].expected);
        const bool lost = a == 0 && e > 0 && sizes[i] > 0 && sizes[i] < 1e-2;
        shows = shows || lost;
        right_otherwise = lost || (std::isnan(a) && std::isnan(e)) || std::abs(a - e) <= 1e-9;
    }
    return shows && right_otherwise;
}

const bool registered = [] {
    for (const char* const function : {"softmax_backward", "matmul_backward",
                                       "matmul_transposed_backward", "attention_backward"}) {
        bounds::look_for(function);
    }
    judge::session().recognise("gradient_check", "small_is_0", no_error_of_what_is_tiny);
    return true;
}();

} // namespace

// ---- 08.1

TEST_CASE("08.1 softmax_backward: gradients of 1e-12, 1e-30, 1e-100, and of 1e12, 1e30, 1e100") {
    const Matrix weights = oracle::softmax_rows(standard_normal(3, 5, 401)),
                 d_weights = standard_normal(3, 5, 402);
    for (const double scale : scales) {
        const Matrix scaled = scale * d_weights;
        expect_close(graded::softmax_backward(weights, scaled),
                     plain::softmax_backward(weights, scaled), judge::normwise);
    }
}

// ---- 08.2

namespace {

using Product = std::array<Matrix, 3>; // A, B, d_C

/// Each of the three by itself at each scale; and one row of A that is tiny, which meets a row of
/// d_C that is as large.
std::vector<Product> scaled_products(const Product& of) {
    std::vector<Product> result;
    for (const double scale : scales) {
        for (std::size_t k = 0; k < of.size(); ++k) {
            result.push_back(of);
            result.back()[k] *= scale;
        }
        result.push_back(of);
        xt::row(result.back()[0], 1) *= scale;
        xt::row(result.back()[2], 1) /= scale;
    }
    return result;
}

} // namespace

TEST_CASE("08.2 matmul_backward: one factor, or d_C, that is tiny or huge by itself") {
    for (const auto& [A, B, d_C] :
         scaled_products({standard_normal(2, 3, 411), standard_normal(3, 4, 412),
                          standard_normal(2, 4, 413)})) {
        expect_close(graded::matmul_backward(A, B, d_C), plain::matmul_backward(A, B, d_C),
                     judge::normwise);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: one factor, or d_C, that is tiny or huge by itself") {
    for (const auto& [A, B, d_C] :
         scaled_products({standard_normal(2, 3, 421), standard_normal(4, 3, 422),
                          standard_normal(2, 4, 423)})) {
        expect_close(graded::matmul_transposed_backward(A, B, d_C),
                     plain::matmul_transposed_backward(A, B, d_C), judge::normwise);
    }
}

// ---- 08.3

namespace {

struct Problem {
    Matrix Q, K, V;
    Mask mask;
    Matrix d_output;
};

/// n_queries, n_keys, d_k, d_v; about one pair in four is blocked, and of no query and no key all.
Problem some_problem(const std::array<std::size_t, 4>& size, std::uint64_t seed) {
    const auto& [n_queries, n_keys, d_k, d_v] = size;
    Problem in{standard_normal(n_queries, d_k, seed), standard_normal(n_keys, d_k, seed + 1),
               standard_normal(n_keys, d_v, seed + 2), xt::ones<bool>({n_queries, n_keys}),
               standard_normal(n_queries, d_v, seed + 3)};
    for (std::size_t i = 0; i < n_queries; ++i) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            in.mask(i, j) = (2 * i + j) % 4 != 3;
        }
    }
    return in;
}

void expect_gradients(const Problem& of, judge::Tolerance tolerance = judge::normwise) {
    const Matrix weights = plain::attention_weights(of.Q, of.K, of.mask);
    expect_close(graded::attention_backward(of.Q, of.K, of.V, of.mask, weights, of.d_output),
                 plain::attention_backward(of.Q, of.K, of.V, of.mask, weights, of.d_output),
                 tolerance);
}

} // namespace

TEST_CASE("08.3 attention_backward: one argument that is tiny or huge by itself") {
    const Problem in = some_problem({3, 5, 2, 4}, 431);
    for (const double scale : scales) {
        for (const auto argument : {&Problem::V, &Problem::d_output}) {
            Problem other = in;
            other.*argument *= scale;
            expect_gradients(other);
        }
        Problem other = in; // scores stay as they are, or become tiny: huge ones saturate
        other.Q *= scale;
        other.K /= scale;
        expect_gradients(other);
        if (scale < 1) {
            other.K = in.K;
            expect_gradients(other);
            other.Q = in.Q;
            other.K *= scale;
            expect_gradients(other);
        }
    }
}

TEST_CASE("08.3 attention_backward: sizes that are equal by twos, under a mask") {
    constexpr std::array<std::size_t, 4> sizes[] = {
        {3, 3, 4, 5}, {3, 4, 3, 5}, {3, 4, 5, 3}, {4, 3, 3, 5}, {4, 3, 5, 3}, {4, 5, 3, 3},
        {3, 3, 4, 4}, {3, 4, 3, 4}, {3, 4, 4, 3}, {5, 5, 5, 3}, {3, 5, 5, 5}, {5, 3, 5, 5}};
    for (const auto& size : sizes) {
        expect_gradients(some_problem(size, 441));
    }
}

TEST_CASE("08.3 attention_backward: a query, a key and a value that are there twice") {
    Problem in = some_problem({4, 5, 3, 2}, 451);
    const auto repeat = [](Matrix& X, std::size_t from, std::size_t to) {
        xt::view(X, to, xt::all()) = Vector(xt::view(X, from, xt::all()));
    };
    repeat(in.Q, 0, 2);
    repeat(in.K, 1, 4);
    expect_gradients(in);
    repeat(in.V, 1, 4);
    repeat(in.d_output, 0, 2);
    expect_gradients(in);
}

TEST_CASE("08.3 attention_backward: keys at padding, and a query that sees nothing, of 1e150") {
    Problem in = some_problem({4, 5, 3, 2}, 461);
    expect_gradients(in); // asked only of what is right without them
    xt::view(in.mask, xt::all(), 3) = false;
    xt::view(in.mask, 1, xt::all()) = false;
    xt::view(in.K, 3, xt::all()) *= 1e150;
    xt::view(in.Q, 1, xt::all()) *= 1e150;
    expect_gradients(in);
}

// ---- 08.4

TEST_CASE("08.4 gradient_check: components of 1e-90 and of 1e90, all of them and all below 0") {
    const auto expect_error = [](const std::string& f, const Vector& x, const Vector& gradient,
                                 double h) {
        expect_close(graded::gradient_check(f, x, gradient, h),
                     plain::gradient_check(by_name::function_named(f), x, gradient, h),
                     judge::Tolerance{1e-9, 1e-12});
    };
    for (const double h : {0x1p-300, 1.0, 0x1p+40, 0x1p+100, 0x1p+300}) {
        expect_error("squares", {h, -3 * h, 2 * h}, {2.5 * h, -12 * h, 12 * h}, h);
        expect_error("squares", {-h, -3 * h, -2 * h}, {-2 * h, -12 * h, -13 * h}, h);
        expect_error("cubes", {h, -3 * h, 2 * h}, {h * h, 50 * h * h, 40 * h * h}, h);
    }
    expect_error("linear", {1, 2, 3}, {-1, -2, -3}, 0.5);
    expect_error("linear", {1, 2, 3}, {-1, -2, -4}, 0.5);
    expect_error("linear", {1, 2, 3}, {0, 0, 0}, 0.5);
    for (const double claimed : {1e-12, 1e-30, 1e-100, 1e-300}) { // beside differences of 0
        expect_error("constant", {1, 2, 3}, {0, claimed, 0}, 0.5);
    }
}

TEST_CASE("08.4 gradient_check: a NaN of f at x − h alone, and one where all else is 0") {
    const double nan_value = std::nan("");
    const auto expect_nan = [&](const std::string& f, const Vector& x, const Vector& gradient) {
        expect_close(graded::gradient_check(f, x, gradient, 0.25), nan_value);
    };
    for (std::size_t place = 0; place < 3; ++place) {
        Vector x{1, 1, 1}, claim{0, 0, 0};
        x(place) = 0.125; // the root of x − h is NaN, that of x + h is not
        claim(place) = nan_value;
        expect_nan("roots", x, {0.5, 1, 1.5});
        expect_nan("roots", x, {0, 0, 0});
        expect_nan("constant", {1, 2, 3}, claim);
        expect_nan("squares", {0, 0, 0}, claim);
    }
    expect_nan("roots", {-4}, {0});
    expect_nan("constant", {1}, {nan_value});
}

// ---- 08.5

namespace {

/// Of which only one matrix moves, so that its step is seen whatever the step's size.
lesson::Projections start_of(const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
    return {W_q, W_k, W_v};
}

void expect_learned(const std::vector<lesson::Table>& tables, const lesson::Projections& start,
                    std::size_t steps, double rate) {
    expect_close(graded::learn_lookup(tables, start, steps, rate),
                 plain::learn_lookup(tables, start, steps, rate), judge::Tolerance{0, 0, 1e-10});
}

} // namespace

TEST_CASE("08.5 learn_lookup: contents that are tiny or huge, and what is asked, and the entries") {
    const lesson::Table table{standard_normal(3, 4, 471), standard_normal(5, 4, 472),
                              standard_normal(3, 2, 473)};
    const Matrix W_q = standard_normal(4, 3, 474), W_k = standard_normal(4, 3, 475),
                 W_v = standard_normal(4, 2, 476), zeros = xt::zeros<double>({4, 3});
    for (const double scale : scales) {
        // Contents: the loss and d_W_q or d_W_k go with the square, d_W_v with the scale.
        lesson::Table other = table;
        other.wanted *= scale;
        expect_learned({other}, start_of(zeros, W_k, scale * W_v), 1, 0.25);
        expect_learned({other}, start_of(W_q, zeros, scale * W_v), 1, 0.25);
        // What is asked, and the entries, with projections that make of them what they were.
        other = table;
        other.asked *= scale;
        expect_learned({other}, start_of(zeros, W_k, W_v), 1, 0.25);
        expect_learned({other}, start_of(Matrix(W_q / scale), zeros, W_v), 1, 0.25);
        other = table;
        other.entries *= scale;
        expect_learned({other}, start_of(W_q, zeros, Matrix(W_v / scale)), 1, 0.25);
        // A rate that makes of what is tiny, or huge, an ordinary step.
        other = table;
        other.wanted *= scale;
        expect_learned({other}, start_of(zeros, W_k, scale * W_v), 1, 0.25 / scale / scale);
    }
}

TEST_CASE("08.5 learn_lookup: a table that is solved takes its turns beside one that is not") {
    // One entry: the output is 2, which the first table wants, and the second wants 5.
    const lesson::Table solved{{{1}}, {{1}}, {{2}}}, other{{{1}}, {{1}}, {{5}}};
    expect_learned({solved}, {{{1}}, {{1}}, {{2}}}, 3, 0.1);
    expect_learned({solved, other}, {{{1}}, {{1}}, {{2}}}, 5, 0.1);
    expect_learned({other, solved, other}, {{{1}}, {{1}}, {{2}}}, 5, 0.1);
}

TEST_CASE("08.5 learn_lookup: sizes that are equal by twos, and more tables than steps") {
    constexpr std::array<std::size_t, 5> sizes[] = {
        {3, 3, 4, 5, 2}, {3, 5, 3, 4, 2}, {3, 5, 4, 3, 2}, {3, 5, 4, 2, 3},
        {5, 3, 3, 4, 2}, {5, 3, 4, 3, 2}, {5, 3, 4, 2, 3}, {2, 5, 3, 3, 4},
        {2, 5, 3, 4, 3}, {2, 5, 4, 3, 3}, {4, 4, 4, 2, 2}, {4, 4, 2, 4, 4}};
    for (const auto& [n_queries, n_keys, d_model, d_k, d_v] : sizes) {
        const auto table = [&, queries = n_queries, keys = n_keys, model = d_model,
                            values = d_v](std::uint64_t seed) -> lesson::Table {
            return {standard_normal(queries, model, seed), standard_normal(keys, model, seed + 1),
                    standard_normal(queries, values, seed + 2)};
        };
        expect_learned({table(481), table(484), table(487)},
                       start_of(0.5 * standard_normal(d_model, d_k, 491),
                                0.5 * standard_normal(d_model, d_k, 492),
                                0.5 * standard_normal(d_model, d_v, 493)),
                       2, 0.2);
    }
}

} // namespace grader_scales
