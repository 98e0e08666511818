// 06.2, against Jacobi's eigenvalues in long double.

#include <doctest/doctest.h>

#include "attention/entropy.hpp"
#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "nearly_special.hpp"
#include "support/drawn.hpp"
#include "support/oracle_attention.hpp"

namespace grader_gain {

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Vector;

namespace {

constexpr judge::Tolerance eight_digits{1e-8, 1e-13};

/// Whether power iteration settles soon: the second eigenvalue is the first again, or at most 0.8
/// of it.
bool settles(const Vector& p) {
    const oracle::Row values = oracle::softmax_eigenvalues({p.begin(), p.end()});
    const long double second = values.size() > 1 ? values[1] : 0;
    return second <= 0.8L * values[0] || second >= (1 - 1e-12L) * values[0];
}

/// Every gain right or a little too small, and not each of them right.
bool stopped_early(const std::vector<judge::Session::Answer>& answers) {
    std::size_t short_of = 0, right = 0;
    for (const auto& [actual, expected] : answers) {
        const Vector gains = judge::from_value<Vector>(actual);
        const Vector largest = judge::from_value<Vector>(expected);
        for (std::size_t i = 0; i < gains.size(); ++i) {
            const double missing = largest(i) - gains(i);
            // (1/2, 1/4, 1/4) and (3/5, 1/5, 1/5) settle in a few steps, wherever they start.
            const bool settles_soon =
                std::abs(largest(i) - 0.375) < 1e-9 || std::abs(largest(i) - 0.36) < 1e-9;
            if (settles_soon && missing > 0.01 * largest(i)) {
                return false;
            }
            if (!(missing >= -1e-9 * largest(i) - 1e-13 && missing <= 0.2 * largest(i))) {
                return false;
            }
            ++(missing > 1e-9 * largest(i) + 1e-13 ? short_of : right);
        }
    }
    return short_of > 0 && right > 0;
}

const bool registered = [] {
    judge::session().recognise("gradient_gain", "stopped_too_early", stopped_early);
    return true;
}();

/// Weights as a softmax makes them, each row one that settles.
Matrix some_weights(std::size_t n_queries, std::size_t n_keys, std::uint64_t seed,
                    double sharpness = 2) {
    Matrix weights = Matrix::from_shape({n_queries, n_keys});
    for (std::size_t i = 0; i < n_queries; ++i) {
        Vector p;
        do {
            p = oracle::softmax(Vector(sharpness * standard_normal(n_keys, seed++)));
        } while (!settles(p));
        xt::view(weights, i, xt::all()) = p;
    }
    return weights;
}

void expect_gains(const Matrix& weights) {
    expect_close(graded::gradient_gain(weights), oracle::gradient_gain(weights), eight_digits);
}

void expect_gains(const Matrix& weights, const Vector& gains) {
    expect_close(graded::gradient_gain(weights), gains, eight_digits);
}

} // namespace

TEST_CASE("06.2 gradient_gain: weights of 1/2, 1/4, 1/4, and of 3/5, 1/5, 1/5, by hand") {
    // Along (2, -1, -1) the Jacobian stretches by 3 p (1 − p) / 2, along (0, 1, -1) by the smaller
    // p.
    expect_gains({{0.5, 0.25, 0.25}, {0.6, 0.2, 0.2}}, {0.375, 0.36});
}

TEST_CASE("06.2 gradient_gain: two keys stretch a gradient by 2 p (1 - p), by 1/2 at most") {
    expect_gains({{0.5, 0.5}, {0.9, 0.1}, {0.25, 0.75}}, {0.5, 0.18, 0.375});
}

TEST_CASE("06.2 gradient_gain: two equal weights pass 1/2 of a gradient, n equal ones only 1/n") {
    expect_gains({{0.5, 0.5, 0, 0}, {0.25, 0.25, 0.25, 0.25}}, {0.5, 0.25});
    expect_gains(Matrix(xt::ones<double>({2, 8}) / 8.0), {0.125, 0.125});
    expect_gains(Matrix(xt::ones<double>({1, 10}) / 10.0), {0.1});
}

TEST_CASE("06.2 gradient_gain: nothing gets through where one weight has everything") {
    expect_gains({{0.5, 0.5, 0}, {0, 1, 0}}, {0.5, 0});
    expect_gains({{1}, {1}}, {0, 0}); // a key that is alone
}

TEST_CASE("06.2 gradient_gain: the two largest weights are equal, wherever they stand") {
    // It is the gradient that pulls the two apart which gets through best, and the others have no
    // part in it: an iteration that starts at one of the others never finds it.
    expect_gains({{0.4, 0.4, 0.2}, {0.4, 0.2, 0.4}, {0.2, 0.4, 0.4}}, {0.4, 0.4, 0.4});
    expect_gains({{0, 0.5, 0.5}, {0.125, 0.4375, 0.4375}}, {0.5, 0.4375});
    expect_gains({{0.05, 0.15, 0.2, 0.3, 0.3}}, {0.3});
    // What is best of the first row is at a right angle to what is best of the second.
    expect_gains({{0.25, 0.25, 0.5}, {0.4, 0.4, 0.2}}, {0.375, 0.4});
}

TEST_CASE("06.2 gradient_gain: the two largest weights are nearly equal, and are not") {
    for (const double apart : {1e-2, 1e-3, 1e-5, 4e-7, 1e-7}) {
        expect_gains({{0.5 + apart, 0.5 - apart}, {0.5 - 2 * apart, 0.5 + 2 * apart}});
        expect_gains({{0.4 + apart, 0.4 - apart, 0.2}, {0.2, 0.4 - apart, 0.4 + apart}});
    }
}

TEST_CASE("06.2 gradient_gain: the largest weight first, in the middle and last") {
    const double gain = oracle::gradient_gain(Matrix{{0.7, 0.2, 0.1, 0}})(0);
    expect_gains({{0.7, 0.2, 0.1, 0}, {0.2, 0.1, 0.7, 0}, {0, 0.1, 0.2, 0.7}}, {gain, gain, gain});
}

TEST_CASE("06.2 gradient_gain: almost nothing gets through at softmax([10, 0, 0])") {
    expect_gains(oracle::softmax_rows(Matrix{{10, 0, 0}, {0, 0, 10}}));
    // Not sharper: where p (1 − p) is 1e-10, rounding p leaves it six digits, and an iteration that
    // waits for ten may wait for ever.
}

TEST_CASE("06.2 gradient_gain: a gain may be tiny and is not 0") {
    // Powers of 2, so that the row sums to 1 exactly. What is left of a double beside 1 are few
    // digits, in which right ways to compute differ.
    for (const double rest : {0x1p-24, 0x1p-40, 0x1p-44}) {
        const Matrix weights{{rest, 1 - 2 * rest, rest}, {0.5, 0.25, 0.25}};
        expect_close(graded::gradient_gain(weights), oracle::gradient_gain(weights),
                     judge::Tolerance{1e-2, 0});
    }
}

TEST_CASE("06.2 gradient_gain: from the largest p (1 - p) to twice that, and never above 1/2") {
    const Matrix weights = some_weights(7, 5, 21);
    const Vector gains = graded::gradient_gain(weights);
    expect_shape(sizes(gains), {7});
    for (std::size_t i = 0; i < 7; ++i) {
        double most = 0;
        for (std::size_t j = 0; j < 5; ++j) {
            most = std::max(most, weights(i, j) * (1 - weights(i, j)));
        }
        expect_that(gains(i) >= most * (1 - 1e-9) && gains(i) <= 2 * most * (1 + 1e-9),
                    "a gain lies between the largest p (1 − p) of its row and twice that, here " +
                        number_text(most) + " and " + number_text(2 * most),
                    "row " + std::to_string(i) + " has " + number_text(gains(i)));
    }
    expect_close(gains, oracle::gradient_gain(weights), eight_digits);
}

TEST_CASE("06.2 gradient_gain: no step more changes it") {
    const Matrix weights{{0.45, 0.275, 0.275}, {0.275, 0.275, 0.45}};
    const Vector gains = graded::gradient_gain(weights);
    expect_shape(sizes(gains), {2});
    for (const double gain : gains) {
        expect_that(gain < 0.25 || gain >= 0.37125 * (1 - 1e-8),
                    "the gain of the weights 0.45, 0.275, 0.275 is 0.37125 to eight digits",
                    "this one is " + number_text(gain) +
                        ": if it still grows, take more steps, until it does not");
    }
    expect_close(gains, Vector{0.37125, 0.37125}, eight_digits);
}

TEST_CASE("06.2 gradient_gain: a query has its own, whoever stands above or below it") {
    const Matrix weights = some_weights(4, 3, 31);
    const Vector gains = oracle::gradient_gain(weights);
    for (const std::size_t i : {0U, 3U}) {
        expect_close<Vector>(graded::gradient_gain(xt::view(weights, xt::range(i, i + 1))),
                             xt::view(gains, xt::range(i, i + 1)), eight_digits);
    }
    expect_close(graded::gradient_gain(weights), gains, eight_digits);
}

TEST_CASE("06.2 gradient_gain: the order of the keys does not matter") {
    const Matrix weights = some_weights(3, 6, 41);
    using xt::placeholders::_;
    expect_close(graded::gradient_gain(xt::view(weights, xt::all(), xt::range(5, _, -1))),
                 oracle::gradient_gain(weights), eight_digits);
}

TEST_CASE("06.2 gradient_gain: the same weights twice, and then others of their shape") {
    const Matrix weights = some_weights(2, 4, 51);
    expect_gains(weights);
    expect_gains(weights);
    expect_gains(some_weights(2, 4, 61));
}

TEST_CASE("06.2 gradient_gain: rows that begin and end alike are not the same row") {
    expect_gains({{0.125, 0.5, 0.25, 0.125}, {0.125, 0.25, 0.5, 0.125}, {0.125, 0, 0.75, 0.125}});
    expect_gains({{0.125, 0, 0.75, 0.125}, {0.125, 0.25, 0.5, 0.125}, {0.125, 0.5, 0.25, 0.125}});
}

TEST_CASE(
    "06.2 gradient_gain: rows of one largest weight and one sum of squares are not the same") {
    const Matrix weights = Matrix{{20, 2, 3, 7}, {20, 1, 5, 6}, {20, 6, 1, 5}} / 32;
    expect_gains(weights);
    expect_gains(drawn::upside_down(weights));
}

TEST_CASE("06.2 gradient_gain: awkward sizes agree with Jacobi's eigenvalues in long double") {
    for (const auto& [n_queries, n_keys] :
         {std::array<std::size_t, 2>{1, 7}, {5, 1}, {2, 3}, {13, 11}, {262, 3}, {3, 29}}) {
        expect_gains(some_weights(n_queries, n_keys, n_keys, 3));
    }
}

TEST_CASE("06.2 gradient_gain: a weight of 0 has no part in it, wherever it stands") {
    expect_gains({{0, 0.25, 0, 0.75}, {0.5, 0, 0.25, 0.25}, {0.25, 0.5, 0.25, 0}});
    expect_gains({{0.25, 0, 0.75}, {0.5, 0, 0.5}, {0.125, 0, 0.875}}); // a key for nobody
    expect_gains({{0, 0, 0.4, 0.35, 0.25, 0}});
    expect_gains({{1}});
    expect_gains({{0.375, 0.625}});
}

TEST_CASE("06.2 gradient_gain: rows of the same weights in every order") {
    for (const std::vector<double>& weights :
         std::vector<std::vector<double>>{{0.5, 0.25, 0.25},
                                          {0.6, 0.2, 0.2},
                                          {0.4, 0.4, 0.2},
                                          {0.4, 0.4, 0.1, 0.1},
                                          {0.55, 0.15, 0.15, 0.15},
                                          {0.5, 0.3, 0.1, 0.1},
                                          {0.7, 0.2, 0.1},
                                          {0.5, 0.5, 0, 0},
                                          {0.75, 0.25, 0, 0}}) {
        const Matrix rows = nearly_special::every_order(weights);
        for (std::size_t i = 0; settles(xt::row(rows, 0)) && i < rows.shape(0); ++i) {
            expect_gains(Matrix(xt::view(rows, xt::range(i, i + 1)))); // by itself
        }
    }
}

TEST_CASE("06.2 gradient_gain: rows that read the same from both ends, with the largest weight in "
          "the middle") {
    expect_gains({{0.25, 0.5, 0.25}, {0.1, 0.8, 0.1}, {0.2, 0.6, 0.2}});
    expect_gains({{0.1, 0.15, 0.5, 0.15, 0.1}, {0.125, 0, 0.75, 0, 0.125}});
}

TEST_CASE("06.2 gradient_gain: rows that are all alike, all even or all certain, but for one "
          "weight") {
    for (const Matrix& special : nearly_special::special) {
        for (const double share : {0.5, 1.0}) {
            for (const Matrix& weights : nearly_special::each_moved(special, share)) {
                bool settle = true;
                for (std::size_t i = 0; i < weights.shape(0); ++i) {
                    settle = settle && settles(xt::row(weights, static_cast<std::ptrdiff_t>(i)));
                }
                if (settle) {
                    expect_gains(weights);
                }
            }
        }
    }
}

TEST_CASE("06.2 gradient_gain: more than 64 keys, and more than 128") {
    // In a row or two of not too many: rotations and squared matrices are right, too, and take
    // their time.
    const auto weights = [](std::size_t n_queries, std::size_t n_keys) {
        // One weight of about 1/4 stands out, so that all other eigenvalues are far smaller.
        Matrix scores = standard_normal(n_queries, n_keys, n_keys);
        xt::view(scores, xt::all(), xt::range(0, n_keys / 3)) *= 0.1;
        for (std::size_t i = 0; i < n_queries; ++i) {
            const std::size_t place = (i + n_keys) % 2 == 0 ? n_keys / 2 : n_keys - 1;
            scores(i, place) = std::log(static_cast<double>(n_keys) / 2);
        }
        return oracle::softmax_rows(scores);
    };
    // The library's gains are tested against Jacobi's.
    for (const auto& [n_queries, n_keys] :
         {std::array<std::size_t, 2>{2, 67}, {1, 131}, {1, 158}}) {
        const Matrix some = weights(n_queries, n_keys);
        expect_close(graded::gradient_gain(some), attention::gradient_gain(some), eight_digits);
    }
}

} // namespace grader_gain
