#include "saturation_entropy.hpp"

namespace lesson {

std::size_t dk_at_collapse(const EntropyCurve& curve) {
    if (curve.d_ks.empty() || curve.d_ks.size() != curve.entropies.size()) {
        throw std::invalid_argument(
            "dk_at_collapse: the curve must hold at least one d_k, and an entropy for each, got " +
            std::to_string(curve.d_ks.size()) + " and " + std::to_string(curve.entropies.size()));
    }

    // TODO 06.5: the first d_k at half of the first entropy or below; 0 if there is none
    todo("06.5", curve);
}

} // namespace lesson
