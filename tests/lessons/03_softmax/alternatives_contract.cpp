// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Matrix;
using lesson::Vector;

using namespace contract;

namespace {

ALTERNATIVE(softmax, that_relies_on_its_contract, [](const Vector& scores) {
    auto result = lesson::softmax(scores);
    want_numbers(scores);
    return result;
});
ALTERNATIVE(softmax_rows, that_relies_on_its_contract, [](const Matrix& scores) {
    auto result = lesson::softmax_rows(scores);
    want_numbers(scores);
    return result;
});
ALTERNATIVE(softmax_jacobian, that_relies_on_its_contract, [](const Vector& p) {
    auto result = lesson::softmax_jacobian(p);
    want_numbers(p);
    want_weights(p, "p");
    return result;
});

} // namespace
