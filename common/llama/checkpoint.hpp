#pragma once

// The weights of a model of the Llama family, and the file of llama2.c that holds them
// (https://github.com/karpathy/llama2.c).
//
//   dim     components of a token           n_heads     heads of queries, of d = dim / n_heads
//   hidden  components inside the mlp       n_kv_heads  heads of keys and of values, of d each

#include "attention/tensor.hpp"

#include <string>
#include <vector>

namespace llama {

using attention::Matrix;
using attention::Vector;

struct Sizes {
    std::size_t dim = 0, hidden = 0, n_layers = 0, n_heads = 0, n_kv_heads = 0;
    std::size_t n_tokens = 0; // of the vocabulary
    std::size_t context = 0;  // tokens that a text may have
};

/// One layer. A matrix has a row for each of its outputs: y = W x.
struct Layer {
    Vector attention_gain;       // (dim) of the norm before attention
    Matrix W_q;                  // (n_heads · d, dim)
    Matrix W_k, W_v;             // (n_kv_heads · d, dim)
    Matrix W_o;                  // (dim, n_heads · d)
    Vector mlp_gain;             // (dim) of the norm before the mlp
    Matrix W_gate, W_down, W_up; // (hidden, dim), (dim, hidden), (hidden, dim)
};

struct Checkpoint {
    Sizes sizes;
    Matrix tokens; // (n_tokens, dim): a row for each token
    std::vector<Layer> layers;
    Vector last_gain; // (dim) of the norm at the end
    Matrix output;    // (n_tokens, dim): makes the logits; a copy of `tokens` in most models
};

/// Calls visit for each array but `output`, in the order of the file: of the layers first all
/// attention gains, then all W_q, and so on.
template <class SomeCheckpoint, class Visit>
void each_array(SomeCheckpoint& model, const Visit& visit) {
    const auto of_all_layers = [&](auto member) {
        for (auto& layer : model.layers) {
            visit(layer.*member);
        }
    };
    const auto in_turn = [&](auto... members) { (of_all_layers(members), ...); };
    visit(model.tokens);
    in_turn(&Layer::attention_gain, &Layer::W_q, &Layer::W_k, &Layer::W_v, &Layer::W_o,
            &Layer::mlp_gain, &Layer::W_gate, &Layer::W_down, &Layer::W_up);
    visit(model.last_gain);
}

/// Of these sizes, all numbers 0.
Checkpoint zeros(const Sizes& sizes);

/// The bytes of the project's own model, "stories.bin", or of its vocabulary, "pieces.bin".
std::string own_file(const std::string& name);

} // namespace llama
