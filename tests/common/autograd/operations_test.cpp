#include "common/gradient_check.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

#include <cmath>

using namespace autograd;
using support::check_close;
using support::normal;

TEST_CASE("tanh, sigmoid: single precision is good to a few units in the last place") {
    Tape tape;
    Array<float> x = Array<float>::from_shape({2001});
    for (std::size_t i = 0; i < x.size(); ++i) {
        x(i) = (static_cast<float>(i) - 1000.0F) / 50.0F;
    }
    const Array<float> t = autograd::tanh(tape.constant(x)).data();
    const Array<float> s = sigmoid(tape.constant(x)).data();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = static_cast<double>(x(i));
        CHECK(std::abs(static_cast<double>(t(i)) - std::tanh(exact)) <=
              5e-7 * std::abs(std::tanh(exact)));
        CHECK(std::abs(static_cast<double>(s(i)) - 1 / (1 + std::exp(-exact))) <=
              5e-7 / (1 + std::exp(-exact)));
    }
}

TEST_CASE("add, subtract, multiply: broadcast as numpy does") {
    DoubleTape tape;
    const DoubleValue column = tape.constant(xt::ones<double>({2, 1}) * 2.0);
    const DoubleValue row = tape.constant(Array<double>{10.0, 20.0, 30.0});
    check_close(add(column, row).data(), Array<double>{{12.0, 22.0, 32.0}, {12.0, 22.0, 32.0}},
                {0, 0});
    check_close(subtract(column, row).data(),
                Array<double>{{-8.0, -18.0, -28.0}, {-8.0, -18.0, -28.0}}, {0, 0});
    check_close(subtract(row, column).data(), Array<double>{{8.0, 18.0, 28.0}, {8.0, 18.0, 28.0}},
                {0, 0});
    check_close(multiply(column, row).data(), Array<double>{{20.0, 40.0, 60.0}, {20.0, 40.0, 60.0}},
                {0, 0});
}

TEST_CASE("gelu: single precision is good to a few units in the last place of x or of the result") {
    Tape tape;
    Array<float> x = Array<float>::from_shape({2001});
    for (std::size_t i = 0; i < x.size(); ++i) {
        x(i) = (static_cast<float>(i) - 1000.0F) / 100.0F;
    }
    const Array<float> y = gelu(tape.constant(x)).data();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double exact = static_cast<double>(x(i));
        const double expected = exact * 0.5 * std::erfc(-exact / std::sqrt(2.0));
        CHECK(std::abs(static_cast<double>(y(i)) - expected) <= 2e-7 * std::abs(exact));
    }
}

TEST_CASE("dropout: keeps the mean, drops its share, and depends on the seed alone") {
    DoubleTape tape;
    const DoubleValue ones = tape.constant(Array<double>(Shape{100, 1000}, 1.0));
    const Array<double> y = dropout(ones, 0.3, 7).data();
    double sum = 0, zeros = 0;
    for (const double x : y) {
        sum += x;
        zeros += x == 0 ? 1 : 0;
    }
    CHECK(sum / 1e5 == doctest::Approx(1).epsilon(0.01));
    CHECK(zeros / 1e5 == doctest::Approx(0.3).epsilon(0.02));
    CHECK(dropout(ones, 0.3, 7).data() == y);
    CHECK(dropout(ones, 0.3, 8).data() != y);
}

TEST_CASE("gru_step: an inactive row keeps its state") {
    DoubleTape tape;
    const Array<double> h = normal({2, 3}, 1);
    const DoubleValue next =
        gru_step<double>({tape.constant(normal({2, 9}, 2)), 0, {}}, tape.constant(h),
                         {tape.constant(normal({3, 9}, 3)), tape.constant(normal({9}, 4))}, {0, 1});
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(next.data()(0, i) == h(0, i));
        CHECK(next.data()(1, i) != h(1, i));
    }
}

TEST_CASE("operations: shapes that do not fit are an invalid_argument") {
    DoubleTape tape, other;
    const DoubleValue a = tape.constant(normal({2, 3}, 1));
    const DoubleValue b = tape.constant(normal({4, 5}, 2));
    const DoubleValue foreign = other.constant(normal({3, 4}, 3));
    CHECK_REFUSED(product(a, b),
                  "product: A and B must share k, got 3 and 4; A is (2, 3), B is (4, 5)");
    CHECK_REFUSED(product(a, foreign),
                  "product: the operands must be values of one tape, got two tapes");
    CHECK_REFUSED(batched_product(a, b), "batched_product: A must have rank 3, got 2; A is (2, 3)");
    CHECK_REFUSED(add(a, b),
                  "add: sizes must be equal or 1, got 3 and 5; a is (2, 3), b is (4, 5)");
    CHECK_REFUSED(
        product_transposed(a, b),
        "product_transposed: A and B must share k, got 3 and 5; A is (2, 3), B is (4, 5)");
    CHECK_REFUSED(reshape(a, {4}),
                  "reshape: the new shape must hold as many elements, got 4; a is (2, 3)");
    CHECK_REFUSED(embedding(a, {2}),
                  "embedding: indices must be below n_rows, got 2; table is (2, 3)");
    CHECK_REFUSED(concatenate<double>({a, b}, 0),
                  "concatenate: shapes must agree, got (2, 3) and (4, 5)");
    CHECK_REFUSED(slice(a, 1, 2, 4),
                  "slice: first ≤ last ≤ size of the axis, got 2 and 4; a is (2, 3)");
}
