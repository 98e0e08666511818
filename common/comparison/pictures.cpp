#include "comparison/pictures.hpp"

#include "comparison/report.hpp"
#include "process/files.hpp"
#include "process/run.hpp"
#include "show/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace comparison {
namespace {

namespace fs = std::filesystem;

// "scaled dot" and "unscaled dot" have the colours of their scores; other curves blue, vermilion,
// green, pink, grey, which differ for every kind of eyes.
std::string colour_of(const std::string& name, std::size_t i) {
    constexpr std::array others{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#666666"};
    const std::string first = name.substr(0, name.find(' '));
    return first == "scaled" || first == "unscaled" ? std::string(show::colour_of(first))
                                                    : others.at(i % others.size());
}

// As the course's picture has it (common/course/plot/entropy_vs_dk.gp): two thin axes, faint lines
// across.
const std::string style = "set border 3 linecolor rgb \"#666666\" linewidth 1\n"
                          "set tics nomirror out scale 0.6\n"
                          "set grid ytics linecolor rgb \"#E4E4E4\" linewidth 1 linetype 1\n"
                          "set key samplen 2.2 spacing 1.12\nset lmargin 9\nset rmargin 4\n";

// A text in gnuplot's single quotes, in which nothing but these means anything.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "''" : std::string(1, c);
    }
    return result + "'";
}

// A number as gnuplot reads it: NaN is a gap.
std::string number(double x) {
    return std::isfinite(x) ? fmt::format("{:.6g}", x) : "NaN";
}

// Writes NAME.gp, the data and then the commands, and runs gnuplot on it.
std::string draw(const fs::path& folder, const std::string& name, int width, int height,
                 const std::string& data, const std::string& commands) {
    const std::string script = fmt::format(
        "# Change this, and run `gnuplot {0}.gp` here.\n"
        "set terminal svg size {1},{2} noenhanced font \"Helvetica,14\" background \"white\"\n"
        "set output \"{0}.svg\"\n{3}{4}",
        name, width, height, data, commands);
    try {
        process::write_file(folder / (name + ".gp"), script);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    try {
        const process::Finished gnuplot =
            process::run({"gnuplot", "-d", name + ".gp"}, {.folder = folder.string()});
        return gnuplot.status == 0 ? ""
                                   : fmt::format("gnuplot could not draw {}: {}", name,
                                                 gnuplot.output.substr(0, 300));
    } catch (const std::exception& error) {
        return fmt::format("{}; is it installed?", error.what());
    }
}

// BLEU of each range of lengths: the mean over the seeds with its interval over the sentences, each
// seed a small ring. The arms are side by side.
std::string draw_bleu_by_length(const fs::path& folder, const ExperimentResult& result) {
    const std::vector<LengthBleu>& bins = result.arms[0].bleu_by_length;
    const std::vector<std::string> arms = arms_of(result);
    std::string data, plots, labels;
    double low = 100, high = 0;
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const double aside = 0.12 * (static_cast<double>(i) - 0.5 * double(arms.size() - 1));
        std::string means = fmt::format("$mean{} << END\n", i);
        std::string seeds = fmt::format("$seeds{} << END\n", i);
        for (std::size_t bin = 0; bin < bins.size(); ++bin) {
            const double x = static_cast<double>(bin) + aside;
            const Difference mean = bleu_of_length(result, arms[i], bin);
            means += fmt::format("{} {} {} {}\n", number(x), number(mean.mean), number(mean.low),
                                 number(mean.high));
            low = std::min(low, mean.low);
            high = std::max(high, mean.high);
            for (const ArmResult& arm : result.arms) {
                if (arm.arm == arms[i] && result.arms.size() > arms.size()) {
                    const double bleu = arm.bleu_by_length[bin].bleu;
                    seeds += fmt::format("{} {}\n", number(x), number(bleu));
                    low = std::min(low, bleu);
                    high = std::max(high, bleu);
                }
            }
        }
        data += fmt::format("{}END\n{}NaN NaN\nEND\n", means, seeds);
        const std::string colour = colour_of(short_name(arms[i]), i);
        plots += fmt::format("{0}$mean{1} using 1:2 with lines linewidth 1 linecolor rgb \"{2}\" "
                             "notitle, $mean{1} with yerrorbars pointtype 7 pointsize 0.8 "
                             "linewidth 2.5 linecolor rgb \"{2}\" title {3}, $seeds{1} with "
                             "points pointtype 6 pointsize 0.5 linecolor rgb \"{2}\" notitle",
                             i == 0 ? "" : ", ", i, colour, quoted(short_name(arms[i])));
    }
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        labels += fmt::format("{}\"{} to {}\\n({})\" {}", bin == 0 ? "" : ", ", bins[bin].from,
                              bins[bin].to, bins[bin].n_sentences, bin);
    }
    return draw(folder, "bleu_by_length", 800, 480, data,
                style + fmt::format("set title 'BLEU by length, {}'\n"
                                    "set xlabel 'source words (sentences)' offset 0,-1\n"
                                    "set ylabel 'BLEU'\nset bmargin 6\nset xtics ({})\n"
                                    "set xrange [-0.5:{}]\nset yrange [{}:{}]\n"
                                    "set key bottom left\nplot {}\n",
                                    result.arms.size() == arms.size()
                                        ? "with 95 % over the sentences"
                                        : "mean over the seeds with 95 % over the sentences; "
                                          "circles: single seeds",
                                    labels, static_cast<double>(bins.size()) - 0.5,
                                    std::clamp(10 * std::floor(low / 10), 0.0, 90.0),
                                    std::min(100.0, 10 * std::ceil((high + 0.01) / 10)), plots));
}

// The words along an axis, as tics.
std::string tics(const Words& words) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        list += fmt::format("{} {}, ", quoted(words[i]), i);
    }
    return fmt::format("({}'(end)' {})", list, words.size());
}

std::string outlines(const SentencePair& pair) {
    std::string commands;
    int object = 0;
    for (const show::Cell& cell : gold_cells(pair)) {
        const double x = static_cast<double>(cell.column), y = static_cast<double>(cell.row);
        commands += fmt::format("set object {} rectangle from {},{} to {},{} front fillstyle empty "
                                "border linecolor rgb \"#D55E00\" linewidth 2\n",
                                ++object, x - 0.45, y - 0.45, x + 0.45, y + 0.45);
    }
    return commands;
}

// The arms' weights on one sentence side by side.
std::string draw_attention(const fs::path& folder, const std::string& name,
                           const ExperimentResult& result, std::size_t sentence) {
    const SentencePair& pair = result.data.test_sets[0].second[sentence];
    std::string data, panels;
    int n_panels = 0;
    for (const ArmResult& arm : result.arms) {
        if (arm.seed != result.arms[0].seed) {
            continue;
        }
        const attention::Matrix& weights = arm.tests[0].weights[sentence];
        data += fmt::format("$weights{} << END\n", ++n_panels);
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            for (std::size_t j = 0; j < weights.shape(1); ++j) {
                data += number(weights(i, j)) + " ";
            }
            data += "\n";
        }
        data += "END\n";
        panels += fmt::format("set title {}\nplot $weights{} matrix with image pixels notitle\n",
                              quoted(short_name(arm.arm)), n_panels);
    }
    const std::string commands =
        fmt::format("set multiplot layout 1,{}\n", n_panels) +
        fmt::format("set palette defined (0 \"#ffffff\", 1 \"{}\")\nset cbrange [0:1]\nunset "
                    "colorbox\nset border linewidth 0.5\n",
                    show::colour_of("weights")) +
        fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n",
                    static_cast<double>(pair.source.size()) + 0.5,
                    static_cast<double>(pair.target.size()) + 0.5) +
        "set xtics rotate by 60 right scale 0 " + tics(pair.source) + "\nset ytics scale 0 " +
        tics(pair.target) + "\n" + outlines(pair) + panels + "unset multiplot\n";
    return draw(folder, name, 420 * n_panels, 440, data, commands);
}

} // namespace

std::string draw_curves(const fs::path& folder, const std::string& name,
                        const std::vector<show::Series>& series,
                        const show::LineChartOptions& options) {
    const bool is_empty = std::all_of(series.begin(), series.end(),
                                      [](const show::Series& s) { return s.x.empty(); });
    if (is_empty) {
        return "";
    }
    std::string data, plots;
    std::size_t named = 0;
    std::string colour;
    for (std::size_t s = 0; s < series.size(); ++s) {
        data += fmt::format("$curve{} << END\n", s);
        for (std::size_t i = 0; i < series[s].x.size(); ++i) {
            data += number(series[s].x[i]) + " " + number(series[s].y[i]) + "\n";
        }
        data += "END\n";
        if (s == 0 || !series[s].name.empty()) { // one without a name belongs to the one before
            colour = colour_of(series[s].name, named++);
        }
        plots += fmt::format(
            "{}$curve{} with lines linewidth 3 linecolor rgb \"{}\" {}", s == 0 ? "" : ", ", s,
            colour, series[s].name.empty() ? "notitle" : "title " + quoted(series[s].name));
    }
    std::string commands =
        fmt::format("set title {}\nset xlabel {}\nset ylabel {}\n", quoted(options.title),
                    quoted(options.x_label), quoted(options.y_label)) +
        style + "set key right top\n";
    commands += options.log_x ? "set logscale x 2\nset key left top\n" : ""; // costs rise
    commands += options.log_y ? "set logscale y\n" : "";
    commands += options.y_range ? fmt::format("set yrange [{}:{}]\n", options.y_range->low,
                                              options.y_range->high)
                                : "";
    return draw(folder, name, 800, 480, data, commands + "plot " + plots + "\n");
}

std::string draw_pictures(const fs::path& folder, const ExperimentResult& result) {
    std::string trouble = draw_bleu_by_length(folder, result);
    int n = 0;
    for (const std::size_t sentence : most_different(result, 3)) {
        if (trouble.empty()) {
            trouble = draw_attention(folder, fmt::format("attention_{}", ++n), result, sentence);
        }
    }
    return trouble;
}

} // namespace comparison
