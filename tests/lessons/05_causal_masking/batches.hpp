#pragma once

// Batches of sequences for this lesson's grader: made, changed and asked about.

#include <algorithm>
#include <cmath>
#include <vector>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"
#include "support/misfits.hpp"

namespace batches {

using attention::Matrix;
using attention::Tensor3;
using drawn::standard_normal;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Attention;
using plain::OptionalMask;

/// A mask of any shape that blocks about one place in three.
inline xt::xarray<bool> random_mask(const std::vector<std::size_t>& shape, std::uint64_t seed) {
    xt::xarray<bool> mask = xt::zeros<bool>(shape);
    const attention::Vector numbers = standard_normal(mask.size(), seed);
    std::transform(numbers.begin(), numbers.end(), mask.begin(), [](double x) { return x < 0.43; });
    return mask;
}

inline Tensor3 random_tensor(std::size_t batch, std::size_t rows, std::size_t columns,
                             std::uint64_t seed) {
    const Matrix numbers = standard_normal(batch * rows, columns, seed);
    Tensor3 tensor = Tensor3::from_shape({batch, rows, columns});
    std::copy(numbers.begin(), numbers.end(), tensor.begin());
    return tensor;
}

struct Batch {
    Tensor3 Q, K, V;
};

inline Batch random_batch(std::size_t batch, std::size_t n_queries, std::size_t n_keys,
                          std::size_t d_k, std::size_t d_v, std::uint64_t seed = 1) {
    return {random_tensor(batch, n_queries, d_k, seed), random_tensor(batch, n_keys, d_k, seed + 1),
            random_tensor(batch, n_keys, d_v, seed + 2)};
}

/// Two tokens whose weights and outputs are whole numbers, or nearly.
inline const Batch by_hand{{{{0}, {1}}}, {{{0}, {std::log(3.0)}}}, {{{4, 0}, {0, 8}}}};

/// The same batch with zeros among the numbers, in each sequence elsewhere.
inline Tensor3 with_zeros(const Tensor3& tensor) {
    Tensor3 changed = tensor;
    const std::size_t rows = tensor.shape(1), columns = tensor.shape(2);
    for (std::size_t b = 0; b < tensor.shape(0); ++b) {
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t c = 0; c < columns; ++c) {
                const bool in_empty_row = rows > 2 && i == (b + 1) % rows;
                const bool in_empty_column = columns > 3 && c == columns / 3;
                if ((b + i + c) % 3 == 0 || in_empty_row || in_empty_column) {
                    changed(b, i, c) = 0;
                }
            }
        }
    }
    return changed;
}

/// The first n tokens of sequence b, as a batch of one.
inline Tensor3 prefix(const Tensor3& tensor, std::size_t b, std::size_t n) {
    return xt::view(tensor, xt::range(b, b + 1), xt::range(0, n), xt::all());
}

inline Batch prefix(const Batch& in, std::size_t b, std::size_t n) {
    return {prefix(in.Q, b, n), prefix(in.K, b, n), prefix(in.V, b, n)};
}

/// The batch with some of its tokens taken from another, in Q, K and V alike.
template <class Sequences, class Tokens>
Batch replaced(Batch in, const Batch& other, Sequences sequences, Tokens tokens) {
    const auto replace = [&](Tensor3& tensor, const Tensor3& by) {
        xt::view(tensor, sequences, tokens, xt::all()) = xt::view(by, sequences, tokens, xt::all());
    };
    replace(in.Q, other.Q);
    replace(in.K, other.K);
    replace(in.V, other.V);
    return in;
}

/// The learner's answer, its shapes checked: a property is about to index it.
inline Attention attend(const Batch& in, const OptionalMask& mask) {
    const Attention answer = graded::scaled_dot_product_attention(in.Q, in.K, in.V, mask);
    judge::expect_shape(sizes(answer.output), {in.Q.shape(0), in.Q.shape(1), in.V.shape(2)});
    judge::expect_shape(sizes(answer.weights), {in.Q.shape(0), in.Q.shape(1), in.K.shape(1)});
    return answer;
}

/// And its blocked weights are exactly 0: of 1e-13 no comparison would tell.
inline void expect_attention(const Batch& in, const OptionalMask& mask,
                             judge::Tolerance tolerance = judge::normwise) {
    const Attention answer = graded::scaled_dot_product_attention(in.Q, in.K, in.V, mask);
    const Attention right = plain::Mechanism{}(in.Q, in.K, in.V, mask);
    judge::expect_close(answer, right, tolerance);
    for (std::size_t b = 0; b < in.Q.shape(0); ++b) {
        const lesson::Mask allowed = plain::mask_of_sequence(mask, b, in.Q.shape(1), in.K.shape(1));
        for (std::size_t i = 0; i < allowed.shape(0); ++i) {
            for (std::size_t j = 0; j < allowed.shape(1); ++j) {
                expect_that(allowed(i, j) || answer.weights(b, i, j) == 0,
                            "a blocked weight is exactly 0",
                            "weights" + judge::index_text({b, i, j}) + " is " +
                                number_text(answer.weights(b, i, j)));
            }
        }
    }
}

inline void refuses(const Batch& in, const OptionalMask& mask,
                    const std::vector<std::vector<std::size_t>>& shapes) {
    judge::expect_invalid_argument(
        graded::scaled_dot_product_attention.attempt(in.Q, in.K, in.V, mask), shapes);
}

/// Named has to be what fits none of the others, and one of these.
inline void refuses_either(const Batch& in, const std::vector<std::size_t>& misfit,
                           const std::vector<std::vector<std::size_t>>& others) {
    support::expect_misfit(graded::scaled_dot_product_attention.attempt(in.Q, in.K, in.V, {}),
                           misfit, others);
}

/// Tokens 0 … n − 1 of sequence b are the same in both, to the last bit. rule: why.
inline void expect_identical(const Attention& before, const Attention& after, std::size_t b,
                             std::size_t n, const std::string& rule,
                             const judge::Suspicion& suspicion = {}) {
    const auto expect = [&](const std::string& name, const Tensor3& x, const Tensor3& y) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t c = 0; c < x.shape(2); ++c) {
                judge::expect_that(x(b, i, c) == y(b, i, c), rule,
                                   name + " " + judge::index_text({b, i, c}) + " moved by " +
                                       judge::number_text(y(b, i, c) - x(b, i, c)),
                                   suspicion);
            }
        }
    };
    expect("weight", before.weights, after.weights);
    expect("output", before.output, after.output);
}

inline void expect_rows_that_sum_to_1(const Matrix& weights) {
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        const double sum = xt::sum(xt::view(weights, i, xt::all()))();
        expect_that(std::abs(sum - 1) <= 1e-5, "each row of weights sums to 1",
                    "row " + std::to_string(i) + " sums to " + number_text(sum));
    }
}

} // namespace batches
