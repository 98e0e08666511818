// 12.4 read_checkpoint. The order of the arrays is not an oracle's but the library's, each_array:
// in another order the project's own model would not agree with PyTorch, as 12.5 tests.

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_read_checkpoint {

using namespace proof;
using attention::VectorF;
using from_files::Answer;
using Head = std::vector<std::int32_t>;

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

const Head small{4, 7, 3, 2, 1, 5, 6}; // three layers, two heads of queries, one of keys
constexpr std::size_t n_small = 5 * 4 + 3 * (2 * 4 + 2 * 16 + 2 * 8 + 3 * 28) + 4 + 6 * 2;

VectorF counted(std::size_t n) {
    return xt::arange<float>(1, static_cast<float>(n + 1));
}

/// n numbers, counted from 1: so are those of the model, in the order of the file.
void check(const Head& sizes, std::size_t n) {
    std::vector<std::size_t> s(sizes.begin(), sizes.end());
    s[5] = static_cast<std::size_t>(std::abs(sizes[5]));
    auto model = llama::zeros({s[0], s[1], s[2], s[3], s[4], s[5], s[6]});
    double number = 1;
    const auto take = [&](auto& array) {
        std::iota(array.begin(), array.end(), number);
        number += static_cast<double>(array.size());
    };
    llama::each_array(model, take);
    model.output = model.tokens;
    if (sizes[5] < 0) {
        number = static_cast<double>(n - model.output.size() + 1);
        take(model.output);
    }
    expect_close(graded::read_checkpoint(sizes, counted(n), 28 + 4 * n), Answer{false, model},
                 exact);
}

void refuses(const Head& sizes, std::size_t n, std::size_t n_bytes) {
    expect_close(graded::read_checkpoint(sizes, counted(n), n_bytes), Answer{true}, exact);
}

TEST_CASE("12.4 read_checkpoint: one layer of two components, its numbers counted from 1") {
    check({2, 1, 1, 1, 1, 2, 1}, 4 + 2 + 4 * 4 + 2 + 3 * 2 + 2 + 2);
}

TEST_CASE("12.4 read_checkpoint: three layers, two heads of queries and one of keys") {
    check(small, n_small);
}

TEST_CASE("12.4 read_checkpoint: a negative number of tokens: the output's table is at the end") {
    check({4, 7, 3, 2, 1, -5, 6}, n_small + 5 * 4);
}

TEST_CASE("12.4 read_checkpoint: a file too short or too long throws std::invalid_argument") {
    const std::size_t right = 28 + 4 * n_small;
    for (const std::size_t n_bytes :
         {right - 4, right - 1, std::size_t{28}, right + 1, right + 4}) {
        refuses(small, n_small, n_bytes);
    }
    refuses({4, 3}, 0, 8);
    refuses({}, 0, 0);
}

TEST_CASE("12.4 read_checkpoint: heads that do not divide throw std::invalid_argument") {
    refuses({4, 3, 2, 3, 1, 5, 6}, 198, 28 + 4 * 198);  // three heads of four components
    refuses({2, 1, 1, 2, 1, 2, 1}, 29, 28 + 4 * 29);    // heads of one component
    refuses({12, 1, 1, 3, 2, 1, 1}, 568, 28 + 4 * 568); // three heads of queries on two of keys
}

TEST_CASE("12.4 read_checkpoint: sizes of 0, negative ones and 2^31 throw std::invalid_argument") {
    for (std::size_t i = 0; i < small.size(); ++i) {
        for (const std::int32_t wrong : {0, i == 5 ? 0 : -1, -largest - 1, largest}) {
            Head sizes = small;
            sizes[i] = wrong;
            refuses(sizes, n_small, 28 + 4 * n_small);
        }
    }
    refuses({largest - 1, largest, largest, 1, 1, largest, largest}, 7, 56);
}

TEST_CASE("12.4 read_checkpoint: sizes whose bytes would be right in 32 or in 64 bits throw "
          "std::invalid_argument") {
    judge::session().suspect(
        {"bytes_come_round",
         "The bytes are counted in an integer, where large products come round to small numbers, in "
         "64 bits as well. So a small file with huge sizes is accepted: count in double."},
        judge::State::used_too_much_memory);
    refuses({256, 170, 1 << 15, 128, 128, 1, 1}, 514, 28 + 4 * 514);
    refuses({1 << 16, 43690, 1 << 30, 1 << 15, 1 << 15, 1, 1}, 131074, 28 + 4 * 131074);
}

} // namespace of_read_checkpoint
