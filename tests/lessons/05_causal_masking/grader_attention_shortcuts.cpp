// 05.5 asked where a shortcut ends: see grader_shortcuts.cpp.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "batches.hpp"
#include "support/in_part.hpp"

namespace grader_attention_shortcuts {

using namespace batches;
using lesson::Mask;
using plain::mask_of;

namespace {

/// A sequence for each place of the mask, in which that place is turned.
xt::xarray<bool> each_turned(const Mask& mask) {
    xt::xarray<bool> all = xt::ones<bool>({mask.size(), mask.shape(0), mask.shape(1)});
    for (std::size_t b = 0; b < mask.size(); ++b) {
        xt::view(all, b) = mask;
        all.flat(b * mask.size() + b) = !mask.flat(b);
    }
    return all;
}

/// The rows as one sequence.
Tensor3 alone(const Matrix& rows) {
    Tensor3 tensor = Tensor3::from_shape({1, rows.shape(0), rows.shape(1)});
    std::copy(rows.begin(), rows.end(), tensor.begin());
    return tensor;
}

/// Sequences each of which is the one before but for one number.
Tensor3 one_changed(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    const Matrix flat = drawn::one_changed(rows * columns, seed);
    Tensor3 tensor = Tensor3::from_shape({flat.shape(0), rows, columns});
    std::copy(flat.begin(), flat.end(), tensor.begin());
    return tensor;
}

/// One query whose scores are those given, d_k being 1.
Batch scoring(const std::vector<double>& scores) {
    Batch in = random_batch(1, 1, scores.size(), 1, 2);
    in.Q.fill(1);
    std::copy(scores.begin(), scores.end(), in.K.begin());
    return in;
}

} // namespace

TEST_CASE("05.5 scaled_dot_product_attention: a mask that is causal, or all one, but for a single "
          "place") {
    const Batch in = random_batch(2, 4, 4, 3, 2, 71);
    const Batch many = random_batch(16, 4, 4, 3, 2, 72);
    for (const Mask& mask :
         {plain::causal_mask(4), mask_of(4, 4, [](auto, auto j) { return j < 3; }),
          mask_of(4, 4, [](auto, auto) { return true; }),
          mask_of(4, 4, [](auto, auto) { return false; })}) {
        const xt::xarray<bool> turned = each_turned(mask);
        expect_attention(many, turned);
        for (std::size_t b = 0; b < turned.shape(0); ++b) {
            expect_attention(in, xt::xarray<bool>(xt::view(turned, b)));
        }
    }
    Mask large = plain::causal_mask(67);
    large(40, 20) = false;
    large(20, 40) = true;
    expect_attention(random_batch(1, 67, 67, 2, 3, 73), large);
}

TEST_CASE("05.5 scaled_dot_product_attention: keys that are blocked in whole blocks, as by padding "
          "on the left") {
    constexpr std::size_t n_keys = 261;
    const std::vector<std::size_t> ends{4, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257};
    const std::size_t n = ends.size();
    const Batch in = random_batch(1, 3 * n, n_keys, 2, 3, 74);
    expect_attention(in, mask_of(3 * n, n_keys, [&](std::size_t i, std::size_t j) {
                         const std::size_t end = ends[i % n];
                         return i < n ? j >= end : i < 2 * n ? j >= end && j < 2 * end : j == end;
                     }));
    // As a mask of padding, on either side; and as one for all.
    xt::xarray<bool> padding = xt::ones<bool>({2 * n, std::size_t{1}, n_keys});
    for (std::size_t b = 0; b < n; ++b) {
        xt::view(padding, b, 0, xt::range(std::size_t{0}, ends[b])) = false;
        xt::view(padding, n + b, 0, xt::range(ends[b], n_keys)) = false;
    }
    expect_attention(random_batch(2 * n, 2, n_keys, 2, 1, 75), padding);
    const xt::xarray<bool> causal_too =
        mask_of(67, 67, [](std::size_t i, std::size_t j) { return j >= 33 && j <= i; });
    expect_attention(random_batch(2, 67, 67, 3, 2, 76), causal_too);
}

TEST_CASE(
    "05.5 scaled_dot_product_attention: tokens, or sequences, that differ in one number only, "
    "or in two") {
    for (const Matrix& rows :
         {drawn::two_exchanged({0.5, -1.25, 0.25, 1.5, -0.75}), drawn::one_changed(5, 77)}) {
        const Tensor3 X = alone(rows);
        const std::size_t n = rows.shape(0);
        const Tensor3 Y = random_tensor(1, 4, 5, 78);
        expect_attention({X, Y, random_tensor(1, 4, 2, 79)}, {});
        expect_attention({Y, X, random_tensor(1, n, 2, 80)}, {});
        expect_attention({random_tensor(1, 3, 2, 81), random_tensor(1, n, 2, 82), X}, {});
        expect_attention({X, X, X}, plain::causal_mask(n));
    }
    const auto [Q, K, V] = random_batch(3, 3, 3, 4, 2, 94);
    const auto around = [](const Tensor3& tensor) -> Tensor3 { // the first and the last are alike
        return xt::view(tensor, xt::keep(0, 1, 0));
    };
    expect_attention({around(Q), around(K), around(V)}, {});
    const auto tokens_around = [](const Tensor3& tensor) -> Tensor3 {
        return xt::view(tensor, xt::all(), xt::keep(0, 1, 0));
    };
    expect_attention({tokens_around(Q), K, V}, {});
    expect_attention({Q, tokens_around(K), V}, {});
    expect_attention({Q, K, tokens_around(V)}, {});
    const Tensor3 X = one_changed(3, 2, 83);
    const std::size_t batch = X.shape(0);
    Tensor3 same = X; // the same sequence again and again
    for (std::size_t b = 1; b < batch; ++b) {
        xt::view(same, b) = xt::view(same, 0);
    }
    expect_attention({X, same, same}, plain::causal_mask(3));
    expect_attention({same, X, same}, plain::causal_mask(3));
    expect_attention({same, same, X}, plain::causal_mask(3));
    const Tensor3 nine = xt::view(same, xt::keep(0, 0, 0, 0, 0, 0, 0, 0, 0)); // but not one mask
    expect_attention({nine, nine, nine}, each_turned(plain::causal_mask(3)));
}

TEST_CASE("05.5 scaled_dot_product_attention: tokens whose components sum to 0, and are not 0") {
    const Tensor3 X = alone(drawn::rows_nearly_zero());
    const std::size_t n = X.shape(1), d = X.shape(2);
    const Tensor3 Y = random_tensor(1, 4, d, 84);
    const xt::xarray<bool> mask = plain::causal_mask(n);
    expect_attention({X, Y, random_tensor(1, 4, 3, 85)}, {});
    expect_attention({Y, X, random_tensor(1, n, 3, 86)}, {});
    expect_attention({random_tensor(1, n, 2, 87), random_tensor(1, n, 2, 88), X}, mask);
    expect_attention({X, X, X}, mask);
    expect_attention(scoring({1, -1, 0, 7}), xt::xarray<bool>{{true, true, true, false}});
}

TEST_CASE("05.5 scaled_dot_product_attention: several blocked scores lie far above the others") {
    expect_attention(by_hand, xt::xarray<bool>{{true, false}});
    for (std::size_t blocked = 1; blocked < 5; ++blocked) {
        std::vector<double> scores{0.5, -1, 2, 0.25, 1, 0.125};
        xt::xarray<bool> mask = xt::ones<bool>({std::size_t{1}, scores.size()});
        for (std::size_t k = 0; k < blocked; ++k) {
            const std::size_t j = (2 * k + 1) % 5; // 1, 3, 0, 2
            scores[j] += 1000.0 * static_cast<double>(k + 1);
            mask(0, j) = false;
        }
        expect_attention(scoring(scores), mask);
    }
}

TEST_CASE(
    "05.5 scaled_dot_product_attention: where nothing is allowed, scores and values may be as "
    "large as they like") {
    expect_attention(by_hand, xt::xarray<bool>{{false, false}});
    for (const double size : {1e4, -1e4, 1e200}) {
        Batch in = scoring({size, 1, -size, 2 * size});
        expect_attention(in, xt::xarray<bool>(xt::zeros<bool>({1, 1})));
        expect_attention(in, xt::xarray<bool>{{false, true, false, false}});
        in.V.fill(1e300);
        expect_attention(in, xt::xarray<bool>{{false, false, false, false}});
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: components of all magnitudes, side by side") {
    const Matrix sizes{{1, 1e-100, 1e100, 1e-30, 1e30}};
    const auto [Q, K, V] = random_batch(2, 3, 4, 5, 5, 93);
    const xt::xarray<bool> mask{{true, false, true, true}};
    expect_attention({Q * sizes, K / sizes, V}, mask);
    expect_attention({Q / sizes, K * sizes, V}, {});
    // Columns of values above 0, of which nothing cancels in a mixture.
    const Batch in{Q, K, xt::exp(V) * sizes};
    expect_attention(in, mask, {1e-11, 0});
    expect_attention(in, {}, {1e-11, 0});
}

TEST_CASE("05.5 scaled_dot_product_attention: scores of some hundreds, and values as large as exp "
          "of them, or as small") {
    expect_attention(by_hand, {});
    for (const double score : {490.0, 650.0, 709.0, -490.0, -650.0, -734.0}) {
        Batch in = scoring({score, score - 0.5, 0, score + 0.25});
        const xt::xarray<bool> without{{true, true, false, true}};
        for (const double size : {1.0, 1e100, 1e-100}) {
            expect_attention({in.Q, in.K, in.V * size}, without, {1e-9, 0, 1e-11});
        }
    }
    // A weight so small that exp of its score has few digits, with a value as large.
    Batch in = scoring({-708, 0, -744, -721});
    in.V(0, 2, 0) = 1e15;
    expect_attention(in, xt::xarray<bool>{{true, false, true, true}}, {1e-9, 0, 1e-11});
}

TEST_CASE("05.5 scaled_dot_product_attention: an array may have more than 65,536 numbers") {
    // Not so many keys: who compares each with each is right, too.
    for (const auto& [batch, n_queries, n_keys, d_k, d_v] :
         {std::array<std::size_t, 5>{1, 396, 166, 2, 1},
          {2, 3, 166, 200, 200},
          {2, 166, 3, 200, 200},
          {250, 2, 132, 1, 1},
          {1, 1, 2, 65'603, 1},
          {1, 1, 2, 1, 65'603}}) {
        const Batch in = random_batch(batch, n_queries, n_keys, d_k, d_v, 89);
        expect_attention({in.Q * 0.1, in.K, in.V}, random_mask({batch, n_queries, n_keys}, 90),
                         {1e-10, 0, 1e-11});
    }
}

} // namespace grader_attention_shortcuts
