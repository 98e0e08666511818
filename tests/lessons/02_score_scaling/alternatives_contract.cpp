// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Matrix;

using namespace contract;

namespace {

ALTERNATIVE(raw_scores, that_relies_on_its_contract, [](const Matrix& Q, const Matrix& K) {
    auto result = lesson::raw_scores(Q, K);
    want_numbers(Q, K);
    return result;
});
ALTERNATIVE(scaled_scores, that_relies_on_its_contract, [](const Matrix& Q, const Matrix& K) {
    auto result = lesson::scaled_scores(Q, K);
    want_numbers(Q, K);
    return result;
});

} // namespace
