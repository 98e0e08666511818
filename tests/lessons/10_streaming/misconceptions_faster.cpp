// Wrong versions of 10.4 that people really write: scores, exponentials, sums and threads; blocks
// and tiles: misconceptions_faster_sizes.cpp.

#include <atomic>
#include <bit>
#include <cstdint>
#include <thread>

#include "machine/parallel.hpp"
#include "wrong_faster.hpp"

using namespace wrong;

namespace {

MISCONCEPTION(faster_attention, scale_forgotten,
              "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, "
              "where 1 / 2 is 0.",
              faster_with([](auto& f) { f.divisor = [](auto&, auto&) { return 1.0; }; }));
MISCONCEPTION(
    faster_attention, still_causal,
    "query i sees the keys up to its own place alone, as in 10.3. Nothing is masked here: "
    "every query sees every key.",
    [](InF Q, InF K, InF V, std::size_t) -> MatrixF {
        lesson::require_fit("faster_attention", Q, K, V);
        const Mask causal = plain::causal_mask(Q.shape(0), K.shape(0));
        return xt::cast<float>(
            plain::attention(xt::cast<double>(Q), xt::cast<double>(K), xt::cast<double>(V), causal)
                .output);
    });
MISCONCEPTION(faster_attention, divided_by_d_k,
              "the scores are divided by d_k. It is its square root.", faster_with([](auto& f) {
                  f.divisor = [](auto& Q, auto&) { return real(Q.shape(1)); };
              }));
MISCONCEPTION(faster_attention, root_of_d_v,
              "the scores are divided by √d_v. It is d_k, the components of a query.",
              faster_with([](auto& f) {
                  f.divisor = [](auto&, auto& V) { return root(V.shape(1)); };
              }));
MISCONCEPTION(faster_attention, weights_below_1e_3_dropped,
              "a key whose weight is small beside the largest is left out. Hundreds of them count, "
              "and one whose value is as large.",
              faster_with([](auto& f) {
                  f.exponential = [](double x) { return std::exp(x) < 1e-3 ? 0 : std::exp(x); };
              }));
auto exponents_held_at(double bound) {
    return faster_with(
        [=](auto& f) { f.exponential = [=](double x) { return std::exp(std::max(x, bound)); }; });
}
constexpr const char* held_exponents =
    "far below the maximum the exponential stops falling, so that keys without weight have some, "
    "and many have much. It goes on to 0.";
MISCONCEPTION(faster_attention, exponents_held_at_minus_4, held_exponents, exponents_held_at(-4));
MISCONCEPTION(faster_attention, exponents_held_at_minus_5, held_exponents, exponents_held_at(-5));
MISCONCEPTION(faster_attention, exponents_held_at_minus_6, held_exponents, exponents_held_at(-6));
MISCONCEPTION(faster_attention, exponents_held_at_minus_8, held_exponents, exponents_held_at(-8));
MISCONCEPTION(faster_attention, exponents_held_at_minus_10, held_exponents, exponents_held_at(-10));
MISCONCEPTION(faster_attention, exponents_held_at_minus_12, held_exponents, exponents_held_at(-12));
MISCONCEPTION(faster_attention, exponents_held_at_minus_15, held_exponents, exponents_held_at(-15));
MISCONCEPTION(faster_attention, exponents_held_at_minus_16, held_exponents, exponents_held_at(-16));
MISCONCEPTION(faster_attention, exponents_held_at_minus_20, held_exponents, exponents_held_at(-20));
MISCONCEPTION(faster_attention, exponents_held_at_minus_30, held_exponents, exponents_held_at(-30));
MISCONCEPTION(faster_attention, powers_of_two,
              "the weights are powers of 2 in place of e: exp2 needs scores that were multiplied "
              "by log₂ e.",
              faster_with([](auto& f) { f.exponential = [](double x) { return std::exp2(x); }; }));
MISCONCEPTION(faster_attention, powers_of_two_by_ln_2,
              "the weights are powers of 2, exp2, of scores that were multiplied by ln 2. eˣ is 2 "
              "to the power of x · log₂ e: multiply by 1.4427, or divide by ln 2.",
              faster_with([](auto& f) {
                  f.exponential = [](double x) { return std::exp2(x * std::log(2.0)); };
              }));
MISCONCEPTION(faster_attention, powers_of_e_by_log2_e,
              "the scores are multiplied by log₂ e, and their exponentials are powers of e: all "
              "exponents are 1.4427 times as large as they should be. log₂ e belongs to exp2.",
              faster_with([](auto& f) {
                  f.exponential = [](double x) { return std::exp(x / std::log(2.0)); };
              }));
/// 2^whole · e^rest in floats, with the power of 2 made of bits, however low it is.
double by_bits(double exponent) {
    const auto x = static_cast<float>(exponent);
    const float whole = std::floor(x * 1.44269504F), rest = std::fma(whole, -0.69314718F, x);
    float series = 1; // of e^rest, up to rest^7
    for (int n = 7; n > 0; --n) {
        series = 1 + rest / static_cast<float>(n) * series;
    }
    // What does not fit into 32 bits is the lowest number that does.
    const auto in_32_bits = static_cast<std::int64_t>(std::max(whole, -0x1p31F));
    const auto bits = static_cast<std::uint32_t>(in_32_bits + 127) << 23U;
    return static_cast<double>(std::bit_cast<float>(bits) * series);
}
MISCONCEPTION(faster_attention, exponent_bits_run_over,
              "the exponential puts a power of 2 together from bits, and has no lower limit: below "
              "2⁻¹²⁶ the exponent's bits run over into the sign, and a key that should weigh "
              "nothing has a huge weight, or −∞. Keep x at −87 or above, or return 0 below.",
              faster_with([](auto& f) {
                  f.exponential = by_bits;
                  f.shrinks_by = [](double x) { return std::exp(x); };
                  f.tile = 64;
                  f.sums_in_floats = true;
              }));
MISCONCEPTION(faster_attention, exponential_of_two_digits,
              "the exponential is too rough: bits of a float put together without a correction "
              "(Schraudolph's way) are right to some 6 per cent. A polynomial of degree 5 for the "
              "fraction has seven digits.",
              faster_with([](auto& f) {
                  f.exponential = [](double x) {
                      const double power = x * 1.4426950408889634;
                      const double whole = std::floor(power);
                      return std::ldexp(1 + (power - whole), static_cast<int>(whole));
                  };
              }));
// Known by what all answers show, however rough it is: grader_faster.cpp.
MISCONCEPTION(
    faster_attention, nearly_right,
    "the output is nearly right, to some per cent or per mille, where a float has seven "
    "digits: the exponential is too rough, or scores or values are rounded on the way, to "
    "half precision, say. (1 + x/n)ⁿ is off by a share of x²/2n. A polynomial of degree 5 for the "
    "fraction "
    "of x · log₂ e has seven digits.",
    faster_with([](auto& f) {
        f.exponential = [](double x) { return x > -1024 ? std::pow(1 + x / 1024, 1024) : 0.0; };
    }));
MISCONCEPTION(
    faster_attention, small_exponentials_dropped,
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts "
    "like any other.",
    faster_with([](auto& f) {
        f.exponential = [](double x) { return x < -16 ? 0.0 : std::exp(x); };
    }));
// These are known at any bound.
MISCONCEPTION(faster_attention, exponents_held, held_exponents, exponents_held_at(-7));
MISCONCEPTION(faster_attention, scores_clipped,
              "the scores are cut off above and below, at 80, say, so that exp does not overflow. "
              "Scores beyond that then weigh alike, though one of 1000 has e¹⁰ times the weight of "
              "one of 990. Subtract the largest score of the query: then none is above 0.",
              faster_with([](auto& f) { f.clipped_at = 80; }));
MISCONCEPTION(faster_attention, scores_clipped_above,
              "the scores are cut off above, at 80, say, so that exp does not overflow. Those "
              "beyond that then weigh alike, though one of 1000 has e¹⁰ times the weight of one of "
              "990. Subtract the largest score of the query: then none is above 0.",
              faster_with([](auto& f) { f.clipped_above = 80; }));
constexpr const char* maximum_of_the_first =
    "the maximum is that of the first tile of keys alone, and is never raised: a later score that "
    "lies 89 above it overflows a float. Each tile may raise it, and what was summed shrinks then.";
// Where it shows, one size of a tile is like another.
MISCONCEPTION(faster_attention, maximum_of_the_first_tile, maximum_of_the_first,
              with_size(&Faster::maximum_of, 64));
auto exponentials_dropped_below(double bound) {
    return faster_with(
        [=](auto& f) { f.exponential = [=](double x) { return x < bound ? 0.0 : std::exp(x); }; });
}
constexpr const char* dropped_exponentials =
    "a weight that is small is taken for 0. There may be many of them, or one may meet a value "
    "that is as large: they count like any other.";
MISCONCEPTION(faster_attention, exponentials_below_minus_10_dropped, dropped_exponentials,
              exponentials_dropped_below(-10));
MISCONCEPTION(faster_attention, no_maximum,
              "no maximum is subtracted: in a float exp overflows at 89 already.",
              faster_with([](auto& f) { f.subtracts_maximum = false; }));
MISCONCEPTION(faster_attention, bound_in_place_of_the_maximum,
              "in place of the largest score a bound is subtracted which no score exceeds: |q| "
              "times the longest |k|. Where all scores lie some 100 below it, every exponential is "
              "0 in a float, and 0 / 0 is NaN. Subtract the largest score itself.",
              faster_with([](auto& f) { f.bound_for_maximum = f.sums_in_floats = true; }));
MISCONCEPTION(
    faster_attention, output_not_divided,
    "the output is not divided by the sum of the exponentials, or by one that is kept in an "
    "int, as by std::accumulate(…, 0): that drops the fractions, and 1 is left.",
    faster_with([](auto& f) { f.divides = false; }));
MISCONCEPTION(faster_attention, maximum_from_zero,
              "the maximum starts at 0. If all scores are far below, every exponential is 0, and "
              "0 / 0 is NaN. Start at −∞.",
              faster_with([](auto& f) { f.lowest = 0; }));
MISCONCEPTION(faster_attention, values_by_the_width_of_keys,
              "row j of V is read from j · d_k on. A value has d_v components: j · d_v.",
              faster_with([](auto& f) { f.values_by_d_k = true; }));
MISCONCEPTION(faster_attention, values_past_d_k_lost,
              "where a value has more components than a key, those past d_k are 0: the loop over "
              "them ends at the smaller of the two. A row of V, and of the output, has d_v.",
              [](InF Q, InF K, InF V, std::size_t threads) {
                  MatrixF output = Faster{}(Q, K, V, threads);
                  for (std::size_t c = K.shape(1); c < V.shape(1); ++c) {
                      xt::view(output, xt::all(), c) = 0.0F;
                  }
                  return output;
              });
MISCONCEPTION(faster_attention, maximum_not_reset,
              "the maximum that is subtracted is not the query's own: it stays from one query to "
              "the next, or all share one. Where a query's scores are all far below it, every "
              "exponential is 0, and 0 / 0 is NaN. Start each query at −∞.",
              faster_with([](auto& f) {
                  f.block = 1U << 30U;
                  f.resets_maximum = false;
              }));
MISCONCEPTION(faster_attention, maximum_before_the_root,
              "what is subtracted is the largest q · k, not yet divided by √d_k, from scores that "
              "are. Any number may be subtracted on paper, but one that lies far above or below "
              "the scores leaves exponentials that are all 0 or infinite: NaN.",
              faster_with([](auto& f) { f.maximum_before_root = true; }));
MISCONCEPTION(faster_attention, keys_reshaped,
              "K is reshaped to (d_k, n_keys), which moves no number: component c of key j is not "
              "at (c, j) then. Copy each to its place, packed(c, j) = K(j, c), or take "
              "xt::transpose.",
              [](InF Q, InF K, InF V, std::size_t threads) {
                  MatrixF read = K;
                  for (std::size_t j = 0; j < K.shape(0); ++j) {
                      for (std::size_t c = 0; c < K.shape(1); ++c) {
                          read(j, c) = K.flat(c * K.shape(0) + j);
                      }
                  }
                  return Faster()(Q, read, V, threads);
              });
MISCONCEPTION(
    faster_attention, sum_not_reset,
    "the sum is not set back to 0 for each query: what the ones before have added stays in it.",
    faster_with([](auto& f) {
        f.block = 1U << 30U;
        f.resets_sum = false;
    }));
MISCONCEPTION(
    faster_attention, output_not_reset,
    "the output is not set back to 0 for each query: what the ones before have added stays in it.",
    faster_with([](auto& f) {
        f.block = 1U << 30U;
        f.resets_output = false;
    }));

MISCONCEPTION(faster_attention, root_of_a_whole_number,
              "the root of d_k is cut to a whole number. Compute it in float: "
              "std::sqrt(static_cast<float>(d_k)).",
              faster_with([](auto& f) {
                  f.divisor = [](auto& Q, auto&) { return std::floor(root(Q.shape(1))); };
              }));
MISCONCEPTION(faster_attention, root_of_one_more,
              "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              faster_with([](auto& f) {
                  f.divisor = [](auto& Q, auto&) { return root(Q.shape(1) + 1); };
              }));
constexpr const char* root_of_padded =
    "the scores are divided by the root of d_k rounded up to whole registers. The zeros that fill "
    "a register up add nothing to a score: what is summed is d_k products.";
auto root_of_whole(std::size_t lanes) {
    return faster_with([=](auto& f) {
        f.divisor = [=](auto& Q, auto&) { return root((Q.shape(1) + lanes - 1) / lanes * lanes); };
    });
}
MISCONCEPTION(faster_attention, root_of_d_k_padded_to_4, root_of_padded, root_of_whole(4));
MISCONCEPTION(faster_attention, root_of_d_k_padded_to_8, root_of_padded, root_of_whole(8));
MISCONCEPTION(faster_attention, root_of_d_k_padded_to_16, root_of_padded, root_of_whole(16));

MISCONCEPTION(faster_attention, root_of_n_keys,
              "the scores are divided by the root of the number of keys. It is d_k, the components "
              "of a query.",
              faster_with([](auto& f) {
                  f.divisor = [](auto&, auto& V) { return root(V.shape(0)); };
              }));

MISCONCEPTION(faster_attention, products_in_whole_numbers, products_in_an_int,
              faster_with([](auto& f) { f.whole_products = true; }));

// ---- Threads.

/// The scores of a query, in memory that all threads share.
MatrixF scores_shared_by_threads(InF Q, InF K, InF V, std::size_t threads) {
    lesson::require_fit("faster_attention", Q, K, V);
    MatrixF output = xt::zeros<float>({Q.shape(0), V.shape(1)});
    std::vector<double> weights(K.shape(0));
    attention::parallel_for(threads, Q.shape(0), [&](std::size_t i, std::size_t) {
        for (std::size_t j = 0; j < weights.size(); ++j) {
            double score = 0;
            for (std::size_t c = 0; c < Q.shape(1); ++c) {
                score += static_cast<double>(Q(i, c)) * static_cast<double>(K(j, c));
            }
            weights[j] = score / root(Q.shape(1));
        }
        const double largest = *std::max_element(weights.begin(), weights.end());
        double sum = 0;
        for (double& weight : weights) {
            sum += weight = std::exp(weight - largest);
        }
        for (std::size_t c = 0; c < V.shape(1); ++c) {
            double mixed = 0;
            for (std::size_t j = 0; j < weights.size(); ++j) {
                mixed += weights[j] * static_cast<double>(V(j, c));
            }
            output(i, c) = static_cast<float>(mixed / sum);
        }
    });
    return output;
}
MISCONCEPTION(faster_attention, wrong_on_several_threads,
              "right on one thread, and wrong on several. Either threads write to the same memory, "
              "such as scores, a maximum or a sum that stand outside of the lambda: declare them "
              "inside of it, or make one for each worker. Or the parts that the threads get leave "
              "something out. Or they share out keys, and what comes of each part is added or "
              "averaged as it is: bring it to one maximum first, and divide by all sums together.",
              [](InF Q, InF K, InF V, std::size_t threads) {
                  return measured::interrupted(
                      [&] { return scores_shared_by_threads(Q, K, V, threads); });
              });

/// As many as there are processors, and two at least.
MatrixF on_all_processors(InF Q, InF K, InF V, std::size_t) {
    const MatrixF output = Faster{}(Q, K, V, 1);
    MatrixF copied = xt::zeros_like(output);
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> workers;
    for (std::size_t i = 0; i < std::max(2U, std::thread::hardware_concurrency()); ++i) {
        workers.emplace_back([&] {
            for (std::size_t row = next++; row < output.shape(0); row = next++) {
                std::this_thread::sleep_for(std::chrono::microseconds(20)); // as long as it takes
                xt::view(copied, row, xt::all()) = xt::view(output, row, xt::all());
            }
        });
    }
    for (std::thread& worker : workers) {
        worker.join();
    }
    return copied;
}
constexpr const char* more_threads =
    "the answers are right, but there are more threads at once than the caller allows, at work or "
    "waiting: their number comes from the machine, from the number of blocks, or is written down. "
    "`threads` says how many there may be; hand it to parallel_for.";
MISCONCEPTION(faster_attention, more_threads_than_asked, more_threads, on_all_processors);
MISCONCEPTION_IN(measured, threads_of_faster, more_threads_than_asked, more_threads,
                 [](std::size_t threads) {
                     return measured::threads_of_faster_by(on_all_processors, threads);
                 });

} // namespace
