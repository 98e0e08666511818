#include "course/plot/entropy_figure.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "course/files.hpp"
#include "process/run.hpp"
#include "saturation/expected_entropy.hpp"
#include "show/show.hpp"

namespace course {

namespace fs = std::filesystem;
using attention::SweepArm;
using attention::Vector;

namespace {

constexpr std::size_t sampled_points = 60;

/// 1…max_dk, about sampled_points of them, evenly spaced on a log axis; both ends are among them.
std::vector<std::size_t> log_spaced(std::size_t max_dk) {
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < sampled_points; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(sampled_points - 1);
        const double d_k = std::pow(static_cast<double>(max_dk), share);
        const auto rounded = static_cast<std::size_t>(std::lround(d_k));
        if (points.empty() || rounded > points.back()) {
            points.push_back(rounded);
        }
    }
    return points;
}

std::vector<double> list(const Vector& vector) {
    return {vector.begin(), vector.end()};
}

void add_arm(std::vector<show::CsvColumn>& columns, const std::string& name, const SweepArm& arm) {
    const auto add = [&](const std::string& what, const attention::SweepBand& band) {
        columns.push_back({name + "_" + what, list(band.mean)});
        columns.push_back({name + "_" + what + "_deviation", list(band.deviation)});
    };
    add("entropy", arm.entropy);
    add("largest_weight", arm.largest_weight);
}

/// NaN where nothing was measured.
void add_gains(std::vector<show::CsvColumn>& columns, const std::string& name, const SweepArm& arm,
               const attention::SweepOptions& options) {
    const auto add = [&](const std::string& what, const Vector& numbers) {
        std::vector<double> at_every_dk(options.max_dk, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t i = 0; i < options.gain_dks.size(); ++i) {
            at_every_dk[options.gain_dks[i] - 1] = numbers(i);
        }
        columns.push_back({name + "_gain_" + what, std::move(at_every_dk)});
    };
    add("lower", arm.gradient_gain.lower);
    add("median", arm.gradient_gain.median);
    add("upper", arm.gradient_gain.upper);
}

std::vector<double> every_dk(std::size_t max_dk) {
    std::vector<double> all(max_dk);
    std::iota(all.begin(), all.end(), 1.0);
    return all;
}

/// The script's settings for this run; the rest of it is common/course/plot/entropy_vs_dk.gp.
std::string script_head(const attention::SweepOptions& options) {
    return fmt::format(
        "# How the softmax dies as d_k grows. Change this and run `gnuplot entropy_vs_dk.gp` "
        "here.\n"
        "# {} trials, each of {} queries and {} keys; all components standard normal, seed {}.\n\n"
        "n_keys = {}\nmax_dk = {}\n"
        "predicted_scaled = {:.6f} # the rough prediction for scores of variance 1, ln n - 1/2\n",
        options.trials, options.n_queries, options.n_keys, options.seed, options.n_keys,
        std::max<std::size_t>(options.max_dk, 2), attention::predicted_entropy(options.n_keys, 1));
}

} // namespace

EntropyFigure compute_entropy_figure(attention::SweepOptions options) {
    options.gain_dks = log_spaced(options.max_dk);
    EntropyFigure figure{options, attention::entropy_sweep(options), {}, {}};
    const double not_computed = std::numeric_limits<double>::quiet_NaN();
    figure.exact_unscaled = xt::full_like(figure.sweep.unscaled.entropy.mean, not_computed);
    figure.exact_scaled = figure.exact_unscaled;
    for (const std::size_t d_k : options.gain_dks) {
        figure.exact_unscaled(d_k - 1) = attention::expected_entropy(options.n_keys, d_k, false);
        figure.exact_scaled(d_k - 1) = attention::expected_entropy(options.n_keys, d_k, true);
    }
    return figure;
}

void write_data_and_script(const EntropyFigure& figure, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw std::runtime_error(
            fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
    }
    const std::vector<double> d_ks = every_dk(figure.options.max_dk);
    std::vector<double> predicted;
    for (const double d_k : d_ks) {
        predicted.push_back(attention::predicted_entropy(figure.options.n_keys, d_k));
    }
    std::vector<show::CsvColumn> columns{{"d_k", d_ks}};
    add_arm(columns, "unscaled", figure.sweep.unscaled);
    add_arm(columns, "scaled", figure.sweep.scaled);
    add_gains(columns, "unscaled", figure.sweep.unscaled, figure.options);
    add_gains(columns, "scaled", figure.sweep.scaled, figure.options);
    columns.push_back({"unscaled_exact", list(figure.exact_unscaled)});
    columns.push_back({"scaled_exact", list(figure.exact_scaled)});
    columns.push_back({"unscaled_predicted", predicted});
    show::write_csv(folder / "entropy_vs_dk.csv", columns);
    const auto script = read_file(ENTROPY_SCRIPT);
    if (!script) {
        throw std::runtime_error("cannot read " ENTROPY_SCRIPT
                                 "; `git checkout common` brings it back");
    }
    write_file(folder / "entropy_vs_dk.gp", script_head(figure.options) + *script);
}

std::string draw_picture(const fs::path& folder) {
    try {
        const process::Finished finished =
            process::run({"gnuplot", "-d", "entropy_vs_dk.gp"}, {.folder = folder});
        if (finished.status != 0) {
            return "gnuplot could not draw: " + finished.output.substr(0, 300);
        }
    } catch (const std::exception& error) {
        return error.what();
    }
    // gnuplot does not report a full disk.
    const std::string svg = read_file(folder / "entropy_vs_dk.svg").value_or("");
    return svg.find("</svg>") != std::string::npos
               ? ""
               : "gnuplot wrote only a part of it; is the disk full?";
}

void print_figure(std::ostream& out, const EntropyFigure& figure) {
    const std::size_t max_dk = figure.options.max_dk;
    const std::vector<double> d_ks = every_dk(max_dk);
    const double uniform = std::log(static_cast<double>(figure.options.n_keys));
    show::line_chart(
        out,
        {{.name = "with 1/sqrt(d_k)", .x = d_ks, .y = list(figure.sweep.scaled.entropy.mean)},
         {.name = "without", .x = d_ks, .y = list(figure.sweep.unscaled.entropy.mean)},
         {.name = "exact", .x = d_ks, .y = list(figure.exact_unscaled), .points = true},
         {.name = "ln n_keys", .x = d_ks, .y = std::vector<double>(max_dk, uniform)}},
        {.title = fmt::format("entropy of the attention weights, {} keys", figure.options.n_keys),
         .x_label = "d_k",
         .y_label = "nats",
         .log_x = true,
         .y_range = show::Range{0, std::max(0.1, 1.05 * uniform)}});
    out << "\n" << fmt::format("{:>6}  {:^25}  {:^25}\n", "", "without 1/sqrt(d_k)", "with");
    out << fmt::format("{:>6}  {:>16} {:>8}  {:>16} {:>8}\n", "d_k", "simulated", "exact",
                       "simulated", "exact");
    for (std::size_t d_k = 1; d_k <= max_dk; d_k *= 4) {
        const auto pair = [&](const attention::SweepBand& band, bool scaled) {
            const double error =
                band.deviation(d_k - 1) / std::sqrt(static_cast<double>(figure.options.trials));
            return fmt::format("{:>8.3f} ± {:<5.3f} {:>8.3f}", band.mean(d_k - 1), error,
                               attention::expected_entropy(figure.options.n_keys, d_k, scaled));
        };
        out << fmt::format("{:>6}  {}  {}\n", d_k, pair(figure.sweep.unscaled.entropy, false),
                           pair(figure.sweep.scaled.entropy, true));
    }
}

} // namespace course
