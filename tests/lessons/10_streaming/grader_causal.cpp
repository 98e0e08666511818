// 10.3; the rest of the lesson: grader.cpp.

#include <cmath>

#include <doctest/doctest.h>

#include "asked.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_causal {

using namespace asked;

namespace {

const double ln3 = std::log(3.0);
constexpr judge::Tolerance of_large_scores{0, 0, 1e-9};

Matrix right(const Inputs& in) {
    return plain::attention(in.Q, in.K, in.V, plain::causal_mask(in.Q.shape(0), in.K.shape(0)))
        .output;
}

/// No more than is needed, and once.
void expect_asked_for(const by_tiles::Causal& answer) {
    const auto scores = [](std::size_t n) {
        return n == 1 ? "1 score" : std::to_string(n) + " scores";
    };
    expect_that(answer.unseen == 0,
                "score_tile is never asked for a tile that none of its queries sees",
                "you asked for " + scores(answer.unseen) + " of such tiles",
                {"unseen_tiles_asked_for",
                 "the output is right, but score_tile is asked for tiles that lie wholly above the "
                 "diagonal, where no query of the block sees a key. End the loop over the keys "
                 "where the last query of the block ends."});
    expect_that(answer.repeated == 0, "score_tile is asked for no score twice",
                "you asked for " + scores(answer.repeated) + " once more",
                {"scores_asked_for_again",
                 "the output is right, but score_tile is asked for the same scores again, and "
                 "computes them anew at each call. Ask once for each tile, outside of any loop "
                 "over its queries or its keys, and keep the tile while you work on it."});
}

void expect_causal(const Inputs& in, std::size_t tile,
                   judge::Tolerance tolerance = judge::normwise) {
    const by_tiles::Causal answer = graded::causal_streaming(in.Q, in.K, in.V, tile);
    expect_close(answer.output, right(in), tolerance);
    expect_asked_for(answer);
}

} // namespace

TEST_CASE("10.3 causal_streaming: three positions in tiles of two, by hand") {
    // Query 2 has the scores 0, ln 3 and 2 ln 2: weights 1/8, 3/8 and 4/8. Query 0 would have
    // others.
    const by_tiles::Causal answer = graded::causal_streaming(
        {{2}, {0}, {1}}, {{0}, {ln3}, {2 * std::log(2.0)}}, {{8}, {16}, {24}}, 2);
    expect_close(answer.output, {{8}, {12}, {19}}, judge::normwise);
    expect_asked_for(answer);
}

TEST_CASE("10.3 causal_streaming: tiles that come out even, and that do not") {
    const Inputs in = drawn_inputs(6, 6, 3, 5, 1);
    for (const std::size_t tile : {2U, 3U, 4U, 5U}) {
        expect_causal(in, tile);
    }
}

TEST_CASE("10.3 causal_streaming: a tile of 1, of everything, and larger than that") {
    const Inputs in = drawn_inputs(7, 7, 2, 4, 2);
    for (const std::size_t tile : {1U, 7U, 8U, 100U}) {
        expect_causal(in, tile);
    }
}

TEST_CASE("10.3 causal_streaming: tiles of 2²⁰ and 2³⁰, far larger than there are keys") {
    judge::session().suspect(as_large_as_the_tile);
    for (const std::size_t tile : large_tiles) {
        expect_causal(drawn_inputs(7, 7, 2, 4, 2), tile);
    }
}

TEST_CASE("10.3 causal_streaming: tiles of 2³¹ and 2³²") {
    judge::session().suspect(tile_in_32_bits);
    for (const std::size_t tile : tiles_past_32_bits) {
        expect_causal(drawn_inputs(7, 7, 2, 4, 2), tile);
    }
}

TEST_CASE("10.3 causal_streaming: weights of 1e-11 and less, whose values are as large") {
    for (const std::size_t tile : {1U, 2U, 8U}) {
        expect_causal(small_weights(5), tile);
    }
}

TEST_CASE("10.3 causal_streaming: all scores far below 0, and unseen ones about 0") {
    expect_causal(drawn_inputs(6, 6, 3, 5, 1), 4); // asked only of what is right on ordinary ones
    judge::session().suspect(finite_in_place_of_minus_infinity);
    for (const double score : far_below) {
        for (const std::size_t tile : {1U, 2U, 3U, 8U}) {
            expect_causal(of_scores({2 * score, score, 3 * score, 2 * score, 2 * score}, 62, 5),
                          tile, of_large_scores);
            // What comes later: seen by the last query alone, and by none.
            expect_causal(of_scores({2 * score, score, 3 * score, 2 * score, 1, 0}, 63, 4), tile,
                          of_large_scores);
        }
    }
}

TEST_CASE("10.3 causal_streaming: values of 1e-100 and of 1e100, and scores of these sizes") {
    expect_causal(drawn_inputs(6, 6, 3, 5, 1), 4); // asked only of what is right on ordinary ones
    for (const double size : sizes_of_numbers) {
        Inputs in = drawn_inputs(5, 5, 2, 4, 51);
        in.V *= size;
        expect_causal(in, 2);
        in = of_score_size(size);
        in.Q = {{1}, {-1}, {1}, {-1}, {1}, {-1}};
        expect_causal(in, 4, of_large_scores);
    }
}

// First a tile that holds one side and not the other: who asks for more than a tile is told by it.
TEST_CASE("10.3 causal_streaming: more keys than queries") {
    for (const std::size_t tile : {4U, 16U, 3U, 2U, 1U}) {
        expect_causal(drawn_inputs(4, 9, 3, 2, 3), tile);
        expect_causal(drawn_inputs(1, 6, 2, 3, 5), tile);
    }
}

TEST_CASE("10.3 causal_streaming: more queries than keys") {
    for (const std::size_t tile : {4U, 16U, 3U, 2U, 1U}) {
        expect_causal(drawn_inputs(9, 4, 2, 3, 4), tile);
        expect_causal(drawn_inputs(6, 1, 2, 3, 6), tile);
    }
}

TEST_CASE("10.3 causal_streaming: the scores that grow from key to key, and that fall") {
    Inputs in = drawn_inputs(8, 8, 1, 2, 7);
    in.Q = xt::ones<double>({8, 1});
    for (std::size_t j = 0; j < 8; ++j) {
        in.K(j, 0) = static_cast<double>(j);
    }
    expect_causal(in, 3);
    in.K *= -1;
    expect_causal(in, 3);
    in.K -= 3;
    expect_causal(in, 2);
}

TEST_CASE("10.3 causal_streaming: scores that rise by 30, by 710, or by 1000 from tile to tile") {
    expect_causal(drawn_inputs(9, 4, 2, 3, 4), 4); // asked only of what is right on ordinary ones
    judge::session().suspect(rises_not_rescaled);
    for (const double rise :
         {30.0, 300.0, 600.0, 700.0, 709.0, 715.0, 740.0, 750.0, 800.0, 1000.0}) {
        const Inputs in = of_scores(in_steps(rise, 12, 4), 67, 12);
        expect_causal(in, 4);
        expect_causal(in, 3);
    }
}

TEST_CASE("10.3 causal_streaming: sizes of 1 beside others") {
    for (const auto& [n_queries, n_keys, d_k, d_v] : drawn::with_ones<4>({4, 5, 3, 6})) {
        for (const std::size_t tile : {1U, 2U, 9U}) {
            expect_causal(drawn_inputs(n_queries, n_keys, d_k, d_v, 21), tile);
        }
    }
}

TEST_CASE("10.3 causal_streaming: longer than 64 and than 256") {
    expect_causal(drawn_inputs(70, 70, 3, 2, 8), 32);
    expect_causal(drawn_inputs(261, 261, 2, 3, 9), 64);
    expect_causal(drawn_inputs(137, 40, 2, 3, 10), 16);
    expect_causal(drawn_inputs(3, 4, 2, 263, 11), 2);
}

// A query sees the keys up to its own: of many keys it takes as many queries.
TEST_CASE("10.3 causal_streaming: 400 queries, 5000 keys and components, and tiles as large") {
    expect_causal(drawn_inputs(401, 2, 1, 1, 17), 4100);
    expect_causal(drawn_inputs(2, 5000, 1, 1, 18), 4100);
    expect_causal(drawn_inputs(2, 2, 1, 5000, 19), 2);
    expect_causal(drawn_inputs(530, 530, 1, 1, 20), 520);
}

TEST_CASE("10.3 causal_streaming: all scores far below 0, and none far above another") {
    Inputs in = drawn_inputs(6, 6, 1, 2, 15);
    in.Q = xt::ones<double>({6, 1});
    for (std::size_t j = 0; j < 6; ++j) {
        in.K(j, 0) = -2000 + std::sin(static_cast<double>(j));
    }
    expect_causal(in, 4, of_large_scores);
}

TEST_CASE("10.3 causal_streaming: scores of 1000 and −1000, and unseen ones far above") {
    expect_causal(drawn_inputs(6, 6, 3, 5, 1), 4); // asked only of what is right on ordinary ones
    expect_causal(drawn_inputs(7, 7, 3, 2, 12, 2000), 3, of_large_scores);
    Inputs in = drawn_inputs(6, 6, 1, 2, 13);
    in.Q = xt::ones<double>({6, 1});
    for (const double size : {1000.0, -1000.0}) {
        for (std::size_t j = 0; j < 6; ++j) {
            in.K(j, 0) = size * static_cast<double>(j);
        }
        expect_causal(in, 4, of_large_scores);
    }
}

TEST_CASE(
    "10.3 causal_streaming: scores that creep upwards or downwards, by as little as 5e-11 a key") {
    expect_causal(drawn_inputs(6, 6, 3, 5, 1), 4); // asked only of what is right on ordinary ones
    judge::session().suspect(small_rises_not_rescaled);
    for (const double rise : small_rises) {
        for (const std::size_t tile : {1U, 3U, 16U}) {
            expect_causal(of_scores(creeping(rise, 40), 61, 40), tile);
            expect_causal(of_scores(creeping(-rise, 40), 61, 40), tile);
        }
    }
}

TEST_CASE("10.3 causal_streaming: values of 0, and such as cancel to 0, under rising scores") {
    expect_causal(drawn_inputs(6, 6, 3, 5, 1), 4); // asked only of what is right on ordinary ones
    for (const std::vector<double>& scores :
         {std::vector<double>{0, 1, 3, 2, 5, 4}, {2, 2, 1, 1, 3, 3}, {0, 0, 0, 0, 0, 0}}) {
        Inputs in = of_scores(scores, 64, 6);
        for (const Matrix& V : values_with_zeros(in.V)) {
            in.V = V;
            expect_causal(in, 2, {0, 1e-12, 1e-12});
        }
    }
    const Inputs in = drawn_inputs(6, 6, 4, 3, 65);
    for (const Matrix& Q : drawn::each_with_zeros(in.Q)) {
        expect_causal({Q, drawn::with_zeros(in.K), in.V}, 4);
    }
}

TEST_CASE("10.3 causal_streaming: what comes later changes nothing, to the last bit") {
    const Inputs in = drawn_inputs(9, 9, 2, 3, 14);
    const Matrix before = graded::causal_streaming(in.Q, in.K, in.V, 4).output;
    expect_shape(sizes(before), {9, 3});
    for (std::size_t j = 1; j < 9; ++j) {
        Inputs changed = in;
        xt::view(changed.K, j, xt::all()) *= -70;
        xt::view(changed.V, j, xt::all()) += 9;
        const Matrix after = graded::causal_streaming(changed.Q, changed.K, changed.V, 4).output;
        expect_shape(sizes(after), {9, 3});
        for (std::size_t i = 0; i < j; ++i) {
            for (std::size_t c = 0; c < 3; ++c) {
                expect_that(before(i, c) == after(i, c),
                            "what comes before position " + std::to_string(j) +
                                " does not change with it",
                            "output " + judge::index_text({i, c}) + " moved by " +
                                number_text(after(i, c) - before(i, c)));
            }
        }
    }
}

TEST_CASE("10.3 causal_streaming: a tile of 0 is refused") {
    const Inputs in = drawn_inputs(3, 3, 2, 5, 15);
    judge::expect_refused(graded::causal_streaming.attempt(in.Q, in.K, in.V, 0), "tile = 0");
}

} // namespace grader_causal
