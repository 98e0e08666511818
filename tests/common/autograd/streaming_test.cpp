#include "autograd/streaming.hpp"

#include "common/gradient_check.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

using namespace autograd;
using support::check_close;
using support::gradient_error;
using support::normal;

namespace {

constexpr std::size_t batch = 2, n_queries = 5, n_keys = 7, d_k = 3, d_v = 4;

const std::vector<Array<double>> inputs{normal({batch, n_queries, d_k}, 1),
                                        normal({batch, n_keys, d_k}, 2),
                                        normal({batch, n_keys, d_v}, 3)};

} // namespace

TEST_CASE("scaled_dot_product_attention: gradients of Q, K and V, with every kind of mask") {
    attention::AttentionOptions causal{.is_causal = true};
    attention::AttentionOptions masked;
    masked.mask = xt::xarray<bool>{{true, false, true, true, false, true, true}};
    for (const auto& options : {attention::AttentionOptions{}, causal, masked}) {
        CHECK(gradient_error(inputs, [&](DoubleTape&, const std::vector<DoubleValue>& x) {
                  return scaled_dot_product_attention(x[0], x[1], x[2], options);
              }) < 1e-7);
    }
}

TEST_CASE("scaled_dot_product_attention: a query that is its own key gathers all its gradients") {
    CHECK(
        gradient_error({inputs[1], inputs[2]}, [](DoubleTape&, const std::vector<DoubleValue>& x) {
            return scaled_dot_product_attention(x[0], x[0], x[1]);
        }) < 1e-7);
}

TEST_CASE("scaled_dot_product_attention: values of rank 3, of one tape") {
    DoubleTape tape, other;
    const DoubleValue Q = tape.variable(inputs[0]), K = tape.variable(inputs[1]);
    CHECK_REFUSED(scaled_dot_product_attention(Q, K, tape.variable(normal({7, 4}, 3))),
                  "scaled_dot_product_attention: V must have rank 3, got 2; V is (7, 4)");
    CHECK_REFUSED(scaled_dot_product_attention(Q, K, other.variable(inputs[2])),
                  "scaled_dot_product_attention: the operands must be values of one tape, "
                  "got two tapes");
}

TEST_CASE("causal_attention: gradients of Q, K and V, in one head and in several") {
    constexpr std::size_t n_texts = 2, n = 5;
    for (const std::size_t n_heads : {1U, 3U}) {
        const Shape shape{n_texts * n, 4 * n_heads};
        CHECK(gradient_error({normal(shape, 1), normal(shape, 2), normal(shape, 3)},
                             [&](DoubleTape&, const std::vector<DoubleValue>& x) {
                                 return causal_attention(x[0], x[1], x[2], n_texts, n_heads);
                             }) < 1e-7);
        CHECK(
            gradient_error({normal(shape, 1)}, [&](DoubleTape&, const std::vector<DoubleValue>& x) {
                return causal_attention(x[0], x[0], x[0], n_texts, n_heads);
            }) < 1e-7);
    }
}

TEST_CASE("causal_attention: separate texts and heads give the same result") {
    constexpr std::size_t n_texts = 3, n = 5, n_heads = 2, d = 4;
    DoubleTape tape;
    const DoubleValue Q = tape.constant(normal({n_texts * n, n_heads * d}, 1));
    const DoubleValue K = tape.constant(normal({n_texts * n, n_heads * d}, 2));
    const DoubleValue V = tape.constant(normal({n_texts * n, n_heads * d}, 3));
    const Array<double> all = causal_attention(Q, K, V, n_texts, n_heads).data();
    for (std::size_t text = 0; text < n_texts; ++text) {
        for (std::size_t head = 0; head < n_heads; ++head) {
            const auto part = [&](const DoubleValue& X) {
                const DoubleValue rows = slice(X, 0, text * n, (text + 1) * n);
                return reshape(slice(rows, 1, head * d, (head + 1) * d), {1, n, d});
            };
            const Array<double> alone =
                scaled_dot_product_attention(part(Q), part(K), part(V), {.is_causal = true}).data();
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t c = 0; c < d; ++c) {
                    CHECK(all(text * n + i, head * d + c) == alone(0, i, c));
                }
            }
        }
    }
}

TEST_CASE("causal_attention: shapes that do not fit are an invalid_argument") {
    DoubleTape tape;
    const DoubleValue X = tape.constant(normal({6, 4}, 1)), Y = tape.constant(normal({6, 8}, 1));
    CHECK_REFUSED(
        causal_attention(X, Y, X, 2, 2),
        "causal_attention: Q, K and V must have one shape, got (6, 4), (6, 8) and (6, 4)");
    CHECK_REFUSED(
        causal_attention(X, X, X, 4, 2),
        "causal_attention: the rows must be a multiple of n_texts, got 6 and 4; Q is (6, 4)");
    CHECK_REFUSED(causal_attention(X, X, X, 2, 3),
                  "causal_attention: d must be a multiple of n_heads, got 4 and 3; Q is (6, 4)");
}
