// Wrong versions of 07.1 and 07.2 that add states or keys as they are, where a projection belongs.

#include "wrong.hpp"

namespace misconceptions_unprojected {

using namespace wrong;

namespace {

/// The right scores of what is taken for queries and keys, where the two and v have one size.
Matrix where_sizes_agree(const Matrix& queries, const Matrix& keys, const Vector& v) {
    if (queries.shape(1) != v.size() || keys.shape(1) != v.size()) {
        throw std::runtime_error("states, keys and v differ in size");
    }
    return each_pair(queries, keys, v, right_score);
}

/// Those of as many components as all three have.
Matrix of_shared_components(const Matrix& queries, const Matrix& keys, const Vector& v) {
    return each_pair(queries, keys, v,
                     of_the_first(std::min({queries.shape(1), keys.shape(1), v.size()})));
}

using Scores = Matrix (*)(const Matrix& queries, const Matrix& keys, const Vector& v);

/// 07.1, of states and keys of which one or both are not projected.
auto at_once(bool states_projected, bool keys_projected, Scores scores) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
        lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
        return scores(states_projected ? matmul(S, W_s) : S, keys_projected ? matmul(H, W_h) : H,
                      v);
    };
}

constexpr const char* states_as_they_are =
    "the keys are projected, and the states are added as they are: W_s is never used. Both have a "
    "projection of their own: S · W_s and H · W_h are what can be compared.";
MISCONCEPTION(additive_scores, states_alone_not_projected, states_as_they_are,
              at_once(false, true, where_sizes_agree));
MISCONCEPTION(additive_scores, states_alone_not_projected_nor_all_compared, states_as_they_are,
              at_once(false, true, of_shared_components));

constexpr const char* keys_as_they_are =
    "the states are projected, and the keys are added as they are: W_h is never used. Both have a "
    "projection of their own: S · W_s and H · W_h are what can be compared.";
MISCONCEPTION(additive_scores, keys_alone_not_projected, keys_as_they_are,
              at_once(true, false, where_sizes_agree));
MISCONCEPTION(additive_scores, keys_alone_not_projected_nor_all_compared, keys_as_they_are,
              at_once(true, false, of_shared_components));

MISCONCEPTION(additive_scores, not_projected_nor_all_compared,
              "states and keys are added as they are, without W_s and W_h, over as many components "
              "as both have. They come from two networks, and may differ in size; their "
              "projections are what can be compared.",
              at_once(false, false, of_shared_components));

MISCONCEPTION(additive_scores_from, states_not_projected_nor_all_compared,
              "the states are used as they are, without W_s, over as many components as they share "
              "with the keys. The keys have been projected before, but each state is new, and has "
              "its projection still to come.",
              [](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) {
                  lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
                  lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
                  lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
                  return of_shared_components(S, keys, v);
              });

} // namespace

} // namespace misconceptions_unprojected
