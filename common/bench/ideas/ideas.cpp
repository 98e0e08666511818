// Times the streaming forward for ideas.py: ideas N IS_CAUSAL HEADS THREADS SECONDS. d is 64, fp32.
// Prints the median milliseconds and max|error| / max|reference| of some rows. One thread is timed
// by its processor time, which others on the machine disturb less.

#include "attention/random.hpp"
#include "streaming/in_double.hpp"
#include "streaming/streaming.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

using attention::Tensor4;
using attention::Tensor4F;

namespace {

constexpr std::size_t d = 64;

Tensor4F normal(std::size_t heads, std::size_t n, std::uint64_t seed) {
    Tensor4F X = Tensor4F::from_shape({1, heads, n, d});
    const attention::Vector numbers = attention::standard_normal(X.size(), seed);
    std::transform(numbers.begin(), numbers.end(), X.begin(),
                   [](double x) { return static_cast<float>(x); });
    return X;
}

double seconds_now(std::size_t threads) {
    using namespace std::chrono;
    return threads == 1 ? static_cast<double>(std::clock()) / CLOCKS_PER_SEC
                        : duration<double>(steady_clock::now().time_since_epoch()).count();
}

double error(const Tensor4F& output, const Tensor4& Q, const Tensor4& K, const Tensor4& V,
             bool is_causal) {
    attention::Head<double> head{Q.data(), K.data(), V.data(), Q.shape(2), K.shape(2),
                                 d,        d,        0.125,    {}};
    head.mask.is_causal = is_causal;
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < head.n_queries; i += 37) {
        double exact[d];
        attention::row_in_double(head, i, exact);
        for (std::size_t c = 0; c < d; ++c) {
            worst = std::max(worst, std::abs(static_cast<double>(output(0, 0, i, c)) - exact[c]));
            largest = std::max(largest, std::abs(exact[c]));
        }
    }
    return worst / largest;
}

} // namespace

int main(int count, char** words) {
    if (count != 6) {
        return 2;
    }
    const auto number = [&](int i) { return std::strtoul(words[i], nullptr, 10); };
    const std::size_t n = number(1), heads = number(3), threads = number(4);
    const bool is_causal = number(2) != 0;
    const double limit = std::strtod(words[5], nullptr);
    const Tensor4F Q = normal(heads, n, 1), K = normal(heads, n, 2), V = normal(heads, n, 3);
    const attention::AttentionOptions options{.is_causal = is_causal, .threads = threads};
    const Tensor4F output = attention::streaming_attention(Q, K, V, options).output;
    std::vector<double> times;
    double elapsed = 0;
    while (times.size() < 5 || elapsed < limit) {
        const double start = seconds_now(threads);
        attention::streaming_attention(Q, K, V, options);
        times.push_back(seconds_now(threads) - start);
        elapsed += times.back();
    }
    std::sort(times.begin(), times.end());
    std::printf("%.6f %.2e\n", 1e3 * times[times.size() / 2],
                error(output, Tensor4(Q), Tensor4(K), Tensor4(V), is_causal));
}
