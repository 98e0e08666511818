// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here
// arrays are copied, read and written by their memory.

#include "exports.hpp"
#include "support/misread.hpp"
#include "wrong.hpp"

namespace misconceptions_in_memory {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

// ---- Rows that are written one directly after the other

MISCONCEPTION(causal_mask, rows_without_what_is_blocked,
              "the rows are written one directly after the other, i + 1 elements each, as a "
              "triangle is packed. A row has n elements, and row i begins at i * n: go on by n "
              "from row to row, past what is blocked as well.",
              [](S n) {
                  return mask_of(n, n, [=](S i, S j) { return i * n + j < n * (n + 1) / 2; });
              });

/// Row by row, what is at the allowed keys moved to the left, with `rest` behind it.
Matrix moved_left(const Matrix& A, const Mask& mask, double rest) {
    Matrix moved = Matrix::from_shape({A.shape(0), A.shape(1)});
    moved.fill(rest);
    for (S i = 0; i < A.shape(0); ++i) {
        for (S j = 0, to = 0; j < A.shape(1); ++j) {
            if (mask(i, j)) {
                moved(i, to++) = A(i, j);
            }
        }
    }
    return moved;
}

WITHIN_ONE_SEQUENCE(
    weights_moved_to_the_left,
    "the weights of the allowed keys stand at the beginning of their row, one after the other, and "
    "not at their keys: allowed scores were gathered without gaps. That is right only where all "
    "that is blocked comes at the end. Keep the index j of each, and write its weight to (i, j).",
    [](M scores, const Mask& mask) {
        return moved_left(plain::masked_softmax(scores, mask), mask, 0);
    });

MISCONCEPTION(apply_mask, scores_moved_to_the_left,
              "the allowed scores stand at the beginning of their row, one after the other, and "
              "not at their keys. A score stays where it is, at (i, j).",
              checked([](M scores, const Mask& mask) {
                  return moved_left(scores, mask, -infinity);
              }));

// ---- Bytes for elements

using misread::first_bytes;
using misread::says_bytes;

MISCONCEPTION(apply_mask, an_eighth_of_the_scores_copied, says_bytes,
              checked([](M scores, const Mask& mask) {
                  return filled(first_bytes(scores), mask, -infinity);
              }));
WITHIN_ONE_SEQUENCE(an_eighth_of_the_scores_weighed, says_bytes, [](M scores, const Mask& mask) {
    return plain::masked_softmax(first_bytes(scores), mask);
});
WITHIN_ONE_SEQUENCE(an_eighth_of_the_weights_copied, says_bytes, [](M scores, const Mask& mask) {
    return first_bytes(plain::masked_softmax(scores, mask));
});
MISCONCEPTION(scaled_dot_product_attention, an_eighth_of_each_sequence_copied, says_bytes,
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  const auto part = [](const Tensor3& all, S b) {
                      return first_bytes(plain::slice(all, b));
                  };
                  return Mechanism{.query = part, .key = part, .value = part}(Q, K, V, mask);
              });
MISCONCEPTION(scaled_dot_product_attention, an_eighth_of_each_output_copied, says_bytes,
              spoilt([](auto& right, auto&) {
                  for (S b = 0; b < right.output.shape(0); ++b) {
                      xt::view(right.output, b) = first_bytes(plain::slice(right.output, b));
                      xt::view(right.weights, b) = first_bytes(plain::slice(right.weights, b));
                  }
              }));
MISCONCEPTION(scaled_dot_product_attention, an_eighth_of_the_mixtures_copied, says_bytes,
              spoilt([](auto& right, auto&) {
                  for (S b = 0; b < right.output.shape(0); ++b) {
                      xt::view(right.output, b) = first_bytes(plain::slice(right.output, b));
                  }
              }));

// ---- Where a row begins

/// A matrix of sequence b of which each row begins one element after the one before.
Matrix begun_one_element_on(const Tensor3& all, S b) {
    return misread::begun_one_element_on(plain::slice(all, b));
}

MISCONCEPTION(scaled_dot_product_attention, keys_begin_one_element_on, misread::says_one_element_on,
              Mechanism{.key = begun_one_element_on});
MISCONCEPTION(scaled_dot_product_attention, queries_begin_one_element_on,
              misread::says_one_element_on, Mechanism{.query = begun_one_element_on});
MISCONCEPTION(scaled_dot_product_attention, values_begin_one_element_on,
              misread::says_one_element_on, Mechanism{.value = begun_one_element_on});

MISCONCEPTION(scaled_dot_product_attention, keys_reshaped,
              "K is reshaped to (d_k, n_keys), which keeps all numbers in their order and cuts the "
              "rows elsewhere: a column of it is no key. A transposition exchanges rows and "
              "columns.",
              Mechanism{.key = [](const Tensor3& K, S b) -> Matrix {
                  Matrix columns = plain::slice(K, b);
                  columns.reshape({K.shape(2), K.shape(1)});
                  return xt::transpose(columns);
              }});

// ---- The mask of a sequence

/// A mask of rank 3 of which each sequence is read from `rows` rows after the one before.
Attention with_masks_apart(S rows, const Tensor3& Q, const Tensor3& K, const Tensor3& V,
                           const OptionalMask& mask) {
    lesson::require_fit(Q, K, V, mask);
    if (!mask || mask->dimension() < 3 || mask->shape(0) == 1) {
        return Mechanism{}(Q, K, V, mask);
    }
    xt::xarray<bool> read = *mask;
    const S length = mask->shape(1) * mask->shape(2);
    for (S b = 0; b < mask->shape(0); ++b) {
        const S from = std::min(b * rows * mask->shape(2), mask->size() - length);
        std::copy_n(mask->data() + from, length, read.data() + b * length);
    }
    return Mechanism{}(Q, K, V, read);
}

MISCONCEPTION(scaled_dot_product_attention, masks_begin_one_row_on,
              "the mask of a sequence is read from one row after that of the sequence before. It "
              "has n_queries rows, unless that axis is 1: sequence b begins n_queries * n_keys "
              "elements after sequence b - 1. attends(mask, b, i, j) knows.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  return with_masks_apart(1, Q, K, V, mask);
              });

MISCONCEPTION(
    scaled_dot_product_attention, mask_of_rank_2_reshaped,
    "a mask of rank 2 is reshaped to (1, n_queries, n_keys), which fails where one of its axes is "
    "1: it has fewer elements. Such an axis stands for every index. Give it the axis alone, (1, "
    "mask.shape(0), mask.shape(1)), or ask attends(mask, b, i, j).",
    [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        lesson::require_fit(Q, K, V, mask);
        if (mask && mask->dimension() == 2) {
            xt::xarray<bool> read = *mask;
            read.reshape({S{1}, Q.shape(1), K.shape(1)});
        }
        return Mechanism{}(Q, K, V, mask);
    });

} // namespace

} // namespace misconceptions_in_memory
