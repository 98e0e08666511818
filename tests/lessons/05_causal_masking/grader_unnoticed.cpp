// 05.2 to 05.5 asked with large arguments, one after the other, that differ in a single place, and
// 05.5 with a d_k beside a square and with values beside which others vanish. The rest of the
// lesson: grader.cpp, grader_blocked_softmax.cpp and grader_attention.cpp.

#include <doctest/doctest.h>

#include "examples.hpp"
#include "support/large_alike.hpp"

namespace grader_unnoticed {

using namespace batches;
using namespace examples;
using drawn::one_unnoticed;
using judge::expect_close;
using lesson::Mask;
using plain::infinity;

namespace {

constexpr judge::Tolerance exact{0, 0};

/// A mask, and the same with one place turned.
std::vector<Mask> large_masks() {
    return one_unnoticed(every_other(33, 16), [](bool allowed) { return !allowed; });
}

} // namespace

TEST_CASE("05.2 apply_mask: many scores, or masks, that differ in one place only") {
    const Matrix scores = standard_normal(33, 16, 151);
    for (const Matrix& changed : one_unnoticed(scores)) {
        const Mask mask = every_other(33, 16);
        expect_close(graded::apply_mask(changed, mask), plain::filled(changed, mask, -infinity),
                     exact);
    }
    for (const Mask& mask : large_masks()) {
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity),
                     exact);
    }
}

TEST_CASE("05.3 masked_softmax: many scores, or masks, that differ in one place only") {
    const Matrix scores = standard_normal(33, 16, 152);
    const auto expect = [](const Matrix& given, const Mask& mask) {
        expect_close(graded::masked_softmax(given, mask), plain::masked_softmax(given, mask),
                     judge::componentwise);
    };
    for (const Matrix& changed : one_unnoticed(scores)) {
        expect(changed, every_other(33, 16));
        expect(changed, plain::mask_of(33, 16, [](auto, auto) { return true; }));
    }
    for (const Mask& mask : large_masks()) {
        expect(scores, mask);
    }
}

TEST_CASE("05.4 additive_mask: large masks that differ in one place only") {
    for (const Mask& mask : large_masks()) {
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>(mask.shape()), mask, -infinity), exact);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: large arguments that differ in one number only") {
    const auto [Q, K, V] = random_batch(3, 9, 12, 11, 10, 153);
    for (const Tensor3& queries : one_unnoticed(Q)) {
        expect_attention({queries, K, V}, {});
    }
    for (const Tensor3& keys : one_unnoticed(K)) {
        expect_attention({Q, keys, V}, {});
    }
    for (const Tensor3& values : one_unnoticed(V)) {
        expect_attention({Q, K, values}, {});
    }
    const auto turned = [](bool allowed) { return !allowed; };
    for (const xt::xarray<bool>& mask : one_unnoticed(random_mask({3, 9, 12}, 154), turned)) {
        expect_attention({Q, K, V}, mask);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: a root that is nearly a whole number, and is none") {
    for (const std::size_t d_k : drawn::beside_squares) {
        Batch in = random_batch(1, 1, 4, d_k, 2, 155);
        in.Q.fill(1);
        const Matrix keys = drawn::rows_of_one_number(4, d_k);
        std::copy(keys.begin(), keys.end(), in.K.begin());
        // So many products, each rounded, are right to less than others.
        expect_attention(in, {}, {1e-8, 1e-300, 1e-8});
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: tiny values beside huge ones, blocked and in another "
          "column") {
    Batch in = random_batch(2, 3, 4, 5, 2, 156);
    in.V = xt::exp(in.V) * Matrix{{1e-9, 1e305}}; // above 0, so that nothing cancels
    expect_attention(in, {}, {1e-11, 0});
    in = random_batch(2, 3, 4, 5, 2, 157);
    in.V = xt::exp(in.V) * 1e-9;
    xt::view(in.V, xt::all(), 1) = 1.7e308;
    const xt::xarray<bool> mask{{true, false, true, true}};
    expect_attention(in, mask, {1e-11, 0});
}

} // namespace grader_unnoticed
