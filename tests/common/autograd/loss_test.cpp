#include "common/gradient_check.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

using namespace autograd;
using support::normal;

TEST_CASE("cross_entropy: equal logits cost ln n_classes a row") {
    DoubleTape tape;
    const DoubleValue loss =
        cross_entropy(tape.constant(Array<double>(Shape{3, 7}, 2.5)), {0, 6, 3});
    CHECK(loss.data()() == doctest::Approx(3 * std::log(7.0)).epsilon(1e-14));
}

TEST_CASE("cross_entropy: logits of 1e4 stay finite") {
    Tape tape;
    CHECK(cross_entropy(tape.constant(Array<float>{{1e4F, 0.F}}), {0}).data()() == 0.0F);
    CHECK(cross_entropy(tape.constant(Array<float>{{1e4F, 0.F}}), {1}).data()() == 1e4F);
}

TEST_CASE("cross_entropy: smoothing is the mean loss over all classes, weighed by its part") {
    DoubleTape tape;
    const DoubleValue logits = tape.constant(normal({1, 4}, 1));
    double everywhere = 0;
    for (std::size_t c = 0; c < 4; ++c) {
        everywhere += cross_entropy(logits, {c}).data()() / 4;
    }
    const double expected = 0.9 * cross_entropy(logits, {2}).data()() + 0.1 * everywhere;
    CHECK(cross_entropy(logits, {2}, 0.1).data()() == doctest::Approx(expected).epsilon(1e-14));
}

TEST_CASE("cross_entropy: targets that do not fit are an invalid_argument") {
    DoubleTape tape;
    const DoubleValue logits = tape.constant(normal({2, 4}, 1));
    CHECK_REFUSED(cross_entropy(logits, {1, 4}),
                  "cross_entropy: targets must be below n_classes, got 4; logits is (2, 4)");
    CHECK_REFUSED(cross_entropy(logits, {1}),
                  "cross_entropy: targets must hold n entries, got 1; logits is (2, 4)");
    CHECK_REFUSED(cross_entropy(logits, {1, 2}, 1.0),
                  "cross_entropy: smoothing must be in [0, 1), got 1.000000");
}
