// 09.2; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include <cmath>

#include "layers.hpp"
#include "support/misfits.hpp"

using namespace sequences;
using lesson::MultiHead;

namespace {

/// The learner's answer, its shapes checked: a property is about to index it.
MultiHead attend(const Layer& in, const OptionalMask& mask) {
    const MultiHead answer =
        graded::multi_head_attention(in.X, in.W_q, in.W_k, in.W_v, in.W_o, in.n_heads, mask);
    expect_shape(sizes(answer.output), {in.X.shape(0), in.W_o.shape(1)});
    expect_shape(sizes(answer.weights), {in.n_heads, in.X.shape(0), in.X.shape(0)});
    return answer;
}

judge::Outcome attempt(const Layer& in, const OptionalMask& mask) {
    return graded::multi_head_attention.attempt(in.X, in.W_q, in.W_k, in.W_v, in.W_o, in.n_heads,
                                                mask);
}

Mask causal(std::size_t n) {
    Mask mask = Mask::from_shape({n, n});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            mask(i, j) = j <= i;
        }
    }
    return mask;
}

const double ln3 = std::log(3.0);
const Layer by_hand{{{1, 0}, {0, 1}},  {{1, 0}, {1, 1}},       {{0, ln3}, {ln3, 0}},
                    {{4, 8}, {0, 16}}, {{1, 0, 1}, {0, 1, 1}}, 2};

} // namespace

TEST_CASE("09.2 multi_head_attention: two positions and two heads of one component, by hand") {
    const MultiHead answer = graded::multi_head_attention(by_hand.X, by_hand.W_q, by_hand.W_k,
                                                          by_hand.W_v, by_hand.W_o, 2, {});
    expect_close(answer,
                 MultiHead{{{1, 12, 13}, {1, 10, 11}},
                           {{{0.25, 0.75}, {0.25, 0.75}}, {{0.5, 0.5}, {0.75, 0.25}}}},
                 judge::normwise);
}

TEST_CASE("09.2 multi_head_attention: three heads, all sizes different") {
    expect_attention(random_layer({4, 7, 3, 2, 5, 11}), {});
}

TEST_CASE("09.2 multi_head_attention: with a mask") {
    // The example above, whose first position now sees itself alone.
    expect_close(
        graded::multi_head_attention(by_hand.X, by_hand.W_q, by_hand.W_k, by_hand.W_v, by_hand.W_o,
                                     2, causal(2)),
        MultiHead{{{4, 8, 12}, {1, 10, 11}}, {{{1, 0}, {0.25, 0.75}}, {{1, 0}, {0.75, 0.25}}}},
        judge::normwise);
    expect_attention(random_layer({4, 7, 3, 2, 5, 11}, 20), causal(4));
    Mask mask = random_mask(6, 3);
    for (std::size_t i = 0; i < 6; ++i) {
        mask(i, 2) = true; // every position sees something
    }
    expect_attention(random_layer({6, 5, 2, 3, 4, 7}, 30), mask);
}

TEST_CASE("09.2 multi_head_attention: all sizes alike, where a transposition has the same shape") {
    expect_attention(random_layer({6, 6, 3, 2, 2, 6}, 40), {});
    expect_attention(random_layer({4, 4, 2, 2, 2, 4}, 50), causal(4));
    expect_attention(random_layer({3, 9, 3, 3, 3, 9}, 60), {});
    expect_attention(random_layer({4, 8, 4, 2, 2, 8}, 70), random_mask(4, 2));
}

TEST_CASE("09.2 multi_head_attention: agrees with PyTorch's nn.MultiheadAttention") {
    using support::golden;
    const Layer in{golden("heads/X"),   golden("heads/W_q"), golden("heads/W_k"),
                   golden("heads/W_v"), golden("heads/W_o"), 3};
    const auto expect_golden = [&](const std::string& name, const OptionalMask& mask) {
        expect_close(
            graded::multi_head_attention(in.X, in.W_q, in.W_k, in.W_v, in.W_o, in.n_heads, mask),
            MultiHead{golden("heads/" + name + "_output"),
                      support::golden_tensor3("heads/" + name + "_weights")},
            judge::normwise);
    };
    expect_golden("none", {});
    expect_golden("causal", causal(5));
    expect_golden("masked", Mask(support::golden_bools("heads/mask")));
}

TEST_CASE("09.2 multi_head_attention: a position that may see nothing gets zeros") {
    Mask mask = causal(5);
    for (std::size_t j = 0; j < 5; ++j) {
        mask(3, j) = false;
    }
    expect_attention(random_layer({5, 4, 2, 3, 2, 6}, 80), mask);
    expect_attention(random_layer({2, 3, 2, 1, 4, 5}, 90), Mask{{false, false}, {false, false}});
}

TEST_CASE("09.2 multi_head_attention: awkward sizes agree with plain loops") {
    expect_attention(random_layer({1, 1, 1, 1, 1, 1}, 100), {});
    expect_attention(random_layer({1, 3, 2, 5, 4, 7}, 110), {});
    expect_attention(random_layer({5, 1, 4, 3, 2, 6}, 120), {});
    expect_attention(random_layer({5, 6, 1, 7, 3, 2}, 130), causal(5));
    expect_attention(random_layer({3, 4, 5, 1, 6, 2}, 140), {});
    expect_attention(random_layer({3, 5, 4, 6, 1, 2}, 150), {});
    expect_attention(random_layer({4, 6, 3, 2, 5, 1}, 160), random_mask(4, 4));
    expect_attention(random_layer({67, 5, 2, 3, 4, 7}, 170), causal(67));
    expect_attention(random_layer({261, 3, 2, 4, 1, 5}, 180), {});
    expect_attention(random_layer({3, 263, 2, 5, 4, 7}, 190), {});
    expect_attention(random_layer({2, 3, 2, 71, 67, 5}, 200), {});
    expect_attention(random_layer({2, 3, 4, 269, 1, 5}, 210), {});
    expect_attention(random_layer({2, 5, 3, 1, 261, 4}, 220), {});
    expect_attention(random_layer({3, 5, 71, 2, 1, 4}, 230), random_mask(3, 5));
    expect_attention(random_layer({2, 3, 260, 1, 2, 267}, 240), {});
}

TEST_CASE("09.2 multi_head_attention: scores of 1e4, and a blocked one above them") {
    // Asked only of a function that is right on ordinary scores.
    expect_attention(random_layer({4, 7, 3, 2, 5, 11}), {});
    Layer in = random_layer({4, 3, 2, 2, 3, 5}, 250);
    in.W_q *= 300;
    in.W_k *= 300;
    expect_attention(in, {}, {1e-9, 0, 1e-9});
    expect_attention(in, causal(4), {1e-9, 0, 1e-9});
}

TEST_CASE("09.2 multi_head_attention: scores that are all far below 0") {
    expect_attention(random_layer({4, 7, 3, 2, 5, 11}), {}); // of what is right on ordinary ones
    for (const double size : {40.0, 400.0}) {
        Layer in = random_layer({4, 3, 2, 2, 3, 5}, 320);
        in.X *= 1 / size;
        for (std::size_t i = 0; i < 4; ++i) {
            in.X(i, 0) = 1;
        }
        for (std::size_t c = 0; c < 4; ++c) {
            in.W_q(0, c) = size;
            in.W_k(0, c) = -size;
        }
        expect_attention(in, {}, {0, 0, 1e-9});
        expect_attention(in, causal(4), {0, 0, 1e-9});
    }
}

// No more heads than above: a thread for each is right, and a machine has not thousands.
TEST_CASE("09.2 multi_head_attention: 5000 components") {
    expect_attention(random_layer({2, 5000, 1, 1, 1, 1}, 330), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 1, 5000, 1, 1}, 340), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 1, 1, 5000, 1}, 350), {}, of_long_sums);
    expect_attention(random_layer({2, 1, 1, 1, 1, 5000}, 360), {}, of_long_sums);
}

TEST_CASE("09.2 multi_head_attention: each row of each head's weights sums to 1") {
    const MultiHead answer = attend(random_layer({5, 6, 3, 4, 2, 7}, 260), causal(5));
    for (std::size_t h = 0; h < 3; ++h) {
        for (std::size_t i = 0; i < 5; ++i) {
            const double sum = xt::sum(xt::view(answer.weights, h, i, xt::all()))();
            expect_that(std::abs(sum - 1) <= 1e-5, "each row of each head's weights sums to 1",
                        "row " + std::to_string(i) + " of head " + std::to_string(h) + " sums to " +
                            number_text(sum));
        }
    }
}

TEST_CASE("09.2 multi_head_attention: what comes later changes no output under a causal mask") {
    const Layer in = random_layer({5, 4, 2, 3, 2, 6}, 270);
    const MultiHead before = attend(in, causal(5));
    for (std::size_t j = 1; j < 5; ++j) {
        Layer changed = in;
        xt::view(changed.X, j, xt::all()) *= -7;
        const MultiHead after = attend(changed, causal(5));
        for (std::size_t i = 0; i < j; ++i) {
            for (std::size_t c = 0; c < 6; ++c) {
                expect_that(std::abs(before.output(i, c) - after.output(i, c)) <= 1e-9,
                            "what comes before position " + std::to_string(j) +
                                " does not change with it",
                            "output " + judge::index_text({i, c}) + " moved by " +
                                number_text(after.output(i, c) - before.output(i, c)));
            }
        }
    }
}

TEST_CASE("09.2 multi_head_attention: heads in another order, their weights in W_o too, give the "
          "same output") {
    const Layer in = random_layer({4, 5, 2, 3, 2, 7}, 280);
    const auto exchanged = [](const Matrix& W, std::size_t axis) -> Matrix {
        const std::size_t d = W.shape(axis) / 2;
        return plain::matrix_of(W.shape(0), W.shape(1), [&](auto i, auto j) {
            return axis == 0 ? W((i + d) % (2 * d), j) : W(i, (j + d) % (2 * d));
        });
    };
    const Layer other{in.X,
                      exchanged(in.W_q, 1),
                      exchanged(in.W_k, 1),
                      exchanged(in.W_v, 1),
                      exchanged(in.W_o, 0),
                      2};
    const MultiHead one = attend(in, {});
    expect_close(attend(other, {}).output, one.output, judge::normwise);
}

TEST_CASE("09.2 multi_head_attention: heads that do not come out even are refused") {
    Layer in = random_layer({3, 4, 2, 4, 5, 6}, 290); // 8 and 10 columns
    in.n_heads = 5;
    expect_numbers_named(attempt(in, {}), 5, 8);
    in.n_heads = 4;
    expect_numbers_named(attempt(in, {}), 4, 10);
    in.n_heads = 0;
    expect_numbers_named(attempt(in, {}), 0, {8, 10});
}

TEST_CASE("09.2 multi_head_attention: shapes that do not fit are refused, both named") {
    const Layer in = random_layer({3, 4, 2, 5, 6, 7}, 300);
    const auto with = [&](Matrix Layer::*part, std::size_t rows, std::size_t columns) {
        Layer changed = in;
        changed.*part = standard_normal(rows, columns, 31);
        return changed;
    };
    // Of the arrays that it does not fit, which one is met first is the learner's choice.
    const auto refuses = [&](const Layer& changed, const support::Shape& misfit) {
        support::expect_misfit(attempt(changed, {}), misfit, {{3, 4}, {4, 10}, {4, 12}, {12, 7}});
    };
    refuses(with(&Layer::W_q, 9, 10), {9, 10});
    refuses(with(&Layer::W_k, 9, 10), {9, 10});
    refuses(with(&Layer::W_v, 9, 12), {9, 12});
    refuses(with(&Layer::W_k, 4, 8), {4, 8});
    refuses(with(&Layer::W_o, 9, 7), {9, 7});
    // X, or the scores that the mask is for.
    support::expect_misfit(attempt(in, causal(4)), {4, 4}, {{3, 4}, {3, 3}});
    support::expect_misfit(attempt(in, Mask{{true, true, true}}), {1, 3}, {{3, 4}, {3, 3}});
}
