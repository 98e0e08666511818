#include "comparison/report.hpp"

#include "comparison/command.hpp"
#include "comparison/pictures.hpp"
#include "comparison/tables.hpp"
#include "process/files.hpp"
#include "support/temporary_folder.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

using namespace comparison;
using support::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
    return process::read_file(path).value_or("");
}

// A result that two trainings with two seeds could have, on one test sentence.
ExperimentResult made_up(std::size_t n_seeds = 2) {
    ExperimentResult result;
    SentencePair pair;
    pair.source = {"the", "red", "car", "stops"};
    pair.target = {"la", "voiture", "rouge", "s'arrête"};
    pair.alignment = {{0}, {2}, {1}, {3}};
    result.data.train.assign(10, pair);
    result.data.test_sets = {{"test", {pair}}};
    result.source_words = 8;
    result.target_words = 9;
    result.loss_to_reach = 2;
    for (std::uint64_t seed = 1; seed <= n_seeds; ++seed) {
        for (const char* name : {"additive", "scaled_dot_product"}) {
            const bool is_additive = std::string(name) == "additive";
            ArmResult arm;
            arm.arm = name;
            arm.seed = seed;
            arm.n_parameters = is_additive ? 1004 : 1000;
            arm.epochs = {{3.5, 3.0, 10, 1.5, 2000, 0.05}, {2.5, 2.0, 20, 2.5, 1000, 0.04}};
            arm.best_epoch = 2;
            arm.curve = {3.0, 1.5};
            arm.steps_to_loss = is_additive ? std::optional<std::size_t>(40) : std::nullopt;
            TestResult test;
            test.name = "test";
            test.bleu.score = (is_additive ? 60.0 : 50.0) + 0.1 * static_cast<double>(seed);
            test.alignment_accuracy = 0.75;
            test.entropy = 0.25;
            test.hypotheses = {pair.target};
            test.sentences = sentence_bleus(test.hypotheses, {pair.target});
            test.weights = {attention::Matrix::from_shape({5, 5})};
            test.weights[0].fill(0.2);
            arm.tests = {test};
            arm.bleu_by_length = {{1, 5, 1, test.sentences[0].score, test.sentences}};
            arm.removals = {.deleted = {4, 1, 0},
                            .zeroed = {4, 2, 3},
                            .largest_of_near = {3, 1, 1},
                            .other_of_near = {3, 2, 2},
                            .example = Removal{0, {2, 1}, 0.99, {}}};
            arm.first_translation = {"le", "chat", "dort", "."};
            arm.first_weights = attention::Matrix::from_shape({5, 5});
            arm.first_weights.fill(0.2);
            result.arms.push_back(arm);
        }
        result.pairs.push_back({"additive", "scaled_dot_product", "test", {0.8, 0.1}, {0}});
    }
    return result;
}

std::string report(const ExperimentResult& result) {
    std::ostringstream out;
    print_report(out, result);
    return out.str();
}

bool has_line(const std::string& text, const std::string& line) {
    return (("\n" + text).find("\n" + line + "\n")) != std::string::npos;
}

} // namespace

TEST_CASE("report: a row per measure, a column per arm, with the spread of the seeds") {
    const std::string text = report(made_up());
    CAPTURE(text);
    CHECK(has_line(text, "                                     additive       scaled dot"));
    CHECK(has_line(text, "parameters                               1004             1000"));
    CHECK(has_line(text, "BLEU, test                         60.2 ± 0.1       50.2 ± 0.1"));
    CHECK(has_line(text, "steps to a loss of 2                       40      not reached"));
    CHECK(has_line(text, "seconds per epoch                        2.00             2.00"));
    CHECK(has_line(text, "Mean ± standard deviation over 2 seeds."));
}

TEST_CASE("report: a difference is reported only if the seeds show more than chance") {
    ExperimentResult result = made_up();
    result.arms[0].tests[0].entropy = 0.5; // additive, seed 1 alone
    const std::string text = report(result);
    CAPTURE(text);
    CHECK(has_line(text, "additive, beside scaled dot"));
    CHECK(has_line(text, "  BLEU, test                    higher by 10.0 (95 %: 10.0 to 10.0)"));
    CHECK(has_line(text,
                   "  entropy in nats, test         no clear difference (95 %: -1.463 to 1.713)"));
}

TEST_CASE("report: one seed says nothing about others, but its sentences do") {
    const std::string text = report(made_up(1));
    CHECK(has_line(text, "One seed: nothing says what another would give; --seeds 1,2,3 would."));
    CHECK(has_line(text, "  BLEU, test, seed 1            no clear difference (95 %: 0.0 to 0.0)"));
    CHECK(text.find("Where they differ") == std::string::npos);
}

TEST_CASE("report: the gold alignment is marked, the removed word named") {
    const std::string text = report(made_up());
    CAPTURE(text);
    CHECK(text.find("voiture ::::::[:]::::::") != std::string::npos);
    CHECK(
        text.find("Here \"rouge\" attends to \"red\" with a weight of 0.990 (additive). Without it,"
                  "\n\n  the car stops\n") != std::string::npos);
}

TEST_CASE("report: the effect of zeroing a weight is beside the effect of deleting its word") {
    const std::string text = report(made_up());
    CAPTURE(text);
    CHECK(has_line(text, "source words tried                          4                4"));
    CHECK(has_line(text, "  the word deleted                       25.0             25.0"));
    CHECK(has_line(text, "  its weight set to 0                    50.0             50.0"));
    CHECK(has_line(text, "  its weight set to 0                    75.0             75.0"));
    CHECK(has_line(text, "  the largest set to 0                 2 of 6           2 of 6"));
    CHECK(has_line(text, "  the other set to 0                   4 of 6           4 of 6"));
}

TEST_CASE("report: the sentence of all lessons, if the vocabulary knows its words") {
    ExperimentResult result = made_up();
    CHECK(report(result).find("\"the cat sleeps .\" translated") != std::string::npos);
    CHECK(report(result).find(" chat ") != std::string::npos);
    for (ArmResult& arm : result.arms) {
        arm.first_translation.clear();
    }
    CHECK(report(result).find("translated\n\n") == std::string::npos);
}

TEST_CASE("most_different: sentences that both arms translated right") {
    ExperimentResult result = made_up();
    CHECK(most_different(result, 3) == std::vector<std::size_t>{0});
    result.arms[1].tests[0].hypotheses[0] = {"la"};
    CHECK(most_different(result, 3).empty());
}

TEST_CASE("tables: one row for each thing that was measured") {
    const TemporaryFolder folder;
    write_tables(folder.path(), made_up());
    CHECK(text_of(folder / "epochs.csv")
              .starts_with(
                  "arm,seed,epoch,training_loss,validation_loss,validation_bleu,seconds,"
                  "target_words_per_second,scorer_share\nadditive,1,1,3.5,3,10,1.5,2000,0.05\n"));
    CHECK(text_of(folder / "results.csv").find("additive,test,1,1004,2,60.1,0,0.75,0.25\n") !=
          std::string::npos);
    CHECK(text_of(folder / "translations.csv")
              .find("additive,test,the red car stops,la voiture rouge s'arrête,"
                    "la voiture rouge s'arrête,2,1\n") != std::string::npos);
}

TEST_CASE("pictures: drawn if gnuplot is installed, whatever the words contain") {
    const TemporaryFolder folder;
    const std::string trouble = draw_pictures(folder.path(), made_up());
    CHECK(trouble.empty());
    CHECK(fs::file_size(folder / "bleu_by_length.svg") > 1000);
    CHECK(text_of(folder / "attention_1.svg").find("s'arrête") != std::string::npos);
    CHECK(text_of(folder / "bleu_by_length.gp").find("with yerrorbars") != std::string::npos);
    draw_pictures(folder / "out" / "new", made_up());
    CHECK(fs::exists(folder / "out" / "new" / "bleu_by_length.gp"));
    CHECK(draw_pictures("/dev/null/out", made_up()) ==
          "cannot write /dev/null/out/bleu_by_length.gp: Not a directory");
}

TEST_CASE("pictures: without gnuplot, or with one that fails, the reason is reported") {
    const TemporaryFolder folder;
    const std::string path = std::getenv("PATH");
    setenv("PATH", folder.path().c_str(), 1);
    const std::string missing = draw_pictures(folder.path(), made_up());
    std::ofstream(folder / "gnuplot") << "#!/bin/sh\nexec 0<&-\necho no fonts >&2\nexit 1\n";
    fs::permissions(folder / "gnuplot", fs::perms::owner_all);
    const std::string failing = draw_pictures(folder.path(), made_up());
    setenv("PATH", path.c_str(), 1);
    CHECK(missing == "cannot run gnuplot: No such file or directory; is it installed?");
    CHECK(failing == "gnuplot could not draw bleu_by_length: no fonts\n");
}
