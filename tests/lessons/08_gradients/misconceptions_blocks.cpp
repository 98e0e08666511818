// Wrong versions of 08.1 and 08.2 that work in blocks, or end at a size.

#include "wrong_products.hpp"

using namespace wrong;

namespace {

// ---- 08.1

/// Σ p g over the first keys alone.
auto sum_over(std::size_t n_keys) {
    return in_rows([=](const Vector& p, const Vector& g) -> Vector {
        double sum = 0;
        for (std::size_t k = 0; k < std::min(n_keys, p.size()); ++k) {
            sum += p(k) * g(k);
        }
        return p * (g - sum);
    });
}
constexpr const char* sum_ends =
    "Σ p g ends at a fixed number of keys: later ones are not in it. Does a buffer end there?";
MISCONCEPTION(softmax_backward, sum_of_the_first_64, sum_ends, sum_over(64));
MISCONCEPTION(softmax_backward, sum_of_the_first_128, sum_ends, sum_over(128));
MISCONCEPTION(softmax_backward, sum_of_the_first_256, sum_ends, sum_over(256));
MISCONCEPTION(softmax_backward, sum_of_the_first_512, sum_ends, sum_over(512));
MISCONCEPTION(softmax_backward, sum_of_the_first_1024, sum_ends, sum_over(1024));
MISCONCEPTION(softmax_backward, sum_of_the_first_2048, sum_ends, sum_over(2048));
MISCONCEPTION(softmax_backward, sum_of_the_first_4096, sum_ends, sum_over(4096));
MISCONCEPTION(softmax_backward, sum_of_the_first_8192, sum_ends, sum_over(8192));

MISCONCEPTION(softmax_backward, as_many_keys_as_queries,
              "only the first n_queries keys are looked at, and the others are 0: a loop over the "
              "keys ends at shape(0). It ends at shape(1).",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  Matrix p = weights;
                  for (std::size_t k = p.shape(0); k < p.shape(1); ++k) {
                      xt::view(p, xt::all(), k) = 0;
                  }
                  return right_softmax_backward(p, d_weights);
              });

MISCONCEPTION(softmax_backward, columns_summed_and_no_weight,
              "the sum runs down the columns, and the weight in front is missing. Each row has a "
              "sum of its own, over its keys (axis 1), and it is p ∘ (g − Σ p g).",
              [](const Matrix& weights, const Matrix& d_weights) -> Matrix {
                  demand_same(weights, d_weights);
                  const Matrix sums = xt::sum(weights * d_weights, {0}, xt::keep_dims);
                  return d_weights - sums;
              });

// ---- 08.2

/// Of n terms, those in whole blocks, where there is more than a block.
std::size_t in_blocks(std::size_t n, std::size_t block) {
    return n > block ? n / block * block : n;
}
Matrix first_columns(const Matrix& X, std::size_t n) {
    return xt::view(X, xt::all(), xt::range(std::size_t{0}, n));
}
Matrix first_rows(const Matrix& X, std::size_t n) {
    return xt::view(X, xt::range(std::size_t{0}, n), xt::all());
}
/// X · Y, of whose terms some are lost.
Matrix product_in_blocks(const Matrix& X, const Matrix& Y, std::size_t block) {
    const std::size_t n = in_blocks(Y.shape(0), block);
    return matmul(first_columns(X, n), first_rows(Y, n));
}

constexpr const char* terms_lost =
    "where a sum is longer than a block, the terms past its last whole block are lost: the number "
    "of blocks is rounded down. Round it up, and cut the last one short.";

auto blocks_of(std::size_t in_d_A, std::size_t in_d_B) {
    return product_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{product_in_blocks(d_C, transposed(B), in_d_A),
                                product_in_blocks(transposed(A), d_C, in_d_B)};
    });
}
auto transposed_blocks_of(std::size_t in_d_A, std::size_t in_d_B) {
    return transposed_by([=](const Matrix& A, const Matrix& B, const Matrix& d_C) {
        return ProductGradients{product_in_blocks(d_C, B, in_d_A),
                                product_in_blocks(transposed(d_C), A, in_d_B)};
    });
}
constexpr std::size_t none = 1U << 30U;

// With the larger blocks d_B alone looks like both: the first sizes that show it have no sum in d_A
// that is long enough.
#define LOST_IN_BLOCKS(size)                                                                       \
    MISCONCEPTION(matmul_backward, d_A_in_blocks_of_##size, terms_lost, blocks_of(size, none));    \
    MISCONCEPTION(matmul_backward, both_in_blocks_of_##size, terms_lost, blocks_of(size, size));   \
    MISCONCEPTION(matmul_transposed_backward, transposed_d_A_in_blocks_of_##size, terms_lost,      \
                  transposed_blocks_of(size, none));                                               \
    MISCONCEPTION(matmul_transposed_backward, transposed_both_in_blocks_of_##size, terms_lost,     \
                  transposed_blocks_of(size, size))

LOST_IN_BLOCKS(4);
LOST_IN_BLOCKS(8);
LOST_IN_BLOCKS(16);
MISCONCEPTION(matmul_backward, d_B_in_blocks_of_4, terms_lost, blocks_of(none, 4));
MISCONCEPTION(matmul_transposed_backward, transposed_d_B_in_blocks_of_4, terms_lost,
              transposed_blocks_of(none, 4));

} // namespace
