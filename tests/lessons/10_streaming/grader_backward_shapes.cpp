// 10.5: what it refuses. The rest of 10.5: grader_backward.cpp.

#include <doctest/doctest.h>

#include "asked.hpp"
#include "support/misfits.hpp"

namespace grader_backward_shapes {

using namespace asked;

namespace {

Matrix d_output_for(const Inputs& in, std::uint64_t seed) {
    return standard_normal(in.Q.shape(0), in.V.shape(1), 1000 + seed);
}

judge::Outcome attempt(const Inputs& in, const Streamed& forward, const Matrix& d_output,
                       const OptionalMask& mask = {}) {
    return graded::streaming_backward.attempt(in.Q, in.K, in.V, forward, d_output, mask);
}

/// Of the arrays (3, 2), (4, 2), (4, 5), of the output and of the logsumexp, whichever the learner
/// holds it against.
void misfit(const judge::Outcome& outcome, const support::Shape& shape) {
    support::expect_misfit(outcome, shape, {{3, 2}, {4, 2}, {4, 5}, {3, 5}, {3, 4}, {3}});
}

} // namespace

TEST_CASE("10.5 streaming_backward: shapes that do not fit are refused, both named") {
    const Inputs in = drawn_inputs(3, 4, 2, 5, 23);
    const Streamed forward = plain::attention(in.Q, in.K, in.V);
    const Matrix d_output = d_output_for(in, 23);
    const auto other = [](std::size_t rows, std::size_t columns) {
        return standard_normal(rows, columns, 24);
    };
    expect_invalid_argument(attempt({other(3, 6), in.K, in.V}, forward, d_output),
                            {{3, 6}, {4, 2}});
    misfit(attempt({in.Q, in.K, other(7, 5)}, forward, d_output), {7, 5});
    misfit(attempt(in, forward, other(3, 6)), {3, 6});
    misfit(attempt(in, forward, other(7, 5)), {7, 5});
    misfit(attempt(in, {other(7, 5), forward.logsumexp}, d_output), {7, 5});
    misfit(attempt(in, {forward.output, standard_normal(7, 25)}, d_output), {7});
    misfit(attempt(in, forward, d_output, plain::causal_mask(4, 3)), {4, 3});
}

TEST_CASE("10.5 streaming_backward: so are transposed ones, and those of a single row or column") {
    const Inputs in = drawn_inputs(3, 4, 2, 5, 23);
    const Streamed forward = plain::attention(in.Q, in.K, in.V);
    const Matrix d_output = d_output_for(in, 23);
    const auto other = [](std::size_t rows, std::size_t columns) {
        return standard_normal(rows, columns, 24);
    };
    misfit(attempt({other(2, 3), in.K, in.V}, forward, d_output), {2, 3});
    misfit(attempt({in.Q, in.K, other(5, 4)}, forward, d_output), {5, 4});
    misfit(attempt({in.Q, in.K, other(1, 5)}, forward, d_output), {1, 5});
    misfit(attempt(in, forward, other(5, 3)), {5, 3});
    misfit(attempt(in, forward, other(3, 1)), {3, 1});
    misfit(attempt(in, forward, other(1, 5)), {1, 5});
    misfit(attempt(in, {other(5, 3), forward.logsumexp}, d_output), {5, 3});
    misfit(attempt(in, {other(3, 1), forward.logsumexp}, d_output), {3, 1});
    misfit(attempt(in, {other(1, 5), forward.logsumexp}, d_output), {1, 5});
    for (const std::size_t size : {1U, 4U}) {
        misfit(attempt(in, {forward.output, standard_normal(size, 25)}, d_output), {size});
    }
    misfit(attempt(in, forward, d_output, plain::causal_mask(1, 4)), {1, 4});
    misfit(attempt(in, forward, d_output, plain::causal_mask(3, 1)), {3, 1});
}

// Two that fit each other, and not the rest.
TEST_CASE("10.5 streaming_backward: so are an output and a gradient that are alike, and others") {
    const Inputs in = drawn_inputs(3, 4, 2, 5, 23);
    const Streamed forward = plain::attention(in.Q, in.K, in.V);
    for (const auto& [rows, columns] : {std::pair{7U, 5U}, {1U, 5U}, {4U, 5U}, {2U, 5U}}) {
        const Matrix other = standard_normal(rows, columns, 24);
        expect_invalid_argument(attempt(in, {other, standard_normal(rows, 25)}, other),
                                {{3, 2}, {rows}});
    }
    for (const std::size_t columns : {1U, 2U, 6U}) {
        const Matrix other = standard_normal(3, columns, 24);
        expect_invalid_argument(attempt(in, {other, forward.logsumexp}, other),
                                {{4, 5}, {3, columns}});
    }
}

} // namespace grader_backward_shapes
