#include "book/translator.hpp"

#include <algorithm>
#include <map>
#include <thread>

#include <nlohmann/json.hpp>

#include "comparison/training.hpp"
#include "seq2seq/evaluate.hpp"

namespace book {

using namespace comparison;
using nlohmann::json;

namespace {

constexpr std::size_t most_words = 100;

json failure(const std::string& state, const std::string& words) {
    return {{"ok", false}, {"state", state}, {"words", words}};
}

/// The weights to set to 0, [t, s] each; throws std::invalid_argument if the sentence has no such.
std::vector<WeightAt> zeroed_from(const json& removed, std::size_t source_words) {
    std::vector<WeightAt> zeroed;
    for (const auto& [t, s] : removed.get<std::vector<std::pair<std::size_t, std::size_t>>>()) {
        if (s > source_words) {
            throw std::invalid_argument("the sentence has no word " + std::to_string(s));
        }
        zeroed.push_back({t, s});
    }
    return zeroed;
}

} // namespace

struct Translator::Models {
    explicit Models(const Options& given)
        : options(given), data(load_data(given)), words{vocabulary_of(&SentencePair::source),
                                                        vocabulary_of(&SentencePair::target)},
          workers(given.n_threads == 0 ? std::max(1U, std::thread::hardware_concurrency())
                                       : given.n_threads),
          common{.options = options,
                 .data = data,
                 .words = words,
                 .train = words.encode(data.train),
                 .valid = words.encode(data.valid),
                 .valid_references = {},
                 .workers = workers,
                 .progress = nobody,
                 .stop = nullptr,
                 .started = Common::Clock::now()} {
        options.resume = true;
    }

    Options options;
    Data data;
    Vocabularies words;
    Workers workers;
    std::function<void(const Progress&)> nobody;
    Common common;
    struct Loaded {
        std::unique_ptr<Model<float>> model;
        std::filesystem::file_time_type written; // the checkpoint it comes from
    };
    std::map<std::string, Loaded> loaded;

    Vocabulary vocabulary_of(Words SentencePair::*side) const {
        std::vector<Words> sentences;
        for (const SentencePair& pair : data.train) {
            sentences.push_back(pair.*side);
        }
        return Vocabulary(sentences, options.minimum_count);
    }

    /// The arm's model with the first seed, from its checkpoint; null if there is none.
    const Model<float>* model_of(const Scorer<float>& scorer) {
        const std::uint64_t seed = options.seeds.front();
        const auto path =
            options.output / (scorer.name + "-" + std::to_string(seed) + ".checkpoint");
        std::error_code error;
        const auto written = std::filesystem::last_write_time(path, error);
        if (error) {
            return nullptr;
        }
        Loaded& known = loaded[scorer.name];
        if (known.model == nullptr || known.written != written) {
            const ModelSizes sizes{words.source.size(), words.target.size(), options.embedding,
                                   options.hidden, options.attention};
            auto model = std::make_unique<Model<float>>(sizes, scorer, seed);
            TrainOptions train = options.training;
            train.seed = seed;
            const Training training(common, *model, train, path); // reads it, and trains nothing
            if (training.state().best_epoch == 0) {
                return nullptr;
            }
            training::set_values(model->parameters(), training.state().best_weights);
            known = {std::move(model), written};
        }
        return known.model.get();
    }
};

Translator::Translator(const Options& options) : models_(std::make_unique<Models>(options)) {}
Translator::~Translator() = default;

json Translator::answer(const json& question) {
    const std::string arm = question.value("arm", "");
    const auto scorers = all_scorers();
    const auto scorer = std::find_if(scorers.begin(), scorers.end(),
                                     [&](const auto& each) { return each.name == arm; });
    if (scorer == scorers.end()) {
        return failure("bad_request",
                       "arm must be additive, scaled_dot_product or dot_product, got " + arm);
    }
    const Words sentence = split(question.value("sentence", ""));
    if (sentence.empty() || sentence.size() > most_words) {
        return failure("bad_request", "a sentence has 1 to 100 words");
    }
    try {
        const auto zeroed = zeroed_from(question.value("removed", json::array()), sentence.size());
        const Model<float>* const model = models_->model_of(*scorer);
        if (model == nullptr) {
            return failure("no_model", "There is no trained model yet: ./course run 07 trains "
                                       "them in a minute or two.");
        }
        const Vocabularies& words = models_->words;
        const Example example{words.source.encode(sentence), {Vocabulary::end}};
        const Translation translation =
            translate(*model, models_->workers, {example}, 64, zeroed)[0];
        json source = words.source.decode(example.source);
        json written = words.target.decode(translation.words);
        source.push_back("</s>");
        if (translation.weights.shape(0) > written.size()) { // not cut off
            written.push_back("</s>");
        }
        const attention::Matrix& weights = translation.weights;
        const json read = {{"shape", {weights.shape(0), weights.shape(1)}},
                           {"data", std::vector<double>(weights.begin(), weights.end())}};
        return {{"ok", true},
                {"value", {{"source", source}, {"words", written}, {"weights", read}}}};
    } catch (const std::invalid_argument& error) { // a checkpoint of other options, too
        return failure("bad_request", error.what());
    }
}

} // namespace book
