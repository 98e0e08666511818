// Lesson 07 step by step, on your own functions: ./course run 07 (on ours: --solution).
// Options, of the comparison at the end: ./course run 07 -- --help

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "autograd/kernels.hpp"
#include "bahdanau_comparison.hpp"
#include "comparison/command.hpp"
#include "comparison/pictures.hpp"
#include "judge/walkthrough.hpp"
#include "seq2seq/trainer.hpp"
#include "show/show.hpp"

using attention::standard_normal;
using lesson::Matrix;
using lesson::Value;
using lesson::Vector;
using lesson::Words;

namespace {

void by_hand() {
    heading("1. One decoder state and three encoder states");
    const Matrix S{{1, 0}};
    const Matrix H{{1, 0}, {0, 1}, {0.5, 0.5}};
    const Matrix I{{1, 0}, {0, 1}};
    const Vector v{1, -1};
    const Matrix scores = lesson::additive_scores(S, H, I, I, v);
    const Matrix products = attention::raw_scores(S, H);
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
                 {.title = "s = [1, 0], W_s = W_h = 1, v = [1, -1]",
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
    heading("2. Keys projected once, and what a pair costs");
    std::cout << "07.1 and 07.2 on 2 states and 5 keys: the largest difference is "
              << xt::amax(xt::abs(at_once - in_steps))() << ".\n";
    if (!draw) {
        return;
    }

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
        {.title = "nanoseconds a (query, key) pair, one query and 32 keys, d_s = d_h = d_a = d",
         .row_labels = rows,
         .column_labels = {"07.1", "07.2", "vector tanh", "dot product"},
         .decimals = 1});
    std::cout
        << "\n07.1 and 07.2 are yours. The other two are the course's own inner loops, in float,\n"
           "without the projection of the query: as many numbers at a time as the machine's\n"
           "registers hold.\n";
    const std::string trouble =
        comparison::draw_curves("out", "cost_of_scores", series,
                                {.title = "Cost of a (query, key) pair, one query and 32 keys",
                                 .x_label = "d",
                                 .y_label = "nanoseconds",
                                 .log_x = true,
                                 .log_y = true});
    std::cout << (trouble.empty() ? "Drawn: out/cost_of_scores.svg and .png\n"
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

void gradients() {
    heading("3. Scores that can be trained");
    using autograd::Array;
    Array<float> states{{0.5F, -1.0F, 0.25F}};
    Array<float> keys = Array<float>::from_shape({1, 2, 3});
    const std::vector<float> numbers{0.1F, 0.4F, -0.3F, -0.8F, 0.6F, 1.2F};
    std::copy(numbers.begin(), numbers.end(), keys.begin());
    const Array<float> v{1.0F, -0.5F, 2.0F};
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
    heading("4. BLEU");
    const std::vector<std::string> lines{"a cat sat on the mat", "a cat is on the mat",
                                         "on the mat sat a cat", "a cat sat on",
                                         "the the the the the"};
    const std::vector<Words> reference{seq2seq::split("a cat sat on the mat")};
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
    heading("5. Two models' attention on one sentence");
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
    std::cout << "\n";
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

void train(const comparison::Options& options) {
    heading("6. One model, three scores");
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

/// What options and files are to blame for is said in one line.
template <class Call>
auto refusing(const Call& call) {
    try {
        return call();
    } catch (const std::invalid_argument& error) {
        refuse_options(error.what());
    }
}

} // namespace

void walkthrough(const std::vector<std::string>& words) {
    const comparison::Command command = refusing([&] { return comparison::read_command(words); });
    if (!command.help.empty()) {
        std::cout << command.help;
        return;
    }
    if (words.empty() || !command.trains) {
        by_hand();
        costs(command.trains);
        gradients();
        bleu_by_hand();
        comparison_by_hand();
    }
    if (command.trains) {
        refusing([&] { train(command.options); });
    }
}
