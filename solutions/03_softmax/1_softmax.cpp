#include "softmax.hpp"

#include <cmath>

namespace lesson {

Vector softmax(const Vector& scores) {
    // solution 03.1 (scores): exponentials of the scores, divided by their sum, without overflow
    const double maximum = xt::amax(scores)();
    const Vector terms = xt::exp(scores - maximum); // the largest is 1, so none overflows
    const double sum = xt::sum(terms)();            // at least 1, so the quotient is never 0 / 0
    return terms / sum;
    // end
}

} // namespace lesson
