// 10.1; the rest of the lesson: grader_streaming.cpp, grader_causal.cpp, grader_faster.cpp,
// grader_backward.cpp.

#include <doctest/doctest.h>

#include <limits>

#include "asked.hpp"

namespace grader {

using namespace asked;

namespace {

const double ln2 = std::log(2.0), ln3 = std::log(3.0);

/// What a query knows of the keys first … first + count − 1.
Partial partial_of(const Vector& scores, const Matrix& V, std::size_t first, std::size_t count) {
    Partial result = lesson::no_keys_yet(V.shape(1));
    for (std::size_t j = first; j < first + count; ++j) {
        result.maximum = std::max(result.maximum, scores(j));
    }
    for (std::size_t j = first; j < first + count; ++j) {
        const double p = std::exp(scores(j) - result.maximum);
        result.sum += p;
        for (std::size_t c = 0; c < V.shape(1); ++c) {
            result.output(c) += p * V(j, c);
        }
    }
    return result;
}

void expect_merged(const Partial& a, const Partial& b) {
    expect_close(graded::merge(a, b), plain::merge(a, b), judge::normwise);
}

} // namespace

TEST_CASE("10.1 merge: scores 0 and ln 2 on one side, ln 3 and 0 on the other, by hand") {
    // (1 · 4 + 2 · 1) / 2 = 3 and (3 · 9 + 1 · 3) / 3 = 10, each with its own maximum.
    expect_close(graded::merge({ln2, 1.5, {3}}, {ln3, 4.0 / 3, {10}}), Partial{ln3, 7.0 / 3, {12}},
                 judge::normwise);
}

TEST_CASE("10.1 merge: the larger maximum on the left, on the right, and both alike") {
    expect_merged({2, 1.25, {3, -1}}, {0.5, 2.5, {4, 7}});
    expect_merged({0.5, 2.5, {4, 7}}, {2, 1.25, {3, -1}});
    expect_merged({1.5, 1.25, {3, -1}}, {1.5, 2.5, {4, 7}});
    expect_merged({-2, 1.25, {3, -1, 5}}, {-3, 2.5, {4, 7, 6}});
    expect_merged({-1, 3, {2, -1, 5}}, {3, 1.5, {4, 7, 6}});
}

TEST_CASE("10.1 merge: where there were no keys, the other side comes back") {
    const Partial some{0.75, 1.5, {3, -2}}, none = lesson::no_keys_yet(2);
    expect_close(graded::merge(none, some), some, judge::normwise);
    expect_close(graded::merge(some, none), some, judge::normwise);
    const Partial below{-3, 2.5, {4, 1, 6}};
    expect_close(graded::merge(lesson::no_keys_yet(3), below), below, judge::normwise);
    expect_close(graded::merge(below, lesson::no_keys_yet(3)), below, judge::normwise);
}

TEST_CASE("10.1 merge: no keys on either side is no keys, and not NaN") {
    expect_merged({1, 1.5, {3, -2}}, {2, 1.5, {3, 1}}); // asked only of what is right on numbers
    for (const std::size_t d_v : {1U, 2U, 5U}) {
        const Partial none = lesson::no_keys_yet(d_v);
        expect_close(graded::merge(none, none), none, judge::Tolerance{0, 0});
    }
}

TEST_CASE("10.1 merge: maxima of 1000 and −1000 do not overflow") {
    expect_merged({1000, 1.5, {3, -2}}, {999, 2.5, {4, 1}});
    expect_merged({-1000, 1.5, {3, -2}}, {-1001, 2.5, {4, 1}});
    expect_merged({-1000, 1.5, {3, -2}}, {1000, 2.5, {4, 1}});
    expect_merged({1e4, 1.5, {3, -2}}, {-1e4, 2.5, {4, 1}});
    expect_merged({-1000, 1.5, {3, -2}}, lesson::no_keys_yet(2));
}

TEST_CASE("10.1 merge: the side that is far below counts, where its output is as large") {
    const Partial some{0.5, 1.5, {3, -2}};
    for (const auto& [below, size] :
         {std::pair(22.0, 1e10), std::pair(40.0, 1e20), std::pair(300.0, 1e131)}) {
        const Partial far{0.5 - below, 2.5, {4 * size, -size}};
        expect_merged(some, far);
        expect_merged(far, some);
    }
}

TEST_CASE("10.1 merge: other numbers, and as many components as you like") {
    for (const std::size_t d_v : {1U, 3U, 7U, 17U, 33U, 65U, 67U, 129U, 261U, 5000U}) {
        const Vector numbers = standard_normal(4, d_v);
        expect_merged({numbers(0), 1 + std::abs(numbers(1)), standard_normal(d_v, 10 * d_v)},
                      {numbers(2), 1 + std::abs(numbers(3)), standard_normal(d_v, 10 * d_v + 1)});
    }
}

TEST_CASE("10.1 merge: a maximum of 0 is one like any other, and so is an output of zeros") {
    expect_merged({2, 1.25, {3, -1}}, {0.5, 2.5, {4, 7}}); // asked only of what is right there
    const Partial zero{0, 1.5, {3, -2}}, above{1.25, 2.5, {4, 7}}, below{-0.75, 1.25, {5, 1}},
        no_output{0.5, 1.5, {0, 0}};
    for (const Partial& other : {above, below, zero, no_output, lesson::no_keys_yet(2)}) {
        expect_merged(zero, other);
        expect_merged(other, zero);
        expect_merged(no_output, other);
        expect_merged(other, no_output);
    }
}

TEST_CASE("10.1 merge: maxima of 1e31 and of 1e300, and of minus as much, are finite") {
    expect_merged({2, 1.25, {3, -1}}, {0.5, 2.5, {4, 7}}); // asked only of what is right there
    constexpr double most = std::numeric_limits<double>::max();
    for (const double size : {1e31, -1e31, 1e300, -1e300, most, -most}) {
        const Partial some{size, 1.5, {3, -2}}, ordinary{0.5, 2.5, {4, 7}};
        expect_merged(some, {size, 2.5, {4, 7}});
        expect_merged(some, lesson::no_keys_yet(2));
        expect_merged(lesson::no_keys_yet(2), some);
        expect_merged(some, ordinary);
        expect_merged(ordinary, some);
    }
}

TEST_CASE("10.1 merge: the larger sum on the side of the smaller maximum") {
    expect_merged({0, 5, {3, -2}}, {1, 1.5, {4, 1}});
    expect_merged({1, 1.5, {4, 1}}, {0, 5, {3, -2}});
    expect_merged({-3, 400, {30, -2}}, {1, 1, {4, 1}});
    expect_merged({1, 1, {4, 1}}, {-3, 400, {30, -2}});
}

TEST_CASE("10.1 merge: maxima that are nearly equal") {
    judge::session().suspect(
        {"nearly_equal_taken_for_equal",
         "right, but where the maxima are nearly equal: these are taken for equal. A factor of "
         "exp(−1e-6) is one like any other, and equal maxima need no case of their own."});
    expect_merged({2, 1.25, {3, -1}}, {0.5, 2.5, {4, 7}}); // asked only of what is right there
    for (const double apart : {1e-3, 1e-6, 1e-9}) {
        expect_merged({0.5, 1.5, {3, -2}}, {0.5 + apart, 2.5, {4, 1}});
        expect_merged({0.5 + apart, 1.5, {3, -2}}, {0.5, 2.5, {4, 1}});
        expect_merged({-apart, 1.5, {3, -2}}, {apart, 2.5, {4, 1}});
    }
}

TEST_CASE("10.1 merge: outputs of 1e-100, and of 1e100") {
    expect_merged({2, 1.25, {3, -1}}, {0.5, 2.5, {4, 7}}); // asked only of what is right there
    for (const double size : sizes_of_numbers) {
        expect_merged({2, 1.25, {3 * size, -size}}, {0.5, 2.5, {4 * size, 7 * size}});
        expect_merged({0.5, 2.5, {4 * size, 7 * size}}, lesson::no_keys_yet(2));
    }
}

TEST_CASE("10.1 merge: cut anywhere, the parts give what the whole gives") {
    const Vector scores = 3 * standard_normal(6, 5);
    const Matrix V = standard_normal(6, 2, 6);
    for (std::size_t cut = 0; cut <= 6; ++cut) {
        expect_close(
            graded::merge(partial_of(scores, V, 0, cut), partial_of(scores, V, cut, 6 - cut)),
            partial_of(scores, V, 0, 6), judge::normwise);
    }
}

TEST_CASE("10.1 merge: three parts in either order of merging") {
    const Vector scores{1, -2, 4, 0, 3};
    const Matrix V = standard_normal(5, 3, 7);
    const Partial a = partial_of(scores, V, 0, 2), b = partial_of(scores, V, 2, 1),
                  c = partial_of(scores, V, 3, 2);
    const Partial left = graded::merge(a, b);
    expect_shape(sizes(left.output), {3});
    expect_close(graded::merge(left, c), partial_of(scores, V, 0, 5), judge::normwise);
    const Partial right = graded::merge(b, c);
    expect_shape(sizes(right.output), {3});
    expect_close(graded::merge(a, right), partial_of(scores, V, 0, 5), judge::normwise);
}

TEST_CASE("10.1 merge: outputs of another length are refused, both named") {
    expect_invalid_argument(graded::merge.attempt({1, 1, {1, 2}}, {1, 1, {1, 2, 3}}), {{2}, {3}});
    expect_invalid_argument(graded::merge.attempt({1, 1, {1}}, {1, 1, {1, 2, 3, 4, 5}}),
                            {{1}, {5}});
}

TEST_CASE("10.1 merge: so are those of a side without keys") {
    const Partial some{1, 1, {1, 2, 3}}, none = lesson::no_keys_yet(2);
    expect_invalid_argument(graded::merge.attempt(none, some), {{2}, {3}});
    expect_invalid_argument(graded::merge.attempt(some, none), {{3}, {2}});
    expect_invalid_argument(graded::merge.attempt(none, lesson::no_keys_yet(5)), {{2}, {5}});
}

} // namespace grader
