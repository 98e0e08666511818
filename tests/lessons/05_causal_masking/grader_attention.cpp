// 05.5; of numbers large and small: grader_attention_sizes.cpp; other exercises: grader.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "batches.hpp"

using namespace batches;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::index_text;
using lesson::Mask;
using plain::infinity;

TEST_CASE("05.5 scaled_dot_product_attention: two tokens under the causal mask, done by hand") {
    expect_close(
        graded::scaled_dot_product_attention(by_hand.Q, by_hand.K, by_hand.V,
                                             xt::xarray<bool>{{true, false}, {true, true}}),
        Attention{{{{4, 0}, {1, 6}}}, {{{1, 0}, {0.25, 0.75}}}}, judge::normwise);
}

TEST_CASE("05.5 scaled_dot_product_attention: without a mask every query sees every key") {
    expect_close(graded::scaled_dot_product_attention(by_hand.Q, by_hand.K, by_hand.V, {}),
                 Attention{{{{2, 4}, {1, 6}}}, {{{0.5, 0.5}, {0.25, 0.75}}}}, judge::normwise);
    expect_attention(random_batch(2, 3, 5, 4, 6), {});
}

TEST_CASE("05.5 scaled_dot_product_attention: (2, 5, 64), (2, 7, 64) and (2, 7, 32) make "
          "(2, 5, 32) and (2, 5, 7), and each row of weights sums to 1") {
    const Attention answer = attend(random_batch(2, 5, 7, 64, 32), {});
    for (std::size_t b = 0; b < 2; ++b) {
        expect_rows_that_sum_to_1(plain::slice(answer.weights, b));
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: four random tokens, and above the diagonal exact 0") {
    const Tensor3 X = random_tensor(1, 4, 64, 11);
    xt::xarray<bool> mask = plain::causal_mask(4);
    mask.reshape({1, 4, 4});
    const Attention answer = attend({X, X, X}, mask);
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
            expect_that(answer.weights(0, i, j) == 0, "a blocked weight is exactly 0",
                        "weights" + index_text({0, i, j}) + " is " +
                            number_text(answer.weights(0, i, j)));
        }
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: one array as queries, keys and values") {
    const Tensor3 X = random_tensor(2, 4, 3, 12);
    expect_attention({X, X, X}, {});
    expect_attention({X, X, X}, plain::causal_mask(4));
}

TEST_CASE("05.5 scaled_dot_product_attention: a causal batch of two agrees with PyTorch") {
    expect_close(
        graded::scaled_dot_product_attention(
            {{{1, 0}, {0, 1}, {1, 1}}, {{2, -1}, {0, 1}, {-1, 1}}},
            {{{1, 0}, {0, 1}, {0.5, 0.5}}, {{1, 1}, {0, -2}, {1, 0}}},
            {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, {{-1, 0, 1}, {2, 1, 0}, {0, 3, -2}}},
            plain::causal_mask(3)),
        Attention{{{{1, 2, 3}, {3.009284648, 4.009284648, 5.009284648}, {4, 5, 6.333333333}},
                   {{-1, 0, 1},
                    {-0.6788745956, 0.1070418015, 0.8929581985},
                    {-0.2959168551, 0.9920154743, 0.0079845257}}},
                  {{{1, 0, 0}, {0.3302384507, 0.6697615493, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
                   {{1, 0, 0},
                    {0.8929581985, 0.1070418015, 0},
                    {0.5759753452, 0.140029245, 0.2839954097}}}},
        {0, 1e-9});
}

TEST_CASE("05.5 scaled_dot_product_attention: a mask of any broadcastable shape") {
    const Batch in = random_batch(2, 3, 5, 4, 6);
    for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{
             {3, 5}, {1, 3, 5}, {2, 1, 5}, {2, 3, 5}, {1, 1, 5}, {1, 5}, {3, 1}, {2, 3, 1}}) {
        expect_attention(in, random_mask(shape, shape.size()));
    }
    expect_attention(random_batch(3, 4, 2, 1, 5), random_mask({3, 1, 2}, 6));
    for (const std::vector<std::size_t>& shape :
         std::vector<std::vector<std::size_t>>{{1, 1}, {1, 1, 1}}) {
        expect_attention(in, xt::xarray<bool>(xt::ones<bool>(shape)));
        expect_attention(in, xt::xarray<bool>(xt::zeros<bool>(shape)));
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: the same masks where queries and keys are as many") {
    const Batch in = random_batch(3, 4, 4, 2, 5);
    for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{
             {3, 1, 4}, {4, 4}, {1, 4}, {4, 1}, {3, 4, 1}, {3, 4, 4}, {1, 4, 4}, {1, 1, 4}}) {
        expect_attention(in, random_mask(shape, 10 + shape.size()));
    }
    expect_attention(random_batch(4, 4, 4, 4, 4), random_mask({4, 1, 4}, 14));
}

TEST_CASE("05.5 scaled_dot_product_attention: a mask is told by its rank, where as many sequences "
          "as queries or keys are in the batch as well") {
    for (const std::array<std::size_t, 3>& size :
         {std::array<std::size_t, 3>{3, 3, 5}, {3, 5, 3}, {3, 3, 3}}) {
        const auto [batch, n_queries, n_keys] = size;
        const Batch in = random_batch(batch, n_queries, n_keys, 4, 2);
        for (const std::vector<std::size_t>& shape :
             std::vector<std::vector<std::size_t>>{{n_queries, n_keys},
                                                   {1, n_keys},
                                                   {n_queries, 1},
                                                   {batch, n_queries, n_keys},
                                                   {1, n_queries, n_keys},
                                                   {batch, 1, n_keys},
                                                   {batch, n_queries, 1},
                                                   {1, 1, n_keys},
                                                   {1, n_queries, 1},
                                                   {batch, 1, 1}}) {
            expect_attention(in, random_mask(shape, 20 + shape.size()));
        }
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: sequences that begin and end alike, and have one "
          "sum, are not the same") {
    const auto alike = [](std::uint64_t seed) {
        const Matrix rows = drawn::look_alikes(4, 6, seed);
        Tensor3 tensor = Tensor3::from_shape({2, 4, 6});
        xt::view(tensor, 0) = rows;
        xt::view(tensor, 1) = drawn::upside_down(rows);
        return tensor;
    };
    const Batch in{alike(21), alike(22), alike(23)};
    expect_attention(in, {});
    expect_attention({in.K, in.Q, in.V}, {});
    expect_attention(in, xt::xarray<bool>{{true, true, false, false},
                                          {true, false, true, false},
                                          {true, false, true, false},
                                          {true, true, false, false}});
    expect_attention(in, xt::xarray<bool>{{true, false, true, false},
                                          {true, true, false, false},
                                          {true, true, false, false},
                                          {true, false, true, false}});
}

TEST_CASE("05.5 scaled_dot_product_attention: awkward sizes agree with plain loops") {
    expect_attention(random_batch(1, 1, 1, 1, 1), {});
    expect_attention(random_batch(5, 1, 7, 2, 3), random_mask({5, 1, 7}, 7));
    expect_attention(random_batch(1, 7, 5, 3, 2), random_mask({7, 5}, 8));
    expect_attention(random_batch(2, 13, 11, 17, 19), random_mask({2, 13, 11}, 9));
    expect_attention(random_batch(2, 259, 3, 2, 5), random_mask({259, 3}, 10));
    expect_attention(random_batch(2, 3, 261, 5, 2), random_mask({2, 1, 261}, 11));
    expect_attention(random_batch(1, 2, 3, 263, 5), {});
    expect_attention(random_batch(1, 3, 5, 2, 269), {});
    expect_attention(random_batch(1, 401, 2, 1, 2), random_mask({401, 1}, 13));
    expect_attention(random_batch(1, 2, 2063, 1, 2), random_mask({1, 1, 2063}, 14));
    expect_attention(random_batch(1, 1, 4099, 1, 1), random_mask({1, 4099}, 15));
    expect_attention(random_batch(1, 1, 2, 2069, 2), {});
    expect_attention(random_batch(1, 2, 1, 2, 2081), {});
    // Not more sequences than a program may start threads: one a sequence is right, too.
    expect_attention(random_batch(37, 2, 3, 4, 1), {});
    expect_attention(random_batch(41, 1, 2, 1, 3), random_mask({41, 1, 2}, 12));
    expect_attention(random_batch(67, 1, 2, 1, 2), random_mask({67, 1, 2}, 16));
    expect_attention(random_batch(259, 1, 2, 1, 1), random_mask({259, 1, 2}, 17));
    // As large as a buffer or a tile is.
    expect_attention(random_batch(4, 8, 16, 32, 64), random_mask({8, 16}, 18));
    expect_attention(random_batch(8, 16, 32, 4, 8), random_mask({8, 1, 32}, 19));
    expect_attention(random_batch(16, 32, 8, 16, 4), random_mask({16, 32, 8}, 20));
    expect_attention(random_batch(1, 64, 64, 64, 32), plain::causal_mask(64));
    expect_attention(random_batch(64, 2, 4, 8, 1), random_mask({64, 1, 4}, 21));
    expect_attention(random_batch(2, 1, 128, 256, 128), {});
    expect_attention(random_batch(1, 128, 256, 2, 256), random_mask({128, 256}, 22));
    expect_attention(random_batch(1, 32, 512, 1, 2), random_mask({32, 512}, 23));
    expect_attention(random_batch(128, 1, 1, 128, 1), {});
}

TEST_CASE(
    "05.5 scaled_dot_product_attention: a component of 0 is one like any other, and a token of "
    "zeros is no padding") {
    for (const auto& [batch, n_queries, n_keys, d_k, d_v] :
         {std::array<std::size_t, 5>{3, 5, 6, 7, 4},
          {1, 3, 4, 2, 1},
          {2, 1, 5, 4, 3},
          {2, 4, 3, 1, 2}}) {
        const auto [Q, K, V] = random_batch(batch, n_queries, n_keys, d_k, d_v, 31);
        const xt::xarray<bool> mask = plain::mask_of(
            n_queries, n_keys, [](auto i, auto j) { return (i + j / 2) % 2 == 0 || j == 1; });
        for (const OptionalMask& asked : {OptionalMask{}, OptionalMask{mask}}) {
            expect_attention({with_zeros(Q), K, V}, asked);
            expect_attention({Q, with_zeros(K), V}, asked);
            expect_attention({Q, K, with_zeros(V)}, asked);
            expect_attention({with_zeros(Q), with_zeros(K), with_zeros(V)}, asked);
        }
    }
    Batch in = random_batch(3, 2, 3, 4, 2, 41);
    xt::view(in.Q, 1) = 0; // a whole sequence of zeros
    xt::view(in.K, 1) = 0;
    xt::view(in.V, 1) = 0;
    expect_attention(in, {});
}

TEST_CASE("05.5 scaled_dot_product_attention: one key, one query or one sequence is masked and "
          "scaled like several") {
    // A mask of this shape: 1 where allowed.
    struct Asked {
        std::vector<std::size_t> shape;
        std::string marks;
    };
    const auto every = [](const Batch& in, const std::vector<Asked>& masks) {
        expect_attention(in, {});
        for (const Asked& asked : masks) {
            xt::xarray<bool> mask = xt::zeros<bool>(asked.shape);
            std::transform(asked.marks.begin(), asked.marks.end(), mask.begin(),
                           [](char mark) { return mark == '1'; });
            expect_attention(in, mask);
        }
    };
    // A single key, which may be blocked.
    every(random_batch(1, 3, 1, 4, 2, 51), {{{3, 1}, "101"}, {{1, 1}, "0"}, {{1, 1}, "1"}});
    every(random_batch(2, 2, 1, 4, 3, 52),
          {{{2, 2, 1}, "1001"}, {{2, 1, 1}, "01"}, {{2, 1}, "10"}, {{1, 2, 1}, "01"}});
    // A single query, which sees what its mask lets it see.
    every(random_batch(1, 1, 4, 3, 2, 53),
          {{{1, 4}, "1010"}, {{1, 4}, "0111"}, {{1, 4}, "1110"}, {{1, 1, 4}, "0000"}});
    every(random_batch(2, 1, 3, 4, 1, 54), {{{1, 3}, "101"}, {{2, 1, 3}, "011110"}});
    // Both, and a single component.
    every(random_batch(3, 1, 1, 4, 2, 55), {{{3, 1, 1}, "101"}, {{1, 1}, "0"}});
    every(random_batch(1, 1, 1, 1, 1, 56), {{{1, 1}, "1"}, {{1, 1}, "0"}, {{1, 1, 1}, "0"}});
    every(random_batch(2, 3, 4, 1, 1, 57),
          {{{3, 4}, "100011001110"}, {{2, 1, 4}, "10110010"}, {{1, 4}, "0111"}});
    // A single sequence, whose mask has rank 2 or 3.
    every(random_batch(1, 2, 3, 4, 5, 58),
          {{{2, 3}, "101011"}, {{1, 2, 3}, "101011"}, {{1, 3}, "101"}, {{1, 2, 1}, "01"}});
}

TEST_CASE("05.5 scaled_dot_product_attention: a query that may see nothing gets zeros") {
    const Batch in = random_batch(2, 3, 4, 5, 2);
    xt::xarray<bool> mask = xt::ones<bool>({2, 3, 4});
    xt::view(mask, 1, 2, xt::all()) = false;         // one query
    xt::view(mask, 0, xt::all(), xt::all()) = false; // a whole sequence
    expect_attention(in, mask);
}

TEST_CASE("05.5 scaled_dot_product_attention: right to twelve digits, which float has not") {
    expect_attention(random_batch(2, 13, 9, 5, 3), random_mask({13, 9}, 15));
}

TEST_CASE("05.5 scaled_dot_product_attention: changing a token moves no output before it") {
    const Batch in = random_batch(2, 6, 6, 8, 5);
    const Attention before = attend(in, plain::causal_mask(6));
    // So large that even a share of it in a maximum would show, or as large as needs a maximum.
    for (const double size : {30.0, 3000.0}) {
        Batch other = random_batch(2, 6, 6, 8, 5, 100);
        other.K *= size;
        for (std::size_t j = 1; j < 6; ++j) {
            const Batch changed = replaced(in, other, xt::all(), j);
            const Attention after = attend(changed, plain::causal_mask(6));
            for (std::size_t b = 0; b < 2; ++b) {
                expect_identical(
                    before, after, b, j,
                    "what comes before token " + std::to_string(j) +
                        " does not change with it, not in the last bit",
                    {"moved_by_what_comes_later",
                     "what comes later moves the output before it, if only in its last digits: "
                     "something is taken of all keys or values, such as a maximum, and not of "
                     "those alone that the query sees."});
            }
        }
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: changing one sequence moves nothing in another") {
    const Batch in = random_batch(3, 4, 5, 2, 6);
    const Batch other = random_batch(3, 4, 5, 2, 6, 100);
    const Attention before = attend(in, {});
    const Attention after = attend(replaced(in, other, 1, xt::all()), {});
    for (const std::size_t b : {0U, 2U}) {
        expect_identical(before, after, b, 4, "sequences of a batch never look at each other");
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: a causal prefix is attended to as if it were all") {
    const Batch in = random_batch(1, 5, 5, 3, 4);
    const Attention whole = attend(in, plain::causal_mask(5));
    for (std::size_t n = 1; n < 5; ++n) {
        const Attention part = attend(prefix(in, 0, n), plain::causal_mask(n));
        expect_close<Tensor3>(part.output, prefix(whole.output, 0, n), judge::normwise);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: a padded, causal batch equals its sentences") {
    const Batch in = random_batch(2, 5, 5, 3, 4);
    const std::size_t lengths[] = {5, 3};
    xt::xarray<bool> mask = xt::zeros<bool>({2, 5, 5});
    for (std::size_t b = 0; b < 2; ++b) {
        xt::view(mask, b, xt::all(), xt::range(0, lengths[b])) =
            xt::view(plain::causal_mask(5), xt::all(), xt::range(0, lengths[b]));
    }
    const Attention padded = attend(in, mask);
    for (std::size_t b = 0; b < 2; ++b) {
        const std::size_t n = lengths[b];
        const Attention alone = attend(prefix(in, b, n), plain::causal_mask(n));
        expect_close<Tensor3>(prefix(padded.output, b, n), alone.output, judge::normwise);
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: shapes that do not fit are refused, both named") {
    const Tensor3 Q = random_tensor(2, 3, 4, 1);
    const Tensor3 K = random_tensor(2, 5, 4, 2);
    const Tensor3 V = random_tensor(2, 5, 6, 3);
    const Tensor3 K_wide = random_tensor(2, 5, 7, 4);
    const Tensor3 K_more = random_tensor(3, 5, 4, 5);
    const Tensor3 V_more = random_tensor(3, 5, 6, 6);
    const Tensor3 V_long = random_tensor(2, 8, 6, 7);
    refuses({Q, K_wide, V}, {}, {sizes(Q), sizes(K_wide)});
    const Tensor3 Q_none = Tensor3::from_shape({2, 3, 0});
    const Tensor3 K_none = Tensor3::from_shape({2, 5, 0});
    refuses({Q_none, K_none, V}, {}, {sizes(Q_none), sizes(K_none)});
    refuses_either({Q, K_more, V_more}, sizes(Q), {sizes(K_more), sizes(V_more)});
    refuses_either({Q, K, V_more}, sizes(V_more), {sizes(K), sizes(Q)});
    refuses({Q, K, V_long}, {}, {sizes(K), sizes(V_long)});
    // The other way round, and with a size of 1 that nothing is to stretch.
    for (const std::size_t d_k : {3U, 1U}) {
        const Tensor3 K_narrow = random_tensor(2, 5, d_k, 8);
        refuses({Q, K_narrow, V}, {}, {sizes(Q), sizes(K_narrow)});
    }
    const Tensor3 K_single = random_tensor(1, 5, 4, 9);
    const Tensor3 V_single = random_tensor(1, 5, 6, 10);
    refuses_either({Q, K_single, V_single}, sizes(Q), {sizes(K_single), sizes(V_single)});
    refuses_either({Q, K, V_single}, sizes(V_single), {sizes(K), sizes(Q)});
    for (const std::size_t n_values : {4U, 1U, 12345U}) {
        const Tensor3 V_other = random_tensor(2, n_values, 6, 11);
        refuses({Q, K, V_other}, {}, {sizes(K), sizes(V_other)});
    }
    for (const std::vector<std::size_t>& shape :
         std::vector<std::vector<std::size_t>>{{5, 3},
                                               {2, 5},
                                               {4, 5},
                                               {3, 6},
                                               {3, 3, 5},
                                               {2, 3, 4},
                                               {2, 3, 6},
                                               {2, 2, 5},
                                               {2, 4, 5},
                                               {3, 5, 2},
                                               {2, 5, 3},
                                               {1, 5, 3},
                                               {5},
                                               {1},
                                               {1, 2, 3, 5},
                                               {1, 1, 3, 5},
                                               // no element is not no mask
                                               {0, 0},
                                               {0, 5},
                                               {3, 0},
                                               {0, 3, 5},
                                               {2, 3, 0}}) {
        refuses({Q, K, V}, random_mask(shape, 1), {shape, {2, 3, 5}});
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: what would fit if it were turned around is refused, "
          "as is one sequence or one component beside several") {
    const Tensor3 Q = random_tensor(2, 3, 4, 1);
    const Tensor3 K = random_tensor(2, 5, 4, 2);
    const Tensor3 V = random_tensor(2, 5, 6, 3);
    for (const std::array<std::size_t, 3>& of_Q :
         {std::array<std::size_t, 3>{2, 4, 3}, {1, 3, 4}, {2, 3, 1}, {2, 1, 1}, {4, 3, 2}}) {
        const Tensor3 Q_other = random_tensor(of_Q[0], of_Q[1], of_Q[2], 4);
        refuses_either({Q_other, K, V}, sizes(Q_other), {sizes(K), sizes(V)});
    }
    const Tensor3 V_turned = random_tensor(2, 6, 5, 5);
    refuses({Q, K, V_turned}, {}, {sizes(K), sizes(V_turned)});
    const Tensor3 K_turned = random_tensor(2, 4, 5, 6); // fits neither Q nor V
    refuses({Q, K_turned, V}, {}, {sizes(K_turned)});
}
