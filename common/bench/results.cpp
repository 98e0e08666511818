#include "bench/results.hpp"

#include "show/show.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

namespace bench {
namespace {

std::string ratio(const std::optional<Result>& a, const std::optional<Result>& b) {
    return a && b ? fmt::format("{:.2f}", a->milliseconds / b->milliseconds) : "-";
}

std::string text(const std::optional<Result>& result, double Result::*number, double factor = 1) {
    return result ? fmt::format("{:.2f}", *result.*number * factor) : "-";
}

} // namespace

bool Results::ReportContext(const Context&) {
    std::cout << fmt::format("\n{:<56} {:>10} {:>9} {:>9} {:>8} {:>10}\n", "median", "ms",
                             "GFLOP/s", "FMA peak", "of peak", "extra MiB");
    return true;
}

void Results::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        const auto which = std::find_if(cases_.begin(), cases_.end(), [&](const Case& one) {
            return run.run_name.function_name == one.name();
        });
        // One repetition has no median.
        const bool is_median = run.aggregate_name == "median" || run.repetitions <= 1;
        if (!is_median || which == cases_.end()) {
            continue;
        }
        const auto counter = [&](const char* name) { return run.counters.at(name).value; };
        const Result result{*which,
                            run.GetAdjustedRealTime(),
                            counter("GFLOP/s"),
                            counter("peak_GFLOP/s"),
                            counter("of_peak"),
                            counter("extra_bytes")};
        std::cout << fmt::format("{:<56} {:>10.3f} {:>9.1f} {:>9.1f} {:>8.3f} {:>10.2f}\n",
                                 which->name(), result.milliseconds, result.gigaflops,
                                 result.peak_gigaflops, result.of_peak,
                                 result.extra_bytes / (1024 * 1024))
                  << std::flush;
        results_.push_back(result);
    }
}

std::optional<Result> Results::find(const Case& which) const {
    const auto found = std::find_if(results_.begin(), results_.end(),
                                    [&](const Result& result) { return result.which == which; });
    return found == results_.end() ? std::nullopt : std::optional(*found);
}

void print_summary(const Results& results) {
    std::cout << fmt::format("\nstreaming {:>40}   {:>41}   {:>16}\n", "share of the FMA peak",
                             "ratios of times", "extra MiB");
    std::cout << fmt::format(
        "{:>5} {:>3} {:>7}   {:>7} {:>6} {:>8} {:>6}   {:>6} {:>8} {:>8} {:>8} "
        "{:>7}   {:>7} {:>8}\n",
        "n", "d", "threads", "forward", "causal", "backward", "GEMMs", "causal", "backward",
        "1 thread", "plain", "GEMMs", "forward", "backward");
    for (const Result& forward : results.all()) {
        const Case& which = forward.which;
        if (which.form != Form::streaming || which.direction != Direction::forward ||
            which.is_causal) {
            continue;
        }
        const auto changed = [&](auto change) {
            Case other = which;
            change(other);
            return results.find(other);
        };
        const auto causal = changed([](Case& c) { c.is_causal = true; });
        const auto backward = changed([](Case& c) { c.direction = Direction::backward; });
        const auto one = changed([](Case& c) { c.threads = 1; });
        const auto plain = changed([](Case& c) { c.form = Form::plain; });
        const auto gemms = changed([](Case& c) { c.form = Form::gemms; });
        std::cout << fmt::format(
            "{:>5} {:>3} {:>7}   {:>7} {:>6} {:>8} {:>6}   {:>6} {:>8} {:>8} {:>8} {:>7}   {:>7} "
            "{:>8}\n",
            which.n, which.d, which.threads, text(forward, &Result::of_peak),
            text(causal, &Result::of_peak), text(backward, &Result::of_peak),
            text(gemms, &Result::of_peak), ratio(causal, forward), ratio(backward, forward),
            ratio(one, forward), ratio(plain, forward), ratio(gemms, forward),
            text(forward, &Result::extra_bytes, 1.0 / (1024 * 1024)),
            text(backward, &Result::extra_bytes, 1.0 / (1024 * 1024)));
    }
    std::cout << "Each time is divided by that of the streaming forward that sees all keys.\n";
}

void print_chart(const Results& results) {
    if (results.all().empty()) {
        return;
    }
    std::size_t d = results.all().front().which.d, threads = 0;
    for (const Result& result : results.all()) {
        d = result.which.d == 64 ? 64 : d;
        threads = std::max(threads, result.which.threads);
    }
    const auto series = [&](const char* name, Form form, Direction direction, bool is_causal) {
        show::Series line{.name = name};
        for (const Result& result : results.all()) {
            const Case& c = result.which;
            if (c.form == form && c.direction == direction && c.is_causal == is_causal &&
                c.d == d && c.threads == threads) {
                line.x.push_back(static_cast<double>(c.n));
                line.y.push_back(result.of_peak);
            }
        }
        return line;
    };
    std::vector<show::Series> lines{
        series("forward", Form::streaming, Direction::forward, false),
        series("causal", Form::streaming, Direction::forward, true),
        series("backward", Form::streaming, Direction::backward, false),
        series("GEMMs", Form::gemms, Direction::forward, false),
        series("plain", Form::plain, Direction::forward, false),
    };
    std::erase_if(lines, [](const show::Series& line) { return line.x.empty(); });
    std::cout << "\n";
    show::line_chart(std::cout, lines,
                     {.title = fmt::format("share of the FMA peak, d {}, {} threads", d, threads),
                      .x_label = "n",
                      .log_x = true,
                      .y_range = show::Range{0, 1}});
}

} // namespace bench
