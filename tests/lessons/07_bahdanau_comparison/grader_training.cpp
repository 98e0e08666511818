// 07.3: scores and gradients of the differentiable scores, in float.

#include <doctest/doctest.h>

#include <cmath>

#include "float_arrays.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"

namespace grader_training {

using float_arrays::Array;
using float_arrays::compare_in_float;
using float_arrays::in_float;
using float_arrays::Shape;
using float_arrays::some;
using judge::expect_close;
using judge::expect_shape;
using judge::expect_that;
using judge::sizes;
using on_arrays::AdditiveScores;
using on_arrays::DotProductScores;

namespace {

constexpr judge::Tolerance of_the_largest{0, 0, 1e-4}; // whatever the size of all

const bool registered = [] {
    compare_in_float("additive");
    compare_in_float("scaled_dot_product");
    return true;
}();

const float ln_2 = std::log(2.0F), ln_3 = std::log(3.0F);

struct Problem {
    Array states, keys, v, d_scores;
};

Problem some_problem(std::size_t batch, std::size_t n_keys, std::size_t d_a,
                     std::uint64_t seed = 1) {
    return {some({batch, d_a}, seed), some({batch, n_keys, d_a}, seed + 1), some({d_a}, seed + 2),
            some({batch, n_keys}, seed + 3)};
}

// batch, n_keys, d_a
constexpr std::size_t awkward_sizes[][3] = {{1, 1, 1}, {1, 5, 3}, {5, 1, 7},   {3, 7, 1},
                                            {2, 1, 1}, {1, 1, 5}, {7, 13, 11}, {4, 3, 64}};

constexpr std::size_t large_sizes[][3] = {{131, 2, 3}, {2, 137, 3}, {3, 2, 139}};

/// More than 2048 of one size, in each place; with so small numbers that sums of so many are of 1.
std::vector<Problem> huge_problems() {
    std::vector<Problem> problems{some_problem(401, 1, 2, 111), some_problem(1, 2063, 2, 121),
                                  some_problem(1, 2, 2069, 131)};
    problems[0].d_scores /= 64.0F;
    problems[1].d_scores /= 64.0F;
    problems[2].v /= 64.0F;
    return problems;
}

/// Every third number is 0, and so is all of the second sentence.
Array with_zeros(Array array) {
    for (std::size_t k = 0; k < array.size(); k += 3) {
        array.flat(k) = 0;
    }
    if (array.dimension() > 1 && array.shape(0) > 1) {
        xt::view(array, 1) = 0;
    }
    return array;
}

std::vector<Problem> problems_with_zeros() {
    const Problem in = some_problem(3, 4, 5, 141), one = some_problem(1, 2, 4, 151);
    return {{with_zeros(in.states), with_zeros(in.keys), with_zeros(in.v), in.d_scores},
            {in.states, in.keys, in.v, with_zeros(in.d_scores)},
            {with_zeros(one.states), with_zeros(one.keys), with_zeros(one.v), one.d_scores}};
}

void expect_additive(const Problem& in, judge::Tolerance tolerance = in_float) {
    expect_close(graded::additive(in.states, in.keys, in.v, in.d_scores),
                 plain::additive(in.states, in.keys, in.v, in.d_scores), tolerance);
}

void expect_dot_product(const Problem& in, judge::Tolerance tolerance = in_float) {
    expect_close(graded::scaled_dot_product(in.states, in.keys, in.d_scores),
                 plain::scaled_dot_product(in.states, in.keys, in.d_scores), tolerance);
}

/// The shape is the input's, and not every element is 0.
void expect_gradient(const std::string& of, const Array& gradient, const Array& input) {
    expect_shape(sizes(gradient), sizes(input));
    expect_that(xt::amax(xt::abs(gradient))() > 0, "training needs a gradient of " + of,
                "none flows back to it: every element is 0");
}

/// The gradient of sentence b alone is 0: nothing was asked of it.
void expect_no_gradient(const std::string& of, const Array& gradient, std::size_t b) {
    const Array part = xt::view(gradient, b);
    expect_that(xt::amax(xt::abs(part))() == 0,
                "scores of another sentence have no influence on " + of + " of sentence " +
                    std::to_string(b),
                "a gradient flows there");
}

} // namespace

TEST_CASE("07.3 additive: one sentence, two keys, two components, with its gradients by hand") {
    // tanh(½ ln 3) = 1/2, tanh(ln 3) = 4/5, tanh(ln 2) = 3/5, and tanh' = 1 − tanh².
    expect_close(
        graded::additive({{ln_3 / 2, 0}}, {{{ln_3 / 2, ln_2}, {0, ln_3}}}, {10, -10}, {{1, 2}}),
        AdditiveScores{{{2, -3}}, {{18.6F, -13.6F}}, {{{3.6F, -6.4F}, {15, -7.2F}}}, {1.8F, 2.2F}},
        in_float);
}

TEST_CASE("07.3 additive: three sentences with three states, and as many keys and components") {
    expect_additive(some_problem(3, 3, 3));
}

TEST_CASE("07.3 additive: two sentences, five keys, four components: scores and gradients") {
    expect_additive(some_problem(2, 5, 4, 11));
}

TEST_CASE("07.3 additive: gradients reach states, keys and v") {
    const Problem in = some_problem(3, 2, 5, 21);
    const AdditiveScores answer = graded::additive(in.states, in.keys, in.v, in.d_scores);
    expect_shape(sizes(answer.scores), {3, 2});
    expect_gradient("states", answer.d_states, in.states);
    expect_gradient("keys", answer.d_keys, in.keys);
    expect_gradient("v", answer.d_v, in.v);
    expect_additive(in);
}

TEST_CASE("07.3 additive: a sentence's scores come from its own state and keys alone") {
    Problem in = some_problem(3, 2, 4, 31);
    xt::view(in.d_scores, xt::range(0, 2)) = 0; // only the last is asked for
    const AdditiveScores answer = graded::additive(in.states, in.keys, in.v, in.d_scores);
    expect_shape(sizes(answer.d_states), sizes(in.states));
    expect_shape(sizes(answer.d_keys), sizes(in.keys));
    for (const std::size_t b : {0U, 1U}) {
        expect_no_gradient("the state", answer.d_states, b);
        expect_no_gradient("the keys", answer.d_keys, b);
    }
    expect_additive(in);
}

TEST_CASE("07.3 additive: v = 0 leaves states and keys without a gradient, not itself") {
    Problem in = some_problem(2, 3, 4, 41);
    in.v.fill(0);
    expect_additive(in);
}

TEST_CASE("07.3 additive: saturated, every tanh 1 or −1, scores stay and gradients vanish") {
    Problem in = some_problem(2, 3, 4, 51);
    in.states *= 1000.0F;
    expect_additive(in);
}

TEST_CASE("07.3 additive: awkward sizes agree with plain loops in long double") {
    for (const auto& size : awkward_sizes) {
        expect_additive(some_problem(size[0], size[1], size[2], size[2]));
    }
}

TEST_CASE("07.3 additive: a component of 0 is one like any other, and a sentence of zeros, too") {
    for (const Problem& in : problems_with_zeros()) {
        expect_additive(in);
    }
}

TEST_CASE("07.3 additive: more than 128 sentences, keys and components") {
    for (const auto& size : large_sizes) {
        expect_additive(some_problem(size[0], size[1], size[2], size[2]));
    }
}

TEST_CASE("07.3 additive: more than 2048 sentences, keys and components") {
    for (const Problem& in : huge_problems()) {
        expect_additive(in);
    }
}

TEST_CASE("07.3 additive: v or the gradient may be tiny, or huge") {
    for (const float size : {1e-12F, 1e-6F, 1e6F, 1e12F}) {
        Problem in = some_problem(2, 3, 4, 161);
        in.v *= size;
        expect_additive(in, of_the_largest);
        in.d_scores /= size;
        expect_additive(in, of_the_largest);
    }
}

TEST_CASE("07.3 scaled_dot_product: one sentence, two keys, √4 = 2, with its gradients by hand") {
    expect_close(
        graded::scaled_dot_product({{1, 2, 3, 4}}, {{{1, 0, 0, 0}, {1, 1, 1, -1}}}, {{2, 6}}),
        DotProductScores{{{0.5F, 1}}, {{4, 3, 3, -3}}, {{{1, 2, 3, 4}, {3, 6, 9, 12}}}}, in_float);
}

TEST_CASE("07.3 scaled_dot_product: three sentences, and as many keys and components") {
    expect_dot_product(some_problem(3, 3, 3, 61));
}

TEST_CASE("07.3 scaled_dot_product: two sentences, five keys, four components") {
    expect_dot_product(some_problem(2, 5, 4, 71));
}

TEST_CASE("07.3 scaled_dot_product: gradients reach states and keys") {
    const Problem in = some_problem(3, 2, 5, 81);
    const DotProductScores answer = graded::scaled_dot_product(in.states, in.keys, in.d_scores);
    expect_shape(sizes(answer.scores), {3, 2});
    expect_gradient("states", answer.d_states, in.states);
    expect_gradient("keys", answer.d_keys, in.keys);
    expect_dot_product(in);
}

TEST_CASE("07.3 scaled_dot_product: a sentence's scores come from its own state and keys alone") {
    Problem in = some_problem(3, 2, 4, 91);
    xt::view(in.d_scores, xt::range(1, 3)) = 0; // only the first is asked for
    const DotProductScores answer = graded::scaled_dot_product(in.states, in.keys, in.d_scores);
    expect_shape(sizes(answer.d_states), sizes(in.states));
    expect_shape(sizes(answer.d_keys), sizes(in.keys));
    for (const std::size_t b : {1U, 2U}) {
        expect_no_gradient("the state", answer.d_states, b);
        expect_no_gradient("the keys", answer.d_keys, b);
    }
    expect_dot_product(in);
}

TEST_CASE("07.3 scaled_dot_product: twice the state has twice the scores, far out too") {
    Problem in = some_problem(2, 3, 4, 101);
    in.states *= 1000.0F;
    expect_dot_product(in);
}

TEST_CASE("07.3 scaled_dot_product: states, keys or the gradient may be tiny, or huge") {
    for (const float size : {1e-12F, 1e-6F, 1e6F, 1e12F}) {
        const Problem in = some_problem(2, 3, 4, 171);
        expect_dot_product({in.states * size, in.keys, in.v, in.d_scores}, of_the_largest);
        expect_dot_product({in.states, in.keys * size, in.v, in.d_scores}, of_the_largest);
        expect_dot_product({in.states * size, in.keys / size, in.v, in.d_scores}, of_the_largest);
        expect_dot_product({in.states, in.keys, in.v, in.d_scores * size}, of_the_largest);
    }
}

TEST_CASE("07.3 scaled_dot_product: one component may be tiny in states and huge in keys, or the "
          "other way round") {
    for (const float size : {1e-12F, 1e-6F, 1e6F, 1e12F}) {
        Problem in = some_problem(2, 3, 4, 181);
        xt::view(in.states, xt::all(), 1) *= size;
        xt::view(in.keys, xt::all(), xt::all(), 1) /= size;
        expect_dot_product(in);
    }
}

TEST_CASE("07.3 scaled_dot_product: awkward sizes agree with plain loops in long double") {
    for (const auto& size : awkward_sizes) {
        expect_dot_product(some_problem(size[0], size[1], size[2], size[2]));
    }
}

TEST_CASE("07.3 scaled_dot_product: a component of 0 is one like any other, and a sentence of "
          "zeros, too") {
    for (const Problem& in : problems_with_zeros()) {
        expect_dot_product(in);
    }
}

TEST_CASE("07.3 scaled_dot_product: more than 128 sentences, keys and components") {
    for (const auto& size : large_sizes) {
        expect_dot_product(some_problem(size[0], size[1], size[2], size[2]));
    }
}

TEST_CASE("07.3 scaled_dot_product: more than 2048 sentences, keys and components") {
    for (const Problem& in : huge_problems()) {
        expect_dot_product(in);
    }
}

} // namespace grader_training
