// Versions of 10.5 that are right, and hold an array of all pairs.

#include "wrong.hpp"

using namespace wrong;

namespace {

/// As many arrays of n_queries × n_keys for as long as the call takes.
template <class T>
auto holding(std::size_t arrays) {
    return [=](In Q, In K, In V, const Streamed& forward, In d_output,
               const OptionalMask& mask) -> AttentionGradients {
        std::vector<xt::xtensor<T, 2>> held;
        for (std::size_t k = 0; k < arrays; ++k) {
            held.push_back(xt::ones<T>({Q.shape(0), K.shape(0)}));
        }
        return lesson::streaming_backward(Q, K, V, forward, d_output, mask);
    };
}

HUNGRY_BACKWARD(holds_the_weights,
                "the gradients are right, but an array of n_queries x n_keys doubles was held: the "
                "weights. A weight can be used and forgotten.",
                holding<double>(1));
HUNGRY_BACKWARD(
    holds_weights_and_gradients,
    "the gradients are right, but two arrays of n_queries x n_keys doubles were held: "
    "the weights and their gradients, say. Both can be used pair by pair and forgotten.",
    holding<double>(2));
HUNGRY_BACKWARD(holds_three_matrices,
                "the gradients are right, but three arrays of n_queries x n_keys doubles were "
                "held: weights, their gradients and those of the scores. They can be used pair by "
                "pair and forgotten.",
                holding<double>(3));
HUNGRY_BACKWARD(holds_four_bytes_a_pair,
                "the gradients are right, but 4 bytes for each pair of a query and a key were "
                "held: all weights in floats, say, or half of them in doubles. A weight can be "
                "used and forgotten.",
                holding<float>(1));
HUNGRY_BACKWARD(mask_of_ones,
                "the gradients are right, but an array of n_queries x n_keys bools was held: a "
                "mask that blocks nothing, or a copy of the one that was given. Ask the mask where "
                "it is needed: !mask || (*mask)(i, j).",
                holding<bool>(1));

} // namespace
