#include "comparison/training.hpp"

#include "seq2seq/evaluate.hpp"
#include "training/checkpoint.hpp"

#include <algorithm>
#include <sstream>

namespace comparison {
namespace {

double seconds_since(Common::Clock::time_point start) {
    return std::chrono::duration<double>(Common::Clock::now() - start).count();
}

std::uint64_t hash_of(const std::vector<Example>& examples) {
    std::uint64_t h = examples.size();
    for (const Example& example : examples) {
        for (const Ids* side : {&example.source, &example.target}) {
            for (const std::size_t id : *side) {
                h = mix(h, id);
            }
        }
    }
    return h;
}

// A fingerprint of everything that the final weights depend on.
std::uint64_t fingerprint(const Options& options, const Model<float>& model,
                          const TrainOptions& training, std::size_t n_threads, std::uint64_t data) {
    const ModelSizes& sizes = model.sizes();
    std::uint64_t h =
        mix(data, {double(sizes.source_words), double(sizes.target_words), double(sizes.embedding),
                   double(sizes.hidden), double(sizes.attention), double(options.epochs),
                   double(training.batch_size), double(training.seed), double(n_threads),
                   training.learning_rate, training.first_dropout, training.dropout,
                   training.smoothing, training.largest_gradient});
    for (const char c : model.scorer().name) {
        h = mix(h, static_cast<unsigned char>(c));
    }
    return h;
}

// Dropout rises in a straight line: a model that knows little cannot overfit yet, and learns faster
// without (Morerio et al. 2017). The learning rate is constant for half of the steps, and falls
// linearly to a tenth over the other half.
Pace pace_at(std::uint64_t step, std::uint64_t n_steps, const TrainOptions& options) {
    const double done = static_cast<double>(step) / static_cast<double>(n_steps);
    const float first = std::min(options.first_dropout, options.dropout);
    return {.rate_factor = static_cast<float>(done < 0.5 ? 1 : 1 - 1.8 * (done - 0.5)),
            .dropout = first + static_cast<float>(done) * (options.dropout - first)};
}

// The same fields in the same order, to write and to read.
template <class State, class Visit>
void visit_fields(State& s, const Visit& visit) {
    visit(s.epoch), visit(s.batch), visit(s.loss_sum), visit(s.n_words), visit(s.seconds);
    visit(s.scorer_seconds), visit(s.thread_seconds), visit(s.best_bleu), visit(s.best_epoch);
    visit(s.epochs), visit(s.curve), visit(s.curve_sum), visit(s.best_weights);
}

} // namespace

std::vector<Example> Vocabularies::encode(const std::vector<SentencePair>& pairs) const {
    std::vector<Example> examples;
    for (const SentencePair& pair : pairs) {
        examples.push_back({source.encode(pair.source), target.encode(pair.target)});
    }
    return examples;
}

std::vector<Words> translate_words(const Model<float>& model, Workers& workers,
                                   const Vocabularies& words,
                                   const std::vector<Example>& examples) {
    std::vector<Words> hypotheses;
    for (const Translation& translation : translate(model, workers, examples)) {
        hypotheses.push_back(words.target.decode(translation.words));
    }
    return hypotheses;
}

Training::Training(Common& common, Model<float>& model, const TrainOptions& options,
                   const std::filesystem::path& checkpoint)
    : common_(common), model_(model), options_(options), checkpoint_(checkpoint),
      trainer_(model, common.workers, options),
      fingerprint_(fingerprint(common.options, model, options, common.workers.size(),
                               hash_of(common.train) + hash_of(common.valid))) {
    if (const auto content =
            training::open_checkpoint(checkpoint_, fingerprint_, common.options.resume)) {
        std::istringstream in(*content);
        visit_fields(state_, [&](auto& field) { training::read_field(in, field); });
        trainer_.load(in);
    }
}

void Training::save() const {
    std::ostringstream content;
    visit_fields(state_, [&](const auto& field) { training::write_field(content, field); });
    trainer_.save(content);
    training::save_checkpoint(checkpoint_, fingerprint_, content.str());
}

const TrainingState& Training::run() {
    while (state_.epoch < common_.options.epochs) {
        epoch();
        common_.epochs_done += 1;
    }
    training::set_values(model_.parameters(), state_.best_weights);
    return state_;
}

void Training::epoch() {
    const std::vector<Ids> batches =
        make_epoch(common_.train, options_.batch_size, options_.seed, state_.epoch);
    const std::uint64_t n_steps = batches.size() * common_.options.epochs;
    while (state_.batch < batches.size()) {
        const Common::Clock::time_point start = Common::Clock::now();
        const double scorer = trainer_.scorer_seconds(), all = trainer_.thread_seconds();
        const TrainedBatch step = trainer_.step(common_.train, batches[state_.batch],
                                                pace_at(trainer_.n_steps(), n_steps, options_));
        const double words = static_cast<double>(step.n_target_words);
        state_.loss_sum += step.loss * words;
        state_.n_words += words;
        state_.scorer_seconds += trainer_.scorer_seconds() - scorer;
        state_.thread_seconds += trainer_.thread_seconds() - all;
        state_.seconds += seconds_since(start);
        state_.curve_sum += step.loss;
        if (trainer_.n_steps() % curve_steps == 0) {
            state_.curve.push_back(state_.curve_sum / static_cast<double>(curve_steps));
            state_.curve_sum = 0;
        }
        ++state_.batch;
        report(batches.size(), nullptr);
        if (common_.stop != nullptr && common_.stop->load()) {
            save();
            throw Interrupted("training was interrupted; --resume continues where it stopped");
        }
    }
    finish_epoch(batches.size());
}

void Training::finish_epoch(std::size_t n_batches) {
    EpochRecord record;
    record.train_loss = state_.loss_sum / state_.n_words;
    record.seconds = state_.seconds;
    record.words_per_second = state_.n_words / state_.seconds;
    record.scorer_share = state_.scorer_seconds / state_.thread_seconds;
    record.valid_loss = mean_loss(model_, common_.workers, common_.valid);
    record.valid_bleu = bleu(translate_words(model_, common_.workers, common_.words, common_.valid),
                             common_.valid_references)
                            .score;
    ++state_.epoch;
    if (record.valid_bleu > state_.best_bleu) {
        state_.best_bleu = record.valid_bleu;
        state_.best_epoch = state_.epoch;
        state_.best_weights = training::values_of(model_.parameters());
    }
    state_.epochs.push_back(record);
    report(n_batches, &record);
    state_.batch = 0;
    state_.loss_sum = state_.n_words = state_.seconds = 0;
    state_.scorer_seconds = state_.thread_seconds = 0;
    save();
}

void Training::report(std::size_t n_batches, const EpochRecord* finished) const {
    if (!common_.progress) {
        return;
    }
    Progress progress;
    progress.arm = model_.scorer().name;
    progress.seed = options_.seed;
    progress.epoch = state_.epoch + (finished == nullptr ? 1 : 0);
    progress.n_epochs = common_.options.epochs;
    progress.batch = state_.batch;
    progress.n_batches = n_batches;
    progress.loss = state_.loss_sum / state_.n_words;
    progress.words_per_second = state_.n_words / state_.seconds;
    const double part = static_cast<double>(state_.batch) / static_cast<double>(n_batches);
    const double done = common_.epochs_done + part;
    const double before = static_cast<double>(common_.epochs_before + state_.epoch) + part -
                          (finished == nullptr ? 0 : 1);
    const double all = static_cast<double>(common_.n_runs * common_.options.epochs);
    progress.seconds_left = seconds_since(common_.started) / done * (all - before);
    progress.finished = finished;
    common_.progress(progress);
}

} // namespace comparison
