// Right solutions that look at their arguments in another order, and refuse what does not fit in
// words of their own: each has to pass. The others: alternatives.cpp.

#include "exports.hpp"
#include "support/agree.hpp"

using lesson::Mask;
using lesson::Matrix;
using lesson::MultiHead;
using lesson::Vector;
using support::agree;

namespace {

void divides(std::size_t parts, const Matrix& whole) {
    if (parts == 0 || whole.shape(1) % parts != 0) {
        throw std::invalid_argument(std::to_string(whole.shape(1)) + " columns, " +
                                    std::to_string(parts) + " heads");
    }
}

ALTERNATIVE(multi_head_attention, from_the_last_weight,
            [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v,
               const Matrix& W_o, std::size_t n_heads,
               const std::optional<Mask>& mask) -> MultiHead {
                agree(W_o, 0, W_v, 1);
                agree(W_k, 1, W_q, 1);
                agree(W_v, 0, W_k, 0);
                agree(W_k, 0, W_q, 0);
                agree(X, 1, W_v, 0);
                if (mask) {
                    agree(*mask, 1, X, 0);
                    agree(*mask, 0, X, 0);
                }
                divides(n_heads, W_v);
                divides(n_heads, W_k);
                return lesson::multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask);
            });

ALTERNATIVE(rotary_attention, positions_first,
            [](const Matrix& Q, const Matrix& K, const Matrix& V,
               const Vector& positions) -> Matrix {
                agree(positions, 0, V, 0);
                agree(positions, 0, K, 0);
                agree(positions, 0, Q, 0);
                agree(Q, 1, K, 1);
                return lesson::rotary_attention(Q, K, V, positions);
            });

ALTERNATIVE(grouped_query_attention, heads_of_queries_first,
            [](const Matrix& Q, const Matrix& K, const Matrix& V,
               std::size_t n_kv_heads) -> Matrix {
                const std::size_t d_k = n_kv_heads == 0 ? 0 : K.shape(1) / n_kv_heads;
                const std::size_t n_heads = d_k == 0 ? 0 : Q.shape(1) / d_k;
                if (n_kv_heads != 0 && n_heads % n_kv_heads != 0 && K.shape(1) % n_kv_heads == 0) {
                    throw std::invalid_argument(std::to_string(n_kv_heads) + " is no share of " +
                                                std::to_string(n_heads));
                }
                return lesson::grouped_query_attention(Q, K, V, n_kv_heads);
            });

ALTERNATIVE(grouped_query_attention, values_first,
            [](const Matrix& Q, const Matrix& K, const Matrix& V,
               std::size_t n_kv_heads) -> Matrix {
                divides(n_kv_heads, V);
                divides(n_kv_heads, K);
                agree(V, 0, K, 0);
                return lesson::grouped_query_attention(Q, K, V, n_kv_heads);
            });

} // namespace
