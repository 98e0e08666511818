// 10.5 streaming_backward

#include "exports.hpp"
#include "support/no_matrix.hpp"
#include "support/oracle_gradients.hpp"
#include "support/proof.hpp"

namespace of_streaming_backward {

using namespace proof;
using lesson::AttentionGradients;
using lesson::Streamed;

using OptionalMask = std::optional<Mask>;

Streamed forward_of(const Matrix& Q, const Matrix& K, const Matrix& V, const OptionalMask& mask) {
    const auto [output, weights, logsumexp] = oracle::attention(Q, K, V, mask);
    return {output, logsumexp};
}

AttentionGradients right(const Matrix& Q, const Matrix& K, const Matrix& V, const Streamed&,
                         const Matrix& d_output, const OptionalMask& mask) {
    const Mask all = xt::ones<bool>({Q.shape(0), K.shape(0)});
    const auto [d_Q, d_K, d_V] = oracle::attention_backward(
        Q, K, V, mask.value_or(all), oracle::attention(Q, K, V, mask).weights, d_output);
    return {d_Q, d_K, d_V};
}

/// The forward is that of Q, K, V and the mask.
void fit(judge::List& arguments) {
    const Streamed forward =
        forward_of(from_value<Matrix>(arguments[0]), from_value<Matrix>(arguments[1]),
                   from_value<Matrix>(arguments[2]), from_value<OptionalMask>(arguments[6]));
    arguments[3] = to_value(forward.output);
    arguments[4] = to_value(forward.logsumexp);
}

/// The rounding error of d_output · Vᵀ, times a query or a key, where no gradient gets through.
double rounding(const judge::List& arguments) {
    const auto largest = [&](std::size_t i) {
        return xt::amax(xt::abs(from_value<Matrix>(arguments[i])))();
    };
    return 1e-13 * largest(4) * std::max(1e-300, largest(2) * std::max(largest(0), largest(1)));
}

const auto streaming_backward = Domain(graded::streaming_backward, right,
                                       {{"Q", Kind::array, "n_queries x d_k"},
                                        {"K", Kind::array, "n_keys x d_k"},
                                        {"V", Kind::array, "n_keys x d_v"},
                                        {"forward.output", Kind::array, "n_queries x d_v"},
                                        {"forward.logsumexp", Kind::array, "n_queries"},
                                        {"d_output", Kind::array, "n_queries x d_v"},
                                        {"mask", Kind::mask, "n_queries x n_keys", true}},
                                       sums_in_double)
                                    .small_sizes({{"n_keys", 5}, {"d_k", 2}})
                                    .made_to_fit(fit)
                                    .cancels(rounding)
                                    .scaled({{"Q", "K"}, {"V", ""}, {"d_output", ""}});

/// A call with a matching forward.
judge::List call_of(const Matrix& Q, const Matrix& K, const Matrix& V, const Matrix& d_output,
                    const OptionalMask& mask = {}) {
    return {to_value(Q), to_value(K), to_value(V), {}, {}, to_value(d_output), to_value(mask)};
}

TEST_CASE("10.5 streaming_backward: one query and two keys of equal score, by hand") {
    // Weights 1/2, output 3, d_weights 2 and 4, d_scores −1/2 and 1/2, d_k = 4.
    expect_close(graded::streaming_backward({{1, 0, 0, 0}}, {{0, 1, 0, 0}, {0, 0, 2, 0}},
                                            {{2}, {4}}, {{{3}}, {std::log(2.0)}}, {{1}}, {}),
                 AttentionGradients{
                     {{0, -0.25, 0.5, 0}}, {{-0.25, 0, 0, 0}, {0.25, 0, 0, 0}}, {{0.5}, {0.5}}},
                 sums_in_double);
}

PROPERTIES("10.5 streaming_backward", streaming_backward)

TEST_CASE("10.5 streaming_backward: an unseen key and a query that sees none get exactly 0") {
    const Matrix Q{{1, 2}, {-1, 0.5}, {0, 3}}, K{{1, 0}, {2, 1}, {-1, 1}, {0.5, 4}},
        V{{1}, {-2}, {3}, {5}}, d_output{{1}, {2}, {-3}};
    const Mask mask{
        {true, false, true, true}, {false, false, false, false}, {true, false, false, true}};
    const AttentionGradients mine =
        graded::streaming_backward(Q, K, V, forward_of(Q, K, V, mask), d_output, mask);
    expect_close(mine, right(Q, K, V, {}, d_output, mask), sums_in_double);
    expect_that(mine.d_K(1, 0) == 0 && mine.d_K(1, 1) == 0 && mine.d_V(1, 0) == 0,
                "a key that no query sees gets exactly 0", "row 1 of d_K or of d_V is not 0");
    expect_that(mine.d_Q(1, 0) == 0 && mine.d_Q(1, 1) == 0,
                "a query that sees no key gets exactly 0", "row 1 of d_Q is not 0");
}

TEST_CASE("10.5 streaming_backward: scores of 1000 and −1000, and a blocked one far above") {
    std::vector<judge::List> calls;
    const Matrix d_output{{1, 0.5}, {-2, 3}}, V{{1, 2}, {-3, 1}, {2, 5}};
    for (const double score : {300.0, 800.0, 1000.0, -300.0, -800.0, -1000.0}) {
        const Matrix K{{score}, {score + 0.5}, {score - 1}};
        calls.push_back(call_of({{1}, {1}}, K, V, d_output));
        calls.push_back(call_of({{1}, {0.5}}, {{0.5}, {2 * score}, {-0.25}}, V, d_output,
                                Mask{{true, false, true}, {true, false, true}}));
        calls.push_back(call_of({{1}, {0.5}}, {{0.5}, {2 * score}, {-0.25}}, V, d_output,
                                Mask{{true, false, true}, {false, false, false}}));
    }
    streaming_backward.calls(calls);
}

TEST_CASE("10.5 streaming_backward: no n x n array is held, without a mask and with one") {
    const auto call = [&](std::size_t n, double seen, const OptionalMask& mask) -> judge::List {
        const Matrix zeros = xt::zeros<double>({n, std::size_t{1}});
        const Streamed forward{zeros, std::log(seen) * xt::ones<double>({n})};
        return {to_value(zeros),   to_value(zeros), to_value(zeros),
                to_value(forward), to_value(zeros), to_value(mask)};
    };
    Mask mask = xt::zeros<bool>({support::many, support::many});
    xt::view(mask, xt::all(), xt::range(3, 200)) = true;
    for (const bool masked : {false, true}) {
        support::expect_no_matrix(
            "10.5 streaming_backward: no n x n array is held", "streaming_backward",
            {"Q", "K", "V", "forward", "d_output", "mask"}, call(2, 2, {}),
            masked ? call(support::many, 197, mask) : call(support::many, support::many, {}),
            masked ? 38 : 3);
    }
}

} // namespace of_streaming_backward
