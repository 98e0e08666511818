// Lesson 04 step by step, on your own functions: ./course run 04 (on ours: --solution).

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <utility>

#include "aggregation.hpp"
#include "attention/product.hpp"
#include "attention/projections.hpp"
#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "show/show.hpp"
#include "walkthrough/walkthrough.hpp"

using lesson::Matrix;

namespace {

const Matrix eye2{{1, 0}, {0, 1}};
const Matrix eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// Lesson 01's sentence, and what each word gives.
const std::vector<std::string> words{"the", "cat", "sleeps"};
const Matrix values{{0, 0}, {4, 2}, {0, 4}};

double largest_difference(const Matrix& A, const Matrix& B) {
    double largest = A.shape() == B.shape() ? 0 : lesson::blank;
    for (std::size_t i = 0; i < B.shape(0) && A.shape() == B.shape(); ++i) {
        for (std::size_t j = 0; j < B.shape(1); ++j) {
            const double difference = std::abs(A(i, j) - B(i, j));
            const bool keep = std::isnan(largest) || difference <= largest; // a blank is NaN
            largest = keep ? largest : difference;
        }
    }
    return largest;
}

/// "position 1", "position 2", …
std::vector<std::string> positions(std::size_t n) {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= n; ++i) {
        names.push_back("position " + std::to_string(i));
    }
    return names;
}

void mixture() {
    heading("1. A mixture of values");
    const Matrix Q{{1, 0}, {0, 1}, {1, 0}}; // looks for a noun, looks for a verb
    const Matrix K{{0, 0}, {1, 0}, {0, 1}}; // is a noun, is a verb
    const Matrix weights = lesson::attention_weights(Q, K);
    show::matrix(std::cout, weights,
                 {.title = "weights", .row_labels = words, .column_labels = words, .decimals = 3});
    show::matrix(std::cout, values, {.title = "V", .row_labels = words});
    ask("Which word's output lies nearest to the value of \"sleeps\"?");
    show::matrix(std::cout, lesson::aggregate(weights, values),
                 {.title = "your aggregate(weights, V)", .row_labels = words, .decimals = 3});
    std::cout << "\n\"cat\" looks for a verb, and gives \"sleeps\" half of its attention.\n";
}

/// From X to the output, every matrix on the way; returns the weights.
Matrix worked_example(const std::string& title, const Matrix& X, const Matrix& W_q,
                      const Matrix& W_k, const Matrix& W_v) {
    heading(title);
    const auto [Q, K, V] = attention::compute_qkv(X, W_q, W_k, W_v);
    const std::vector<std::string> names = positions(X.shape(0));
    show::matrix(std::cout, X, {.title = "X"});
    show::matrix(std::cout, Q, {.title = "Q = X · W_q"});
    show::matrix(std::cout, K, {.title = "K = X · W_k"});
    show::matrix(std::cout, V, {.title = "V = X · W_v"});
    show::matrix(std::cout, attention::raw_scores(Q, K), {.title = "Q · Kᵀ"});
    show::matrix(std::cout, attention::scaled_scores(Q, K),
                 {.title = "scores = Q · Kᵀ / √d_k", .decimals = 6});
    ask("Where does each position look, and how firmly?");
    Matrix weights = lesson::attention_weights(Q, K);
    show::heatmap(std::cout, weights,
                  {.title = "weights = your attention_weights(Q, K)",
                   .row_labels = names,
                   .column_labels = names,
                   .range = show::Range{0, 1},
                   .decimals = 6});
    show::matrix(std::cout, lesson::self_attention(Q, K, V),
                 {.title = "output = your self_attention(Q, K, V)", .decimals = 6});
    return weights;
}

void check_a_printed_number(const Matrix& weights) {
    const Matrix V{{1, 2}, {3, 4}};
    const Matrix printed{{0.660477, 0.339523}, {0.339523, 0.660477}};
    std::cout << "\nOne published solution prints other weights, 0.660477 and 0.339523, with this\n"
                 "very output. Both cannot be right, so multiply each by the values:\n\n";
    show::matrix(std::cout, lesson::aggregate(printed, V),
                 {.title = "from the printed weights", .decimals = 6});
    show::matrix(std::cout, lesson::aggregate(weights, V),
                 {.title = "from your weights", .decimals = 6});
    std::cout << "\nThe printed output is right and the printed weights are not: 0.660477 is what\n"
                 "follows the point of 1.660477.\n";
}

void another_order() {
    heading("5. Attention does not know the order");
    const Matrix X{{1, 0, 2}, {0, 1, 1}, {3, 1, 0}};
    const Matrix W = attention::standard_normal(3, 2, 4);
    const auto output_of = [&](const Matrix& sequence) {
        const auto [Q, K, V] = attention::compute_qkv(sequence, W, W, eye3);
        return lesson::self_attention(Q, K, V);
    };
    const Matrix reversed = xt::view(X, xt::keep(2, 1, 0), xt::all());
    show::matrix(std::cout, output_of(X),
                 {.title = "output of a sequence", .row_labels = {"a", "b", "c"}, .decimals = 3});
    ask("The sequence is reversed. What happens to the outputs?");
    show::matrix(std::cout, output_of(reversed),
                 {.title = "of the same, reversed", .row_labels = {"c", "b", "a"}, .decimals = 3});
    std::cout << "\nThe rows have moved with their positions, and no number has changed.\n";
}

double entropy(const Matrix& weights, std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < weights.shape(1); ++j) {
        sum -= weights(i, j) == 0 ? 0 : weights(i, j) * std::log(weights(i, j));
    }
    return sum;
}

void sheet_and_functions() {
    heading("6. Your sheet and your functions");
    const lesson::ByHand sheet = lesson::by_hand();
    const Matrix Q{{1, 0}, {0, 1}, {1, 1}};
    const Matrix K{{1, 0}, {0, 1}, {0.5, 0.5}};
    const auto report = [](const char* step, double difference) {
        std::cout << step << (std::isnan(difference) ? "a cell is blank" : number(difference))
                  << "\n";
    };
    std::cout << "The largest difference between what you computed by hand and what your\n"
                 "functions compute (three decimals leave up to 0.0005):\n\n";
    report("raw scores      ", largest_difference(sheet.raw_scores, attention::raw_scores(Q, K)));
    report("scaled scores   ",
           largest_difference(sheet.scaled_scores, attention::scaled_scores(Q, K)));
    report("weights         ", largest_difference(sheet.weights, lesson::attention_weights(Q, K)));
    report("output          ", largest_difference(sheet.output, lesson::self_attention(Q, K, K)));
    std::cout << "\nThe entropy of each row of your weights, at most ln 3 = 1.099:\n\n";
    for (std::size_t i = 0; i < sheet.weights.shape(0); ++i) {
        report(("query " + std::to_string(i + 1) + "         ").c_str(), entropy(sheet.weights, i));
    }
}

/// What each word of the sentence should receive: the value of "cat", of "sleeps", of "cat".
const Matrix wanted{{4, 2}, {0, 4}, {4, 2}};

/// How far the outputs are from the wanted values: half the squared distance, the mean of the
/// words. X is the identity (article, noun, verb), so Q = X · W_q is W_q itself, and K is W_k.
double loss(const Matrix& W_q, const Matrix& W_k) {
    const Matrix output = lesson::aggregate(lesson::attention_weights(W_q, W_k), values);
    return xt::sum(xt::square(output - wanted))() / 2 / static_cast<double>(words.size());
}

/// The derivatives of the loss by W_q and by W_k: the chain rule, from the output backwards.
std::pair<Matrix, Matrix> gradients(const Matrix& W_q, const Matrix& W_k) {
    const Matrix P = lesson::attention_weights(W_q, W_k);
    const Matrix by_output =
        (lesson::aggregate(P, values) - wanted) / static_cast<double>(words.size());
    const Matrix by_weights = attention::matmul_transposed(by_output, values);
    const Matrix means = xt::sum(P * by_weights, {1}, xt::keep_dims); // p · g of each row
    const Matrix by_scores = P * (by_weights - means);                // J g, lesson 03's Jacobian
    const Matrix by_products = by_scores / std::sqrt(static_cast<double>(W_q.shape(1)));
    const Matrix by_products_transposed = xt::transpose(by_products);
    return {attention::matmul(by_products, W_k), attention::matmul(by_products_transposed, W_q)};
}

void draw_learned(const std::string& when, const Matrix& W_q, const Matrix& W_k) {
    std::ostringstream queries, keys, weights;
    show::matrix(queries, W_q, {.title = "W_q", .row_labels = words, .decimals = 2});
    show::matrix(keys, W_k, {.title = "W_k", .row_labels = words, .decimals = 2});
    show::heatmap(weights, lesson::attention_weights(W_q, W_k),
                  {.title = "weights " + when,
                   .row_labels = words,
                   .column_labels = words,
                   .range = show::Range{0, 1},
                   .decimals = 2});
    show::beside(std::cout, {queries.str(), keys.str(), weights.str()});
}

void where_weights_come_from() {
    heading("7. Where such weights come from");
    constexpr double rate = 0.1;
    constexpr int drawn_between = 20;
    constexpr int last_step = 100;
    Matrix W_q = 0.3 * attention::standard_normal(3, 2, 1);
    Matrix W_k = 0.3 * attention::standard_normal(3, 2, 2);
    std::cout << "Lesson 01 set W_q and W_k by hand. Here they start as small random numbers.\n"
                 "\"the\" should receive the value of \"cat\", \"cat\" that of \"sleeps\", and\n"
                 "\"sleeps\" that of \"cat\". Nothing says where to look. The loss is half the\n"
                 "squared distance from the wanted value, the mean of the three words.\n\n";
    draw_learned("before", W_q, W_k);
    ask("100 steps of gradient descent follow. Will they find lesson 01's W_q and W_k?");
    std::vector<std::string> names;
    std::vector<double> losses;
    for (int step = 0; step <= last_step; ++step) {
        if (step == drawn_between) {
            draw_learned("after " + std::to_string(step) + " steps", W_q, W_k);
            std::cout << "\n";
        }
        if (step == 0 || step == 10 || step == drawn_between || step == 50 || step == last_step) {
            names.push_back("after " + std::to_string(step));
            losses.push_back(loss(W_q, W_k));
        }
        if (step < last_step) {
            const auto [by_W_q, by_W_k] = gradients(W_q, W_k);
            W_q -= rate * by_W_q;
            W_k -= rate * by_W_k;
        }
    }
    draw_learned("after " + std::to_string(last_step) + " steps", W_q, W_k);
    std::cout << "\n";
    Matrix table = Matrix::from_shape({1, losses.size()});
    std::copy(losses.begin(), losses.end(), table.begin());
    show::matrix(std::cout, table, {.title = "loss", .column_labels = names, .decimals = 2});
    std::cout << "\n";
    const Matrix looks_for{{1, 0}, {0, 1}, {1, 0}}; // a noun, a verb: lesson 01's W_q and W_k
    const Matrix is_a{{0, 0}, {1, 0}, {0, 1}};
    std::ostringstream learned, by_hand;
    show::matrix(learned, attention::matmul_transposed(W_q, W_k),
                 {.title = "W_q · W_kᵀ, learned", .row_labels = words, .decimals = 2});
    show::matrix(by_hand, attention::matmul_transposed(looks_for, is_a),
                 {.title = "set by hand in lesson 01", .row_labels = words});
    show::beside(std::cout, {learned.str(), by_hand.str()});
    std::cout
        << "\nW_q and W_k have other values, but the lookup is the same: the largest score of\n"
           "each row is in the same column. If all queries and all keys are rotated by the\n"
           "same angle, no score changes: many pairs of matrices do equally well.\n";
}

/// A recurrent layer of the simplest kind, h_t = tanh(W x_t + U h_{t−1}): two products of a (d, d)
/// matrix with a vector at each position.
double recurrence_flops(std::size_t n, std::size_t d) {
    return 4 * static_cast<double>(n) * static_cast<double>(d) * static_cast<double>(d);
}

void cost() {
    heading("8. What it costs");
    constexpr std::size_t d = 512;
    const std::vector<std::size_t> sizes{64, 512, 4096, 32768};
    Matrix table = Matrix::from_shape({sizes.size(), 4});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        names.push_back("n = " + std::to_string(sizes[i]));
        table(i, 0) = lesson::attention_flops(sizes[i], d, d) / 1e9;
        table(i, 1) = recurrence_flops(sizes[i], d) / 1e9;
        table(i, 2) = table(i, 0) / table(i, 1);
        table(i, 3) = lesson::attention_bytes(sizes[i], d, d) / 1e9;
    }
    std::cout << "Billions of operations of one layer with d_k = d_v = d = 512, and the memory\n"
                 "that attention takes, in gigabytes.\n";
    ask("The recurrent layer takes 4 n d² operations. At which n do both cost the same?");
    show::matrix(std::cout, table,
                 {.title = "cost",
                  .row_labels = names,
                  .column_labels = {"attention", "recurrence", "ratio", "memory"},
                  .decimals = 3});
    std::cout
        << "\nWhere n = d. But of the recurrence's n steps each has to wait for the one before\n"
           "it; of attention's scores none waits for another.\n";
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    mixture();
    const Matrix rising{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    check_a_printed_number(worked_example("2. First worked example: queries and keys are X itself",
                                          eye2, eye2, eye2, {{1, 2}, {3, 4}}));
    worked_example("3. Second worked example: all three are X itself", eye3, eye3, eye3, eye3);
    worked_example("4. Third worked example: one position takes nearly everything",
                   {{1, 2, 3}, {4, 5, 6}}, rising, rising, {{1, 0}, {0, 1}, {1, 1}});
    another_order();
    sheet_and_functions();
    where_weights_come_from();
    cost();
}
