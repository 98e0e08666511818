#include "saturation_entropy.hpp"

#include "attention/scores.hpp"  // attention::raw_scores, attention::scaled_scores
#include "attention/softmax.hpp" // attention::softmax_rows

namespace lesson {

EntropyCurve entropy_sweep(const Matrix& Q, const Matrix& K, const std::vector<std::size_t>& d_ks,
                           bool scaled) {
    require_sweep(Q, K, d_ks);

    EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};

    // solution 06.3 (Q, K, d_ks, scaled): fill curve.entropies, one d_k after the other
    for (std::size_t i = 0; i < d_ks.size(); ++i) {
        const Matrix Q_d = xt::view(Q, xt::all(), xt::range(0, d_ks[i])); // (n_queries, d_k)
        const Matrix K_d = xt::view(K, xt::all(), xt::range(0, d_ks[i])); // (n_keys, d_k)
        const Matrix scores =
            scaled ? attention::scaled_scores(Q_d, K_d) : attention::raw_scores(Q_d, K_d);
        const Vector nats = entropy(attention::softmax_rows(scores)); // (n_queries)
        curve.entropies(i) = xt::mean(nats)();
    }
    return curve;
    // end
}

} // namespace lesson
