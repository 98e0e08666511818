#pragma once

#include "llama/checkpoint.hpp"

namespace llama {

/// A model that reads one token at a time, with vector registers. T is float or double.
template <class T>
class Model {
public:
    using Numbers = std::vector<T>;

    explicit Model(const Checkpoint& model);

    /// Logits of the token after this one.   returns (n_tokens), until the next call
    /// Throws std::invalid_argument if there is no such token, or the context is full.
    const Numbers& next_logits(std::size_t token);

    /// The weights of every head for the token read last.   returns (n_heads, n_read)
    Matrix weights(std::size_t layer) const { return xt::transpose(kept(weights_.at(layer))); }
    /// What a layer keeps of the tokens read.   returns (n_read, n_kv_heads · d), keys rotated
    Matrix keys(std::size_t layer) const { return kept(keys_.at(layer)); }
    Matrix values(std::size_t layer) const { return kept(values_.at(layer)); }

private:
    const Numbers& array(std::size_t kind, std::size_t layer) const {
        return arrays_[1 + kind * sizes_.n_layers + layer];
    }
    Matrix kept(const Numbers& rows) const;
    void attend(std::size_t layer, const Numbers& query, Numbers& read);

    Sizes sizes_;
    std::size_t n_read_ = 0;
    std::vector<Numbers> arrays_; // in the order of the file, and the output's at the end
    // Of each layer (n_kv_heads · d, context), weights (n_heads, context): a component of all
    // tokens is a row.
    std::vector<Numbers> keys_, values_, weights_;
    Numbers logits_;
};

} // namespace llama
