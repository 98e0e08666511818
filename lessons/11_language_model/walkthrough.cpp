// Lesson 11 step by step, on your own functions: ./course run 11 (on ours: --solution). With
// options it goes only through its last steps: ./course run 11 -- --help.

#include "walkthrough/walkthrough.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <utility>

#include "comparison/pictures.hpp"
#include "heads.hpp"
#include "language_model.hpp"
#include "show/show.hpp"
#include "your_model.hpp"

using autograd::Array;
using lesson::Matrix;
using lesson::Value;
using lesson::Vector;

namespace {

// ---- the steps before the training

std::string fixed(double value, int decimals) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

Matrix matrix_of(const Array<float>& array) {
    return xt::cast<double>(array);
}

void norms() {
    heading("1. A norm for each row");
    const Array<float> rows{{1.0F, 2.0F, 3.0F, 4.0F}, {10.0F, 20.0F, 30.0F, 40.0F}};
    show::matrix(std::cout, matrix_of(rows), {.title = "X"});
    ask("The second row is ten times the first. What is left of that after layer_norm?");
    autograd::Tape tape;
    const auto numbers = [&](float value) { return tape.constant(Array<float>({4}, value)); };
    const Value X = tape.constant(rows);
    show::matrix(std::cout, matrix_of(lesson::layer_norm(X, numbers(1), numbers(0)).data()),
                 {.title = "your layer_norm(X), gain 1 and bias 0", .decimals = 3});
    std::cout
        << "\nNothing: each row has mean 0 and variance 1. However large the numbers grow in\n"
           "the sum that goes through all blocks, what attention and mlp read stays so.\n";
}

void dice() {
    heading("2. One step of writing");
    const Vector logits{2.0, 1.0, 0.0};
    std::cout
        << "Three characters have the logits 2, 1 and 0. Your sample draws with 1000 seeds.\n";
    ask("Which setting draws the last character most often, and which ones never?");
    struct Setting {
        const char* name;
        double temperature;
        std::size_t top_k;
        double top_p;
    };
    const std::vector<Setting> settings{
        {"T = 0", 0, 0, 1}, {"T = 0.5", 0.5, 0, 1},        {"T = 1", 1, 0, 1},
        {"T = 4", 4, 0, 1}, {"T = 1, top_k = 2", 1, 2, 1}, {"T = 4, top_p = 0.7", 4, 0, 0.7}};
    Matrix counts = xt::zeros<double>({settings.size(), std::size_t{3}});
    std::vector<std::string> names;
    for (std::size_t row = 0; row < settings.size(); ++row) {
        const Setting& s = settings[row];
        names.emplace_back(s.name);
        for (std::uint64_t seed = 0; seed < 1000; ++seed) {
            const std::size_t token = lesson::sample(logits, s.temperature, s.top_k, s.top_p, seed);
            if (token >= 3) {
                throw std::runtime_error("11.3: sample has to return 0, 1 or 2 here, got " +
                                         std::to_string(token));
            }
            counts(row, token) += 1;
        }
    }
    show::matrix(std::cout, counts,
                 {.title = "how often each was drawn",
                  .row_labels = names,
                  .column_labels = {"logit 2", "1", "0"},
                  .decimals = 0});
    std::cout << "\nMost often T = 4, which flattens. Never T = 0, which takes the largest, and\n"
                 "where top_k or top_p has cut it off.\n";
}

void surprises() {
    heading("3. How surprised?");
    std::cout << "A model gave the characters that really came these probabilities.\n";
    ask("In which row is the perplexity 4? Which is worst, and why?");
    const Matrix given{{0.25, 0.25, 0.25, 0.25}, {0.9, 0.9, 0.9, 0.9}, {0.9, 0.9, 0.9, 0.001}};
    Matrix table = Matrix::from_shape({3, 6});
    for (std::size_t row = 0; row < 3; ++row) {
        const Vector logs = xt::log(xt::view(given, row, xt::all()));
        xt::view(table, row, xt::range(0, 4)) = xt::view(given, row, xt::all());
        table(row, 4) = lesson::perplexity(logs);
        table(row, 5) = lesson::bits_per_character(logs);
    }
    show::matrix(std::cout, table,
                 {.title = "probabilities, and your measures of them",
                  .column_labels = {"1st", "2nd", "3rd", "4th", "perplexity", "bits"},
                  .decimals = 3});
    std::cout
        << "\nThe first: a quarter each time is a die with four faces. The last is worst: one\n"
           "character that was given 0.001 counts ln 1000 = 6.9 nats.\n";
}

/// Of the processor, which other programs do not lengthen as they do the clock's.
double milliseconds(const std::function<void()>& work) {
    double least = 1e9;
    for (int i = 0; i < 9; ++i) {
        const std::clock_t start = std::clock();
        work();
        least = std::min(least, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

/// Says where the picture is, or why there is none.
void draw(const std::filesystem::path& output, const std::string& name,
          const std::vector<show::Series>& series, const show::LineChartOptions& chart) {
    std::cout << "\n";
    show::line_chart(std::cout, series, chart);
    const std::string trouble = comparison::draw_curves(output, name, series, chart);
    std::cout << (trouble.empty() ? "Drawn: " + (output / name).string() + ".svg\n"
                                  : "No picture: " + trouble + "\n");
}

/// How far the logits after 16 characters are apart, read again as a whole and through caches.
double largest_difference(const language::Model<float>& model) {
    language::Ids ids(16);
    language::Reader reader(model, your_model::begin);
    Vector through_caches;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ids[i] = 7 * i % model.sizes().n_characters;
        through_caches = reader.read(ids[i]);
    }
    autograd::Tape tape;
    const Value whole = model.logits(tape, ids, 1);
    double largest = 0;
    for (std::size_t c = 0; c < through_caches.size(); ++c) {
        const auto again = static_cast<double>(whole.data()(ids.size() - 1, c));
        largest = std::max(largest, std::abs(through_caches(c) - again));
    }
    return largest;
}

void cost_of_a_token(const std::filesystem::path& output) {
    heading("4. The n-th character, with and without a cache");
    std::cout
        << "A model of 4 blocks with 4 heads and 128 components, weights still random, reads\n"
           "a text of n characters and says what may come next. Without a cache it does\n"
           "the whole text again, with your transformer_block. Your next_logits, with your\n"
           "KeyValueCache for each of the 16 heads, does the last character alone.\n";
    ask("n = 256 after n = 16: how many times as long does either take?");
    const std::vector<double> lengths{16, 32, 64, 128, 256};
    const language::Model<float> model({.n_characters = 60, .context = 512},
                                       your_model::functions().parts, 1);
    std::vector<show::Series> series{{.name = "the whole text again", .x = lengths, .y = {}},
                                     {.name = "with your cache", .x = lengths, .y = {}}};
    Matrix table = Matrix::from_shape({lengths.size(), 2});
    std::vector<std::string> names;
    language::Reader reader(model, your_model::begin);
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        const auto n = static_cast<std::size_t>(lengths[row]);
        table(row, 0) = milliseconds([&] {
            autograd::Tape tape;
            model.logits(tape, language::Ids(n, 1), 1);
        });
        while (reader.n_read() + 1 < n) {
            reader.read(1);
        }
        table(row, 1) = milliseconds([&] { reader.read(1); }); // the n-th, and the next
        names.push_back("n = " + std::to_string(n));
        series[0].y.push_back(table(row, 0));
        series[1].y.push_back(table(row, 1));
    }
    show::matrix(std::cout, table,
                 {.title = "milliseconds of the processor for the n-th character",
                  .row_labels = names,
                  .column_labels = {"whole text", "your cache"},
                  .decimals = 3});
    draw(output, "cost_of_a_token", series,
         {.title = "Milliseconds for the n-th character",
          .x_label = "n",
          .y_label = "ms",
          .log_x = true,
          .log_y = true,
          .height = 12});
    std::cout << "\nWithout a cache everything is done n times. With it, projections and mlp are\n"
                 "done once, whatever n is; only the scores and the mixture grow with n. From 16\n"
                 "to 256 that is "
              << fixed(table(4, 0) / table(0, 0), 0) << " times as long, and "
              << fixed(table(4, 1) / table(0, 1), 1) << " times with your cache.\n";
    const double apart = largest_difference(model);
    std::cout << (apart < 1e-4
                      ? "What it says of the next character is the same, but for rounding.\n"
                      : "It should say the same of the next character, but its logits are "
                        "off by " +
                            fixed(apart, 4) + ":\n11.1, 11.2 or 11.5 is not right yet.\n");
}

// ---- the model

/// −Σ p ln p of single characters, nats: what counting them alone would reach.
double entropy_of_characters(const language::Ids& ids, std::size_t n_characters) {
    std::vector<double> counts(n_characters, 0.0);
    for (const std::size_t id : ids) {
        counts[id] += 1;
    }
    double entropy = 0;
    for (const double count : counts) {
        const double p = count / static_cast<double>(ids.size());
        entropy -= p > 0 ? p * std::log(p) : 0;
    }
    return entropy;
}

void draw_losses(const language::Trained& trained, const std::filesystem::path& output) {
    std::vector<show::Series> series{{.name = "training", .x = {}, .y = {}},
                                     {.name = "validation", .x = {}, .y = {}}};
    for (const language::Evaluation& evaluation : trained.evaluations) {
        for (show::Series& each : series) {
            each.x.push_back(static_cast<double>(evaluation.step));
        }
        series[0].y.push_back(evaluation.train_loss);
        series[1].y.push_back(evaluation.valid_loss);
    }
    draw(output, "language_loss", series,
         {.title = "Loss", .x_label = "steps", .y_label = "nats per character", .height = 10});
    show::write_csv(
        output / "losses.csv",
        {{"step", series[0].x}, {"training", series[0].y}, {"validation", series[1].y}});
}

void measures(const language::Trained& trained) {
    heading("6. What it knows of a text that it has not seen");
    const language::Ids part(
        trained.text.valid.begin(),
        trained.text.valid.begin() +
            static_cast<std::ptrdiff_t>(std::min<std::size_t>(6401, trained.text.valid.size())));
    const Vector logs = language::log_probabilities(trained.model, part);
    const std::size_t n_characters = trained.text.characters.size();
    const auto all_alike = [&](double nats) {
        return Vector(xt::ones<double>({std::size_t{1}}) * -nats);
    };
    const std::vector<Vector> rows{
        all_alike(std::log(static_cast<double>(n_characters))),
        all_alike(entropy_of_characters(trained.text.train, n_characters)), logs};
    Matrix table = Matrix::from_shape({rows.size(), 3});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        table(row, 0) = -xt::mean(rows[row])();
        table(row, 1) = lesson::bits_per_character(rows[row]);
        table(row, 2) = lesson::perplexity(rows[row]);
    }
    show::matrix(
        std::cout, table,
        {.title = std::to_string(logs.size()) + " characters of the part that it is tested on",
         .row_labels = {"all characters alike", "by their frequency", "the model"},
         .column_labels = {"nats", "bits", "perplexity"},
         .decimals = 3});
}

/// At several temperatures, or, where options were given, at that one.
void writes(const language::Trained& trained, language::Options options, bool explains) {
    heading("7. It writes");
    std::vector<double> temperatures{options.temperature};
    if (explains) {
        temperatures = {0, options.temperature, 1.5};
    }
    const std::size_t length = options.length;
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
        options.temperature = temperatures[i];
        options.length = explains && i != 1 ? length / 3 : length;
        std::cout << show::bold("T = " + fixed(temperatures[i], 1)) << "\n";
        language::write_text(trained, options, your_model::functions(), std::cout);
        std::cout << "\n";
    }
}

void look_at_heads(const language::Trained& trained) {
    heading("8. Where its heads look");
    const heads::Look look = heads::look(trained, 32);
    std::vector<std::string> labels, blocks, names;
    for (const std::size_t id : look.ids) {
        const std::string& character = trained.text.characters.character(id);
        const bool is_blank = character == "\n" || character == "\t" || character == "\r";
        labels.push_back(is_blank ? " " : character);
    }
    for (std::size_t block = 0; block < look.largest.shape(0); ++block) {
        blocks.push_back("block " + std::to_string(block));
    }
    for (std::size_t head = 0; head < look.largest.shape(1); ++head) {
        names.push_back("head " + std::to_string(head));
    }
    const auto table = [&](const Matrix& numbers, const std::string& title, std::size_t decimals) {
        show::matrix(
            std::cout, numbers,
            {.title = title, .row_labels = blocks, .column_labels = names, .decimals = decimals});
    };
    const auto map = [&](const heads::Head& head, const std::string& which) {
        std::cout << "\n";
        show::heatmap(std::cout, look.of(head),
                      {.title = blocks[head.first] + ", " + names[head.second] + ", " + which +
                                ": each row looks back from its character",
                       .row_labels = labels,
                       .column_labels = labels,
                       .range = show::Range{0, 1},
                       .numbers = false});
    };
    table(look.distance, "how many characters back, mean of the weights", 1);
    std::cout << "\n";
    table(look.largest, "the largest weight of a row, mean", 2);
    map(heads::largest_of(look.largest), "the sharpest");
    ask("Each head is left out in turn. Does the model need the sharpest most?");
    table(look.loss_without, "nats that the validation loss rises by without this head", 3);
    map(heads::largest_of(look.loss_without), "needed most");
    const auto [block, head] = heads::largest_of(look.largest);
    std::cout << "\nWithout the sharpest the loss rises by "
              << fixed(look.loss_without(block, head), 3) << ", at most by "
              << fixed(xt::amax(look.loss_without)(), 3) << ".\n";
    std::cout
        << "\nAs in lesson 07: a weight says where a head looks, and is no explanation. What\n"
           "it reads there has come through the blocks before, and holds more than the\n"
           "character that is there; and whether it matters for what is said next, only\n"
           "a change shows, as in the last table.\n";
}

void train_and_write(language::Text text, const language::Command& command, bool explains) {
    heading("5. A model that learns to write");
    if (explains) {
        std::cout
            << "All of it is now trained, with your layer_norm and transformer_block; for every\n"
               "sample your next_logits reads and your sample draws. Ctrl-C loses nothing.\n";
        std::cout << "\nIt starts with random letters.\n";
        ask("What will it have learned first: words, spaces, or how a sentence ends?");
    }
    const language::Trained trained =
        language::train(std::move(text), command.options, your_model::functions(), std::cout);
    if (trained.evaluations.size() > 1) {
        draw_losses(trained, command.options.output);
    }
    if (explains && !command.is_short) {
        std::cout
            << "\nThe samples say: first spaces and the lengths of words, then spelling, and last\n"
               "how a sentence goes on.\n";
    }
    measures(trained);
    writes(trained, command.options, explains);
    look_at_heads(trained);
}

} // namespace

void walkthrough(const std::vector<std::string>& words) {
    const language::Command command = refusing([&] { return language::read_command(words); });
    if (!command.help.empty()) {
        std::cout << command.help;
        return;
    }
    // Read first: what is wrong with it is said before anything is printed.
    std::optional<language::Text> text;
    if (command.trains) {
        text = refusing([&] { return language::load_text(command.options); });
    }
    const bool whole = words.empty() || command.is_short || !command.trains;
    if (whole) {
        norms();
        dice();
        surprises();
        cost_of_a_token(command.options.output);
    }
    if (text) {
        language::Text& read = *text;
        refusing([&] { train_and_write(std::move(read), command, whole); });
    }
}
