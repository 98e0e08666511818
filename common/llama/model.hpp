#pragma once

#include "llama/checkpoint.hpp"

namespace llama {

/// A model that reads one token at a time, with vector registers. T is float or double.
template <class T>
class Model {
public:
    /// n_positions: tokens that it will read at most, and no more than the context.
    Model(const Checkpoint& model, std::size_t n_positions);

    /// Logits of the token after this one.   returns (n_tokens), until the next call
    /// Throws std::invalid_argument if there is no such token, or n_positions have been read.
    const std::vector<T>& next_logits(std::size_t token);

    /// The weights of every head for the token read last.   returns (n_heads, n_read)
    Matrix weights(std::size_t layer) const;
    /// What a layer keeps of the tokens read.   returns (n_read, n_kv_heads · d), keys rotated
    Matrix keys(std::size_t layer) const { return kept(keys_.at(layer)); }
    Matrix values(std::size_t layer) const { return kept(values_.at(layer)); }

private:
    using Numbers = std::vector<T>;

    const Numbers& array(std::size_t kind, std::size_t layer) const {
        return arrays_[1 + kind * sizes_.n_layers + layer];
    }
    Matrix kept(const Numbers& rows) const;
    void attend(std::size_t layer, const Numbers& query, Numbers& read);

    Sizes sizes_;
    std::size_t n_positions_, n_read_ = 0;
    std::vector<Numbers> arrays_; // in the order of the file, and the output's at the end
    // Of each layer (n_kv_heads · d, n_positions): a component of all tokens is a row.
    std::vector<Numbers> keys_, values_;
    std::vector<Numbers> weights_; // of each layer (n_heads, n_positions)
    Numbers logits_;
};

} // namespace llama
