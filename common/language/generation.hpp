#pragma once

// A trained model that reads and writes, character by character. What it keeps of the characters
// that it has read, and how it draws the next one, are functions that are passed in.

#include "attention/tensor.hpp"
#include "language/text.hpp"

namespace language {

using attention::Vector;

/// What one head of attention keeps of what it has read.
struct HeadCache {
    /// One character's key and value.   k (d / n_heads)   v (d / n_heads)
    std::function<void(const Vector& k, const Vector& v)> append;
    /// softmax(q · k_j / √(d / n_heads)) over all that is kept, times the values.
    std::function<Vector(const Vector& q)> attend;
};
using MakeHeadCache = std::function<HeadCache()>;

/// Reads one character at a time. Nothing of an earlier one is computed again, but its positions
/// are learned for `context` characters: where a text goes beyond, its later half is read anew.
class Reader {
public:
    /// The model must outlive the reader. make_cache is called for every head of every block.
    Reader(const Model<float>& model, MakeHeadCache make_cache);

    /// Logits of the character after this one.   returns (V)
    Vector read(std::size_t id);

    /// Characters that the caches hold, at most the context.
    std::size_t n_read() const { return read_.size(); }

private:
    Vector read_next(std::size_t id);
    void start();

    const Model<float>& model_;
    MakeHeadCache make_cache_;
    std::vector<std::vector<HeadCache>> caches_; // of each block, of each head
    Ids read_;                                   // what the caches hold
};

/// How the next character is drawn from its logits; the seed is another one for each.
using Draw = std::function<std::size_t(const Vector& logits, std::uint64_t seed)>;

/// Reads the prompt, which must not be empty, and writes n characters after it.
///   written: called with each character as it comes, may be empty
/// The seed decides what is drawn.
Ids write(const Model<float>& model, const MakeHeadCache& make_cache, const Draw& draw,
          const Ids& prompt, std::size_t n, std::uint64_t seed,
          const std::function<void(std::size_t id)>& written = {});

/// ln p of each character after the first, from those before it in its piece of `context`: what the
/// model gave what really came.
///   ids (n), n ≥ 2   returns (n − 1)
Vector log_probabilities(const Model<float>& model, const Ids& ids);

/// The weights of every head while a text is read.
///   ids (n), at most the context   returns for each block (n_heads, n, n)
std::vector<attention::Tensor3> attention_weights(const Model<float>& model, const Ids& ids);

} // namespace language
