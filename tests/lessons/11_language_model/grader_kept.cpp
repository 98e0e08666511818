// 11.2: what a cache keeps, and what it refuses. What it answers: grader_cache.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "judge/text.hpp"
#include "texts.hpp"

namespace grader_kept {

using namespace texts;

namespace {

const judge::Suspicion copies_do_not_go_on{
    "copies_do_not_go_on",
    "right, but where a cache is made of another: something of it stands outside, in a variable "
    "that is static or in a table, such as what is kept, under the cache's address, or the last "
    "answer, under its query and the number of tokens. A copy finds nothing there, or what belongs "
    "to another. keys_ and values_ are copied along with the cache: let every answer come of "
    "these."};

} // namespace

TEST_CASE("11.2 append: the same text once more: a new cache knows nothing of the one before") {
    const Text of = some_text(4, 3, 2, 2);
    const Matrix right = plain::append(of.K, of.V, of.Q, one(4));
    const Matrix first = graded::append(of.K, of.V, of.Q, one(4));
    expect_close(first, right, judge::normwise);
    const Matrix second = graded::append(of.K, of.V, of.Q, one(4));
    expect_shape(sizes(second), sizes(right));
    const double difference = xt::amax(xt::abs(first - second))();
    expect_that(difference < 1e-9, "a new cache is empty, whatever another has kept",
                "the same text read by another cache was answered otherwise, by up to " +
                    judge::number_text(difference),
                {"kept_outside_the_cache",
                 "what one cache has kept, the next still has: keys or values, "
                 "or something made of them, are in a variable that is static or "
                 "global. Each cache keeps its own, in keys_ and values_."});
}

TEST_CASE("11.2 append: two caches by turns do not know of each other") {
    judge::session().suspect(
        {"caches_share_what_they_keep",
         "right for one cache, and wrong where two are used by turns: what one is given changes "
         "what the other answers. Something that is kept stands in a variable that is static or "
         "global; each cache keeps its own, in keys_ and values_."});
    expect_turns(some_text(6, 3, 2, 3), {0, 1, 0, 1, 1, 0});
    expect_turns(some_text(5, 2, 4, 4), {0, 0, 1, 2, 1});
}

// Read token by token by the original and two copies in turn; all three are right by themselves.
TEST_CASE("11.2 append: a copy knows what was kept, and goes on by itself") {
    expect_causal(some_text(5, 3, 2, 1)); // asked only of what is right without copies
    judge::session().suspect(copies_do_not_go_on);
    for (const std::size_t n_before : {3U, 1U}) {
        const Text of = some_text(n_before + 6, 3, 2, 20 + n_before);
        expect_close(graded::copied(of.K, of.V, of.Q, n_before),
                     plain::copied(of.K, of.V, of.Q, n_before), judge::normwise);
    }
}

TEST_CASE("11.2 append: a text that repeats itself counts each token") {
    Text of = some_text(6, 3, 2, 7);
    for (const std::size_t j : {2U, 3U, 5U}) {
        xt::view(of.K, j, xt::all()) = xt::view(of.K, 0, xt::all());
        xt::view(of.V, j, xt::all()) = xt::view(of.V, j == 5 ? 1 : 0, xt::all());
    }
    expect_causal(of);
}

TEST_CASE("11.2 attend: asking changes nothing: two queries that are alike are answered alike") {
    Text of = some_text(5, 3, 2, 9, 4);
    xt::view(of.Q, 2, xt::all()) = xt::view(of.Q, 0, xt::all());
    xt::view(of.Q, 3, xt::all()) = xt::view(of.Q, 0, xt::all());
    expect_attention(of);
}

TEST_CASE("11.2 append: a key or a value of another size is refused, and neither is kept") {
    const Text of = some_text(3, 3, 2, 14);
    Matrix K = Matrix::from_shape({4, 3}), V = Matrix::from_shape({4, 2}); // the first once more
    for (std::size_t j = 0; j < 4; ++j) {
        xt::view(K, j, xt::all()) = xt::view(of.K, j % 3, xt::all());
        xt::view(V, j, xt::all()) = xt::view(of.V, j % 3, xt::all());
    }
    const Matrix q = standard_normal(1, 3, 15);
    const Matrix right = plain::attend(K, V, q);
    const auto vector = [](std::size_t size, std::uint64_t seed) -> lesson::Vector {
        return xt::view(standard_normal(1, size, seed), 0, xt::all());
    };
    struct Sizes {
        std::size_t k, v;
    };
    for (const auto& [k, v] : {Sizes{5, 2}, {3, 7}, {1, 2}, {3, 1}, {2, 3}}) {
        const std::string what =
            k == 3   ? "a value of " + std::to_string(v)
            : v == 2 ? "a key of " + std::to_string(k)
                     : "a key of " + std::to_string(k) + " and a value of " + std::to_string(v);
        const std::string kept = "those kept have 3 and 2 components";
        const judge::Suspicion half_is_kept{
            "half_a_token_is_kept",
            "of a token that is refused one half is kept, so keys and values do not go together "
            "any more. Check both sizes first, and keep both after that."};
        const judge::Outcome outcome = graded::append_another_size.attempt(
            of.K, of.V, vector(k, 16), vector(v, 17), xt::view(q, 0, xt::all()));
        const auto* returned = std::get_if<judge::Returned>(&outcome);
        expect_that(returned != nullptr, "a token that was refused leaves nothing in the cache",
                    "after " + what + " components the next query fails: " + describe(outcome),
                    half_is_kept);
        const auto got = judge::session().typed(
            [&] { return judge::from_value<in_turn::Refusal>(returned->value); });
        expect_that(!got.said.empty(),
                    "append throws std::invalid_argument at a key or a value of another size",
                    what + " components was taken, where " + kept,
                    {"other_sizes_are_kept",
                     "a key or a value of another size than those before is kept. Keep the checks "
                     "that stood in append: all keys have one size, and so have all values."});
        expect_that(got.other.empty(),
                    "append throws std::invalid_argument at a key or a value of another size",
                    "it throws " + got.other + " at " + what + " components, where " + kept,
                    got.said.find("out of bounds for axis") == std::string::npos
                        ? judge::Suspicion{"another_exception",
                                           "it throws an exception of another type: the contract "
                                           "asks for std::invalid_argument."}
                        : judge::Suspicion{"looks_like_not_refused",
                                           "the token is not refused: an index goes out of range. "
                                           "Check both sizes before anything is kept, and throw "
                                           "std::invalid_argument."});
        const auto names = [&](std::size_t mine, std::size_t theirs) {
            return got.said.find(std::to_string(mine)) != std::string::npos &&
                   got.said.find(std::to_string(theirs)) != std::string::npos;
        };
        expect_that((k != 3 && names(k, 3)) || (v != 2 && names(v, 2)),
                    "the text of the exception has both sizes in it",
                    "it says \"" + got.said + "\" of " + what + " components, where " + kept);
        expect_shape(sizes(got.after), {2});
        double off = 0;
        for (std::size_t c = 0; c < 2; ++c) {
            off = std::max(off, std::abs(got.after(c) - right(0, c)));
        }
        expect_that(off < 1e-9, "a token that was refused leaves nothing in the cache",
                    "after " + what + " components the next token is answered wrongly",
                    half_is_kept);
    }
}

TEST_CASE("11.2 attend: a query of another size than the keys is refused") {
    const Text of = some_text(5, 3, 2, 18);
    for (const std::size_t size : {1U, 2U, 7U}) {
        judge::expect_invalid_argument(
            graded::attend.attempt(of.K, of.V, standard_normal(1, size, 19)), {{size}, {3}});
    }
}

TEST_CASE("11.2 attend: who has read nothing cannot be asked") {
    judge::expect_refused(graded::attend.attempt(Matrix(xt::zeros<double>({0, 3})),
                                                 Matrix(xt::zeros<double>({0, 2})),
                                                 standard_normal(1, 3, 13)),
                          "a query of an empty cache");
}

} // namespace grader_kept
