// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include <cstdint>

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- 09.4 kv_cache_bytes

#define WRONG_BYTES(name, explanation, expression)                                                 \
    MISCONCEPTION(kv_cache_bytes, name, explanation,                                               \
                  [](std::size_t n_tokens, std::size_t n_layers, std::size_t n_kv_heads,           \
                     std::size_t d_k, std::size_t d_v, std::size_t bytes_each) -> double {         \
                      [[maybe_unused]] const double N = real(n_tokens);                            \
                      [[maybe_unused]] const double L = real(n_layers);                            \
                      [[maybe_unused]] const double H = real(n_kv_heads);                          \
                      [[maybe_unused]] const double D_k = real(d_k);                               \
                      [[maybe_unused]] const double D_v = real(d_v);                               \
                      [[maybe_unused]] const double B = real(bytes_each);                          \
                      return expression;                                                           \
                  })

WRONG_BYTES(keys_only, "the values are missing: the cache keeps a key and a value a token.",
            N* L* H* D_k* B);
WRONG_BYTES(values_of_one_token,
            "the number of tokens multiplies d_k alone: parentheses are missing around d_k + d_v. "
            "Each token has a key and a value.",
            (N * D_k + D_v) * L * H * B);
WRONG_BYTES(values_only, "the keys are missing: the cache keeps a key and a value a token.",
            N* L* H* D_v* B);
WRONG_BYTES(keys_twice, "keys and values are both counted with d_k. A value has d_v components.",
            2 * N * L * H * D_k * B);
WRONG_BYTES(values_twice, "keys and values are both counted with d_v. A key has d_k components.",
            2 * N * L * H * D_v * B);
WRONG_BYTES(twice_as_much,
            "this is twice as much as there is: d_k + d_v counts the key and the value already.",
            2 * N * L * H * (D_k + D_v) * B);
WRONG_BYTES(widths_multiplied,
            "d_k and d_v are multiplied. A key and a value are two things that "
            "are kept: d_k + d_v numbers.",
            N* L* H* D_k* D_v* B);
WRONG_BYTES(one_layer, "this is the cache of one layer. Each layer has keys and values of its own.",
            N* H*(D_k + D_v) * B);
WRONG_BYTES(one_head, "this is the cache of one head. Each head of keys and values is kept.",
            N* L*(D_k + D_v) * B);
WRONG_BYTES(one_token, "this is what one token takes. All n_tokens are kept.",
            L* H*(D_k + D_v) * B);
WRONG_BYTES(numbers_not_bytes, "this counts numbers. Each has bytes_each bytes.",
            N* L* H*(D_k + D_v));
WRONG_BYTES(always_doubles,
            "every number is counted with 8 bytes, as a double. The call says how "
            "many: bytes_each.",
            N* L* H*(D_k + D_v) * 8);
WRONG_BYTES(always_floats,
            "every number is counted with 4 bytes, as a float. The call says how "
            "many: bytes_each.",
            N* L* H*(D_k + D_v) * 4);
WRONG_BYTES(always_halves,
            "every number is counted with 2 bytes. The call says how many: "
            "bytes_each.",
            N* L* H*(D_k + D_v) * 2);
WRONG_BYTES(bits, "this counts bits: 8 times the bytes.", N* L* H*(D_k + D_v) * B * 8);
WRONG_BYTES(
    tokens_squared,
    "the tokens are squared. That is the number of weights, which nobody keeps; a key and a "
    "value are kept for each token.",
    N* N* L* H*(D_k + D_v) * B);
WRONG_BYTES(weights_kept_too,
            "the weights are counted as well. They are needed once and not kept; what is kept are "
            "keys and values.",
            (N * L * H * (D_k + D_v) + L * H * N * N) * B);
WRONG_BYTES(queries_kept_too,
            "the queries are counted as well. A query is asked once and not kept.",
            N* L* H*(2 * D_k + D_v) * B);
WRONG_BYTES(heads_of_the_values_missing,
            "the keys are counted for every head, the values once. Both are kept for every head: "
            "brackets round d_k + d_v.",
            N* L*(H* D_k + D_v) * B);
WRONG_BYTES(product_and_then_sum,
            "d_v is added at the end, where only the bytes are multiplied with it: brackets round "
            "d_k + d_v.",
            N* L* H* D_k + D_v * B);
WRONG_BYTES(layers_added, "layers and heads are added up. Every layer has every head: multiply.",
            N*(L + H) * (D_k + D_v) * B);
WRONG_BYTES(kibibytes, "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.",
            N* L* H*(D_k + D_v) * B / 1024);
WRONG_BYTES(kilobytes, "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.",
            N* L* H*(D_k + D_v) * B / 1000);
WRONG_BYTES(mebibytes, "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.",
            N* L* H*(D_k + D_v) * B / 1024 / 1024);
WRONG_BYTES(megabytes, "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.",
            N* L* H*(D_k + D_v) * B / 1e6);
WRONG_BYTES(gibibytes, "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.",
            N* L* H*(D_k + D_v) * B / 1024 / 1024 / 1024);
WRONG_BYTES(gigabytes, "this is in kilobytes, megabytes or gigabytes. The contract asks for bytes.",
            N* L* H*(D_k + D_v) * B / 1e9);

constexpr const char* in_integers =
    "right until there are more bytes than an integer can hold: the product is taken in integers, "
    "and these start again at 0 without a word. Make one factor a double before you multiply.";

WRONG_BYTES(counted_in_int, in_integers,
            static_cast<std::int32_t>(static_cast<std::uint32_t>(
                n_tokens* n_layers* n_kv_heads*(d_k + d_v) * bytes_each)));
WRONG_BYTES(counted_in_unsigned, in_integers,
            static_cast<std::uint32_t>(n_tokens* n_layers* n_kv_heads*(d_k + d_v) * bytes_each));
WRONG_BYTES(tokens_layers_and_heads_in_unsigned, in_integers,
            static_cast<std::uint32_t>(n_tokens* n_layers* n_kv_heads) * (D_k + D_v) * B);
WRONG_BYTES(all_but_the_bytes_in_unsigned, in_integers,
            static_cast<std::uint32_t>(n_tokens* n_layers* n_kv_heads*(d_k + d_v)) * B);
WRONG_BYTES(counted_in_size_t, in_integers,
            real(n_tokens* n_layers* n_kv_heads*(d_k + d_v) * bytes_each));
WRONG_BYTES(counted_in_long, in_integers,
            static_cast<double>(static_cast<std::int64_t>(
                n_tokens* n_layers* n_kv_heads*(d_k + d_v) * bytes_each)));

__extension__ using Wide = unsigned __int128;
WRONG_BYTES(counted_in_128_bits,
            "right until there are more bytes than 128 bits count: the widest integer starts again "
            "at 0 as well, without a word. Make each factor a double first.",
            static_cast<double>(Wide{n_tokens} * n_layers * n_kv_heads * (d_k + d_v) * bytes_each));
WRONG_BYTES(counted_in_128_bits_with_widths,
            "right until there are more bytes than 128 bits count: the widest integer starts again "
            "at 0 as well, without a word. Make each factor a double first.",
            static_cast<double>(Wide{n_tokens} * n_layers * n_kv_heads * (d_k + d_v)) * B);
WRONG_BYTES(counted_in_float,
            "right to about 7 digits and no further, as a float is. Count in double: it has 16 "
            "digits.",
            static_cast<double>(static_cast<float>(n_tokens) * static_cast<float>(n_layers) *
                                static_cast<float>(n_kv_heads) * static_cast<float>(d_k + d_v) *
                                static_cast<float>(bytes_each)));

constexpr const char* logarithms =
    "right to some 14 digits, and no whole number: logarithms are added, or powers taken. Multiply "
    "the sizes themselves as doubles, which is exact up to 2⁵³.";
WRONG_BYTES(by_logarithms, logarithms,
            std::exp(std::log(N) + std::log(L) + std::log(H) + std::log(D_k + D_v) + std::log(B)));
WRONG_BYTES(by_logarithms_and_rounded,
            "logarithms are added, and the result rounded to a whole number: that is exact up to "
            "about 1e13, and beyond it right to 14 digits only. Multiply the sizes themselves as "
            "doubles, which is exact up to 2⁵³.",
            std::round(std::exp(std::log(N) + std::log(L) + std::log(H) + std::log(D_k + D_v) +
                                std::log(B))));
WRONG_BYTES(by_logarithms_to_base_2, logarithms,
            std::exp2(std::log2(N) + std::log2(L) + std::log2(H) + std::log2(D_k + D_v) +
                      std::log2(B)));
WRONG_BYTES(by_logarithms_to_base_10, logarithms,
            std::pow(10.0, std::log10(N) + std::log10(L) + std::log10(H) + std::log10(D_k + D_v) +
                               std::log10(B)));

WRONG_BYTES(divided_by_the_bytes,
            "it is divided by bytes_each. Each number has that many: multiply.",
            N* L* H*(D_k + D_v) / B);
WRONG_BYTES(tokens_added, "the tokens are added. Each has keys and values of its own: multiply.",
            L* H*(D_k + D_v) * B + N);
WRONG_BYTES(widths_averaged, "this is half of it: d_k + d_v numbers a token, not their mean.",
            N* L* H*(D_k + D_v) / 2 * B);
WRONG_BYTES(heads_and_widths_added,
            "heads and components are added. Every head has d_k + d_v numbers: multiply.",
            N* L*(H + D_k + D_v) * B);
WRONG_BYTES(values_times_bytes_only,
            "brackets are missing round d_k + d_v: the keys are counted without bytes_each.",
            N* L* H* D_k + N * L * H * D_v * B);
WRONG_BYTES(keys_times_bytes_only,
            "brackets are missing round the sum: the values are counted without bytes_each.",
            N* L* H* D_k* B + N * L * H * D_v);

WRONG_BYTES(twice_the_product_of_widths,
            "d_k and d_v are multiplied. A key and a value are two things that are kept: d_k + d_v "
            "numbers.",
            2 * N * L * H * D_k * D_v * B);

} // namespace
