// 05.5 with numbers that are large or small; the rest of it: grader_attention.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "batches.hpp"

using namespace batches;

namespace {

const xt::xarray<bool> first_only{{true, false}};
const xt::xarray<bool> nothing{{false, false}};

/// Asked only of a function that is right on ordinary scores: see grader_blocked_softmax.cpp.
void expect_right_far_out(const Batch& in, const OptionalMask& mask) {
    expect_attention(by_hand, first_only);
    expect_attention(by_hand, nothing);
    expect_attention(in, mask, {1e-9, 1e-12});
}

/// One query whose scores are those given, d_k being 1; the values all differ.
Batch scoring(const std::vector<double>& scores) {
    Batch in = random_batch(1, 1, scores.size(), 1, 2);
    in.Q.fill(1);
    std::copy(scores.begin(), scores.end(), in.K.begin());
    return in;
}

} // namespace

TEST_CASE("05.5 scaled_dot_product_attention: a blocked score may be as large as it likes") {
    expect_right_far_out(scoring({-1, 1e4}), first_only);
}

TEST_CASE("05.5 scaled_dot_product_attention: an allowed score may lie far below a blocked one") {
    expect_right_far_out(scoring({-1e10, 0}), first_only);
    expect_right_far_out(scoring({-1e38, 0}), first_only);
    expect_right_far_out(scoring({-1e300, 0}), first_only);
}

TEST_CASE("05.5 scaled_dot_product_attention: one query's scores lie at 2e4, the next one's at "
          "-2e4") {
    expect_right_far_out({{{{2e4}, {-2e4}}}, {{{1}, {0.5}}}, by_hand.V}, {});
}

TEST_CASE("05.5 scaled_dot_product_attention: one query's scores lie at -2e4, the next one's at "
          "2e4") {
    expect_right_far_out({{{{-2e4}, {2e4}}}, {{{1}, {0.5}}}, by_hand.V}, {});
}

TEST_CASE("05.5 scaled_dot_product_attention: a weight may be small and is not 0") {
    const Tensor3 K{{{0},
                     {-6},
                     {-8},
                     {-10.5},
                     {-13},
                     {-15},
                     {-17.5},
                     {-20},
                     {-22},
                     {-26},
                     {-32},
                     {-45},
                     {-80},
                     {-300}}};
    expect_attention({{{{1}}}, K, xt::exp(-K)}, {});
}

TEST_CASE("05.5 scaled_dot_product_attention: queries, keys or values may be tiny, or huge") {
    const Batch in = random_batch(2, 3, 5, 4, 6, 61);
    const xt::xarray<bool> mask = random_mask({3, 5}, 62);
    for (const double size : {1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        // The scores are ordinary ones.
        expect_attention({in.Q * size, in.K / size, in.V}, {});
        expect_attention({in.Q * size, in.K / size, in.V}, mask);
        expect_attention({in.Q, in.K, in.V * size}, mask);
    }
    for (const double size : {1e-6, 1e-9, 1e-30}) { // nearly equal weights, but not quite
        expect_attention({in.Q * size, in.K, in.V}, mask);
        expect_attention({in.Q, in.K * size, in.V}, mask);
    }
    Batch one = in; // a single number that is huge, where it is blocked, and a value that is tiny
    one.V(0, 1, 2) = 1e200;
    one.V(1, 4, 0) = 1e-200;
    xt::xarray<bool> blocked = xt::ones<bool>({3, 5});
    xt::view(blocked, xt::all(), 1) = false;
    expect_attention(one, blocked);
}

TEST_CASE("05.5 scaled_dot_product_attention: of scores that are huge the larger takes everything, "
          "above 0 as below it") {
    for (const double size : {1e6, 1e12, 1e30, 1e100}) {
        expect_right_far_out(scoring({2 * size, 3 * size, size}), {});
        expect_right_far_out(scoring({-3 * size, -2 * size, 0}), {});
        expect_right_far_out(scoring({0, -2 * size, -3 * size}),
                             xt::xarray<bool>{{false, true, true}});
    }
    expect_right_far_out(scoring({-1e10, -1e10, 0}), xt::xarray<bool>{{true, true, false}});
    expect_right_far_out(scoring({1e10, 0, 1e10}), {});
    for (const double size : {1e5, 1e6}) { // and by little
        expect_right_far_out(scoring({size, size - 1, size + 1}), {});
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: all scores lie far below 0") {
    expect_right_far_out(scoring({-5000, -4998, -4999}), {});
}

TEST_CASE("05.5 scaled_dot_product_attention: the first key scores 2000, far above the others") {
    expect_right_far_out(scoring({2000, 1, 0}), {});
}

TEST_CASE("05.5 scaled_dot_product_attention: a key between others scores 2000") {
    expect_right_far_out(scoring({0, 2000, 1}), {});
}

TEST_CASE("05.5 scaled_dot_product_attention: the last key scores 2000, far above the others") {
    expect_right_far_out(scoring({1, 0, 2000}), {});
}
