#include "streaming/streaming.hpp"

#include "cases.hpp"
#include "common/refused.hpp"
#include "support/special_values.hpp"

using namespace attention;
using namespace streaming_cases;
using support::inf;

namespace {

// log Σ exp of each query's scores that are not blocked, in loops of its own.
Matrix logsumexp(const Tensor3& Q, const Tensor3& K, const AttentionOptions& options) {
    const std::size_t n_queries = Q.shape(1), n_keys = K.shape(1);
    const std::array<std::size_t, 3> full{Q.shape(0), n_queries, n_keys};
    xt::xtensor<bool, 3> allowed = xt::ones<bool>(full);
    if (options.mask) {
        allowed = xt::broadcast(*options.mask, full);
    }
    const double scale = 1 / std::sqrt(static_cast<double>(Q.shape(2)));
    Matrix result = Matrix::from_shape({Q.shape(0), n_queries});
    for (std::size_t row = 0; row < result.size(); ++row) {
        const std::size_t b = row / n_queries, i = row % n_queries;
        long double sum = 0;
        for (std::size_t j = 0; j < n_keys && (j <= i || !options.is_causal); ++j) {
            long double score = 0;
            for (std::size_t c = 0; c < Q.shape(2); ++c) {
                score += static_cast<long double>(Q(b, i, c)) * K(b, j, c);
            }
            sum += allowed(b, i, j) ? std::exp(score * scale) : 0;
        }
        result.flat(row) = static_cast<double>(std::log(sum));
    }
    return result;
}

// Both precisions; float against double on the very same numbers.
void check_streaming(const Inputs<Tensor3F>& in, const AttentionOptions& options) {
    const Tensor3 Q = in.Q, K = in.K, V = in.V;
    const Tensor3 plain = scaled_dot_product_attention(Q, K, V, options).output;
    check_error(streaming_attention(Q, K, V, options).output, plain, double_limit);
    check_error(streaming_attention(in.Q, in.K, in.V, options).output, plain, float_limit);
}

Tensor3F heads_first(const Tensor3F& X, std::size_t end) {
    return xt::view(X, xt::all(), xt::range(std::size_t{0}, end), xt::all());
}

} // namespace

TEST_CASE("streaming_attention: is the plain form on awkward shapes under every mask") {
    for (const Sizes& sizes : awkward) {
        const std::string shape = text(sizes);
        CAPTURE(shape);
        const auto in = inputs<Tensor3F>(sizes);
        for (const Masked& masked : masks(sizes)) {
            CAPTURE(masked.name);
            check_streaming(in, masked.options);
        }
    }
}

TEST_CASE("streaming_attention: long sequences keep float's error within its bound") {
    const Sizes sizes{1, 260, 4100, 64, 64};
    check_streaming(inputs<Tensor3F>(sizes), {});
    check_streaming(inputs<Tensor3F>({1, 1500, 1500, 64, 64}), {.is_causal = true});
}

TEST_CASE("streaming_attention: logsumexp is the logarithm of the weights' divisor") {
    for (const Sizes& sizes : {awkward[4], awkward[6], awkward[10]}) {
        const auto in = inputs(sizes);
        for (const Masked& masked : masks(sizes)) {
            CAPTURE(masked.name);
            const Matrix expected = logsumexp(in.Q, in.K, masked.options);
            const auto got = streaming_attention(in.Q, in.K, in.V, masked.options);
            check_error(got.logsumexp, expected, 1e-14);
            const auto in_f = inputs<Tensor3F>(sizes);
            const auto got_f = streaming_attention(in_f.Q, in_f.K, in_f.V, masked.options);
            check_error(got_f.logsumexp, expected, 1e-6);
        }
    }
}

TEST_CASE("streaming_attention: the number of threads changes no bit") {
    const auto in = inputs<Tensor3F>({6, 300, 310, 33, 20});
    for (const bool is_causal : {false, true}) {
        const auto one =
            streaming_attention(in.Q, in.K, in.V, {.is_causal = is_causal, .threads = 1});
        for (const std::size_t threads : {0U, 2U, 3U, 7U}) {
            const auto got =
                streaming_attention(in.Q, in.K, in.V, {.is_causal = is_causal, .threads = threads});
            CHECK(got.output == one.output);
            CHECK(got.logsumexp == one.logsumexp);
        }
    }
}

TEST_CASE("streaming_attention: later keys change no bit under a causal mask") {
    const std::size_t n = 300;
    const auto in = inputs<Tensor3F>({1, n, n, 16, 16});
    const AttentionOptions causal{.is_causal = true};
    const auto before = streaming_attention(in.Q, in.K, in.V, causal);
    for (const float number : {3.0F, -1e30F}) {
        for (const std::size_t j : {299U, 257U, 255U, 128U, 31U, 1U}) {
            INFO("number ", number, ", j ", j);
            auto changed = in;
            xt::view(changed.K, 0, j, xt::all()) = number;
            xt::view(changed.V, 0, j, xt::all()) = number;
            const auto after = streaming_attention(changed.Q, changed.K, changed.V, causal);
            CHECK(heads_first(after.output, j) == heads_first(before.output, j));
            CHECK(after.output(0, j, 0) != before.output(0, j, 0));
        }
    }
}

TEST_CASE("streaming_attention: empty batches, sequences and values give empty results") {
    const auto none = inputs({0, 3, 4, 5, 6});
    CHECK(shape_text(streaming_attention(none.Q, none.K, none.V).output) == "(0, 3, 6)");
    const auto no_queries = inputs({2, 0, 4, 5, 6});
    CHECK(shape_text(streaming_attention(no_queries.Q, no_queries.K, no_queries.V).logsumexp) ==
          "(2, 0)");
    const auto no_keys = inputs({2, 3, 0, 5, 6});
    const auto got = streaming_attention(no_keys.Q, no_keys.K, no_keys.V, {.is_causal = true});
    support::check_close(got.output, Tensor3(xt::zeros<double>({2, 3, 6})), {0, 0});
    support::check_close(got.logsumexp, Matrix(xt::zeros<double>({2, 3}) - inf), {0, 0});
    const auto no_values = inputs({2, 3, 4, 5, 0});
    CHECK(shape_text(streaming_attention(no_values.Q, no_values.K, no_values.V).output) ==
          "(2, 3, 0)");
}

TEST_CASE("streaming_attention: inputs that do not fit are an invalid_argument in its name") {
    const auto in = inputs({2, 5, 7, 6, 4});
    CHECK_REFUSED(streaming_attention(in.Q, in.K, normal<Tensor3>({2, 8, 4}, 1)),
                  "streaming_attention: K and V must share n_keys, got 7 and 8; "
                  "K is (2, 7, 6), V is (2, 8, 4)");
    const AttentionOptions flat{.mask = xt::xarray<bool>(xt::ones<bool>({7}))};
    CHECK_REFUSED(streaming_attention(in.Q, in.K, in.V, flat),
                  "streaming_attention: mask must have rank 2 or 3, got 1; mask is (7,)");
}
