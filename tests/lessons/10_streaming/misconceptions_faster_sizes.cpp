// Wrong versions of 10.4 that people really write: blocks, tiles and registers that do not come out
// even, or share what is each one's own.

#include "wrong_faster.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(faster_attention, keys_past_a_register_of_4_lost,
              "where n_keys is no multiple of 4, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              faster_with([](auto& f) { f.keys_in_whole = 4; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_8_lost,
              "where n_keys is no multiple of 8, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              faster_with([](auto& f) { f.keys_in_whole = 8; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_16_lost,
              "where n_keys is no multiple of 16, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              faster_with([](auto& f) { f.keys_in_whole = 16; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_4_lost,
              "where d_v is no multiple of 4, the components of the output past it are 0.",
              faster_with([](auto& f) { f.values_in_whole = 4; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_8_lost,
              "where d_v is no multiple of 8, the components of the output past it are 0.",
              faster_with([](auto& f) { f.values_in_whole = 8; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_16_lost,
              "where d_v is no multiple of 16, the components of the output past it are 0.",
              faster_with([](auto& f) { f.values_in_whole = 16; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_4_lost,
              "where d_k is no multiple of 4, the components past it are left out of the scores.",
              faster_with([](auto& f) { f.d_k_in_whole = 4; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_8_lost,
              "where d_k is no multiple of 8, the components past it are left out of the scores.",
              faster_with([](auto& f) { f.d_k_in_whole = 8; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_16_lost,
              "where d_k is no multiple of 16, the components past it are left out of the scores.",
              faster_with([](auto& f) { f.d_k_in_whole = 16; }));
MISCONCEPTION(faster_attention, padding_to_4_counts,
              "keys are filled up to a multiple of 4 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              faster_with([](auto& f) { f.padded_to = 4; }));
MISCONCEPTION(faster_attention, padding_to_8_counts,
              "keys are filled up to a multiple of 8 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              faster_with([](auto& f) { f.padded_to = 8; }));
MISCONCEPTION(faster_attention, padding_to_16_counts,
              "keys are filled up to a multiple of 16 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              faster_with([](auto& f) { f.padded_to = 16; }));

MISCONCEPTION(faster_attention, padding_to_32_counts,
              "keys are filled up to a multiple of 32 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              faster_with([](auto& f) { f.padded_to = 32; }));
MISCONCEPTION(faster_attention, padding_to_64_counts,
              "keys are filled up to a multiple of 64 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              faster_with([](auto& f) { f.padded_to = 64; }));
MISCONCEPTION(faster_attention, padding_to_128_counts,
              "keys are filled up to a multiple of 128 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              faster_with([](auto& f) { f.padded_to = 128; }));

MISCONCEPTION(faster_attention, starts_with_0_and_1,
              "each query starts with the maximum 0 and the sum 1, as if it had seen one more key, "
              "of score 0 and with the value 0: every output is too near 0. Before the first key "
              "the maximum is −∞ and the sum 0.",
              with_size(&Faster::keys_of_score_0, 1));

constexpr const char* keys_in_no_tile =
    "only whole tiles of keys are read: those past the last one are left out, and where the keys "
    "fill no tile nothing is summed, and 0 / 0 is NaN. Round the number of tiles up, and cut the "
    "last one short.";
// Of 32, 64 and 128 keys in a tile the same is left in the calls that fail first.
MISCONCEPTION(faster_attention, keys_past_whole_tiles_lost, keys_in_no_tile,
              with_size(&Faster::keys_in_whole, 64));

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
    "where a later tile of keys has a larger score, what was summed before stays as it is. Sum and "
    "output so far have to shrink to the new maximum: each times exp(old − new). Is the factor "
    "left out, or computed when the old maximum was overwritten already? exp(0) is 1.";

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
MISCONCEPTION(faster_attention, queries_past_a_block_of_32_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 32));
MISCONCEPTION(faster_attention, queries_past_a_block_of_64_lost, lost_queries,
              with_size(&Faster::queries_in_whole, 64));
MISCONCEPTION(faster_attention, rest_for_no_thread,
              "where the number of threads does not divide n_queries, the outputs of the last "
              "queries are 0: each thread has n_queries / threads of them, rounded down, and "
              "nobody the rest. Round up, and cut the last part short.",
              faster_with([](auto& f) { f.in_equal_parts = true; }));
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
