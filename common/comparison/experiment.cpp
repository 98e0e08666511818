#include "comparison/experiment.hpp"

#include "comparison/training.hpp"
#include "seq2seq/evaluate.hpp"
#include "training/checkpoint.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace comparison {
namespace {

std::vector<Words> sides(const std::vector<SentencePair>& pairs, Words SentencePair::*side) {
    std::vector<Words> all;
    for (const SentencePair& pair : pairs) {
        all.push_back(pair.*side);
    }
    return all;
}

// Lengths 1 to 5, 6 to 10 and so on, from 31 all.
std::vector<LengthBleu> bleu_by_length(const Data& data, const std::vector<TestResult>& tests) {
    constexpr std::size_t width = 5, last_bin = 6;
    std::map<std::size_t, LengthBleu> by_bin; // only those with sentences
    for (std::size_t set = 0; set < tests.size(); ++set) {
        const std::vector<SentencePair>& pairs = data.test_sets[set].second;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::size_t length = pairs[i].source.size(),
                              bin = std::min((length - 1) / width, last_bin);
            LengthBleu& lengths = by_bin[bin];
            lengths.from = bin * width + 1;
            lengths.to = std::max(lengths.to, length);
            lengths.sentences.push_back(tests[set].sentences[i]);
        }
    }
    std::vector<LengthBleu> lengths;
    for (auto& [bin, each] : by_bin) {
        lengths.push_back(std::move(each));
    }
    for (LengthBleu& each : lengths) {
        each.n_sentences = each.sentences.size();
        each.bleu = corpus_bleu(each.sentences);
    }
    return lengths;
}

void translate_first(ArmResult& result, const Common& common, const Model<float>& model) {
    const Ids source = common.words.source.encode(first_sentence);
    if (std::find(source.begin(), source.end(), Vocabulary::unknown) == source.end()) {
        const Translation translation =
            translate(model, common.workers, {{source, {Vocabulary::end}}})[0];
        result.first_translation = common.words.target.decode(translation.words);
        result.first_weights = translation.weights;
    }
}

ArmResult test_arm(const Common& common, const Model<float>& model, const TrainingState& state,
                   std::uint64_t seed) {
    ArmResult result;
    result.arm = model.scorer().name;
    result.seed = seed;
    result.n_parameters = training::n_numbers(model.parameters());
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
        test.sentences = sentence_bleus(test.hypotheses, sides(pairs, &SentencePair::target));
        test.bleu = bleu(test.hypotheses, sides(pairs, &SentencePair::target));
        test.weights = attention_weights(model, common.workers, examples);
        test.alignment_accuracy = alignment_accuracy(test.weights, pairs);
        test.entropy = mean_entropy(test.weights);
        result.tests.push_back(std::move(test));
    }
    result.bleu_by_length = bleu_by_length(common.data, result.tests);
    translate_first(result, common, model);
    result.removals = try_removals(model, common.workers,
                                   common.words.encode(common.data.test_sets[0].second), 100);
    return result;
}

PairResult compare_models(const ArmResult& a, const ArmResult& b, std::size_t test_set) {
    const std::vector<attention::Matrix>& A = a.tests[test_set].weights;
    const std::vector<attention::Matrix>& B = b.tests[test_set].weights;
    PairResult result{.first = a.arm,
                      .second = b.arm,
                      .test_set = a.tests[test_set].name,
                      .attention = compare_attention(A, B),
                      .most_different = {}};
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
        std::copy_if(scorers.begin(), scorers.end(), std::back_inserter(arms),
                     [&](const auto& scorer) { return scorer.name == name; });
    }
    return options.arms.empty() ? scorers : arms;
}

} // namespace

Options options_for_files() {
    Options options;
    options.embedding = options.hidden = options.attention = 256;
    options.epochs = 15;
    options.training = TrainOptions();
    options.training.dropout = 0.45F;
    options.training.smoothing = 0.1F;
    options.loss_to_reach = 3;
    options.seeds = {1};
    return options;
}

Data load_data(const Options& options) {
    Data data;
    if (options.train.empty()) {
        GrammarCorpus made = make_grammar_corpus(options.grammar, 1);
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
    const std::vector<Scorer<float>> arms = chosen(options, scorers);
    ExperimentResult result;
    result.data = load_data(options);
    const Vocabularies words{
        Vocabulary(sides(result.data.train, &SentencePair::source), options.minimum_count),
        Vocabulary(sides(result.data.train, &SentencePair::target), options.minimum_count)};
    result.source_words = words.source.size();
    result.target_words = words.target.size();
    result.loss_to_reach = options.loss_to_reach;
    training::make_output_folder(options.output);
    Workers workers(attention::thread_count(options.n_threads));
    Common common{.options = options,
                  .data = result.data,
                  .words = words,
                  .train = words.encode(result.data.train),
                  .valid = words.encode(result.data.valid),
                  .valid_references = sides(result.data.valid, &SentencePair::target),
                  .workers = workers,
                  .progress = progress,
                  .stop = stop,
                  .started = Common::Clock::now(),
                  .n_runs = arms.size() * options.seeds.size()};
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

} // namespace comparison
