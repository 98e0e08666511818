#include "bench/cases.hpp"

#include "attention/random.hpp"
#include "bench/fma_peak.hpp"
#include "bench/memory.hpp"
#include "machine/parallel.hpp"
#include "streaming/streaming.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <fmt/format.h>

namespace bench {
namespace {

using attention::AttentionOptions;
using attention::Tensor3F;

Tensor3F normal(std::size_t heads, std::size_t n, std::size_t d, std::uint64_t seed) {
    const attention::Vector numbers = attention::standard_normal(heads * n * d, seed);
    Tensor3F X = Tensor3F::from_shape({heads, n, d});
    std::transform(numbers.begin(), numbers.end(), X.begin(),
                   [](double x) { return static_cast<float>(x); });
    return X;
}

struct Inputs {
    Tensor3F Q, K, V, d_output;
    explicit Inputs(const Case& which)
        : Q(normal(which.heads, which.n, which.d, 1)), K(normal(which.heads, which.n, which.d, 2)),
          V(normal(which.heads, which.n, which.d, 3)),
          d_output(normal(which.heads, which.n, which.d, 4)) {}
};

// S = Q Kᵀ and S V through BLAS, a head a thread, in blocks of queries that bound the memory.
void multiply(const Case& which, const Inputs& in, Tensor3F& output) {
    constexpr std::size_t block = 256;
    const int n = static_cast<int>(which.n), d = static_cast<int>(which.d);
    attention::parallel_for(which.threads, which.heads, [&](std::size_t head, std::size_t) {
        std::vector<float> scores(std::min(block, which.n) * which.n);
        const std::size_t at = head * which.n * which.d;
        for (std::size_t first = 0; first < which.n; first += block) {
            const int rows = static_cast<int>(std::min(block, which.n - first));
            const float* const Q = in.Q.data() + at + first * which.d;
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, n, d, 1, Q, d,
                        in.K.data() + at, d, 0, scores.data(), n);
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, d, n, 1, scores.data(), n,
                        in.V.data() + at, d, 0, output.data() + at + first * which.d, d);
        }
    });
}

// The timed computation; the inputs, and the forward for a backward, are made before.
std::function<void()> computation(const Case& which) {
    const auto in = std::make_shared<const Inputs>(which);
    const AttentionOptions options{.is_causal = which.is_causal, .threads = which.threads};
    if (which.form == Form::gemms) {
        const auto output = std::make_shared<Tensor3F>(in->Q);
        return [=] { multiply(which, *in, *output); };
    }
    if (which.form == Form::plain) {
        return [=] {
            benchmark::DoNotOptimize(
                attention::scaled_dot_product_attention(in->Q, in->K, in->V, options));
        };
    }
    if (which.direction == Direction::forward) {
        return [=] {
            benchmark::DoNotOptimize(attention::streaming_attention(in->Q, in->K, in->V, options));
        };
    }
    const auto forward = std::make_shared<const attention::Streamed<float>>(
        attention::streaming_attention(in->Q, in->K, in->V, options));
    return [=] {
        benchmark::DoNotOptimize(attention::streaming_attention_backward(
            in->Q, in->K, in->V, *forward, in->d_output, options));
    };
}

void measure(benchmark::State& state, const Case& which) {
    openblas_set_num_threads(1); // each of ours multiplies on its own
    const std::function<void()> compute = computation(which);
    // The first call finds nothing in the caches: it is not timed.
    const std::size_t memory = most_in_use(compute);
    const double before = attention::fma_peak_of(which.threads);
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    while (state.KeepRunning()) {
        compute();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double possible = (before + attention::fma_peak_of(which.threads)) / 2;
    const double reached = which.operations() * static_cast<double>(state.iterations()) / seconds;
    state.counters["GFLOP/s"] = reached * 1e-9;
    state.counters["peak_GFLOP/s"] = possible * 1e-9;
    state.counters["of_peak"] = reached / possible;
    state.counters["extra_bytes"] = static_cast<double>(memory) - which.result_bytes();
}

} // namespace

std::string Case::name() const {
    const char* forms[] = {"streaming", "plain", "gemms"};
    return fmt::format("{}/{}/{}/n:{}/d:{}/heads:{}/threads:{}", forms[static_cast<int>(form)],
                       direction == Direction::forward ? "forward" : "backward",
                       is_causal ? "causal" : "full", n, d, heads, threads);
}

double Case::operations() const {
    const double length = static_cast<double>(n);
    const double pairs = is_causal ? length * (length + 1) / 2 : length * length;
    const double products = direction == Direction::forward ? 2 : 5;
    return 2 * products * pairs * static_cast<double>(d * heads);
}

double Case::result_bytes() const {
    const double array = static_cast<double>(heads * n * d * sizeof(float));
    const double logsumexp = static_cast<double>(heads * n * sizeof(float));
    if (form == Form::gemms) {
        return 0;
    }
    const double forward = form == Form::streaming ? array + logsumexp : array;
    return direction == Direction::forward ? forward : 3 * array;
}

std::vector<Case> cases(const Choice& choice) {
    constexpr std::size_t longest_plain = 2048; // 8 heads' weights: 128 MB
    std::vector<Case> all;
    for (const std::size_t n : choice.n) {
        const std::size_t heads = n <= 4096 ? 8 : 2;
        for (const std::size_t d : choice.d) {
            for (const std::size_t threads : choice.threads) {
                const auto with = [&](Form form, Direction direction, bool is_causal) {
                    all.push_back({form, direction, is_causal, heads, n, d, threads});
                };
                with(Form::gemms, Direction::forward, false);
                for (const bool is_causal : {false, true}) {
                    with(Form::streaming, Direction::forward, is_causal);
                    with(Form::streaming, Direction::backward, is_causal);
                    if (n <= longest_plain) {
                        with(Form::plain, Direction::forward, is_causal);
                    }
                }
            }
        }
    }
    return all;
}

void add(const Case& which) {
    benchmark::RegisterBenchmark(which.name().c_str(),
                                 [which](benchmark::State& state) { measure(state, which); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
}

} // namespace bench
