// 08.3 attention_backward

#include "exports.hpp"
#include "support/oracle_gradients.hpp"
#include "support/proof.hpp"

namespace of_attention_backward {

using namespace proof;
using lesson::AttentionGradients;

const auto gradients = [](const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
                          const Matrix& weights, const Matrix& d_output) {
    const auto [d_Q, d_K, d_V] = oracle::attention_backward(Q, K, V, mask, weights, d_output);
    return AttentionGradients{d_Q, d_K, d_V};
};

Matrix forward(const Matrix& Q, const Matrix& K, const Mask& mask) {
    return oracle::masked_softmax(oracle::scaled_scores(Q, K), mask);
}

/// Infinities and NaN are at padding, and the weights are those of Q, K and the mask.
void fit(judge::List& arguments) {
    const Matrix V = from_value<Matrix>(arguments[2]);
    Mask mask = from_value<Mask>(arguments[3]);
    for (std::size_t j = 0; j < V.shape(0); ++j) {
        if (!xt::all(xt::abs(xt::row(V, static_cast<std::ptrdiff_t>(j))) < 1e200)) {
            xt::view(mask, xt::all(), j) = false;
        }
    }
    arguments[3] = to_value(mask);
    arguments[4] =
        to_value(forward(from_value<Matrix>(arguments[0]), from_value<Matrix>(arguments[1]), mask));
}

/// The rounding error of d_output · Vᵀ, times a query or a key, where no gradient gets through.
double rounding(const judge::List& arguments) {
    const auto largest = [&](std::size_t i) {
        const Matrix X = from_value<Matrix>(arguments[i]);
        return xt::amax(xt::where(xt::abs(X) < 1e200, xt::abs(X), 0.0))();
    };
    return 1e-13 * largest(5) * largest(2) * std::max(largest(0), largest(1));
}

const auto attention_backward = Domain(graded::attention_backward, gradients,
                                       {{"Q", Kind::array, "n_queries x d_k"},
                                        {"K", Kind::array, "n_keys x d_k"},
                                        {"V", Kind::array, "n_keys x d_v"},
                                        {"mask", Kind::mask, "n_queries x n_keys"},
                                        {"weights", Kind::weights, "n_queries x n_keys"},
                                        {"d_output", Kind::array, "n_queries x d_v"}},
                                       normwise)
                                    .made_to_fit(fit)
                                    .cancels(rounding)
                                    .scaled({{"V", ""}, {"d_output", ""}, {"Q", "K"}});

void call(const Matrix& Q, const Matrix& K, const Matrix& V, const Mask& mask,
          const Matrix& d_output) {
    attention_backward.call({to_value(Q), to_value(K), to_value(V), to_value(mask),
                             to_value(forward(Q, K, mask)), to_value(d_output)});
}

TEST_CASE("08.3 attention_backward: one query, two keys of four components, by hand") {
    // Equal weights; d_weights (2, 6), their mean 4, d_scores (-1, 1), and √4 = 2.
    expect_close(graded::attention_backward({{1, 1, 1, 1}}, {{1, 2, 0, 1}, {0, 2, 1, 1}},
                                            {{2}, {6}}, {{true, true}}, {{0.5, 0.5}}, {{1}}),
                 AttentionGradients{{{-0.5, 0, 0.5, 0}},
                                    {{-0.5, -0.5, -0.5, -0.5}, {0.5, 0.5, 0.5, 0.5}},
                                    {{0.5}, {0.5}}},
                 normwise);
}

TEST_CASE("08.3 attention_backward: agrees with PyTorch") {
    expect_close(graded::attention_backward(
                     golden("gradients/Q"), golden("gradients/K"), golden("gradients/V"),
                     Mask(support::golden_bools("gradients/mask")),
                     golden("gradients/attention_weights"), golden("gradients/d_output")),
                 AttentionGradients{golden("gradients/d_Q"), golden("gradients/d_K"),
                                    golden("gradients/d_V")},
                 normwise);
}

PROPERTIES("08.3 attention_backward", attention_backward)

TEST_CASE("08.3 attention_backward: an unseen key and a query that sees nothing get exactly 0") {
    const Matrix Q{{1, 2}, {-1, 0.5}, {0, 3}}, K{{1, 0}, {2, 1}, {-1, 1}, {0.5, 4}},
        V{{1}, {-2}, {3}, {5}}, d_output{{1}, {2}, {-3}};
    const Mask mask{
        {true, false, true, true}, {false, false, false, false}, {true, false, false, true}};
    const AttentionGradients mine =
        graded::attention_backward(Q, K, V, mask, forward(Q, K, mask), d_output);
    expect_close(mine, gradients(Q, K, V, mask, forward(Q, K, mask), d_output), normwise);
    const auto expect_zero = [](const std::string& what, double x) {
        expect_that(x == 0, what + " is exactly 0", "it is " + number_text(x));
    };
    for (std::size_t c = 0; c < 2; ++c) {
        expect_zero("row 1 of d_K, of a key that no query sees,", mine.d_K(1, c));
        expect_zero("row 1 of d_Q, of a query that sees no key,", mine.d_Q(1, c));
    }
    expect_zero("row 1 of d_V, of a key that no query sees,", mine.d_V(1, 0));
}

TEST_CASE("08.3 attention_backward: V at padding may be huge") {
    // By hand: the blocked d_weight is 10 · 1e308, which is ∞.
    expect_close(graded::attention_backward({{1}}, {{1}, {2}}, {{3}, {1e308}}, {{true, false}},
                                            {{1, 0}}, {{10}}),
                 AttentionGradients{{{0}}, {{0}, {0}}, {{10}, {0}}}, normwise);
}

void expect_padding_unread(double junk) {
    const judge::List usual = attention_backward.draw({{"n_queries", 3}, {"n_keys", 5}}, 61);
    const auto matrix = [&](std::size_t i) { return from_value<Matrix>(usual[i]); };
    for (const std::size_t width : {matrix(2).shape(1), std::size_t{1}}) {
        for (const std::size_t j : {4U, 0U, 2U}) {
            Matrix V = matrix(2);
            xt::view(V, j, xt::range(std::size_t{0}, width)) = junk;
            Mask mask = xt::ones<bool>({3, 5});
            xt::view(mask, xt::all(), j) = false;
            call(matrix(0), matrix(1), V, mask, matrix(5));
        }
    }
}

TEST_CASE("08.3 attention_backward: V at padding may be infinite") {
    expect_padding_unread(std::numeric_limits<double>::infinity());
    expect_padding_unread(-std::numeric_limits<double>::infinity());
}

TEST_CASE("08.3 attention_backward: V at padding may be NaN") {
    expect_padding_unread(std::nan(""));
}

TEST_CASE(
    "08.3 attention_backward: weights of 1e-3, 1e-6, … 1e-100, with values that make up for them") {
    for (const int k : {3, 6, 8, 12, 16, 100}) {
        const double value = std::pow(10.0, k);
        const Matrix K{{0}, {-k * std::log(10.0)}, {0.5}}, V{{1, -2}, {3 * value, value}, {2, 5}};
        const Mask all = xt::ones<bool>({1, 3});
        const Matrix weights = forward({{1}}, K, all);
        expect_close(graded::attention_backward({{1}}, K, V, all, weights, {{1, 0.25}}),
                     gradients({{1}}, K, V, all, weights, {{1, 0.25}}), {0, 0, 1e-10});
    }
}

} // namespace of_attention_backward
