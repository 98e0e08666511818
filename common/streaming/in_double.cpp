#include "streaming/in_double.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
double dot(const T* a, const T* b, std::size_t n) {
    double sum = 0;
    for (std::size_t c = 0; c < n; ++c) {
        sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    }
    return sum;
}

template <class T>
T rounded(double x) {
    return static_cast<T>(x);
}

struct Weight {
    std::size_t key;
    double weight;
};
struct Row {
    std::vector<Weight> weights; // of the keys that are allowed
    double logsumexp;
};

template <class T>
Row softmax_row(const Head<T>& head, std::size_t i) {
    Row row{{}, -infinity};
    double maximum = -infinity;
    bool nothing = true;
    for (std::size_t j = 0; j < head.n_keys; ++j) {
        if (head.mask.allows(i, j)) {
            const T* const q = head.Q + i * head.d_k;
            const double score = dot(q, head.K + j * head.d_k, head.d_k) * head.scale;
            row.weights.push_back({j, score});
            maximum = score > maximum ? score : maximum;
            nothing = nothing && score == -infinity;
        }
    }
    double sum = 0;
    for (Weight& w : row.weights) {
        w.weight = nothing ? 0.0 : std::exp(w.weight - maximum);
        sum += w.weight;
    }
    if (!nothing) {
        for (Weight& w : row.weights) {
            w.weight /= sum;
        }
        row.logsumexp = maximum + std::log(sum);
    }
    return row;
}

} // namespace

template <class T>
double row_in_double(const Head<T>& head, std::size_t i, T* output) {
    const Row row = softmax_row(head, i);
    for (std::size_t c = 0; c < head.d_v; ++c) {
        double sum = 0;
        for (const Weight& w : row.weights) {
            sum += w.weight * static_cast<double>(head.V[w.key * head.d_v + c]);
        }
        output[c] = static_cast<T>(sum);
    }
    return row.logsumexp;
}

template <class T>
void gradients_in_double(const Head<T>& head, const T* d_output, T* dQ, T* dK, T* dV) {
    const std::size_t d_k = head.d_k, d_v = head.d_v;
    std::vector<double> sums_K(head.n_keys * d_k, 0.0), sums_V(head.n_keys * d_v, 0.0);
    for (std::size_t i = 0; i < head.n_queries; ++i) {
        const Row row = softmax_row(head, i);
        const T* const dO = d_output + i * d_v;
        std::vector<double> d_weights;
        double D = 0; // Σ weight · d_weight
        for (const Weight& w : row.weights) {
            d_weights.push_back(dot(dO, head.V + w.key * d_v, d_v));
            D += w.weight * d_weights.back();
        }
        std::vector<double> sums_Q(d_k, 0.0);
        for (std::size_t at = 0; at < row.weights.size(); ++at) {
            const auto [key, weight] = row.weights[at];
            const double d_score = weight * (d_weights[at] - D) * head.scale;
            for (std::size_t c = 0; c < d_k; ++c) {
                sums_Q[c] += d_score * static_cast<double>(head.K[key * d_k + c]);
                sums_K[key * d_k + c] += d_score * static_cast<double>(head.Q[i * d_k + c]);
            }
            for (std::size_t c = 0; c < d_v; ++c) {
                sums_V[key * d_v + c] += weight * static_cast<double>(dO[c]);
            }
        }
        std::transform(sums_Q.begin(), sums_Q.end(), dQ + i * d_k, rounded<T>);
    }
    std::transform(sums_K.begin(), sums_K.end(), dK, rounded<T>);
    std::transform(sums_V.begin(), sums_V.end(), dV, rounded<T>);
}

template void gradients_in_double(const Head<float>&, const float*, float*, float*, float*);
template void gradients_in_double(const Head<double>&, const double*, double*, double*, double*);
template double row_in_double(const Head<float>&, std::size_t, float*);
template double row_in_double(const Head<double>&, std::size_t, double*);

} // namespace attention
