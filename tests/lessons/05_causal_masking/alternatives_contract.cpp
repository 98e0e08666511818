// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Mask;
using lesson::Matrix;
using lesson::Tensor3;

using namespace contract;

namespace {

ALTERNATIVE(apply_mask, that_relies_on_its_contract, [](const Matrix& scores, const Mask& mask) {
    auto result = lesson::apply_mask(scores, mask);
    want_numbers(scores);
    return result;
});
ALTERNATIVE(masked_softmax, that_relies_on_its_contract,
            [](const Matrix& scores, const Mask& mask) {
                auto result = lesson::masked_softmax(scores, mask);
                want_numbers(scores);
                return result;
            });
ALTERNATIVE(scaled_dot_product_attention, that_relies_on_its_contract,
            [](const Tensor3& Q, const Tensor3& K, const Tensor3& V,
               const std::optional<xt::xarray<bool>>& mask) {
                auto result = lesson::scaled_dot_product_attention(Q, K, V, mask);
                want_numbers(Q, K, V);
                return result;
            });

} // namespace
