// 11.2 KeyValueCache: append and attend. A cache cannot travel, so exports.hpp has both called in
// turn.

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_key_value_cache {

using namespace proof;
using in_turn::Indices;
using in_turn::row;

/// Query i's attention over those keys 0 … i that are in the same cache.
Matrix right_append(const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
    const auto seen = [&](std::size_t i, std::size_t j) { return j <= i && cache[j] == cache[i]; };
    return oracle::attention(Q, K, V, oracle::filled<bool>(cache.size(), cache.size(), seen))
        .output;
}

Matrix right_attend(const Matrix& K, const Matrix& V, const Matrix& Q) {
    return oracle::attention(Q, K, V).output;
}

/// A number of caches becomes the list of those that read each token.
void in_turns(judge::List& arguments) {
    const auto caches = std::get<std::uint64_t>(arguments[3].data);
    Indices cache(std::get<judge::Array>(arguments[0].data).shape[0]);
    for (std::size_t i = 0; i < cache.size(); ++i) {
        cache[i] = i * (i + 1) / 2 % caches % cache.size();
    }
    arguments[3] = to_value(cache);
}

const auto append = Domain(graded::append, right_append,
                           {{"K", Kind::array, "n x d_k"},
                            {"V", Kind::array, "n x d_v"},
                            {"Q", Kind::array, "n x d_k"},
                            {"cache", Kind::count, "", false, {1, 2, 3}}},
                           sums_in_double)
                        .made_to_fit(in_turns)
                        .scaled({{"V", ""}, {"Q", "K"}})
                        .at_most("n", 65)
                        .refuses_nothing();

const auto attend = Domain(graded::attend, right_attend,
                           {{"K", Kind::array, "n x d_k"},
                            {"V", Kind::array, "n x d_v"},
                            {"Q", Kind::array, "n_queries x d_k"}},
                           sums_in_double)
                        .scaled({{"V", ""}, {"Q", "K"}})
                        .dot_products("Q", "K")
                        .large("n", 5003)
                        .refuses_nothing();

Matrix some(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return from_value<Matrix>(domain::ordinary(Kind::scores, {rows, columns}, {}, seed));
}

const double ln_3 = std::log(3.0);

TEST_CASE("11.2 append: three tokens, d_k = 4, by hand: each query sees the tokens so far") {
    // Scores are halved: 0, 2 ln 3 / 2 = ln 3, and so on.
    expect_close(graded::append({{0, 0, 0, 0}, {2 * ln_3, 0, 0, 0}, {0, 2 * ln_3, 0, 0}},
                                {{4, 8}, {8, 0}, {0, 16}},
                                {{5, 5, 5, 5}, {1, 0, 0, 0}, {0, 1, 0, 0}}, {0, 0, 0}),
                 Matrix{{4, 8}, {7, 2}, {2.4, 11.2}}, sums_in_double);
}

TEST_CASE("11.2 append: is PyTorch's causal attention on the whole text") {
    expect_close(graded::append(golden("cache/K"), golden("cache/V"), golden("cache/Q"),
                                Indices(golden("cache/K").shape(0), 0)),
                 golden("cache/causal"), sums_in_double);
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
    expect_close(graded::append(K, V, Q, cache), right_append(K, V, Q, cache), sums_in_double);
}

PROPERTIES("11.2 attend", attend)

TEST_CASE("11.2 append: a key or value of another size throws std::invalid_argument with both "
          "sizes in its text, and neither is kept") {
    const Matrix K = some(3, 3, 14), V = some(3, 2, 15);
    const auto refuses = [&](std::size_t k, std::size_t v, std::size_t wrong, std::size_t kept) {
        expect_invalid_argument(graded::append_another_size.attempt(K, V,
                                                                    Vector(row(some(1, k, 17), 0)),
                                                                    Vector(row(some(1, v, 18), 0))),
                                {{wrong}, {kept}});
    };
    for (const std::size_t wrong : {1U, 2U, 5U}) {
        refuses(wrong, 2, wrong, 3);
    }
    for (const std::size_t wrong : {1U, 3U, 7U}) {
        refuses(3, wrong, wrong, 2);
    }
}

TEST_CASE("11.2 attend: a query of another size than the keys throws std::invalid_argument, and it "
          "names both") {
    for (const std::size_t size : {1U, 2U, 7U}) {
        expect_invalid_argument(
            graded::attend.attempt(some(5, 3, 18), some(5, 2, 19), some(1, size, 20)),
            {{size}, {3}});
    }
}

TEST_CASE("11.2 attend: an empty cache throws std::invalid_argument") {
    expect_refused(graded::attend.attempt(Matrix(xt::zeros<double>({0, 3})),
                                          Matrix(xt::zeros<double>({0, 2})), some(1, 3, 13)),
                   "a query of an empty cache");
}

} // namespace of_key_value_cache
