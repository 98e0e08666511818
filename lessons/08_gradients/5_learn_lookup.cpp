#include "gradients.hpp"

#include "attention/attention.hpp" // attention::attention
#include "attention/product.hpp"   // attention::matmul

namespace lesson {

Learned learn_lookup(const std::vector<Table>& tables, const Projections& start, std::size_t steps,
                     double rate) {
    require_tables(tables, start);

    Learned learned{start.W_q, start.W_k, start.W_v, Vector::from_shape({steps})};
    auto& [W_q, W_k, W_v, losses] = learned;

    // TODO 08.5: fill losses; each step moves all three W
    todo("08.5", tables, rate, W_q, W_k, W_v, losses);
}

} // namespace lesson
