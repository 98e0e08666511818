#pragma once

// The walk-through's last part: how many steps the lookup takes, with and without the division by
// √d_k.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "attention/attention.hpp"
#include "attention/product.hpp"
#include "attention/random.hpp"
#include "gradients.hpp"
#include "show/show.hpp"
#include "tables.hpp"
#include "walkthrough/walkthrough.hpp"

namespace lesson {

using attention::matmul;
using attention::standard_normal;

struct Options {
    bool experiment = true;
    std::size_t seeds = 3;
    std::size_t max_dk = 1024;
    std::size_t steps = 1000;
    std::string csv = {}; // a file to write the experiment to
};

/// Queries and keys whose components have variance 1, so that unscaled scores have variance d_k.
inline Projections unit_start(std::size_t d_k, std::uint64_t seed) {
    const double code = static_cast<double>(tables::code);
    const double d_model = static_cast<double>(tables::d_model);
    return {standard_normal(tables::d_model, d_k, seed) / std::sqrt(code),
            standard_normal(tables::d_model, d_k, seed + 1) / std::sqrt(d_model),
            standard_normal(tables::d_model, tables::content, seed + 2) / std::sqrt(d_model)};
}

constexpr double goal = 0.1;
constexpr std::size_t n_tables = 8;
inline const double never = std::numeric_limits<double>::infinity();

/// Steps until the mean loss of the last eight is down to the goal. Your attention_backward scales;
/// queries √d_k times as long undo it.
inline double steps_to_goal(std::size_t d_k, bool scaled, double rate, std::size_t most,
                            std::uint64_t seed) {
    const std::vector<Table> all = tables::lookup_tables(n_tables, 100 * seed);
    Projections W = unit_start(d_k, 100 * seed + 50);
    const double stretch = scaled ? 1 : std::sqrt(static_cast<double>(d_k));
    const Mask every = xt::ones<bool>({all[0].asked.shape(0), all[0].entries.shape(0)});
    std::vector<double> losses;
    for (std::size_t step = 0; step < most; ++step) {
        const auto& [asked, entries, target] = all[step % n_tables];
        const double n = static_cast<double>(asked.shape(0));
        const Matrix Q = stretch * matmul(asked, W.W_q);
        const Matrix K = matmul(entries, W.W_k), V = matmul(entries, W.W_v);
        const auto [output, weights] = attention::attention(Q, K, V);
        const Matrix error = output - target;
        losses.push_back(xt::sum(xt::square(error))() / (2 * n));
        if (!(losses.back() < 1e6)) {
            return never; // it diverges
        }
        if (losses.size() >= n_tables) {
            double sum = 0;
            for (std::size_t i = losses.size() - n_tables; i < losses.size(); ++i) {
                sum += losses[i];
            }
            if (sum <= goal * n_tables) {
                return static_cast<double>(losses.size());
            }
        }
        const auto [d_Q, d_K, d_V] = attention_backward(Q, K, V, every, weights, error / n);
        W.W_q -= rate * stretch * matmul_backward(asked, W.W_q, d_Q).d_B;
        W.W_k -= rate * matmul_backward(entries, W.W_k, d_K).d_B;
        W.W_v -= rate * matmul_backward(entries, W.W_v, d_V).d_B;
    }
    return never;
}

inline double median(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

/// One arm at one d_k: the rate whose median over the seeds is least, and what each seed took.
struct Best {
    double rate = 0;
    std::vector<double> steps; // of each seed
};

/// The smaller median; where no median seed gets there, more seeds that do, and of as many the
/// fewer steps.
inline bool better(const std::vector<double>& steps, const std::vector<double>& than) {
    if (than.empty() || median(steps) < median(than)) {
        return true;
    }
    if (median(steps) < never || median(than) < never) {
        return false;
    }
    const auto in_order = [](std::vector<double> of) {
        std::sort(of.rbegin(), of.rend()); // those that never do first
        return of;
    };
    return in_order(steps) < in_order(than);
}

inline Best best_of(const Options& options, std::size_t d_k, bool scaled) {
    Best best;
    for (const double rate : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0}) {
        std::vector<double> steps;
        for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
            steps.push_back(steps_to_goal(d_k, scaled, rate, options.steps, seed));
        }
        if (better(steps, best.steps)) {
            best = {rate, steps};
        }
    }
    return best;
}

inline std::string step_text(double steps, std::size_t most) {
    return steps < never ? number(steps) : "> " + std::to_string(most);
}

inline std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

inline void experiment(const Options& options) {
    heading("6. The experiment: what the division by √d_k is worth to a learner");
    std::cout << "The same lookup, from queries and keys whose components have variance 1: how\n"
                 "many steps until the mean loss of eight is down to "
              << goal << ", at most " << options.steps << "?\nThe median of " << options.seeds
              << " seeds; for each d_k, with the division and without, the best\nof six learning "
                 "rates, 0.01 to 3.\n";
    ask("Does the number of steps grow with d_k? With the division, and without?");
    std::vector<show::CsvRow> table{{"d_k", "scaled", "rate", "seed", "steps"}};
    std::vector<show::Series> series{{.name = "with √d_k"}, {.name = "without"}};
    std::cout << "  d_k   with √d_k: median, rate, seeds   without: median, rate, seeds\n";
    std::size_t rows = 0;
    for (std::size_t d_k = 4; d_k <= options.max_dk; d_k *= 2, ++rows) {
        std::cout << padded(std::to_string(d_k), 5);
        for (const bool scaled : {true, false}) {
            const Best best = best_of(options, d_k, scaled);
            const auto reached = std::count_if(best.steps.begin(), best.steps.end(),
                                               [](double steps) { return steps < never; });
            const double middle = median(best.steps);
            std::cout << padded(step_text(middle, options.steps), scaled ? 19 : 20)
                      << padded(middle < never ? number(best.rate) : "any", 6)
                      << padded(std::to_string(reached) + "/" + std::to_string(options.seeds), 7)
                      << (scaled ? " " : "\n") << std::flush;
            if (middle < never) {
                series[scaled ? 0 : 1].x.push_back(static_cast<double>(d_k));
                series[scaled ? 0 : 1].y.push_back(middle);
            }
            for (std::size_t seed = 0; seed < options.seeds; ++seed) {
                table.push_back({d_k, scaled, best.rate, seed + 1, best.steps[seed]});
            }
        }
    }
    std::cout << "\n";
    for (const show::Series& each : series) {
        std::cout << each.name << ", the median goes ";
        if (each.x.empty()) {
            std::cout << "to no number: too few seeds get there.\n";
            continue;
        }
        std::cout << "from " << number(each.y.front()) << " steps (d_k = " << number(each.x.front())
                  << ") to " << number(each.y.back()) << " (d_k = " << number(each.x.back()) << ")"
                  << (each.x.size() < rows ? ";\nat the other d_k too few seeds get there.\n"
                                           : ".\n");
    }
    std::erase_if(series, [](const show::Series& each) { return each.x.empty(); });
    std::cout << "\n";
    if (!series.empty()) {
        show::line_chart(std::cout, series,
                         {.title = "steps to a loss of 0.1, where the median seed gets there",
                          .x_label = "d_k",
                          .y_label = "steps",
                          .log_x = true,
                          .log_y = true});
    }
    if (!options.csv.empty()) {
        try {
            show::write_csv(options.csv, table);
        } catch (const std::runtime_error& trouble) {
            refuse_options(trouble.what());
        }
        std::cout << "\nEach seed's steps are in " << options.csv << ".\n";
    }
}

} // namespace lesson
