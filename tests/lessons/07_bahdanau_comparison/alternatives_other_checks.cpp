// Right solutions that look at their arguments in another order, and refuse what does not fit in
// words of their own: each has to pass. The others: alternatives.cpp.

#include "exports.hpp"
#include "support/agree.hpp"

using lesson::Matrix;
using lesson::Vector;
using support::agree;

namespace {

ALTERNATIVE(additive_scores, v_first,
            [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
                agree(v, 0, W_h, 1);
                agree(v, 0, W_s, 1);
                agree(H, 1, W_h, 0);
                agree(S, 1, W_s, 0);
                return lesson::additive_scores(S, H, W_s, W_h, v);
            });

ALTERNATIVE(additive_scores_from, v_first,
            [](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
                agree(v, 0, keys, 1);
                agree(v, 0, W_s, 1);
                agree(S, 1, W_s, 0);
                return lesson::additive_scores_from(S, keys, W_s, v);
            });

} // namespace
