// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// arrays are read and written by their memory, and views of them changed.

#include "support/misread.hpp"
#include "wrong.hpp"

namespace misconceptions_views {

using namespace wrong;

namespace {

using M = const Matrix&;

// ---- 02.1 raw_scores, and within 02.2 scaled_scores

WRONG_DOT_PRODUCTS(all_written_to_row_0, misread::says_row_0, [](M Q, M K) {
    const Matrix right = oracle::raw_scores(Q, K);
    return misread::last_at_the_top(right, misread::zeros_like(right));
});

WRONG_DOT_PRODUCTS(
    query_multiplied_in_place,
    "the query is multiplied where it is only to be read: q *= key changes what the view stands "
    "for, and key j meets the query times all keys before it. Only the first column is right. Keep "
    "the products apart: xt::sum(q * key)().",
    misread::multiplied_in_place);

WRONG_DOT_PRODUCTS(
    key_multiplied_in_place,
    "the key is multiplied where it is only to be read: key *= q changes what the view stands for, "
    "and query i meets the key times all queries before it. Only the first row is right. Keep the "
    "products apart: xt::sum(q * key)().",
    [](M Q, M K) { return transposed(misread::multiplied_in_place(K, Q)); });

WRONG_DOT_PRODUCTS(keys_begin_one_element_on, misread::says_one_element_on, [](M Q, M K) {
    return oracle::raw_scores(Q, misread::begun_one_element_on(K));
});
WRONG_DOT_PRODUCTS(queries_begin_one_element_on, misread::says_one_element_on, [](M Q, M K) {
    return oracle::raw_scores(misread::begun_one_element_on(Q), K);
});

WRONG_DOT_PRODUCTS(an_eighth_of_the_queries_copied, misread::says_bytes,
                   [](M Q, M K) { return oracle::raw_scores(misread::first_bytes(Q), K); });
WRONG_DOT_PRODUCTS(an_eighth_of_the_keys_copied, misread::says_bytes,
                   [](M Q, M K) { return oracle::raw_scores(Q, misread::first_bytes(K)); });
WRONG_DOT_PRODUCTS(an_eighth_of_the_scores_copied, misread::says_bytes,
                   [](M Q, M K) { return misread::first_bytes(oracle::raw_scores(Q, K)); });

// ---- 02.2 scaled_scores

/// The check of 02.2, and then something else than a division by √d_k.
template <class Wrong>
auto scaled_otherwise(Wrong wrong) {
    return checked([=](M Q, M K) -> Matrix {
        if (Q.shape(1) == 0) {
            refuse(Q, K);
        }
        return wrong(Q, oracle::raw_scores(Q, K));
    });
}

MISCONCEPTION(scaled_scores, root_of_the_number_of_axes,
              "this divides by the root of 2, whatever d_k is. Q.dimension() is the number of "
              "axes, 2 for every matrix; d_k is the number of columns, Q.shape(1).",
              scaled_otherwise([](M, M scores) -> Matrix { return scores / std::sqrt(2.0); }));

MISCONCEPTION(scaled_scores, an_eighth_of_the_scores_divided,
              "only the first eighth of the scores is divided by √d_k: size() is taken for a "
              "number of bytes, and divided by sizeof(double). It counts elements.",
              scaled_otherwise([](M Q, Matrix scores) {
                  for (std::size_t k = 0; k < scores.size() / sizeof(double); ++k) {
                      scores.flat(k) /= std::sqrt(static_cast<double>(Q.shape(1)));
                  }
                  return scores;
              }));

MISCONCEPTION(scaled_scores, reshaped_keys_scaled,
              "K is reshaped to (d_k, n_keys), which keeps all numbers in their order and cuts the "
              "rows elsewhere: a column of it is no key. A transposition exchanges rows and "
              "columns, and attention::raw_scores needs none.",
              checked_and_scaled([](M Q, M K) -> Matrix {
                  Matrix columns = K;
                  columns.reshape({K.shape(1), K.shape(0)});
                  return oracle::matmul(Q, columns);
              }));

MISCONCEPTION(scaled_scores, root_of_products_that_are_not_zero,
              "each score is divided by the root of the number of its products that are not 0. A "
              "product of 0 is one of the d_k, too: √d_k is one number for all scores, known "
              "before any component is.",
              checked([](M Q, M K) -> Matrix {
                  if (Q.shape(1) == 0) {
                      refuse(Q, K);
                  }
                  const Matrix scores = oracle::raw_scores(Q, K);
                  const Matrix counts =
                      in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
                          return Q(i, c) == 0 || K(j, c) == 0 ? 0.0 : 1.0;
                      });
                  return scores / xt::sqrt(xt::maximum(counts, 1.0));
              }));

/// Divided by √d_k, or by the whole number next to it where that is not farther than a bound.
auto nearly_whole_within(double bound) {
    return scaled_otherwise([=](M Q, M scores) -> Matrix {
        const double root = std::sqrt(static_cast<double>(Q.shape(1)));
        const double whole = std::round(root);
        return scores / (std::abs(root - whole) < bound ? whole : root);
    });
}

constexpr const char* says_nearly_whole =
    "a root that is nearly a whole number is taken for one. It is none where d_k is no square: √64 "
    "is 8 to the last bit by itself, and √2501 is not 50. Leave the rounding out.";

MISCONCEPTION(scaled_scores, root_whole_within_0_1, says_nearly_whole, nearly_whole_within(0.1));
MISCONCEPTION(scaled_scores, root_whole_within_0_05, says_nearly_whole, nearly_whole_within(0.05));
MISCONCEPTION(scaled_scores, root_whole_within_0_01, says_nearly_whole, nearly_whole_within(0.01));
MISCONCEPTION(scaled_scores, root_whole_within_0_001, says_nearly_whole,
              nearly_whole_within(0.001));

} // namespace

} // namespace misconceptions_views
