// Wrong versions of 11.1, 11.2 and 11.4 whose sums end too early, and whose texts are cut off;
// grader_tiny_between.cpp asks for them.

#include "support/common_mistakes.hpp"
#include "wrong_block.hpp"
#include "wrong_cache.hpp"
#include "wrong_measures.hpp"

namespace misconceptions_sums_ended {

using namespace wrong;
using mistakes::Ends;
using mistakes::require_in_a_buffer;
using mistakes::sum_ended;

namespace {

constexpr const char* sum_ends = mistakes::sum_ends_where_unchanged;
constexpr const char* cut_off = mistakes::text_cut_off;
constexpr Ends not_0 = Ends::at_one_that_is_not_0;

// ---- 11.1

MISCONCEPTION_IN(on_arrays, layer_norm, text_cut_off, cut_off,
                 [](const Array& X, const Array& gain, const Array& bias, const Array& d_output) {
                     require_in_a_buffer(36, "layer_norm", "X", X, 1, "gain", gain, 0);
                     require_in_a_buffer(36, "layer_norm", "X", X, 1, "bias", bias, 0);
                     return on_arrays::layer_norm(X, gain, bias, d_output);
                 });

MISCONCEPTION_IN(on_arrays, transformer_block, text_of_a_block_cut_off, cut_off,
                 [](const Array& X, const Block& weights, std::size_t n_texts, std::size_t n_heads,
                    const Array& d_output) {
                     const auto require = [](const char* what, std::size_t divisor,
                                             std::size_t size) {
                         if (divisor == 0 || size % divisor != 0) {
                             mistakes::refuse_in_a_buffer(48, std::string("transformer_block: ") +
                                                                  std::to_string(divisor) + what +
                                                                  std::to_string(size));
                         }
                     };
                     require(" texts do not divide ", n_texts, X.shape(0));
                     require(" heads do not divide ", n_heads, X.shape(1));
                     return on_arrays::transformer_block(X, weights, n_texts, n_heads, d_output);
                 });

// ---- 11.2

Vector scores_ended(const Vector& q, const Rows& keys, Ends ends) {
    Vector result = Vector::from_shape({keys.size()});
    for (std::size_t j = 0; j < keys.size(); ++j) {
        result(j) = sum_ended(q.size(), ends, [&](std::size_t c) { return q(c) * keys[j](c); }) /
                    std::sqrt(static_cast<double>(q.size()));
    }
    return result;
}
Vector mixed_ended(const Vector& weights, const Rows& values, Ends ends) {
    Vector output = Vector::from_shape({values.front().size()});
    for (std::size_t c = 0; c < output.size(); ++c) {
        output(c) = sum_ended(values.size(), ends,
                              [&](std::size_t j) { return weights(j) * values[j](c); });
    }
    return output;
}
/// Of which the sum below the line ends.
Vector softmax_ended(const Vector& numbers, Ends ends) {
    const double largest = *std::max_element(numbers.begin(), numbers.end());
    const Vector raised = xt::exp(numbers - largest);
    return raised / sum_ended(raised.size(), ends, [&](std::size_t j) { return raised(j); });
}

CACHE_MISCONCEPTION(values_end_where_unchanged, sum_ends,
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return mixed_ended(softmax_of(scores(q, keys)), values, not_0);
                    });
CACHE_MISCONCEPTION(values_end_where_unchanged_or_at_0, sum_ends,
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return mixed_ended(softmax_of(scores(q, keys)), values, Ends::at_any);
                    });
CACHE_MISCONCEPTION(scores_end_where_unchanged, sum_ends,
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return mixed(softmax_of(scores_ended(q, keys, not_0)), values);
                    });
CACHE_MISCONCEPTION(weights_end_where_unchanged, sum_ends,
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return mixed(softmax_ended(scores(q, keys), not_0), values);
                    });
CACHE_MISCONCEPTION(all_sums_end_where_unchanged, sum_ends,
                    [](const Rows& keys, const Rows& values, const Vector& q) {
                        return mixed_ended(softmax_ended(scores_ended(q, keys, not_0), not_0),
                                           values, not_0);
                    });

MISCONCEPTION_IN(in_turn, attend, text_cut_off, cut_off,
                 [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                     if (K.shape(0) > 0 && K.shape(1) != Q.shape(1)) {
                         mistakes::refuse_in_a_buffer(
                             64, "KeyValueCache::attend: q has " + std::to_string(Q.shape(1)) +
                                     " components, the keys have " + std::to_string(K.shape(1)));
                     }
                     return in_turn::attend(K, V, Q);
                 });

// ---- 11.4

double mean_ended(const Vector& logs, Ends ends) {
    return sum_ended(logs.size(), ends, [&](std::size_t i) { return logs(i); }) / count(logs);
}
MISCONCEPTION(perplexity, sum_ends_where_unchanged, sum_ends, [](const Vector& logs) {
    lesson::require_any("perplexity", logs);
    return std::exp(-mean_ended(logs, not_0));
});
MISCONCEPTION(perplexity, sum_ends_where_unchanged_or_at_0, sum_ends, [](const Vector& logs) {
    lesson::require_any("perplexity", logs);
    return std::exp(-mean_ended(logs, Ends::at_any));
});
MISCONCEPTION(bits_per_character, bits_end_where_unchanged, sum_ends, [](const Vector& logs) {
    lesson::require_any("bits_per_character", logs);
    return -mean_ended(logs, not_0) / std::log(2.0);
});
MISCONCEPTION(bits_per_character, bits_end_where_unchanged_or_at_0, sum_ends,
              [](const Vector& logs) {
                  lesson::require_any("bits_per_character", logs);
                  return -mean_ended(logs, Ends::at_any) / std::log(2.0);
              });

} // namespace

} // namespace misconceptions_sums_ended
