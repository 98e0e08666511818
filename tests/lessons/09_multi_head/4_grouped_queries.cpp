// 09.4 grouped_query_attention and kv_cache_bytes

#include "exports.hpp"
#include "refused_sizes.hpp"
#include "support/oracle_heads.hpp"
#include "support/proof.hpp"

namespace of_grouped_queries {

using namespace proof;

constexpr Tolerance of_bytes{1e-12, 0};

const auto grouped_query_attention =
    Domain(graded::grouped_query_attention, oracle::grouped_query_attention,
           {{"Q", Kind::array, "n_queries x kv_heads*group*d_k"},
            {"K", Kind::array, "n_keys x kv_heads*d_k"},
            {"V", Kind::array, "n_keys x kv_heads*d_v"},
            {"n_kv_heads", Kind::count, "kv_heads"}},
           normwise)
        .scaled({{"V", ""}, {"Q", "K"}, {"K", "Q"}})
        .dot_products("Q", "K");
double right_bytes(std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,
                   std::size_t d_k, std::size_t d_v, std::size_t bytes_each) {
    long double bytes = static_cast<long double>(d_k) + static_cast<long double>(d_v);
    for (const std::size_t size : {n_tokens, n_layers, n_kv_heads, bytes_each}) {
        bytes *= static_cast<long double>(size);
    }
    return static_cast<double>(bytes);
}

const auto kv_cache_bytes = Domain(graded::kv_cache_bytes, right_bytes,
                                   {{"n_tokens", Kind::count, "n_tokens"},
                                    {"n_layers", Kind::count, "n_layers"},
                                    {"n_kv_heads", Kind::count, "n_kv_heads"},
                                    {"d_k", Kind::count, "d_k"},
                                    {"d_v", Kind::count, "d_v"},
                                    {"bytes_each", Kind::count, "bytes_each"}},
                                   of_bytes);

const double ln3 = std::log(3.0);

// ---- grouped_query_attention

TEST_CASE("09.4 grouped_query_attention: four heads of queries, two of keys and values, by hand") {
    // Heads 0 and 1 use the keys 0 and ln 3 and the values 4 and 8, heads 2 and 3 the others.
    expect_close(graded::grouped_query_attention({{1, 0, 1, -1}}, {{0, ln3}, {ln3, 0}},
                                                 {{4, 10}, {8, 50}}, 2),
                 Matrix{{7, 6, 20, 40}}, normwise);
}

PROPERTIES("09.4 grouped_query_attention", grouped_query_attention)

TEST_CASE("09.4 grouped_query_attention: agrees with PyTorch") {
    expect_close(graded::grouped_query_attention(golden("heads/grouped_Q"),
                                                 golden("heads/grouped_K"),
                                                 golden("heads/grouped_V"), 2),
                 golden("heads/grouped_output"), normwise);
}

TEST_CASE("09.4 grouped_query_attention: heads that cannot be shared out are refused") {
    const auto expect_refused = [](std::size_t columns_of_q, std::size_t n_kv_heads,
                                   const std::string& what, std::size_t number,
                                   const std::vector<std::size_t>& one_of) {
        const Matrix Q = xt::ones<double>({std::size_t{2}, columns_of_q});
        const Matrix K = xt::ones<double>({3, 8}), V = xt::ones<double>({3, 10});
        expect_refused_naming(graded::grouped_query_attention.attempt(Q, K, V, n_kv_heads), what,
                              number, one_of);
    };
    expect_refused(16, 3, "n_kv_heads = 3", 3, {8, 10});
    expect_refused(16, 4, "n_kv_heads = 4", 4, {10});
    expect_refused(16, 0, "n_kv_heads = 0", 0, {8, 10, 16});
    expect_refused(18, 2, "a Q of 18 columns, with d_k = 4,", 4, {18});
    expect_refused(12, 2, "3 heads of queries for 2 of keys", 2, {3});
}

// ---- kv_cache_bytes

TEST_CASE("09.4 kv_cache_bytes: two tokens, small enough to count") {
    expect_close(graded::kv_cache_bytes(2, 3, 1, 4, 5, 7), 378.0, of_bytes);
}

PROPERTIES("09.4 kv_cache_bytes", kv_cache_bytes)

TEST_CASE("09.4 kv_cache_bytes: 0 without tokens") {
    expect_close(graded::kv_cache_bytes(0, 3, 2, 4, 5, 7), 0.0, of_bytes);
}

TEST_CASE("09.4 kv_cache_bytes: more bytes than 32 and 64 bits count") {
    const auto counts = [](auto... sizes) { return judge::List{{std::uint64_t(sizes)}...}; };
    kv_cache_bytes.calls({counts(4096, 80, 64, 128, 96, 2), counts(131072, 126, 8, 128, 96, 2),
                          counts(45'000'000'000, 1000, 512, 256, 128, 8)});
}

} // namespace of_grouped_queries
