// 11.2 and 11.4: terms that do not change a sum before its end; and 11.1 and 11.2: sizes of six
// digits in what is refused.

#include <doctest/doctest.h>

#include "blocks.hpp"
#include "support/cut_texts.hpp"
#include "support/tiny_between.hpp"
#include "texts.hpp"

namespace grader_tiny_between {

using drawn::with_tiny_columns;
using drawn::with_tiny_rows;
using judge::expect_close;
using judge::expect_that;
using lesson::Matrix;
using lesson::Vector;
using texts::some_text;
using texts::Text;

namespace {

/// Tiny terms in the scores and in the outputs, in both, and in the sum of the weights.
std::vector<Text> with_tiny_terms() {
    const Text in = some_text(7, 5, 3, 61);
    return {{with_tiny_columns(in.K), with_tiny_rows(in.V), in.Q},
            {with_tiny_columns(in.K), in.V, in.Q},
            {in.K, with_tiny_rows(in.V), in.Q},
            {{{0}, {-50}, {1}, {-60}, {0.5}, {-45}, {2}}, in.V, xt::ones<double>({7, 1})}};
}

const Vector surprises{-1, -1e-20, -2, -1e-20, -0.5};

constexpr std::size_t many = 123456, more = 123457;

Matrix zeros(std::size_t rows, std::size_t columns) {
    return xt::zeros<double>({rows, columns});
}

const judge::Suspicion cut_off{
    "text_of_append_cut_off",
    "what append's exception says is cut off where sizes have many digits: the text is written "
    "into a buffer of a fixed length, by snprintf maybe. Put it together as a std::string, which "
    "grows."};

const bool registered = [] {
    support::know_cut_texts("layer_norm", "text_cut_off");
    support::know_cut_texts("transformer_block", "text_of_a_block_cut_off");
    support::know_cut_texts("attend", "text_cut_off");
    return true;
}();

} // namespace

TEST_CASE("11.1 layer_norm: shapes of six digits are refused, and named to the last one") {
    const blocks::Array X = xt::zeros<float>({std::size_t{1}, many}),
                        gain = xt::zeros<float>({more}), bias = xt::zeros<float>({many});
    judge::expect_invalid_argument(graded::layer_norm.attempt(X, gain, bias, X),
                                   {{1, many}, {more}});
}

TEST_CASE("11.1 transformer_block: numbers of six digits are refused, and named to the last one") {
    const blocks::Array X = xt::zeros<float>({many, std::size_t{1}});
    const blocks::Array one = xt::ones<float>({1, 1}), gain = xt::ones<float>({1});
    const blocks::Block weights{gain,
                                gain,
                                one,
                                one,
                                one,
                                one,
                                gain,
                                gain,
                                xt::ones<float>({1, 4}),
                                xt::ones<float>({4}),
                                xt::ones<float>({4, 1}),
                                gain};
    const judge::Outcome outcome = graded::transformer_block.attempt(X, weights, more, 1, X);
    judge::expect_refused(outcome, "n_texts = 123457 for 123456 rows");
    const std::string text = std::get<judge::Threw>(outcome).what;
    expect_that(
        text.find("123457") != std::string::npos && text.find("123456") != std::string::npos,
        "the error's text has both numbers in it, 123457 and 123456", "it says \"" + text + "\"");
}

TEST_CASE("11.2 append: terms of 1e-20 between others, which do not end a sum") {
    for (const Text& of : with_tiny_terms()) {
        texts::expect_causal(of);
    }
}

TEST_CASE("11.2 attend: terms of 1e-20 between others, which do not end a sum") {
    for (const Text& of : with_tiny_terms()) {
        texts::expect_attention(of);
    }
}

TEST_CASE("11.2 attend: sizes of six digits are refused, and named to the last one") {
    judge::expect_invalid_argument(
        graded::attend.attempt(zeros(1, many), zeros(1, 1), zeros(1, more)), {{more}, {many}});
}

TEST_CASE("11.2 append: sizes of six digits are refused, and named to the last one") {
    const Vector k = xt::zeros<double>({more}), q = xt::zeros<double>({many}), v{1};
    const in_turn::Refusal refusal =
        graded::append_another_size(zeros(1, many), zeros(1, 1), k, v, q);
    expect_that(refusal.said.find("123457") != std::string::npos &&
                    refusal.said.find("123456") != std::string::npos,
                "the text of the exception has both sizes in it",
                "it says \"" + refusal.said +
                    "\" of a key of 123457 components, where that kept has 123456",
                cut_off);
}

TEST_CASE("11.4 perplexity: surprises of 1e-20 between others, which do not end the sum") {
    expect_close(graded::perplexity(surprises), plain::perplexity(surprises),
                 judge::Tolerance{1e-10, 1e-12});
}

TEST_CASE("11.4 bits_per_character: surprises of 1e-20 between others, which do not end the sum") {
    expect_close(graded::bits_per_character(surprises), plain::bits(surprises),
                 judge::Tolerance{1e-10, 1e-12});
}

} // namespace grader_tiny_between
