// 05.2 to 05.5 asked where a shortcut ends: one that looks at a part of a mask in place of all,
// that takes keys block by block, or that counts in 16 bits. The rest of the lesson: grader.cpp,
// grader_blocked_softmax.cpp and grader_attention.cpp.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "examples.hpp"
#include "support/in_part.hpp"

namespace grader_shortcuts {

using namespace batches;
using namespace examples;
using judge::expect_close;
using lesson::Mask;
using plain::infinity;
using plain::mask_of;

namespace {

constexpr judge::Tolerance exact{0, 0};

void expect_blocked(const Matrix& scores, const Mask& mask) {
    expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity), exact);
}

void expect_softmax(const Matrix& scores, const Mask& mask,
                    const judge::Tolerance& tolerance = judge::componentwise) {
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                 tolerance);
}

void expect_added(const Mask& mask) {
    expect_close(graded::additive_mask(mask),
                 plain::filled(xt::zeros<double>(mask.shape()), mask, -infinity), exact);
}

/// The mask with one place turned, each in turn.
std::vector<Mask> each_with_one_turned(const Mask& mask) {
    std::vector<Mask> all(mask.size(), mask);
    for (std::size_t k = 0; k < mask.size(); ++k) {
        all[k].flat(k) = !mask.flat(k);
    }
    return all;
}

/// Nearly the masks that have a name: causal, padding on the right, everything allowed, nothing.
std::vector<Mask> nearly(std::size_t n) {
    std::vector<Mask> all;
    for (const Mask& mask :
         {plain::causal_mask(n), mask_of(n, n, [](auto, auto j) { return j < 3; }),
          mask_of(n, n, [](auto, auto) { return true; }),
          mask_of(n, n, [](auto, auto) { return false; })}) {
        for (const Mask& turned : each_with_one_turned(mask)) {
            all.push_back(turned);
        }
    }
    // Causal and two of its places exchanged: it allows as many.
    for (std::size_t i = 1; i < n; ++i) {
        Mask exchanged = plain::causal_mask(n);
        std::swap(exchanged(i, 0), exchanged(i - 1, i));
        all.push_back(exchanged);
        exchanged = plain::causal_mask(n);
        std::swap(exchanged(i, i), exchanged(0, i));
        all.push_back(exchanged);
    }
    return all;
}

/// Causal but for one place, where there are many positions.
std::vector<Mask> nearly_causal_and_large() {
    constexpr std::size_t n = 67;
    std::vector<Mask> all;
    for (const auto& [i, j] : std::vector<std::pair<std::size_t, std::size_t>>{{33, 5},
                                                                               {40, 40},
                                                                               {20, 41},
                                                                               {n - 1, 30},
                                                                               {n - 1, n - 2},
                                                                               {1, 2},
                                                                               {2, 1},
                                                                               {5, n - 1}}) {
        Mask mask = plain::causal_mask(n);
        mask(i, j) = !mask(i, j);
        all.push_back(mask);
    }
    return all;
}

/// Each row of a mask is the one before but for one place.
Mask one_turned_from_row_to_row(std::size_t n_keys) {
    const Mask first{random_mask({1, n_keys}, 71)};
    return mask_of(n_keys + 1, n_keys,
                   [&](auto i, auto j) { return j < i ? !first(0, j) : first(0, j); });
}

// Where the blocks end that keys are taken in.
constexpr std::size_t ends[] = {1,  4,  7,  8,  9,   15,  16,  17,  31,  32,
                                33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
constexpr std::size_t n_ends = std::size(ends);
constexpr std::size_t many = 261;

/// Whole blocks of keys blocked in each row: at the start, at the end, in the middle; or allowed
/// alone, or a single key in a place that ends a block.
Mask blocks_blocked() {
    return mask_of(5 * n_ends, many, [](std::size_t i, std::size_t j) {
        const std::size_t end = ends[i % n_ends];
        switch (i / n_ends) {
        case 0:
            return j >= end;
        case 1:
            return j < end;
        case 2:
            return j < end || j >= 2 * end;
        case 3:
            return j >= end && j < 2 * end;
        default:
            return j == end;
        }
    });
}

const std::vector<std::array<std::size_t, 2>> beyond_16_bits{{300, 290}, {1, 65'601}};

/// The first row does not allow everything, a later one does, and others come after it.
const Mask all_in_the_middle{
    {true, false, true}, {true, true, true}, {false, true, true}, {true, true, false}};

} // namespace

// ---- 05.2

TEST_CASE("05.2 apply_mask: a row that allows everything, between others that do not") {
    expect_blocked(standard_normal(4, 3, 78), all_in_the_middle);
}

TEST_CASE("05.2 apply_mask: a mask that is causal, or all one, but for a single place") {
    const Matrix scores = standard_normal(5, 5, 72);
    for (const Mask& mask : nearly(5)) {
        expect_blocked(scores, mask);
    }
    for (const Mask& mask : nearly_causal_and_large()) {
        expect_blocked(standard_normal(67, 67, 73), mask);
    }
}

TEST_CASE("05.2 apply_mask: rows that differ in one number only, or are blocked in whole blocks") {
    for (const std::size_t n_keys : {7U, 70U}) {
        expect_blocked(standard_normal(n_keys + 1, n_keys, 74), one_turned_from_row_to_row(n_keys));
    }
    const Matrix scores = drawn::two_exchanged({0.5, -1.25, 0.25, 1.5, -0.75, 0.125});
    expect_blocked(scores, mask_of(scores.shape(0), 6, [](auto, auto j) { return j != 2; }));
    expect_blocked(standard_normal(5 * n_ends, many, 75), blocks_blocked());
}

TEST_CASE("05.2 apply_mask: scores that sum to 0, and are not 0") {
    const Matrix scores = drawn::rows_nearly_zero();
    expect_blocked(scores, every_other(scores.shape(0), scores.shape(1)));
    expect_blocked(scores,
                   mask_of(scores.shape(0), scores.shape(1), [](auto, auto) { return true; }));
}

TEST_CASE("05.2 apply_mask: there may be more than 65,536 scores") {
    for (const auto& [n_queries, n_keys] : beyond_16_bits) {
        expect_blocked(standard_normal(n_queries, n_keys, 76),
                       random_mask({n_queries, n_keys}, 77));
    }
}

// ---- 05.3

TEST_CASE("05.3 masked_softmax: a row that allows everything, between others that do not") {
    expect_softmax(standard_normal(4, 3, 78), all_in_the_middle);
}

TEST_CASE("05.3 masked_softmax: a mask that is causal, or all one, but for a single place") {
    const Matrix scores = standard_normal(5, 5, 72);
    for (const Mask& mask : nearly(5)) {
        expect_softmax(scores, mask);
    }
    for (const Mask& mask : nearly_causal_and_large()) {
        expect_softmax(standard_normal(67, 67, 73), mask);
    }
}

TEST_CASE("05.3 masked_softmax: rows that differ in one number only, or in two") {
    for (const std::size_t n_keys : {7U, 70U}) {
        expect_softmax(standard_normal(n_keys + 1, n_keys, 74), one_turned_from_row_to_row(n_keys));
    }
    for (const Matrix& scores :
         {drawn::two_exchanged({0.5, -1.25, 0.25, 1.5, -0.75, 0.125}), drawn::one_changed(6, 78)}) {
        expect_softmax(scores, mask_of(scores.shape(0), 6, [](auto, auto j) { return j != 2; }));
        expect_softmax(scores, mask_of(scores.shape(0), 6, [](auto, auto) { return true; }));
    }
}

TEST_CASE("05.3 masked_softmax: keys that are blocked in whole blocks, as by padding on the left") {
    const Mask mask = blocks_blocked();
    Matrix scores = standard_normal(mask.shape(0), many, 75);
    expect_softmax(scores, mask);
    for (std::size_t k = 0; k < mask.size(); ++k) { // and far above what is allowed
        scores.flat(k) += mask.flat(k) ? 0 : 2000;
    }
    expect_softmax(scores, mask);
}

TEST_CASE("05.3 masked_softmax: several blocked scores lie far above the others") {
    expect_softmax(hand_scores, hand_mask);
    expect_softmax(hand_scores, nothing_allowed);
    for (std::size_t blocked = 1; blocked < 6; ++blocked) {
        Matrix scores = standard_normal(4, 8, 79);
        const Mask mask =
            mask_of(4, 8, [=](auto i, auto j) { return (i % 2 == 0 ? j : 7 - j) >= blocked; });
        for (std::size_t k = 0; k < mask.size(); ++k) {
            scores.flat(k) += mask.flat(k) ? 0 : 1000.0 * static_cast<double>(1 + k % 8);
        }
        expect_softmax(scores, mask);
    }
}

TEST_CASE("05.3 masked_softmax: blocked scores may be as large as they like, where nothing is "
          "allowed, too") {
    expect_softmax(hand_scores, hand_mask);
    expect_softmax(hand_scores, nothing_allowed);
    for (const double size : {1e4, -1e4, 1e300, -1e300}) {
        expect_softmax({{size, 2, size}, {0, -size, 1}, {-size, size, 3}},
                       {{false, false, false}, {true, false, true}, {false, false, false}});
    }
    expect_softmax({{-1.7e308, 1.7e308}, {-1.7e308, 1.7e308}}, {{true, false}, {false, false}});
}

TEST_CASE("05.3 masked_softmax: scores that sum to 0, and are not 0") {
    const Matrix scores = drawn::rows_nearly_zero();
    const std::size_t n = scores.shape(0), m = scores.shape(1);
    expect_softmax(scores, every_other(n, m));
    expect_softmax(scores, mask_of(n, m, [](auto, auto) { return true; }));
    expect_softmax(
        {{1, -1, 0, 5}, {2, -1.5, -0.5, 1}, {-1, 1, 1, -1}},
        {{true, true, true, false}, {true, true, true, false}, {true, true, false, false}});
}

TEST_CASE("05.3 masked_softmax: scores of some hundreds, where exp is nearly infinite, or 0") {
    expect_softmax(hand_scores, hand_mask);
    const Mask mask{{true, true, true, false}, {true, false, true, true}};
    constexpr judge::Tolerance far{1e-11, 1e-300};
    for (const double size : {490.0, 650.0, 708.9, 709.0, -650.0, -709.0, -734.0}) {
        expect_softmax({{size, size - 0.5, size + 0.2, 0}, {size, 3, size + 0.25, size - 1}}, mask,
                       far);
    }
    expect_softmax({{708.9, 708.9, 708.9, 0}, {-708, 9, -740, -720}}, mask, far);
    Matrix alike = xt::ones<double>({1, 2000});
    alike *= 702.5;
    expect_softmax(alike, random_mask({1, 2000}, 80), far);
    // Of two keys, too, a weight may be small.
    expect_softmax({{0, -30}, {-300, 0}}, {{true, true}, {true, true}}, far);
    expect_softmax({{0, -30, 9}, {-300, 9, 0}}, {{true, true, false}, {true, false, true}},
                   {1e-11, 1e-300});
    expect_softmax({{709, -3, -709, 0}, {-709, 3, -708, 709}}, mask, {1e-9, 1e-12});
}

TEST_CASE("05.3 masked_softmax: there may be more than 65,536 scores") {
    // Not so many keys: who compares each with each is right, too.
    expect_softmax(standard_normal(396, 166, 76), random_mask({396, 166}, 77));
}

// ---- 05.4

TEST_CASE("05.4 additive_mask: a row that allows everything, between others that do not") {
    expect_added(all_in_the_middle);
}

TEST_CASE("05.4 additive_mask: a mask that is causal, or all one, but for a single place") {
    for (const Mask& mask : nearly(5)) {
        expect_added(mask);
    }
    for (const Mask& mask : nearly_causal_and_large()) {
        expect_added(mask);
    }
}

TEST_CASE(
    "05.4 additive_mask: rows that differ in one place only, or are blocked in whole blocks") {
    for (const std::size_t n_keys : {7U, 70U}) {
        expect_added(one_turned_from_row_to_row(n_keys));
    }
    expect_added(blocks_blocked());
}

TEST_CASE("05.4 additive_mask: a mask may have more than 65,536 places") {
    for (const auto& [n_queries, n_keys] : beyond_16_bits) {
        expect_added(random_mask({n_queries, n_keys}, 77));
    }
}

} // namespace grader_shortcuts
