// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <cmath>

#include "exports.hpp"

namespace {

// ---- 04.5 attention_flops and attention_bytes

double real(std::size_t n) {
    return static_cast<double>(n);
}

#define WRONG_FLOPS(name, explanation, expression)                                                 \
    MISCONCEPTION(attention_flops, name, explanation,                                              \
                  [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {                  \
                      [[maybe_unused]] const double N = real(n);                                   \
                      [[maybe_unused]] const double D_k = real(d_k);                               \
                      [[maybe_unused]] const double D_v = real(d_v);                               \
                      return expression;                                                           \
                  })

#define WRONG_BYTES(name, explanation, expression)                                                 \
    MISCONCEPTION(attention_bytes, name, explanation,                                              \
                  [](std::size_t n, std::size_t d_k, std::size_t d_v) -> double {                  \
                      [[maybe_unused]] const double N = real(n);                                   \
                      [[maybe_unused]] const double D_k = real(d_k);                               \
                      [[maybe_unused]] const double D_v = real(d_v);                               \
                      return expression;                                                           \
                  })

WRONG_FLOPS(n_instead_of_its_square,
            "this counts n scores. Every one of the n queries meets every one of the n keys: n².",
            2 * N * (D_k + D_v));

WRONG_FLOPS(first_product_only,
            "this is the first product, Q · Kᵀ, alone. The second, weights · V, is missing: its n "
            "times d_v elements are sums over n keys.",
            2 * N * N * D_k);

WRONG_FLOPS(second_product_only,
            "this is the second product, weights · V, alone. The first, Q · Kᵀ, is missing: its n² "
            "elements are sums over d_k components.",
            2 * N * N * D_v);

WRONG_FLOPS(multiplications_only,
            "this is half of it: each term of a sum costs a multiplication and an addition, which "
            "are two operations.",
            N* N*(D_k + D_v));

WRONG_FLOPS(widths_multiplied,
            "d_k and d_v are multiplied here. The two products come one after the other, so their "
            "costs add up.",
            2 * N * N * D_k * D_v);

WRONG_FLOPS(d_k_for_both,
            "both products are counted with d_k. The values have a width of their own, d_v.",
            4 * N * N * D_k);

WRONG_FLOPS(counted_in_integers,
            "right until n² passes 2⁶⁴: the product is taken in integers, and these start again at "
            "0 without a word. Make n a double before you multiply.",
            static_cast<double>(2 * n * n * (d_k + d_v)));

WRONG_BYTES(weights_forgotten,
            "the weights are missing: n² of them, and for a long sequence they are nearly all of "
            "the memory.",
            8 * (2 * N * D_k + 2 * N * D_v));

WRONG_BYTES(n_weights, "this counts n weights. There is one for each query and each key: n².",
            8 * (2 * N * D_k + 2 * N * D_v + N));

WRONG_BYTES(weights_only, "these are the weights alone. Q, K, V and the output take memory too.",
            8 * N * N);

WRONG_BYTES(output_forgotten, "the output is missing. It has a row of d_v numbers for each query.",
            8 * (2 * N * D_k + N * D_v + N * N));

WRONG_BYTES(queries_or_keys_forgotten,
            "Q and K are counted as one matrix. Each has n rows of d_k numbers.",
            8 * (N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(scores_beside_weights,
            "scores and weights are both counted. The contract says that the scores lie where the "
            "weights will, so n² numbers are stored once.",
            8 * (2 * N * D_k + 2 * N * D_v + 2 * N * N));

WRONG_BYTES(floats, "these are floats of 4 bytes. A double has 8.",
            4 * (2 * N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(numbers_not_bytes, "this counts numbers. Each is a double, of 8 bytes.",
            2 * N * D_k + 2 * N * D_v + N * N);

WRONG_BYTES(bits, "this counts 64 bits for each number. A double has 8 bytes.",
            64 * (2 * N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(bytes_in_integers,
            "right until 8 n² passes 2⁶⁴: the product is taken in integers, and these start again "
            "at 0 without a word. Make n a double before you multiply.",
            static_cast<double>(8 * (2 * n * d_k + 2 * n * d_v + n * n)));

} // namespace
