#include "bahdanau_comparison.hpp"

#include <cmath>

namespace lesson {

Value additive(const Value& states, const Value& keys, const Value& v) {
    // solution 07.3 (states, keys, v): v · tanh(states_b + keys_bj), made of operations
    const std::size_t batch = states.shape(0), d_a = states.shape(1);
    const Value queries = autograd::reshape(states, {batch, 1, d_a});  // one row for all keys
    const Value hidden = autograd::tanh(autograd::add(queries, keys)); // (batch, n_keys, d_a)
    return autograd::product(hidden, v);                               // (batch, n_keys)
    // end
}

Value scaled_dot_product(const Value& states, const Value& keys) {
    // solution 07.3 (states, keys): states_b · keys_bj / √d_a, made of operations
    const std::size_t batch = states.shape(0), d_a = states.shape(1);
    const Value queries = autograd::reshape(states, {batch, d_a, 1}); // a column each
    const Value products = autograd::batched_product(keys, queries);  // (batch, n_keys, 1)
    const Value scores = autograd::reshape(products, {batch, keys.shape(1)});
    return autograd::scale(scores, 1 / std::sqrt(static_cast<float>(d_a)));
    // end
}

} // namespace lesson
