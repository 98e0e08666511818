#pragma once

// The encoder-decoder of Bahdanau et al. 2014, its attention scores a parameter.
//
//   B sentences, T_s source and T_t target steps, E embedding, H hidden, A attention, V target
//   words
//
//   source ─ embedding ─ GRU → ┐
//                      ─ GRU ← ┴ states (B, T_s, 2H) ─ W_keys ─ keys (B, T_s, A)
//                                    │ mean ─ tanh(W_init) ─ s_0 (B, H)
//   at each step t:  scores = score(s_{t−1} W_states, keys)   weights = softmax   c_t = Σ weights
//   states
//                    s_t = GRU(y_{t−1} embedded and c_t; s_{t−1})
//                    word = softmax(W_out tanh(W_s s_t + W_c c_t + W_e y_{t−1}))
//
// So row t of the weights belongs to the word about to be produced.

#include "autograd/operations.hpp"
#include "seq2seq/batches.hpp"

#include <atomic>

namespace seq2seq {

using autograd::Array;
using autograd::BasicTape;
using autograd::BasicValue;
using training::Gradients;
using training::Parameter;
using training::Parameters;

/// How well states and keys fit, and whether v (A) is a parameter of it. The rest of the model is
/// the same for all.
///   score: states (B, A), keys (B, T_s, A), v (A; does not exist unless uses_v) → scores (B, T_s)
template <class T>
struct Scorer {
    std::string name;
    bool uses_v = false;
    std::function<BasicValue<T>(const BasicValue<T>& states, const BasicValue<T>& keys,
                                const BasicValue<T>& v)>
        score;
};
template <class T>
Scorer<T> additive(); // v · tanh(state + key)
template <class T>
Scorer<T> scaled_dot_product(); // state · key / √A
template <class T>
Scorer<T> dot_product(); // state · key

struct ModelSizes {
    std::size_t source_words = 0, target_words = 0;
    std::size_t embedding = 256, hidden = 256, attention = 256;
};

/// Settings of one forward pass. Dropout, 0 in all but training, is on the embeddings and on the
/// input of the output layer.
template <class T>
struct Forward {
    T dropout = T(0);
    T smoothing = T(0);
    std::uint64_t seed = 0;            // of dropout
    Gradients<T>* gradients = nullptr; // where the parameters' gradients go; null: nowhere
    std::atomic<double>* scorer_seconds = nullptr; // gathers the time of scores and their gradients
};

template <class T>
struct ForwardResult {
    BasicValue<T> loss;                 // Σ over target words of −ln p, nats, shape ()
    std::vector<BasicValue<T>> weights; // T_t times (B, T_s), each row of which sums to 1
};

struct Translation {
    Ids words;                 // without the end
    attention::Matrix weights; // (words + 1 for the end, unless cut off; source words + end)
};

/// A single attention weight: that of a source word in the step that writes a target word.
struct WeightAt {
    std::size_t target_word = 0, source_word = 0; // from 0
};

template <class T>
class Model {
public:
    /// Random weights that depend on the seed, the sizes and each parameter's name, not on the
    /// scorer: models that differ in it start alike wherever they share.
    Model(const ModelSizes& sizes, Scorer<T> scorer, std::uint64_t seed);

    const ModelSizes& sizes() const { return sizes_; }
    const Scorer<T>& scorer() const { return scorer_; }
    Parameters<T>& parameters() { return parameters_; }
    const Parameters<T>& parameters() const { return parameters_; }

    /// The loss of the batch's targets, each word predicted from the right ones before it.
    ForwardResult<T> forward(BasicTape<T>& tape, const Batch& batch,
                             const Forward<T>& settings = {}) const;

    /// Greedy translation of the batch's sources: at each step the likeliest word, until the end or
    /// until a sentence has maximum_words.
    ///   zeroed: empty, or for each sentence one weight that is set to 0 before the context vector
    ///   is computed, the others of its row divided by their sum; the encoder states stay. A weight
    ///   that is all of its row is left as it is.
    std::vector<Translation> translate(const Batch& batch, std::size_t maximum_words,
                                       const std::vector<WeightAt>& zeroed = {}) const;

private:
    ModelSizes sizes_;
    Scorer<T> scorer_;
    Parameters<T> parameters_;
};

} // namespace seq2seq
