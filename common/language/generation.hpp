#pragma once

// A trained model that reads and writes, character by character. How it reads one more character
// and draws the next are functions that are passed in.

#include "attention/tensor.hpp"
#include "language/text.hpp"

namespace language {

using attention::Vector;

/// Reads a text from its beginning, one character a call, the positions in order: logits (V) of the
/// character after this one.
using NextLogits = std::function<Vector(std::size_t id, std::size_t position)>;
/// Begins a text. The model must outlive what it returns.
using BeginText = std::function<NextLogits(const Model<float>& model)>;

/// Reads a text of any length. The model's positions are learned for `context` characters: where a
/// text goes beyond, its later half is read anew.
class Reader {
public:
    /// The model must outlive the reader.
    Reader(const Model<float>& model, BeginText begin);

    /// Logits of the character after this one.   returns (V)
    Vector read(std::size_t id);

    /// Characters that were read since the last beginning, at most the context.
    std::size_t n_read() const { return read_.size(); }

private:
    const Model<float>& model_;
    BeginText begin_;
    NextLogits next_;
    Ids read_;
};

/// How the next character is drawn from its logits; the seed is another one for each.
using Draw = std::function<std::size_t(const Vector& logits, std::uint64_t seed)>;

/// Reads the prompt, which must not be empty, and writes n characters after it.
///   written: called with each character as it comes, may be empty
/// The seed decides what is drawn.
Ids write(const Model<float>& model, const BeginText& begin, const Draw& draw, const Ids& prompt,
          std::size_t n, std::uint64_t seed,
          const std::function<void(std::size_t id)>& written = {});

/// ln p of each character after the first, given those before it in its piece of `context`: the
/// model's probability for the actual text.
///   ids (n), n ≥ 2   returns (n − 1)
Vector log_probabilities(const Model<float>& model, const Ids& ids);

/// The weights of every head while a text is read.
///   ids (n), at most the context   returns for each block (n_heads, n, n)
std::vector<attention::Tensor3> attention_weights(const Model<float>& model, const Ids& ids);

} // namespace language
