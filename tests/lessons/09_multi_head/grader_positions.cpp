// 09.3; the rest of the lesson: grader.cpp.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "sequences.hpp"
#include "support/misfits.hpp"

using namespace sequences;

namespace {

/// An angle of a few thousand radians is right to 1e-12, and so are its sine and cosine.
constexpr judge::Tolerance twelve_digits{0, 1e-11};

void expect_positions(std::size_t n, std::size_t d) {
    expect_close(graded::sinusoidal_positions(n, d), plain::sinusoidal_positions(n, d),
                 twelve_digits);
}

void expect_rotated(const Matrix& X, const Vector& positions) {
    expect_close(graded::rotate(X, positions), plain::rotate(X, positions),
                 judge::Tolerance{0, 0, 1e-11});
}

Matrix rotated(const Matrix& X, const Vector& positions) {
    const Matrix answer = graded::rotate(X, positions);
    expect_shape(sizes(answer), sizes(X));
    return answer;
}

/// n rows, all of them this one.
Matrix repeated(const Matrix& row, std::size_t n) {
    return plain::matrix_of(n, row.shape(1), [&](auto, auto c) { return row(0, c); });
}

double length(const Matrix& X, std::size_t i, std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t c = first; c < last; ++c) {
        sum += X(i, c) * X(i, c);
    }
    return std::sqrt(sum);
}

constexpr double quarter = 1.5707963267948966; // a quarter of a turn

} // namespace

// ---- 09.3 sinusoidal_positions

TEST_CASE("09.3 sinusoidal_positions: three positions of four components") {
    // 10000^(-2/4) is 1/100.
    expect_close(graded::sinusoidal_positions(3, 4),
                 Matrix{{0, 1, 0, 1},
                        {0.841470984808, 0.540302305868, 0.009999833334, 0.999950000417},
                        {0.909297426826, -0.416146836547, 0.019998666693, 0.999800006667}},
                 twelve_digits);
}

TEST_CASE("09.3 sinusoidal_positions: awkward sizes") {
    for (const auto& [n, d] : std::vector<std::array<std::size_t, 2>>{{1, 2},
                                                                      {5, 2},
                                                                      {7, 6},
                                                                      {6, 6},
                                                                      {4, 10},
                                                                      {11, 8},
                                                                      {3, 66},
                                                                      {67, 4},
                                                                      {261, 6},
                                                                      {2, 262},
                                                                      {300, 2},
                                                                      {401, 2},
                                                                      {2, 5000}}) {
        expect_positions(n, d);
    }
}

TEST_CASE("09.3 sinusoidal_positions: position 0 is 0, 1, 0, 1 …") {
    const Matrix P = graded::sinusoidal_positions(1, 6);
    expect_close(P, Matrix{{0, 1, 0, 1, 0, 1}}, exact);
}

TEST_CASE("09.3 sinusoidal_positions: the dot product of two positions depends on their distance") {
    const Matrix P = graded::sinusoidal_positions(12, 8);
    expect_shape(sizes(P), {12, 8});
    const Matrix products = oracle::matmul_transposed(P, P);
    for (std::size_t i = 0; i + 1 < 12; ++i) {
        for (std::size_t j = 0; j + 1 < 12; ++j) {
            expect_that(std::abs(products(i, j) - products(i + 1, j + 1)) <= 1e-9,
                        "positions at one distance have one dot product",
                        std::to_string(i) + " · " + std::to_string(j) + " is " +
                            number_text(products(i, j)) + " and the next pair's is " +
                            number_text(products(i + 1, j + 1)));
        }
    }
}

TEST_CASE("09.3 sinusoidal_positions: an odd number of components is refused, and none at all") {
    expect_numbers_named(graded::sinusoidal_positions.attempt(4, 7), 7, 7);
    expect_numbers_named(graded::sinusoidal_positions.attempt(4, 0), 0, 0);
}

// ---- 09.3 rotate

TEST_CASE("09.3 rotate: a quarter of a turn for the first pair, hardly any for the second") {
    const Matrix X{{1, 0, 1, 0}, {0, 1, 0, 2}, {3, 4, 5, 6}};
    // In 10000^(-2/4) = 1/100 of a quarter the cosine is 0.9998766, the sine 0.0157073.
    expect_close(graded::rotate(X, {quarter, quarter, 0}),
                 Matrix{{0, 1, 0.999876632482, 0.015707317312},
                        {-1, 0, -0.031414634624, 1.999753264963},
                        {3, 4, 5, 6}},
                 twelve_digits);
}

TEST_CASE("09.3 rotate: position 0 changes nothing") {
    const Matrix X = standard_normal(3, 8, 1);
    expect_close(graded::rotate(X, {0, 0, 0}), X, exact);
}

TEST_CASE("09.3 rotate: awkward sizes, and positions that are not the rows' numbers") {
    expect_rotated(standard_normal(1, 2, 2), {3});
    expect_rotated(standard_normal(5, 6, 3), {4, 0, 9, 2, 2});
    expect_rotated(standard_normal(4, 4, 4), {7, 100, 31, 5});
    expect_rotated(standard_normal(6, 10, 5), counting(6));
    expect_rotated(standard_normal(3, 2, 6), {1, 2, 3});
    expect_rotated(standard_normal(67, 4, 7), counting(67, 1000));
    expect_rotated(standard_normal(261, 2, 8), counting(261));
    expect_rotated(standard_normal(2, 70, 9), {3, 4});
    expect_rotated(standard_normal(3, 262, 10), {11, 5, 2});
    expect_rotated(standard_normal(401, 2, 18), counting(401));
    expect_rotated(standard_normal(2, 5000, 19), {3, 4});
}

TEST_CASE("09.3 rotate: half a turn, and nearly") {
    const double half = std::acos(-1.0);
    expect_rotated(standard_normal(7, 2, 20),
                   {half, 3.14159265, 22, 355, -half, 3 * half, half + 1e-5});
    expect_rotated(standard_normal(4, 4, 21), {100 * half, 314, 3.1416, 355});
}

TEST_CASE("09.3 rotate: positions below 0 turn back, and half a position half as far") {
    expect_rotated(standard_normal(4, 6, 11), {-3, -1, 0.5, 2.25});
}

TEST_CASE("09.3 rotate: agrees with a product of complex numbers in PyTorch") {
    expect_close(graded::rotate(support::golden("heads/rotary_X"),
                                support::golden_vector("heads/rotary_positions")),
                 support::golden("heads/rotary"), judge::Tolerance{0, 0, 1e-11});
}

TEST_CASE("09.3 rotate: each pair keeps its length") {
    const Matrix X = standard_normal(5, 8, 12);
    const Matrix answer = rotated(X, {1, 2, 3, 50, 700});
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t c = 0; c < 8; c += 2) {
            const double before = length(X, i, c, c + 2);
            const double after = length(answer, i, c, c + 2);
            expect_that(std::abs(after - before) <= 1e-9,
                        "columns 2k and 2k + 1 of a row keep their length as a pair",
                        "in row " + std::to_string(i) + " that of columns " + std::to_string(c) +
                            " and " + std::to_string(c + 1) + " went from " + number_text(before) +
                            " to " + number_text(after));
        }
    }
}

TEST_CASE("09.3 rotate: scores depend on i − j alone") {
    constexpr std::size_t n = 9;
    const Matrix q = repeated(standard_normal(1, 6, 13), n);
    const Matrix k = repeated(standard_normal(1, 6, 14), n);
    const Matrix scores =
        oracle::matmul_transposed(rotated(q, counting(n)), rotated(k, counting(n)));
    for (std::size_t i = 0; i + 1 < n; ++i) {
        for (std::size_t j = 0; j + 1 < n; ++j) {
            expect_that(std::abs(scores(i, j) - scores(i + 1, j + 1)) <= 1e-9,
                        "one query and one key have one score wherever they stand at one distance",
                        "at " + judge::index_text({i, j}) + " it is " + number_text(scores(i, j)) +
                            ", at " + judge::index_text({i + 1, j + 1}) + " " +
                            number_text(scores(i + 1, j + 1)));
        }
    }
    const Matrix far_out =
        oracle::matmul_transposed(rotated(q, counting(n, 1000)), rotated(k, counting(n, 1000)));
    expect_that(!judge::compare(judge::to_value(far_out), judge::to_value(scores), {0, 1e-9}),
                "scores are the same a thousand positions later", "they are others");
}

TEST_CASE("09.3 rotate: turned by p, then by −p, is as it was") {
    const Matrix X = standard_normal(4, 10, 15);
    const Matrix there = rotated(X, {1, 20, 300, 7});
    expect_close(graded::rotate(there, {-1, -20, -300, -7}), X, judge::Tolerance{0, 1e-10});
}

TEST_CASE("09.3 rotate: an odd number of components is refused, and a position too few") {
    const Matrix odd = standard_normal(3, 5, 16);
    expect_numbers_named(graded::rotate.attempt(odd, {1, 2, 3}), 5, 5);
    const Matrix none = xt::zeros<double>({3, 0});
    expect_numbers_named(graded::rotate.attempt(none, {1, 2, 3}), 0, 0);
    const Matrix X = standard_normal(3, 4, 17);
    expect_invalid_argument(graded::rotate.attempt(X, {1, 2}), {{3, 4}, {2}});
}

// ---- 09.3 rotary_attention

namespace {

void expect_rotary(std::size_t n, std::size_t d_k, std::size_t d_v, const Vector& positions,
                   std::uint64_t seed) {
    const Matrix Q = standard_normal(n, d_k, seed);
    const Matrix K = standard_normal(n, d_k, seed + 1);
    const Matrix V = standard_normal(n, d_v, seed + 2);
    expect_close(graded::rotary_attention(Q, K, V, positions),
                 plain::rotary_attention(Q, K, V, positions), judge::Tolerance{0, 0, 1e-11});
}

} // namespace

TEST_CASE("09.3 rotary_attention: two positions half a turn apart, by hand") {
    // Its own score is ln 3 / 2, the other's −ln 3 / 2: weights of 3/4 and 1/4.
    const double a = std::sqrt(std::sqrt(2.0) * std::log(3.0) / 2);
    expect_close(graded::rotary_attention({{a, 0}, {a, 0}}, {{a, 0}, {a, 0}}, {{4, 0}, {8, 12}},
                                          {0, 2 * quarter}),
                 Matrix{{5, 3}, {7, 9}}, twelve_digits);
}

TEST_CASE("09.3 rotary_attention: one matrix as queries, keys and values") {
    const Matrix X = standard_normal(4, 6, 31);
    expect_close(graded::rotary_attention(X, X, X, counting(4)),
                 plain::rotary_attention(X, X, X, counting(4)), judge::Tolerance{0, 0, 1e-11});
}

TEST_CASE("09.3 rotary_attention: awkward sizes") {
    expect_rotary(1, 2, 1, {5}, 20);
    expect_rotary(5, 4, 3, counting(5), 21);
    expect_rotary(4, 6, 4, {3, 1, 4, 1}, 22);
    expect_rotary(6, 6, 6, counting(6, 10), 23);
    expect_rotary(4, 4, 4, {0, 2, 5, 11}, 24);
    expect_rotary(3, 2, 5, {0, 50, 100}, 25);
    expect_rotary(67, 4, 2, counting(67), 26);
    expect_rotary(2, 3 * 88, 261, {1, 2}, 27);
    expect_rotary(2, 1200, 1, {1, 2}, 38);
    expect_rotary(2, 2, 5000, {1, 2}, 39);
}

TEST_CASE("09.3 rotary_attention: scores of several thousand, and all far below 0") {
    expect_rotary(5, 4, 3, counting(5), 21); // asked only of what is right on ordinary scores
    const Vector positions{7, 7.001, 7.002, 7.003};
    for (const double size : {50.0, -50.0, -300.0}) {
        Matrix Q = standard_normal(4, 2, 40) / size;
        Matrix K = standard_normal(4, 2, 41) / size;
        for (std::size_t i = 0; i < 4; ++i) {
            Q(i, 0) = std::abs(size);
            K(i, 0) = size;
        }
        const Matrix V = standard_normal(4, 3, 42);
        expect_close(graded::rotary_attention(Q, K, V, positions),
                     plain::rotary_attention(Q, K, V, positions), judge::Tolerance{0, 0, 1e-9});
    }
}

TEST_CASE("09.3 rotary_attention: where all positions are one, it is plain attention") {
    const Matrix Q = standard_normal(4, 6, 28);
    const Matrix K = standard_normal(4, 6, 29);
    const Matrix V = standard_normal(4, 2, 30);
    expect_close(graded::rotary_attention(Q, K, V, {7, 7, 7, 7}), plain::attention_of(Q, K, V),
                 judge::Tolerance{0, 0, 1e-11});
}

TEST_CASE("09.3 rotary_attention: a thousand positions later, the same output") {
    const Matrix Q = standard_normal(5, 4, 31);
    const Matrix K = standard_normal(5, 4, 32);
    const Matrix V = standard_normal(5, 3, 33);
    const Matrix here = graded::rotary_attention(Q, K, V, counting(5));
    expect_close(graded::rotary_attention(Q, K, V, counting(5, 1000)), here,
                 judge::Tolerance{0, 0, 1e-10});
}

TEST_CASE("09.3 rotary_attention: shapes that do not fit are refused, both named") {
    const Matrix A = standard_normal(3, 4, 34);
    const Matrix wide = standard_normal(3, 6, 35);
    const Matrix longer = standard_normal(5, 4, 36);
    expect_invalid_argument(graded::rotary_attention.attempt(A, wide, A, counting(3)),
                            {{3, 4}, {3, 6}});
    support::expect_misfit(graded::rotary_attention.attempt(A, A, longer, counting(3)), {5, 4},
                           {{3, 4}, {3}});
    expect_invalid_argument(graded::rotary_attention.attempt(A, A, A, counting(5)), {{3, 4}, {5}});
    const Matrix odd = standard_normal(3, 7, 37);
    expect_numbers_named(graded::rotary_attention.attempt(odd, odd, A, counting(3)), 7, 7);
    const Matrix none = xt::zeros<double>({3, 0});
    expect_numbers_named(graded::rotary_attention.attempt(none, none, A, counting(3)), 0, 0);
}
