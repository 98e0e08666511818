#include "streaming/streaming.hpp"

#include "cases.hpp"
#include "common/refused.hpp"

using namespace attention;
using namespace streaming_cases;

namespace {

// The formulas, on the plain form's weights.
Inputs<Tensor3> plain_gradients(const Inputs<Tensor3>& in, const Tensor3& d_output,
                                const AttentionOptions& options) {
    const Tensor3 P = scaled_dot_product_attention(in.Q, in.K, in.V, options).weights;
    const double scale = 1 / std::sqrt(static_cast<double>(in.Q.shape(2)));
    Inputs<Tensor3> d{xt::zeros_like(in.Q), xt::zeros_like(in.K), xt::zeros_like(in.V)};
    const std::size_t n_keys = P.shape(2), d_k = in.Q.shape(2), d_v = in.V.shape(2);
    const std::size_t rows = P.size() / std::max<std::size_t>(1, n_keys);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t head = row / P.shape(1);
        const double* const p = P.data() + row * n_keys;
        const double* const dO = d_output.data() + row * d_v;
        std::vector<double> dP(n_keys, 0.0);
        double D = 0;
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double* const v = in.V.data() + (head * n_keys + j) * d_v;
            for (std::size_t c = 0; c < d_v; ++c) {
                dP[j] += dO[c] * v[c];
                d.V.data()[(head * n_keys + j) * d_v + c] += p[j] * dO[c];
            }
            D += p[j] * dP[j];
        }
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double dS = p[j] * (dP[j] - D) * scale;
            for (std::size_t c = 0; c < d_k; ++c) {
                const std::size_t key = (head * n_keys + j) * d_k + c;
                d.Q.data()[row * d_k + c] += dS * in.K.data()[key];
                d.K.data()[key] += dS * in.Q.data()[row * d_k + c];
            }
        }
    }
    return d;
}

template <class Tensor>
auto gradients(const Inputs<Tensor>& in, const Tensor& d_output, const AttentionOptions& options) {
    const auto forward = streaming_attention(in.Q, in.K, in.V, options);
    return streaming_attention_backward(in.Q, in.K, in.V, forward, d_output, options);
}

// Entries of size `scale` beside others of that size; all gradients of a head are sums of like
// terms.
void check_gradients(const Inputs<Tensor3F>& in, const AttentionOptions& options) {
    const Tensor3F d_output = normal<Tensor3F>({in.Q.shape(0), in.Q.shape(1), in.V.shape(2)}, 77);
    const Inputs<Tensor3> wide{in.Q, in.K, in.V};
    const Tensor3 d_output_wide = d_output;
    const auto expected = plain_gradients(wide, d_output_wide, options);
    const double largest =
        std::max({1e-3, xt::amax(xt::abs(expected.Q))(), xt::amax(xt::abs(expected.K))(),
                  xt::amax(xt::abs(expected.V))()});
    const auto got = gradients(wide, d_output_wide, options);
    const auto got_f = gradients(in, d_output, options);
    const support::Tolerance close{0, 1e-13 * largest}, close_f{0, 1e-5 * largest};
    support::check_close(got.Q, expected.Q, close);
    support::check_close(got.K, expected.K, close);
    support::check_close(got.V, expected.V, close);
    support::check_close(got_f.Q, expected.Q, close_f);
    support::check_close(got_f.K, expected.K, close_f);
    support::check_close(got_f.V, expected.V, close_f);
}

} // namespace

TEST_CASE("streaming_attention_backward: is the plain form's on awkward shapes under every mask") {
    for (const Sizes& sizes : awkward) {
        const std::string shape = text(sizes);
        CAPTURE(shape);
        const auto in = inputs<Tensor3F>(sizes);
        const std::vector<Masked> all = masks(sizes);
        // The largest shapes with few masks: the formulas above are slow.
        const std::size_t step = sizes.n_queries * sizes.n_keys > 20000 ? 5 : 1;
        for (std::size_t i = 1; i <= all.size(); i += step) {
            CAPTURE(all[i % all.size()].name);
            check_gradients(in, all[i % all.size()].options);
        }
    }
}

TEST_CASE("streaming_attention_backward: the number of threads changes no bit") {
    const auto in = inputs<Tensor3F>({3, 400, 300, 20, 24});
    const Tensor3F d_output = normal<Tensor3F>({3, 400, 24}, 5);
    const auto alone = gradients(in, d_output, {.is_causal = true, .threads = 1});
    for (const std::size_t threads : {2U, 5U}) {
        const auto got = gradients(in, d_output, {.is_causal = true, .threads = threads});
        CHECK(got.Q == alone.Q);
        CHECK(got.K == alone.K);
        CHECK(got.V == alone.V);
    }
}

TEST_CASE("streaming_attention_backward: a blocked key has gradient 0, whatever its values") {
    for (const double number : {1.0, 1e6}) {
        auto in = inputs({1, 20, 40, 6, 7});
        const Tensor3 d_output = normal<Tensor3>({1, 20, 7}, 9);
        xt::xarray<bool> mask = xt::ones<bool>({1, 40});
        xt::view(mask, 0, xt::range(30, 40)) = false;
        const AttentionOptions options{.mask = mask};
        const auto before = gradients(in, d_output, options);
        xt::view(in.K, 0, xt::range(30, 40)) = number;
        xt::view(in.V, 0, xt::range(30, 40)) = number;
        const auto after = gradients(in, d_output, options);
        const support::Tolerance close{1e-12, 1e-13};
        support::check_close(after.Q, before.Q, close);
        support::check_close(after.K, before.K, close);
        support::check_close(after.V, before.V, close);
        const Tensor3 blocked = xt::view(after.K, xt::all(), xt::range(30, 40));
        support::check_close(blocked, Tensor3(xt::zeros_like(blocked)), {0, 0});
    }
}

TEST_CASE("streaming_attention_backward: empty inputs give empty gradients or zeros") {
    const auto no_keys = inputs({2, 3, 0, 5, 6});
    const auto got = gradients(no_keys, normal<Tensor3>({2, 3, 6}, 1), {});
    support::check_close(got.Q, Tensor3(xt::zeros<double>({2, 3, 5})), {0, 0});
    CHECK(shape_text(got.V) == "(2, 0, 6)");
    const auto no_queries = inputs({2, 0, 3, 5, 6});
    const auto zero = gradients(no_queries, normal<Tensor3>({2, 0, 6}, 1), {});
    support::check_close(zero.K, Tensor3(xt::zeros<double>({2, 3, 5})), {0, 0});
}

TEST_CASE("streaming_attention_backward: shapes that do not fit are an invalid_argument") {
    const auto in = inputs({6, 5, 7, 6, 4});
    const auto forward = streaming_attention(in.Q, in.K, in.V);
    const Tensor3 d_output = normal<Tensor3>({6, 5, 4}, 1);
    CHECK_REFUSED(
        streaming_attention_backward(in.Q, in.K, in.V, forward, normal<Tensor3>({6, 5, 6}, 1)),
        "streaming_attention_backward: d_output must be of shape (6, 5, 4), got (6, 5, 6)");
    auto other = forward;
    other.logsumexp = normal<Matrix>({6, 7}, 1);
    CHECK_REFUSED(streaming_attention_backward(in.Q, in.K, in.V, other, d_output),
                  "streaming_attention_backward: forward.logsumexp must be of shape (6, 5), got "
                  "(6, 7)");
}
