#include "attention/attention.hpp"
#include "attention/masks.hpp"
#include "common/normal.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle_attention.hpp"
#include "support/special_values.hpp"

using namespace attention;
using support::check_close;
using support::golden_bools;
using support::golden_tensor3;
using support::golden_tensor3_f;
using support::inf;
using support::normal;

namespace {

Mask causal_mask(std::size_t n_queries, std::size_t n_keys) {
    return xt::tril(xt::ones<bool>({n_queries, n_keys}));
}

// Scores of order 1 and up to 64 components: 64 roundings each, and as many of softmax and product.
constexpr support::Tolerance close_f{1e-5, 1e-6};
constexpr support::Tolerance close_d{1e-13, 1e-14};

// Both precisions against the oracle, the masks broadcast by xtensor.
void check_batched(const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                   const AttentionOptions& options) {
    const std::array<std::size_t, 3> full{Q.shape(0), Q.shape(1), K.shape(1)};
    xt::xtensor<bool, 3> allowed = xt::ones<bool>(full);
    if (options.mask) {
        allowed = xt::broadcast(*options.mask, full);
    }
    if (options.is_causal) {
        const xt::xtensor<bool, 3> both = allowed && causal_mask(full[1], full[2]);
        allowed = both;
    }
    const Tensor3 added = xt::where(allowed, 0.0, -inf);
    const auto expected = oracle::scaled_dot_product_attention(Q, K, V, added);
    const BatchedAttention<double> got = scaled_dot_product_attention(Q, K, V, options);
    check_close(got.weights, expected.weights, close_d);
    check_close(got.output, expected.output, close_d);
    const Tensor3F Q_f = xt::cast<float>(Q), K_f = xt::cast<float>(K), V_f = xt::cast<float>(V);
    const auto expected_f = oracle::scaled_dot_product_attention(Q_f, K_f, V_f, added);
    const BatchedAttention<float> got_f = scaled_dot_product_attention(Q_f, K_f, V_f, options);
    check_close(got_f.weights, expected_f.weights, close_f);
    check_close(got_f.output, expected_f.output, close_f);
}

void check_golden(const std::string& name, const AttentionOptions& options) {
    CAPTURE(name);
    const std::string folder = "attention/";
    const BatchedAttention<double> got =
        scaled_dot_product_attention(golden_tensor3(folder + "Q"), golden_tensor3(folder + "K"),
                                     golden_tensor3(folder + "V"), options);
    check_close(got.output, golden_tensor3(folder + name + "_output"), close_d);
    check_close(got.weights, golden_tensor3(folder + name + "_weights"), {1e-13, 0});
    const BatchedAttention<float> got_f = scaled_dot_product_attention(
        golden_tensor3_f(folder + "Q_float"), golden_tensor3_f(folder + "K_float"),
        golden_tensor3_f(folder + "V_float"), options);
    check_close(got_f.output, golden_tensor3_f(folder + name + "_output_float"), close_f);
    check_close(got_f.weights, golden_tensor3_f(folder + name + "_weights_float"), {1e-5, 0});
}

template <class Tensor>
Tensor rows_before(const Tensor& X, std::size_t end) {
    return xt::view(X, xt::all(), xt::range(std::size_t{0}, end), xt::all());
}

// Changes token j of K and V, and of Q, to `wild` and looks at the outputs and weights before j.
template <class Tensor>
void check_causal(const Tensor& Q, const Tensor& K, const Tensor& V,
                  const AttentionOptions& options) {
    using T = typename Tensor::value_type;
    const auto before = scaled_dot_product_attention(Q, K, V, options);
    for (std::size_t j = 0; j < K.shape(1); ++j) {
        for (const double number : {1.5, -1e30}) {
            const T wild = static_cast<T>(number);
            Tensor Q_j = Q, K_j = K, V_j = V;
            xt::view(K_j, xt::all(), j, xt::all()) = wild;
            xt::view(V_j, xt::all(), j, xt::all()) = wild;
            if (j < Q.shape(1)) {
                xt::view(Q_j, xt::all(), j, xt::all()) = wild;
            }
            const auto after = scaled_dot_product_attention(Q_j, K_j, V_j, options);
            const std::size_t end = std::min(j, Q.shape(1));
            INFO("j ", j, ", number ", number);
            CHECK(rows_before(after.output, end) == rows_before(before.output, end));
            CHECK(rows_before(after.weights, end) == rows_before(before.weights, end));
        }
    }
}

} // namespace

TEST_CASE("scaled_dot_product_attention: agrees with PyTorch under every kind of mask") {
    check_golden("none", {});
    check_golden("causal", {.is_causal = true});
    check_golden("causal", {.mask = causal_mask(5, 7)});
    check_golden("mask_2d", {.mask = golden_bools("attention/mask_2d")});
    check_golden("mask_1qk", {.mask = golden_bools("attention/mask_1qk")});
    check_golden("mask_bqk", {.mask = golden_bools("attention/mask_bqk")});
    check_golden("padding", {.mask = golden_bools("attention/padding")});
    const xt::xarray<bool> padding = golden_bools("attention/padding");
    check_golden("causal_padding", {.mask = padding, .is_causal = true});
}

TEST_CASE("scaled_dot_product_attention: awkward sizes agree with the plain loops") {
    struct Sizes {
        std::size_t batch, n_queries, n_keys, d_k, d_v;
    };
    const Sizes awkward[] = {{1, 1, 1, 1, 1},   {2, 5, 7, 64, 32}, {3, 2, 1, 5, 4},
                             {2, 7, 5, 3, 1},   {5, 1, 3, 2, 7},   {1, 31, 17, 13, 11},
                             {4, 17, 33, 19, 9}};
    for (const Sizes& sizes : awkward) {
        INFO("batch ", sizes.batch, ", n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys);
        const auto& [batch, n_queries, n_keys, d_k, d_v] = sizes;
        const Tensor3 Q = normal<Tensor3>({batch, n_queries, d_k}, 1);
        const Tensor3 K = normal<Tensor3>({batch, n_keys, d_k}, 2);
        const Tensor3 V = normal<Tensor3>({batch, n_keys, d_v}, 3);
        // Some rows are fully blocked.
        const xt::xarray<bool> some = normal<Tensor3>({batch, n_queries, n_keys}, 4) < 0.3;
        const Matrix row = standard_normal(1, n_keys, 5);
        const Tensor3 column = normal<Tensor3>({1, n_queries, 1}, 6);
        check_batched(Q, K, V, {});
        check_batched(Q, K, V, {.is_causal = true});
        check_batched(Q, K, V, {.mask = some});
        check_batched(Q, K, V, {.mask = some, .is_causal = true});
        check_batched(Q, K, V, {.mask = xt::xarray<bool>(row < 0.5)});
        check_batched(Q, K, V, {.mask = xt::xarray<bool>(column < 0.0)});
        check_batched(Q, K, V, {.mask = xt::xarray<bool>(xt::ones<bool>({1, 1}))});
        check_batched(Q, K, V, {.mask = xt::xarray<bool>(xt::zeros<bool>({1, 1, 1}))});
    }
}

TEST_CASE("scaled_dot_product_attention: float on threads is double's, beyond a tile of keys") {
    struct Sizes {
        std::size_t batch, n_queries, n_keys, d_k, d_v;
    };
    // 2 · 129 · 257 · (64 + 65) multiplications are work for three threads.
    for (const Sizes& sizes : {Sizes{2, 37, 300, 19, 33}, Sizes{2, 129, 257, 64, 65},
                               Sizes{3, 65, 31, 5, 64}, Sizes{1, 33, 513, 64, 7}}) {
        const auto& [batch, n_queries, n_keys, d_k, d_v] = sizes;
        INFO("n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys);
        // Numbers that are exact in float, so that both compute the same.
        const Tensor3 Q = Tensor3F(normal<Tensor3>({batch, n_queries, d_k}, 1));
        const Tensor3 K = Tensor3F(normal<Tensor3>({batch, n_keys, d_k}, 2));
        const Tensor3 V = Tensor3F(normal<Tensor3>({batch, n_keys, d_v}, 3));
        const xt::xarray<bool> some = normal<Tensor3>({batch, n_queries, n_keys}, 4) < 0.3;
        for (const AttentionOptions& options :
             {AttentionOptions{.threads = 3}, AttentionOptions{.is_causal = true, .threads = 3},
              AttentionOptions{.mask = some, .threads = 3}}) {
            const BatchedAttention<double> d = scaled_dot_product_attention(Q, K, V, options);
            const BatchedAttention<float> f =
                scaled_dot_product_attention(Tensor3F(Q), Tensor3F(K), Tensor3F(V), options);
            check_close(f.weights, d.weights, close_f);
            check_close(f.output, d.output, close_f);
        }
    }
}

TEST_CASE("scaled_dot_product_attention: later keys change no bit under a causal mask") {
    struct Sizes {
        std::size_t batch, n_queries, n_keys, d_k, d_v;
    };
    const Sizes awkward[] = {{2, 7, 7, 5, 3}, {1, 33, 33, 8, 17}, {1, 5, 9, 3, 2}, {1, 9, 5, 2, 3}};
    for (const Sizes& sizes : awkward) {
        INFO("n_queries ", sizes.n_queries, ", n_keys ", sizes.n_keys);
        const auto& [batch, n_queries, n_keys, d_k, d_v] = sizes;
        const Tensor3 Q = normal<Tensor3>({batch, n_queries, d_k}, 1);
        const Tensor3 K = normal<Tensor3>({batch, n_keys, d_k}, 2);
        const Tensor3 V = normal<Tensor3>({batch, n_keys, d_v}, 3);
        const Mask causal = causal_mask(n_queries, n_keys);
        const Tensor3F Q_f = xt::cast<float>(Q), K_f = xt::cast<float>(K), V_f = xt::cast<float>(V);
        for (const AttentionOptions& options :
             {AttentionOptions{.is_causal = true}, AttentionOptions{.mask = causal}}) {
            check_causal(Q, K, V, options);
            check_causal(Q_f, K_f, V_f, options);
        }
    }
}

TEST_CASE("scaled_dot_product_attention: a query that sees no key has weights and output 0") {
    const Tensor3 Q = normal<Tensor3>({2, 3, 4}, 1);
    const Tensor3 K = normal<Tensor3>({2, 5, 4}, 2);
    const Tensor3 V = normal<Tensor3>({2, 5, 2}, 3);
    const xt::xarray<bool> mask{{{true, true, true, true, true}},
                                {{false, false, false, false, false}}};
    const BatchedAttention<double> result = scaled_dot_product_attention(Q, K, V, {.mask = mask});
    const Matrix weights = xt::view(result.weights, 1, xt::all(), xt::all());
    const Matrix output = xt::view(result.output, 1, xt::all(), xt::all());
    check_close(weights, Matrix(xt::zeros<double>({3, 5})), {0, 0});
    check_close(output, Matrix(xt::zeros<double>({3, 2})), {0, 0});
}

TEST_CASE("scaled_dot_product_attention: empty batches and sequences give empty results") {
    CHECK(shape_text(scaled_dot_product_attention(normal<Tensor3>({0, 3, 2}, 1),
                                                  normal<Tensor3>({0, 5, 2}, 1),
                                                  normal<Tensor3>({0, 5, 4}, 1))
                         .output) == "(0, 3, 4)");
    const BatchedAttention<double> no_keys =
        scaled_dot_product_attention(normal<Tensor3>({2, 3, 2}, 1), normal<Tensor3>({2, 0, 2}, 1),
                                     normal<Tensor3>({2, 0, 4}, 1), {.is_causal = true});
    CHECK(shape_text(no_keys.weights) == "(2, 3, 0)");
    check_close(no_keys.output, Tensor3(xt::zeros<double>({2, 3, 4})), {0, 0});
}

TEST_CASE("scaled_dot_product_attention: inputs that do not fit are an invalid_argument") {
    const Tensor3 Q = normal<Tensor3>({2, 5, 6}, 1);
    const Tensor3 K = normal<Tensor3>({2, 7, 6}, 2);
    const Tensor3 V = normal<Tensor3>({2, 7, 3}, 3);
    CHECK_REFUSED(scaled_dot_product_attention(Q, normal<Tensor3>({3, 7, 6}, 2), V),
                  "scaled_dot_product_attention: Q and K must share batch, got 2 and 3; "
                  "Q is (2, 5, 6), K is (3, 7, 6)");
    CHECK_REFUSED(scaled_dot_product_attention(Q, K, normal<Tensor3>({1, 7, 3}, 2)),
                  "scaled_dot_product_attention: K and V must share batch, got 2 and 1; "
                  "K is (2, 7, 6), V is (1, 7, 3)");
    CHECK_REFUSED(scaled_dot_product_attention(Q, normal<Tensor3>({2, 7, 4}, 2), V),
                  "scaled_dot_product_attention: Q and K must share d_k, got 6 and 4; "
                  "Q is (2, 5, 6), K is (2, 7, 4)");
    CHECK_REFUSED(scaled_dot_product_attention(Q, K, normal<Tensor3>({2, 8, 3}, 2)),
                  "scaled_dot_product_attention: K and V must share n_keys, got 7 and 8; "
                  "K is (2, 7, 6), V is (2, 8, 3)");
    CHECK_REFUSED(scaled_dot_product_attention(normal<Tensor3>({2, 5, 0}, 1),
                                               normal<Tensor3>({2, 7, 0}, 1), V),
                  "scaled_dot_product_attention: d_k must be at least 1, got 0; "
                  "Q is (2, 5, 0), K is (2, 7, 0)");
}

TEST_CASE("scaled_dot_product_attention: masks that do not fit are an invalid_argument") {
    const Tensor3 Q = normal<Tensor3>({2, 5, 6}, 1);
    const Tensor3 K = normal<Tensor3>({2, 7, 6}, 2);
    const Tensor3 V = normal<Tensor3>({2, 7, 3}, 3);
    CHECK_REFUSED(
        scaled_dot_product_attention(Q, K, V, {.mask = xt::xarray<bool>(xt::ones<bool>({7}))}),
        "scaled_dot_product_attention: mask must have rank 2 or 3, got 1; mask is (7,)");
    CHECK_REFUSED(scaled_dot_product_attention(Q, K, V, {.mask = causal_mask(7, 5)}),
                  "scaled_dot_product_attention: mask must broadcast to "
                  "(batch, n_queries, n_keys), got (7, 5); Q is (2, 5, 6), K is (2, 7, 6)");
}
