#include "attention/random.hpp"

#include "support/check_close.hpp"

#include <algorithm>

using namespace attention;
using support::check_close;

// From an independent mt19937_64 and ratio of uniforms in Python, bit for bit.
TEST_CASE("standard_normal: the numbers of a seed are the same everywhere") {
    const Vector seed_1{-0x1.70b9c8da98d92p-1, -0x1.7f4f171459b8ap+0, 0x1.1651fd8d52f40p+0,
                        -0x1.61257452230f1p+0, 0x1.1422a080c6198p-1,  0x1.b18a1b2dfb300p-4};
    check_close(standard_normal(6, 1), seed_1, {0, 0});
    const Vector last_seed{0x1.9a2041e0583a3p-6, 0x1.52a3341bf6d70p-1, -0x1.0e6a5e92e4961p-2};
    check_close(standard_normal(3, 0xFFFFFFFFFFFFFFFF), last_seed, {0, 0});
}

TEST_CASE("standard_normal: a matrix has the vector's numbers, row after row") {
    const Matrix M = standard_normal(3, 5, 42);
    const Vector v = standard_normal(15, 42);
    CHECK(shape_text(M) == "(3, 5)");
    CHECK(std::equal(M.begin(), M.end(), v.begin(), v.end()));
}
