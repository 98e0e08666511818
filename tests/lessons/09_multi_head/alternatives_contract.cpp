// Right solutions that rely on what their contracts promise of the arguments: what a grader asks
// keeps those promises. What may be refused is refused first.

#include "exports.hpp"
#include "support/contract.hpp"

using lesson::Matrix;
using lesson::Tensor3;
using lesson::Vector;

using namespace contract;

namespace {

ALTERNATIVE(split_heads, that_relies_on_its_contract, [](const Matrix& X, std::size_t n_heads) {
    auto result = lesson::split_heads(X, n_heads);
    want_numbers(X);
    return result;
});
ALTERNATIVE(merge_heads, that_relies_on_its_contract, [](const Tensor3& heads) {
    auto result = lesson::merge_heads(heads);
    want_numbers(heads);
    return result;
});
ALTERNATIVE(rotate, that_relies_on_its_contract, [](const Matrix& X, const Vector& positions) {
    auto result = lesson::rotate(X, positions);
    want_numbers(X, positions);
    return result;
});
ALTERNATIVE(rotary_attention, that_relies_on_its_contract,
            [](const Matrix& Q, const Matrix& K, const Matrix& V, const Vector& positions) {
                auto result = lesson::rotary_attention(Q, K, V, positions);
                want_numbers(Q, K, V, positions);
                return result;
            });
ALTERNATIVE(grouped_query_attention, that_relies_on_its_contract,
            [](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) {
                auto result = lesson::grouped_query_attention(Q, K, V, n_kv_heads);
                want_numbers(Q, K, V);
                return result;
            });

} // namespace
