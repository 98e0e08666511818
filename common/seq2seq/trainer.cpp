#include "seq2seq/trainer.hpp"

#include <chrono>

namespace seq2seq {

Trainer::Trainer(Model<float>& model, Workers& workers, const TrainOptions& options)
    : model_(model), workers_(workers), options_(options),
      adam_(model.parameters(), workers, {options.learning_rate, options.largest_gradient}) {}

TrainedBatch Trainer::step(const std::vector<Example>& examples, const Ids& sentences,
                           const Pace& pace) {
    const auto started = std::chrono::steady_clock::now();
    TrainedBatch result;
    for (const std::size_t i : sentences) {
        result.n_target_words += examples.at(i).target.size();
    }
    Forward<float> settings;
    settings.dropout = pace.dropout.value_or(options_.dropout);
    settings.smoothing = options_.smoothing;
    settings.scorer_seconds = &scorer_seconds_;
    const auto loss_of_part = [&](std::size_t part, autograd::Tape& tape,
                                  Gradients<float>& gradients) {
        const Ids mine = part_of(sentences, part, workers_.size());
        if (mine.empty()) {
            return autograd::Value();
        }
        Forward<float> of_part = settings;
        of_part.seed = mix(options_.seed, n_steps(), part);
        of_part.gradients = &gradients;
        return model_.forward(tape, make_batch(examples, mine), of_part).loss;
    };
    const float share = 1.0F / static_cast<float>(result.n_target_words);
    result.loss = adam_.step(loss_of_part, share, pace.rate_factor).loss;
    thread_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() *
        static_cast<double>(workers_.size());
    return result;
}

} // namespace seq2seq
