// Lesson 02 step by step, on your own functions: ./course run 02 (on ours: --solution).

#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

#include "attention/random.hpp"
#include "score_scaling.hpp"
#include "show/show.hpp"
#include "walkthrough/walkthrough.hpp"

using attention::standard_normal;
using lesson::Matrix;

namespace {

void angles() {
    heading("1. Lengths and angles");
    const std::vector<double> degrees{0, 60, 90, 120, 180, 60};
    const std::vector<double> lengths{1, 1, 1, 1, 1, 3};
    const Matrix q{{2, 0}};
    Matrix K = Matrix::from_shape({lengths.size(), 2});
    std::vector<std::string> names;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        const double angle = degrees[j] * std::acos(-1.0) / 180;
        K(j, 0) = lengths[j] * std::cos(angle);
        K(j, 1) = lengths[j] * std::sin(angle);
        names.push_back(std::to_string(static_cast<int>(degrees[j])) + " degrees");
    }
    const Matrix scores = lesson::raw_scores(q, K);
    Matrix table = Matrix::from_shape({lengths.size(), 4});
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        const double cosine = std::cos(degrees[j] * std::acos(-1.0) / 180);
        table(j, 0) = lengths[j];
        table(j, 1) = cosine;
        table(j, 2) = 2 * lengths[j] * cosine;
        table(j, 3) = scores(0, j);
    }
    std::cout
        << "One query of length 2 and six keys, each turned away from it by an angle. The last\n"
           "two columns should agree: one is made from lengths and angle, the other by your\n"
           "raw_scores.\n";
    ask("The key at 60 degrees scores 1.0 at length 1. What does it score at length 3?");
    show::matrix(std::cout, table,
                 {.title = "keys",
                  .row_labels = names,
                  .column_labels = {"length", "cos", "|q| |k| cos", "q · k"},
                  .decimals = 1});
    std::cout << "\nThe last key points less towards the query than the first, and still scores\n"
                 "higher: it is three times as long.\n";
}

void all_pairs() {
    heading("2. All pairs at once");
    const Matrix Q{{1, 2}, {0, 1}};
    const Matrix K{{3, 1}, {2, -1}, {-1, 0}};
    show::matrix(std::cout, Q, {.title = "Q"});
    show::matrix(std::cout, K, {.title = "K"});
    show::matrix(std::cout, lesson::raw_scores(Q, K), {.title = "Q · Kᵀ"});
    std::cout << "\nThe 5 is 1 · 3 + 2 · 1: the first row of Q with the first row of K.\n";

    heading("3. Scaled");
    show::matrix(std::cout, lesson::scaled_scores(Q, K), {.title = "Q · Kᵀ / √2"});
    std::cout
        << "\nEvery score became smaller by the same factor, √d_k = 1.414. Which key a query\n"
           "likes best has not changed, only by how much.\n";
}

void moments() {
    heading("4. How far dot products are from 0");
    constexpr std::size_t samples = 4000;
    const std::vector<std::size_t> sizes{1, 4, 16, 64, 256, 1024};
    Matrix table = Matrix::from_shape({sizes.size(), 5});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const lesson::Moments m = lesson::dot_product_moments(sizes[i], samples, 2017);
        const double d_k = static_cast<double>(sizes[i]);
        names.push_back("d_k = " + std::to_string(sizes[i]));
        table(i, 0) = m.mean;
        table(i, 1) = 0;
        table(i, 2) = m.variance;
        table(i, 3) = d_k;
        table(i, 4) = std::sqrt(d_k);
    }
    std::cout << "Your dot_product_moments, with " << samples
              << " samples each, beside what theory predicts.\n";
    ask("From one row to the next, d_k is four times as large. By what factor does the variance "
        "grow, and by what factor its root?");
    show::matrix(std::cout, table,
                 {.title = "q · k",
                  .row_labels = names,
                  .column_labels = {"mean", "predicted", "variance", "predicted", "√d_k"},
                  .decimals = 2});
    std::cout << "\n√d_k is the standard deviation: how far from 0 a typical dot product is.\n";
}

constexpr std::size_t n = 100; // queries, and as many keys

std::string histogram(const Matrix& scores, const std::string& title, double edge) {
    show::Terminal half = show::terminal();
    half.width = std::max<std::size_t>(half.width / 2 - 2, 38);
    std::ostringstream out;
    show::histogram(out, scores, {.title = title, .bins = 11, .range = show::Range{-edge, edge}},
                    half);
    return out.str();
}

/// How far each query's best key is ahead of its second best, on average.
double mean_lead(const Matrix& scores) {
    double sum = 0;
    for (std::size_t i = 0; i < scores.shape(0); ++i) {
        double best = -std::numeric_limits<double>::infinity();
        double second = best;
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            second = std::max(second, std::min(best, scores(i, j)));
            best = std::max(best, scores(i, j));
        }
        sum += best - second;
    }
    return sum / static_cast<double>(scores.shape(0));
}

void histograms() {
    heading("5. What scaling does");
    std::cout << "100 random queries with 100 random keys make 10,000 scores: raw on the left,\n"
                 "scaled on the right. On each side all three histograms have the same scale.\n";
    ask("Which side changes as d_k grows from 4 to 1024, and how?");
    const std::vector<std::size_t> sizes{4, 64, 1024};
    Matrix leads = Matrix::from_shape({sizes.size(), 2});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Matrix Q = standard_normal(n, sizes[i], 1);
        const Matrix K = standard_normal(n, sizes[i], 2);
        const Matrix raw = lesson::raw_scores(Q, K);
        const Matrix scaled = lesson::scaled_scores(Q, K);
        names.push_back("d_k = " + std::to_string(sizes[i]));
        std::cout << (i > 0 ? "\n" : "");
        show::beside(std::cout, {histogram(raw, names[i] + ", raw", 110),
                                 histogram(scaled, names[i] + ", scaled", 4.4)});
        leads(i, 0) = mean_lead(raw);
        leads(i, 1) = mean_lead(scaled);
    }
    std::cout << "\nThe histogram of d_k = 4 has a sharper peak: a sum of so few products is not\n"
                 "quite normal yet. Its variance is 1 all the same.\n";

    heading("6. A look ahead");
    std::cout << "These vectors are random.\n";
    ask("How far is a query's best key ahead of its second best, and which column changes with "
        "d_k?");
    show::matrix(
        std::cout, leads,
        {.title = "lead", .row_labels = names, .column_labels = {"raw", "scaled"}, .decimals = 2});
    std::cout
        << "\nLesson 03 turns scores into weights with the exponential function: a lead of 1\n"
           "makes the best key weigh 2.7 times as much as the next, a lead of 10 makes it\n"
           "22,026 times.\n";
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    angles();
    all_pairs();
    moments();
    histograms();
}
