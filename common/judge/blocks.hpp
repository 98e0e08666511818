#pragma once

#include <cstddef>
#include <initializer_list>

namespace judge {

// What is lost where rows or columns are cut into blocks of one size, or shared out among threads,
// and the division rounds down.

/// Sizes that blocks have, and numbers of threads.
constexpr std::initializer_list<std::size_t> block_sizes{2, 3, 4, 5, 6, 8, 16, 32, 64, 128};

/// Of so many, those that lie in whole blocks; all where there are fewer than from.
constexpr std::size_t in_whole_blocks(std::size_t count, std::size_t size, std::size_t from) {
    return count < from ? count : count / size * size;
}

/// The same as the beginning of a clause: "the last are lost where … their number is …".
constexpr const char* where_some_are_lost(std::size_t from) {
    return from == 0 ? "" : "there are more than a block of them and ";
}

} // namespace judge
