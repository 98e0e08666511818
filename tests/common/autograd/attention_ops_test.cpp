#include "common/gradient_check.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

using namespace autograd;
using support::check_close;
using support::normal;

namespace {

constexpr std::size_t sentences = 2, positions = 3, d = 5;

// Values and gradients of scores computed in two ways, from the same inputs and upstream gradient.
using Scores =
    std::function<DoubleValue(const DoubleValue&, const DoubleValue&, const DoubleValue&)>;

void check_same(const Scores& fused, const Scores& composed) {
    std::vector<Array<double>> results[2];
    for (int way = 0; way < 2; ++way) {
        DoubleTape tape;
        const DoubleValue states = tape.variable(normal({sentences, d}, 1));
        const DoubleValue keys = tape.variable(normal({sentences, positions, d}, 2));
        const DoubleValue v = tape.variable(normal({d}, 3));
        const DoubleValue scores = (way == 0 ? fused : composed)(states, keys, v);
        tape.backward(sum(multiply(scores, tape.constant(normal({sentences, positions}, 4)))));
        results[way] = {scores.data(), states.gradient(), keys.gradient(), v.gradient()};
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        check_close(results[0][i], results[1][i], {1e-13, 1e-14});
    }
}

} // namespace

TEST_CASE("additive_scores: the fused operation is the one composed of add, tanh and product") {
    check_same([](auto& s, auto& k, auto& v) { return additive_scores(s, k, v); },
               [](auto& s, auto& k, auto& v) {
                   return product(autograd::tanh(add(reshape(s, {sentences, 1, d}), k)), v);
               });
}

TEST_CASE("dot_scores: the fused operation is the one composed of batched_product and scale") {
    check_same([](auto& s, auto& k, auto&) { return dot_scores(s, k, 0.25); },
               [](auto& s, auto& k, auto&) {
                   const auto scores = batched_product(k, reshape(s, {sentences, d, 1}));
                   return scale(reshape(scores, {sentences, positions}), 0.25);
               });
}

TEST_CASE("masked_softmax: padding has weight 0 and gradient 0, and changes no other weight") {
    DoubleTape tape;
    Array<double> scores = normal({2, 4}, 1);
    const DoubleValue x = tape.variable(scores);
    const DoubleValue w = masked_softmax(x, {2, 4});
    tape.backward(sum(multiply(w, tape.constant(normal({2, 4}, 2)))));
    for (const std::size_t j : {2U, 3U}) {
        CHECK(w.data()(0, j) == 0);
        CHECK(x.gradient()(0, j) == 0);
    }
    CHECK(w.data()(0, 0) + w.data()(0, 1) == doctest::Approx(1).epsilon(1e-15));
    scores(0, 2) = 1e30;
    check_close(masked_softmax(tape.constant(scores), {2, 4}).data(), w.data(), {0, 0});
}

TEST_CASE("attention operations: shapes that do not fit are an invalid_argument") {
    DoubleTape tape;
    const DoubleValue states = tape.constant(normal({2, 4}, 1));
    const DoubleValue keys = tape.constant(normal({2, 3, 5}, 2));
    const DoubleValue v = tape.constant(normal({5}, 3));
    CHECK_REFUSED(additive_scores(states, keys, v),
                  "additive_scores: states and keys must share d, got 4 and 5; states is "
                  "(2, 4), keys is (2, 3, 5)");
    CHECK_REFUSED(dot_scores(keys, keys, 1.0),
                  "dot_scores: states must have rank 2, got 3; states is (2, 3, 5)");
    CHECK_REFUSED(masked_softmax(states, {1, 5}),
                  "masked_softmax: lengths must be 1 to n_keys, got 5; scores is (2, 4)");
    CHECK_REFUSED(masked_softmax(states, {1, 2, 3}),
                  "masked_softmax: lengths must hold batch entries, got 3; scores is (2, 4)");
    CHECK_REFUSED(weighted_sum(states, keys),
                  "weighted_sum: weights and values must share n_keys, got 4 and 3; "
                  "weights is (2, 4), values is (2, 3, 5)");
}
