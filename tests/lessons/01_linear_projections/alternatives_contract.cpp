// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Matrix;

using namespace contract;

namespace {

ALTERNATIVE(project, that_relies_on_its_contract, [](const Matrix& X, const Matrix& W) {
    auto result = lesson::project(X, W);
    want_numbers(X, W);
    return result;
});
ALTERNATIVE(compute_qkv, that_relies_on_its_contract,
            [](const Matrix& X, const Matrix& W_q, const Matrix& W_k, const Matrix& W_v) {
                auto result = lesson::compute_qkv(X, W_q, W_k, W_v);
                want_numbers(X, W_q, W_k, W_v);
                return result;
            });

} // namespace
