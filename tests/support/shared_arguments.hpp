#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// A caller may hand in one array for several arguments: X as queries, keys and values; one matrix
/// for W_q and W_k. Equal arrays of a call reach the submission as one object.
namespace support {

/// Every way in which some of `count` arguments are one array. Element i of a way is the first
/// argument that is the same as argument i: {0, 1, 0} is a call f(A, B, A).
inline std::vector<std::vector<std::size_t>> ways_to_share(std::size_t count) {
    std::vector<std::vector<std::size_t>> ways{{}};
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::vector<std::size_t>> longer;
        for (const std::vector<std::size_t>& way : ways) {
            for (std::size_t first = 0; first <= i; ++first) {
                if (first == i || way[first] == first) { // another's, or one of its own
                    longer.push_back(way);
                    longer.back().push_back(first);
                }
            }
        }
        ways = longer;
    }
    return ways;
}

} // namespace support
