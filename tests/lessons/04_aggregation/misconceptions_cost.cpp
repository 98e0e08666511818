// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "exports.hpp"

namespace {

// ---- 04.5 attention_flops and attention_bytes

double real(std::size_t n) {
    return static_cast<double>(n);
}

float single(std::size_t n) {
    return static_cast<float>(n);
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

constexpr double two_to_64 = 18446744073709551616.0;

constexpr const char* says_cut_off =
    "counts beyond 64 bits are cut off at the largest 64-bit number, 1.8e19. A double goes on to "
    "1e308: convert before you multiply, and cut nothing off.";

WRONG_FLOPS(flops_cut_off, says_cut_off, std::min(two_to_64, 2 * N * N * (D_k + D_v)));
WRONG_BYTES(bytes_cut_off, says_cut_off, std::min(two_to_64, 8 * (2 * N * (D_k + D_v) + N * N)));

constexpr const char* says_rows_in_integers =
    "n² is right, but n · (d_k + d_v) is counted in integers, which overflow silently beyond 64 "
    "bits. Convert every size to a double before you multiply.";

WRONG_FLOPS(flops_of_rows_in_integers, says_rows_in_integers, N* real(2 * n * (d_k + d_v)));
WRONG_BYTES(bytes_of_rows_in_integers, says_rows_in_integers,
            8 * (N * N + real(2 * n * (d_k + d_v))));

WRONG_FLOPS(n_instead_of_its_square,
            "this counts n scores. Each of the n queries has a score with each of the n keys: n².",
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

constexpr const char* says_wider =
    "the wider of d_k and d_v is counted for both. Queries and keys have d_k components, values "
    "and outputs d_v: count each with its own.";

WRONG_FLOPS(wider_of_both, says_wider, 4 * N * N * std::max(D_k, D_v));
WRONG_BYTES(wider_of_both_in_bytes, says_wider, 8 * (4 * N * std::max(D_k, D_v) + N * N));

constexpr const char* says_second_terms =
    "the elements of weights · V are counted as sums of d_k terms, or of d_v. Each is a sum over "
    "the n keys: a weight times a value for each.";

WRONG_FLOPS(second_product_of_d_k_terms, says_second_terms, 2 * N * (N * D_k + D_k * D_v));
WRONG_FLOPS(second_product_of_d_v_terms, says_second_terms, 2 * N * (N * D_k + D_v * D_v));

WRONG_FLOPS(first_product_of_n_terms,
            "the elements of Q · Kᵀ are counted as sums of n terms. Each is a sum over the d_k "
            "components of a query and a key; it is in weights · V that n terms are summed.",
            2 * N * N * (N + D_v));

WRONG_FLOPS(widths_squared,
            "this grows with n times d², as recurrence does, or a projection. Attention compares "
            "every position with every other: n² times d_k, and n² times d_v.",
            2 * N * (D_k * D_k + D_v * D_v));

constexpr const char* in_integers =
    "right until a count is too large for the integer that it is kept in: n, n², or what n² is "
    "multiplied with, n² d_k or n² d_v. Integers overflow silently. Convert n, d_k and d_v to a "
    "double before you multiply or add them.";

/// What an int, and a 32-bit unsigned, have left of a count.
double as_int(std::size_t count) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(count));
}
double as_unsigned(std::size_t count) {
    return static_cast<std::uint32_t>(count);
}
double as_long(std::size_t count) {
    return static_cast<double>(static_cast<std::int64_t>(count));
}

WRONG_FLOPS(counted_in_integers, in_integers, real(2 * n * n * (d_k + d_v)));
WRONG_FLOPS(counted_in_long, in_integers, as_long(2 * n * n * (d_k + d_v)));
WRONG_FLOPS(counted_in_int, in_integers, as_int(2 * n * n * (d_k + d_v)));
WRONG_FLOPS(counted_in_unsigned, in_integers, as_unsigned(2 * n * n * (d_k + d_v)));
WRONG_FLOPS(n_in_an_int, in_integers, 2 * as_int(n) * as_int(n) * (D_k + D_v));
WRONG_FLOPS(square_in_integers, in_integers, 2 * real(n * n) * (D_k + D_v));
constexpr const char* in_float =
    "right to about 7 digits and no further, as a float is. Count in double: it has 16 digits.";

WRONG_FLOPS(counted_in_float, in_float, 2 * single(n) * single(n) * (single(d_k) + single(d_v)));

constexpr const char* exclusive_or =
    "in C++ ^ is not a power, but the bitwise exclusive or. Write n * n, with n in a "
    "double.";

WRONG_FLOPS(exclusive_or_of_n, exclusive_or, 2 * real(n ^ 2U) * (D_k + D_v));

WRONG_FLOPS(twice_as_much,
            "this is twice as much as there is. Each term of a sum takes two operations, a "
            "multiplication and an addition: n² · d_k terms in the first product, n² · d_v in the "
            "second.",
            4 * N * N * (D_k + D_v));

constexpr const char* once_in_one_product =
    "in one of the two products each term counts once. In both it takes two operations, a "
    "multiplication and an addition.";

WRONG_FLOPS(first_product_once, once_in_one_product, N* N*(D_k + 2 * D_v));
WRONG_FLOPS(second_product_once, once_in_one_product, N* N*(2 * D_k + D_v));

WRONG_FLOPS(one_addition_less,
            "a sum of d terms takes d - 1 additions, that is true; but the contract counts one for "
            "each term, as is usual: the sum starts at 0.",
            N*(N*(2 * D_k - 1) + D_v * (2 * N - 1)));

constexpr const char* scores_counted =
    "this counts what is done to the n² scores one by one as well, scaling or softmax. The "
    "contract leaves that out: the two products alone.";

WRONG_FLOPS(one_for_each_score, scores_counted, 2 * N * N * (D_k + D_v) + N * N);
WRONG_FLOPS(two_for_each_score, scores_counted, 2 * N * N * (D_k + D_v) + 2 * N * N);
WRONG_FLOPS(three_for_each_score, scores_counted, 2 * N * N * (D_k + D_v) + 3 * N * N);
WRONG_FLOPS(four_for_each_score, scores_counted, 2 * N * N * (D_k + D_v) + 4 * N * N);
WRONG_FLOPS(five_for_each_score, scores_counted, 2 * N * N * (D_k + D_v) + 5 * N * N);

constexpr const char* projections_counted =
    "the products that make Q, K and V of the sequence, or one after the output, are counted as "
    "well. The contract starts with Q, K and V: Q · Kᵀ and weights · V, and nothing else.";

WRONG_FLOPS(projections_of_d_k, projections_counted,
            2 * N * N * (D_k + D_v) + 2 * N * D_k * (2 * D_k + D_v));
WRONG_FLOPS(projections_of_d_v, projections_counted,
            2 * N * N * (D_k + D_v) + 2 * N * D_v * (2 * D_k + D_v));
WRONG_FLOPS(projections_of_both, projections_counted,
            2 * N * N * (D_k + D_v) + 2 * N * (2 * D_k * D_k + D_v * D_v));
WRONG_FLOPS(projections_of_three_d_k, projections_counted,
            2 * N * N * (D_k + D_v) + 6 * N * D_k * D_k);
WRONG_FLOPS(projection_of_the_output, projections_counted,
            2 * N * N * (D_k + D_v) + 2 * N * D_v * D_v);

constexpr const char* says_triangle =
    "this counts a triangle of scores or weights, about half of n², as a causal mask leaves. Here "
    "nothing is masked: each of the n queries has a score and a weight for each of the n keys, n².";

WRONG_FLOPS(lower_triangle, says_triangle, N*(N + 1) * (D_k + D_v));
WRONG_FLOPS(triangle_without_diagonal, says_triangle, N*(N - 1) * (D_k + D_v));
WRONG_BYTES(weights_of_the_lower_triangle, says_triangle,
            8 * (2 * N * (D_k + D_v) + N * (N + 1) / 2));
WRONG_BYTES(weights_of_the_triangle_without_diagonal, says_triangle,
            8 * (2 * N * (D_k + D_v) + N * (N - 1) / 2));
WRONG_BYTES(half_of_the_weights, says_triangle, 8 * (2 * N * (D_k + D_v) + N * N / 2));

WRONG_FLOPS(cube_of_n,
            "this is the cost of multiplying n × n matrices. Here the sums have d_k terms in the "
            "first product, and the second has d_v columns.",
            2 * N * N * N);

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
            "scores and weights are both counted. By the contract scores and weights use the same "
            "memory, so n² numbers are stored once.",
            8 * (2 * N * D_k + 2 * N * D_v + 2 * N * N));

WRONG_BYTES(floats, "these are floats of 4 bytes. A double has 8.",
            4 * (2 * N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(numbers_not_bytes, "this counts numbers. Each is a double, of 8 bytes.",
            2 * N * D_k + 2 * N * D_v + N * N);

WRONG_BYTES(bits, "this counts 64 bits for each number. A double has 8 bytes.",
            64 * (2 * N * D_k + 2 * N * D_v + N * N));

WRONG_BYTES(bytes_in_integers, in_integers, real(8 * (2 * n * d_k + 2 * n * d_v + n * n)));
WRONG_BYTES(bytes_in_long, in_integers, as_long(8 * (2 * n * d_k + 2 * n * d_v + n * n)));
WRONG_BYTES(bytes_in_int, in_integers, as_int(8 * (2 * n * d_k + 2 * n * d_v + n * n)));
WRONG_BYTES(bytes_in_unsigned, in_integers, as_unsigned(8 * (2 * n * d_k + 2 * n * d_v + n * n)));
WRONG_BYTES(numbers_in_int, in_integers, 8 * as_int(2 * n * d_k + 2 * n * d_v + n * n));
WRONG_BYTES(numbers_in_unsigned, in_integers, 8 * as_unsigned(2 * n * d_k + 2 * n * d_v + n * n));
WRONG_BYTES(bytes_in_float, in_float,
            8 * (2 * single(n) * single(d_k) + 2 * single(n) * single(d_v) +
                 single(n) * single(n)));

WRONG_BYTES(exclusive_or_of_n_in_bytes, exclusive_or,
            8 * (2 * N * D_k + 2 * N * D_v + real(n ^ 2U)));

WRONG_BYTES(values_as_wide_as_keys,
            "three matrices are counted with d_k columns, and one with d_v. Q and K have d_k "
            "columns; V and the output have d_v.",
            8 * (3 * N * D_k + N * D_v + N * N));

WRONG_BYTES(one_of_each,
            "only one matrix of d_k columns and one of d_v are counted. Q and K are two, and so "
            "are V and the output.",
            8 * (N * D_k + N * D_v + N * N));

WRONG_BYTES(scores_and_exponentials_beside_weights,
            "scores, exponentials and weights are all counted. By the contract scores and weights "
            "use the same memory, so n² numbers are stored once.",
            8 * (2 * N * D_k + 2 * N * D_v + 3 * N * N));

WRONG_BYTES(weights_as_wide_as_keys,
            "the weights are counted with d_k columns. There is one for each query and each key: "
            "n².",
            8 * (3 * N * D_k + 2 * N * D_v));

WRONG_BYTES(weights_as_wide_as_values,
            "the weights are counted with d_v columns. There is one for each query and each key: "
            "n².",
            8 * (2 * N * D_k + 3 * N * D_v));

constexpr const char* larger_units =
    "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.";

double bytes(double N, double D_k, double D_v) {
    return 8 * (2 * N * D_k + 2 * N * D_v + N * N);
}

WRONG_BYTES(kibibytes, larger_units, bytes(N, D_k, D_v) / 1024);
WRONG_BYTES(mebibytes, larger_units, bytes(N, D_k, D_v) / 1024 / 1024);
WRONG_BYTES(kilobytes, larger_units, bytes(N, D_k, D_v) / 1000);
WRONG_BYTES(megabytes, larger_units, bytes(N, D_k, D_v) / 1e6);
WRONG_BYTES(gigabytes, larger_units, bytes(N, D_k, D_v) / 1e9);

WRONG_BYTES(eight_times_a_part,
            "the bytes of a double are counted for some of the matrices only. All of them hold "
            "doubles: put brackets round the whole sum before you multiply by 8.",
            8 * (2 * N * D_k + 2 * N * D_v) + N * N);

WRONG_FLOPS(n_in_float, in_float, 2 * std::pow(static_cast<double>(single(n)), 2) * (D_k + D_v));
WRONG_BYTES(n_in_float_in_bytes, in_float, bytes(static_cast<double>(single(n)), D_k, D_v));

constexpr const char* says_factor =
    "right until 2 n or 8 n is too large for an integer: the factor is multiplied in integers, "
    "which overflow silently. Convert n to a double before you multiply it with anything.";

WRONG_FLOPS(factor_in_integers, says_factor, real(2 * n) * N * (D_k + D_v));
WRONG_BYTES(factor_in_integers_in_bytes, says_factor, real(8 * n) * (2 * D_k + 2 * D_v + N));

constexpr const char* says_width_factor =
    "right until twice a width, 2 d_k, 2 d_v or 2 (d_k + d_v), is too large for an integer: it is "
    "computed in integers, which overflow silently. Convert every size to a double before you "
    "multiply.";

WRONG_FLOPS(width_factors_in_integers, says_width_factor, N* N*(real(2 * d_k) + real(2 * d_v)));
WRONG_BYTES(width_factors_in_integers_in_bytes, says_width_factor,
            8 * N * (real(2 * d_k) + real(2 * d_v) + N));

WRONG_FLOPS(each_row_in_integers,
            "right until n · d_k or n · d_v is too large for an integer: those are multiplied in "
            "integers, which overflow silently. Convert every size to a double before you "
            "multiply.",
            2 * N * real(n * d_k) + 2 * N * real(n * d_v));
WRONG_BYTES(each_matrix_in_integers,
            "right until n · d_k or n · d_v is too large for an integer: those are multiplied in "
            "integers, which overflow silently. Convert every size to a double before you "
            "multiply.",
            8 * (2 * real(n * d_k) + 2 * real(n * d_v) + N * N));
WRONG_FLOPS(terms_in_unsigned, in_integers, 2 * as_unsigned(n * n * (d_k + d_v)));
WRONG_FLOPS(terms_in_int, in_integers, 2 * as_int(n * n * (d_k + d_v)));

WRONG_FLOPS(single_position_costs_nothing,
            "for one position it counts nothing, or less than both products. Its only weight is 1, "
            "that is true; but the two products are computed for one position as for many.",
            n == 1 ? 0 : 2 * N * N * (D_k + D_v));

WRONG_FLOPS(
    cheaper_order,
    "for long sequences it counts the products in another order, Kᵀ · V first. The softmax stands "
    "between the two, so Q · Kᵀ has to be complete first: their order cannot be changed.",
    std::min(2 * N * N * (D_k + D_v), 4 * N * D_k * D_v));

WRONG_BYTES(keys_serve_as_values,
            "where d_k equals d_v, one matrix is counted for two. Q, K, V and the output are four, "
            "also where they have one shape.",
            8 * (2 * N * D_k + (d_k == d_v ? 1 : 2) * N * D_v + N * N));

} // namespace
