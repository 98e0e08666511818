// What random numbers never are: arguments, masks and positions of every kind, scores that tie, and
// sizes that vector code likes.

#include <doctest/doctest.h>

#include <array>

#include "layers.hpp"
#include "support/far_above.hpp"
#include "support/kinds.hpp"
#include "support/one_more.hpp"

namespace grader_unusual {

using namespace sequences;
using drawn::each_in_turn;
using drawn::masks_of_each_kind;
using drawn::of_each_kind;

namespace {

constexpr judge::Tolerance eleven_digits{0, 1e-13, 1e-11};

// n_heads, n, d
const auto vector_heads = drawn::and_one_more<3>(
    {{8, 3, 2}, {2, 8, 4}, {4, 16, 8}, {16, 24, 3}, {64, 2, 16}, {8, 8, 8}, {8, 72, 9}});

void expect_rotated(const Matrix& X, const Vector& positions) {
    expect_close(graded::rotate(X, positions), plain::rotate(X, positions), eleven_digits);
}

void expect_rotary(const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions,
                   judge::Tolerance tolerance = eleven_digits) {
    expect_close(graded::rotary_attention(Q, K, V, positions),
                 plain::rotary_attention(Q, K, V, positions), tolerance);
}

void expect_grouped(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
    expect_close(graded::grouped_query_attention(Q, K, V, n_kv_heads),
                 plain::GroupedMechanism{}(Q, K, V, n_kv_heads), judge::normwise);
}

/// Four positions: in no order, the first of all last, all one, by twos, less and less apart …
const std::vector<Vector> positions_of_each_kind{
    {0, 0, 0, 0},     {7, 7, 7, 7},        {3, 2, 1, 0},           {-1, -2, -4, -8},
    {-7, -7, -7, -7}, {2, 2, 5, 5},        {5, 2, 2, 5},           {0, 1, 2, 4},
    {1, 0, 0, 0},     {0, 0, 0, 9},        {0.5, 1.5, 2.5, 3.5},   {1e-4, 2e-4, 3e-4, 5e-4},
    {0, 1e-9, 0, 0},  {1, 1 + 1e-9, 1, 1}, {300, 200, 100, 0},     {1000, 1001, 1002, 1003},
    {-3, -1, 1, 3},   {8, 16, 24, 32},     {0.25, -0.25, 0, -0.0}, {100, 4, 9, 1}};

} // namespace

// ---- 09.1

TEST_CASE("09.1 split_heads: matrices of every kind: all 0, one row again and again, the identity "
          "...") {
    for (const std::size_t columns : {6U, 12U}) {
        for (const Matrix& X : of_each_kind(6, columns, 801)) {
            for (const std::size_t n_heads : {1U, 2U, 3U, 6U}) {
                expect_close(graded::split_heads(X, n_heads),
                             plain::stacked(plain::split(X, n_heads)), exact);
            }
        }
    }
    expect_close(graded::split_heads({{0}}, 1), Tensor3{{{0}}}, exact);
}

TEST_CASE("09.1 split_heads: 8, 16 and 64 heads, positions and columns") {
    for (const auto& [n_heads, n, d] : vector_heads) {
        const Matrix X = standard_normal(n, n_heads * d, 802);
        expect_close(graded::split_heads(X, n_heads), plain::stacked(plain::split(X, n_heads)),
                     exact);
    }
}

TEST_CASE("09.1 merge_heads: heads of every kind: all 0, one row again and again, the identity "
          "...") {
    for (const std::size_t columns : {6U, 12U}) {
        for (const Matrix& X : of_each_kind(6, columns, 803)) {
            for (const std::size_t n_heads : {1U, 2U, 3U, 6U}) {
                expect_close(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X,
                             exact);
            }
        }
    }
    expect_close(graded::merge_heads({{{0}}}), Matrix{{0}}, exact);
}

TEST_CASE("09.1 merge_heads: 8, 16 and 64 heads, positions and columns") {
    for (const auto& [n_heads, n, d] : vector_heads) {
        const Matrix X = standard_normal(n, n_heads * d, 804);
        expect_close(graded::merge_heads(plain::stacked(plain::split(X, n_heads))), X, exact);
    }
}

// ---- 09.2

TEST_CASE("09.2 multi_head_attention: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    const Layer in = random_layer({4, 6, 2, 3, 2, 5}, 811);
    for (const OptionalMask& mask : {OptionalMask{}, OptionalMask{masks_of_each_kind(4, 4)[0]}}) {
        each_in_turn(std::array{in.X, in.W_q, in.W_k, in.W_v, in.W_o},
                     [&](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                         const Matrix& W_o) {
                         expect_attention({X, W_q, W_k, W_v, W_o, 2}, mask);
                     });
    }
    expect_attention({{{0}}, {{0}}, {{0}}, {{0}}, {{0}}, 1}, {});
}

TEST_CASE("09.2 multi_head_attention: squares of every kind, each of which may be the identity") {
    const Layer in = random_layer({4, 4, 2, 2, 2, 4}, 821);
    each_in_turn(std::array{in.X, in.W_q, in.W_k, in.W_v, in.W_o},
                 [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
                    const Matrix& W_o) {
                     expect_attention({X, W_q, W_k, W_v, W_o, 2}, {});
                 });
}

TEST_CASE("09.2 multi_head_attention: masks of every kind, beside zeros, too") {
    const Layer in = random_layer({5, 4, 3, 2, 4, 6}, 831);
    for (const Mask& mask : masks_of_each_kind(5, 5)) {
        expect_attention(in, mask);
        for (const auto part : {&Layer::X, &Layer::W_q, &Layer::W_k, &Layer::W_v}) {
            Layer other = in;
            (other.*part).fill(0);
            expect_attention(other, mask);
        }
    }
}

TEST_CASE("09.2 multi_head_attention: huge scores that tie for the maximum share, and others get "
          "nothing") {
    const Matrix X{{2}, {1}, {2}, {1}, {1.5}};
    for (const double size : {1e5, 1e10, 1e16, 1e30, 1e100}) {
        // The largest in one head are the smallest in the other.
        const Layer in{X, {{size, -size}}, {{1, 1}}, {{1, 3}}, {{1, 0, 2}, {0, 1, 5}}, 2};
        expect_attention(in, {});
        expect_attention(in, masks_of_each_kind(5, 5)[0]);
        expect_attention(in, masks_of_each_kind(5, 5)[4]);
        expect_attention({xt::ones<double>({4, 1}), {{size}}, {{-1}}, {{3}}, {{2}}, 1}, {});
    }
}

TEST_CASE("09.2 multi_head_attention: sizes of 8, 16, 17, 33, 65 and 129, and of 72") {
    expect_attention(random_layer({8, 3, 2, 4, 5, 6}, 841), masks_of_each_kind(8, 8)[0]);
    expect_attention(random_layer({3, 8, 8, 2, 1, 16}, 842), {});
    expect_attention(random_layer({16, 4, 2, 8, 16, 3}, 843), masks_of_each_kind(16, 16)[9]);
    expect_attention(random_layer({8, 16, 2, 8, 8, 16}, 844), {});
    expect_attention(random_layer({16, 16, 1, 16, 16, 16}, 845), masks_of_each_kind(16, 16)[0]);
    expect_attention(random_layer({72, 72, 8, 9, 9, 72}, 846), {});
    for (const auto& size : drawn::and_one_more<6>()) {
        expect_attention(random_layer({size[0], size[1], size[2], size[3], size[4], size[5]}, 847),
                         {});
    }
}

TEST_CASE("09.2 multi_head_attention: the last of 5 to 33 positions scores far above the others") {
    for (const auto& x : drawn::last_far_above(100, 848)) {
        expect_attention({drawn::column(x), {{1, -1}}, {{1, 1}}, {{1, 3}}, {{1, 0}, {2, 1}}, 2},
                         {});
    }
}

// ---- 09.3

TEST_CASE("09.3 sinusoidal_positions: 8, 16, 17, 24, 33, 64, 65 and 129 positions and components, "
          "and 72") {
    for (const std::size_t n : {8U, 16U, 24U, 64U, 17U, 33U, 65U, 129U}) {
        for (const std::size_t d : {4U, 8U, 16U, 24U, 64U, 18U, 34U}) {
            expect_close(graded::sinusoidal_positions(n, d), plain::sinusoidal_positions(n, d),
                         judge::Tolerance{0, 1e-11});
        }
    }
    expect_close(graded::sinusoidal_positions(72, 72), plain::sinusoidal_positions(72, 72),
                 judge::Tolerance{0, 1e-11});
}

TEST_CASE("09.3 rotate: rows and positions of every kind: all 0, one again and again, the identity "
          "...") {
    for (const Matrix& X : of_each_kind(4, 6, 851)) {
        expect_rotated(X, {3, 1, 0.5, 7});
        expect_rotated(X, {2, 2, 2, 2});
    }
    for (const Matrix& X : of_each_kind(4, 4, 852)) {
        expect_rotated(X, {1, 0, -5, 2});
    }
    const Matrix X = standard_normal(4, 6, 853);
    for (const Vector& positions : positions_of_each_kind) {
        expect_rotated(X, positions);
    }
    expect_rotated({{0, 0}}, {0});
    expect_rotated({{0, 0}}, {5});
}

TEST_CASE("09.3 rotate: 8, 16, 17, 24, 33, 65, 72 and 129 rows, and columns") {
    for (const auto& [n, d] : {std::array<std::size_t, 2>{8, 2},
                               {16, 8},
                               {24, 16},
                               {3, 24},
                               {8, 8},
                               {72, 72},
                               {17, 34},
                               {33, 18},
                               {65, 2},
                               {129, 2},
                               {2, 66},
                               {3, 130}}) {
        expect_rotated(standard_normal(n, d, 854), counting(n, 1));
    }
}

TEST_CASE("09.3 rotary_attention: arguments of every kind: all 0, one row again and again, the "
          "identity ...") {
    for (const Vector& positions : {Vector{3, 1, 0.5, 7}, Vector{2, 2, 2, 2}, counting(4)}) {
        each_in_turn(std::array{standard_normal(4, 6, 861), standard_normal(4, 6, 862),
                                standard_normal(4, 3, 863)},
                     [&](const Matrix& Q, const Matrix& K, const Matrix& V) {
                         expect_rotary(Q, K, V, positions);
                     });
    }
    const Matrix Q = standard_normal(4, 6, 864), K = standard_normal(4, 6, 865),
                 V = standard_normal(4, 3, 866);
    for (const Vector& positions : positions_of_each_kind) {
        expect_rotary(Q, K, V, positions);
    }
    expect_rotary({{0, 0}}, {{0, 0}}, {{0}}, {0});
}

TEST_CASE("09.3 rotary_attention: huge scores that tie for the maximum share, and others get "
          "nothing") {
    const Matrix V = standard_normal(4, 3, 867);
    for (const double size : {1e5, 1e10, 1e16, 1e30, 1e100}) {
        expect_rotary({{size, 0}, {-size, 0}, {0, size}, {0, 0}}, {{2, 0}, {2, 0}, {1, 0}, {1, 0}},
                      V, {0, 0, 0, 0});
    }
}

TEST_CASE("09.3 rotary_attention: 8, 16, 17, 24, 33, 65, 72 and 129 rows and columns, and 260 "
          "positions") {
    for (const auto& [n, d_k, d_v] : {std::array<std::size_t, 3>{8, 2, 3},
                                      {16, 8, 4},
                                      {24, 4, 8},
                                      {3, 16, 24},
                                      {8, 8, 8},
                                      {72, 72, 72},
                                      {17, 34, 5},
                                      {33, 6, 17},
                                      {5, 18, 33},
                                      {65, 2, 3},
                                      {129, 2, 1},
                                      {2, 66, 129},
                                      {260, 2, 1}}) {
        expect_rotary(standard_normal(n, d_k, 868), standard_normal(n, d_k, 869),
                      standard_normal(n, d_v, 870), counting(n, 1));
    }
}

TEST_CASE("09.3 rotary_attention: the last of 5 to 33 positions scores far above the others") {
    for (const auto& x : drawn::last_far_above(1000, 887)) {
        const std::size_t n = x.size();
        Matrix Q = xt::zeros<double>({n, std::size_t{2}}), K = Q;
        xt::view(Q, xt::all(), 0) = 1;
        xt::view(K, xt::all(), 0) = x;
        expect_rotary(Q, K, standard_normal(n, 2, 888), xt::zeros<double>({n}));
    }
}

// ---- 09.4

TEST_CASE("09.4 grouped_query_attention: arguments of every kind: all 0, one row again and again, "
          "the identity ...") {
    each_in_turn(
        std::array{standard_normal(3, 12, 871), standard_normal(5, 6, 872),
                   standard_normal(5, 4, 873)},
        [](const Matrix& Q, const Matrix& K, const Matrix& V) { expect_grouped(Q, K, V, 2); });
    each_in_turn(std::array{standard_normal(4, 4, 874), standard_normal(4, 4, 875),
                            standard_normal(4, 4, 876)},
                 [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                     expect_grouped(Q, K, V, 2);
                     expect_grouped(Q, K, V, 1);
                 });
    expect_grouped({{0}}, {{0}}, {{0}}, 1);
}

TEST_CASE("09.4 grouped_query_attention: huge scores that tie for the maximum share, and others "
          "get nothing") {
    const Matrix V = standard_normal(5, 4, 877);
    for (const double size : {1e5, 1e10, 1e16, 1e30, 1e100}) {
        const Matrix Q{{size, -size, 0, size}, {size, size, -size, 1}};
        expect_grouped(Q, {{2, 1}, {1, 2}, {2, 2}, {1, 2}, {1, 1}}, V, 2);
        expect_grouped(Q, {{2}, {1}, {2}, {1}, {1}}, V, 1);
        expect_grouped(Q, {{1}, {1}, {1}, {1}, {1}}, V, 1);
    }
}

TEST_CASE("09.4 grouped_query_attention: the last of 5 to 33 keys scores far above the others") {
    for (const auto& scores : drawn::last_far_above(1000, 889)) {
        expect_grouped({{1, -1}, {2, 1}}, drawn::column(scores),
                       standard_normal(scores.size(), 2, 890), 1);
    }
}

TEST_CASE("09.4 grouped_query_attention: sizes of 8, 16, 17, 24, 33, 65 and 129, groups of "
          "4, 8, 11, 17 and 65, 300 heads, and 72 throughout") {
    // n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v
    constexpr std::array<std::size_t, 6> sizes[] = {
        {8, 3, 8, 4, 2, 1},      {3, 8, 16, 8, 1, 2},  {16, 24, 4, 4, 8, 4}, {24, 16, 22, 11, 1, 3},
        {16, 16, 16, 8, 16, 16}, {5, 8, 8, 1, 8, 8},   {72, 72, 8, 8, 9, 9}, {72, 72, 1, 1, 72, 72},
        {17, 33, 2, 1, 5, 3},    {33, 17, 4, 2, 3, 5}, {5, 3, 34, 17, 2, 1}, {3, 5, 17, 1, 33, 17},
        {65, 2, 2, 1, 1, 3},     {2, 65, 2, 2, 3, 1},  {129, 3, 1, 1, 2, 2}, {3, 129, 3, 1, 1, 2},
        {2, 3, 4, 2, 17, 33},    {2, 3, 65, 1, 1, 2},  {2, 3, 33, 33, 1, 1}, {1, 2, 300, 300, 1, 1},
        {1, 2, 520, 260, 1, 1}};
    for (const auto& [n_queries, n_keys, n_heads, n_kv_heads, d_k, d_v] : sizes) {
        expect_grouped(standard_normal(n_queries, n_heads * d_k, 881),
                       standard_normal(n_keys, n_kv_heads * d_k, 882),
                       standard_normal(n_keys, n_kv_heads * d_v, 883), n_kv_heads);
    }
}

TEST_CASE("09.4 kv_cache_bytes: sizes of 1, 2, 3, 4, 8 and 64, one beside small ones and all of "
          "them") {
    for (const std::size_t size : {1U, 2U, 3U, 4U, 8U, 64U}) {
        for (std::size_t k = 0; k <= 6; ++k) {
            std::array<std::size_t, 6> of{3, 5, 7, 2, 1, 5};
            if (k == 6) {
                of.fill(size);
            } else {
                of[k] = size;
            }
            const std::size_t right = of[0] * of[1] * of[2] * (of[3] + of[4]) * of[5];
            expect_close(graded::kv_cache_bytes(of[0], of[1], of[2], of[3], of[4], of[5]),
                         static_cast<double>(right), exact);
        }
    }
}

} // namespace grader_unusual
