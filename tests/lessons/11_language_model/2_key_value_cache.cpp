// 11.2 KeyValueCache: append and attend. A cache cannot travel, so exports.hpp has both called in
// turn.

#include <doctest/doctest.h>

#include <cmath>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/kinds_of_arguments.hpp"
#include "support/oracle_language.hpp"

namespace of_key_value_cache {

using domain::Kind;
using in_turn::Indices;
using judge::expect_close;
using judge::expect_that;
using lesson::Matrix;
using lesson::Vector;

constexpr judge::Tolerance tolerance{1e-10, 1e-300, 1e-10};

/// A number of caches becomes the list of those that read each token.
void in_turns(judge::List& arguments) {
    const auto caches = std::get<std::uint64_t>(arguments[3].data);
    Indices cache(std::get<judge::Array>(arguments[0].data).shape[0]);
    for (std::size_t i = 0; i < cache.size(); ++i) {
        cache[i] = i * (i + 1) / 2 % caches % cache.size();
    }
    arguments[3] = judge::to_value(cache);
}

const domain::Domain append =
    domain::Domain("append", domain::of<decltype(in_turn::append)>(oracle::append),
                   {{"K", Kind::array, "n x d_k"},
                    {"V", Kind::array, "n x d_v"},
                    {"Q", Kind::array, "n x d_k"},
                    {"cache", Kind::count, "", false, {1, 2, 3}}},
                   tolerance)
        .made_to_fit(in_turns)
        .scaled({{"V", ""}, {"Q", "K"}})
        .at_most("n", 65)
        .refuses_nothing();

const domain::Domain attend =
    domain::Domain("attend", domain::of<decltype(in_turn::attend)>(oracle::attend),
                   {{"K", Kind::array, "n x d_k"},
                    {"V", Kind::array, "n x d_v"},
                    {"Q", Kind::array, "n_queries x d_k"}},
                   tolerance)
        .scaled({{"V", ""}, {"Q", "K"}})
        .compared("Q", "K")
        .large("n", 5003)
        .refuses_nothing();

Matrix some(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return judge::from_value<Matrix>(domain::usual(Kind::scores, {rows, columns}, {}, seed));
}
Vector row(const Matrix& A, std::size_t i) {
    return xt::view(A, i, xt::all());
}

const double ln_3 = std::log(3.0);

TEST_CASE("11.2 append: three tokens, d_k = 4, by hand: each query sees what was read so far") {
    // Scores are halved: 0, 2 ln 3 / 2 = ln 3, and so on.
    expect_close(graded::append({{0, 0, 0, 0}, {2 * ln_3, 0, 0, 0}, {0, 2 * ln_3, 0, 0}},
                                {{4, 8}, {8, 0}, {0, 16}},
                                {{5, 5, 5, 5}, {1, 0, 0, 0}, {0, 1, 0, 0}}, {0, 0, 0}),
                 Matrix{{4, 8}, {7, 2}, {2.4, 11.2}}, tolerance);
}

TEST_CASE("11.2 append: is PyTorch's causal attention on the whole text") {
    using support::golden;
    expect_close(graded::append(golden("cache/K"), golden("cache/V"), golden("cache/Q"),
                                Indices(golden("cache/K").shape(0), 0)),
                 golden("cache/causal"), tolerance);
}

PROPERTIES("11.2 append", append)

TEST_CASE("11.2 append: each token of a text that repeats itself counts") {
    Matrix K = some(6, 3, 7), V = some(6, 2, 8);
    for (const std::size_t j : {2U, 3U, 5U}) {
        xt::view(K, j, xt::all()) = row(K, 0);
        xt::view(V, j, xt::all()) = row(V, j == 5 ? 1 : 0);
    }
    const Matrix Q = some(6, 3, 9);
    const Indices cache(6, 0);
    expect_close(graded::append(K, V, Q, cache), oracle::append(K, V, Q, cache), tolerance);
}

/// What `copied` answers, told by the rows of K that each of its three caches has read.
Matrix right_copies(const Matrix& K, const Matrix& V, const Matrix& Q, std::size_t n_before) {
    std::vector<Indices> read(3);
    std::vector<Vector> answers;
    for (Indices& each : read) {
        for (std::size_t j = 0; j < n_before; ++j) {
            each.push_back(j);
        }
    }
    const auto ask = [&](std::size_t whom, std::size_t i) {
        const auto rows = [](const Matrix& A, const Indices& which) -> Matrix {
            return xt::view(A, xt::keep(which), xt::all());
        };
        answers.push_back(
            row(oracle::attend(rows(K, read[whom]), rows(V, read[whom]), rows(Q, {i})), 0));
    };
    for (const std::size_t whom : {0U, 1U, 2U}) {
        ask(whom, 0);
    }
    for (std::size_t i = n_before; i < K.shape(0); ++i) {
        read[(i - n_before) % 3].push_back(i);
        ask((i - n_before) % 3, i);
    }
    for (const std::size_t whom : {0U, 1U, 2U, 1U, 2U}) {
        ask(whom, K.shape(0) - 1);
    }
    return in_turn::stacked(answers);
}

TEST_CASE("11.2 append: a copy knows what was kept, and goes on by itself") {
    const Matrix K = some(9, 3, 20), V = some(9, 2, 21), Q = some(9, 3, 22);
    expect_close(graded::copied(K, V, Q, 3), right_copies(K, V, Q, 3), tolerance);
}

PROPERTIES("11.2 attend", attend)

TEST_CASE("11.2 append: a key or value of another size throws std::invalid_argument, and neither "
          "is kept") {
    const Matrix K = some(3, 3, 14), V = some(3, 2, 15), Q = some(1, 3, 16);
    const auto again = [](const Matrix& A) -> Matrix { // and the first token once more
        return xt::view(A, xt::keep(0, 1, 2, 0), xt::all());
    };
    const Vector right = row(oracle::attend(again(K), again(V), Q), 0);
    for (const auto& [k, v] :
         std::vector<std::pair<std::size_t, std::size_t>>{{5, 2}, {3, 7}, {1, 2}, {3, 1}, {2, 3}}) {
        const std::string what = "a key of " + std::to_string(k) + " and a value of " +
                                 std::to_string(v) + " components, beside 3 and 2";
        const judge::Suspicion half_is_kept{
            "half_a_token_is_kept",
            "Half of a token of another size is kept, so that keys and values no longer match. "
            "Check both sizes before you keep either."};
        const judge::Outcome outcome = graded::append_another_size.attempt(
            K, V, row(some(1, k, 17), 0), row(some(1, v, 18), 0), row(Q, 0));
        const auto* returned = std::get_if<judge::Returned>(&outcome);
        expect_that(returned != nullptr, "a token of another size leaves nothing in the cache",
                    "after " + what + ", the next query fails: " + describe(outcome), half_is_kept);
        const auto got = judge::session().typed(
            [&] { return judge::from_value<in_turn::Refusal>(returned->value); });
        expect_that(
            !got.said.empty() && got.other.empty(), "another size throws std::invalid_argument",
            (got.said.empty() ? "it throws nothing at " : "it throws " + got.other + " at ") + what,
            {"sizes_not_checked",
             "A key or value of another size than those before is accepted, or fails in "
             "another way. Keep the checks that were in append."});
        const auto names = [&](std::size_t mine, std::size_t theirs) {
            return mine != theirs && got.said.find(std::to_string(mine)) != std::string::npos &&
                   got.said.find(std::to_string(theirs)) != std::string::npos;
        };
        expect_that(names(k, 3) || names(v, 2), "the exception names both sizes",
                    "it says \"" + got.said + "\" of " + what);
        expect_that(got.after.size() == 2 && xt::amax(xt::abs(got.after - right))() < 1e-9,
                    "a token of another size leaves nothing in the cache",
                    "after " + what + ", the next query gets a wrong answer", half_is_kept);
    }
}

TEST_CASE("11.2 attend: a query of another size than the keys throws std::invalid_argument, and it "
          "names both") {
    for (const std::size_t size : {1U, 2U, 7U}) {
        judge::expect_invalid_argument(
            graded::attend.attempt(some(5, 3, 18), some(5, 2, 19), some(1, size, 20)),
            {{size}, {3}});
    }
}

TEST_CASE("11.2 attend: an empty cache throws std::invalid_argument") {
    judge::expect_refused(graded::attend.attempt(Matrix(xt::zeros<double>({0, 3})),
                                                 Matrix(xt::zeros<double>({0, 2})), some(1, 3, 13)),
                          "a query of an empty cache");
}

} // namespace of_key_value_cache
