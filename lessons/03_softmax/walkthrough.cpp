// Lesson 03 step by step, on your own functions: ./course run 03 (on ours: --solution).

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>

#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "show/show.hpp"
#include "softmax.hpp"
#include "walkthrough/walkthrough.hpp"

using lesson::Matrix;
using lesson::Vector;

namespace {

void three_steps() {
    heading("1. From scores to weights in three steps");
    const Vector scores{0, std::log(2.0), std::log(3.0)};
    const Vector terms = xt::exp(scores);
    const double sum = xt::sum(terms)();
    const Vector weights = terms / sum;
    show::matrix(std::cout, scores, {.title = "scores: 0, ln 2, ln 3"});
    show::matrix(std::cout, terms, {.title = "exp makes them positive"});
    std::cout << "their sum: " << number(sum) << "\n";
    show::matrix(std::cout, weights, {.title = "divided by the sum: shares"});
    show::matrix(std::cout, lesson::softmax(scores), {.title = "your softmax"});
}

void differences_matter() {
    heading("2. Only the differences matter");
    const Vector scores{2, 1, 0};
    std::cout << "Four rows are made of s = [2, 1, 0].\n";
    ask("Of s + 100, s / 2, 2 s and 5 s, which has the same weights "
        "as s?");
    Matrix weights = Matrix::from_shape({5, 3});
    xt::row(weights, 0) = lesson::softmax(scores);
    xt::row(weights, 1) = lesson::softmax(scores + 100);
    xt::row(weights, 2) = lesson::softmax(scores / 2);
    xt::row(weights, 3) = lesson::softmax(scores * 2);
    xt::row(weights, 4) = lesson::softmax(scores * 5);
    show::matrix(
        std::cout, weights,
        {.title = "weights of", .row_labels = {"s = [2, 1, 0]", "s + 100", "s / 2", "2 s", "5 s"}});
    std::cout << "\nA constant added to all scores changes nothing. A factor changes every\n"
                 "difference: doubled scores sharpen, halved ones flatten.\n";
}

void overflow() {
    heading("3. Overflow, and how to avoid it");
    const Vector scores{1000, 999, 998};
    for (const double s : {709.0, 710.0, 1000.0, -746.0}) {
        std::cout << "exp(" << s << ") = " << number(std::exp(s)) << "\n";
    }
    std::cout << "\n";
    const Vector terms = xt::exp(scores);
    const Vector naive = terms / xt::sum(terms)();
    const Vector lowered = scores - xt::amax(scores)();
    const Vector safe_terms = xt::exp(lowered);
    show::matrix(std::cout, scores, {.title = "scores"});
    ask("What does the formula give for these, computed literally? And with the maximum "
        "subtracted?");
    show::matrix(std::cout, terms, {.title = "exp(s)"});
    show::matrix(std::cout, naive, {.title = "inf / inf"});
    std::cout << "\n";
    show::matrix(std::cout, lowered, {.title = "s - maximum"});
    show::matrix(std::cout, safe_terms, {.title = "exp(s - maximum)"});
    show::matrix(std::cout, lesson::softmax(scores), {.title = "your softmax"});
}

void row_by_row() {
    heading("4. A row for each query");
    const std::vector<std::string> words{"the", "cat", "sleeps"};
    const Matrix Q{{3, 0}, {0, 3}, {3, 0}}; // looks for a noun, looks for a verb
    const Matrix K{{0, 0}, {1, 0}, {0, 1}}; // is a noun, is a verb
    const Matrix scores = attention::scaled_scores(Q, K);
    const Matrix weights = lesson::softmax_rows(scores);
    show::matrix(std::cout, scores,
                 {.title = "scores = Q · Kᵀ / √d_k", .row_labels = words, .column_labels = words});
    ask("A match scores 2.12, everything else 0. Which weight does a match get?");
    show::heatmap(std::cout, weights,
                  {.title = "weights = your softmax_rows",
                   .row_labels = words,
                   .column_labels = words,
                   .range = show::Range{0, 1}});
    const Vector sums = xt::sum(weights, {1});
    show::matrix(std::cout, sums, {.title = "sums of the rows"});

    const Matrix apart{{1e4, 1e4 - 1, 1e4 - 2}, {0, -1, -2}, {-1e4, -1e4 - 1, -1e4 - 2}};
    std::cout << "\nThree rows far apart, each with its own maximum:\n\n";
    show::matrix(std::cout, apart, {.title = "scores"});
    show::matrix(std::cout, lesson::softmax_rows(apart), {.title = "weights"});
}

void what_a_step_does() {
    heading("5. The Jacobian predicts the effect of a step");
    const Vector scores{std::log(3.0), std::log(2.0), 0};
    const double step = 0.01;
    Vector moved = scores;
    moved(0) += step;
    const Vector p = lesson::softmax(scores);
    const Matrix J = lesson::softmax_jacobian(p);
    const Vector change = lesson::softmax(moved) - p;
    const Vector foretold = step * xt::view(J, xt::all(), 0);
    show::matrix(std::cout, p, {.title = "p = softmax([ln 3, ln 2, 0])"});
    show::matrix(std::cout, J, {.title = "J = your softmax_jacobian(p)"});
    ask("Score 0 rises by 0.01. Which column of J says what the weights do, and which one loses "
        "most?");
    show::matrix(std::cout, foretold, {.title = "0.01 times column 0 of J", .decimals = 6});
    show::matrix(std::cout, change, {.title = "what the weights really did", .decimals = 6});
}

void where_a_gradient_dies() {
    heading("6. Where a gradient dies");
    std::cout << "One score is 10 above two others.\n";
    ask("How large is the largest element of the Jacobian?");
    const Vector p = lesson::softmax({10, 0, 0});
    show::matrix(std::cout, p, {.title = "p = softmax([10, 0, 0])", .decimals = 7});
    show::matrix(std::cout, lesson::softmax_jacobian(p), {.title = "J", .decimals = 7});

    std::cout << "\nThe largest weight, and the largest element of the Jacobian:\n\n";
    for (const double gap : {0, 1, 2, 4, 8, 16, 32}) {
        const Vector weights = lesson::softmax({gap, 0, 0});
        const Matrix J = lesson::softmax_jacobian(weights);
        std::cout << std::setw(2) << gap << ", 0, 0:   " << std::setw(5) << number(weights(0))
                  << "   " << number(xt::amax(xt::abs(J))()) << "\n";
    }
}

void learning_steps() {
    heading("7. Learning steps");
    std::cout << "Key 0 is the right one, and the loss is 1 - p0. A step: scores <- scores - J g,\n"
                 "with g = [-1, 0, 0], at a rate of 1.\n";
    ask("How large is the weight of key 0 after 100 steps, from [ln 3, ln 2, 0] and from "
        "[0, 0, 10]?");
    Vector undecided{std::log(3.0), std::log(2.0), 0};
    Vector saturated{0, 0, 10};
    std::cout << "   steps  undecided  saturated\n";
    for (int step = 0; step <= 100000; ++step) {
        if (step == 0 || step == 1 || step == 10 || step == 100 || step == 1000 || step == 10000 ||
            step == 100000) {
            std::cout << std::setw(8) << step;
            for (const Vector& scores : {undecided, saturated}) {
                std::cout << std::setw(11) << number(lesson::softmax(scores)(0));
            }
            std::cout << "\n";
        }
        for (Vector* scores : {&undecided, &saturated}) {
            const Matrix J = lesson::softmax_jacobian(lesson::softmax(*scores));
            *scores += xt::view(J, xt::all(), 0); // - J g
        }
    }
}

void why_scores_are_scaled() {
    heading("8. Why lesson 02 divides by √d_k");
    std::cout << "400 random queries, each with ten random keys. Spread: the standard deviation\n"
                 "of the scores. Lead: the best score minus the second best. Weight: that of the\n"
                 "best key. J: its largest element; half of the queries have less.\n";
    ask("Which of the columns change with d_k if the scores are divided by √d_k?");
    std::cout << "                       spread    lead  weight         J\n";
    const std::size_t n_queries = 400;
    for (const bool scaled : {false, true}) {
        for (const std::size_t d_k : {4, 64, 1024}) {
            double squares = 0, lead = 0, weight = 0;
            std::vector<double> largest_of_J;
            for (std::size_t i = 0; i < n_queries; ++i) {
                const Matrix q = attention::standard_normal(1, d_k, 2 * i);
                const Matrix K = attention::standard_normal(10, d_k, 2 * i + 1);
                Vector scores = xt::row(
                    scaled ? attention::scaled_scores(q, K) : attention::raw_scores(q, K), 0);
                const Vector p = lesson::softmax(scores);
                std::sort(scores.begin(), scores.end(), std::greater<>());
                squares += xt::mean(scores * scores)();
                lead += scores(0) - scores(1);
                weight += xt::amax(p)();
                largest_of_J.push_back(xt::amax(xt::abs(lesson::softmax_jacobian(p)))());
            }
            std::sort(largest_of_J.begin(), largest_of_J.end());
            std::cout << (scaled ? "Q · Kᵀ / √d_k" : "Q · Kᵀ       ") << std::setw(7) << d_k
                      << std::setw(9) << number(std::sqrt(squares / n_queries)) << std::setw(8)
                      << number(lead / n_queries) << std::setw(8) << number(weight / n_queries)
                      << std::setw(10) << number(largest_of_J[n_queries / 2]) << "\n";
        }
    }
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    three_steps();
    differences_matter();
    overflow();
    row_by_row();
    what_a_step_does();
    where_a_gradient_dies();
    learning_steps();
    why_scores_are_scaled();
}
