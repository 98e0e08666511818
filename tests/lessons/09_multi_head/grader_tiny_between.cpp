// 09.2 to 09.4: terms that do not change a sum before its end, as many keys as 8 bits count to 0,
// and sizes of six digits in what is refused.

#include <doctest/doctest.h>

#include "layers.hpp"
#include "support/cut_texts.hpp"
#include "support/misfits.hpp"
#include "support/tiny_between.hpp"

namespace grader_tiny_between {

using namespace sequences;
using drawn::with_tiny_columns;
using drawn::with_tiny_rows;
using support::expect_misfit;

namespace {

constexpr std::size_t many = 123456, more = 123457;

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

const bool registered = [] {
    for (const char* const function :
         {"multi_head_attention", "rotate", "rotary_attention", "grouped_query_attention"}) {
        support::know_cut_texts(function, "text_cut_off");
    }
    return true;
}();

} // namespace

TEST_CASE("09.2 multi_head_attention: terms of 1e-20 between others, which do not end a sum") {
    const Layer in = random_layer({5, 7, 3, 2, 3, 4}, 701);
    Layer of_all = in;
    of_all.X = with_tiny_rows(with_tiny_columns(in.X));
    of_all.W_o = with_tiny_rows(in.W_o);
    expect_attention(of_all, {});
    for (Matrix Layer::*const part : {&Layer::X, &Layer::W_o}) {
        Layer other = in;
        other.*part = with_tiny_rows(in.*part);
        expect_attention(other, {});
    }
    Layer other = in;
    other.X = with_tiny_columns(in.X);
    expect_attention(other, {});
}

TEST_CASE("09.2 multi_head_attention: 256 positions that a position sees, and 256 that see it") {
    Mask mask = xt::ones<bool>({258, 258}); // of which 256 are seen by each, or see one
    xt::view(mask, xt::all(), xt::range(256, 258)) = false;
    expect_attention(random_layer({258, 2, 1, 1, 1, 2}, 712), mask);
    expect_attention(random_layer({258, 2, 1, 1, 1, 2}, 713), Mask(xt::transpose(mask)));
    expect_attention(random_layer({256, 2, 1, 1, 1, 2}, 711), Mask(xt::ones<bool>({256, 256})));
}

TEST_CASE("09.2 multi_head_attention: shapes of six digits are refused, and named to the last "
          "one") {
    const Matrix X = zeros(1, many), W = zeros(more, 1), one = zeros(1, 1);
    expect_misfit(graded::multi_head_attention.attempt(X, W, W, W, one, 1, {}), sizes(X),
                  {sizes(W)});
}

TEST_CASE("09.3 rotate: sizes of six digits are refused, and named to the last one") {
    const Vector positions = xt::zeros<double>({more});
    expect_invalid_argument(graded::rotate.attempt(zeros(many, 2), positions), {{many, 2}, {more}});
}

TEST_CASE("09.3 rotary_attention: shapes of six digits are refused, and named to the last one") {
    const Matrix Q = zeros(1, many), K = zeros(1, many + 2);
    expect_misfit(graded::rotary_attention.attempt(Q, K, zeros(1, 1), counting(1)), sizes(Q),
                  {sizes(K)});
}

TEST_CASE("09.4 grouped_query_attention: shapes of six digits are refused, and named to the last "
          "one") {
    const Matrix K = zeros(many, 1), V = zeros(more, 1);
    expect_invalid_argument(graded::grouped_query_attention.attempt(zeros(1, 1), K, V, 1),
                            {sizes(K), sizes(V)});
}

} // namespace grader_tiny_between
