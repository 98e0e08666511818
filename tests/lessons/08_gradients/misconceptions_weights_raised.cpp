// Wrong versions of 08.1 and 08.3 in which no weight is 0: each is raised to a tiny number at
// least.

#include "wrong.hpp"

namespace misconceptions_weights_raised {

using namespace wrong;

namespace {

Matrix raised(const Matrix& weights, double least) {
    return xt::maximum(weights, least);
}

constexpr const char* never_0 =
    "weights are raised to at least a tiny number, so that none is 0. Nothing is divided by them "
    "here: where a key is blocked its weight is exactly 0, and so is what goes back to it; and "
    "where a weight is small, what it is multiplied by may be large. Take the weights as they are.";

/// In all that is made of them; in 08.3 also on the way through the softmax alone.
#define AT_LEAST(digits)                                                                           \
    MISCONCEPTION(softmax_backward, weights_at_least_1e_##digits, never_0,                         \
                  [](const Matrix& p, const Matrix& g) -> Matrix {                                 \
                      return right_softmax_backward(raised(p, 1e-##digits), g);                    \
                  });                                                                              \
    MISCONCEPTION(attention_backward, weights_at_least_1e_##digits, never_0,                       \
                  by_parts([](const Parts& at) {                                                   \
                      Parts other = at;                                                            \
                      other.weights = raised(at.weights, 1e-##digits);                             \
                      return other.right();                                                        \
                  }));                                                                             \
    MISCONCEPTION(attention_backward, weights_at_least_1e_##digits##_in_the_softmax, never_0,      \
                  by_d_scores([](const Parts& at) {                                                \
                      return right_softmax_backward(raised(at.weights, 1e-##digits),               \
                                                    at.seen(at.d_weights()));                      \
                  }))
AT_LEAST(8);
AT_LEAST(9);
AT_LEAST(10);
AT_LEAST(12);
AT_LEAST(15);
AT_LEAST(16);
#undef AT_LEAST

} // namespace

} // namespace misconceptions_weights_raised
