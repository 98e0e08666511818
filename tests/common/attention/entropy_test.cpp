#include "attention/entropy.hpp"

#include "attention/random.hpp"
#include "attention/softmax.hpp"
#include "support/check_close.hpp"
#include "support/oracle_attention.hpp"
#include "support/special_values.hpp"

using namespace attention;
using support::check_close;
using support::NaN;

namespace {

void check_measures(const Matrix& weights) {
    check_close(entropy(weights), oracle::entropy(weights), {1e-12, 0});
    check_close(largest_weight(weights), Vector(xt::amax(weights, {1})), {0, 0});
}

} // namespace

TEST_CASE("entropy, gradient_gain, largest_weight: rows to do by hand") {
    const Matrix weights{{0.5, 0.25, 0.25}, {1, 0, 0}, {0, 0.5, 0.5}};
    const double ln2 = std::log(2.0);
    check_close(entropy(weights), Vector{1.5 * ln2, 0, ln2}, {1e-15, 0});
    check_close(gradient_gain(weights), Vector{0.375, 0, 0.5}, {1e-15, 0});
    check_close(largest_weight(weights), Vector{0.5, 1, 0.5}, {0, 0});
}

TEST_CASE("entropy: equal weights have ln n, the largest possible") {
    for (const std::size_t n : {1U, 2U, 7U, 64U, 1009U}) {
        CAPTURE(n);
        const double n_keys = static_cast<double>(n);
        const Matrix equal = softmax_rows(Matrix(xt::zeros<double>({std::size_t{1}, n})));
        check_close(entropy(equal), Vector{std::log(n_keys)}, {1e-13, 0});
        check_close(gradient_gain(equal), Vector{n == 1 ? 0 : 1 / n_keys}, {1e-15, 0});
        check_close(largest_weight(equal), Vector{1 / n_keys}, {1e-15, 0});
    }
}

TEST_CASE("entropy, gradient_gain, largest_weight: awkward sizes stay within the bound") {
    for (const std::size_t n_queries : {1U, 2U, 7U}) {
        for (const std::size_t n_keys : {1U, 3U, 31U, 1009U}) {
            for (const double scale : {0.1, 1.0, 30.0, 1000.0}) {
                INFO("n_queries ", n_queries, ", n_keys ", n_keys, ", scale ", scale);
                const Matrix scores = scale * standard_normal(n_queries, n_keys, 1);
                check_measures(softmax_rows(scores));
            }
        }
    }
}

TEST_CASE("entropy: a weight that underflowed to 0 counts 0, not NaN") {
    const Matrix weights = softmax_rows(Matrix{{0, -800, -800}});
    CHECK(weights(0, 1) == 0);
    check_close(entropy(weights), Vector{0}, {0, 0});
    const double smallest = std::numeric_limits<double>::denorm_min();
    const Vector almost = entropy(Matrix{{1, smallest}});
    CHECK(almost(0) >= 0);
    CHECK(almost(0) < 1e-300);
    CHECK(!std::signbit(entropy(Matrix{{1, 0}})(0)));
}

TEST_CASE("gradient_gain: is the largest eigenvalue of the softmax's Jacobian") {
    for (const std::size_t n_keys : {2U, 3U, 7U, 31U}) {
        for (const double scale : {0.001, 1.0, 4.0, 30.0}) {
            INFO("n_keys ", n_keys, ", scale ", scale);
            const Matrix weights = softmax_rows(Matrix(scale * standard_normal(5, n_keys, n_keys)));
            // Weights that sum to 1 ± 1e-16 say no more of p (1 − p) where p is nearly 1.
            check_close(gradient_gain(weights), oracle::gradient_gain(weights), {1e-13, 1e-15});
        }
    }
}

TEST_CASE("gradient_gain: keeps all digits if one weight is nearly 1") {
    // Two keys: 2 p (1 − p), from the small weight, which has the digits.
    const Vector gains = gradient_gain(Matrix{{1, 1e-20}, {1e-100, 1}, {1 - 1e-9, 1e-9}});
    check_close(gains, Vector{2e-20, 2e-100, 2e-9 * (1 - 1e-9)}, {1e-12, 0});
}

TEST_CASE("entropy, gradient_gain, largest_weight: a NaN fills its own row's number") {
    const Matrix weights{{NaN, 0.5}, {0.5, 0.5}, {0.5, NaN}};
    check_close(entropy(weights), Vector{NaN, std::log(2.0), NaN}, {1e-15, 0});
    check_close(gradient_gain(weights), Vector{NaN, 0.5, NaN}, {1e-15, 0});
    check_close(largest_weight(weights), Vector{NaN, 0.5, NaN}, {0, 0});
}

TEST_CASE("entropy, gradient_gain, largest_weight: 0 for an empty row, and empty without rows") {
    const Matrix no_keys = Matrix::from_shape({2, 0});
    check_close(entropy(no_keys), Vector{0, 0}, {0, 0});
    check_close(gradient_gain(no_keys), Vector{0, 0}, {0, 0});
    check_close(largest_weight(no_keys), Vector{0, 0}, {0, 0});
    check_close(entropy(Matrix{{0, 0, 0}}), Vector{0}, {0, 0}); // a fully blocked row
    check_close(gradient_gain(Matrix{{0, 0, 0}}), Vector{0}, {0, 0});
    CHECK(shape_text(entropy(Matrix::from_shape({0, 3}))) == "(0,)");
}
