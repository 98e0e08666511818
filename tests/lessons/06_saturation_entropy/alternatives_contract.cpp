// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::EntropyCurve;
using lesson::Matrix;

using namespace contract;

namespace {

ALTERNATIVE(entropy, that_relies_on_its_contract, [](const Matrix& weights) {
    auto result = lesson::entropy(weights);
    want_numbers(weights);
    want_rows_of_weights(weights, "weights");
    return result;
});
ALTERNATIVE(gradient_gain, that_relies_on_its_contract, [](const Matrix& weights) {
    auto result = lesson::gradient_gain(weights);
    want_numbers(weights);
    want_rows_of_weights(weights, "weights");
    return result;
});
ALTERNATIVE(entropy_sweep, that_relies_on_its_contract,
            [](const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
               bool scaled) {
                auto result = lesson::entropy_sweep(Q, K, d_ks, scaled);
                want_numbers(Q, K);
                return result;
            });
ALTERNATIVE(dk_at_collapse, that_relies_on_its_contract, [](const EntropyCurve& curve) {
    const std::size_t result = lesson::dk_at_collapse(curve);
    want(curve.entropies(0) > 0, "the first entropy is positive");
    for (const double nats : curve.entropies) {
        want(!std::isnan(nats), "no entropy is NaN");
    }
    return result;
});

} // namespace
