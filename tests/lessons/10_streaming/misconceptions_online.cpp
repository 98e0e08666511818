// Wrong versions of 10.2 as the online softmax is often written: one query, and key after key under
// a running maximum, or tile after tile with the new maximum taken first.

#include "wrong.hpp"

using namespace wrong;

namespace {

/// What is kept of a query.
struct Running {
    double maximum = -infinity, sum = 0;
    Vector output;
};

/// One key more: its score and its value.
using Update = std::function<void(Running&, double score, const Vector& value)>;

void right_update(Running& so_far, double score, const Vector& value) {
    const double maximum = std::max(so_far.maximum, score);
    const double shrink = std::exp(so_far.maximum - maximum), p = std::exp(score - maximum);
    so_far.sum = so_far.sum * shrink + p;
    so_far.output = so_far.output * shrink + p * value;
    so_far.maximum = maximum;
}

struct KeyByKey {
    Update update = right_update;
    bool ends_at_a_blocked_key = false, keeps_from_query_to_query = false;
    bool value_of_the_query = false;
    bool divides = true;

    Streamed operator()(In Q, In K, In V, std::size_t tile, const OptionalMask& mask) const {
        lesson::require_fit("streaming_attention", Q, K, V);
        lesson::require_mask("streaming_attention", Q, K, mask);
        lesson::require_tile("streaming_attention", tile);
        const std::size_t n_queries = Q.shape(0), d_v = V.shape(1);
        Streamed result{xt::zeros<double>({n_queries, d_v}), xt::zeros<double>({n_queries})};
        Running so_far{-infinity, 0, xt::zeros<double>({d_v})};
        for (std::size_t i = 0; i < n_queries; ++i) {
            if (!keeps_from_query_to_query) {
                so_far = {-infinity, 0, xt::zeros<double>({d_v})};
            } else {
                so_far.output = xt::zeros<double>({d_v});
            }
            for (std::size_t j = 0; j < K.shape(0); ++j) {
                if (mask && !(*mask)(i, j)) {
                    if (ends_at_a_blocked_key) {
                        break;
                    }
                    continue;
                }
                const Vector value =
                    xt::view(V, value_of_the_query ? std::min(i, V.shape(0) - 1) : j, xt::all());
                update(so_far, dot(Q, i, K, j) / root(Q.shape(1)), value);
            }
            if (so_far.sum > 0) {
                const double divisor = divides ? so_far.sum : 1;
                xt::view(result.output, i, xt::all()) = so_far.output / divisor;
            }
            result.logsumexp(i) =
                so_far.sum > 0 ? so_far.maximum + std::log(so_far.sum) : -infinity;
        }
        return result;
    }
};

auto updated_by(Update update) {
    KeyByKey wrong;
    wrong.update = update;
    return wrong;
}

/// The new maximum, what was summed before times of_sum and of_output, and the key times p.
Update with_factors(std::function<void(double shrink, double& of_sum, double& of_output)> change) {
    return [=](Running& so_far, double score, const Vector& value) {
        const double maximum = std::max(so_far.maximum, score), p = std::exp(score - maximum);
        double of_sum = std::exp(so_far.maximum - maximum), of_output = of_sum;
        change(of_sum, of_sum, of_output);
        so_far.sum = so_far.sum * of_sum + p;
        so_far.output = so_far.output * of_output + p * value;
        so_far.maximum = maximum;
    };
}

MISCONCEPTION(streaming_attention, output_not_rescaled_at_a_key,
              "when a key has a larger score than all before it, the sum shrinks and the output "
              "does not. Both were summed with the old maximum.",
              updated_by(with_factors([](double, double&, double& of_output) { of_output = 1; })));
MISCONCEPTION(streaming_attention, sum_not_rescaled_at_a_key,
              "when a key has a larger score than all before it, the output shrinks and the sum "
              "does not. Both were summed with the old maximum.",
              updated_by(with_factors([](double, double& of_sum, double&) { of_sum = 1; })));
MISCONCEPTION(streaming_attention, nothing_rescaled_at_a_key,
              "when a key has a larger score than all before it, what was summed before stays as "
              "it is. It has to shrink by exp(old maximum − new maximum): look whether the old one "
              "is written over before that is computed.",
              updated_by(with_factors([](double, double& of_sum, double& of_output) {
                  of_sum = of_output = 1;
              })));
MISCONCEPTION(streaming_attention, new_key_shrunk_too,
              "the new key is multiplied by the factor of what was summed before. It was made with "
              "the new maximum already: only what is older shrinks.",
              updated_by([](Running& so_far, double score, const Vector& value) {
                  const double maximum = std::max(so_far.maximum, score);
                  const double shrink = std::exp(so_far.maximum - maximum);
                  const double p = std::exp(score - maximum);
                  so_far.sum = (so_far.sum + p) * shrink;
                  so_far.output = (so_far.output + p * value) * shrink;
                  so_far.maximum = maximum;
              }));
MISCONCEPTION(streaming_attention, divided_after_every_key,
              "the output is divided by the sum after every key, and the next key is added to "
              "that. Divide once, at the end, or multiply by the old sum before you add.",
              [] {
                  KeyByKey wrong =
                      updated_by([](Running& so_far, double score, const Vector& value) {
                          right_update(so_far, score, value);
                          so_far.output /= so_far.sum;
                      });
                  wrong.divides = false;
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, divided_after_every_key_and_at_the_end,
              "the output is divided by the sum after every key, and once more at the end. Divide "
              "once, at the end.",
              updated_by([](Running& so_far, double score, const Vector& value) {
                  right_update(so_far, score, value);
                  so_far.output /= so_far.sum;
              }));
MISCONCEPTION(streaming_attention, value_not_weighed_at_a_key,
              "the new key's value is added as it is: it has to be multiplied by exp(score − "
              "maximum), which goes into the sum only.",
              updated_by([](Running& so_far, double score, const Vector& value) {
                  const Vector before = so_far.output;
                  const double old = so_far.maximum;
                  right_update(so_far, score, value);
                  so_far.output = std::exp(old - so_far.maximum) * before + value;
              }));
MISCONCEPTION(streaming_attention, sum_counts_keys,
              "each key adds 1 to the sum, and not exp(score − maximum). Only the key of the "
              "maximum itself adds 1.",
              updated_by([](Running& so_far, double score, const Vector& value) {
                  const double before = so_far.sum, old = so_far.maximum;
                  right_update(so_far, score, value);
                  so_far.sum = std::exp(old - so_far.maximum) * before + 1;
              }));
MISCONCEPTION(streaming_attention, blocked_key_ends_it,
              "the first blocked key ends the loop: later keys are lost. continue, not break.", [] {
                  KeyByKey wrong;
                  wrong.ends_at_a_blocked_key = true;
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, kept_from_query_to_query,
              "maximum and sum are kept from query to query. Each query begins with −∞ and 0: look "
              "where they are declared.",
              [] {
                  KeyByKey wrong;
                  wrong.keeps_from_query_to_query = true;
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, values_of_the_query,
              "the values are those at the query's position, V(i, c). It is the key's, V(j, c).",
              [] {
                  KeyByKey wrong;
                  wrong.value_of_the_query = true;
                  return wrong;
              }());

// ---- Tiles, with the new maximum taken first.

auto merged_by(std::function<Partial(P so_far, P here)> merge) {
    Streaming wrong;
    wrong.merge = merge;
    return wrong;
}

MISCONCEPTION(streaming_attention, older_tiles_not_rescaled,
              "a tile is summed with the new maximum, and what was summed before stays as it is. "
              "It has to shrink by exp(old maximum − new maximum).",
              merged_by([](P a, P b) {
                  const Factors by = right_factors(a.maximum, b.maximum);
                  return merged(a, b, {by.maximum, 1, by.of_b});
              }));
MISCONCEPTION(streaming_attention, sum_of_the_last_tile,
              "the sum is that of the last tile alone, the output that of all. Both are carried on "
              "from tile to tile.",
              merged_by([](P a, P b) -> Partial {
                  const Factors by = right_factors(a.maximum, b.maximum);
                  return {by.maximum, by.of_b * b.sum, by.of_a * a.output + by.of_b * b.output};
              }));
MISCONCEPTION(streaming_attention, sum_of_the_first_tile,
              "the sum is that of the first tile alone, the output that of all. Both are carried "
              "on from tile to tile.",
              merged_by([](P a, P b) -> Partial {
                  const Factors by = right_factors(a.maximum, b.maximum);
                  return {by.maximum, a.sum > 0 ? by.of_a * a.sum : b.sum,
                          by.of_a * a.output + by.of_b * b.output};
              }));
/// change(wrong, √d_k)
auto with_root(std::function<void(Streaming&, double divisor)> change) {
    return [=](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
        Streaming wrong;
        change(wrong, root(Q.shape(1)));
        return wrong(Q, K, V, tile, mask);
    };
}

MISCONCEPTION(streaming_attention, scaled_twice,
              "the scores are divided by √d_k, and once more after the maximum is subtracted.",
              with_root([](Streaming& wrong, double divisor) {
                  wrong.exponential = [=](double x) { return std::exp(x / divisor); };
                  wrong.merge = [=](P a, P b) {
                      const double m = std::max(a.maximum, b.maximum);
                      return m == -infinity ? a
                                            : merged(a, b,
                                                     {m, std::exp(a.maximum - m),
                                                      std::exp((b.maximum - m) / divisor)});
                  };
              }));
MISCONCEPTION(streaming_attention, maximum_in_logsumexp_not_scaled,
              "the maximum in logsumexp is that of q · k, not divided by √d_k.",
              with_root([](Streaming& wrong, double divisor) {
                  wrong.logsumexp = [=](auto& all) {
                      return all.maximum * divisor + std::log(all.sum);
                  };
              }));

} // namespace
