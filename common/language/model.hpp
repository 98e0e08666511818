#pragma once

// A decoder-only Transformer over characters, in the sizes of nanoGPT's small CPU setting
// (https://github.com/karpathy/nanoGPT).
//
//   V  characters known        n        positions of a text, at most `context`
//   d  components              n_texts  texts at once, the rows of one after those of another

#include "language/parts.hpp"
#include "training/parameters.hpp"

#include <cstdint>
#include <vector>

namespace language {

using autograd::BasicTape;
using autograd::BasicValue;
using Ids = std::vector<std::size_t>; // characters by their numbers

struct ModelSizes {
    std::size_t n_characters = 0;
    std::size_t context = 64, d = 128, n_heads = 4, n_layers = 4;
};

/// The options of a forward pass.
template <class T>
struct Forward {
    training::Gradients<T>* gradients = nullptr; // where they go; none: not computed
    const Parts<T>* parts = nullptr;             // in place of the model's own
};

/// x = characters[id] + positions[0 … n − 1], n_layers blocks, a norm, and as logits of the next
/// character the products with the same table of characters (Press and Wolf 2017).
template <class T>
class Model {
public:
    /// Weights are normal with standard deviation 0.02, those that end a branch of a block
    /// 0.02 / √(2 n_layers) (Radford et al. 2019); gains are 1 and biases 0. All of it depends on
    /// the seed alone. Matrices and tables decay.
    Model(const ModelSizes& sizes, Parts<T> parts, std::uint64_t seed);

    const ModelSizes& sizes() const { return sizes_; }
    const Parts<T>& parts() const { return parts_; }
    training::Parameters<T>& parameters() { return parameters_; }
    const training::Parameters<T>& parameters() const { return parameters_; }

    /// Of the character after each.
    ///   ids (n_texts · n)   returns (n_texts · n, V)
    /// Throws std::invalid_argument if n_texts does not divide the ids, or a text is longer than
    /// the context.
    BasicValue<T> logits(BasicTape<T>& tape, const Ids& ids, std::size_t n_texts,
                         const Forward<T>& settings = {}) const;

    /// Σ −ln p(next), nats, as one number of shape ().
    ///   ids, next (n_texts · n): what is read, and the character after each
    BasicValue<T> loss(BasicTape<T>& tape, const Ids& ids, const Ids& next, std::size_t n_texts,
                       const Forward<T>& settings = {}) const;

private:
    ModelSizes sizes_;
    Parts<T> parts_;
    training::Parameters<T> parameters_;
};

} // namespace language
