#include "common/gradient_check.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

using namespace autograd;
using support::check_close;
using support::normal;

namespace {

Array<double> column_of(const std::vector<double>& numbers) { // (n, 1)
    Array<double> column = Array<double>::from_shape({numbers.size(), 1});
    std::copy(numbers.begin(), numbers.end(), column.begin());
    return column;
}

} // namespace

TEST_CASE("tape: a case to do by hand") {
    DoubleTape tape;
    const DoubleValue a = tape.variable(Array<double>{{1.0, 2.0}}); // (1, 2)
    const DoubleValue b = tape.variable(column_of({3.0, 4.0}));     // (2, 1)
    const DoubleValue loss = sum(product(a, b));
    CHECK(loss.data()() == 11);
    tape.backward(loss);
    check_close(a.gradient(), Array<double>{{3.0, 4.0}}, {0, 0});
    check_close(b.gradient(), column_of({1.0, 2.0}), {0, 0});
}

TEST_CASE("tape: an input that the loss does not depend on has gradient 0") {
    DoubleTape tape;
    const DoubleValue a = tape.variable(Array<double>{{1.0, 2.0}});
    const DoubleValue unused = tape.variable(normal({1, 3}, 1));
    tape.backward(sum(a));
    check_close(unused.gradient(), Array<double>{{0.0, 0.0, 0.0}}, {0, 0});
}

TEST_CASE("tape: two tapes add to parameters of their own, and reading them changes neither") {
    const Array<double> W = normal({3, 2}, 1);
    Gradient<double> first, second;
    DoubleTape one, two;
    one.backward(sum(product(one.constant(normal({4, 3}, 2)), one.parameter(W, first))));
    two.backward(sum(product(two.constant(normal({4, 3}, 3)), two.parameter(W, second))));
    CHECK(first.used);
    CHECK(first.array != second.array);
}

TEST_CASE("gradient: that of a result is an invalid_argument, since only inputs keep theirs") {
    DoubleTape tape;
    const DoubleValue b = tanh(tape.variable(Array<double>{{1.0, 2.0}}));
    tape.backward(sum(b));
    CHECK_REFUSED(b.gradient(),
                  "gradient: inputs keep theirs, got the result of an operation; it is (1, 2)");
}

TEST_CASE("gradient: an embedding's touches the rows that occur, and clear sets those back to 0") {
    const Array<double> table = normal({5, 3}, 1);
    Gradient<double> gradient;
    gradient.by_rows = true;
    DoubleTape tape;
    for (int pass = 0; pass < 2; ++pass) {
        tape.backward(sum(embedding(tape.parameter(table, gradient), {4, 1, 4})));
        CHECK(gradient.touched == std::vector<char>{0, 1, 0, 0, 1});
        check_close(
            gradient.array,
            Array<double>{{0., 0., 0.}, {1., 1., 1.}, {0., 0., 0.}, {0., 0., 0.}, {2., 2., 2.}},
            {0, 0});
        gradient.clear();
        tape.clear();
        CHECK(xt::sum(xt::abs(gradient.array))() == 0);
    }
}

TEST_CASE("backward: a loss that is not a single number of the tape is an invalid_argument") {
    DoubleTape tape, other;
    const DoubleValue a = tape.variable(Array<double>{{1.0, 2.0}});
    CHECK_REFUSED(tape.backward(a),
                  "backward: loss must be a single number, got 2; loss is (1, 2)");
    CHECK_REFUSED(other.backward(sum(a)),
                  "backward: loss must be a value of this tape, got another tape's");
}

TEST_CASE("backward: a second time is an invalid_argument, and clear makes it a first again") {
    DoubleTape tape;
    const Array<double> a = normal({2, 3}, 1);
    const DoubleValue loss = sum(tape.variable(a));
    tape.backward(loss);
    CHECK_REFUSED(
        tape.backward(loss),
        "backward: a tape is read backwards once, got a second call; clear it, compute again");
    tape.clear();
    const DoubleValue again = tape.variable(a);
    tape.backward(sum(again));
    check_close(again.gradient(), Array<double>(xt::ones<double>({2, 3})), {0, 0});
}
