#include <doctest/doctest.h>

#include <cmath>

#include "batches.hpp"

using namespace batches;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_shape;
using judge::expect_that;
using judge::index_text;
using judge::number_text;
using lesson::Mask;
using plain::infinity;

namespace {

// ---- 05.2 and 05.4: one finite stand-in for −∞ is as wrong as another, whichever a learner took.

bool alike_but_for_the_stand_in(const judge::Value& a, const judge::Value& b) {
    const auto levelled = [](const judge::Value& value) {
        Matrix matrix = judge::from_value<Matrix>(value);
        for (double& element : matrix) {
            element = std::isfinite(element) ? std::max(element, -15.0) : element;
        }
        return judge::to_value(matrix);
    };
    return !judge::compare(levelled(a), levelled(b));
}

const bool registered = [] {
    judge::session().compare_with("apply_mask", alike_but_for_the_stand_in);
    judge::session().compare_with("additive_mask", alike_but_for_the_stand_in);
    return true;
}();

const Matrix hand_scores{{0, std::log(2.0), std::log(3.0)}, {1, -2, 0.5}};
const Mask hand_mask{{true, true, false}, {false, true, false}};
const Mask all_allowed{{true, true, true}, {true, true, true}};
const Mask nothing_allowed{{false, false, false}, {false, false, false}};

constexpr std::size_t awkward_sizes[][2] = {{1, 1}, {1, 5}, {5, 1}, {2, 3}, {13, 11}, {3, 31}};

std::string place(std::size_t i, std::size_t j) {
    return "element " + index_text({i, j});
}

void expect_rows_that_sum_to_1(const Matrix& weights) {
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const double sum = xt::sum(xt::view(weights, i, xt::all()))();
        expect_that(std::abs(sum - 1) <= 1e-5, "each row of weights sums to 1",
                    "row " + std::to_string(i) + " sums to " + number_text(sum));
    }
}

void expect_masked_softmax(const Matrix& scores, const Mask& mask) {
    expect_close(graded::masked_softmax(scores, mask), plain::masked_softmax(scores, mask));
}

/// Extreme scores are asked only of a function that is right on ordinary ones, so that the way in
/// which a wrong formula overflows does not hide which formula it is.
void expect_right_far_out(const Matrix& scores, const Mask& mask) {
    expect_masked_softmax(hand_scores, hand_mask);
    expect_masked_softmax(hand_scores, nothing_allowed);
    expect_masked_softmax(scores, mask);
}

} // namespace

// ---- 05.1 causal_mask

TEST_CASE("05.1 causal_mask: four positions, the first sees one, the last sees four") {
    expect_close(graded::causal_mask(4), Mask{{true, false, false, false},
                                              {true, true, false, false},
                                              {true, true, true, false},
                                              {true, true, true, true}});
}

TEST_CASE("05.1 causal_mask: a position that is alone sees itself") {
    expect_close(graded::causal_mask(1), Mask{{true}});
}

TEST_CASE("05.1 causal_mask: every position sees itself, and none a later one") {
    const Mask mask = graded::causal_mask(7);
    expect_shape(sizes(mask), {7, 7});
    for (std::size_t i = 0; i < 7; ++i) {
        expect_that(mask(i, i), "every position sees itself", place(i, i) + " is false");
        for (std::size_t j = i + 1; j < 7; ++j) {
            expect_that(!mask(i, j), "no position sees a later one", place(i, j) + " is true");
        }
    }
}

TEST_CASE("05.1 causal_mask: any length") {
    for (const std::size_t n : {2U, 3U, 5U, 31U}) {
        expect_close(graded::causal_mask(n), plain::causal_mask(n));
    }
}

// ---- 05.2 apply_mask

TEST_CASE("05.2 apply_mask: blocked scores become −∞, the others stay") {
    expect_close(graded::apply_mask({{1, 2, 3}, {4, -5, 6}}, hand_mask),
                 Matrix{{1, 2, -infinity}, {-infinity, -5, -infinity}});
}

TEST_CASE("05.2 apply_mask: all allowed changes nothing, nothing allowed leaves only −∞") {
    expect_close(graded::apply_mask(hand_scores, all_allowed), hand_scores);
    expect_close(graded::apply_mask(hand_scores, nothing_allowed),
                 plain::filled(hand_scores, nothing_allowed, -infinity));
}

TEST_CASE("05.2 apply_mask: a score of 0 or below 0 is blocked and kept like any other") {
    expect_close(graded::apply_mask({{0, 0, -3, -3}}, {{true, false, true, false}}),
                 Matrix{{0, -infinity, -3, -infinity}});
}

TEST_CASE("05.2 apply_mask: allowed scores stay, however large or small they are") {
    expect_close(
        graded::apply_mask({{1000, -1000, 1e30, -1e30, 7}}, {{true, true, true, true, false}}),
        Matrix{{1000, -1000, 1e30, -1e30, -infinity}});
}

TEST_CASE("05.2 apply_mask: the causal mask, and others, at awkward sizes") {
    expect_close(graded::apply_mask(standard_normal(5, 5, 3), plain::causal_mask(5)),
                 plain::filled(standard_normal(5, 5, 3), plain::causal_mask(5), -infinity));
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        const Matrix scores = standard_normal(n_queries, n_keys, n_keys);
        const Mask mask = random_mask({n_queries, n_keys}, n_queries);
        expect_close(graded::apply_mask(scores, mask), plain::filled(scores, mask, -infinity));
    }
}

TEST_CASE("05.2 apply_mask: a mask of another shape is refused, and both shapes are named") {
    const Matrix scores = standard_normal(2, 3, 1);
    expect_invalid_argument(graded::apply_mask.attempt(scores, plain::causal_mask(4)),
                            {sizes(scores), {4, 4}});
}

// ---- 05.3 masked_softmax

TEST_CASE("05.3 masked_softmax: what is left after blocking is shared out, 1/3 and 2/3") {
    expect_close(graded::masked_softmax(hand_scores, hand_mask),
                 Matrix{{1.0 / 3, 2.0 / 3, 0}, {0, 1, 0}});
}

TEST_CASE("05.3 masked_softmax: a row in which everything is blocked is 0 throughout") {
    expect_close(graded::masked_softmax({{0, std::log(2.0)}, {1, -2}, {3, 3}},
                                        {{true, true}, {false, false}, {true, true}}),
                 Matrix{{1.0 / 3, 2.0 / 3}, {0, 0}, {0.5, 0.5}});
}

TEST_CASE("05.3 masked_softmax: a mask that allows everything makes it softmax") {
    expect_close(graded::masked_softmax(hand_scores, all_allowed),
                 oracle::softmax_rows(hand_scores));
}

TEST_CASE("05.3 masked_softmax: blocked weights are exactly 0, and each row sums to 1") {
    const Matrix scores = standard_normal(6, 6, 9);
    const Matrix weights = graded::masked_softmax(scores, plain::causal_mask(6));
    expect_shape(sizes(weights), {6, 6});
    expect_rows_that_sum_to_1(weights);
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = i + 1; j < 6; ++j) {
            expect_that(weights(i, j) == 0, "a blocked weight is exactly 0",
                        place(i, j) + " is " + number_text(weights(i, j)));
        }
    }
}

TEST_CASE("05.3 masked_softmax: in a row that is blocked throughout, too, a weight is exactly 0") {
    const Mask mask{{true, false, true}, {false, false, false}, {false, true, false}};
    const Matrix weights = graded::masked_softmax(standard_normal(3, 3, 10), mask);
    expect_shape(sizes(weights), {3, 3});
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            expect_that(mask(i, j) || weights(i, j) == 0, "a blocked weight is exactly 0",
                        place(i, j) + " is " + number_text(weights(i, j)));
        }
    }
}

TEST_CASE("05.3 masked_softmax: a blocked score may be anything, no weight moves") {
    for (const double blocked : {-7.0, 0.0, 3.0, 8.0}) {
        expect_close(graded::masked_softmax({{0, blocked, std::log(3.0)}}, {{true, false, true}}),
                     Matrix{{0.25, 0, 0.75}});
    }
}

TEST_CASE("05.3 masked_softmax: awkward sizes agree with plain loops in long double") {
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        expect_masked_softmax(2 * standard_normal(n_queries, n_keys, n_keys),
                              random_mask({n_queries, n_keys}, n_queries));
    }
}

TEST_CASE("05.3 masked_softmax: a blocked score of 1e4 leaves the others their weights") {
    expect_right_far_out({{0, -1, 1e4}, {1e4, 2, 2}}, {{true, true, false}, {false, true, true}});
}

TEST_CASE("05.3 masked_softmax: allowed scores of 1e4, and a row 2e4 below, keep their weights") {
    expect_right_far_out({{1e4, 9999, 0}, {-1e4, -9999, 5}},
                         {{true, true, true}, {true, true, false}});
}

TEST_CASE("05.3 masked_softmax: −∞ lies below any allowed score, one of -1e10 too") {
    expect_right_far_out({{-1e10, -1e10, 0}}, {{true, true, false}});
    expect_right_far_out({{-1e38, -1e38, 0}}, {{true, true, false}});
}

TEST_CASE("05.3 masked_softmax: a mask of another shape is refused, and both shapes are named") {
    const Matrix scores = standard_normal(2, 3, 1);
    expect_invalid_argument(graded::masked_softmax.attempt(scores, plain::causal_mask(4)),
                            {sizes(scores), {4, 4}});
}

// ---- 05.4 additive_mask

TEST_CASE("05.4 additive_mask: 0 where allowed, −∞ where blocked") {
    expect_close(graded::additive_mask(hand_mask),
                 Matrix{{0, 0, -infinity}, {-infinity, 0, -infinity}});
}

TEST_CASE("05.4 additive_mask: the causal mask has −∞ above the diagonal") {
    expect_close(graded::additive_mask(plain::causal_mask(3)),
                 Matrix{{0, -infinity, -infinity}, {0, 0, -infinity}, {0, 0, 0}});
}

TEST_CASE("05.4 additive_mask: added to the scores, it gives the weights of the mask itself") {
    const Matrix scores = standard_normal(5, 5, 4);
    const Mask mask = plain::causal_mask(5);
    const Matrix additive = graded::additive_mask(mask);
    expect_shape(sizes(additive), {5, 5});
    const Matrix weights = oracle::softmax_rows<double>(scores + additive);
    const Matrix expected = plain::masked_softmax(scores, mask);
    expect_that(!judge::compare(judge::to_value(weights), judge::to_value(expected)),
                "softmax(scores + mask) has the weights of the blocked softmax",
                "with yours it has others");
}

TEST_CASE("05.4 additive_mask: everything allowed is all 0, nothing allowed all −∞") {
    expect_close<Matrix>(graded::additive_mask({{true, true}}), {{0, 0}});
    expect_close<Matrix>(graded::additive_mask({{false}, {false}}), {{-infinity}, {-infinity}});
}

TEST_CASE("05.4 additive_mask: an allowed score is not changed at all") {
    const Matrix additive = graded::additive_mask({{true, false, true}});
    expect_shape(sizes(additive), {1, 3});
    expect_that(additive(0, 0) == 0 && additive(0, 2) == 0, "what is added is exactly 0",
                "it is " + number_text(additive(0, 0)) + " and " + number_text(additive(0, 2)));
}

TEST_CASE("05.4 additive_mask: awkward sizes") {
    for (const auto& [n_queries, n_keys] : awkward_sizes) {
        const Mask mask = random_mask({n_queries, n_keys}, n_keys);
        expect_close(graded::additive_mask(mask),
                     plain::filled(xt::zeros<double>({n_queries, n_keys}), mask, -infinity));
    }
}

// ---- 05.5 scaled_dot_product_attention

const Batch by_hand{{{{0}, {1}}}, {{{0}, {std::log(3.0)}}}, {{{4, 0}, {0, 8}}}};

TEST_CASE("05.5 scaled_dot_product_attention: two tokens under the causal mask, done by hand") {
    expect_close(
        graded::scaled_dot_product_attention(by_hand.Q, by_hand.K, by_hand.V,
                                             xt::xarray<bool>{{true, false}, {true, true}}),
        Attention{{{{4, 0}, {1, 6}}}, {{{1, 0}, {0.25, 0.75}}}});
}

TEST_CASE("05.5 scaled_dot_product_attention: without a mask every query sees every key") {
    expect_close(graded::scaled_dot_product_attention(by_hand.Q, by_hand.K, by_hand.V, {}),
                 Attention{{{{2, 4}, {1, 6}}}, {{{0.5, 0.5}, {0.25, 0.75}}}});
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
                    {0.5759753452, 0.140029245, 0.2839954097}}}});
}

TEST_CASE("05.5 scaled_dot_product_attention: a mask of any broadcastable shape") {
    const Batch in = random_batch(2, 3, 5, 4, 6);
    for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{
             {3, 5}, {1, 3, 5}, {2, 1, 5}, {2, 3, 5}, {1, 1, 5}, {1, 5}, {3, 1}, {2, 3, 1}}) {
        expect_attention(in, random_mask(shape, shape.size()));
    }
    expect_attention(random_batch(3, 4, 2, 1, 5), random_mask({3, 1, 2}, 6));
}

TEST_CASE("05.5 scaled_dot_product_attention: awkward sizes agree with plain loops") {
    expect_attention(random_batch(1, 1, 1, 1, 1), {});
    expect_attention(random_batch(5, 1, 7, 2, 3), random_mask({5, 1, 7}, 7));
    expect_attention(random_batch(1, 7, 5, 3, 2), random_mask({7, 5}, 8));
    expect_attention(random_batch(2, 13, 11, 17, 19), random_mask({2, 13, 11}, 9));
}

TEST_CASE("05.5 scaled_dot_product_attention: a query that may see nothing gets zeros") {
    const Batch in = random_batch(2, 3, 4, 5, 2);
    xt::xarray<bool> mask = xt::ones<bool>({2, 3, 4});
    xt::view(mask, 1, 2, xt::all()) = false;         // one query
    xt::view(mask, 0, xt::all(), xt::all()) = false; // a whole sequence
    expect_attention(in, mask);
}

TEST_CASE(
    "05.5 scaled_dot_product_attention: scores may be as large as they like, blocked or not") {
    const xt::xarray<bool> first_only{{true, false}};
    const xt::xarray<bool> nothing{{false, false}};
    const Tensor3 one{{{1.0}}};
    expect_attention(by_hand, first_only);
    expect_attention(by_hand, nothing);
    expect_attention({one, {{{-1}, {1e4}}}, by_hand.V}, first_only);
    expect_attention({one, {{{-1e10}, {0}}}, by_hand.V}, first_only);
    expect_attention({{{{2e4}, {-2e4}}}, {{{1}, {0.5}}}, by_hand.V}, {});
}

TEST_CASE("05.5 scaled_dot_product_attention: changing a token moves no output before it") {
    const Batch in = random_batch(2, 6, 6, 8, 5);
    Batch other = random_batch(2, 6, 6, 8, 5, 100);
    other.K *= 30; // so large that even a share of it in a maximum would show
    const Attention before = attend(in, plain::causal_mask(6));
    for (std::size_t j = 1; j < 6; ++j) {
        const Batch changed = replaced(in, other, xt::all(), j);
        const Attention after = attend(changed, plain::causal_mask(6));
        for (std::size_t b = 0; b < 2; ++b) {
            expect_identical(before, after, b, j,
                             "what comes before token " + std::to_string(j) +
                                 " does not change with it, not in the last bit");
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
        expect_close<Tensor3>(part.output, prefix(whole.output, 0, n));
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
        expect_close<Tensor3>(prefix(padded.output, b, n), alone.output);
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
    refuses({Q, K_more, V_more}, {}, {sizes(Q), sizes(K_more)});
    refuses({Q, K, V_more}, {}, {sizes(K), sizes(V_more)});
    refuses({Q, K, V_long}, {}, {sizes(K), sizes(V_long)});
    for (const std::vector<std::size_t>& shape : std::vector<std::vector<std::size_t>>{
             {5, 3}, {2, 5}, {3, 3, 5}, {2, 3, 4}, {5}, {1, 2, 3, 5}}) {
        refuses({Q, K, V}, random_mask(shape, 1), {shape, {2, 3, 5}});
    }
}
