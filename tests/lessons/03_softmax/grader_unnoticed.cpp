// 03.1 to 03.3 asked with large arguments, one after the other, that differ in a single number; the
// rest of the lesson: grader.cpp, grader_rows.cpp and grader_jacobian.cpp.

#include <doctest/doctest.h>

#include "parts.hpp"
#include "support/large_alike.hpp"

namespace grader_unnoticed {

using namespace parts;
using drawn::one_unnoticed;

TEST_CASE("03.1 softmax: many scores that differ in one number only") {
    for (const Vector& scores : one_unnoticed(standard_normal(528, 151))) {
        expect_softmax(scores);
    }
}

TEST_CASE("03.2 softmax_rows: many scores that differ in one number only") {
    for (const Matrix& scores : one_unnoticed(standard_normal(33, 16, 152))) {
        expect_softmax_rows(scores);
    }
}

TEST_CASE("03.3 softmax_jacobian: many weights that differ in two numbers only") {
    // One is larger, another smaller by as much, and the others are the same to the last bit.
    const Vector terms = xt::exp(standard_normal(300, 153));
    const Vector weights = terms / xt::sum(terms)();
    const std::size_t from = weights.size() - 4;
    for (Vector p : one_unnoticed(weights, [&](double x) { return x + weights(from) / 2; })) {
        p(from) += 1 - xt::sum(p)();
        judge::expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p), in_double);
    }
}

} // namespace grader_unnoticed
