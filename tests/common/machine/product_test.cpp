#include "machine/memory.hpp"
#include "machine/product_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>
#include <vector>

using attention::MatrixView;
using attention::ProductSizes;

namespace {

std::vector<float> normal(std::size_t n, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> distribution;
    std::vector<float> numbers(n);
    std::generate(numbers.begin(), numbers.end(), [&] { return distribution(engine); });
    return numbers;
}

// Rows × columns numbers in one of the two orders.
MatrixView view(const std::vector<float>& X, std::size_t rows, std::size_t columns,
                bool is_transposed) {
    return is_transposed ? MatrixView{X.data(), 1, rows} : MatrixView{X.data(), columns, 1};
}

float at(const MatrixView& X, std::size_t row, std::size_t column) {
    return X.data[row * X.row_step + column * X.column_step];
}

std::vector<float> product(const MatrixView& A, const MatrixView& B, const ProductSizes& sizes,
                           const attention::Start& start, std::vector<float> C) {
    const auto scratch = attention::kernel_buffer<float>(attention::product_scratch_size());
    attention::multiply(A, B, sizes, start, scratch.get(), C.data());
    return C;
}

} // namespace

TEST_CASE("multiply: agrees with plain loops in double, in every order and size") {
    // Around the sizes of a register tile, of its panels and of the blocks that are packed.
    const ProductSizes awkward[] = {{1, 1, 1},      {1, 33, 17},   {7, 31, 5},     {8, 32, 16},
                                    {13, 15, 255},  {19, 47, 257}, {193, 70, 31},  {200, 530, 20},
                                    {16, 1025, 33}, {33, 16, 600}, {129, 515, 300}};
    for (const ProductSizes& sizes : awkward) {
        const auto& [m, n, k] = sizes;
        CAPTURE(&sizes - awkward); // which of them
        const std::vector<float> a = normal(m * k, 1), b = normal(k * n, 2), c = normal(m * n, 3);
        for (const int order : {0, 1, 2, 3}) {
            const MatrixView A = view(a, m, k, order % 2 == 1), B = view(b, k, n, order / 2 == 1);
            const std::vector<float> replaced = product(A, B, sizes, {}, c);
            const std::vector<float> added = product(A, B, sizes, {c.data(), n}, c);
            const std::vector<float> from_row = product(A, B, sizes, {c.data(), 0}, c);
            double worst = 0;
            for (std::size_t i = 0; i < m; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    double sum = 0, size = 1;
                    for (std::size_t l = 0; l < k; ++l) {
                        const double term = static_cast<double>(at(A, i, l)) * at(B, l, j);
                        sum += term;
                        size += std::abs(term);
                    }
                    const std::size_t flat = i * n + j;
                    worst = std::max(worst, std::abs(replaced[flat] - sum) / size);
                    worst = std::max(worst, std::abs(added[flat] - (sum + c[flat])) / size);
                    worst = std::max(worst, std::abs(from_row[flat] - (sum + c[j])) / size);
                }
            }
            CAPTURE(order);
            CHECK(worst < 1e-6); // of the sum of all sizes: a few roundings
        }
    }
}

TEST_CASE("multiply: a row has the same bits whatever the other rows") {
    const std::size_t m = 45, n = 70, k = 300;
    const std::vector<float> a = normal(m * k, 1), b = normal(k * n, 2);
    const MatrixView A = view(a, m, k, false), B = view(b, k, n, false);
    const std::vector<float> all = product(A, B, {m, n, k}, {}, std::vector<float>(m * n));
    for (const std::size_t first : {0U, 7U, 44U}) {
        const std::vector<float> one =
            product({a.data() + first * k, k, 1}, B, {1, n, k}, {}, std::vector<float>(n));
        CHECK(std::equal(one.begin(), one.end(), all.begin() + static_cast<long>(first * n)));
    }
}

TEST_CASE("multiply: an infinity or a NaN stays in its row and column") {
    const std::size_t m = 20, n = 37, k = 18;
    std::vector<float> a = normal(m * k, 1), b = normal(k * n, 2);
    a[3 * k + 5] = std::numeric_limits<float>::quiet_NaN();
    b[7 * n + 36] = std::numeric_limits<float>::infinity();
    const std::vector<float> C = product(view(a, m, k, false), view(b, k, n, false), {m, n, k}, {},
                                         std::vector<float>(m * n));
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            CHECK(std::isfinite(C[i * n + j]) == (i != 3 && j != 36));
        }
    }
}
