#include "bench/mine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "attention/attention.hpp"
#include "attention/random.hpp"
#include "bench/fma_peak.hpp"
#include "machine/parallel.hpp"
#include "streaming/streaming.hpp"

namespace bench {
namespace {

using attention::MatrixF;
using attention::Tensor3F;

struct Options {
    std::size_t n = 2048, d = 64, threads = attention::thread_count(0);
    double seconds = 0.3;
};

struct Inputs {
    MatrixF Q, K, V; // (n, d)
    explicit Inputs(const Options& options)
        : Q(normal(options, 1)), K(normal(options, 2)), V(normal(options, 3)) {}

    static MatrixF normal(const Options& options, std::uint64_t seed) {
        return xt::cast<float>(attention::standard_normal(options.n, options.d, seed));
    }
};

/// max|error| / max|output|, against double; infinite where the shape is another.
double error_of(const MatrixF& output, const Inputs& in) {
    const std::size_t n = in.Q.shape(0), d = in.Q.shape(1);
    if (output.shape(0) != n || output.shape(1) != d) {
        return HUGE_VAL;
    }
    const auto batch = [](const MatrixF& M) -> attention::Tensor3 {
        return xt::view(xt::cast<double>(M), xt::newaxis());
    };
    const attention::Tensor3 exact =
        attention::streaming_attention(batch(in.Q), batch(in.K), batch(in.V)).output;
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
        const double off = std::abs(static_cast<double>(output.flat(i)) - exact.flat(i));
        worst = std::isnan(worst) || off <= worst ? worst : off; // a NaN stays
        largest = std::max(largest, std::abs(exact.flat(i)));
    }
    return worst / largest;
}

constexpr double right_to = 1e-3; // as 10.4's grader has it of large scores

/// One thread is timed by its processor time, which others on the machine disturb less.
double seconds_now(bool processor_time) {
    using namespace std::chrono;
    return processor_time ? static_cast<double>(std::clock()) / CLOCKS_PER_SEC
                          : duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// With one thread the best of several short times, for the same reason.
double peak_of(std::size_t threads) {
    if (threads > 1) {
        return attention::fma_peak_of(threads);
    }
    double best = 0;
    for (int time = 0; time < 5; ++time) {
        best = std::max(best, attention::fma_peak(0.002));
    }
    return best;
}

class Table {
public:
    Table(const Options& options, const Inputs& in) : options_(options), in_(in) {
        fmt::print("{:<28}{:>8}{:>12}{:>10}{:>10}{:>9}\n", "", "threads", "ms", "GFLOP/s",
                   "FMA peak", "of peak");
    }

    /// Prints a line with its gain over the line before. Returns whether the result is right.
    bool add(const std::string& name, const Attend& compute, std::size_t threads, bool compared) {
        fmt::print("{:<28}{:>8}", name, threads);
        std::cout << std::flush;
        const double error = error_of(compute(in_.Q, in_.K, in_.V, threads), in_);
        if (!(error <= right_to)) {
            fmt::print("  wrong: off by {:.1e} of the largest element\n", error);
            return false;
        }
        const double before = peak_of(threads);
        const double seconds = median_seconds(compute, threads, threads == 1);
        const double peak = (before + peak_of(threads)) / 2;
        const double n = static_cast<double>(options_.n);
        const double reached = 4 * n * n * static_cast<double>(options_.d) / seconds;
        fmt::print("{:>12.2f}{:>10.1f}{:>10.1f}{:>9.3f}", 1e3 * seconds, reached * 1e-9,
                   peak * 1e-9, reached / peak);
        if (compared && last_ > 0) {
            const double without = threads > 1 ? median_seconds(compute, 1, false) : last_;
            fmt::print("   {:.1f} times as fast{}", without / seconds,
                       threads > 1 ? " as one thread; it takes idle cores" : "");
        }
        fmt::print("\n");
        std::cout << std::flush;
        last_ = seconds;
        return true;
    }

private:
    /// After one call, which found nothing in the caches, the median of at least three.
    double median_seconds(const Attend& compute, std::size_t threads, bool processor_time) const {
        std::vector<double> times;
        double elapsed = 0;
        while (times.size() < 3 || (elapsed < options_.seconds && times.size() < 1000)) {
            const double start = seconds_now(processor_time);
            const MatrixF output = compute(in_.Q, in_.K, in_.V, threads);
            times.push_back(seconds_now(processor_time) - start);
            elapsed += times.back();
        }
        std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2),
                         times.end());
        return times[times.size() / 2];
    }

    Options options_;
    const Inputs& in_;
    double last_ = 0;
};

Tensor3F batch(const MatrixF& M) {
    return xt::view(M, xt::newaxis(), xt::all(), xt::all());
}
MatrixF first(const Tensor3F& T) {
    return xt::view(T, 0, xt::all(), xt::all());
}

int run(const Options& options, const Attend& mine, const std::string& source) {
    const Inputs in(options);
    fmt::print("One head, n = {}, d = {}, floats: 4 n² d operations. The FMA peak is measured "
               "before and after\neach line, on as many threads; one thread by its processor "
               "time.\n\n",
               options.n, options.d);
    Table table(options, in);
    bool right = true;
    for (const Step& step : steps()) {
        if (!step.on_threads || options.threads > 1) {
            right &=
                table.add(step.name, step.compute, step.on_threads ? options.threads : 1, true);
        }
    }
    std::vector<std::size_t> threads{1};
    if (options.threads > 1) {
        threads.push_back(options.threads);
    }
    fmt::print("\n");
    for (const std::size_t count : threads) {
        const auto with = [](std::size_t asked) {
            return attention::AttentionOptions{.threads = asked};
        };
        right &= table.add(
            "plain form, stores its weights",
            [&](const MatrixF& Q, const MatrixF& K, const MatrixF& V, std::size_t asked) {
                return first(attention::scaled_dot_product_attention(batch(Q), batch(K), batch(V),
                                                                     with(asked))
                                 .output);
            },
            count, false);
        right &= table.add(
            "common/streaming",
            [&](const MatrixF& Q, const MatrixF& K, const MatrixF& V, std::size_t asked) {
                return first(
                    attention::streaming_attention(batch(Q), batch(K), batch(V), with(asked))
                        .output);
            },
            count, false);
    }
    fmt::print("\n");
    if (!right) {
        std::cerr << "course bench: a form of the project's own is wrong here\n";
        return 3;
    }
    bool mine_is_right = true;
    for (const std::size_t count : threads) {
        mine_is_right = mine_is_right && table.add("yours", mine, count, false);
    }
    if (!mine_is_right) {
        fmt::print("\nWrong answers are not timed. ./course grade 10.4 says more about {}.\n",
                   source);
    }
    return mine_is_right ? 0 : 1;
}

} // namespace

int mine(int argc, char** argv, const Attend& mine, const std::string& source) {
    CLI::App app;
    app.set_help_flag(); // the launcher says it, without a build
    Options options;
    app.add_option("--n", options.n)->check(CLI::Range(1, 65536));
    app.add_option("--d", options.d)->check(CLI::Range(1, 1024));
    app.add_option("--threads", options.threads)->check(CLI::Range(1, 64));
    app.add_option("--seconds", options.seconds)->check(CLI::Range(0.0, 60.0));
    bool solution = false; // which program this is says it already
    app.add_flag("--solution", solution);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::cerr << "course bench: " << error.what() << " (see ./course bench --mine --help)\n";
        return 2;
    }
    return run(options, mine, source);
}

} // namespace bench
