// 04.5 attention_flops and attention_bytes

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_cost {

using namespace proof;

constexpr Tolerance twelve_digits{1e-12, 0};

double right_flops(long double n, long double d_k, long double d_v) {
    return static_cast<double>(2 * n * n * (d_k + d_v));
}

double right_bytes(long double n, long double d_k, long double d_v) {
    return static_cast<double>(8 * (2 * n * (d_k + d_v) + n * n));
}

Domain of_sizes(const auto& function, auto right) {
    return Domain(
               function, right,
               {{"n", Kind::count, "n"}, {"d_k", Kind::count, "d_k"}, {"d_v", Kind::count, "d_v"}},
               twelve_digits)
        .large("n", 16'777'217)
        .refuses_nothing();
}

const Domain flops = of_sizes(graded::attention_flops, right_flops);
const Domain bytes = of_sizes(graded::attention_bytes, right_bytes);

/// Two of them multiplied, or one with a small factor, exceed 64 bits.
template <class Graded, class Right>
void expect_right_where_integers_end(const Graded& graded, Right right) {
    constexpr std::size_t half = std::size_t{1} << 63U;
    expect_close(graded(4'500'000'000, 62, 64), right(4'500'000'000, 62, 64), twelve_digits);
    expect_close(graded(half + 5, 3, 1), right(half + 5, 3, 1), twelve_digits);
    expect_close(graded(3, half + 1, 5), right(3, half + 1, 5), twelve_digits);
    expect_close(graded(3, 5, half + 7), right(3, 5, half + 7), twelve_digits);
}

TEST_CASE("04.5 attention_flops: two positions, small enough to count") {
    expect_close(graded::attention_flops(2, 3, 5), 64.0, twelve_digits);
}

PROPERTIES("04.5 attention_flops", flops)

TEST_CASE("04.5 attention_flops: products of sizes may exceed 64 bits") {
    expect_right_where_integers_end(graded::attention_flops, right_flops);
}

TEST_CASE("04.5 attention_bytes: two positions, small enough to count") {
    expect_close(graded::attention_bytes(2, 3, 5), 288.0, twelve_digits);
}

PROPERTIES("04.5 attention_bytes", bytes)

TEST_CASE("04.5 attention_bytes: products of sizes may exceed 64 bits") {
    expect_right_where_integers_end(graded::attention_bytes, right_bytes);
}

} // namespace of_cost
