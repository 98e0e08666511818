// Right solutions that look at their arguments in another order, and refuse what does not fit in
// words of their own: each has to pass. The others: alternatives.cpp.

#include "exports.hpp"
#include "support/agree.hpp"

using lesson::Attention;
using lesson::Tensor3;
using support::agree;

namespace {

ALTERNATIVE(scaled_dot_product_attention, values_first,
            [](const Tensor3& Q, const Tensor3& K, const Tensor3& V,
               const std::optional<xt::xarray<bool>>& mask) -> Attention {
                agree(V, 0, Q, 0);
                agree(V, 0, K, 0);
                agree(V, 1, K, 1);
                agree(K, 2, Q, 2);
                return lesson::scaled_dot_product_attention(Q, K, V, mask);
            });

} // namespace
