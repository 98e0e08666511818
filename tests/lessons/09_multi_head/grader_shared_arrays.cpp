// 09.2 to 09.4 where one array stands for several arguments, in every way that shapes allow, and
// where rows or heads are there twice: what takes equal addresses, or equal numbers, for a sign of
// something else shows.

#include <doctest/doctest.h>

#include "layers.hpp"
#include "support/shared_arguments.hpp"

namespace grader_shared_arrays {

using namespace sequences;

namespace {

/// Matrices of one shape, in every way in which some of them are one.
std::vector<std::vector<Matrix>> shared_matrices(std::size_t count, std::size_t rows,
                                                 std::size_t columns, std::uint64_t seed) {
    std::vector<std::vector<Matrix>> result;
    for (const std::vector<std::size_t>& way : support::ways_to_share(count)) {
        result.emplace_back();
        for (const std::size_t i : way) {
            result.back().push_back(0.7 * standard_normal(rows, columns, seed + i));
        }
    }
    return result;
}

} // namespace

TEST_CASE("09.2 multi_head_attention: one matrix as several of W_q, W_k and W_v") {
    Mask mask = plain::all_allowed(3);
    mask(0, 2) = false;
    for (const std::vector<Matrix>& W : shared_matrices(3, 5, 4, 601)) {
        const Layer in{standard_normal(3, 5, 605), W[0], W[1], W[2], standard_normal(4, 6, 606), 2};
        expect_attention(in, {});
        expect_attention(in, mask);
    }
}

TEST_CASE("09.2 multi_head_attention: one matrix as several of X, W_q, W_k, W_v and W_o") {
    for (const std::vector<Matrix>& of : shared_matrices(5, 4, 4, 611)) {
        expect_attention({of[0], of[1], of[2], of[3], of[4], 2}, {});
    }
}

TEST_CASE("09.2 multi_head_attention: one matrix as two arguments, beside others of other shapes") {
    const Matrix wide = standard_normal(3, 6, 621), square = standard_normal(6, 6, 622);
    const auto W = [](std::size_t rows, std::size_t columns) {
        return standard_normal(rows, columns, 623 + columns);
    };
    expect_attention({wide, square, square, W(6, 4), W(4, 5), 2}, {});    // W_q = W_k
    expect_attention({wide, square, W(6, 6), W(6, 6), square, 2}, {});    // W_q = W_o, W_k = W_v
    expect_attention({square, W(6, 4), W(6, 4), square, W(6, 2), 2}, {}); // X = W_v, W_q = W_k
    expect_attention({W(5, 6), W(6, 4), W(6, 4), square, square, 2}, {}); // W_v = W_o, W_q = W_k
    expect_attention({W(4, 4), W(4, 2), W(4, 2), W(4, 4), W(4, 4), 2}, {});
    expect_attention({square, square, square, W(6, 4), W(4, 2), 2}, {}); // X = W_q = W_k
}

namespace {

/// Of each two rows that follow each other, the second is the first.
Matrix by_twos(Matrix X) {
    for (std::size_t i = 1; i < X.shape(0); i += 2) {
        xt::view(X, i, xt::all()) = Vector(xt::view(X, i - 1, xt::all()));
    }
    return X;
}

} // namespace

TEST_CASE("09.2 multi_head_attention: rows of X that are there twice, and rows of the mask") {
    Layer in = random_layer({6, 5, 2, 3, 2, 4}, 651);
    Mask mask = random_mask(6, 652);
    in.X = by_twos(in.X);
    expect_attention(in, {});
    expect_attention(in, mask); // two equal rows need not see the same
    in = random_layer({6, 5, 2, 3, 2, 4}, 653);
    for (std::size_t j = 0; j < 6; ++j) {
        mask(1, j) = mask(0, j);
        mask(5, j) = mask(4, j);
    }
    expect_attention(in, mask);
    in.X = by_twos(in.X);
    expect_attention(in, mask);
}

namespace {

const std::vector<Vector> positions_of_twos{{1, 5, 2, 9}, {1, 1, 7, 7}, {3, 8, 8, 3}};

} // namespace

TEST_CASE("09.3 rotate: rows that are there twice, at other positions and at one") {
    const Matrix X = by_twos(standard_normal(4, 4, 661));
    for (const Vector& positions : positions_of_twos) {
        expect_close(graded::rotate(X, positions), plain::rotate(X, positions),
                     judge::Tolerance{0, 0, 1e-11});
    }
}

TEST_CASE("09.3 rotary_attention: rows that are there twice, at other positions and at one") {
    const Matrix Q = by_twos(standard_normal(4, 4, 661)), K = by_twos(standard_normal(4, 4, 662)),
                 V = by_twos(standard_normal(4, 3, 663));
    for (const Vector& positions : positions_of_twos) {
        expect_close(graded::rotary_attention(Q, K, V, positions),
                     plain::rotary_attention(Q, K, V, positions), judge::Tolerance{0, 0, 1e-11});
    }
}

TEST_CASE("09.4 grouped_query_attention: rows and heads that are there twice") {
    const Matrix Q = by_twos(standard_normal(4, 8, 671)), K = by_twos(standard_normal(6, 4, 672)),
                 V = by_twos(standard_normal(6, 6, 673));
    const auto expect_grouped = [](const Matrix& q, const Matrix& k, const Matrix& v) {
        expect_close(graded::grouped_query_attention(q, k, v, 2),
                     plain::GroupedMechanism{}(q, k, v, 2), judge::normwise);
    };
    expect_grouped(Q, K, V);
    const auto twice = [](const Matrix& X) -> Matrix { return xt::hstack(xt::xtuple(X, X)); };
    const Matrix q = standard_normal(4, 4, 674), k = standard_normal(5, 2, 675),
                 v = standard_normal(5, 3, 676);
    expect_grouped(twice(q), standard_normal(5, 4, 677), standard_normal(5, 6, 678));
    expect_grouped(standard_normal(4, 8, 679), twice(k), standard_normal(5, 6, 680));
    expect_grouped(standard_normal(4, 8, 681), standard_normal(5, 4, 682), twice(v));
    expect_grouped(twice(q), twice(k), twice(v));
}

TEST_CASE("09.3 rotary_attention: one matrix as two of Q, K and V, and as all three") {
    const auto expect_rotary = [](const Matrix& Q, const Matrix& K, const Matrix& V) {
        const Vector positions{3, 0.5, 7};
        expect_close(graded::rotary_attention(Q, K, V, positions),
                     plain::rotary_attention(Q, K, V, positions), judge::Tolerance{0, 0, 1e-11});
    };
    for (const std::vector<Matrix>& of : shared_matrices(3, 3, 4, 631)) {
        expect_rotary(of[0], of[1], of[2]);
    }
    const Matrix X = standard_normal(3, 4, 635);
    expect_rotary(X, X, standard_normal(3, 5, 636));
}

TEST_CASE("09.4 grouped_query_attention: one matrix as two of Q, K and V, and as all three") {
    const auto expect_grouped = [](const Matrix& Q, const Matrix& K, const Matrix& V) {
        expect_close(graded::grouped_query_attention(Q, K, V, 2),
                     plain::GroupedMechanism{}(Q, K, V, 2), judge::normwise);
    };
    for (const std::vector<Matrix>& of : shared_matrices(3, 3, 4, 641)) {
        expect_grouped(of[0], of[1], of[2]);
    }
    const Matrix X = standard_normal(3, 8, 645);
    expect_grouped(X, X, standard_normal(3, 6, 646));
    expect_grouped(X, standard_normal(3, 4, 647), X);
    expect_grouped(standard_normal(5, 16, 648), X, X);
}

} // namespace grader_shared_arrays
