#include "gradients.hpp"

#include "attention/attention.hpp" // attention::attention
#include "attention/product.hpp"   // attention::matmul

namespace lesson {

Learned learn_lookup(const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                     double rate) {
    require_tables(tables, start);

    Learned learned{start.W_q, start.W_k, start.W_v, Vector::from_shape({steps})};
    auto& [W_q, W_k, W_v, losses] = learned;

    // solution 08.5 (tables, rate, W_q, W_k, W_v, losses): fill losses; each step moves all three W
    for (std::size_t step = 0; step < steps; ++step) {
        const auto& [asked, entries, wanted] = tables[step % tables.size()];
        const double n_queries = static_cast<double>(asked.shape(0));
        // forward
        const Matrix Q = attention::matmul(asked, W_q);
        const Matrix K = attention::matmul(entries, W_k);
        const Matrix V = attention::matmul(entries, W_v);
        const auto [output, weights] = attention::attention(Q, K, V);
        const Matrix error = output - wanted;
        losses(step) = xt::sum(xt::square(error))() / (2 * n_queries);
        // backward: all gradients at the point where the step begins, then the step
        const Mask all = xt::ones<bool>({Q.shape(0), K.shape(0)});
        const auto [d_Q, d_K, d_V] = attention_backward(Q, K, V, all, weights, error / n_queries);
        W_q -= rate * matmul_backward(asked, W_q, d_Q).d_B;
        W_k -= rate * matmul_backward(entries, W_k, d_K).d_B;
        W_v -= rate * matmul_backward(entries, W_v, d_V).d_B;
    }
    return learned;
    // end
}

} // namespace lesson
