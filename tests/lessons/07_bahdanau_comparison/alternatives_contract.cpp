// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Mask;
using lesson::Matrix;
using lesson::Vector;

using namespace contract;

namespace {

ALTERNATIVE(additive_scores, that_relies_on_its_contract,
            [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) {
                auto result = lesson::additive_scores(S, H, W_s, W_h, v);
                want_numbers(S, H, W_s, W_h, v);
                return result;
            });
ALTERNATIVE(project_keys, that_relies_on_its_contract, [](const Matrix& H, const Matrix& W_h) {
    auto result = lesson::project_keys(H, W_h);
    want_numbers(H, W_h);
    return result;
});
ALTERNATIVE(additive_scores_from, that_relies_on_its_contract,
            [](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                auto result = lesson::additive_scores_from(S, keys, W_s, v);
                want_numbers(S, keys, W_s, v);
                return result;
            });
ALTERNATIVE(compare_attention, that_relies_on_its_contract,
            [](const Matrix& A, const Matrix& B, const Mask& gold) {
                auto result = lesson::compare_attention(A, B, gold);
                want_numbers(A, B);
                for (const Matrix* weights : {&A, &B}) {
                    want_rows_of_weights(*weights, "A or B");
                    for (const double weight : *weights) {
                        want(weight == 0 || weight >= 1e-300, "a weight is 0, or at least 1e-300");
                    }
                }
                return result;
            });

} // namespace
