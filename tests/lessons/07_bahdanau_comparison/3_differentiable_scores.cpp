// 07.3 additive, scaled_dot_product: scores and gradients, in float

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_differentiable_scores {

using namespace proof;
using on_arrays::AdditiveScores;
using on_arrays::Array;
using on_arrays::DotProductScores;

constexpr Tolerance in_float{1e-4, 1e-5, 1e-5};

/// Scores and the gradients of Σ scores ∘ d_scores, each by its own formula.
AdditiveScores right_additive(const Array& states, const Array& keys, const Array& v,
                              const Array& d_scores) {
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d_a = keys.shape(2);
    xt::xarray<double> scores = xt::zeros<double>({batch, n_keys});
    xt::xarray<double> d_states = xt::zeros<double>({batch, d_a});
    xt::xarray<double> d_keys = xt::zeros<double>({batch, n_keys, d_a});
    xt::xarray<double> d_v = xt::zeros<double>({d_a});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            const double d_score = d_scores(b, j);
            for (std::size_t a = 0; a < d_a; ++a) {
                const double t = std::tanh(double(states(b, a)) + double(keys(b, j, a)));
                const double d_sum = d_score * v(a) * (1 - t * t);
                scores(b, j) += v(a) * t;
                d_v(a) += d_score * t;
                d_states(b, a) += d_sum;
                d_keys(b, j, a) = d_sum;
            }
        }
    }
    return {scores, d_states, d_keys, d_v};
}

DotProductScores right_dot_product(const Array& states, const Array& keys, const Array& d_scores) {
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d_a = keys.shape(2);
    const double root = std::sqrt(double(d_a));
    xt::xarray<double> scores = xt::zeros<double>({batch, n_keys});
    xt::xarray<double> d_states = xt::zeros<double>({batch, d_a});
    xt::xarray<double> d_keys = xt::zeros<double>({batch, n_keys, d_a});
    for (std::size_t b = 0; b < batch; ++b) {
        for (std::size_t j = 0; j < n_keys; ++j) {
            for (std::size_t a = 0; a < d_a; ++a) {
                scores(b, j) += double(states(b, a)) * keys(b, j, a) / root;
                d_states(b, a) += double(d_scores(b, j)) * keys(b, j, a) / root;
                d_keys(b, j, a) = double(d_scores(b, j)) * states(b, a) / root;
            }
        }
    }
    return {scores, d_states, d_keys};
}

// A learner's float sums may be added in another order than a mistake's.
const judge::About about_additive("additive", {.alike = judge::within(in_float)});
const judge::About about_product("scaled_dot_product", {.alike = judge::within(in_float)});

const domain::Argument states{"states", Kind::array, "batch x d_a"};
const domain::Argument keys{"keys", Kind::array, "batch x n_keys x d_a"};
const domain::Argument v{"v", Kind::array, "d_a"};
const domain::Argument d_scores{"d_scores", Kind::array, "batch x n_keys"};

const auto additive =
    Domain(graded::additive, right_additive, {states, keys, v, d_scores}, in_float)
        .made_to_fit(domain::in_float)
        .refuses_nothing();

const auto scaled_dot_product =
    Domain(graded::scaled_dot_product, right_dot_product, {states, keys, d_scores}, in_float)
        .made_to_fit(domain::in_float)
        .refuses_nothing();

const float ln_2 = std::log(2.0F), ln_3 = std::log(3.0F);

TEST_CASE("07.3 additive: one sentence, two keys, two components, with its gradients by hand") {
    // tanh(½ ln 3) = 1/2, tanh(ln 3) = 4/5, tanh(ln 2) = 3/5, and tanh' = 1 − tanh².
    expect_close(
        graded::additive({{ln_3 / 2, 0}}, {{{ln_3 / 2, ln_2}, {0, ln_3}}}, {10, -10}, {{1, 2}}),
        AdditiveScores{{{2, -3}}, {{18.6F, -13.6F}}, {{{3.6F, -6.4F}, {15, -7.2F}}}, {1.8F, 2.2F}},
        in_float);
}

PROPERTIES("07.3 additive", additive)

TEST_CASE("07.3 scaled_dot_product: one sentence, two keys, √4 = 2, with its gradients by hand") {
    expect_close(
        graded::scaled_dot_product({{1, 2, 3, 4}}, {{{1, 0, 0, 0}, {1, 1, 1, -1}}}, {{2, 6}}),
        DotProductScores{{{0.5F, 1}}, {{4, 3, 3, -3}}, {{{1, 2, 3, 4}, {3, 6, 9, 12}}}}, in_float);
}

PROPERTIES("07.3 scaled_dot_product", scaled_dot_product)

} // namespace of_differentiable_scores
