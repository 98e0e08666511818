#include "bahdanau_comparison.hpp"

#include <cmath>

namespace lesson {

Value additive(const Value& states, const Value& keys, const Value& v) {
    // TODO 07.3: v · tanh(states_b + keys_bj), made of operations
    todo("07.3", states, keys, v);
}

Value scaled_dot_product(const Value& states, const Value& keys) {
    // TODO 07.3: states_b · keys_bj / √d_a, made of operations
    todo("07.3", states, keys);
}

} // namespace lesson
