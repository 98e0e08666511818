#include "saturation/expected_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

// With s_j = σ x_j, x_j normal, and Z = Σ e^{s_j}: the entropy of the weights is ln Z − Σ p_j s_j,
// and p_j s_j summed is σ ∂ ln Z/∂σ, so E[H] = (1 − σ ∂/∂σ) E ln Z. From ln Z = ∫ (e^{−t} −
// e^{−tZ}) dt/t with u = ln t, and the n terms of Z independent,
//
//   E ln Z = ∫ (exp(−e^u) − G(u)ⁿ) du,   G(u) = E[g(u + σx)],   g(y) = exp(−e^y).
//
// The derivatives of G in u and in σ are both means of g′ = −w, w(y) = exp(y − e^y), which is a
// density with mean −γ. Integrated by parts once, so that only what decays is left,
//
//   E[H] = −n ∫ G(u)ⁿ⁻¹ M(u) du,   M(u) = E[(y + γ) w(y)],   y = u + σx.
//
// Every rule is the trapezoid's: on analytic functions that vanish at both ends its error falls
// exponentially with 1/step.

namespace attention {
namespace {

using std::numbers::egamma; // γ
using std::numbers::pi;
constexpr double log_tail = 23; // what lies e^{−23} below the rest is left out

struct Node {
    double at, weight;
};

// h · density at every step of [first, last], normalised: G must be 1 where it is 1, since the
// power multiplies any error by n.
template <class Density>
std::vector<Node> nodes(double first, double last, double h, Density density) {
    std::vector<Node> rule;
    double total = 0;
    for (double at = first; at < last; at += h) {
        rule.push_back({at, density(at)});
        total += rule.back().weight;
    }
    for (Node& node : rule) {
        node.weight /= total;
    }
    return rule;
}

double normal_density(double x) {
    return std::exp(-x * x / 2) / std::sqrt(2 * pi);
}
double w(double y) {
    return std::exp(y - std::exp(y));
}

struct Means {
    double missing, M; // 1 − G, which keeps its digits where G is almost 1
};

// A narrow normal limits the step: the trapezoid in x.
Means narrow(const std::vector<Node>& normal, double u, double sigma) {
    Means sum{0, 0};
    for (const auto& [x, weight] : normal) {
        const double y = u + sigma * x;
        sum.missing -= weight * std::expm1(-std::exp(y));
        sum.M += weight * (y + egamma) * w(y);
    }
    return sum;
}

// Beside a wide one w does: the trapezoid in y, where G = ∫ w(y) Φ((y − u)/σ) dy.
Means wide(const std::vector<Node>& gumbel, double u, double sigma) {
    Means sum{0, 0};
    for (const auto& [y, weight] : gumbel) {
        const double x = (y - u) / sigma;
        sum.missing += weight * std::erfc(x / std::sqrt(2.0)) / 2;
        sum.M += weight * (y + egamma) * normal_density(x) / sigma;
    }
    return sum;
}

double mean_entropy(std::size_t n_keys, double sigma) {
    if (n_keys == 1) {
        return 0;
    }
    const double n = static_cast<double>(n_keys);
    const double L = log_tail + std::log(n);
    const double reach = std::sqrt(2 * L);
    const bool is_narrow = sigma < 1;
    const std::vector<Node> rule = is_narrow ? nodes(-reach, reach, 0.4, normal_density)
                                             : nodes(-L, 3.8, 0.4, w); // w(3.8) = e^{−41}

    // As far left as n P(e^{u+σx} matters) does: Chernoff's bound, with exponent 1 or −u/σ².
    const double first = -(sigma < reach ? L + sigma * sigma / 2 : sigma * reach);
    const double last = 3.8 + sigma * reach;
    const double h = std::max(0.3, 0.45 * sigma / std::sqrt(1 + 2 * std::log(n)));
    double sum = 0;
    for (double u = first; u < last; u += h) {
        const auto [missing, M] = is_narrow ? narrow(rule, u, sigma) : wide(rule, u, sigma);
        const double log_power = (n - 1) * std::log1p(-std::min(missing, 1.0));
        if (log_power < -2 * log_tail) {
            break; // G falls with u: nothing comes after
        }
        sum += std::exp(log_power) * M;
    }
    return std::clamp(-n * h * sum, 0.0, std::log(n));
}

} // namespace

double expected_entropy(std::size_t n_keys, std::size_t d_k, bool scaled) {
    // r = ln(χ²/d_k) has the density exp(d_k/2 · (r − e^r)), up to a factor: smooth for any d_k,
    // where that of χ²(1) itself is infinite at 0. Its long left tail, where the entropy is ln n
    // − O(e^r), only needs the factor.
    const double d = static_cast<double>(d_k);
    const double log_n = std::log(static_cast<double>(n_keys));
    const double h = std::min(0.45, 0.6 * std::sqrt(2 / d));
    double total = 0;
    double deficit = 0;
    const auto add = [&](double r) { // returns whether there is more to come on that side
        const double log_density = d / 2 * (r - std::exp(r) + 1);
        const double density = std::exp(log_density);
        total += density;
        if (log_density + std::min(r, 0.0) > -log_tail) {
            const double variance = (scaled ? 1 : d) * std::exp(r);
            deficit += density * (log_n - mean_entropy(n_keys, std::sqrt(variance)));
        }
        return log_density > -2 * log_tail;
    };
    add(0);
    for (int i = 1; add(h * i); ++i) {
    }
    for (int i = 1; add(-h * i); ++i) {
    }
    return log_n - deficit / total;
}

double predicted_entropy(std::size_t n_keys, double variance) {
    return std::max(0.0, std::log(static_cast<double>(n_keys)) - variance / 2);
}

} // namespace attention
