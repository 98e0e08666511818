// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Matrix;

using namespace contract;

namespace {

ALTERNATIVE(aggregate, that_relies_on_its_contract, [](const Matrix& weights, const Matrix& V) {
    auto result = lesson::aggregate(weights, V);
    want_numbers(weights, V);
    want_rows_of_weights(weights, "weights");
    return result;
});
ALTERNATIVE(attention_weights, that_relies_on_its_contract, [](const Matrix& Q, const Matrix& K) {
    auto result = lesson::attention_weights(Q, K);
    want_numbers(Q, K);
    return result;
});
ALTERNATIVE(self_attention, that_relies_on_its_contract,
            [](const Matrix& Q, const Matrix& K, const Matrix& V) {
                auto result = lesson::self_attention(Q, K, V);
                want_numbers(Q, K, V);
                return result;
            });

} // namespace
