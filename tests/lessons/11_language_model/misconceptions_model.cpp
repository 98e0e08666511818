// Wrong versions of 11.1 that are right where all inputs are variables that nothing else uses.

#include "wrong_block.hpp"

namespace misconceptions_model {

using namespace wrong;
using on_arrays::Names;

using support::assigned;
using support::says_assigned;

namespace {

/// A wrong layer_norm, asked as a part of a model.
template <class Norm>
auto norm_in_a_model(Norm norm) {
    return [=](const Array& X, const Array& gain, const Array& bias, const Array& d_output,
               const Names& constants, bool elsewhere) {
        return on_arrays::layer_norm_in_a_model_by(norm, X, gain, bias, d_output, constants,
                                                   elsewhere);
    };
}

/// The right block, but for what change does to its result.
template <class Change>
auto block_in_a_model(Change change) {
    return [=](const Array& X, const Block& weights, std::size_t n_texts, std::size_t n_heads,
               const Array& d_output, const Names& constants, bool elsewhere) {
        const auto block = [&](const Value& x, const BlockWeights& w, std::size_t texts,
                               std::size_t heads) { return change(x, w, texts, heads); };
        return on_arrays::transformer_block_in_a_model_by(block, X, weights, n_texts, n_heads,
                                                          d_output, constants, elsewhere);
    };
}

Value right_norm(const Value& X, const Value& gain, const Value& bias) {
    return with(normed(X), gain, bias);
}

Value constant_unless(bool recorded, const Value& result) {
    return recorded ? result : detached(result);
}

constexpr const char* says_X_constant =
    "where X needs no gradient, nothing is recorded at all, and nothing flows back to the weights. "
    "They may need theirs: what needs one is for the operations to ask, input by input.";
constexpr const char* says_unless_all =
    "as soon as one of the inputs needs no gradient, nothing is recorded at all. The others still "
    "need theirs: what needs one is for the operations to ask, input by input.";

MISCONCEPTION_IN(on_arrays, layer_norm_in_a_model, nothing_if_X_is_constant, says_X_constant,
                 norm_in_a_model([](const Value& X, const Value& gain, const Value& bias) {
                     return constant_unless(X.needs_gradient(), right_norm(X, gain, bias));
                 }));
MISCONCEPTION_IN(on_arrays, layer_norm_in_a_model, nothing_unless_all_are_variables,
                 says_unless_all,
                 norm_in_a_model([](const Value& X, const Value& gain, const Value& bias) {
                     return constant_unless(X.needs_gradient() && gain.needs_gradient() &&
                                                bias.needs_gradient(),
                                            right_norm(X, gain, bias));
                 }));
MISCONCEPTION_IN(on_arrays, layer_norm_in_a_model, X_assigned, says_assigned,
                 norm_in_a_model([](const Value& X, const Value& gain, const Value& bias) {
                     return right_norm(assigned(X), gain, bias);
                 }));
MISCONCEPTION_IN(on_arrays, layer_norm_in_a_model, gain_and_bias_assigned, says_assigned,
                 norm_in_a_model([](const Value& X, const Value& gain, const Value& bias) {
                     return right_norm(X, assigned(gain), assigned(bias));
                 }));

MISCONCEPTION_IN(on_arrays, transformer_block_in_a_model, block_nothing_if_X_is_constant,
                 says_X_constant,
                 block_in_a_model([](const Value& X, const BlockWeights& w, std::size_t n_texts,
                                     std::size_t n_heads) {
                     return constant_unless(X.needs_gradient(),
                                            lesson::transformer_block(X, w, n_texts, n_heads));
                 }));
MISCONCEPTION_IN(on_arrays, transformer_block_in_a_model, block_X_assigned, says_assigned,
                 block_in_a_model([](const Value& X, const BlockWeights& w, std::size_t n_texts,
                                     std::size_t n_heads) {
                     return lesson::transformer_block(assigned(X), w, n_texts, n_heads);
                 }));

} // namespace

} // namespace misconceptions_model
