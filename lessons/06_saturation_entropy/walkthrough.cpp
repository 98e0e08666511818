// Lesson 06 step by step, on your own functions: ./course run 06 (on ours: --solution).
// Options: ./course run 06 -- --trials N --keys N --max-dk N

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "attention/entropy.hpp"
#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "attention/softmax.hpp"
#include "saturation/expected_entropy.hpp"
#include "saturation_entropy.hpp"
#include "show/show.hpp"
#include "walkthrough/walkthrough.hpp"

using attention::MatrixF;
using attention::standard_normal;
using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;

namespace {

struct Options {
    std::size_t trials = 6;
    std::size_t keys = 64; // and as many queries
    std::size_t max_dk = 1024;
};

/// The formula as it is usually typed in: no exception for a weight of 0.
float naive_entropy(const MatrixF& weights) {
    float sum = 0;
    for (const float p : weights) {
        sum -= p * std::log(p);
    }
    return sum;
}

MatrixF in_float(const Matrix& X) {
    return xt::cast<float>(X);
}

Matrix in_double(const MatrixF& X) {
    return xt::cast<double>(X);
}

constexpr std::size_t demonstration_dk = 512;
constexpr std::uint64_t chosen_draw = 73;
constexpr std::uint64_t typical_draw = 1002;

/// The scores of one query and ten keys, drawn from a seed.
Matrix demonstration_scores(std::uint64_t seed) {
    const Matrix rows = standard_normal(11, demonstration_dk, seed);
    const Matrix q = xt::view(rows, xt::range(0, 1));
    const Matrix K = xt::view(rows, xt::range(1, 11));
    return attention::raw_scores(q, K);
}

void demonstration() {
    heading("1. One query, ten keys, d_k = 512, in float");
    // A draw that was chosen for a weight that underflows, and one whose scores deviate as usual.
    const double root = std::sqrt(static_cast<double>(demonstration_dk));
    std::vector<MatrixF> arms;
    for (const std::uint64_t seed : {chosen_draw, typical_draw}) {
        const Matrix scores = demonstration_scores(seed);
        arms.push_back(in_float(scores));
        arms.push_back(in_float(scores / root));
    }
    std::cout << "Two draws: one was chosen because a weight underflows in it, one is typical.\n";
    ask("Guess the largest weight, unscaled and scaled.");
    Matrix table = Matrix::from_shape({5, arms.size()});
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
        const MatrixF weights = attention::softmax_rows(arms[arm]);
        table(0, arm) = xt::stddev(in_double(arms[arm]))();
        table(1, arm) = attention::largest_weight(weights)(0);
        table(2, arm) = static_cast<double>(std::count(weights.begin(), weights.end(), 0.0F));
        table(3, arm) = naive_entropy(weights);
        table(4, arm) = lesson::entropy(in_double(weights))(0);
    }
    show::matrix(std::cout, table,
                 {.title = "softmax(Q · Kᵀ), and of Q · Kᵀ / √d_k",
                  .row_labels = {"score deviation", "largest weight", "weights of 0",
                                 "naive entropy", "your entropy"},
                  .column_labels = {"chosen", "scaled", "typical", "scaled"},
                  .decimals = 4});

    constexpr std::size_t draws = 300;
    std::size_t failed = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const MatrixF drawn = in_float(demonstration_scores(1000 + draw));
        failed += std::isnan(naive_entropy(attention::softmax_rows(drawn))) ? 1 : 0;
    }
    std::cout
        << "\nDeviation: of the ten scores. Naive entropy: the formula computed literally, where\n"
           "0 · ln 0 is NaN. Of "
        << draws << " other draws, unscaled, it is NaN in " << failed << ".\n";
}

void by_hand() {
    heading("2. Entropy, and how much of a gradient gets through");
    const Matrix weights{{0.25, 0.25, 0.25, 0.25}, {0.5, 0.5, 0, 0},         {0.5, 0.25, 0.25, 0},
                         {0.7, 0.1, 0.1, 0.1},     {0.97, 0.01, 0.01, 0.01}, {1, 0, 0, 0}};
    const Vector nats = lesson::entropy(weights);
    const Vector gains = lesson::gradient_gain(weights);
    Matrix table = Matrix::from_shape({weights.shape(0), 3});
    xt::view(table, xt::all(), 0) = nats;
    xt::view(table, xt::all(), 1) = xt::exp(nats);
    xt::view(table, xt::all(), 2) = gains;
    std::cout << "From four equal weights to one weight of 1.\n";
    ask("Which row has the most entropy? Which lets most of a gradient through?");
    show::matrix(std::cout, table,
                 {.title = "weights of",
                  .row_labels = {"1/4  1/4  1/4  1/4", "1/2  1/2   0    0 ", "1/2  1/4  1/4   0 ",
                                 "0.7  0.1  0.1  0.1", "0.97 0.01 0.01 0.01", " 1    0    0    0 "},
                  .column_labels = {"entropy", "exp(entropy)", "gain"},
                  .decimals = 3});
    std::cout
        << "\nexp(entropy) is the number of equally attended keys that would be as uncertain.\n"
           "Gain: the most by which the softmax stretches a gradient on its way back.\n";
}

/// 1, 2, 4, … and last the largest.
std::vector<std::size_t> doubling(std::size_t largest) {
    std::vector<std::size_t> d_ks;
    for (std::size_t d_k = 1; d_k < largest; d_k *= 2) {
        d_ks.push_back(d_k);
    }
    d_ks.push_back(largest);
    return d_ks;
}

/// One arm of the sweep, averaged over the trials.
struct Arm {
    EntropyCurve curve;
    Vector exact;
};

/// The mean over the trials of number(Q, K), a Vector.
template <class Number>
Vector mean_over_trials(const Options& options, Number number) {
    Vector sum = number(standard_normal(options.keys, options.max_dk, 1),
                        standard_normal(options.keys, options.max_dk, 2));
    for (std::size_t trial = 1; trial < options.trials; ++trial) {
        sum += number(standard_normal(options.keys, options.max_dk, 2 * trial + 1),
                      standard_normal(options.keys, options.max_dk, 2 * trial + 2));
    }
    return sum / static_cast<double>(options.trials);
}

Arm run_arm(const Options& options, const std::vector<std::size_t>& d_ks, bool scaled) {
    Arm arm{{d_ks, mean_over_trials(options,
                                    [&](const Matrix& Q, const Matrix& K) {
                                        return lesson::entropy_sweep(Q, K, d_ks, scaled).entropies;
                                    })},
            Vector::from_shape({d_ks.size()})};
    for (std::size_t i = 0; i < d_ks.size(); ++i) {
        arm.exact(i) = attention::expected_entropy(options.keys, d_ks[i], scaled);
    }
    return arm;
}

/// The gains of all queries of all trials, a list for each d_k, from the smallest to the largest.
std::vector<std::vector<double>> sorted_gains(const Options& options,
                                              const std::vector<std::size_t>& d_ks, bool scaled) {
    std::vector<std::vector<double>> all(d_ks.size());
    for (std::size_t trial = 0; trial < options.trials; ++trial) {
        const Matrix Q = standard_normal(options.keys, options.max_dk, 2 * trial + 1);
        const Matrix K = standard_normal(options.keys, options.max_dk, 2 * trial + 2);
        for (std::size_t i = 0; i < d_ks.size(); ++i) {
            const Matrix Q_d = xt::view(Q, xt::all(), xt::range(0, d_ks[i]));
            const Matrix K_d = xt::view(K, xt::all(), xt::range(0, d_ks[i]));
            const Vector gains = lesson::gradient_gain(attention::softmax_rows(
                scaled ? attention::scaled_scores(Q_d, K_d) : attention::raw_scores(Q_d, K_d)));
            all[i].insert(all[i].end(), gains.begin(), gains.end());
        }
    }
    for (std::vector<double>& gains : all) {
        std::sort(gains.begin(), gains.end());
    }
    return all;
}

std::vector<double> list(const Vector& numbers) {
    return {numbers.begin(), numbers.end()};
}

void draw(const Options& options, const std::vector<double>& x, const Arm& unscaled,
          const Arm& scaled) {
    const double ln_n = std::log(static_cast<double>(options.keys));
    const std::string n = std::to_string(options.keys);
    std::vector<show::Series> series{
        {.name = "ln " + n, .x = {x.front(), x.back()}, .y = {ln_n, ln_n}},
        {.name = "exact, scaled", .x = x, .y = list(scaled.exact)},
        {.name = "yours", .x = x, .y = list(scaled.curve.entropies), .points = true},
        {.name = "exact, unscaled", .x = x, .y = list(unscaled.exact)},
        {.name = "yours", .x = x, .y = list(unscaled.curve.entropies), .points = true}};
    show::line_chart(std::cout, series,
                     {.title = "Entropy of the attention weights, " + n + " keys",
                      .x_label = "d_k",
                      .y_label = "nats",
                      .log_x = true,
                      .y_range = show::Range{0, std::max(1.0, std::ceil(ln_n))}});
}

void tabulate(const Options& options, const std::string& title, const Arm& arm, bool scaled) {
    const std::vector<std::size_t>& d_ks = arm.curve.d_ks;
    const auto gains = sorted_gains(options, d_ks, scaled);
    Matrix table = Matrix::from_shape({d_ks.size(), 5});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < d_ks.size(); ++i) {
        names.push_back("d_k = " + std::to_string(d_ks[i]));
        const double variance = scaled ? 1 : static_cast<double>(d_ks[i]);
        table(i, 0) = arm.curve.entropies(i);
        table(i, 1) = arm.exact(i);
        table(i, 2) = lesson::predicted_entropy(options.keys, variance);
        table(i, 3) = gains[i][gains[i].size() / 2];
        table(i, 4) = std::accumulate(gains[i].begin(), gains[i].end(), 0.0) /
                      static_cast<double>(gains[i].size());
    }
    show::matrix(std::cout, table,
                 {.title = title,
                  .row_labels = names,
                  .column_labels = {"simulated", "exact", "rough", "median gain", "mean gain"},
                  .decimals = 3});
}

std::string collapse(const EntropyCurve& curve) {
    const std::size_t d_k = lesson::dk_at_collapse(curve);
    return d_k == 0 ? "never" : "at d_k = " + std::to_string(d_k);
}

void experiment(const Options& options) {
    const std::string n = std::to_string(options.keys);
    heading("3. The experiment: entropy against d_k");
    const std::vector<std::size_t> d_ks = doubling(options.max_dk);
    const Arm unscaled = run_arm(options, d_ks, false);
    const Arm scaled = run_arm(options, d_ks, true);
    std::cout << "Your entropy_sweep on " << n << " random queries and " << n
              << " random keys, the mean of " << options.trials << " trial"
              << (options.trials == 1 ? "" : "s") << ",\nand the exact expectation.\n";
    ask("Which of the two curves falls, and at about which d_k has it fallen to half?");
    draw(options, {d_ks.begin(), d_ks.end()}, unscaled, scaled);

    heading("4. Simulated, exact, and roughly predicted");
    std::cout << "The same in numbers, with the gain over all queries: its median, and its mean.\n";
    ask("Unscaled: from which d_k on is the mean of the gain clearly above its median, and why?");
    tabulate(options, "unscaled", unscaled, false);
    std::cout << "\n";
    tabulate(options, "scaled", scaled, true);

    heading("5. Where it collapses");
    std::vector<std::size_t> small(std::min<std::size_t>(options.max_dk, 32));
    std::iota(small.begin(), small.end(), std::size_t{1});
    const Arm fine = run_arm({options.trials, options.keys, small.size()}, small, false);
    std::cout << "To half of its first value, in steps of 1 up to d_k = " << small.size() << ":\n\n"
              << "simulated   " << collapse(fine.curve) << "\n"
              << "exact       " << collapse({small, fine.exact}) << "\n";
    Vector rough = Vector::from_shape({small.size()});
    for (std::size_t i = 0; i < small.size(); ++i) {
        rough(i) = lesson::predicted_entropy(options.keys, static_cast<double>(small[i]));
    }
    std::cout << "rough       " << collapse({small, rough}) << "\n"
              << "scaled      " << collapse(scaled.curve) << ", up to d_k = " << options.max_dk
              << "\n";
}

Options parse(const std::vector<std::string>& words) {
    Options options;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        if (!set_number({{"--trials", options.trials, 1, 1000},
                         {"--keys", options.keys, 2, 1024},
                         {"--max-dk", options.max_dk, 2, 4096}},
                        words, i)) {
            refuse_options("the options are --trials N, --keys N and --max-dk N, got " + words[i]);
        }
    }
    return options;
}

} // namespace

void walkthrough(const std::vector<std::string>& words) {
    const Options options = parse(words);
    demonstration();
    by_hand();
    experiment(options);
}
