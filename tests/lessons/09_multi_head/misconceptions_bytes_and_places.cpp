// Wrong versions of 09.1 to 09.3 that count bytes or places otherwise than memory has them, and of
// positions that are not those of the rows.

#include <cstdint>
#include <cstring>

#include "exports.hpp"
#include "wrong_positions.hpp"

namespace misconceptions_bytes_and_places {

using namespace wrong;

namespace {

using S = std::size_t;

// ---- 09.1 split_heads and merge_heads

/// Of each head's part of a row, `bytes` are copied, and the rest is 0.
auto split_copying(std::function<S(S d)> bytes) {
    return [=](const Matrix& X, S n_heads) -> Tensor3 {
        const S d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        const S n = X.shape(0);
        Tensor3 heads = xt::zeros<double>({n_heads, n, d});
        for (S i = 0; i < n; ++i) {
            for (S h = 0; h < n_heads; ++h) {
                std::memcpy(heads.data() + (h * n + i) * d, X.data() + (i * n_heads + h) * d,
                            bytes(d));
            }
        }
        return heads;
    };
}

auto merge_copying(std::function<S(S d)> bytes) {
    return [=](const Tensor3& heads) -> Matrix {
        const S n_heads = heads.shape(0), n = heads.shape(1), d = heads.shape(2);
        Matrix merged = xt::zeros<double>({n, n_heads * d});
        for (S i = 0; i < n; ++i) {
            for (S h = 0; h < n_heads; ++h) {
                std::memcpy(merged.data() + (i * n_heads + h) * d, heads.data() + (h * n + i) * d,
                            bytes(d));
            }
        }
        return merged;
    };
}

constexpr const char* says_float_bytes =
    "only the first half of each head's columns is there: memcpy copies bytes, and d * "
    "sizeof(float) are half of what d doubles have. Multiply by sizeof(double), or use "
    "std::copy_n, which counts elements.";
constexpr const char* says_bytes_for_elements =
    "only an eighth of each head's columns is there: memcpy copies bytes, and a double has eight. "
    "Multiply d by sizeof(double), or use std::copy_n, which counts elements.";

MISCONCEPTION(split_heads, bytes_of_floats, says_float_bytes,
              split_copying([](S d) { return d * sizeof(float); }));
MISCONCEPTION(split_heads, bytes_for_elements, says_bytes_for_elements,
              split_copying([](S d) { return d; }));
MISCONCEPTION(merge_heads, bytes_of_floats, says_float_bytes,
              merge_copying([](S d) { return d * sizeof(float); }));
MISCONCEPTION(merge_heads, bytes_for_elements, says_bytes_for_elements,
              merge_copying([](S d) { return d; }));

MISCONCEPTION(split_heads, component_by_a_mask_of_bits,
              "the component is column & (d − 1), which is the remainder column % d where d is a "
              "power of two, and nowhere else. Write % d, or column − h · d.",
              [](const Matrix& X, S n_heads) -> Tensor3 {
                  const S d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
                  Tensor3 heads = xt::zeros<double>({n_heads, X.shape(0), d});
                  for (S i = 0; i < X.shape(0); ++i) {
                      for (S j = 0; j < X.shape(1); ++j) {
                          heads(j / d, i, j & (d - 1)) = X(i, j);
                      }
                  }
                  return heads;
              });

// ---- 09.2 multi_head_attention

/// Everything right, and then something done to it.
auto then(std::function<void(lesson::MultiHead& answer)> change) {
    return [=](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
               const Matrix& W_o, S n_heads, const OptionalMask& mask) -> lesson::MultiHead {
        lesson::MultiHead answer = Mechanism{}(X, W_q, W_k, W_v, W_o, n_heads, mask);
        change(answer);
        return answer;
    };
}

/// Of each head's weights the first kept(n) are there, and the rest is 0.
auto first_weights(std::function<S(S n)> kept) {
    return then([=](lesson::MultiHead& answer) {
        const S n = answer.weights.shape(1);
        for (S h = 0; h < answer.weights.shape(0); ++h) {
            for (S at = kept(n); at < n * n; ++at) {
                answer.weights(h, at / n, at % n) = 0;
            }
        }
    });
}

MISCONCEPTION(multi_head_attention, weights_of_the_first_query_alone,
              "the output is right; of the weights that are returned only the first row of each "
              "head is there. A head has n · n of them, and n are copied.",
              first_weights([](S n) { return n; }));
MISCONCEPTION(multi_head_attention, weights_copied_by_half,
              "the output is right; of the weights that are returned only the first half of each "
              "head is there. memcpy copies bytes: a double has sizeof(double), twice what a float "
              "has.",
              first_weights([](S n) { return n * n / 2; }));

MISCONCEPTION(multi_head_attention, root_of_d_model_over_n_heads,
              "the scores are divided by the root of d_model / n_heads, where d_model is how many "
              "columns X has. d_k is what queries and keys have, W_q's columns over n_heads: the "
              "two are equal only where W_q is square.",
              Mechanism{.divisor = [](auto& size) {
                  return std::sqrt(real(size.d_model) / real(size.n_heads));
              }});

// ---- 09.3 sinusoidal_positions and rotate

MISCONCEPTION(sinusoidal_positions, positions_by_linspace_to_n,
              "the positions come from linspace(0, n, n), which ends with n itself: they are n / "
              "(n − 1) apart, and not 1. linspace(0, n − 1, n) or arange(n) gives 0, 1, … n − 1.",
              table([](auto p, auto c, auto n, auto d) {
                  const double x = real(p) * real(n) / std::max(real(n) - 1, 1.0) * omega(c / 2, d);
                  return c % 2 == 0 ? std::sin(x) : std::cos(x);
              }));

WRONG_ANGLE(position_within_a_turn,
            "of each position only what is left after whole turns, its remainder by 2π, is "
            "multiplied with ω. That is right for ω = 1 alone: it is the angle, p · ω_k, that may "
            "lose whole turns. std::sin and std::cos do that by themselves.",
            [](double p, auto k, auto d) {
                return std::fmod(p, 2 * 3.14159265358979323846) * omega(k, d);
            });

/// Pairs by their number in the whole of X: (row, k) of pair number `at`, d columns.
struct Place {
    S row, k;
};
auto rotated_by_place(std::function<Place(S at, S d)> place) {
    return checked_rotation([=](const Matrix& X, const Vector& positions) {
        Matrix result = X;
        const S d = X.shape(1);
        for (S at = 0; at < X.size() / 2; ++at) {
            const Place of = place(at, d);
            const double a = positions(of.row) * omega(of.k, d);
            const Pair pair =
                right_turn(X.data()[2 * at], X.data()[2 * at + 1], std::cos(a), std::sin(a));
            result.data()[2 * at] = pair.x;
            result.data()[2 * at + 1] = pair.y;
        }
        return result;
    });
}

MISCONCEPTION(rotate, pair_by_the_columns,
              "pair number `at` of the whole matrix is taken for pair at % d of its row. A row has "
              "d columns and d / 2 pairs: in every second row the pairs are counted on, and turn "
              "10,000 times too slowly. It is at % (d / 2).",
              rotated_by_place([](S at, S d) {
                  return Place{at / (d / 2), at % d};
              }));
MISCONCEPTION(rotate, row_by_the_columns,
              "pair number `at` of the whole matrix is taken for one of row at / d. A row has d "
              "columns and d / 2 pairs: row i turns by the position of row i / 2. It is at / (d / "
              "2).",
              rotated_by_place([](S at, S d) {
                  return Place{at / d, at % (d / 2)};
              }));

constexpr const char* says_negative_small =
    "every angle below some bound, such as 1e-9, is taken for a tiny one (sine x and cosine 1), "
    "and every negative angle is below it. Positions may be negative: ask std::abs(angle), or let "
    "std::sin and std::cos do it, which are right for tiny ones.";

MISCONCEPTION(rotate, negative_angles_taken_for_tiny, says_negative_small,
              checked_rotation([](const Matrix& X, const Vector& positions) {
                  Matrix result = X;
                  for (S i = 0; i < X.shape(0); ++i) {
                      for (S k = 0; k < X.shape(1) / 2; ++k) {
                          const double a = positions(i) * omega(k, X.shape(1));
                          const Pair pair =
                              right_turn(X(i, 2 * k), X(i, 2 * k + 1), a < 0 ? 1 : std::cos(a),
                                         a < 0 ? a : std::sin(a));
                          result(i, 2 * k) = pair.x;
                          result(i, 2 * k + 1) = pair.y;
                      }
                  }
                  return result;
              }));

MISCONCEPTION(rotate, negative_positions_do_not_turn,
              "rows at a negative position are left as they are. A position may be any number: a "
              "negative one turns the other way.",
              by_angle([](double p, auto k, auto d) { return std::max(p, 0.0) * omega(k, d); }));

} // namespace

} // namespace misconceptions_bytes_and_places
