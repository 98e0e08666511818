#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "book/translator.hpp"
#include "comparison/experiment.hpp"
#include "support/temporary_folder.hpp"

namespace {

using nlohmann::json;

comparison::Options quick(const std::filesystem::path& output) {
    comparison::Options options;
    options.embedding = options.hidden = options.attention = 8;
    options.epochs = 1;
    options.grammar.train = 400;
    options.grammar.valid = options.grammar.test = options.grammar.long_test = 10;
    options.minimum_count = 1;
    options.n_threads = 1;
    options.seeds = {1};
    options.arms = {"additive"};
    options.output = output;
    return options;
}

/// As a page sends it: in text.
json ask(book::Translator& translator, const std::string& removed = "[]",
         const std::string& arm = "additive") {
    return translator.answer(json::parse(R"({"sentence": "the cat sleeps .", "arm": ")" + arm +
                                         R"(", "removed": )" + removed + "}"));
}

} // namespace

TEST_CASE("translator: returns the trained model's translation and weights; trains nothing") {
    const support::TemporaryFolder folder;
    const comparison::Options options = quick(folder.path());
    book::Translator translator(options);
    CHECK(ask(translator)["state"] == "no_model");
    const comparison::ExperimentResult result =
        comparison::run_experiment(options, comparison::all_scorers());
    REQUIRE(result.arms[0].first_weights.size() > 0);
    const auto written = std::filesystem::last_write_time(folder / "additive-1.checkpoint");

    const json answer = ask(translator)["value"]; // which had been started before
    CHECK(answer["source"] == json{"the", "cat", "sleeps", ".", "</s>"});
    json words = result.arms[0].first_translation;
    const attention::Matrix& weights = result.arms[0].first_weights;
    if (weights.shape(0) > words.size()) {
        words.push_back("</s>");
    }
    CHECK(answer["words"] == words);
    CHECK(answer["weights"]["shape"] == json{weights.shape(0), 5});
    CHECK(answer["weights"]["data"] == std::vector<double>(weights.begin(), weights.end()));

    const json without = ask(translator, "[[0, 1]]");
    CHECK(without["value"]["weights"]["data"][1] == 0.0);
    CHECK(std::filesystem::last_write_time(folder / "additive-1.checkpoint") == written);
}

TEST_CASE("translator: an invalid question is refused") {
    const support::TemporaryFolder folder;
    book::Translator translator(quick(folder.path()));
    CHECK(ask(translator, "[]", "best")["words"] ==
          "arm must be additive, scaled_dot_product or dot_product, got best");
    CHECK(ask(translator, "[[0, 9]]")["words"] == "the sentence has no word 9");
    CHECK(translator.answer({{"sentence", " "}, {"arm", "additive"}})["words"] ==
          "a sentence has 1 to 100 words");
}
