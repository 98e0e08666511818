// Lesson 08 step by step, on your own functions: ./course run 08 (on ours: --solution).

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include "attention/attention.hpp"
#include "attention/product.hpp"
#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "experiment.hpp"
#include "gradients.hpp"
#include "show/show.hpp"
#include "tables.hpp"
#include "walkthrough/walkthrough.hpp"

using attention::matmul;
using attention::matmul_transposed;
using attention::standard_normal;
using lesson::Learned;
using lesson::Mask;
using lesson::Matrix;
using lesson::Projections;
using lesson::Table;
using lesson::Vector;

namespace {

using lesson::experiment;
using lesson::Options;

void through_a_softmax() {
    heading("1. Back through a softmax");
    const Matrix p{{1.0 / 2, 1.0 / 3, 1.0 / 6}};
    const Matrix g{{6, 0, 0}};
    show::matrix(std::cout, p, {.title = "weights p", .decimals = 3});
    show::matrix(std::cout, g, {.title = "d_weights g: L rises with weight 0"});
    ask("Σ p g is 3. What comes out, p ∘ (g − 3)?");
    show::matrix(std::cout, lesson::softmax_backward(p, g),
                 {.title = "your softmax_backward(p, g)", .decimals = 3});
    const Vector p_row = xt::view(p, 0, xt::all());
    show::matrix(std::cout, matmul(g, attention::softmax_jacobian(p_row)),
                 {.title = "g · J, with lesson 03's Jacobian", .decimals = 3});
    show::matrix(std::cout, lesson::softmax_backward(p, {{5, 5, 5}}),
                 {.title = "and of g = [5, 5, 5]: nothing gets through", .decimals = 3});
}

void through_a_product() {
    heading("2. Back through a product");
    const Matrix A{{1, 2}}, B{{1, 0, 2}, {0, 1, 3}}, d_C{{1, 10, 100}};
    show::matrix(std::cout, A, {.title = "A"});
    show::matrix(std::cout, B, {.title = "B"});
    show::matrix(std::cout, d_C, {.title = "d_C: how fast L rises with each element of C = A · B"});
    ask("A(0, 0) is multiplied by row 0 of B. By how much does L rise if it rises by 1?");
    const auto [d_A, d_B] = lesson::matmul_backward(A, B, d_C);
    std::cout << "By 1 · 1 + 10 · 0 + 100 · 2 = 201.\n\n";
    show::matrix(std::cout, d_A, {.title = "your d_A = d_C · Bᵀ"});
    show::matrix(std::cout, d_B, {.title = "your d_B = Aᵀ · d_C"});
}

// Lesson 01's sentence: what each word asks for, offers, gives, and should receive.
const std::vector<std::string> words{"the", "cat", "sleeps"};
const Matrix sentence_Q{{1, 0}, {0, 1}, {1, 0}};
const Matrix sentence_K{{0, 0}, {1, 0}, {0, 1}};
const Matrix sentence_V{{0, 0}, {4, 2}, {0, 4}};
const Matrix wanted{{4, 2}, {0, 4}, {4, 2}};

Matrix error_of(const Matrix& Q) {
    return attention::attention(Q, sentence_K, sentence_V).output - wanted;
}

/// Half the squared distance from what is wanted, the mean of the words.
double loss_of(const Matrix& Q) {
    return xt::sum(xt::square(error_of(Q)))() / 6;
}

void through_attention() {
    heading("3. Back through attention");
    const auto [output, weights] = attention::attention(sentence_Q, sentence_K, sentence_V);
    const Matrix d_output = error_of(sentence_Q) / 3;
    const Mask all = xt::ones<bool>({3, 3});
    std::cout << "The cat sleeps, with lesson 01's queries, keys and values. \"the\" should "
                 "receive\nwhat \"cat\" gives, \"cat\" what \"sleeps\" gives, \"sleeps\" what "
                 "\"cat\" gives.\n\n";
    std::ostringstream left, right;
    show::matrix(left, output, {.title = "output", .row_labels = words, .decimals = 2});
    show::matrix(right, d_output,
                 {.title = "d_output = (output - wanted) / 3", .row_labels = words, .decimals = 2});
    show::beside(std::cout, {left.str(), right.str()});
    ask("\"the\" looks for a noun with the query [1, 0]. Should its first component grow?");
    std::cout << "Yes: its gradient is negative, and a step goes against the gradient.\n\n";
    const auto [d_Q, d_K, d_V] =
        lesson::attention_backward(sentence_Q, sentence_K, sentence_V, all, weights, d_output);
    std::ostringstream queries, keys, values;
    show::matrix(queries, d_Q, {.title = "your d_Q", .row_labels = words, .decimals = 3});
    show::matrix(keys, d_K, {.title = "d_K", .row_labels = words, .decimals = 3});
    show::matrix(values, d_V, {.title = "d_V", .row_labels = words, .decimals = 3});
    show::beside(std::cout, {queries.str(), keys.str(), values.str()});
    std::cout << "\nA step of -d_Q takes the loss from " << number(loss_of(sentence_Q)) << " to "
              << number(loss_of(sentence_Q - d_Q)) << ".\n";

    Mask causal = all;
    causal(0, 1) = causal(0, 2) = causal(1, 2) = false;
    Matrix seen = weights;
    xt::view(seen, 0, xt::all()) = Vector{1, 0, 0};
    xt::view(seen, 1, xt::range(0, 3)) = Vector{0.5, 0.5, 0};
    const auto blocked = lesson::attention_backward(sentence_Q, sentence_K, sentence_V, causal,
                                                    seen, {{1, 1}, {0, 0}, {0, 0}});
    std::cout
        << "\nUnder a causal mask \"the\" sees itself alone. Its output is given a gradient,\n"
           "the others none.\n";
    ask("Which keys and values get one from it?");
    std::ostringstream to_keys, to_values;
    show::matrix(to_keys, blocked.d_K, {.title = "d_K", .row_labels = words});
    show::matrix(to_values, blocked.d_V, {.title = "d_V", .row_labels = words});
    show::beside(std::cout, {to_keys.str(), to_values.str()});
    std::cout
        << "\nThe value of \"the\" alone. Its weight is 1 whatever the scores are, so no key\n"
           "gets one; and the other values are not seen.\n";
}

void check_by_small_steps() {
    heading("4. Is it right? Small steps say so");
    const Matrix Q = standard_normal(3, 4, 1), K = standard_normal(5, 4, 2),
                 V = standard_normal(5, 2, 3), d_output = standard_normal(3, 2, 4);
    const Vector x = xt::flatten(Q);
    const auto f = [&](const Vector& at) {
        const Matrix moved = xt::reshape_view(at, std::array<std::size_t, 2>{3, 4});
        return xt::sum(attention::attention(moved, K, V).output * d_output)();
    };
    const auto [output, weights] = attention::attention(Q, K, V);
    const Mask all = xt::ones<bool>({3, 5});
    const Vector right =
        xt::flatten(lesson::attention_backward(Q, K, V, all, weights, d_output).d_Q);
    Vector wrong = right;
    wrong(7) *= 1.001;
    std::cout << "d_Q of your attention_backward at random Q, K and V, held against centred\n"
                 "differences; and the same with one of its 12 components 0.1 % too large.\n";
    ask("As h goes from 1e-1 to 1e-12, where is the error smallest?");
    std::cout << "    h   yours  0.1 % off\n";
    for (int exponent = 1; exponent <= 12; ++exponent) {
        const double h = std::pow(10.0, -exponent);
        std::cout << "1e-" << (exponent < 10 ? "0" : "") << exponent
                  << lesson::padded(number(lesson::gradient_check(f, x, right, h), 1), 8)
                  << lesson::padded(number(lesson::gradient_check(f, x, wrong, h), 1), 11) << "\n";
    }
    std::cout
        << "\nNear 1e-5. For a larger h the error falls with h², for a smaller one rounding\n"
           "grows with 1/h. The wrong component is a fifth of the largest, so the check says\n"
           "2e-4, and no h brings that down.\n";
}

std::vector<std::string> component_names() {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < tables::d_model; ++c) {
        names.push_back(c < tables::code ? "c" + std::to_string(c)
                                         : "x" + std::to_string(c - tables::code));
    }
    return names;
}

/// As numbers alone where there are no colours.
void draw_scores(const std::string& when, const Projections& W) {
    const Matrix scores = matmul_transposed(W.W_q, W.W_k);
    const std::string title = "W_q · W_kᵀ " + when;
    if (show::terminal().colours == show::Colours::none) {
        show::matrix(std::cout, scores,
                     {.title = title,
                      .row_labels = component_names(),
                      .column_labels = component_names(),
                      .decimals = 1});
    } else {
        show::heatmap(std::cout, scores,
                      {.title = title,
                       .row_labels = component_names(),
                       .column_labels = component_names(),
                       .decimals = 1});
    }
}

/// The mean weight that queries of tables never learned from give to the entry they ask for.
double found(const Projections& W) {
    double sum = 0;
    constexpr std::size_t count = 20;
    for (const Table& table : tables::lookup_tables(count, 5000)) {
        const Matrix weights =
            attention::attention_weights(matmul(table.asked, W.W_q), matmul(table.entries, W.W_k));
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            sum += weights(i, i) / static_cast<double>(weights.shape(0));
        }
    }
    return sum / count;
}

double mean_of_last(const Vector& losses, std::size_t n) {
    return xt::mean(xt::view(losses, xt::range(losses.size() - n, losses.size())))();
}

void learn_a_lookup() {
    heading("5. Learning to look up");
    constexpr double rate = 0.3;
    constexpr std::size_t steps = 400, d_k = 4;
    const Projections start = tables::small_start(d_k, 5);
    std::cout << "A table has 16 entries: a code of four signs, and a content of three random\n"
                 "numbers. A query knows the code alone, and should receive the content. W_q, W_k\n"
                 "and W_v start as small random numbers, and nothing says where to look. Below, c\n"
                 "are the components of a code, x those of a content.\n\n";
    draw_scores("before", start);
    std::cout << "\n400 steps, each with one of eight tables in turn. A score is code · W_q · W_kᵀ "
                 "· entry.\n";
    ask("Which W_q · W_kᵀ would find the entry with the same code?");
    for (const std::size_t until : {std::size_t{75}, steps}) {
        const Learned at = lesson::learn_lookup(tables::lookup_tables(8, 1), start, until, rate);
        draw_scores("after " + std::to_string(until) + " steps", {at.W_q, at.W_k, at.W_v});
        std::cout << "\n";
    }
    std::cout
        << "Code against code, c0 to c3, it has become about a multiple of the identity: the\n"
           "entry with the same code has the largest score.\n\n";
    Matrix table = Matrix::from_shape({4, 3});
    std::vector<std::string> names;
    std::vector<show::Series> curves;
    std::size_t row = 0;
    for (const std::size_t count : {1U, 2U, 4U, 8U}) {
        const Learned learned =
            lesson::learn_lookup(tables::lookup_tables(count, 1), start, steps, rate);
        names.push_back(std::to_string(count) + (count == 1 ? " table" : " tables"));
        table(row, 0) = learned.losses(0);
        table(row, 1) = mean_of_last(learned.losses, 8);
        table(row++, 2) = found({learned.W_q, learned.W_k, learned.W_v});
        if (count == 1 || count == 8) {
            show::Series curve{.name = names.back()};
            for (std::size_t t = 0; t < steps; t += 8) {
                curve.x.push_back(static_cast<double>(t));
                curve.y.push_back(xt::mean(xt::view(learned.losses, xt::range(t, t + 8)))());
            }
            curves.push_back(std::move(curve));
        }
    }
    show::line_chart(std::cout, curves,
                     {.title = "loss, the mean of eight steps",
                      .x_label = "step",
                      .y_label = "loss",
                      .log_y = true});
    ask("The same with fewer tables. From how many is a lookup learned?");
    show::matrix(std::cout, table,
                 {.title = "learned from",
                  .row_labels = names,
                  .column_labels = {"first loss", "last 8", "found"},
                  .decimals = 3});
    std::cout
        << "\nFrom eight. Last 8: the mean loss of the last eight steps. Found: the weight on\n"
           "the right entry in 20 new tables; equal weights give 1/16 = 0.063. With one\n"
           "table the loss falls, too, but what is learned are its contents.\n";
}

Options parse(const std::vector<std::string>& typed) {
    Options options;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        if (typed[i] == "--no-experiment") {
            options.experiment = false;
        } else if (typed[i] == "--csv" && i + 1 < typed.size()) {
            options.csv = typed[++i];
        } else if (set_number({{"--seeds", options.seeds, 1, 100},
                               {"--max-dk", options.max_dk, 4, 4096},
                               {"--steps", options.steps, 8, 100000}},
                              typed, i)) {
            ++i;
        } else {
            refuse_options("the options are --no-experiment, --seeds N, --max-dk N, --steps N and "
                           "--csv FILE, got " +
                           typed[i]);
        }
    }
    return options;
}

} // namespace

void walkthrough(const std::vector<std::string>& typed) {
    const Options options = parse(typed);
    through_a_softmax();
    through_a_product();
    through_attention();
    check_by_small_steps();
    learn_a_lookup();
    if (options.experiment) {
        experiment(options);
    }
}
