// ./course plot: how the softmax saturates as d_k grows, simulated, exact, and drawn.

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "course/plot/entropy_figure.hpp"
#include "process/typed_path.hpp"

namespace {

void show_progress(std::size_t done, std::size_t trials) {
    if (isatty(STDERR_FILENO) != 0) {
        std::cerr << fmt::format("\rtrial {}/{}", done, trials)
                  << (done == trials ? "\r\x1b[K" : "") << std::flush;
    }
}

int plot(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher prints the help, without a build
    attention::SweepOptions options;
    std::string folder = "out";
    app.add_option("--keys", options.n_keys)->check(CLI::Range(1, 4096));
    app.add_option("--queries", options.n_queries)->check(CLI::Range(1, 4096));
    app.add_option("--trials", options.trials)->check(CLI::Range(1, 10000));
    app.add_option("--max-dk", options.max_dk)->check(CLI::Range(1, 16384));
    app.add_option("--seed", options.seed)->check(CLI::NonNegativeNumber);
    app.add_option("--threads", options.threads)->check(CLI::Range(0, 1024));
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
    options.progress = show_progress;
    const course::EntropyFigure figure = course::compute_entropy_figure(options);
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
