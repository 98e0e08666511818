#include "seq2seq/experiment.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace seq2seq {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<Words> sides(const std::vector<SentencePair>& pairs, Words SentencePair::*side) {
    std::vector<Words> all;
    for (const SentencePair& pair : pairs) {
        all.push_back(pair.*side);
    }
    return all;
}

struct Vocabularies {
    Vocabulary source, target;
    std::vector<Example> encode(const std::vector<SentencePair>& pairs) const {
        std::vector<Example> examples;
        for (const SentencePair& pair : pairs) {
            examples.push_back({source.encode(pair.source), target.encode(pair.target)});
        }
        return examples;
    }
};

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

// Of everything that the weights at the end depend on.
std::uint64_t fingerprint(const Options& options, const Model<float>& model,
                          const TrainOptions& training, std::size_t n_threads, std::uint64_t data) {
    std::uint64_t h = data;
    const ModelSizes& sizes = model.sizes();
    for (const std::size_t number :
         {sizes.source_words, sizes.target_words, sizes.embedding, sizes.hidden, sizes.attention,
          options.epochs, training.batch_size, static_cast<std::size_t>(training.seed),
          n_threads}) {
        h = mix(h, number);
    }
    for (const float number : {training.learning_rate, training.dropout, training.smoothing,
                               training.largest_gradient}) {
        h = mix(h, static_cast<std::uint64_t>(static_cast<double>(number) * 1e9));
    }
    for (const char c : model.scorer().name) {
        h = mix(h, static_cast<unsigned char>(c));
    }
    return h;
}

// The learning rate stays for half of the steps and falls to a tenth, in a straight line, over the
// other half.
float rate_factor(std::uint64_t step, std::uint64_t n_steps) {
    const double done = static_cast<double>(step) / static_cast<double>(n_steps);
    return static_cast<float>(done < 0.5 ? 1 : 1 - 1.8 * (done - 0.5));
}

std::vector<float> copy_weights(const Model<float>& model) {
    std::vector<float> all;
    for (const Parameter<float>& parameter : model.parameters()) {
        all.insert(all.end(), parameter.value.begin(), parameter.value.end());
    }
    return all;
}

void set_weights(Model<float>& model, const std::vector<float>& all) {
    auto from = all.begin();
    for (Parameter<float>& parameter : model.parameters()) {
        const auto n = static_cast<std::ptrdiff_t>(parameter.value.size());
        std::copy(from, from + n, parameter.value.begin());
        from += n;
    }
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

// Everything the arms have in common.
struct Common {
    const Options& options;
    const Data& data;
    const Vocabularies& words;
    std::vector<Example> train, valid;
    std::vector<Words> valid_references;
    Workers& workers;
    const std::function<void(const Progress&)>& progress;
    const std::atomic<bool>* stop;
    Clock::time_point started;
    std::size_t epochs_before = 0; // of arms and seeds before this one
    std::size_t n_runs = 1;
    double epochs_done = 0; // in this process, for the time left
};

// One arm with one seed, from where its checkpoint is to the last epoch.
class Training {
public:
    Training(Common& common, Model<float>& model, const TrainOptions& options,
             const std::filesystem::path& checkpoint)
        : common_(common), model_(model), options_(options), checkpoint_(checkpoint),
          trainer_(model, common.workers, options),
          fingerprint_(fingerprint(common.options, model, options, common.workers.size(),
                                   hash_of(common.train) + hash_of(common.valid))) {
        if (common.options.resume) {
            load_checkpoint(checkpoint, fingerprint_, state_, trainer_);
        } else if (std::filesystem::exists(checkpoint)) { // hours, perhaps
            std::filesystem::rename(checkpoint, checkpoint.string() + ".old");
        }
    }

    const TrainingState& run() {
        while (state_.epoch < common_.options.epochs) {
            epoch();
            common_.epochs_done += 1;
        }
        set_weights(model_, state_.best_weights);
        return state_;
    }

private:
    void epoch() {
        const std::vector<Ids> batches =
            make_epoch(common_.train, options_.batch_size, options_.seed, state_.epoch);
        const std::uint64_t n_steps = batches.size() * common_.options.epochs;
        while (state_.batch < batches.size()) {
            const Clock::time_point start = Clock::now();
            const double scorer = trainer_.scorer_seconds(), all = trainer_.thread_seconds();
            const StepResult step = trainer_.step(common_.train, batches[state_.batch],
                                                  rate_factor(trainer_.n_steps(), n_steps));
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
                save_checkpoint(checkpoint_, fingerprint_, state_, trainer_);
                throw Interrupted("training was interrupted; --resume goes on where it stopped");
            }
        }
        finish_epoch(batches.size());
    }

    void finish_epoch(std::size_t n_batches) {
        EpochRecord record;
        record.train_loss = state_.loss_sum / state_.n_words;
        record.seconds = state_.seconds;
        record.words_per_second = state_.n_words / state_.seconds;
        record.scorer_share = state_.scorer_seconds / state_.thread_seconds;
        record.valid_loss = mean_loss(model_, common_.workers, common_.valid);
        record.valid_bleu =
            bleu(translate_words(model_, common_.workers, common_.words, common_.valid),
                 common_.valid_references)
                .score;
        ++state_.epoch;
        if (record.valid_bleu > state_.best_bleu) {
            state_.best_bleu = record.valid_bleu;
            state_.best_epoch = state_.epoch;
            state_.best_weights = copy_weights(model_);
        }
        state_.epochs.push_back(record);
        report(n_batches, &record);
        state_.batch = 0;
        state_.loss_sum = state_.n_words = state_.seconds = 0;
        state_.scorer_seconds = state_.thread_seconds = 0;
        save_checkpoint(checkpoint_, fingerprint_, state_, trainer_);
    }

    void report(std::size_t n_batches, const EpochRecord* finished) const {
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

    Common& common_;
    Model<float>& model_;
    TrainOptions options_;
    std::filesystem::path checkpoint_;
    Trainer trainer_;
    std::uint64_t fingerprint_;
    TrainingState state_;
};

std::vector<LengthBleu> by_length(const Data& data, const std::vector<TestResult>& tests) {
    constexpr std::size_t width = 5, n_bins = 7; // 1–5, 6–10, …, 31 and more
    std::vector<LengthBleu> bins;
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
        std::vector<Words> hypotheses, references;
        std::size_t longest = 0;
        for (std::size_t set = 0; set < tests.size(); ++set) {
            const std::vector<SentencePair>& pairs = data.test_sets[set].second;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const std::size_t length = pairs[i].source.size();
                if (std::min((length - 1) / width, n_bins - 1) == bin) {
                    hypotheses.push_back(tests[set].hypotheses[i]);
                    references.push_back(pairs[i].target);
                    longest = std::max(longest, length);
                }
            }
        }
        if (!hypotheses.empty()) {
            const std::size_t to = bin + 1 < n_bins ? (bin + 1) * width : longest;
            bins.push_back(
                {bin * width + 1, to, hypotheses.size(), bleu(hypotheses, references).score});
        }
    }
    return bins;
}

ArmResult test_arm(const Common& common, const Model<float>& model, const TrainingState& state,
                   std::uint64_t seed) {
    ArmResult result;
    result.arm = model.scorer().name;
    result.seed = seed;
    result.n_weights = model.n_weights();
    result.epochs = state.epochs;
    result.curve = state.curve;
    result.best_epoch = state.best_epoch;
    for (std::size_t i = 0; i < state.curve.size() && !result.steps_to_loss; ++i) {
        if (state.curve[i] <= common.options.loss_to_reach) {
            result.steps_to_loss = (i + 1) * curve_steps;
        }
    }
    for (const auto& [name, pairs] : common.data.test_sets) {
        const std::vector<Example> examples = common.words.encode(pairs);
        TestResult test;
        test.name = name;
        test.hypotheses = translate_words(model, common.workers, common.words, examples);
        test.bleu = bleu(test.hypotheses, sides(pairs, &SentencePair::target));
        test.weights = attention_weights(model, common.workers, examples);
        test.alignment_accuracy = alignment_accuracy(test.weights, pairs);
        test.entropy = mean_entropy(test.weights);
        result.tests.push_back(std::move(test));
    }
    result.bleu_by_length = by_length(common.data, result.tests);
    result.removals = try_removals(model, common.workers,
                                   common.words.encode(common.data.test_sets[0].second), 100);
    return result;
}

PairResult compare_models(const ArmResult& a, const ArmResult& b, std::size_t test_set) {
    const std::vector<attention::Matrix>& A = a.tests[test_set].weights;
    const std::vector<attention::Matrix>& B = b.tests[test_set].weights;
    PairResult result{a.arm, b.arm, a.tests[test_set].name, a.seed, b.seed, compare_attention(A, B),
                      {}};
    std::vector<double> divergence;
    for (std::size_t i = 0; i < A.size(); ++i) {
        divergence.push_back(compare_attention({A[i]}, {B[i]}).js_divergence);
    }
    result.most_different.resize(A.size());
    std::iota(result.most_different.begin(), result.most_different.end(), std::size_t{0});
    std::stable_sort(result.most_different.begin(), result.most_different.end(),
                     [&](std::size_t i, std::size_t j) { return divergence[i] > divergence[j]; });
    return result;
}

std::vector<Scorer<float>> chosen(const Options& options,
                                  const std::vector<Scorer<float>>& scorers) {
    std::vector<Scorer<float>> arms;
    for (const std::string& name : options.arms) {
        const auto found = std::find_if(scorers.begin(), scorers.end(),
                                        [&](const auto& scorer) { return scorer.name == name; });
        if (found == scorers.end()) {
            std::string text = "run_experiment: arms must be of ";
            for (const auto& scorer : scorers) {
                text += scorer.name;
                text += ", ";
            }
            text += "got ";
            text += name;
            throw std::invalid_argument(text);
        }
        arms.push_back(*found);
    }
    return options.arms.empty() ? scorers : arms;
}

void check(const Options& options) {
    const auto require = [](bool holds, const std::string& rule, const std::string& got) {
        if (!holds) {
            throw std::invalid_argument("run_experiment: " + rule + ", got " + got);
        }
    };
    require(options.epochs > 0, "there must be an epoch", "0");
    require(!options.seeds.empty(), "there must be a seed", "none");
    require(options.training.batch_size > 0, "a batch must hold a sentence", "0");
    require(options.training.learning_rate > 0, "the learning rate must be positive",
            std::to_string(options.training.learning_rate));
    require(options.training.dropout >= 0 && options.training.dropout < 1,
            "dropout must be in [0, 1)", std::to_string(options.training.dropout));
}

} // namespace

Options options_for_files() {
    Options options;
    options.embedding = options.hidden = options.attention = 256;
    options.epochs = 10;
    options.training = TrainOptions();
    options.training.smoothing = 0.1F;
    options.loss_to_reach = 3;
    options.seeds = {1};
    return options;
}

Data load_data(const Options& options) {
    Data data;
    if (options.train.empty()) {
        GrammarCorpus made = make_grammar_corpus(options.grammar, options.grammar_seed);
        data.train = std::move(made.train);
        data.valid = std::move(made.valid);
        data.test_sets = {{"test", std::move(made.test)}, {"long", std::move(made.long_test)}};
        return data;
    }
    if (options.valid.empty() || options.test.empty()) {
        throw std::invalid_argument(std::string("--train needs --valid and --test, got no ") +
                                    (options.valid.empty() ? "--valid" : "--test"));
    }
    data.train = read_parallel(options.train, options.tokenization);
    data.valid = read_parallel(options.valid, options.tokenization);
    data.test_sets = {{"test", read_parallel(options.test, options.tokenization)}};
    return data;
}

ExperimentResult run_experiment(const Options& options, const std::vector<Scorer<float>>& scorers,
                                const std::function<void(const Progress&)>& progress,
                                const std::atomic<bool>* stop) {
    check(options);
    const std::vector<Scorer<float>> arms = chosen(options, scorers);
    ExperimentResult result;
    result.data = load_data(options);
    const Vocabularies words{
        Vocabulary(sides(result.data.train, &SentencePair::source), options.minimum_count),
        Vocabulary(sides(result.data.train, &SentencePair::target), options.minimum_count)};
    result.source_words = words.source.size();
    result.target_words = words.target.size();
    result.loss_to_reach = options.loss_to_reach;
    std::error_code error;
    std::filesystem::create_directories(options.output, error);
    if (error) {
        throw std::invalid_argument("cannot make the folder " + options.output.string() + ": " +
                                    error.message());
    }
    prepare_process();
    const std::size_t n_cores = std::max(1U, std::thread::hardware_concurrency());
    Workers workers(options.n_threads == 0 ? n_cores : options.n_threads);
    Common common{options,
                  result.data,
                  words,
                  words.encode(result.data.train),
                  words.encode(result.data.valid),
                  sides(result.data.valid, &SentencePair::target),
                  workers,
                  progress,
                  stop,
                  Clock::now(),
                  0,
                  arms.size() * options.seeds.size(),
                  0};
    const ModelSizes sizes{words.source.size(), words.target.size(), options.embedding,
                           options.hidden, options.attention};
    for (const std::uint64_t seed : options.seeds) {
        for (const Scorer<float>& scorer : arms) {
            Model<float> model(sizes, scorer, seed);
            TrainOptions training = options.training;
            training.seed = seed;
            const std::string name = scorer.name + "-" + std::to_string(seed) + ".checkpoint";
            Training run(common, model, training, options.output / name);
            const TrainingState& state = run.run();
            result.arms.push_back(test_arm(common, model, state, seed));
            common.epochs_before += options.epochs;
        }
    }
    for (std::size_t set = 0; set < result.data.test_sets.size(); ++set) {
        for (std::size_t i = 0; i < result.arms.size(); ++i) {
            for (std::size_t j = i + 1; j < result.arms.size(); ++j) {
                const ArmResult &a = result.arms[i], &b = result.arms[j];
                if ((a.seed == b.seed) != (a.arm == b.arm)) {
                    result.pairs.push_back(compare_models(a, b, set));
                }
            }
        }
    }
    return result;
}

std::vector<Scorer<float>> all_scorers() {
    return {additive<float>(), scaled_dot_product<float>(), dot_product<float>()};
}

} // namespace seq2seq
