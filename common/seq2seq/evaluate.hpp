#pragma once

// What a model makes of examples, the batches shared out over threads.

#include "seq2seq/model.hpp"
#include "training/workers.hpp"

namespace seq2seq {

using training::Workers;

/// The mean loss of all examples, nats a target word, without dropout.
double mean_loss(const Model<float>& model, Workers& workers, const std::vector<Example>& examples,
                 std::size_t batch_size = 64);

/// Greedy translations of all sources, in their order, of at most 2 · source words + 10 words.
///   zeroed: empty, or for each example a weight that is set to 0, as Model::translate does it
std::vector<Translation> translate(const Model<float>& model, Workers& workers,
                                   const std::vector<Example>& examples,
                                   std::size_t batch_size = 64,
                                   const std::vector<WeightAt>& zeroed = {});

/// The attention weights while each target itself is read and predicted: (target + end, source +
/// end) for each example, in their order.
std::vector<attention::Matrix> attention_weights(const Model<float>& model, Workers& workers,
                                                 const std::vector<Example>& examples,
                                                 std::size_t batch_size = 64);

} // namespace seq2seq
