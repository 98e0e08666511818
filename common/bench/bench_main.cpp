// ./course bench: attention beside what this machine can do.

#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>
#include <cblas.h>
#include <fmt/format.h>

#include "bench/results.hpp"
#include "process/typed_path.hpp"

namespace {

int run(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher says it, without a build
    bench::Choice choice{{128, 256, 512, 1024, 2048, 4096, 8192, 16384}, {32, 64, 128}, {1, 2}};
    bool quick = false;
    std::string filter = ".", out = "out/bench.json";
    int repetitions = 5;
    const CLI::Range sizes(1, 65536);
    app.add_flag("--quick", quick);
    app.add_option("--n", choice.n)->check(sizes)->delimiter(',');
    app.add_option("--d", choice.d)->check(CLI::Range(1, 1024))->delimiter(',');
    app.add_option("--threads", choice.threads)->check(CLI::Range(1, 64))->delimiter(',');
    app.add_option("--filter", filter);
    app.add_option("--repetitions", repetitions)->check(CLI::Range(1, 1000));
    app.add_option("--out", out);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << "course bench: " << error.what() << " (see ./course bench --help)\n";
        return 2;
    }
    if (quick) {
        choice.n = app.count("--n") > 0 ? choice.n : std::vector<std::size_t>{512, 2048};
        choice.d = app.count("--d") > 0 ? choice.d : std::vector<std::size_t>{64};
        repetitions = app.count("--repetitions") > 0 ? repetitions : 3;
    }
    if (app.count("--out") > 0) {
        out = process::typed_path(out).string();
    }
    const std::filesystem::path folder = std::filesystem::path(out).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::create_directories(folder, error) && error) {
        std::cerr << "course bench: cannot make the folder " << folder.string() << ": "
                  << error.message() << "\n";
        return 2;
    }

    // What products through BLAS reach depends on this; the streaming form's do not.
    std::cout << "OpenBLAS's kernels: " << openblas_get_corename() << "\n";
    benchmark::AddCustomContext("openblas_corename", openblas_get_corename());
    std::vector<std::string> words{"bench",
                                   "--benchmark_filter=" + filter,
                                   "--benchmark_out=" + out,
                                   "--benchmark_out_format=json",
                                   fmt::format("--benchmark_repetitions={}", repetitions),
                                   "--benchmark_min_time=0.05"};
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());

    const std::vector<bench::Case> all = bench::cases(choice);
    for (const bench::Case& which : all) {
        bench::add(which);
    }
    if (constexpr std::size_t many = 100; all.size() >= many && filter == ".") {
        std::cerr << all.size() << " cases, in half an hour or so; --quick takes a minute\n";
    }
    bench::Results results(all);
    benchmark::RunSpecifiedBenchmarks(&results);
    if (results.all().empty()) {
        std::cerr << "course bench: no case matches " << filter << "\n";
        return 2;
    }
    bench::print_summary(results);
    bench::print_chart(results);
    std::cout << "\nWritten: " << out << "\n" << std::flush;
    return std::cout ? 0 : 2;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "course bench: " << error.what() << "\n";
        return 2;
    }
}
