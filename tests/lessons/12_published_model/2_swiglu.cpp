// 12.2 swiglu

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_swiglu {

using namespace proof;

Vector right(const Vector& x, const Matrix& W_gate, const Matrix& W_up, const Matrix& W_down) {
    std::vector<oracle::Real> inner;
    for (std::size_t i = 0; i < W_gate.shape(0); ++i) {
        const auto z = oracle::dot(oracle::row_of(W_gate, i), x.data(), x.size());
        const auto up = oracle::dot(oracle::row_of(W_up, i), x.data(), x.size());
        inner.push_back(z / (1 + std::exp(-z)) * up);
    }
    Vector y = x;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto term = [&](std::size_t j) { return oracle::Real(W_down(i, j)) * inner[j]; };
        y(i) = static_cast<double>(oracle::sum(inner.size(), term));
    }
    return y;
}

const auto swiglu = Domain(graded::swiglu, right,
                           {{"x", Kind::array, "dim"},
                            {"W_gate", Kind::array, "hidden x dim"},
                            {"W_up", Kind::array, "hidden x dim"},
                            {"W_down", Kind::array, "dim x hidden"}},
                           sums_in_double)
                        .scaled({{"W_down", ""}, {"W_up", ""}});

TEST_CASE("12.2 swiglu: one component and two gates, by hand: silu(0) is 0, silu(ln 3) ¾ ln 3") {
    const double ln_3 = std::log(3.0);
    expect_close(graded::swiglu({ln_3}, {{0}, {1}}, {{5}, {2}}, {{7, 4}}), Vector{6 * ln_3 * ln_3},
                 {1e-10, 1e-10});
}

PROPERTIES("12.2 swiglu", swiglu)

TEST_CASE("12.2 swiglu: gates of −800 and 800 stay finite") {
    const Matrix W_gate{{-800, 0}, {800, 0}, {0, -710}}, W_up{{1, 2}, {3, 4}, {5, 6}};
    const Matrix W_down{{1, 2, 3}, {4, 5, 6}};
    const Vector x{1, 1};
    expect_close(graded::swiglu(x, W_gate, W_up, W_down), right(x, W_gate, W_up, W_down),
                 sums_in_double);
}

} // namespace of_swiglu
