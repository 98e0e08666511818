// Wrong versions of 07.3: rows of a batch that belong to another sentence, and other divisors.

#include <cmath>
#include <functional>

#include "exports.hpp"

namespace misconceptions_training_slips {

using lesson::Value;
using on_arrays::AdditiveScores;
using on_arrays::Array;
using on_arrays::DotProductScores;

namespace {

using AdditiveScore = std::function<Value(const Value& states, const Value& keys, const Value& v)>;
using DotProductScore = std::function<Value(const Value& states, const Value& keys)>;

auto additive_by(AdditiveScore score) {
    return [=](const Array& states, const Array& keys, const Array& v,
               const Array& d_scores) -> AdditiveScores {
        return on_arrays::additive_by(score, states, keys, v, d_scores);
    };
}

auto dot_product_by(DotProductScore score) {
    return [=](const Array& states, const Array& keys, const Array& d_scores) -> DotProductScores {
        return on_arrays::scaled_dot_product_by(score, states, keys, d_scores);
    };
}

/// (batch, d_a) as (batch · n_keys, d_a), of which row r has the state of sentence_of(r).
template <class SentenceOf>
Value flat_states(const Value& states, std::size_t n_keys, SentenceOf sentence_of) {
    std::vector<std::size_t> rows(states.shape(0) * n_keys);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r] = sentence_of(r) % states.shape(0);
    }
    return autograd::embedding(states, rows);
}

Value flat_keys(const Value& keys) {
    return autograd::reshape(keys, {keys.shape(0) * keys.shape(1), keys.shape(2)});
}

Value additive_of_rows(const Value& flat, const Value& keys, const Value& v) {
    const Value hidden = autograd::tanh(autograd::add(flat, flat_keys(keys)));
    return autograd::reshape(autograd::product(hidden, v), {keys.shape(0), keys.shape(1)});
}

float root_d_a(const Value& keys) {
    return std::sqrt(static_cast<float>(keys.shape(2)));
}

Value dot_products_of_rows(const Value& flat, const Value& keys) {
    const Value ones =
        keys.tape().constant(Array(autograd::Shape{keys.shape(2)}, 1 / root_d_a(keys)));
    return autograd::reshape(autograd::product(autograd::multiply(flat, flat_keys(keys)), ones),
                             {keys.shape(0), keys.shape(1)});
}

constexpr const char* says_by_the_batch =
    "all keys stand one below the other, and row r of them is taken for that of sentence r % "
    "batch. The n_keys keys of a sentence follow each other: row r belongs to sentence r / n_keys.";

MISCONCEPTION_IN(on_arrays, additive, state_by_the_remainder, says_by_the_batch,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     const auto same = [](std::size_t r) { return r; };
                     return additive_of_rows(flat_states(states, keys.shape(1), same), keys, v);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_state_by_the_remainder, says_by_the_batch,
                 dot_product_by([](const Value& states, const Value& keys) {
                     const auto same = [](std::size_t r) { return r; };
                     return dot_products_of_rows(flat_states(states, keys.shape(1), same), keys);
                 }));

constexpr const char* says_divided_by_batch =
    "all keys stand one below the other, and row r of them is taken for that of sentence r / "
    "batch. The n_keys keys of a sentence follow each other: row r belongs to sentence r / n_keys.";

MISCONCEPTION_IN(on_arrays, additive, state_by_the_batch, says_divided_by_batch,
                 additive_by([](const Value& states, const Value& keys, const Value& v) {
                     const auto by_batch = [&](std::size_t r) { return r / states.shape(0); };
                     return additive_of_rows(flat_states(states, keys.shape(1), by_batch), keys, v);
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, dot_state_by_the_batch, says_divided_by_batch,
                 dot_product_by([](const Value& states, const Value& keys) {
                     const auto by_batch = [&](std::size_t r) { return r / states.shape(0); };
                     return dot_products_of_rows(flat_states(states, keys.shape(1), by_batch),
                                                 keys);
                 }));

// ---- other divisors

Value dot_products(const Value& states, const Value& keys) {
    const std::size_t batch = keys.shape(0), n_keys = keys.shape(1), d_a = keys.shape(2);
    return autograd::reshape(
        autograd::batched_product(keys, autograd::reshape(states, {batch, d_a, 1})),
        {batch, n_keys});
}

/// 1 / |s_b|, as a (batch, 1).
Value inverse_lengths(const Value& states) {
    const Value ones = states.tape().constant(Array(autograd::Shape{states.shape(1)}, 1.0F));
    const Value squares = autograd::product(autograd::multiply(states, states), ones);
    return autograd::inverse_square_root(autograd::reshape(squares, {states.shape(0), 1}), 1e-12F);
}

constexpr const char* says_length =
    "scores are divided by how long the state of the sentence is, and not by √d_a. A state that is "
    "sure of what it looks for is long, and is to have scores that differ more; √d_a is the same "
    "for all.";

MISCONCEPTION_IN(on_arrays, scaled_dot_product, divided_by_the_length_of_the_state, says_length,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return autograd::multiply(dot_products(states, keys), inverse_lengths(states));
                 }));

MISCONCEPTION_IN(on_arrays, scaled_dot_product, divided_by_the_length_as_a_constant, says_length,
                 dot_product_by([](const Value& states, const Value& keys) {
                     return autograd::multiply(
                         dot_products(states, keys),
                         states.tape().constant(inverse_lengths(states).data()));
                 }));

MISCONCEPTION_IN(
    on_arrays, scaled_dot_product, mean_of_the_products,
    "the products are averaged over d_a, where a dot product sums them: row_mean divides by d_a. "
    "product(x, ones), or a product of matrices, sums.",
    dot_product_by([](const Value& states, const Value& keys) {
        const auto d_a = static_cast<float>(keys.shape(2));
        return autograd::scale(lesson::scaled_dot_product(states, keys), 1 / d_a);
    }));

} // namespace

} // namespace misconceptions_training_slips
