// 10.2; scores and values that are seldom drawn: grader_streaming_scores.cpp; the rest of the
// lesson: grader.cpp.

#include <doctest/doctest.h>

#include "asked.hpp"
#include "support/misfits.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_streaming {

using namespace asked;

namespace {

const double ln3 = std::log(3.0);

// ---- Small weights left out, below any bound.

enum class LeftOut {
    beside_the_largest_of_all, // each key
    beside_the_largest_of_the_tile,
    wherever_exp_is_taken,    // of a tile, and in the merge
    tiles_far_below,          // what came before
    tiles_far_below_or_above, // likewise, or what came before is
    keys_far_below,           // what came before
    keys_far_below_or_above,
    of_the_sum // each key's weight, and logsumexp is right
};
constexpr LeftOut all_left_out[] = {
    LeftOut::beside_the_largest_of_all, LeftOut::beside_the_largest_of_the_tile,
    LeftOut::wherever_exp_is_taken,     LeftOut::tiles_far_below,
    LeftOut::tiles_far_below_or_above,  LeftOut::keys_far_below,
    LeftOut::keys_far_below_or_above,   LeftOut::of_the_sum};

struct Call {
    Matrix Q, K, V;
    std::size_t tile;
    OptionalMask mask;
    judge::Value answer;
    judge::Tolerance tolerance;
};

/// Of one query whose scores are these, −∞ where blocked.
Partial left_out(const Call& of, const std::vector<double>& scores, LeftOut what, double bound) {
    const bool key_by_key =
        what == LeftOut::keys_far_below || what == LeftOut::keys_far_below_or_above;
    const bool above =
        what == LeftOut::tiles_far_below_or_above || what == LeftOut::keys_far_below_or_above;
    const double largest = *std::max_element(scores.begin(), scores.end());
    double all = 0;
    for (const double score : scores) {
        all += score > -infinity ? std::exp(score - largest) : 0;
    }
    const std::size_t tile = key_by_key ? 1 : std::min(of.tile, scores.size());
    Partial so_far = lesson::no_keys_yet(of.V.shape(1));
    for (std::size_t first = 0; first < scores.size(); first += tile) {
        const std::size_t end = std::min(first + tile, scores.size());
        Partial here = lesson::no_keys_yet(of.V.shape(1));
        for (std::size_t j = first; j < end; ++j) {
            here.maximum = std::max(here.maximum, scores[j]);
        }
        if (here.maximum == -infinity) {
            continue;
        }
        for (std::size_t j = first; j < end; ++j) {
            const double below = scores[j] - here.maximum, below_all = scores[j] - largest;
            const bool is_left_out = what == LeftOut::beside_the_largest_of_all ? below_all < -bound
                                     : what == LeftOut::beside_the_largest_of_the_tile ||
                                             what == LeftOut::wherever_exp_is_taken
                                         ? below < -bound
                                         : false;
            const double p = is_left_out ? 0 : std::exp(below);
            here.sum += p;
            if (what == LeftOut::of_the_sum && std::exp(below_all) < std::exp(-bound) * all) {
                continue;
            }
            for (std::size_t c = 0; c < of.V.shape(1); ++c) {
                here.output(c) += p * of.V(j, c);
            }
        }
        const bool far_below = here.maximum - so_far.maximum < -bound,
                   far_above = so_far.maximum - here.maximum < -bound;
        const bool in_the_merge = what == LeftOut::wherever_exp_is_taken;
        const bool by_tiles = key_by_key || what == LeftOut::tiles_far_below || above;
        if (far_below && (in_the_merge || by_tiles)) {
            continue;
        }
        so_far = far_above && (in_the_merge || above) ? here : plain::merge(so_far, here);
    }
    return so_far;
}

Streamed left_out(const Call& of, LeftOut what, double bound) {
    const std::size_t n_queries = of.Q.shape(0);
    Streamed result{xt::zeros<double>({n_queries, of.V.shape(1)}), xt::zeros<double>({n_queries})};
    for (std::size_t i = 0; i < n_queries; ++i) {
        std::vector<double> scores;
        for (std::size_t j = 0; j < of.K.shape(0); ++j) {
            const bool seen = !of.mask || (*of.mask)(i, j);
            scores.push_back(seen ? plain::dot(of.Q, i, of.K, j) / plain::root(of.Q.shape(1))
                                  : -infinity);
        }
        const Partial all = left_out(of, scores, what, bound);
        result.logsumexp(i) = all.sum > 0 ? all.maximum + std::log(all.sum) : -infinity;
        if (all.sum > 0) {
            xt::view(result.output, i, xt::all()) = all.output / all.sum;
        }
    }
    return result;
}

bool leaves_out_small_weights(const std::vector<judge::Session::Answer>& answers) {
    const auto calls =
        answered_calls<Call>("streaming_attention", [](const judge::List& arguments) -> Call {
            return {judge::from_value<Matrix>(arguments[0]),
                    judge::from_value<Matrix>(arguments[1]),
                    judge::from_value<Matrix>(arguments[2]),
                    judge::from_value<std::size_t>(arguments[3]),
                    judge::from_value<OptionalMask>(arguments[4]),
                    {},
                    {}};
        });
    std::vector<std::function<judge::Value(const Call&)>> suspects;
    for (const double bound : usual_bounds()) {
        for (const LeftOut what : all_left_out) {
            suspects.push_back(
                [=](const Call& of) { return judge::to_value(left_out(of, what, bound)); });
        }
    }
    return one_explains(answers, calls, suspects);
}

const bool registered = [] {
    judge::session().recognise("streaming_attention", "small_weights_left_out",
                               leaves_out_small_weights);
    return true;
}();

/// Large scores lose digits: of a sum of n products, each as large as the score, about n ulps.
constexpr judge::Tolerance of_large_scores{0, 0, 1e-9};

void expect_attention(const Inputs& in, std::size_t tile, const OptionalMask& mask = {},
                      judge::Tolerance tolerance = judge::normwise) {
    expect_close(graded::streaming_attention(in.Q, in.K, in.V, tile, mask),
                 plain::attention(in.Q, in.K, in.V, mask), tolerance);
}

} // namespace

TEST_CASE("10.2 streaming_attention: one query and three keys in tiles of two, by hand") {
    // Scores 0, ln 3 and 0 weigh 1/5, 3/5 and 1/5.
    expect_close(
        graded::streaming_attention({{1}}, {{0}, {ln3}, {0}}, {{10, 0}, {20, 5}, {30, 0}}, 2, {}),
        Streamed{{{20, 3}}, {std::log(5.0)}}, judge::normwise);
}

TEST_CASE("10.2 streaming_attention: all sizes different, in tiles that come out even and not") {
    const Inputs in = drawn_inputs(4, 6, 3, 5, 1);
    for (const std::size_t tile : {2U, 3U, 4U, 5U}) {
        expect_attention(in, tile);
    }
}

TEST_CASE("10.2 streaming_attention: one matrix as queries, keys and values") {
    Inputs in = drawn_inputs(5, 5, 3, 3, 12);
    in.K = in.V = in.Q;
    expect_attention(in, 2);
}

TEST_CASE("10.2 streaming_attention: a tile of 1, of all keys, and larger than there are keys") {
    const Inputs in = drawn_inputs(3, 7, 2, 4, 2);
    for (const std::size_t tile : {1U, 7U, 8U, 64U, 1000U}) {
        expect_attention(in, tile);
    }
}

TEST_CASE("10.2 streaming_attention: tiles of 2²⁰ and 2³⁰, far larger than there are keys") {
    judge::session().suspect(as_large_as_the_tile);
    for (const std::size_t tile : large_tiles) {
        expect_attention(drawn_inputs(3, 7, 2, 4, 2), tile);
    }
}

TEST_CASE("10.2 streaming_attention: tiles of 2³¹ and 2³²") {
    judge::session().suspect(tile_in_32_bits);
    for (const std::size_t tile : tiles_past_32_bits) {
        expect_attention(drawn_inputs(3, 7, 2, 4, 2), tile);
    }
}

TEST_CASE("10.2 streaming_attention: the largest score first, in the middle, last") {
    expect_attention(of_scores({5, 1, 0, 2, -1, 1, 3}, 3), 2);
    expect_attention(of_scores({0, 1, 2, 5, -1, 1, 3}, 4), 2);
    expect_attention(of_scores({0, 1, 2, 3, -1, 1, 5}, 5), 2);
    expect_attention(of_scores({1, 2, 3, 4, 5, 6, 7}, 6), 3);
    expect_attention(of_scores({7, 6, 5, 4, 3, 2, 1}, 7), 3);
    expect_attention(of_scores({-4, -6, -5, -7, -3, -8}, 8), 2);
    expect_attention(of_scores({2, 2, 2, 2, 2}, 9), 2);
}

TEST_CASE("10.2 streaming_attention: with a mask, every query sees something") {
    Mask mask{{true, false, true, true, false},
              {false, true, false, false, true},
              {true, true, true, false, false}};
    const Inputs in = drawn_inputs(3, 5, 4, 2, 10);
    for (const std::size_t tile : {1U, 2U, 3U, 5U, 9U}) {
        expect_attention(in, tile, mask);
    }
    expect_attention(drawn_inputs(5, 5, 3, 4, 11), 2, plain::causal_mask(5, 5));
}

TEST_CASE("10.2 streaming_attention: with a mask, fifteen keys in a tile and in two") {
    const Inputs in = drawn_inputs(5, 15, 3, 4, 14); // no whole number of pairs, fours or eights
    for (const std::size_t tile : {15U, 9U}) {
        expect_attention(in, tile, random_mask(5, 15, 15));
    }
}

TEST_CASE("10.2 streaming_attention: tiles of which a query sees nothing") {
    Mask mask{{false, false, false, false, true, true},
              {true, true, false, false, false, false},
              {false, false, true, true, false, false},
              {true, false, false, false, false, true}};
    const Inputs in = drawn_inputs(4, 6, 2, 3, 12);
    for (const std::size_t tile : {1U, 2U, 3U, 4U}) {
        expect_attention(in, tile, mask);
    }
}

TEST_CASE("10.2 streaming_attention: a query that sees no key has output 0, and −∞") {
    Mask mask{{true, false, true, true, false},
              {false, false, false, false, false},
              {true, true, true, false, false},
              {false, false, false, false, false}};
    const Inputs in = drawn_inputs(4, 5, 3, 2, 13);
    for (const std::size_t tile : {1U, 2U, 5U, 8U}) {
        expect_attention(in, tile, mask);
    }
    expect_attention(drawn_inputs(2, 3, 1, 4, 14), 2,
                     Mask{{false, false, false}, {false, false, false}});
}

TEST_CASE("10.2 streaming_attention: agrees with the plain form on awkward sizes") {
    expect_attention(drawn_inputs(1, 1, 1, 1, 15), 1);
    expect_attention(drawn_inputs(1, 5, 3, 2, 16), 4);
    expect_attention(drawn_inputs(5, 1, 2, 3, 17), 2);
    expect_attention(drawn_inputs(267, 3, 2, 5, 18), 2, random_mask(267, 3, 18));
    expect_attention(drawn_inputs(3, 261, 4, 2, 19), 64);
    expect_attention(drawn_inputs(3, 261, 4, 2, 20), 16, random_mask(3, 261, 20));
    expect_attention(drawn_inputs(2, 5, 267, 3, 21), 3);
    expect_attention(drawn_inputs(2, 5, 3, 263, 22), 2);
    expect_attention(drawn_inputs(70, 70, 4, 4, 23), 32, plain::causal_mask(70, 70));
    expect_attention(drawn_inputs(4, 4, 4, 4, 24), 2);
    expect_attention(drawn_inputs(129, 150, 2, 3, 25), 64);
}

TEST_CASE(
    "10.2 streaming_attention: 400 queries, 5000 of all else, each by itself, and tiles as large") {
    const Inputs in = drawn_inputs(1, 5000, 1, 2, 41);
    for (const std::size_t tile : {300U, 4100U, 10'000U}) {
        expect_attention(in, tile, {}, of_long_sums);
    }
    expect_attention(drawn_inputs(401, 2, 1, 1, 42), 2);
    expect_attention(drawn_inputs(1, 2, 5000, 1, 43), 2, {}, of_long_sums);
    expect_attention(drawn_inputs(1, 2, 1, 5000, 44), 2);
}

TEST_CASE("10.2 streaming_attention: sizes of 1 beside others, and the first pair blocked") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : drawn::with_ones<4>({3, 4, 5, 6})) {
        const Inputs in = drawn_inputs(n_queries, n_keys, d_k, d_v, 49);
        Mask mask = xt::ones<bool>({n_queries, n_keys});
        mask(0, 0) = false;
        for (const std::size_t tile : {1U, 3U}) {
            expect_attention(in, tile);
            expect_attention(in, tile, mask);
        }
    }
}

TEST_CASE("10.2 streaming_attention: a largest score of 0, and scores that are all 0") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     4); // asked only of what is right on ordinary ones
    expect_attention(of_scores({-3, 0, -5, -1, -2}, 45), 2);
    expect_attention(of_scores({0, 0, 0, 0, 0}, 46), 2);
    expect_attention(of_scores({0, 2, -1}, 47), 2, Mask{{true, false, false}}); // logsumexp 0
    Inputs in = of_scores({1, 0, -1}, 48);
    in.V.fill(0);
    expect_attention(in, 2);
}

TEST_CASE("10.2 streaming_attention: weights of 1e-11 and less, whose values are as large") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     4); // asked only of what is right on ordinary ones
    for (const std::size_t tile : {1U, 2U, 8U}) {
        expect_attention(small_weights(1), tile);
    }
}

TEST_CASE("10.2 streaming_attention: values of 1e-100 and of 1e100, and scores of these sizes") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     4); // asked only of what is right on ordinary ones
    for (const double size : sizes_of_numbers) {
        Inputs in = drawn_inputs(3, 5, 2, 4, 51);
        in.V *= size;
        expect_attention(in, 2);
        in.Q *= size;
        in.K /= size;
        expect_attention(in, 2);
        expect_attention(of_score_size(size), 4, {}, of_large_scores);
    }
}

TEST_CASE("10.2 streaming_attention: a score of 715 above 40 of 690") {
    // Too large for exp by itself, and not with the index of the largest subtracted.
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     4); // asked only of what is right on ordinary ones
    std::vector<double> scores(40, 690.0);
    scores.push_back(715);
    expect_attention(of_scores(scores, 36), 64, {}, of_large_scores);
}

TEST_CASE("10.2 streaming_attention: scores of 1000 and −1000") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     4); // asked only of what is right on ordinary ones
    expect_attention(of_scores({1000, 999, 1001, 998, 1000.5}, 26), 2, {}, of_large_scores);
    expect_attention(of_scores({-1000, -999, -1001, -998, -1000.5}, 27), 2, {}, of_large_scores);
    expect_attention(of_scores({-1000, 0, 1000, -1, 999}, 28), 2, {}, of_large_scores);
    expect_attention(of_scores({1000, 0, -1000, 1, 999}, 29), 2, {}, of_large_scores);
    expect_attention(drawn_inputs(4, 9, 3, 2, 30, 2000), 4, {}, of_large_scores);
}

TEST_CASE("10.2 streaming_attention: a blocked score of 2000 above all others") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1),
                     4); // asked only of what is right on ordinary ones
    const Mask mask{{true, false, true, true, true}};
    expect_attention(of_scores({1, 2000, 2, 0, 3}, 31), 2, mask, of_large_scores);
    expect_attention(of_scores({-1000, 1000, -998, -999, -1001}, 32), 3, mask, of_large_scores);
    const Mask all_but_first{{false, true, true, true, true}};
    expect_attention(of_scores({2000, 1, 2, 0, 3}, 37), 2, all_but_first, of_large_scores);
    const Mask all_but_last{{true, true, true, true, false}};
    expect_attention(of_scores({1, 2, 0, 3, 2000}, 38), 2, all_but_last, of_large_scores);
}

TEST_CASE("10.2 streaming_attention: the tile changes nothing but rounding") {
    const Inputs in = drawn_inputs(5, 23, 3, 2, 33, 3);
    const Mask mask = random_mask(5, 23, 34);
    const Streamed right = plain::attention(in.Q, in.K, in.V, mask);
    for (std::size_t tile = 1; tile <= 25; tile += 3) {
        expect_close(graded::streaming_attention(in.Q, in.K, in.V, tile, mask), right,
                     judge::normwise);
    }
}

TEST_CASE("10.2 streaming_attention: shapes that do not fit, and a tile of 0, are refused") {
    const Inputs in = drawn_inputs(3, 4, 2, 5, 35);
    const auto attempt = graded::streaming_attention;
    const auto refuses_mask = [&](std::size_t rows, std::size_t columns) {
        support::expect_misfit(
            attempt.attempt(in.Q, in.K, in.V, 2, plain::causal_mask(rows, columns)),
            {rows, columns}, {{3, 2}, {4, 2}, {4, 5}, {3, 4}}); // (3, 4) is what it should be
    };
    expect_invalid_argument(attempt.attempt(standard_normal(3, 6, 1), in.K, in.V, 2, {}),
                            {{3, 6}, {4, 2}});
    expect_invalid_argument(attempt.attempt(in.Q, in.K, standard_normal(7, 5, 1), 2, {}),
                            {{4, 2}, {7, 5}});
    refuses_mask(4, 3);
    // transposed, and of a single row or column
    expect_invalid_argument(attempt.attempt(standard_normal(2, 3, 1), in.K, in.V, 2, {}),
                            {{2, 3}, {4, 2}});
    expect_invalid_argument(attempt.attempt(in.Q, in.K, standard_normal(5, 4, 1), 2, {}),
                            {{4, 2}, {5, 4}});
    expect_invalid_argument(attempt.attempt(in.Q, in.K, standard_normal(1, 5, 1), 2, {}),
                            {{4, 2}, {1, 5}});
    refuses_mask(1, 4);
    refuses_mask(3, 1);
    judge::expect_refused(attempt.attempt(in.Q, in.K, in.V, 0, {}), "tile = 0");
}

TEST_CASE("10.2 streaming_attention: no n x n array is held, with a mask and without") {
    for (const bool masked : {false, true}) {
        expect_no_matrix(
            "memory_of_forward",
            [&](std::size_t n) { return graded::memory_of_forward(n, 64, masked); },
            [&](std::size_t n) {
                const measured::Inputs in(n, masked);
                expect_close(graded::streaming_attention(in.Q, in.K, in.V, 64, in.mask),
                             plain::attention(in.Q, in.K, in.V, in.mask), of_long_sums);
            });
    }
}

} // namespace grader_streaming
