// Lesson 07 step by step, on your own functions: ./course run 07 (on ours: --solution).
// Options, of the comparison at the end: ./course run 07 -- --help

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>

#include "attention/attention.hpp"
#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "autograd/kernels.hpp"
#include "bahdanau_comparison.hpp"
#include "comparison/command.hpp"
#include "comparison/pictures.hpp"
#include "seq2seq/trainer.hpp"
#include "show/show.hpp"
#include "walkthrough/walkthrough.hpp"

using attention::standard_normal;
using lesson::Matrix;
using lesson::Value;
using lesson::Vector;
using lesson::Words;

namespace {

void decoder_step() {
    heading("1. One step of a decoder: the cat sleeps");
    const Matrix s{{2, 1}};                 // the decoder's state, after it has written "le"
    const Matrix H{{1, 0}, {2, 1}, {0, 2}}; // the encoder's states: the, cat, sleeps
    const Matrix scores = attention::scaled_scores(s, H);
    const attention::Attention step = attention::attention(s, H, H);
    std::cout
        << "The decoder has written \"le\"; its state is [2, 1]. The encoder's states of the,\n"
           "cat and sleeps are [1, 0], [2, 1] and [0, 2].\n";
    ask("Which source word gets the largest weight, and is the context vector close to its state?");
    Matrix table = Matrix::from_shape({3, 4});
    for (std::size_t j = 0; j < 3; ++j) {
        table(j, 0) = H(j, 0);
        table(j, 1) = H(j, 1);
        table(j, 2) = scores(0, j);
        table(j, 3) = step.weights(0, j);
    }
    show::matrix(std::cout, table,
                 {.title = "s . h / root of 2, and its softmax",
                  .row_labels = {"the", "cat", "sleeps"},
                  .column_labels = {"h", "", "score", "weight"},
                  .decimals = 3});
    std::cout << "\n";
    show::matrix(std::cout, step.output, {.title = "context vector", .decimals = 3});
}

void by_hand() {
    heading("2. The additive score by hand");
    const Matrix S{{1, 0}};
    const Matrix H{{1, 0}, {0, 1}, {0.5, 0.5}};
    const Matrix I{{1, 0}, {0, 1}};
    const Vector v{1, -1};
    const Matrix scores = lesson::additive_scores(S, H, I, I, v);
    const Matrix products = attention::raw_scores(S, H);
    std::cout << "s = [1, 0], three keys, W_s = W_h = 1, v = [1, -1].\n";
    ask("Which key has the largest additive score? Is it the one with the largest dot product?");
    Matrix table = Matrix::from_shape({3, 6});
    for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t a = 0; a < 2; ++a) {
            table(j, a) = S(0, a) + H(j, a);
            table(j, 2 + a) = std::tanh(S(0, a) + H(j, a));
        }
        table(j, 4) = scores(0, j);
        table(j, 5) = products(0, j);
    }
    show::matrix(std::cout, table,
                 {.title = "yours: v . tanh(s + h)",
                  .row_labels = {"h = [1, 0]", "h = [0, 1]", "h = [1/2, 1/2]"},
                  .column_labels = {"s+h", "", "tanh", "", "yours", "s.h"},
                  .decimals = 3});
}

/// Nanoseconds that a call takes: the median of several measurements of some milliseconds each.
template <class Call>
double nanoseconds(const Call& call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> all;
    for (int measurement = 0; measurement < 5; ++measurement) {
        std::size_t calls = 0;
        const Clock::time_point start = Clock::now();
        double elapsed = 0;
        for (; elapsed < 2e6; ++calls) {
            call();
            elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
        }
        all.push_back(elapsed / static_cast<double>(calls));
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

std::vector<float> floats(std::size_t n, std::uint64_t seed) {
    const Matrix drawn = standard_normal(1, n, seed);
    return {drawn.begin(), drawn.end()};
}

/// One decoder state against the encoder states of a sentence, as at every step of a translation.
void costs(bool draw) {
    const Matrix S = standard_normal(2, 3, 1), H = standard_normal(5, 4, 2);
    const Matrix W_s = standard_normal(3, 6, 3), W_h = standard_normal(4, 6, 4);
    const Vector v = xt::view(standard_normal(1, 6, 5), 0, xt::all());
    const Matrix at_once = lesson::additive_scores(S, H, W_s, W_h, v);
    const Matrix in_steps = lesson::additive_scores_from(S, lesson::project_keys(H, W_h), W_s, v);
    heading("3. Keys projected once, and what a pair costs");
    std::cout << "07.1 and 07.2 on 2 states and 5 keys: the largest difference is "
              << xt::amax(xt::abs(at_once - in_steps))() << ".\n";
    if (!draw) {
        return;
    }

    ask("How many times as long as a dot product does an additive score take, at d = 128?");
    training::prepare_process(); // one thread for all four
    constexpr std::size_t n_keys = 32;
    const std::vector<double> sizes{16, 32, 64, 128, 256, 512};
    std::vector<show::Series> series{
        {.name = "07.1, keys projected each time", .x = sizes, .y = {}},
        {.name = "07.2, keys given", .x = sizes, .y = {}},
        {.name = "additive, tanh on all lanes", .x = sizes, .y = {}},
        {.name = "dot product", .x = sizes, .y = {}}};
    Matrix table = Matrix::from_shape({sizes.size(), series.size()});
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto d = static_cast<std::size_t>(sizes[i]);
        const Matrix s = standard_normal(1, d, 1), h = standard_normal(n_keys, d, 2);
        const Matrix W = standard_normal(d, d, 3) / std::sqrt(sizes[i]);
        const Vector w = xt::view(standard_normal(1, d, 5), 0, xt::all());
        const Matrix keys = lesson::project_keys(h, W);
        const std::vector<float> q = floats(d, 6), k = floats(n_keys * d, 7), u = floats(d, 8);
        std::vector<float> scores(n_keys);
        const std::vector<double> times{
            nanoseconds([&] { lesson::additive_scores(s, h, W, W, w); }),
            nanoseconds([&] { lesson::additive_scores_from(s, keys, W, w); }), nanoseconds([&] {
                autograd::kernels::additive_scores(q.data(), k.data(), u.data(), n_keys, d,
                                                   scores.data());
            }),
            nanoseconds([&] {
                for (std::size_t j = 0; j < n_keys; ++j) {
                    scores[j] = autograd::kernels::dot(q.data(), k.data() + j * d, d);
                }
            })};
        rows.push_back("d = " + std::to_string(d));
        for (std::size_t column = 0; column < times.size(); ++column) {
            table(i, column) = times[column] / n_keys;
            series[column].y.push_back(times[column] / n_keys);
        }
    }
    std::cout << "\n";
    show::matrix(
        std::cout, table,
        {.title = "nanoseconds per (query, key) pair, one query and 32 keys, d_s = d_h = d_a = d",
         .row_labels = rows,
         .column_labels = {"07.1", "07.2", "vector tanh", "dot product"},
         .decimals = 1});
    std::cout
        << "\n07.1 and 07.2 are yours, in double, the projection of the query included. The other\n"
           "two do the same work as each other: the course's own inner loops, in float, without\n"
           "projections, as many numbers at a time as the machine's registers hold.\n";
    const std::string trouble =
        comparison::draw_curves("out", "cost_of_scores", series,
                                {.title = "Cost of a (query, key) pair, one query and 32 keys",
                                 .x_label = "d",
                                 .y_label = "nanoseconds",
                                 .log_x = true,
                                 .log_y = true});
    std::cout << (trouble.empty() ? "Drawn: out/cost_of_scores.svg\n"
                                  : "No picture: " + trouble + "\n");
}

/// Σ over all scores, so that every score has the gradient 1.
double sum_of_scores(const seq2seq::Array<float>& states, const seq2seq::Array<float>& keys,
                     const seq2seq::Array<float>& v, bool is_additive,
                     seq2seq::Array<float>* d_states) {
    autograd::Tape tape;
    const Value s = tape.variable(states), k = tape.constant(keys), w = tape.constant(v);
    const Value total =
        sum(is_additive ? lesson::additive(s, k, w) : lesson::scaled_dot_product(s, k));
    if (d_states != nullptr) {
        tape.backward(total);
        *d_states = s.gradient();
    }
    return static_cast<double>(total.data()());
}

/// e = (a b)^2 on a tape of two notes, as autograd does it on arrays.
void tape_by_hand() {
    heading("4. A tape of two notes");
    std::cout << "a = 2, b = 3, c = a b, e = c c. Each product adds a note on how to go back.\n";
    ask("What are the derivatives of e with respect to c, a and b?");
    std::vector<std::function<void()>> tape;
    const double a = 2, b = 3;
    double d_a = 0, d_b = 0, d_c = 0, d_e = 0;
    const double c = a * b;
    tape.emplace_back([&] { d_a += b * d_c, d_b += a * d_c; });
    const double e = c * c;
    tape.emplace_back([&] { d_c += 2 * c * d_e; });
    d_e = 1;
    for (auto note = tape.rbegin(); note != tape.rend(); ++note) {
        (*note)();
    }
    std::cout << "c = " << c << ", e = " << e << "; backwards d_c = " << d_c << ", d_a = " << d_a
              << ", d_b = " << d_b << "\n";
}

void gradients() {
    heading("5. Scores that can be trained");
    using autograd::Array;
    Array<float> states{{0.5F, -1.0F, 0.25F}};
    Array<float> keys = Array<float>::from_shape({1, 2, 3});
    const std::vector<float> numbers{0.1F, 0.4F, -0.3F, -0.8F, 0.6F, 1.2F};
    std::copy(numbers.begin(), numbers.end(), keys.begin());
    const Array<float> v{1.0F, -0.5F, 2.0F};
    std::cout << "One state of three components, two keys. The gradient of the scores' sum.\n";
    ask("For which score does the gradient not depend on the state?");
    Matrix table = Matrix::from_shape({4, 3});
    for (std::size_t arm = 0; arm < 2; ++arm) {
        Array<float> d_states;
        sum_of_scores(states, keys, v, arm == 0, &d_states);
        for (std::size_t c = 0; c < 3; ++c) {
            constexpr float step = 1e-2F;
            Array<float> more = states, less = states;
            more(0, c) += step;
            less(0, c) -= step;
            table(2 * arm, c) = d_states(0, c);
            table(2 * arm + 1, c) = (sum_of_scores(more, keys, v, arm == 0, nullptr) -
                                     sum_of_scores(less, keys, v, arm == 0, nullptr)) /
                                    (2 * static_cast<double>(step));
        }
    }
    show::matrix(std::cout, table,
                 {.title = "d (sum of the scores) / d state, by your operations and by small steps",
                  .row_labels = {"additive", "by steps", "scaled_dot_product", "by steps"},
                  .decimals = 3});
}

void bleu_by_hand() {
    heading("6. BLEU");
    const std::vector<std::string> lines{"a cat sat on the mat", "a cat is on the mat",
                                         "on the mat sat a cat", "a cat sat on",
                                         "the the the the the"};
    const std::vector<Words> reference{seq2seq::split("a cat sat on the mat")};
    std::cout
        << "The reference is \"a cat sat on the mat\". One hypothesis has one other word, one has\n"
           "the right words in another order, one lacks two.\n";
    ask("Put the three in order, the best first.");
    Matrix scores = Matrix::from_shape({lines.size(), 1});
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        scores(i, 0) = lesson::bleu({seq2seq::split(lines[i])}, {reference});
        labels.push_back(lines[i]);
    }
    show::matrix(std::cout, scores,
                 {.title = "beside the reference \"a cat sat on the mat\"",
                  .row_labels = labels,
                  .column_labels = {"your BLEU"},
                  .decimals = 2});
}

void comparison_by_hand() {
    heading("7. Two models' attention on one sentence");
    const Matrix A{{0.9, 0.1, 0.0}, {0.2, 0.7, 0.1}, {0.1, 0.3, 0.6}};
    const Matrix B{{0.8, 0.1, 0.1}, {0.1, 0.3, 0.6}, {0.0, 0.1, 0.9}};
    const lesson::Mask gold{{true, false, false}, {false, true, false}, {false, false, true}};
    std::vector<show::Cell> diagonal{{0, 0}, {1, 1}, {2, 2}};
    show::heatmap(std::cout, A,
                  {.title = "A, gold in brackets",
                   .range = show::Range{0, 1},
                   .numbers = false,
                   .marked = diagonal});
    std::cout << "\n";
    show::heatmap(std::cout, B,
                  {.title = "B", .range = show::Range{0, 1}, .numbers = false, .marked = diagonal});
    ask("In how many of the three rows do A and B agree? Which is right more often?");
    const lesson::Comparison of_A = lesson::compare_attention(A, B, gold);
    const lesson::Comparison of_B = lesson::compare_attention(B, A, gold);
    show::matrix(std::cout,
                 Matrix{{of_A.argmax_agreement, of_A.js_divergence, of_A.alignment_accuracy,
                         of_B.alignment_accuracy}},
                 {.title = "your comparison",
                  .column_labels = {"agreement", "divergence", "A accurate", "B accurate"},
                  .decimals = 3});
}

using Score = std::function<Value(const Value& states, const Value& keys, const Value& v)>;

/// A scorer of the model made of yours. What goes wrong in it is your function's doing, not that of
/// an option or a file.
seq2seq::Scorer<float> scorer(const std::string& name, bool uses_v, const Score& score) {
    return {name, uses_v, [=](const Value& states, const Value& keys, const Value& v) {
                try {
                    const Value scores = score(states, keys, v);
                    if (!scores.exists() || scores.dimension() != 2 ||
                        scores.shape(0) != keys.shape(0) || scores.shape(1) != keys.shape(1)) {
                        throw std::runtime_error("07.3 has to return scores (batch, n_keys)");
                    }
                    return scores;
                } catch (const std::invalid_argument& error) {
                    throw std::runtime_error(error.what());
                }
            }};
}

void train(const comparison::Options& options, bool is_default) {
    heading("8. One model, three scores");
    if (is_default) {
        std::cout << "Nine trainings follow, then a table of results.\n";
        ask("Write down a guess: which score has the higher BLEU on the test set, which on the "
            "long\n"
            "one, which spreads its weights more, which takes longer? What if nobody divides?");
    }
    std::cout << std::flush;
    const auto scaled = [](const Value& states, const Value& keys, const Value&) {
        return lesson::scaled_dot_product(states, keys);
    };
    const auto unscaled = [](const Value& states, const Value& keys, const Value&) {
        const float root = std::sqrt(static_cast<float>(keys.shape(2)));
        return autograd::scale(lesson::scaled_dot_product(states, keys), root);
    };
    comparison::run_comparison(options,
                               {scorer("additive", true, lesson::additive),
                                scorer("scaled_dot_product", false, scaled),
                                scorer("dot_product", false, unscaled)},
                               std::cout);
}

} // namespace

void walkthrough(const std::vector<std::string>& words) {
    const comparison::Command command = refusing([&] { return comparison::read_command(words); });
    if (!command.help.empty()) {
        std::cout << command.help;
        return;
    }
    if (words.empty() || !command.trains) {
        decoder_step();
        by_hand();
        costs(command.trains);
        tape_by_hand();
        gradients();
        bleu_by_hand();
        comparison_by_hand();
    }
    if (command.trains) {
        refusing([&] { train(command.options, words.empty()); });
    }
}
