// 08.1 to 08.5 with terms that do not change a sum before its end; with as many queries as 8 bits
// count to 0; with tables that have other shapes and as many pairs; and with sizes of six digits in
// what is refused.

#include <doctest/doctest.h>

#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/cut_texts.hpp"
#include "support/drawn.hpp"
#include "support/misfits.hpp"
#include "support/tiny_between.hpp"

namespace grader_tiny_between {

using drawn::standard_normal;
using drawn::with_tiny_columns;
using drawn::with_tiny_rows;
using judge::expect_close;
using judge::sizes;
using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;
using support::expect_misfit;

// ---- terms that do not change a sum

TEST_CASE("08.1 softmax_backward: terms of 1e-20 between others, which do not end a sum") {
    const Matrix scores = standard_normal(3, 5, 1001), g = standard_normal(3, 5, 1002);
    const Matrix weights = oracle::softmax_rows(scores);
    expect_close(graded::softmax_backward(weights, with_tiny_columns(g)),
                 plain::softmax_backward(weights, with_tiny_columns(g)), judge::normwise);
}

namespace {

struct Product {
    Matrix A, B, d_C;
};

/// Tiny terms in the sums of d_A, over n, and in those of d_B, over m: in both, and in either.
std::vector<Product> with_tiny_terms(const Product& of) {
    return {{of.A, of.B, with_tiny_rows(with_tiny_columns(of.d_C))},
            {of.A, of.B, with_tiny_columns(of.d_C)},
            {of.A, of.B, with_tiny_rows(of.d_C)}};
}

} // namespace

TEST_CASE("08.2 matmul_backward: terms of 1e-20 between others, which do not end a sum") {
    for (const auto& [A, B, d_C] :
         with_tiny_terms({standard_normal(5, 3, 1011), standard_normal(3, 7, 1012),
                          standard_normal(5, 7, 1013)})) {
        expect_close(graded::matmul_backward(A, B, d_C), plain::matmul_backward(A, B, d_C),
                     judge::normwise);
    }
}

TEST_CASE("08.2 matmul_transposed_backward: terms of 1e-20 between others, which do not end a "
          "sum") {
    for (const auto& [A, B, d_C] :
         with_tiny_terms({standard_normal(5, 3, 1021), standard_normal(7, 3, 1022),
                          standard_normal(5, 7, 1023)})) {
        expect_close(graded::matmul_transposed_backward(A, B, d_C),
                     plain::matmul_transposed_backward(A, B, d_C), judge::normwise);
    }
}

namespace {

void expect_gradients(const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
                      const Matrix& d_output, judge::Tolerance tolerance = judge::normwise) {
    const Matrix weights = plain::attention_weights(Q, K, mask);
    expect_close(graded::attention_backward(Q, K, V, mask, weights, d_output),
                 plain::attention_backward(Q, K, V, mask, weights, d_output), tolerance);
}

} // namespace

TEST_CASE("08.3 attention_backward: terms of 1e-20 between others, which do not end a sum") {
    const Matrix Q = standard_normal(5, 3, 1031), K = standard_normal(7, 3, 1032),
                 V = standard_normal(7, 9, 1033), d_output = standard_normal(5, 9, 1034);
    const Mask all = xt::ones<bool>({5, 7});
    // In all sums, and in some: over components, over queries, and over keys.
    expect_gradients(Q, with_tiny_rows(K), with_tiny_rows(V), all,
                     with_tiny_rows(with_tiny_columns(d_output)));
    expect_gradients(Q, K, V, all, with_tiny_columns(d_output));
    expect_gradients(Q, K, V, all, with_tiny_rows(d_output));
    expect_gradients(Q, with_tiny_rows(K), V, all, d_output);
    expect_gradients(Q, K, with_tiny_rows(V), all, d_output);
}

TEST_CASE("08.5 learn_lookup: squares of 1e-40 between others, which do not end a loss") {
    const std::vector<lesson::Table> tables{{standard_normal(3, 4, 1041),
                                             standard_normal(5, 4, 1042),
                                             with_tiny_columns(standard_normal(3, 7, 1043))}};
    const lesson::Projections start{standard_normal(4, 2, 1044), standard_normal(4, 2, 1045),
                                    with_tiny_columns(standard_normal(4, 7, 1046))};
    expect_close(graded::learn_lookup(tables, start, 2, 0.1),
                 plain::learn_lookup(tables, start, 2, 0.1), judge::Tolerance{0, 0, 1e-10});
}

// ---- counts

TEST_CASE("08.3 attention_backward: 256 queries that see a key, 256 keys that a query sees") {
    constexpr judge::Tolerance tolerance{0, 1e-13, 1e-12};
    const auto expect_under = [&](const Mask& mask) {
        expect_gradients(standard_normal(mask.shape(0), 2, 1051),
                         standard_normal(mask.shape(1), 2, 1052),
                         standard_normal(mask.shape(1), 3, 1053), mask,
                         standard_normal(mask.shape(0), 3, 1054), tolerance);
    };
    expect_under(xt::ones<bool>({256, 3}));
    expect_under(xt::ones<bool>({3, 256}));
    Mask some = xt::ones<bool>({300, 3}); // of which one key has 256 queries
    xt::view(some, xt::range(256, 300), 1) = false;
    expect_under(some);
    expect_under(xt::transpose(some));
}

// ---- shapes that change from step to step

TEST_CASE("08.5 learn_lookup: tables in turn of other shapes with as many pairs, with as many "
          "queries, and with as many entries") {
    const auto table = [](std::size_t n_queries, std::size_t n_keys) -> lesson::Table {
        return {standard_normal(n_queries, 4, 1061), standard_normal(n_keys, 4, 1062),
                standard_normal(n_queries, 2, 1063)};
    };
    const lesson::Projections start{0.5 * standard_normal(4, 3, 1064),
                                    0.5 * standard_normal(4, 3, 1065),
                                    0.5 * standard_normal(4, 2, 1066)};
    const auto expect_learned = [&](const std::vector<lesson::Table>& tables) {
        expect_close(graded::learn_lookup(tables, start, 2 * tables.size(), 0.2),
                     plain::learn_lookup(tables, start, 2 * tables.size(), 0.2),
                     judge::Tolerance{0, 0, 1e-10});
    };
    expect_learned({table(2, 6), table(3, 4)});
    expect_learned({table(6, 2), table(3, 4), table(4, 3)});
    expect_learned({table(3, 4), table(3, 6)});
    expect_learned({table(2, 5), table(3, 5)});
}

// ---- sizes of six digits

namespace {

constexpr std::size_t many = 123456, more = 123457;

const bool registered = [] {
    for (const char* const function : {"softmax_backward", "matmul_backward", "attention_backward",
                                       "gradient_check", "learn_lookup"}) {
        support::know_cut_texts(function, "text_cut_off");
    }
    support::know_cut_texts("matmul_transposed_backward", "transposed_text_cut_off");
    return true;
}();

} // namespace

TEST_CASE("08.1 softmax_backward: shapes of six digits are refused, and named to the last one") {
    const Matrix wide = standard_normal(1, many, 1071), tall = standard_normal(more, 1, 1072);
    judge::expect_invalid_argument(graded::softmax_backward.attempt(wide, tall),
                                   {sizes(wide), sizes(tall)});
}

TEST_CASE("08.2 matmul_backward: shapes of six digits are refused, and named to the last one") {
    const Matrix wide = standard_normal(1, many, 1073), tall = standard_normal(more, 1, 1074);
    judge::expect_invalid_argument(graded::matmul_backward.attempt(wide, tall, {{1}}),
                                   {sizes(wide), sizes(tall)});
}

TEST_CASE("08.2 matmul_transposed_backward: shapes of six digits are refused, and named to the "
          "last one") {
    const Matrix wide = standard_normal(1, many, 1075), wider = standard_normal(1, more, 1076);
    judge::expect_invalid_argument(graded::matmul_transposed_backward.attempt(wide, wider, {{1}}),
                                   {sizes(wide), sizes(wider)});
}

TEST_CASE("08.3 attention_backward: shapes of six digits are refused, and named to the last one") {
    const Matrix Q = standard_normal(1, many, 1077), K = standard_normal(1, more, 1078);
    judge::expect_invalid_argument(
        graded::attention_backward.attempt(Q, K, {{1}}, {{true}}, {{1}}, {{1}}),
        {sizes(Q), sizes(K)});
}

TEST_CASE("08.4 gradient_check: sizes of six digits are refused, and named to the last one") {
    const Vector x = xt::ones<double>({many}), gradient = xt::ones<double>({more});
    judge::expect_invalid_argument(graded::gradient_check.attempt("linear", x, gradient, 0.5),
                                   {sizes(x), sizes(gradient)});
}

TEST_CASE("08.5 learn_lookup: shapes of six digits are refused, and named to the last one") {
    const Matrix asked = standard_normal(1, many, 1079), tall = standard_normal(more, 1, 1080),
                 entries = standard_normal(1, more, 1081);
    expect_misfit(
        graded::learn_lookup.attempt({{asked, entries, {{1}}}}, {tall, tall, tall}, 1, 0.1),
        sizes(asked), {sizes(tall), sizes(entries)});
}

} // namespace grader_tiny_between
