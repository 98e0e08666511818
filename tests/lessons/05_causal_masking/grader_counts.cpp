// 05.2 to 05.5 asked with masks that allow or block 256 places, or 65,536, in a row, in a column or
// in all, which a count in 8 or 16 bits takes for none, and with shapes whose text is long. The
// rest of the lesson: grader.cpp, grader_blocked_softmax.cpp and grader_attention.cpp.

#include <doctest/doctest.h>

#include "examples.hpp"

namespace grader_counts {

using namespace batches;
using namespace examples;
using judge::expect_close;
using lesson::Mask;
using plain::infinity;
using plain::mask_of;

namespace {

constexpr judge::Tolerance exact{0, 0};

/// Rows that allow or block 256 keys, or 512: the first of them, the last, every other one.
Mask rows_of_256() {
    return mask_of(6, 520, [](std::size_t i, std::size_t j) {
        switch (i) {
        case 0:
            return j < 256;
        case 1:
            return j >= 256;
        case 2:
            return j % 2 == 0 && j < 512;
        case 3:
            return j < 512;
        case 4:
            return j >= 512;
        default:
            return j % 2 == 1;
        }
    });
}

std::vector<Mask> counted_in_bytes() {
    return {rows_of_256(), xt::transpose(rows_of_256()),
            mask_of(16, 16, [](auto, auto) { return true; }),
            mask_of(16, 16, [](auto, auto) { return false; }),
            mask_of(16, 32, [](auto i, auto j) { return (i + j) % 2 == 0; }),
            // 256 in each row and in each column that is not blocked, 65,536 in all
            mask_of(256, 512, [](auto, auto j) { return j % 2 == 0; })};
}

/// Square masks that allow i + 1 keys in row i, as the causal one does, but others: the last ones,
/// the first of them last, and its own with those after it.
std::vector<Mask> counted_like_causal() {
    return {{{false, true}, {true, true}},
            mask_of(5, 5, [](auto i, auto j) { return j + i + 1 >= 5; }),
            mask_of(4, 4, [](auto i, auto j) { return j > 0 ? j <= i + 1 : i == 3; }),
            mask_of(6, 6, [](auto i, auto j) { return (j + 6 - i) % 6 <= i; })};
}

} // namespace

TEST_CASE("05.2 apply_mask: 256 places in a row, in a column or in all may be blocked, or allowed, "
          "and so may 65,536") {
    for (const Mask& mask : counted_in_bytes()) {
        const Matrix scores = standard_normal(mask.shape(0), mask.shape(1), 101);
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity),
                     exact);
    }
}

TEST_CASE("05.3 masked_softmax: a query may see 256 keys, and a key be seen by 256 queries; 65,536 "
          "places in all may be allowed") {
    for (const Mask& mask : counted_in_bytes()) {
        const Matrix scores = standard_normal(mask.shape(0), mask.shape(1), 102);
        expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                     judge::componentwise);
    }
}

TEST_CASE("05.4 additive_mask: 256 places in a row, in a column or in all may be blocked, or "
          "allowed, and so may 65,536") {
    for (const Mask& mask : counted_in_bytes()) {
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>(mask.shape()), mask, -infinity), exact);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: a query may see 256 keys, and a key be seen by 256 "
          "queries; 65,536 places in all may be allowed") {
    for (const Mask& mask : counted_in_bytes()) {
        const auto [Q, K, V] = random_batch(1, mask.shape(0), mask.shape(1), 2, 1, 103);
        expect_close(graded::scaled_dot_product_attention(Q, K, V, mask),
                     plain::Mechanism{}(Q, K, V, mask), judge::normwise);
    }
    // 256 sequences that see a key, and 256 keys that a sequence sees.
    xt::xarray<bool> padding = xt::ones<bool>({256, 1, 2});
    expect_attention(random_batch(256, 1, 2, 1, 1, 104), padding);
    padding = xt::ones<bool>({2, 1, 300});
    xt::view(padding, 1, 0, xt::range(256, 300)) = false;
    expect_attention(random_batch(2, 2, 300, 1, 1, 105), padding);
}

TEST_CASE("05.2 apply_mask: row i may allow i + 1 keys that are not the first ones") {
    for (const Mask& mask : counted_like_causal()) {
        const Matrix scores = standard_normal(mask.shape(0), mask.shape(1), 106);
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity),
                     exact);
    }
}

TEST_CASE("05.3 masked_softmax: row i may allow i + 1 keys that are not the first ones") {
    for (const Mask& mask : counted_like_causal()) {
        const Matrix scores = standard_normal(mask.shape(0), mask.shape(1), 107);
        expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                     judge::componentwise);
    }
}

TEST_CASE("05.4 additive_mask: row i may allow i + 1 keys that are not the first ones") {
    for (const Mask& mask : counted_like_causal()) {
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>(mask.shape()), mask, -infinity), exact);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: row i may allow i + 1 keys that are not the first "
          "ones") {
    for (const Mask& mask : counted_like_causal()) {
        expect_attention(random_batch(2, mask.shape(0), mask.shape(1), 3, 2, 108), mask);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: sizes of six digits are named to the last digit") {
    const auto zeros = [](std::size_t batch, std::size_t rows, std::size_t columns) -> Tensor3 {
        return xt::zeros<double>({batch, rows, columns});
    };
    const Tensor3 wide = zeros(1, 2, 123456), wider = zeros(1, 3, 234567);
    refuses({wide, wider, zeros(1, 3, 1)}, {}, {sizes(wide), sizes(wider)});
    const Tensor3 keys = zeros(1, 123456, 1), values = zeros(1, 234567, 2);
    refuses({zeros(1, 2, 1), keys, values}, {}, {sizes(keys), sizes(values)});
    const xt::xarray<bool> mask = xt::ones<bool>({2, 234567});
    refuses({zeros(1, 2, 1), keys, keys}, mask, {{2, 234567}, {1, 2, 123456}});
}

} // namespace grader_counts
