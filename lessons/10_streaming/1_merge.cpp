#include "streaming.hpp"

#include <cmath>

namespace lesson {

Partial merge(const Partial& a, const Partial& b) {
    attention::require_shared("merge", "d_v", attention::Axis{"a.output", a.output, 0},
                              attention::Axis{"b.output", b.output, 0});

    // TODO 10.1: both brought to the larger maximum, then added
    todo("10.1", a, b);
}

} // namespace lesson
