// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here a
// part of the mask is looked at in place of all, or what is seldom needed is left out.

#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_shortcuts {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

// ---- 05.2, 05.3 and 05.4: a part of the mask

MASK_READ_WRONGLY(
    causal_by_its_corners,
    "a square mask is taken for the causal one by some of its places, such as a first row that is "
    "blocked after its first key. Others have those, too: ask mask(i, j) for each.",
    [](const Mask& mask) {
        const S n = mask.shape(0);
        const bool causal =
            n > 1 && n == mask.shape(1) && !mask(0, n - 1) && !mask(0, 1) && mask(n - 1, 0);
        return causal ? plain::causal_mask(n) : mask;
    });

MASK_READ_WRONGLY(causal_by_its_first_row,
                  "a square mask whose first row allows the first key alone is taken for the "
                  "causal one. Others begin so, too: ask mask(i, j) for each.",
                  [](const Mask& mask) {
                      const S n = mask.shape(0);
                      bool causal = n > 1 && n == mask.shape(1) && mask(0, 0);
                      for (S j = 1; causal && j < n; ++j) {
                          causal = !mask(0, j);
                      }
                      return causal ? plain::causal_mask(n) : mask;
                  });

MASK_READ_WRONGLY(first_row_for_all_if_the_last_is_alike,
                  "a mask whose first and last row are alike is taken for one of padding, with one "
                  "row for all queries. Between them rows may differ: ask mask(i, j) for each.",
                  [](const Mask& mask) {
                      bool alike = true;
                      for (S j = 0; j < mask.shape(1); ++j) {
                          alike = alike && mask(0, j) == mask(mask.shape(0) - 1, j);
                      }
                      return mask_of(mask.shape(0), mask.shape(1),
                                     [&](auto i, auto j) { return mask(alike ? 0 : i, j); });
                  });

MASK_READ_WRONGLY(all_between_the_first_and_the_last,
                  "all keys between the first and the last that a row allows are taken for "
                  "allowed. Some between them may be blocked: ask mask(i, j) for each.",
                  [](const Mask& mask) {
                      return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                          bool before = false, after = false;
                          for (S k = 0; k < mask.shape(1); ++k) {
                              before = before || (k <= j && mask(i, k));
                              after = after || (k >= j && mask(i, k));
                          }
                          return before && after;
                      });
                  });

MASK_READ_WRONGLY(blocked_at_the_end_only,
                  "a row is blocked from its end until the first key that is allowed, and no "
                  "further. Blocked keys may stand before it, too: ask mask(i, j) for each.",
                  [](const Mask& mask) {
                      return mask_of(mask.shape(0), mask.shape(1), [&](auto i, auto j) {
                          for (S k = j; k < mask.shape(1); ++k) {
                              if (mask(i, k)) {
                                  return true;
                              }
                          }
                          return false;
                      });
                  });

// ---- An index in 16 bits

MISCONCEPTION(apply_mask, index_in_16_bits,
              "only the first 65,536 scores are masked: an index is kept in 16 bits, and begins "
              "anew there. Use std::size_t.",
              checked([](M scores, const Mask& mask) {
                  Matrix result = filled(scores, mask, -infinity);
                  for (S k = 65536; k < scores.size(); ++k) {
                      result.flat(k) = scores.flat(k);
                  }
                  return result;
              }));
MISCONCEPTION(masked_softmax, index_in_16_bits_of_weights,
              "what comes after the first 65,536 weights is 0: an index is kept in 16 bits, and "
              "begins anew there. Use std::size_t.",
              checked([](M scores, const Mask& mask) {
                  Matrix weights = plain::masked_softmax(scores, mask);
                  for (S k = 65536; k < weights.size(); ++k) {
                      weights.flat(k) = 0;
                  }
                  return weights;
              }));
MISCONCEPTION(additive_mask, index_in_16_bits_of_mask,
              "an index is kept in 16 bits, and begins anew at 65,536: what belongs beyond is "
              "written at the start of the result, and beyond all is 0. Use std::size_t.",
              [](const Mask& mask) -> Matrix {
                  Matrix result = xt::zeros<double>({mask.shape(0), mask.shape(1)});
                  for (S k = 0; k < mask.size(); ++k) {
                      if (!mask.flat(k)) {
                          result.flat(k % 65536) = -infinity;
                      }
                  }
                  return result;
              });

// ---- What is subtracted before the exponentials

/// exp(s − reference) over their sum, where allowed; 0 where that sum is.
template <class Reference>
auto shifted(Reference reference) {
    return [=](M scores, const Mask& mask) {
        Matrix weights = xt::zeros<double>({scores.shape(0), scores.shape(1)});
        for (S i = 0; i < scores.shape(0); ++i) {
            const double r = reference(scores, mask, i);
            double sum = 0;
            for (S j = 0; j < scores.shape(1); ++j) {
                weights(i, j) = mask(i, j) ? std::exp(scores(i, j) - r) : 0;
                sum += weights(i, j);
            }
            for (S j = 0; sum > 0 && j < scores.shape(1); ++j) {
                weights(i, j) /= sum;
            }
        }
        return weights;
    };
}

std::vector<S> by_score(M scores, S i) {
    std::vector<S> keys(scores.shape(1));
    std::iota(keys.begin(), keys.end(), S{0});
    std::sort(keys.begin(), keys.end(), [&](S a, S b) { return scores(i, a) > scores(i, b); });
    return keys;
}

WITHIN_ONE_SEQUENCE(
    second_largest_if_the_largest_is_blocked,
    "where the largest score is blocked, the second largest is subtracted in its place, which may "
    "be blocked as well, and far above the others: then their exponentials are all 0. Take the "
    "largest of those that are allowed.",
    shifted([](M scores, const Mask& mask, S i) {
        const std::vector<S> keys = by_score(scores, i);
        return scores(i, keys[keys.size() > 1 && !mask(i, keys[0]) ? 1 : 0]);
    }));

WITHIN_ONE_SEQUENCE(
    maximum_only_beyond_740,
    "the largest score is subtracted only where a score is beyond some bound. Short of it exp is "
    "infinite already, or has hardly a digit left, as exp(-734) has. Subtract it always: that "
    "costs nothing and changes no weight.",
    shifted([](M scores, const Mask& mask, S i) {
        double most = -infinity, farthest = 0;
        for (S j = 0; j < scores.shape(1); ++j) {
            most = mask(i, j) ? std::max(most, scores(i, j)) : most;
            farthest = mask(i, j) ? std::max(farthest, std::abs(scores(i, j))) : farthest;
        }
        return farthest > 740 ? most : 0;
    }));

// ---- Keys taken block by block

/// NaN in each row whose first 16 keys are blocked, if there are others that are not.
bool first_block_blocked(const Mask& mask, S i) {
    bool first = mask.shape(1) > 16, any = false;
    for (S j = 0; j < mask.shape(1); ++j) {
        first = first && (j >= 16 || !mask(i, j));
        any = any || mask(i, j);
    }
    return first && any;
}

WITHIN_ONE_SEQUENCE(
    first_block_of_16_blocked,
    "keys are taken in blocks, and a row whose first block is blocked as a whole comes out as NaN: "
    "the maximum so far is −∞ there, and −∞ − (−∞) is NaN. Leave out a block that allows nothing, "
    "or rescale only where there was a maximum before.",
    [](M scores, const Mask& mask) {
        Matrix weights = plain::masked_softmax(scores, mask);
        for (S i = 0; i < mask.shape(0); ++i) {
            for (S j = 0; first_block_blocked(mask, i) && j < mask.shape(1); ++j) {
                weights(i, j) = not_a_number;
            }
        }
        return weights;
    });

// ---- Rows

WITHIN_ONE_SEQUENCE(
    allowed_keys_of_the_row_before,
    "which keys are allowed is taken from the row before where both allow as many. They may be "
    "other ones: ask the mask anew for each row.",
    [](M scores, const Mask& mask) {
        Mask used = mask;
        const auto count = [&](S i) {
            S n = 0;
            for (S j = 0; j < mask.shape(1); ++j) {
                n += mask(i, j) ? 1 : 0;
            }
            return n;
        };
        for (S i = 1; i < mask.shape(0); ++i) {
            for (S j = 0; count(i) == count(i - 1) && j < mask.shape(1); ++j) {
                used(i, j) = used(i - 1, j);
            }
        }
        return plain::masked_softmax(scores, used);
    });

WITHIN_ONE_SEQUENCE(
    single_allowed_key_is_the_first,
    "a row that allows a single key gives the weight 1 to the first key, as the first row of a "
    "causal mask does. It belongs to the key that is allowed.",
    [](M scores, const Mask& mask) {
        Matrix weights = plain::masked_softmax(scores, mask);
        for (S i = 0; i < mask.shape(0); ++i) {
            S n = 0;
            for (S j = 0; j < mask.shape(1); ++j) {
                n += mask(i, j) ? 1 : 0;
            }
            for (S j = 0; n == 1 && j < mask.shape(1); ++j) {
                weights(i, j) = j == 0 ? 1 : 0;
            }
        }
        return weights;
    });

// ---- 05.5 alone

MISCONCEPTION(scaled_dot_product_attention, maximum_only_beyond_700_in_attention,
              "the largest score is subtracted only where a score is beyond some bound. Short of "
              "it exp is finite, but its product with a large value need not be: exp(650) · 1e100 "
              "is infinite. Subtract it always: that changes no weight.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  Attention answer = Mechanism{}(Q, K, V, mask);
                  for (S b = 0; b < Q.shape(0); ++b) {
                      const Matrix scores =
                          oracle::scaled_scores(plain::slice(Q, b), plain::slice(K, b));
                      for (S i = 0; i < Q.shape(1); ++i) {
                          double farthest = 0, sum = 0;
                          std::vector<double> terms(K.shape(1), 0.0);
                          for (S j = 0; j < K.shape(1); ++j) {
                              if (lesson::attends(mask, b, i, j)) {
                                  farthest = std::max(farthest, std::abs(scores(i, j)));
                                  sum += terms[j] = std::exp(scores(i, j));
                              }
                          }
                          for (S c = 0; c < V.shape(2) && farthest < 700 && sum > 0; ++c) {
                              double mixed = 0;
                              for (S j = 0; j < K.shape(1); ++j) {
                                  mixed += terms[j] * V(b, j, c);
                              }
                              answer.output(b, i, c) = mixed / sum;
                          }
                      }
                  }
                  return answer;
              });

MISCONCEPTION(scaled_dot_product_attention, token_of_zeros_by_its_sum,
              "a query whose components sum to 0 is taken for one of zeros, and attends to all "
              "that it may see alike. [1, -1] sums to 0 as well: look at each component.",
              [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
                  Tensor3 taken = Q;
                  for (S b = 0; b < Q.shape(0); ++b) {
                      for (S i = 0; i < Q.shape(1); ++i) {
                          double sum = 0;
                          for (S c = 0; c < Q.shape(2); ++c) {
                              sum += Q(b, i, c);
                          }
                          for (S c = 0; sum == 0 && c < Q.shape(2); ++c) {
                              taken(b, i, c) = 0;
                          }
                      }
                  }
                  return Mechanism{}(taken, K, V, mask);
              });

MISCONCEPTION(
    scaled_dot_product_attention, blocked_row_gets_the_output_before,
    "the sum of an output is not set back to 0 for a query that may see nothing: it gets the "
    "output of the query before. Set it to 0 before it is asked whether anything is allowed.",
    [](const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
        Attention answer = Mechanism{}(Q, K, V, mask);
        std::vector<double> output(V.shape(2), 0.0);
        for (S b = 0; b < Q.shape(0); ++b) {
            const Mask own = plain::mask_of_sequence(mask, b, Q.shape(1), K.shape(1));
            for (S i = 0; i < Q.shape(1); ++i) {
                for (S c = 0; c < V.shape(2); ++c) {
                    output[c] = plain::all_blocked(own, i) ? output[c] : answer.output(b, i, c);
                    answer.output(b, i, c) = output[c];
                }
            }
        }
        return answer;
    });

} // namespace

} // namespace misconceptions_shortcuts
