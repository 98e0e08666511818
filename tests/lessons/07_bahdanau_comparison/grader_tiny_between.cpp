// 07.1, 07.2 and 07.5: terms that do not change a sum before its end, as many gold keys as 8 bits
// count to 0, and sizes of six digits in what is refused.

#include <doctest/doctest.h>

#include "problems.hpp"
#include "support/cut_texts.hpp"
#include "support/misfits.hpp"
#include "support/oracle_attention.hpp"
#include "support/tiny_between.hpp"

namespace grader_tiny_between {

using namespace problems;
using drawn::with_tiny_columns;
using drawn::with_tiny_rows;
using lesson::Mask;
using support::expect_misfit;

namespace {

Vector with_tiny_components(const Vector& v) {
    Matrix row_of_v = Matrix::from_shape({std::size_t{1}, v.size()});
    xt::row(row_of_v, 0) = v;
    return xt::row(with_tiny_columns(row_of_v), 0);
}

/// Terms of 1e-20 in all sums, in the projections of states, in those of keys, and in the scores.
std::vector<Problem> problems_with_tiny_terms() {
    const auto [S, H, W_s, W_h, v] = some_problem(3, 4, 5, 7, 9, 701);
    return {{with_tiny_columns(S), with_tiny_columns(H), W_s, W_h, with_tiny_components(v)},
            {with_tiny_columns(S), H, W_s, W_h, v},
            {S, H, with_tiny_rows(W_s), W_h, v},
            {S, with_tiny_columns(H), W_s, W_h, v},
            {S, H, W_s, with_tiny_rows(W_h), v},
            {S, H, W_s, W_h, with_tiny_components(v)}};
}

constexpr std::size_t many = 123456, more = 123457;

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

const bool registered = [] {
    support::know_cut_texts("additive_scores", "text_cut_off");
    support::know_cut_texts("project_keys", "text_of_keys_cut_off");
    support::know_cut_texts("additive_scores_from", "text_cut_off_from");
    support::know_cut_texts("compare_attention", "text_cut_off");
    return true;
}();

} // namespace

TEST_CASE("07.1 additive_scores: terms of 1e-20 between others, which do not end a sum") {
    for (const auto& [S, H, W_s, W_h, v] : problems_with_tiny_terms()) {
        expect_close(graded::additive_scores(S, H, W_s, W_h, v),
                     plain::additive_scores(S, H, W_s, W_h, v), ten_digits);
    }
}

TEST_CASE("07.2 project_keys, additive_scores_from: terms of 1e-20 between others, which do not "
          "end a sum") {
    for (const auto& [S, H, W_s, W_h, v] : problems_with_tiny_terms()) {
        const Matrix keys = oracle::matmul(H, W_h);
        expect_close(graded::project_keys(H, W_h), keys, ten_digits);
        expect_close(graded::additive_scores_from(S, keys, W_s, v),
                     plain::additive_scores(S, H, W_s, W_h, v), ten_digits);
    }
}

TEST_CASE("07.1 additive_scores: refuses shapes of six digits, and names both to the last one") {
    const Matrix wide = zeros(1, many), tall = zeros(more, 1), one = zeros(1, 1);
    const Vector v = xt::zeros<double>({1});
    expect_invalid_argument(graded::additive_scores.attempt(wide, one, tall, one, v),
                            {sizes(wide), sizes(tall)});
    expect_invalid_argument(graded::additive_scores.attempt(one, wide, one, tall, v),
                            {sizes(wide), sizes(tall)});
}

TEST_CASE("07.2 project_keys, additive_scores_from: refuse shapes of six digits, and name both to "
          "the last one") {
    const Matrix wide = zeros(1, many), tall = zeros(more, 1), one = zeros(1, 1);
    expect_invalid_argument(graded::project_keys.attempt(wide, tall), {sizes(wide), sizes(tall)});
    expect_invalid_argument(
        graded::additive_scores_from.attempt(wide, one, tall, xt::zeros<double>({1})),
        {sizes(wide), sizes(tall)});
}

// ---- 07.5

namespace {

void expect_comparison(const Mask& gold) {
    const auto weights = [&](std::uint64_t seed) {
        return oracle::softmax_rows(standard_normal(gold.shape(0), gold.shape(1), seed));
    };
    const Matrix A = weights(711), B = weights(712);
    expect_close(graded::compare_attention(A, B, gold), plain::compare_attention(A, B, gold),
                 ten_digits);
}

} // namespace

TEST_CASE("07.5 compare_attention: 256 gold keys of a word, and 256 words that have one") {
    Mask gold = xt::ones<bool>({3, 256});
    expect_comparison(gold);
    xt::view(gold, xt::range(1, 3)) = false;
    gold(2, 7) = true;
    expect_comparison(gold);
    gold = xt::ones<bool>({3, 300});
    xt::view(gold, 1, xt::range(256, 300)) = false;
    expect_comparison(gold);
    expect_comparison(xt::ones<bool>({256, 1}));
    expect_comparison(xt::ones<bool>({256, 3}));
}

TEST_CASE("07.5 compare_attention: refuses shapes of six digits, and names both to the last one") {
    const Matrix wide = xt::ones<double>({std::size_t{1}, many}),
                 tall = xt::ones<double>({more, std::size_t{1}});
    const Mask gold = xt::ones<bool>({std::size_t{1}, many}),
               tall_gold = xt::ones<bool>({more, std::size_t{1}});
    expect_misfit(graded::compare_attention.attempt(wide, tall, gold), sizes(tall), {sizes(wide)});
    expect_misfit(graded::compare_attention.attempt(wide, wide, tall_gold), sizes(tall_gold),
                  {sizes(wide)});
}

} // namespace grader_tiny_between
