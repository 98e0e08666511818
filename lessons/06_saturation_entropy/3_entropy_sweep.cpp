#include "saturation_entropy.hpp"

#include "attention/scores.hpp"  // attention::raw_scores, attention::scaled_scores
#include "attention/softmax.hpp" // attention::softmax_rows

namespace lesson {

EntropyCurve entropy_sweep(const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
                           bool scaled) {
    require_sweep(Q, K, d_ks);

    EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};

    // TODO 06.3: fill curve.entropies, one d_k after the other
    todo("06.3", Q, K, d_ks, scaled);
}

} // namespace lesson
