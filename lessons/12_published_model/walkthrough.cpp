// Lesson 12 step by step, on your own functions: ./course run 12 (on ours: --solution), and on a
// published model: ./course run 12 -- --checkpoint FILE --vocabulary FILE.

#include "walkthrough/walkthrough.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "language/text.hpp"
#include "llama/model.hpp"
#include "process/files.hpp"
#include "process/typed_path.hpp"
#include "published_model.hpp"
#include "show/show.hpp"
#include "training/command_line.hpp"

namespace lesson { // yours, from lesson 11
std::size_t sample(const Vector& logits, double temperature, std::size_t top_k, double top_p,
                   std::uint64_t seed);
double perplexity(const Vector& log_probabilities);
double bits_per_character(const Vector& log_probabilities);
} // namespace lesson

using lesson::Checkpoint;
using lesson::Matrix;
using lesson::Tokens;
using lesson::Vector;
using lesson::Vocabulary;

namespace {

struct Options {
    std::string checkpoint, vocabulary, prompt;
    std::size_t n_tokens = 200;
    double temperature = 0.8;
    std::uint64_t seed = 1;
};

/// Returns what is printed in place of a run.
std::string read_options(const std::vector<std::string>& words, Options& options) {
    CLI::App app{"Reads a model of the Llama family with your functions, and writes with it"};
    auto* const file = app.add_option("--checkpoint", options.checkpoint, "its file");
    app.add_option("--vocabulary", options.vocabulary, "the file of its pieces")->needs(file);
    file->needs("--vocabulary");
    app.add_option("--prompt", options.prompt, "text that the model goes on with");
    app.add_option("--tokens", options.n_tokens, "of the prompt and what it writes, at most")
        ->check(CLI::Range(1, 1000000));
    app.add_option("--temperature", options.temperature, "0: always the most probable token")
        ->check(CLI::Range(0.0, 100.0));
    app.add_option("--seed", options.seed, "another number, another text")
        ->check(CLI::Range(0, 1000000000));
    std::string stories;
    app.add_option("--stories", stories,
                   "a file to write, with the stories that the project's own model has learned");
    std::string help = training::parse(app, "./course run 12 --", words);
    if (!stories.empty()) {
        process::write_file(process::typed_path(stories), language::make_stories(400000, 1));
        return "Written: " + stories + "\n";
    }
    return help;
}

/// The bytes of a typed file or, if none is typed, of the project's own.
std::string bytes_of(const std::string& typed, const std::string& own) {
    const auto bytes =
        typed.empty() ? llama::own_file(own) : process::read_file(process::typed_path(typed));
    return bytes ? *bytes : throw std::invalid_argument(typed + ": the file cannot be read");
}

/// A piece on one line.
std::string shown(std::size_t token, const Vocabulary& vocabulary) {
    std::string text = vocabulary.piece(token);
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), ' ', '_');
    return token == llama::start_of_text ? "start" : text;
}

void tokens(const Vocabulary& vocabulary) {
    heading("2. Tokens");
    std::cout << "Your encode cuts words into pieces of the vocabulary; _ is a blank.\n";
    ask("Which of these are one token, and which are many?");
    for (const char* text : {"looked", "Anna", "Lily", "xylophone", "é"}) {
        const Tokens all = lesson::encode(text, vocabulary);
        std::cout << "  " << text << ":";
        for (const std::size_t token : all) {
            std::cout << " " << shown(token, vocabulary);
        }
        std::cout << "\n";
    }
    std::cout
        << "\nA word that was frequent where the pieces were learned is one piece; a rare one is\n"
           "spelled.\n";
}

/// Writes token by token; the library's form reads each of them, too.
Tokens write(const Checkpoint& model, const Vocabulary& vocabulary, const Options& options) {
    heading("3. It writes");
    const std::size_t n = std::min(options.n_tokens, model.sizes.context);
    Tokens text = lesson::encode(options.prompt, vocabulary);
    text.resize(std::min(text.size(), n));
    std::cout << llama::decode(text, vocabulary) << std::flush;
    lesson::Cache cache(model.layers.size());
    llama::Model<float> reader(model);
    double apart = 0;
    std::chrono::duration<double> yours{}, ours{}; // seconds
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto start = std::chrono::steady_clock::now();
        const Vector logits = lesson::next_logits(text[i], i, model, cache);
        const auto middle = std::chrono::steady_clock::now();
        const std::vector<float>& again = reader.next_logits(text[i]);
        ours += std::chrono::steady_clock::now() - middle;
        yours += middle - start;
        if (!std::isfinite(xt::sum(logits)())) {
            refuse_options("the checkpoint is damaged: its logits are not finite");
        }
        for (std::size_t t = 0; t < again.size(); ++t) {
            apart = std::max(apart, std::abs(logits(t) - double(again[t])));
        }
        if (i + 1 < text.size() || i + 1 == n) {
            continue;
        }
        const std::size_t next =
            lesson::sample(logits, options.temperature, 0, 0.9, options.seed + i);
        if (next != llama::start_of_text) { // with which another text begins
            text.push_back(next);
            std::cout << llama::decode(text[i], next, vocabulary) << std::flush;
        }
    }
    const auto n_read = double(text.size());
    std::printf(
        "\n\n%.0f tokens. Yours: %.0f tokens per second; the library's form, in float and with\n"
        "vector registers: %.0f. Their logits differ by %.0e at most.\n%s",
        n_read, n_read / yours.count(), n_read / ours.count(), apart,
        apart < 0.01 ? "" : "That is too much: ./course grade 12 looks for the mistake.\n");
    return text;
}

void look(const Checkpoint& model, const Vocabulary& vocabulary, Tokens text) {
    heading("4. Where a head looks while it writes");
    text.resize(std::min<std::size_t>(text.size(), 24));
    const std::size_t n = text.size(), n_heads = model.sizes.n_heads;
    std::vector<Matrix> heads(model.sizes.n_layers * n_heads, xt::zeros<double>({n, n}));
    std::vector<double> away(heads.size()); // weight three or more tokens back, but for the start
    std::vector<std::string> labels;
    llama::Model<float> reader(model);
    for (std::size_t i = 0; i < n; ++i) {
        reader.next_logits(text[i]);
        labels.push_back(shown(text[i], vocabulary));
        for (std::size_t at = 0; at < heads.size() * (i + 1); ++at) {
            const std::size_t head = at / (i + 1), j = at % (i + 1);
            heads[head](i, j) = reader.weights(head / n_heads)(head % n_heads, j);
            away[head] += j > 0 && j + 2 < i ? heads[head](i, j) : 0;
        }
    }
    const auto best = std::size_t(std::max_element(away.begin(), away.end()) - away.begin());
    show::heatmap(std::cout, heads[best],
                  {.title = "layer " + std::to_string(best / n_heads) + ", head " +
                            std::to_string(best % n_heads) + ", with most weight far back",
                   .row_labels = labels,
                   .column_labels = labels,
                   .range = show::Range{0, 1},
                   .numbers = false});
    std::cout
        << "\nEach row is a token at which the next one was drawn. As in lessons 07 and 11, a\n"
           "weight says where a head looks, and is no explanation.\n";
}

void surprise(const Checkpoint& model, const Vocabulary& vocabulary) {
    heading("5. A story that it has not seen");
    const std::string story = language::make_stories(1, 2);
    std::istringstream words(story);
    std::string backwards;
    for (std::string word; words >> word;) {
        backwards.insert(0, backwards.empty() ? word : word + " ");
    }
    std::cout << story
              << "The same is read once more, with its words from the last to the first.\n";
    ask("How much larger is the perplexity then?");
    Matrix table = Matrix::from_shape({2, 3});
    for (std::size_t row = 0; row < 2; ++row) {
        Tokens text =
            lesson::encode(row == 0 ? story.substr(0, story.size() - 2) : backwards, vocabulary);
        text.resize(std::min(text.size(), model.sizes.context));
        Vector logs = Vector::from_shape({text.size() - 1});
        lesson::Cache cache(model.layers.size());
        for (std::size_t i = 0; i < logs.size(); ++i) {
            const Vector logits = lesson::next_logits(text[i], i, model, cache);
            const double most = xt::amax(logits)();
            logs(i) = logits(text[i + 1]) - most - std::log(xt::sum(xt::exp(logits - most))());
        }
        const double n_bytes = double(llama::decode(text, vocabulary).size());
        table(row, 0) = double(text.size());
        table(row, 1) = lesson::perplexity(logs);
        table(row, 2) = lesson::bits_per_character(logs) * double(logs.size()) / n_bytes;
    }
    show::matrix(std::cout, table,
                 {.title = "per token, and bits per byte of the text",
                  .row_labels = {"the story", "backwards"},
                  .column_labels = {"tokens", "perplexity", "bits"},
                  .decimals = 2});
    std::cout
        << "\nPerplexities of models with other vocabularies cannot be compared: their tokens\n"
           "are longer or shorter. Bits per byte can.\n";
}

} // namespace

void walkthrough(const std::vector<std::string>& words) {
    Options options;
    const std::string text = refusing([&] { return read_options(words, options); });
    std::cout << text;
    if (!text.empty()) {
        return;
    }
    // A damaged file is no fault of the program.
    const Checkpoint model = refusing(
        [&] { return lesson::read_checkpoint(bytes_of(options.checkpoint, "stories.bin")); });
    const Vocabulary vocabulary = refusing([&] {
        return llama::read_vocabulary(bytes_of(options.vocabulary, "pieces.bin"),
                                      model.sizes.n_tokens);
    });
    heading("1. The file");
    const llama::Sizes& s = model.sizes;
    std::cout << s.n_layers << " layers of " << s.dim << " components, " << s.n_heads
              << " heads of queries on " << s.n_kv_heads << " of keys, " << s.hidden
              << " components inside the\nmlp, " << s.n_tokens << " tokens, texts of up to "
              << s.context << ".\n";
    tokens(vocabulary);
    look(model, vocabulary, write(model, vocabulary, options));
    surprise(model, vocabulary);
}
