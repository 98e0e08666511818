#pragma once

#include "attention/tensor.hpp"
#include "seq2seq/corpus.hpp"

namespace comparison {

using namespace seq2seq; // whose models are compared

/// Where two models attend while they read and predict the same target.
struct AttentionComparison {
    double argmax_agreement = 0; // share of the rows whose largest weight is at the same place
    double js_divergence = 0;    // Jensen–Shannon, nats, mean over the rows: 0 alike, ln 2 apart
};

/// Over all rows of all sentences.   A, B, of the same shapes: for each sentence (n_target,
/// n_source)
AttentionComparison compare_attention(const std::vector<attention::Matrix>& A,
                                      const std::vector<attention::Matrix>& B);

/// Share of the target words with a gold alignment whose largest weight is on one of their source
/// words; NaN if there is none.   weights: for each pair (n_target or more, n_source or more)
double alignment_accuracy(const std::vector<attention::Matrix>& weights,
                          const std::vector<SentencePair>& pairs);

/// Mean entropy of all rows, nats.
double mean_entropy(const std::vector<attention::Matrix>& weights);

} // namespace comparison
