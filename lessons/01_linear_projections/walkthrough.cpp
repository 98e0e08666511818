// Lesson 01 step by step, on your own functions: ./course run 01 (on ours: --solution).

#include <iostream>
#include <stdexcept>

#include "attention/product.hpp"
#include "linear_projections.hpp"
#include "show/show.hpp"
#include "walkthrough/walkthrough.hpp"

using lesson::Matrix;
using lesson::QKV;

namespace {

void one_position() {
    heading("1. One position, one map");
    const Matrix token{{1, 2}};
    const Matrix W{{1, 0, 2}, {0, 1, 3}};
    show::matrix(std::cout, token, {.title = "X"});
    show::matrix(std::cout, W, {.title = "W"});
    ask("X · W has three numbers. Which is the last?");
    show::matrix(std::cout, lesson::project(token, W), {.title = "X · W"});
    std::cout << "\nThe last number is 1 · 2 + 2 · 3: the row of X times the last column of W.\n";
}

void worked_example(const std::string& title, const Matrix& X, const Matrix& W_q, const Matrix& W_k,
                    const Matrix& W_v) {
    heading(title);
    show::matrix(std::cout, X, {.title = "X"});
    show::matrix(std::cout, W_q, {.title = "W_q"});
    show::matrix(std::cout, W_k, {.title = "W_k"});
    show::matrix(std::cout, W_v, {.title = "W_v"});
    const QKV views = lesson::compute_qkv(X, W_q, W_k, W_v);
    std::cout << "\n";
    show::matrix(std::cout, views.Q, {.title = "Q = X · W_q"});
    show::matrix(std::cout, views.K, {.title = "K = X · W_k"});
    show::matrix(std::cout, views.V, {.title = "V = X · W_v"});
}

void three_words() {
    heading("5. Why three weight matrices and not one");
    const std::vector<std::string> words{"the", "cat", "sleeps"};
    const Matrix X{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // article, noun, verb
    const Matrix W_q{{1, 0}, {0, 1}, {1, 0}};        // looks for a noun, looks for a verb
    const Matrix W_k{{0, 0}, {1, 0}, {0, 1}};        // is a noun, is a verb
    const Matrix W_v{{0, 0}, {4, 2}, {0, 4}};        // what each word gives
    const QKV views = lesson::compute_qkv(X, W_q, W_k, W_v);
    std::cout << "Each word compared with each, X · Xᵀ: a word finds only itself.\n\n";
    show::matrix(std::cout, attention::matmul_transposed(X, X),
                 {.title = "X · Xᵀ", .row_labels = words, .column_labels = words});
    std::cout
        << "\nEach word's query compared with each word's key, Q · Kᵀ: the article finds its\n"
           "noun, the noun its verb, the verb its noun.\n";
    ask("In which row and column are the three 1s?");
    show::matrix(std::cout, attention::matmul_transposed(views.Q, views.K),
                 {.title = "Q · Kᵀ", .row_labels = words, .column_labels = words});

    heading("6. A first mixture");
    const Matrix weights{{0.25, 0.5, 0.25}}; // set by hand: half of the attention for "cat"
    show::matrix(
        std::cout, views.V,
        {.title = "V = X · W_v", .row_labels = words, .column_labels = {"animal", "event"}});
    show::matrix(std::cout, weights, {.title = "weights of \"the\"", .column_labels = words});
    ask("What does \"the\" receive: these values, each times its weight, added up?");
    show::matrix(std::cout, attention::matmul(weights, views.V), {.title = "received"});
    std::cout
        << "\nMostly the cat's value. Lessons 02 and 03 find weights like these; here they were\n"
           "set by hand.\n";
}

void shapes_that_do_not_fit() {
    heading("7. Shapes that do not fit");
    const Matrix X = xt::zeros<double>({2, 3});
    const Matrix W = xt::zeros<double>({4, 5});
    try {
        lesson::check_projection(X, W);
        std::cout << "X (2, 3) and W (4, 5) were accepted: that is for 01.3 to prevent.\n";
    } catch (const std::invalid_argument& error) {
        std::cout << "check_projection says: " << error.what() << "\n";
    }
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    one_position();
    const Matrix eye2{{1, 0}, {0, 1}};
    const Matrix eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Matrix rising{{0.1, 0.2}, {0.3, 0.4}, {0.5, 0.6}};
    worked_example("2. First worked example: queries and keys are X itself", eye2, eye2, eye2,
                   {{1, 2}, {3, 4}});
    worked_example("3. Second worked example: all three are X itself", eye3, eye3, eye3, eye3);
    worked_example("4. Third worked example: from three components to two", {{1, 2, 3}, {4, 5, 6}},
                   rising, rising, {{1, 0}, {0, 1}, {1, 1}});
    three_words();
    shapes_that_do_not_fit();
}
