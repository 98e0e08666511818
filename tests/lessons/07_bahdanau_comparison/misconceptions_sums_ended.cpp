// Wrong versions of 07.1, 07.2 and 07.5 whose sums end too early, whose counts are too narrow, and
// whose texts are cut off; grader_tiny_between.cpp asks for them.

#include <cstdint>

#include "support/common_mistakes.hpp"
#include "wrong.hpp"
#include "wrong_comparison.hpp"

namespace misconceptions_sums_ended {

using namespace wrong;
using mistakes::Ends;
using mistakes::product_ended;
using mistakes::require_in_a_buffer;

namespace {

constexpr Ends at_any = Ends::at_any, not_0 = Ends::at_one_that_is_not_0;
constexpr const char* sum_ends = mistakes::sum_ends_where_unchanged;
constexpr const char* cut_off = mistakes::text_cut_off;

// ---- 07.1 and 07.2

PairScore score_ended(Ends ends) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        return mistakes::sum_ended(v.size(), ends,
                                   [&](std::size_t a) { return v(a) * std::tanh(q(a) + k(a)); });
    };
}

/// The sums that end: of the projections, of the scores, or of both.
auto scores_ended(bool projections, bool scores, Ends ends) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
        lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
        return each_pair(projections ? product_ended(S, W_s, ends) : matmul(S, W_s),
                         projections ? product_ended(H, W_h, ends) : matmul(H, W_h), v,
                         scores ? score_ended(ends) : right_score);
    };
}
auto scores_from_ended(bool projections, bool scores, Ends ends) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
        return each_pair(projections ? product_ended(S, W_s, ends) : matmul(S, W_s), keys, v,
                         scores ? score_ended(ends) : right_score);
    };
}
auto keys_ended(Ends ends) {
    return [=](const Matrix& H, const Matrix& W_h) -> Matrix {
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        return product_ended(H, W_h, ends);
    };
}

#define SUMS_ENDED(name, ...)                                                                      \
    MISCONCEPTION(additive_scores, name, sum_ends, scores_ended(__VA_ARGS__));                     \
    MISCONCEPTION(additive_scores_from, name##_from, sum_ends, scores_from_ended(__VA_ARGS__))
SUMS_ENDED(sums_end_where_unchanged, true, true, at_any);
SUMS_ENDED(sums_end_where_unchanged_but_not_at_0, true, true, not_0);
SUMS_ENDED(projections_end_where_unchanged, true, false, at_any);
SUMS_ENDED(projections_end_where_unchanged_but_not_at_0, true, false, not_0);
SUMS_ENDED(scores_end_where_unchanged, false, true, at_any);
SUMS_ENDED(scores_end_where_unchanged_but_not_at_0, false, true, not_0);
#undef SUMS_ENDED
MISCONCEPTION(project_keys, keys_end_where_unchanged, sum_ends, keys_ended(at_any));
MISCONCEPTION(project_keys, keys_end_where_unchanged_but_not_at_0, sum_ends, keys_ended(not_0));

MISCONCEPTION(additive_scores, text_cut_off, cut_off,
              [](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
                 const Vector& v) -> Matrix {
                  const char* const function = "additive_scores";
                  require_in_a_buffer(44, function, "S", S, 1, "W_s", W_s, 0);
                  require_in_a_buffer(44, function, "H", H, 1, "W_h", W_h, 0);
                  require_in_a_buffer(44, function, "W_s", W_s, 1, "W_h", W_h, 1);
                  require_in_a_buffer(44, function, "W_h", W_h, 1, "v", v, 0);
                  return each_pair(matmul(S, W_s), matmul(H, W_h), v, right_score);
              });
MISCONCEPTION(project_keys, text_of_keys_cut_off, cut_off,
              [](const Matrix& H, const Matrix& W_h) -> Matrix {
                  require_in_a_buffer(40, "project_keys", "H", H, 1, "W_h", W_h, 0);
                  return matmul(H, W_h);
              });
MISCONCEPTION(additive_scores_from, text_cut_off_from, cut_off,
              [](const Matrix& S, const Matrix& keys, const Matrix& W_s,
                 const Vector& v) -> Matrix {
                  const char* const function = "additive_scores_from";
                  require_in_a_buffer(48, function, "S", S, 1, "W_s", W_s, 0);
                  require_in_a_buffer(50, function, "keys", keys, 1, "W_s", W_s, 1);
                  require_in_a_buffer(48, function, "W_s", W_s, 1, "v", v, 0);
                  return each_pair(matmul(S, W_s), keys, v, right_score);
              });

// ---- 07.5

using lesson::Comparison;
using lesson::Mask;
using wrong_comparison::but;
using wrong_comparison::but_accuracy;

std::uint8_t gold_in_8_bits(const Mask& gold, std::size_t i) {
    const Mask of_row = xt::view(gold, xt::range(i, i + 1));
    return static_cast<std::uint8_t>(std::count(of_row.begin(), of_row.end(), true));
}

MISCONCEPTION(compare_attention, gold_keys_in_8_bits,
              "a row of gold with 256 trues is taken for one without any: they are counted in 8 "
              "bits, which begin again at 0. Count in a std::size_t, or ask whether any is true.",
              but_accuracy([](const Matrix& A, const Mask& gold) {
                  double aligned = 0, right = 0;
                  for (std::size_t i = 0; i < A.shape(0); ++i) {
                      if (gold_in_8_bits(gold, i) > 0) {
                          aligned += 1;
                          right += gold(i, wrong_comparison::argmax(row(A, i))) ? 1 : 0;
                      }
                  }
                  return aligned > 0 ? right / aligned : wrong_comparison::not_a_number;
              }));

constexpr const char* rows_in_8_bits =
    "rows are counted in 8 bits, which begin again at 0 after 255. Count in a std::size_t, or in a "
    "double.";
double last_8_bits(double count) {
    return static_cast<std::uint8_t>(static_cast<std::size_t>(count));
}
double accuracy_in_8_bits(const Matrix& A, const Mask& gold) {
    const auto [aligned, right] = wrong_comparison::count_right(A, gold);
    return last_8_bits(aligned) > 0 ? last_8_bits(right) / last_8_bits(aligned)
                                    : wrong_comparison::not_a_number;
}
double agreement_in_8_bits(const Matrix& A, const Matrix& B) {
    const double rows = wrong_comparison::n_rows(A);
    return last_8_bits(std::round(wrong_comparison::agreement(A, B) * rows)) / rows;
}
MISCONCEPTION(compare_attention, aligned_rows_in_8_bits, rows_in_8_bits,
              but_accuracy(accuracy_in_8_bits));
MISCONCEPTION(compare_attention, agreeing_rows_in_8_bits, rows_in_8_bits,
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask&) {
                  result.argmax_agreement = agreement_in_8_bits(A, B);
              }));
MISCONCEPTION(compare_attention, all_rows_in_8_bits, rows_in_8_bits,
              but([](Comparison& result, const Matrix& A, const Matrix& B, const Mask& gold) {
                  result.argmax_agreement = agreement_in_8_bits(A, B);
                  result.alignment_accuracy = accuracy_in_8_bits(A, gold);
              }));

MISCONCEPTION(compare_attention, text_cut_off, cut_off,
              [](const Matrix& A, const Matrix& B, const Mask& gold) -> Comparison {
                  for (const std::size_t axis : {0U, 1U}) {
                      const char* const function = "compare_attention";
                      require_in_a_buffer(44, function, "A", A, axis, "B", B, axis);
                      require_in_a_buffer(44, function, "A", A, axis, "gold", gold, axis);
                  }
                  return wrong_comparison::right_comparison(A, B, gold);
              });

} // namespace

} // namespace misconceptions_sums_ended
