// Lesson 12 step by step, on your own functions: ./course run 12 (on ours: --solution), and on a
// published model: ./course run 12 -- --checkpoint FILE --vocabulary FILE.

#include "judge/walkthrough.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>

#include "llama/model.hpp"
#include "llama/training.hpp"
#include "process/typed_path.hpp"
#include "published_model.hpp"
#include "show/show.hpp"

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

using Options = std::map<std::string, std::string>;

Options read_options(const std::vector<std::string>& words) {
    Options options{{"--checkpoint", ""}, {"--vocabulary", ""},     {"--prompt", ""},
                    {"--tokens", "200"},  {"--temperature", "0.8"}, {"--seed", "1"},
                    {"--train", ""},      {"--steps", "4000"}};
    for (std::size_t i = 0; i < words.size(); i += 2) {
        if (!options.contains(words[i]) || i + 1 == words.size()) {
            refuse_options("the options are --checkpoint FILE with --vocabulary FILE, --prompt "
                           "TEXT, --tokens N, --temperature T, --seed N, and --train FOLDER, which "
                           "makes the project's own model anew, with --steps N, got " +
                           words[i]);
        }
        options[words[i]] = words[i + 1];
    }
    return options;
}

double number(const Options& options, const std::string& name, double least, double most) {
    std::istringstream text(options.at(name));
    double value = -1;
    if (!(text >> value) || !text.eof() || !(value >= least && value <= most)) {
        std::ostringstream rule;
        rule << name << " must be from " << least << " to " << most << ", got " << options.at(name);
        refuse_options(rule.str());
    }
    return value;
}

/// What a function makes of a file. A file that it refuses is no fault of the program.
template <class Read>
auto read(const std::string& file, const Read& read_file) {
    try {
        return read_file(file);
    } catch (const std::invalid_argument& error) {
        refuse_options(file + ": " + error.what());
    }
    throw std::logic_error("refused");
}

std::string file_of(const Options& options, const std::string& name, const std::string& own) {
    const std::string& typed = options.at(name);
    return typed.empty() ? own : process::typed_path(typed).string();
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

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Yours reads the tokens one by one.   returns (n, n_tokens)
Matrix read_all(const Checkpoint& model, const Tokens& text) {
    lesson::Cache cache(model.layers.size());
    Matrix logits = Matrix::from_shape({text.size(), model.sizes.n_tokens});
    for (std::size_t i = 0; i < text.size(); ++i) {
        const Vector next = lesson::next_logits(text[i], i, model, cache);
        if (next.size() != model.sizes.n_tokens) {
            throw std::runtime_error("12.5: next_logits has to return a number for each token");
        }
        xt::view(logits, i, xt::all()) = next;
    }
    return logits;
}

/// n: tokens at most, the prompt's included.
Tokens write(const Checkpoint& model, const Vocabulary& vocabulary, const std::string& prompt,
             std::size_t n, double temperature, std::uint64_t seed) {
    heading("3. It writes");
    n = std::min(n, model.sizes.context);
    Tokens text = lesson::encode(prompt, vocabulary);
    text.resize(std::min(text.size(), n));
    lesson::Cache cache(model.layers.size());
    std::cout << llama::decode(text, vocabulary) << std::flush;
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < n; ++i) {
        const Vector logits = lesson::next_logits(text[i], i, model, cache);
        if (!std::isfinite(xt::sum(logits)())) {
            refuse_options("the checkpoint is damaged: its logits are not finite");
        }
        if (i + 1 == text.size()) {
            const std::size_t next = lesson::sample(logits, temperature, 0, 0.9, seed + i);
            if (next == llama::start_of_text || i + 1 == n) {
                break; // the model begins another text
            }
            text.push_back(next);
            std::cout << llama::decode(text[i], next, vocabulary) << std::flush;
        }
    }
    const double yours = static_cast<double>(text.size()) / seconds_since(start);
    std::vector<double> ours(5); // tokens a second
    double apart = 0;
    const Matrix logits = read_all(model, text);
    for (double& rate : ours) {
        llama::Model<float> reader(model, text.size());
        const Clock::time_point begun = Clock::now();
        for (std::size_t i = 0; i < text.size(); ++i) {
            const std::vector<float>& each = reader.next_logits(text[i]);
            for (std::size_t t = 0; t < each.size(); ++t) {
                apart = std::max(apart, std::abs(logits(i, t) - static_cast<double>(each[t])));
            }
        }
        rate = static_cast<double>(text.size()) / seconds_since(begun);
    }
    std::sort(ours.begin(), ours.end());
    std::printf(
        "\n\n%zu tokens. Yours: %.0f tokens a second; the library's float form, with vector\n"
        "registers: %.0f. Their logits differ by %.0e at most.\n",
        text.size(), yours, ours[2], apart);
    return text;
}

void look(const Checkpoint& model, const Vocabulary& vocabulary, Tokens text) {
    heading("4. Where a head looks while it writes");
    text.resize(std::min<std::size_t>(text.size(), 24));
    const std::size_t n = text.size(), n_heads = model.sizes.n_heads;
    std::vector<Matrix> all(model.sizes.n_layers * n_heads, xt::zeros<double>({n, n}));
    std::vector<double> away(
        all.size()); // weight on what is three or more tokens back, but the start
    std::vector<std::string> labels;
    llama::Model<float> reader(model, n);
    for (std::size_t i = 0; i < n; ++i) {
        reader.next_logits(text[i]);
        labels.push_back(shown(text[i], vocabulary));
        for (std::size_t head = 0; head < all.size(); ++head) {
            const Matrix weights = reader.weights(head / n_heads);
            for (std::size_t j = 0; j <= i; ++j) {
                all[head](i, j) = weights(head % n_heads, j);
                away[head] += j > 0 && j + 2 < i ? weights(head % n_heads, j) : 0;
            }
        }
    }
    const auto best =
        static_cast<std::size_t>(std::max_element(away.begin(), away.end()) - away.begin());
    show::heatmap(std::cout, all[best],
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
        const Matrix logits = read_all(model, text);
        Vector logs = Vector::from_shape({text.size() - 1});
        for (std::size_t i = 0; i < logs.size(); ++i) {
            const Vector each = xt::view(logits, i, xt::all());
            const double most = xt::amax(each)();
            logs(i) = each(text[i + 1]) - most - std::log(xt::sum(xt::exp(each - most))());
        }
        table(row, 0) = static_cast<double>(text.size());
        table(row, 1) = lesson::perplexity(logs);
        table(row, 2) = lesson::bits_per_character(logs) * static_cast<double>(logs.size()) /
                        static_cast<double>(llama::decode(text, vocabulary).size());
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
    const Options options = read_options(words);
    const auto n = static_cast<std::size_t>(number(options, "--tokens", 1, 1e6));
    const auto steps = static_cast<std::size_t>(number(options, "--steps", 1, 1e6));
    const auto seed = static_cast<std::uint64_t>(number(options, "--seed", 0, 1e9));
    const double temperature = number(options, "--temperature", 0, 100);
    if (!options.at("--train").empty()) {
        const auto progress = [&](std::size_t step, double loss) {
            if (step % 200 == 0 || step == steps) {
                std::cout << "step " << step << "  loss " << loss << "\n" << std::flush;
            }
        };
        try {
            llama::make_own_model(file_of(options, "--train", ""), lesson::encode, progress, steps);
        } catch (const std::runtime_error& error) { // the folder cannot be written
            refuse_options(error.what());
        }
        return;
    }
    const Checkpoint model =
        read(file_of(options, "--checkpoint", llama::own_checkpoint()),
             [](const auto& file) { return lesson::read_checkpoint(llama::read_file(file)); });
    const Vocabulary vocabulary =
        read(file_of(options, "--vocabulary", llama::own_vocabulary()), [&](const auto& file) {
            return llama::read_vocabulary(llama::read_file(file), model.sizes.n_tokens);
        });
    heading("1. The file");
    const llama::Sizes& s = model.sizes;
    std::cout << s.n_layers << " layers of " << s.dim << " components, " << s.n_heads
              << " heads of queries on " << s.n_kv_heads << " of keys, " << s.hidden
              << " components inside the\nmlp, " << s.n_tokens << " tokens, texts of up to "
              << s.context << ".\n";
    tokens(vocabulary);
    const Tokens text = write(model, vocabulary, options.at("--prompt"), n, temperature, seed);
    look(model, vocabulary, text);
    surprise(model, vocabulary);
}
