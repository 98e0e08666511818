#pragma once

// What the wrong versions of 10.5 are made of: right in everything but the part that is exchanged.

#include "wrong.hpp"

namespace wrong {

/// One pair of a query and a key: its score, not yet divided, and what else there is.
struct Pair {
    double dot, root, logsumexp, d_weight, row_sum, d_k, n_keys, d_v;
    double sum_so_far; // of the row, up to this key
};

/// 10.5, each of whose parts a misconception may exchange for a wrong one.
struct Backward {
    std::function<double(const Pair&)> weight = [](auto& pair) {
        return std::exp(pair.dot / pair.root - pair.logsumexp);
    };
    std::function<double(const Pair&, double p)> d_score = [](auto& pair, double p) {
        return p * (pair.d_weight - pair.row_sum) / pair.root;
    };
    std::function<double(const Pair&, double p)> into_V = [](auto&, double p) { return p; };
    double times_d_Q = 1, times_d_K = 1;
    bool root_in_d_Q = true, root_in_d_K = true, root_in_d_V = false;
    std::size_t tile = 1U << 30U;     // keys past whole ones are lost
    bool logsumexp_of_key = false;    // j for i
    std::size_t masked_groups_of = 1; // keys past whole groups are not masked
    bool masked = true, inverted = false, exchanged = false, last_only = false;
    bool mask_transposed = false;           // where it is a square
    bool blocked_multiplied = false;        // by 0, in place of left out
    bool blind_left_out = false;            // and yet those that see nothing are left out
    bool blocked_at_minus_infinity = false; // their scores, in place of left out
    bool keys_into_K = false;               // in place of queries
    double (*product)(In A, std::size_t i, In B, std::size_t j) = dot;
    bool ends_at_a_blocked_key = false, root_of_d_v = false, root_of_one_more = false;
    bool output_into_V = false, output_for_d_weight = false; // in place of d_output
    bool number_into_V = false;                              // without d_output
    bool row_sum_of_d_k = false; // of as many components, where there are more
    bool ends_at_a_blind_query = false;
    bool d_Q_divided_with_every_query = false, d_K_divided_with_every_query = false; // as a whole
    bool last_only_Q = false, last_only_K = false, last_only_V = false;
    /// Σ of a row, as the output and d_output have it.
    std::function<double(In d_output, In output, In V, std::size_t i)> row_sum =
        [](auto& d_output, auto& output, auto&, auto i) { return dot(d_output, i, output, i); };

    AttentionGradients operator()(In Q, In K, In V, const Streamed& forward, In d_output,
                                  const OptionalMask& mask) const {
        lesson::require_fit("streaming_backward", Q, K, V);
        lesson::require_mask("streaming_backward", Q, K, mask);
        lesson::require_forward("streaming_backward", Q, V, forward, d_output);
        const double divisor =
            root((root_of_d_v ? V.shape(1) : K.shape(1)) + (root_of_one_more ? 1 : 0));
        AttentionGradients d{xt::zeros_like(Q), xt::zeros_like(K), xt::zeros_like(V)};
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            if (ends_at_a_blind_query && forward.logsumexp(i) == -infinity) {
                break;
            }
            if (blind_left_out && forward.logsumexp(i) == -infinity) {
                continue;
            }
            double sum_so_far = 0, sum_of_d_k = 0;
            for (std::size_t c = 0; c < std::min(K.shape(1), V.shape(1)); ++c) {
                sum_of_d_k += d_output(i, c) * forward.output(i, c);
            }
            const std::size_t n_keys = K.shape(0);
            for (std::size_t j = 0; j < (n_keys > tile ? n_keys / tile * tile : n_keys); ++j) {
                const bool turned = mask_transposed && Q.shape(0) == n_keys;
                const bool in_a_group = j < n_keys / masked_groups_of * masked_groups_of;
                const bool seen = !mask || !masked || !in_a_group ||
                                  (turned ? (*mask)(j, i) : (*mask)(i, j)) != inverted;
                if (!seen && ends_at_a_blocked_key) {
                    break;
                }
                if (!seen && !blocked_multiplied && !blocked_at_minus_infinity) {
                    continue;
                }
                Pair pair{product(Q, i, K, j),
                          divisor,
                          forward.logsumexp(logsumexp_of_key ? j : i),
                          product(output_for_d_weight ? forward.output : d_output, i, V, j),
                          row_sum_of_d_k ? sum_of_d_k : row_sum(d_output, forward.output, V, i),
                          real(K.shape(1)),
                          real(K.shape(0)),
                          real(V.shape(1)),
                          0};
                if (!seen && blocked_at_minus_infinity) {
                    pair.dot = -infinity;
                }
                const double p = weight(pair) * (seen || blocked_at_minus_infinity ? 1 : 0);
                sum_so_far += p * pair.d_weight;
                pair.sum_so_far = sum_so_far;
                const double d_s = d_score(pair, p);
                for (std::size_t c = 0; c < V.shape(1); ++c) {
                    const double at_output = number_into_V   ? 1
                                             : output_into_V ? forward.output(i, c)
                                                             : d_output(i, c);
                    d.d_V(j, c) = (last_only || last_only_V ? 0 : d.d_V(j, c)) +
                                  into_V(pair, p) * at_output / (root_in_d_V ? divisor : 1);
                }
                for (std::size_t c = 0; c < K.shape(1); ++c) {
                    const double of_Q =
                        d_s * times_d_Q *
                        (root_in_d_Q && !d_Q_divided_with_every_query ? 1 : divisor);
                    const double of_K =
                        d_s * times_d_K *
                        (root_in_d_K && !d_K_divided_with_every_query ? 1 : divisor);
                    d.d_Q(i, c) = (last_only || last_only_Q ? 0 : d.d_Q(i, c)) +
                                  of_Q * (exchanged ? Q(i, c) : K(j, c));
                    d.d_K(j, c) = (last_only || last_only_K ? 0 : d.d_K(j, c)) +
                                  of_K * (exchanged || keys_into_K ? K(j, c) : Q(i, c));
                }
            }
            if (d_Q_divided_with_every_query) {
                d.d_Q /= divisor;
            }
            if (d_K_divided_with_every_query) {
                d.d_K /= divisor;
            }
        }
        return d;
    }
};

template <class Change>
Backward backward_with(Change change) {
    Backward wrong;
    change(wrong);
    return wrong;
}
inline auto weighed(decltype(Backward::weight) weight) {
    return backward_with([&](auto& b) { b.weight = weight; });
}
inline auto scored(decltype(Backward::d_score) d_score) {
    return backward_with([&](auto& b) { b.d_score = d_score; });
}

} // namespace wrong
