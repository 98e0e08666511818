// 07.5 compare_attention

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_compare_attention {

using namespace proof;
using lesson::Comparison;

constexpr Tolerance tolerance{1e-10, 1e-11};
const double not_a_number = std::numeric_limits<double>::quiet_NaN(), ln_2 = std::log(2.0);

/// The first column that no other of the row exceeds.
std::size_t argmax(const Matrix& weights, std::size_t i) {
    std::size_t best = weights.shape(1) - 1;
    for (std::size_t j = weights.shape(1); j-- > 0;) {
        best = weights(i, j) >= weights(i, best) ? j : best;
    }
    return best;
}

/// Σ a ln(a / m), with m the mean of both rows.
long double divergence_from(const Matrix& from, const Matrix& to, std::size_t i) {
    long double sum = 0;
    for (std::size_t j = 0; j < from.shape(1); ++j) {
        const long double a = from(i, j), m = (a + to(i, j)) / 2;
        sum += a == 0 ? 0 : a * std::log(a / m);
    }
    return sum;
}

Comparison right(const Matrix& A, const Matrix& B, const Mask& gold) {
    long double agree = 0, divergence = 0, right = 0, with_gold = 0;
    for (std::size_t i = 0; i < A.shape(0); ++i) {
        agree += argmax(A, i) == argmax(B, i) ? 1 : 0;
        divergence += (divergence_from(A, B, i) + divergence_from(B, A, i)) / 2;
        bool any = false;
        for (std::size_t j = 0; j < A.shape(1); ++j) {
            any = any || gold(i, j);
        }
        with_gold += any ? 1 : 0;
        right += any && gold(i, argmax(A, i)) ? 1 : 0;
    }
    const auto rows = static_cast<long double>(A.shape(0));
    return {static_cast<double>(agree / rows), static_cast<double>(divergence / rows),
            with_gold == 0 ? not_a_number : static_cast<double>(right / with_gold)};
}

const Domain compare_attention(graded::compare_attention, right,
                               {{"A", Kind::weights, "n_queries x n_keys"},
                                {"B", Kind::weights, "n_queries x n_keys"},
                                {"gold", Kind::mask, "n_queries x n_keys"}},
                               tolerance);

TEST_CASE("07.5 compare_attention: two words on two keys, small enough to do by hand") {
    // Row 0: alike. Row 1: (1, 0) and (1/2, 1/2), with (3/4, 1/4) in the middle.
    const double row_1 = std::log(4.0 / 3) / 2 + (std::log(2.0 / 3) / 2 + std::log(2.0) / 2) / 2;
    expect_close(graded::compare_attention({{0.25, 0.75}, {1, 0}}, {{0.25, 0.75}, {0.5, 0.5}},
                                           {{true, false}, {true, false}}),
                 Comparison{1, row_1 / 2, 0.5}, tolerance);
}

TEST_CASE("07.5 compare_attention: one word each, never the same: ln 2, the most there can be") {
    expect_close(graded::compare_attention({{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 1}},
                                           {{true, true, false}, {false, false, true}}),
                 Comparison{0, ln_2, 0.5}, tolerance);
}

TEST_CASE("07.5 compare_attention: the first of several largest weights in a row counts") {
    const Matrix A{{0.4, 0.4, 0.2}, {0.2, 0.4, 0.4}, {0.5, 0, 0.5}};
    const Matrix B{{0.6, 0.4, 0}, {0, 0.4, 0.6}, {0.3, 0.3, 0.4}};
    const Mask gold{{false, true, false}, {false, true, false}, {true, false, false}};
    expect_close(graded::compare_attention(A, B, gold), right(A, B, gold), tolerance);
    expect_close(graded::compare_attention(B, A, gold), right(B, A, gold), tolerance);
}

TEST_CASE("07.5 compare_attention: a word that translates nothing is left out of the accuracy") {
    const Matrix A{{0.9, 0.1}, {0.9, 0.1}, {0.1, 0.9}, {0.9, 0.1}};
    expect_close(graded::compare_attention(
                     A, A, {{true, false}, {false, false}, {true, false}, {false, false}}),
                 Comparison{1, 0, 0.5}, tolerance);
}

TEST_CASE("07.5 compare_attention: no word translates any: the accuracy is NaN, the rest is not") {
    const Matrix A{{1, 0}, {0.5, 0.5}};
    expect_close(graded::compare_attention(A, A, {{false, false}, {false, false}}),
                 Comparison{1, 0, not_a_number}, tolerance);
}

TEST_CASE("07.5 compare_attention: a word of two source words is right on either") {
    const Matrix A{{0.1, 0.2, 0.7}, {0.6, 0.3, 0.1}};
    expect_close(graded::compare_attention(A, A, {{false, true, true}, {false, true, true}}),
                 Comparison{1, 0, 0.5}, tolerance);
}

PROPERTIES("07.5 compare_attention", compare_attention)

} // namespace of_compare_attention
