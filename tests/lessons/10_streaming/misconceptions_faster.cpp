// Wrong versions of 10.4 that people really write: what goes wrong on the way to a fast form. The
// answers are right to more digits than a float has, but for the mistake.

#include "wrong.hpp"

using namespace wrong;

namespace {

using InF = const MatrixF&;

/// The right answer of other arguments, or of other parts.
struct Faster {
    std::function<double(In Q, In V)> divisor = [](auto& Q, auto&) { return root(Q.shape(1)); };
    std::function<double(double)> exponential = [](double x) { return std::exp(x); };
    std::size_t keys_in_whole = 1;    // keys past a multiple of it are lost
    std::size_t keys_in_tiles = 1;    // likewise, where there are more than so many
    std::size_t values_in_whole = 1;  // components of V likewise: 0
    std::size_t queries_in_whole = 1; // queries likewise: 0
    std::size_t d_k_in_whole = 1;     // components of Q and K likewise
    std::size_t padded_to = 1;        // keys of score 0 count up to a multiple of it
    std::size_t keys_at_most = 1U << 30U;
    std::size_t queries_of = 1U << 30U;       // query i is read at i modulo this
    std::size_t queries_a_thread = 1U << 30U; // queries past so many for each thread: 0
    std::size_t block = 1;                    // queries of a block share what is not reset
    std::size_t tile = 1U << 30U;             // keys of a tile, of an online softmax
    bool in_equal_parts = false;              // for each thread as many queries, and the rest 0
    std::size_t maximum_of = 1U << 30U;       // the first so many keys alone
    double clipped_at = infinity, clipped_above = infinity; // scores, before all else
    double lowest = -infinity;                              // what the maximum starts at
    bool resets_maximum = true, resets_sum = true, resets_output = true; // in a block
    bool shrinks_sum = true, shrinks_output = true;                      // from tile to tile
    bool values_by_d_k = false; // row j of V is read from j · d_k on
    bool subtracts_maximum = true;
    bool divides = true;

    MatrixF operator()(InF Q_f, InF K_f, InF V_f, std::size_t threads) const {
        lesson::require_fit("faster_attention", Q_f, K_f, V_f);
        const Matrix Q = xt::cast<double>(Q_f), K = xt::cast<double>(K_f),
                     V = xt::cast<double>(V_f);
        const auto whole = [](std::size_t n, std::size_t of) { return n / of * of; };
        const std::size_t n_keys =
            std::min(keys_at_most, whole(K.shape(0), K.shape(0) > keys_in_tiles
                                                         ? std::max(keys_in_tiles, keys_in_whole)
                                                         : keys_in_whole));
        const std::size_t padding = (padded_to - K.shape(0) % padded_to) % padded_to;
        MatrixF output = xt::zeros<float>({Q.shape(0), V.shape(1)});
        double maximum = lowest, sum = 0;
        std::vector<double> mixed(V.shape(1));
        const std::size_t n_queries =
            std::min(whole(Q.shape(0), in_equal_parts ? threads : queries_in_whole),
                     queries_a_thread * threads);
        for (std::size_t i = 0; i < n_queries; ++i) {
            const bool first = i % block == 0;
            maximum = first || resets_maximum ? padding > 0 ? 0 : lowest : maximum;
            sum = first || resets_sum ? 0 : sum;
            if (first || resets_output) {
                std::fill(mixed.begin(), mixed.end(), 0.0);
            }
            for (std::size_t from = 0; from < n_keys; from += tile) {
                const std::size_t until = std::min(n_keys, from + tile);
                std::vector<double> scores(until - from);
                const double before = maximum;
                for (std::size_t j = from; j < until; ++j) {
                    double& score = scores[j - from];
                    for (std::size_t c = 0; c < whole(Q.shape(1), d_k_in_whole); ++c) {
                        score += Q(i % queries_of, c) * K(j, c);
                    }
                    score = std::clamp(score / divisor(Q, V), -clipped_at,
                                       std::min(clipped_at, clipped_above));
                    maximum = j < maximum_of ? std::max(maximum, score) : maximum;
                }
                maximum = subtracts_maximum ? maximum : 0;
                const double shrink = from > 0 ? exponential(before - maximum) : 1;
                sum *= shrinks_sum ? shrink : 1;
                for (double& each : mixed) {
                    each *= shrinks_output ? shrink : 1;
                }
                for (std::size_t j = from; j < until; ++j) {
                    // In a float, as it would be there.
                    const double p = static_cast<double>(
                        static_cast<float>(exponential(scores[j - from] - maximum)));
                    sum += p;
                    for (std::size_t c = 0; c < mixed.size(); ++c) {
                        const std::size_t at =
                            (values_by_d_k ? j * Q.shape(1) : j * V.shape(1)) + c;
                        mixed[c] += p * (at < V.size() ? V.flat(at) : 0.0);
                    }
                }
            }
            const double all = sum + (padding > 0 ? real(padding) * exponential(-maximum) : 0.0);
            for (std::size_t c = 0; c < whole(mixed.size(), values_in_whole); ++c) {
                output(i, c) = static_cast<float>(divides ? mixed[c] / all : mixed[c]);
            }
        }
        return output;
    }
};

template <class Change>
Faster with(Change change) {
    Faster wrong;
    change(wrong);
    return wrong;
}

Faster with_size(std::size_t Faster::*size, std::size_t value) {
    Faster wrong;
    wrong.*size = value;
    return wrong;
}

MISCONCEPTION(faster_attention, scale_forgotten, "the scores are not divided by √d_k.",
              with([](auto& f) { f.divisor = [](auto&, auto&) { return 1.0; }; }));
MISCONCEPTION(faster_attention, divided_by_d_k,
              "the scores are divided by d_k. It is its square root.",
              with([](auto& f) { f.divisor = [](auto& Q, auto&) { return real(Q.shape(1)); }; }));
MISCONCEPTION(faster_attention, root_of_d_v,
              "the scores are divided by √d_v. It is d_k, the components of a query.",
              with([](auto& f) { f.divisor = [](auto&, auto& V) { return root(V.shape(1)); }; }));
MISCONCEPTION(faster_attention, weights_below_1e_3_dropped,
              "a key whose weight is small beside the largest is left out. Hundreds of them count, "
              "and one whose value is as large.",
              with([](auto& f) {
                  f.exponential = [](double x) { return std::exp(x) < 1e-3 ? 0 : std::exp(x); };
              }));
auto exponents_held_at(double bound) {
    return with(
        [=](auto& f) { f.exponential = [=](double x) { return std::exp(std::max(x, bound)); }; });
}
constexpr const char* held_exponents =
    "far below the maximum the exponential stops falling, so that keys without weight have some, "
    "and many have much. It goes on to 0.";
MISCONCEPTION(faster_attention, exponents_held_at_minus_4, held_exponents, exponents_held_at(-4));
MISCONCEPTION(faster_attention, exponents_held_at_minus_5, held_exponents, exponents_held_at(-5));
MISCONCEPTION(faster_attention, exponents_held_at_minus_6, held_exponents, exponents_held_at(-6));
MISCONCEPTION(faster_attention, exponents_held_at_minus_8, held_exponents, exponents_held_at(-8));
MISCONCEPTION(faster_attention, exponents_held_at_minus_10, held_exponents, exponents_held_at(-10));
MISCONCEPTION(faster_attention, exponents_held_at_minus_12, held_exponents, exponents_held_at(-12));
MISCONCEPTION(faster_attention, exponents_held_at_minus_15, held_exponents, exponents_held_at(-15));
MISCONCEPTION(faster_attention, exponents_held_at_minus_16, held_exponents, exponents_held_at(-16));
MISCONCEPTION(faster_attention, exponents_held_at_minus_20, held_exponents, exponents_held_at(-20));
MISCONCEPTION(faster_attention, exponents_held_at_minus_30, held_exponents, exponents_held_at(-30));
MISCONCEPTION(faster_attention, powers_of_two,
              "the weights are powers of 2 in place of e: exp2 needs scores that were multiplied "
              "by log₂ e.",
              with([](auto& f) { f.exponential = [](double x) { return std::exp2(x); }; }));
MISCONCEPTION(faster_attention, exponential_of_two_digits,
              "the exponential is too rough: bits of a float put together without a correction "
              "(Schraudolph's way) are right to some 6 per cent. A polynomial of degree 5 for the "
              "fraction has seven digits.",
              with([](auto& f) {
                  f.exponential = [](double x) {
                      const double power = x * 1.4426950408889634;
                      const double whole = std::floor(power);
                      return std::ldexp(1 + (power - whole), static_cast<int>(whole));
                  };
              }));
// Known by what all answers show, however rough it is: grader_faster.cpp.
MISCONCEPTION(
    faster_attention, nearly_right,
    "the output is nearly right, to some per cent or per mille, where a float has seven "
    "digits: the exponential is too rough, or scores or values are rounded on the way, to "
    "half precision, say. (1 + x/n)ⁿ is off by a share of x²/2n. A polynomial of degree 5 for the "
    "fraction "
    "of x · log₂ e has seven digits.",
    with([](auto& f) {
        f.exponential = [](double x) { return x > -1024 ? std::pow(1 + x / 1024, 1024) : 0.0; };
    }));
MISCONCEPTION(
    faster_attention, small_exponentials_dropped,
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts "
    "like any other.",
    with([](auto& f) { f.exponential = [](double x) { return x < -16 ? 0.0 : std::exp(x); }; }));
// These are known at any bound.
MISCONCEPTION(faster_attention, exponents_held, held_exponents, exponents_held_at(-7));
MISCONCEPTION(faster_attention, scores_clipped,
              "the scores are cut off above and below, at 80, say, so that exp does not overflow. "
              "Scores beyond that then weigh alike, though one of 1000 has e¹⁰ times the weight of "
              "one of 990. Subtract the largest score of the query: then none is above 0.",
              with([](auto& f) { f.clipped_at = 80; }));
MISCONCEPTION(faster_attention, scores_clipped_above,
              "the scores are cut off above, at 80, say, so that exp does not overflow. Those "
              "beyond that then weigh alike, though one of 1000 has e¹⁰ times the weight of one of "
              "990. Subtract the largest score of the query: then none is above 0.",
              with([](auto& f) { f.clipped_above = 80; }));
constexpr const char* maximum_of_the_first =
    "the maximum is that of the first tile of keys alone, and is never raised: a later score that "
    "lies 89 above it overflows a float. Each tile may raise it, and what was summed shrinks then.";
// Where it shows, one size of a tile is like another.
MISCONCEPTION(faster_attention, maximum_of_the_first_tile, maximum_of_the_first,
              with_size(&Faster::maximum_of, 64));
auto exponentials_dropped_below(double bound) {
    return with(
        [=](auto& f) { f.exponential = [=](double x) { return x < bound ? 0.0 : std::exp(x); }; });
}
constexpr const char* dropped_exponentials =
    "a weight that is small is taken for 0. There may be many of them, or one may meet a value "
    "that is as large: they count like any other.";
MISCONCEPTION(faster_attention, exponentials_below_minus_10_dropped, dropped_exponentials,
              exponentials_dropped_below(-10));
MISCONCEPTION(faster_attention, no_maximum,
              "no maximum is subtracted: in a float exp overflows at 89 already.",
              with([](auto& f) { f.subtracts_maximum = false; }));
MISCONCEPTION(faster_attention, output_not_divided,
              "the output is not divided by the sum of the exponentials.",
              with([](auto& f) { f.divides = false; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_4_lost,
              "where n_keys is no multiple of 4, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              with([](auto& f) { f.keys_in_whole = 4; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_8_lost,
              "where n_keys is no multiple of 8, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              with([](auto& f) { f.keys_in_whole = 8; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_16_lost,
              "where n_keys is no multiple of 16, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              with([](auto& f) { f.keys_in_whole = 16; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_4_lost,
              "where d_v is no multiple of 4, the components of the output past it are 0.",
              with([](auto& f) { f.values_in_whole = 4; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_8_lost,
              "where d_v is no multiple of 8, the components of the output past it are 0.",
              with([](auto& f) { f.values_in_whole = 8; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_16_lost,
              "where d_v is no multiple of 16, the components of the output past it are 0.",
              with([](auto& f) { f.values_in_whole = 16; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_4_lost,
              "where d_k is no multiple of 4, the components past it are left out of the scores.",
              with([](auto& f) { f.d_k_in_whole = 4; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_8_lost,
              "where d_k is no multiple of 8, the components past it are left out of the scores.",
              with([](auto& f) { f.d_k_in_whole = 8; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_16_lost,
              "where d_k is no multiple of 16, the components past it are left out of the scores.",
              with([](auto& f) { f.d_k_in_whole = 16; }));
MISCONCEPTION(faster_attention, padding_to_4_counts,
              "keys are filled up to a multiple of 4 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 4; }));
MISCONCEPTION(faster_attention, padding_to_8_counts,
              "keys are filled up to a multiple of 8 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 8; }));
MISCONCEPTION(faster_attention, padding_to_16_counts,
              "keys are filled up to a multiple of 16 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 16; }));

MISCONCEPTION(faster_attention, padding_to_32_counts,
              "keys are filled up to a multiple of 32 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 32; }));
MISCONCEPTION(faster_attention, padding_to_64_counts,
              "keys are filled up to a multiple of 64 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 64; }));
MISCONCEPTION(faster_attention, padding_to_128_counts,
              "keys are filled up to a multiple of 128 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 128; }));
MISCONCEPTION(faster_attention, maximum_from_zero,
              "the maximum starts at 0. If all scores are far below, every exponential is 0, and "
              "0 / 0 is NaN. Start at −∞.",
              with([](auto& f) { f.lowest = 0; }));
MISCONCEPTION(faster_attention, values_by_the_width_of_keys,
              "row j of V is read from j · d_k on. A value has d_v components: j · d_v.",
              with([](auto& f) { f.values_by_d_k = true; }));
MISCONCEPTION(faster_attention, maximum_not_reset,
              "the maximum that is subtracted is not the query's own: it stays from one query to "
              "the next, or all share one. Where a query's scores are all far below it, every "
              "exponential is 0, and 0 / 0 is NaN. Start each query at −∞.",
              with([](auto& f) {
                  f.block = 1U << 30U;
                  f.resets_maximum = false;
              }));
MISCONCEPTION(
    faster_attention, sum_not_reset,
    "the sum is not set back to 0 for each query: what the ones before have added stays in it.",
    with([](auto& f) {
        f.block = 1U << 30U;
        f.resets_sum = false;
    }));
MISCONCEPTION(
    faster_attention, output_not_reset,
    "the output is not set back to 0 for each query: what the ones before have added stays in it.",
    with([](auto& f) {
        f.block = 1U << 30U;
        f.resets_output = false;
    }));

MISCONCEPTION(faster_attention, root_of_a_whole_number,
              "the root of d_k is cut to a whole number. Compute it in float: "
              "std::sqrt(static_cast<float>(d_k)).",
              with([](auto& f) {
                  f.divisor = [](auto& Q, auto&) { return std::floor(root(Q.shape(1))); };
              }));
MISCONCEPTION(faster_attention, root_of_one_more,
              "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              with([](auto& f) {
                  f.divisor = [](auto& Q, auto&) { return root(Q.shape(1) + 1); };
              }));
MISCONCEPTION(faster_attention, root_of_n_keys,
              "the scores are divided by the root of the number of keys. It is d_k, the components "
              "of a query.",
              with([](auto& f) { f.divisor = [](auto&, auto& V) { return root(V.shape(0)); }; }));

// The sizes of blocks and tiles that people choose. What is said names none of them: where most
// calls have fewer queries than a block, one size looks like another.

Faster in_blocks(std::size_t queries, bool Faster::*resets) {
    Faster wrong;
    wrong.block = queries;
    wrong.*resets = false;
    return wrong;
}

Faster in_tiles(std::size_t keys, bool shrinks_sum, bool shrinks_output) {
    Faster wrong;
    wrong.tile = keys;
    wrong.shrinks_sum = shrinks_sum;
    wrong.shrinks_output = shrinks_output;
    return wrong;
}

constexpr const char* lost_queries =
    "the outputs of the last queries are 0 where they do not fill a block: the number of blocks, "
    "or "
    "of queries for each thread, is rounded down. Round it up, and cut the last block short.";
constexpr const char* a_block_a_thread =
    "only as many blocks of queries are computed as there are threads, the other outputs are 0. "
    "parallel_for calls with the block's number first, and then the thread's; and it is told first "
    "how many threads there are, and then how many blocks.";
constexpr const char* kept_sum =
    "the sum is not set back to 0 for each query of a block: what the ones before have added stays "
    "in it.";
constexpr const char* kept_output =
    "the output is not set back to 0 for each query of a block: what the ones before have added "
    "stays in it.";
constexpr const char* first_queries =
    "each block of queries asks with those of the first: the queries are read at their place in "
    "the block. Add the block's first query.";
constexpr const char* lost_keys =
    "where the keys fill more than a tile, those past the last whole tile are left out: the number "
    "of tiles is rounded down. Round it up, and cut the last one short.";
constexpr const char* first_keys =
    "only the first tile of keys counts: the loop over the tiles of keys ends after one.";
constexpr const char* unshrunk_output =
    "where a later tile of keys has a larger score, the output so far has to shrink to the new "
    "maximum, as the sum does.";
constexpr const char* unshrunk_sum =
    "where a later tile of keys has a larger score, the sum so far has to shrink to the new "
    "maximum, as the output does.";
constexpr const char* nothing_shrunk =
    "where a later tile of keys has a larger score, sum and output so far have to shrink to the "
    "new maximum: each times exp(old − new).";

MISCONCEPTION(faster_attention, queries_past_a_block_of_2_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 2));
MISCONCEPTION(faster_attention, queries_past_a_block_of_3_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 3));
MISCONCEPTION(faster_attention, queries_past_a_block_of_5_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 5));
MISCONCEPTION(faster_attention, queries_past_a_block_of_6_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 6));
MISCONCEPTION(faster_attention, queries_past_a_block_of_12_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 12));
MISCONCEPTION(faster_attention, queries_past_a_block_of_4_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 4));
MISCONCEPTION(faster_attention, queries_past_a_block_of_8_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 8));
MISCONCEPTION(faster_attention, queries_past_a_block_of_16_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 16));
MISCONCEPTION(faster_attention, rest_for_no_thread,
              "where the number of threads does not divide n_queries, the outputs of the last "
              "queries are 0: each thread has n_queries / threads of them, rounded down, and "
              "nobody the rest. Round up, and cut the last part short.",
              with([](auto& f) { f.in_equal_parts = true; }));
MISCONCEPTION(faster_attention, block_of_4_for_each_thread, a_block_a_thread,
              with_size(&Faster::queries_a_thread, 4));
MISCONCEPTION(faster_attention, block_of_8_for_each_thread, a_block_a_thread,
              with_size(&Faster::queries_a_thread, 8));
MISCONCEPTION(faster_attention, block_of_16_for_each_thread, a_block_a_thread,
              with_size(&Faster::queries_a_thread, 16));
MISCONCEPTION(faster_attention, block_of_32_for_each_thread, a_block_a_thread,
              with_size(&Faster::queries_a_thread, 32));
MISCONCEPTION(faster_attention, block_of_64_for_each_thread, a_block_a_thread,
              with_size(&Faster::queries_a_thread, 64));
MISCONCEPTION(faster_attention, query_for_each_thread, a_block_a_thread,
              with_size(&Faster::queries_a_thread, 1));
MISCONCEPTION(faster_attention, sum_not_reset_in_blocks_of_4, kept_sum,
              in_blocks(4, &Faster::resets_sum));
MISCONCEPTION(faster_attention, sum_not_reset_in_blocks_of_8, kept_sum,
              in_blocks(8, &Faster::resets_sum));
MISCONCEPTION(faster_attention, sum_not_reset_in_blocks_of_16, kept_sum,
              in_blocks(16, &Faster::resets_sum));
MISCONCEPTION(faster_attention, output_not_reset_in_blocks_of_4, kept_output,
              in_blocks(4, &Faster::resets_output));
MISCONCEPTION(faster_attention, output_not_reset_in_blocks_of_8, kept_output,
              in_blocks(8, &Faster::resets_output));
MISCONCEPTION(faster_attention, output_not_reset_in_blocks_of_16, kept_output,
              in_blocks(16, &Faster::resets_output));
MISCONCEPTION(faster_attention, queries_of_the_first_4, first_queries,
              with_size(&Faster::queries_of, 4));
MISCONCEPTION(faster_attention, queries_of_the_first_8, first_queries,
              with_size(&Faster::queries_of, 8));
MISCONCEPTION(faster_attention, queries_of_the_first_16, first_queries,
              with_size(&Faster::queries_of, 16));
MISCONCEPTION(faster_attention, queries_of_the_first_32, first_queries,
              with_size(&Faster::queries_of, 32));
MISCONCEPTION(faster_attention, queries_of_the_first_64, first_queries,
              with_size(&Faster::queries_of, 64));
MISCONCEPTION(faster_attention, first_32_keys_alone, first_keys,
              with_size(&Faster::keys_at_most, 32));
MISCONCEPTION(faster_attention, first_64_keys_alone, first_keys,
              with_size(&Faster::keys_at_most, 64));
MISCONCEPTION(faster_attention, first_128_keys_alone, first_keys,
              with_size(&Faster::keys_at_most, 128));
MISCONCEPTION(faster_attention, keys_past_tiles_of_16_lost, lost_keys,
              with_size(&Faster::keys_in_tiles, 16));
MISCONCEPTION(faster_attention, keys_past_tiles_of_32_lost, lost_keys,
              with_size(&Faster::keys_in_tiles, 32));
MISCONCEPTION(faster_attention, keys_past_tiles_of_64_lost, lost_keys,
              with_size(&Faster::keys_in_tiles, 64));
MISCONCEPTION(faster_attention, keys_past_tiles_of_128_lost, lost_keys,
              with_size(&Faster::keys_in_tiles, 128));
MISCONCEPTION(faster_attention, output_not_shrunk_in_tiles_of_16, unshrunk_output,
              in_tiles(16, true, false));
MISCONCEPTION(faster_attention, sum_not_shrunk_in_tiles_of_16, unshrunk_sum,
              in_tiles(16, false, true));
MISCONCEPTION(faster_attention, nothing_shrunk_in_tiles_of_16, nothing_shrunk,
              in_tiles(16, false, false));
MISCONCEPTION(faster_attention, output_not_shrunk_in_tiles_of_32, unshrunk_output,
              in_tiles(32, true, false));
MISCONCEPTION(faster_attention, sum_not_shrunk_in_tiles_of_32, unshrunk_sum,
              in_tiles(32, false, true));
MISCONCEPTION(faster_attention, nothing_shrunk_in_tiles_of_32, nothing_shrunk,
              in_tiles(32, false, false));
MISCONCEPTION(faster_attention, output_not_shrunk_in_tiles_of_64, unshrunk_output,
              in_tiles(64, true, false));
MISCONCEPTION(faster_attention, sum_not_shrunk_in_tiles_of_64, unshrunk_sum,
              in_tiles(64, false, true));
MISCONCEPTION(faster_attention, nothing_shrunk_in_tiles_of_64, nothing_shrunk,
              in_tiles(64, false, false));
MISCONCEPTION(faster_attention, output_not_shrunk_in_tiles_of_128, unshrunk_output,
              in_tiles(128, true, false));
MISCONCEPTION(faster_attention, sum_not_shrunk_in_tiles_of_128, unshrunk_sum,
              in_tiles(128, false, true));
MISCONCEPTION(faster_attention, nothing_shrunk_in_tiles_of_128, nothing_shrunk,
              in_tiles(128, false, false));

} // namespace
