// ./course plot: how the softmax saturates as d_k grows, simulated, exact, and drawn.

#include <atomic>
#include <csignal>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "course/plot/entropy_figure.hpp"
#include "process/typed_path.hpp"

namespace {

std::atomic<bool> interrupted{false};

void interrupt(int /*signal*/) {
    interrupted = true;
}

/// A whole number in bounds; CLI11's own words do not say what is allowed.
CLI::Validator between(long long least, long long most) {
    return {[=](std::string& text) -> std::string {
                char* end = nullptr;
                const long long number = std::strtoll(text.c_str(), &end, 10);
                const bool whole = !text.empty() && *end == '\0';
                return whole && number >= least && number <= most
                           ? ""
                           : fmt::format("must be a whole number from {} to {}, got {}", least,
                                         most, text);
            },
            "", "range"};
}

void show_progress(std::size_t done, std::size_t trials) {
    constexpr std::size_t width = 30;
    if (isatty(STDERR_FILENO) != 0) {
        const std::size_t filled = width * done / trials;
        std::cerr << fmt::format("\r[{}{}] trial {}/{}", std::string(filled, '#'),
                                 std::string(width - filled, ' '), done, trials)
                  << (done == trials ? "\r\x1b[K" : "") << std::flush;
    }
}

int plot(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher says it, without a build
    attention::SweepOptions options;
    std::string folder = "out";
    app.add_option("--keys", options.n_keys)->check(between(1, 4096));
    app.add_option("--queries", options.n_queries)->check(between(1, 4096));
    app.add_option("--trials", options.trials)->check(between(1, 100000));
    app.add_option("--max-dk", options.max_dk)->check(between(1, 16384));
    app.add_option("--seed", options.seed)->check(between(0, 1LL << 62));
    app.add_option("--threads", options.threads)->check(between(0, 1024));
    app.add_option("--out", folder);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << "course plot: " << error.what() << " (see ./course plot --help)\n";
        return 2;
    }
    if (app.count("--out") > 0) {
        folder = process::typed_path(folder).string();
    }
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    options.cancelled = &interrupted;
    options.progress = show_progress;
    const course::EntropyFigure figure = course::compute_entropy_figure(options);
    if (interrupted) {
        std::cerr << "\ncourse plot: interrupted; nothing was written\n";
        return 130;
    }
    course::write_data_and_script(figure, folder);
    course::print_figure(std::cout, figure);
    if (const std::string trouble = course::draw_picture(folder); !trouble.empty()) {
        std::cerr << "course plot: no picture: " << trouble << "; data and script are in " << folder
                  << ": with gnuplot installed, `gnuplot entropy_vs_dk.gp` there draws it\n";
        return 2;
    }
    std::cout << "\nWritten: " << folder << "/entropy_vs_dk.csv .gp .svg .png\n" << std::flush;
    return std::cout ? 0 : 2;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return plot(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "course plot: " << error.what() << "\n";
        return 2;
    }
}
