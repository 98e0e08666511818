// 05.3 and 05.5 asked for sums in which a term changes nothing and others follow, and with huge
// scores that differ. The rest of the lesson: grader.cpp, grader_blocked_softmax.cpp and
// grader_attention.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "examples.hpp"
#include "support/magnitudes.hpp"

namespace grader_sums {

using namespace batches;
using namespace examples;
using judge::expect_close;
using lesson::Mask;
using plain::mask_of;

namespace {

void expect_softmax(const Matrix& scores, const Mask& mask) {
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask),
                 judge::componentwise);
}

/// Scores of which one, at each place, or two have exponentials that change no sum.
const Matrix too_small_to_change_a_sum{
    {-50, 0, 1, -0.5, 0.5}, {0, -50, 1, -0.5, 0.5}, {0, 1, -50, 0.5, -0.5}, {1, 0, -0.5, -50, 0.5},
    {0.5, 0, 1, 0, -50},    {0, -50, 0, -60, 1},    {0, -60, -50, 1, 2}};

/// Everything allowed, and each key in turn blocked.
const Mask each_blocked =
    mask_of(7, 5, [](auto i, auto j) { return j != i - 1; }); // two rows allow everything

/// Three scores in any order, each in a matrix of its own, again and again.
std::vector<Matrix> in_any_order(std::vector<double> scores) {
    std::vector<Matrix> all;
    std::sort(scores.begin(), scores.end());
    do {
        Matrix rows = Matrix::from_shape({4, 3});
        for (std::size_t i = 0; i < 4; ++i) {
            std::copy(scores.begin(), scores.end(), rows.begin() + 3 * i);
        }
        all.push_back(rows);
    } while (std::next_permutation(scores.begin(), scores.end()));
    return all;
}

/// For each of these rows another mask.
const Mask every_pair{
    {true, true, true}, {false, true, true}, {true, false, true}, {true, true, false}};

/// The rows as one sequence.
Tensor3 alone(const Matrix& rows) {
    Tensor3 tensor = Tensor3::from_shape({1, rows.shape(0), rows.shape(1)});
    std::copy(rows.begin(), rows.end(), tensor.begin());
    return tensor;
}

} // namespace

TEST_CASE("05.3 masked_softmax: an exponential too small to change the sum, at any place, does not "
          "end it") {
    expect_softmax(hand_scores, hand_mask);
    expect_softmax(hand_scores, nothing_allowed);
    const Matrix& scores = too_small_to_change_a_sum;
    expect_softmax(scores, xt::ones<bool>(scores.shape()));
    expect_softmax(scores, each_blocked);
}

TEST_CASE("05.3 masked_softmax: of huge scores that differ the largest that is allowed takes "
          "everything, in any order") {
    expect_softmax(hand_scores, hand_mask);
    expect_softmax(hand_scores, nothing_allowed);
    for (const std::vector<double>& huge : {std::vector<double>{1.7e308, 1.2e308, -1.7e308},
                                            {1.2e308, 1e308, -1.2e308},
                                            {-1.2e308, -1.5e308, -1.7e308}}) {
        for (const Matrix& scores : in_any_order(huge)) {
            expect_softmax(scores, every_pair);
        }
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: a term too small to change a score, the sum of a row "
          "or an output does not end it") {
    const Matrix small = drawn::with_some_too_small_to_change_a_sum();
    const Matrix small_columns = xt::transpose(small);
    const Tensor3 K{{{0.25, 0.5, -0.5, 1, 0.5}, {0, 0.5, 1, -1, 0.25}, {1, 1, 0.5, 0, -1}}};
    const Tensor3 Q{{{1, 1, 1, 1, 1}, {0.5, 0.25, 1, -0.5, 0}}};
    const auto [some_Q, some_K, V] = random_batch(1, 2, 9, 1, 2, 111);
    expect_attention({Q, K, prefix(V, 0, 3)}, {});
    drawn::suspect_a_fixed_bound();
    expect_attention({alone(small), K, prefix(V, 0, 3)}, {});
    expect_attention({Q, alone(small), V}, {});
    expect_attention({Q, alone(small), V},
                     mask_of(2, 9, [](auto i, auto j) { return j % 2 == i; }));
    // Values of which some are too small, and nearly equal weights.
    expect_attention({some_Q, prefix(some_K, 0, 5), alone(small_columns)}, {});
    // One query a row, whose scores are its keys: d_k is 1.
    const Matrix& scores = too_small_to_change_a_sum;
    Batch in = random_batch(scores.shape(0), 1, scores.shape(1), 1, 2, 112);
    in.Q.fill(1);
    std::copy(scores.begin(), scores.end(), in.K.begin());
    expect_attention(in, {});
    in.V.fill(1);
    expect_attention(in, {});
}

TEST_CASE("05.5 scaled_dot_product_attention: of huge scores that differ the largest that is "
          "allowed takes everything, in any order") {
    expect_attention(by_hand, xt::xarray<bool>{{true, false}});
    expect_attention(by_hand, xt::xarray<bool>{{false, false}});
    for (const Matrix& scores : in_any_order({1.2e308, 1e308, -1.2e308})) {
        Batch in = random_batch(1, 4, 3, 1, 2, 113);
        in.Q.fill(1);
        std::copy(scores.begin(), scores.begin() + 3, in.K.begin());
        expect_attention(in, {});
        expect_attention(in, every_pair);
    }
}

} // namespace grader_sums
