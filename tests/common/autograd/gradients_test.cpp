#include "common/gradient_check.hpp"

#include <doctest/doctest.h>

using namespace autograd;
using support::gradient_error;
using support::normal;
using Values = std::vector<DoubleValue>;

namespace {
constexpr double limit = 1e-7;
}

TEST_CASE("product: gradients agree with differences, for matrices, more axes and vectors") {
    const auto f = [](DoubleTape&, const Values& x) { return product(x[0], x[1]); };
    CHECK(gradient_error({normal({3, 4}, 1), normal({4, 5}, 2)}, f) < limit);
    CHECK(gradient_error({normal({2, 3, 4}, 1), normal({4, 5}, 2)}, f) < limit);
    CHECK(gradient_error({normal({2, 3, 4}, 1), normal({4}, 2)}, f) < limit);
    CHECK(gradient_error({normal({4}, 1), normal({4, 5}, 2)}, f) < limit);
}

TEST_CASE("affine: gradients agree with differences") {
    const auto f = [](DoubleTape&, const Values& x) { return affine(x[0], x[1], x[2]); };
    CHECK(gradient_error({normal({3, 4}, 1), normal({4, 5}, 2), normal({5}, 3)}, f) < limit);
    CHECK(gradient_error({normal({2, 3, 4}, 1), normal({4, 5}, 2), normal({5}, 3)}, f) < limit);
}

TEST_CASE("batched_product: gradients agree with differences") {
    const auto f = [](DoubleTape&, const Values& x) { return batched_product(x[0], x[1]); };
    CHECK(gradient_error({normal({2, 3, 4}, 1), normal({2, 4, 5}, 2)}, f) < limit);
}

TEST_CASE("add, subtract, multiply: gradients agree with differences under every broadcast") {
    for (const bool multiplies : {false, true}) {
        const auto f = [multiplies](DoubleTape&, const Values& x) {
            const DoubleValue y = multiplies ? multiply(x[0], x[1]) : subtract(x[0], x[1]);
            return add(y, multiply(x[1], x[0])); // both used twice
        };
        CHECK(gradient_error({normal({3, 4}, 1), normal({3, 4}, 2)}, f) < limit);
        CHECK(gradient_error({normal({2, 1, 4}, 1), normal({2, 3, 4}, 2)}, f) < limit);
        CHECK(gradient_error({normal({2, 3, 1}, 1), normal({1, 5}, 2)}, f) < limit);
        CHECK(gradient_error({normal({4}, 1), normal({2, 3, 4}, 2)}, f) < limit);
        CHECK(gradient_error({normal({2, 5}, 1), normal({2, 1}, 2)}, f) < limit);
        CHECK(gradient_error({normal({2, 1}, 1), normal({1, 1}, 2)}, f) < limit);
        CHECK(gradient_error({normal({}, 1), normal({2, 3}, 2)}, f) < limit);
    }
    const auto square = [](DoubleTape&, const Values& x) { return multiply(x[0], x[0]); };
    CHECK(gradient_error({normal({3, 4}, 1)}, square) < limit);
}

TEST_CASE("row_mean, inverse_square_root, gelu: gradients agree with differences") {
    for (const std::size_t d : {1U, 7U, 16U}) {
        CHECK(gradient_error({normal({2, 3, d}, 1)}, [](auto&, const Values& x) {
                  return subtract(x[0], row_mean(x[0]));
              }) < limit);
        CHECK(gradient_error({normal({3, d}, 1)}, [](auto&, const Values& x) {
                  return inverse_square_root(multiply(x[0], x[0]), 0.1);
              }) < limit);
        CHECK(gradient_error({normal({3, d}, 1)}, [](auto&, const Values& x) {
                  return add(gelu(scale(x[0], 2.0)), gelu(x[0]));
              }) < limit);
    }
}

TEST_CASE("product_transposed: gradients agree with differences, and it is the product") {
    const auto f = [](DoubleTape&, const Values& x) { return product_transposed(x[0], x[1]); };
    CHECK(gradient_error({normal({3, 4}, 1), normal({5, 4}, 2)}, f) < limit);
    CHECK(gradient_error({normal({2, 3, 4}, 1), normal({5, 4}, 2)}, f) < limit);
    CHECK(gradient_error({normal({4, 4}, 1)}, [](auto&, const Values& x) {
              return product_transposed(x[0], x[0]);
          }) < limit);
    DoubleTape tape;
    const Array<double> A = normal({3, 4}, 1), B = normal({5, 4}, 2);
    const DoubleValue C = product_transposed(tape.constant(A), tape.constant(B));
    const DoubleValue D = product(tape.constant(A), tape.constant(xt::transpose(B)));
    CHECK(xt::allclose(C.data(), D.data(), 1e-12, 1e-12));
}

TEST_CASE("scale, tanh, sigmoid, sum: gradients agree with differences") {
    CHECK(gradient_error({normal({3, 7}, 1)},
                         [](auto&, const Values& x) { return scale(x[0], -2.5); }) < limit);
    CHECK(gradient_error({normal({3, 7}, 1)},
                         [](auto&, const Values& x) { return autograd::tanh(x[0]); }) < limit);
    CHECK(gradient_error({normal({3, 7}, 1)},
                         [](auto&, const Values& x) { return sigmoid(x[0]); }) < limit);
    CHECK(gradient_error({normal({3, 7}, 1)}, [](auto&, const Values& x) { return sum(x[0]); }) <
          limit);
}

TEST_CASE("dropout: gradients agree with differences for the same seed") {
    const auto f = [](DoubleTape&, const Values& x) { return dropout(x[0], 0.3, 5); };
    CHECK(gradient_error({normal({5, 7}, 1)}, f) < limit);
}

TEST_CASE("reshape, concatenate, slice, stack: gradients agree with differences") {
    CHECK(gradient_error({normal({3, 4}, 1)}, [](auto&, const Values& x) {
              return reshape(x[0], {2, 1, 6});
          }) < limit);
    for (const std::size_t axis : {0U, 1U, 2U}) {
        Shape other{2, 3, 4};
        other[axis] = 5;
        CHECK(gradient_error({normal({2, 3, 4}, 1), normal(other, 2)},
                             [axis](auto&, const Values& x) {
                                 return concatenate(Values{x[0], x[1], x[0]}, axis);
                             }) < limit);
        CHECK(gradient_error({normal({4, 5, 6}, 1)}, [axis](auto&, const Values& x) {
                  return slice(x[0], axis, 1, 3);
              }) < limit);
    }
    CHECK(gradient_error({normal({2, 3}, 1), normal({2, 3}, 2)}, [](auto&, const Values& x) {
              return stack(Values{x[0], x[1], x[0]});
          }) < limit);
}

TEST_CASE("embedding: gradients agree with differences, a word that occurs twice gathers both") {
    CHECK(gradient_error({normal({5, 3}, 1)}, [](auto&, const Values& x) {
              return embedding(x[0], {4, 0, 4, 2});
          }) < limit);
}

TEST_CASE("masked_softmax, weighted_sum: gradients agree with differences") {
    CHECK(gradient_error({normal({3, 5}, 1)}, [](auto&, const Values& x) {
              return masked_softmax(x[0], {5, 1, 3});
          }) < limit);
    CHECK(gradient_error({normal({2, 3}, 1), normal({2, 3, 4}, 2)},
                         [](auto&, const Values& x) { return weighted_sum(x[0], x[1]); }) < limit);
}

TEST_CASE("additive_scores, dot_scores: gradients agree with differences") {
    for (const std::size_t d : {3U, 8U, 17U}) { // below, at and above whole vector registers
        CHECK(gradient_error({normal({2, d}, 1), normal({2, 3, d}, 2), normal({d}, 3)},
                             [](auto&, const Values& x) {
                                 return additive_scores(x[0], x[1], x[2]);
                             }) < limit);
        CHECK(gradient_error({normal({2, d}, 1), normal({2, 3, d}, 2)}, [](auto&, const Values& x) {
                  return dot_scores(x[0], x[1], 0.3);
              }) < limit);
    }
}

TEST_CASE("gru_step: gradients agree with differences, inactive rows included") {
    for (const std::size_t d : {3U, 9U}) {
        const std::size_t batch = 4;
        std::vector<Array<double>> inputs{normal({2 * batch, 3 * d}, 1), normal({batch, 3 * d}, 2),
                                          normal({batch, d}, 3), normal({d, 3 * d}, 4),
                                          normal({3 * d}, 5)};
        const std::vector<char> active{1, 0, 1, 1};
        CHECK(gradient_error(inputs, [&](auto&, const Values& x) {
                  const DoubleValue first =
                      gru_step<double>({x[0], 0, x[1]}, x[2], {x[3], x[4]}, active);
                  return gru_step<double>({x[0], 1, {}}, first, {x[3], x[4]}, active);
              }) < limit);
    }
}

TEST_CASE("cross_entropy: gradients agree with differences, with and without smoothing") {
    for (const double smoothing : {0.0, 0.1}) {
        CHECK(gradient_error({normal({4, 11}, 1)}, [smoothing](auto&, const Values& x) {
                  return cross_entropy(x[0], {3, 0, 10, 3}, smoothing);
              }) < limit);
    }
    CHECK(gradient_error({normal({2, 5}, 1)}, [](auto&, const Values& x) { // logits used twice
              return add(cross_entropy(x[0], {3, 0}), cross_entropy(scale(x[0], 2.0), {1, 1}));
          }) < limit);
    CHECK(gradient_error({normal({2, 5}, 1)}, [](auto&, const Values& x) {
              return add(cross_entropy(x[0], {3, 0}), cross_entropy(x[0], {1, 1}));
          }) < limit);
}
