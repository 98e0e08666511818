// Wrong versions of 10.2 that people really write: by which factors the old and the new are brought
// to one maximum, which maximum is kept, and what a tile is worth before it is merged.

#include "wrong.hpp"

using namespace wrong;

namespace {

/// Both merged where the new tile has a key that is seen; else the old one stays.
auto merged_by(std::function<Partial(P so_far, P here, const Factors& right)> merge) {
    Streaming wrong;
    wrong.merge = [merge](P a, P b) {
        return b.maximum == -infinity ? a : merge(a, b, right_factors(a.maximum, b.maximum));
    };
    return wrong;
}

MISCONCEPTION(streaming_attention, last_seen_tile_alone,
              "only the last tile of which the query sees something counts: what was known before "
              "is written over, and not merged with.",
              merged_by([](P, P b, const Factors&) { return b; }));
MISCONCEPTION(
    streaming_attention, divided_before_the_merge,
    "each tile's output is divided by the tile's sum before it is merged, but merge takes "
    "outputs that are not divided yet. Divide once, at the end.",
    merged_by([](P a, P b, const Factors& by) {
        return merged(a, {b.maximum, b.sum, b.output / b.sum}, by);
    }));
MISCONCEPTION(
    streaming_attention, divided_before_the_merge_alone,
    "each tile's output is divided by the tile's sum before it is merged, as if that of a "
    "Partial were a mean already, and nothing after that. It is Σ e^(s − maximum) v: "
    "merge adds such sums, and the division comes once, at the end.",
    [] {
        Streaming wrong = merged_by([](P x, P y, const Factors& by) {
            return merged(x, {y.maximum, y.sum, y.output / y.sum}, by);
        });
        wrong.finish = [](auto& all, auto, auto) { return all.output; };
        return wrong;
    }());

MISCONCEPTION(streaming_attention, softmax_of_the_tiles_maxima,
              "each tile is divided by its own sum and then counts as one key that has the tile's "
              "maximum as its score: how many keys it had is forgotten. Sum and output stay as "
              "they are until the end.",
              merged_by([](P a, P b, const Factors& by) {
                  return merged(a, {b.maximum, 1, b.output / b.sum}, by);
              }));
MISCONCEPTION(streaming_attention, maximum_never_stored,
              "the new maximum is used and never stored: at each tile the old one is still −∞, and "
              "what was summed before is multiplied by exp(−∞), 0.",
              merged_by([](P, P b, const Factors&) -> Partial {
                  return {-infinity, b.sum, b.output};
              }));
MISCONCEPTION(streaming_attention, stores_the_maximum_of_the_tile,
              "what is stored as the maximum so far is that of the newest tile, also where it is "
              "smaller, while sum and output belong to the larger one.",
              merged_by([](P a, P b, const Factors& by) -> Partial {
                  Partial all = merged(a, b, by);
                  all.maximum = b.maximum;
                  return all;
              }));
MISCONCEPTION(streaming_attention, shrunk_by_the_maximum_of_the_tile,
              "what was summed before is multiplied by exp(old maximum − maximum of the tile), and "
              "grows where the tile has a smaller one. Subtracted is the larger of both.",
              merged_by([](P a, P b, const Factors& by) {
                  return merged(a, b, {by.maximum, std::exp(a.maximum - b.maximum), by.of_b});
              }));

/// The tile shrinks by the old factor, too, in sum or output: a bracket too many.
auto bracketed(bool sum, bool output) {
    return merged_by([=](P a, P b, const Factors& by) -> Partial {
        return {by.maximum, by.of_a * a.sum + (sum ? by.of_a : 1) * by.of_b * b.sum,
                by.of_a * a.output + (output ? by.of_a : 1) * by.of_b * b.output};
    });
}
MISCONCEPTION(streaming_attention, new_output_shrunk_too,
              "the output of the new tile is multiplied by the factor of what was summed before. "
              "It was made with the new maximum already: only what is older shrinks.",
              bracketed(false, true));
MISCONCEPTION(streaming_attention, new_sum_shrunk_too,
              "the sum of the new tile is multiplied by the factor of what was summed before. It "
              "was made with the new maximum already: only what is older shrinks.",
              bracketed(true, false));
MISCONCEPTION(streaming_attention, new_tile_shrunk_too,
              "sum and output of the new tile are multiplied by the factor of what was summed "
              "before. They were made with the new maximum already: only what is older shrinks.",
              bracketed(true, true));

/// What is known of a tile, where it has a key that is seen.
using OfTile =
    std::function<void(Partial& here, double score, std::size_t j, const Matrix& values)>;
auto summed_by(OfTile add) {
    Streaming wrong;
    wrong.partial = [add](auto& scores, auto& seen, auto& values) {
        Partial here = no_keys_yet(values.shape(1));
        here.maximum = *std::max_element(scores.begin(), scores.end());
        for (std::size_t j = 0; j < scores.size(); ++j) {
            if (seen.at(j)) {
                add(here, scores[j], j, values);
            }
        }
        return here;
    };
    return wrong;
}
MISCONCEPTION(streaming_attention, maximum_kept_and_not_subtracted,
              "the exponentials are exp(score), without the maximum, but the tiles are merged as "
              "if each had had its own subtracted. It is exp(score − maximum).",
              summed_by([](Partial& here, double score, std::size_t j, const Matrix& values) {
                  here.sum += std::exp(score);
                  here.output += std::exp(score) * xt::view(values, j, xt::all());
              }));
MISCONCEPTION(streaming_attention, values_not_weighed,
              "the values are added as they are: each has to be multiplied by its exponential, "
              "which goes into the sum only.",
              summed_by([](Partial& here, double score, std::size_t j, const Matrix& values) {
                  here.sum += std::exp(score - here.maximum);
                  here.output += xt::view(values, j, xt::all());
              }));
MISCONCEPTION(streaming_attention, keys_counted,
              "the sum counts the keys, 1 for each, in place of adding their exponentials.",
              summed_by([](Partial& here, double score, std::size_t j, const Matrix& values) {
                  here.sum += 1;
                  here.output += std::exp(score - here.maximum) * xt::view(values, j, xt::all());
              }));

/// Every tile has `shift` of its scores, the blocked ones −∞, in its maximum's place.
using Shift = std::function<double(const std::vector<double>& scores)>;
auto shifted_by(Shift shift) {
    Streaming wrong;
    wrong.partial = [shift](auto& scores, auto&, auto& values) {
        Partial here = no_keys_yet(values.shape(1));
        const double subtracted = shift(scores);
        if (std::isinf(subtracted)) {
            return here;
        }
        here.maximum = subtracted;
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const double p = std::exp(scores[j] - subtracted);
            here.sum += p;
            here.output += p * xt::view(values, j, xt::all());
        }
        return here;
    };
    return wrong;
}
MISCONCEPTION(streaming_attention, index_of_the_maximum_subtracted,
              "subtracted is the index of the largest score, and not that score: std::max_element "
              "and argmax say where it stands. Where it is large, exp overflows.",
              shifted_by([](auto& scores) {
                  const auto at = std::max_element(scores.begin(), scores.end());
                  return *at == -infinity ? *at
                                          : real(static_cast<std::size_t>(at - scores.begin()));
              }));
MISCONCEPTION(streaming_attention, smallest_score_subtracted,
              "subtracted is the smallest score of a tile. With a blocked key that is −∞, and of "
              "scores far above it exp overflows. It is the largest.",
              shifted_by([](auto& scores) {
                  return *std::min_element(scores.begin(), scores.end());
              }));
MISCONCEPTION(streaming_attention, largest_size_subtracted,
              "the maximum is that of the scores without their signs. Where all scores are far "
              "below 0 every exponential is 0, and a blocked key's −∞ becomes ∞.",
              shifted_by([](auto& scores) {
                  double largest = 0;
                  for (const double score : scores) {
                      largest = std::max(largest, std::abs(score));
                  }
                  return largest;
              }));

MISCONCEPTION(streaming_attention, all_kept_from_query_to_query,
              "maximum, sum and output are kept from query to query, so that each has the keys of "
              "those before it, too. Each query begins with no keys: look where it is declared.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  Streamed result = Streaming{}(Q, K, V, tile, mask);
                  Partial so_far = no_keys_yet(V.shape(1));
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      if (result.logsumexp(i) != -infinity) {
                          so_far = right_merge(so_far, {result.logsumexp(i), 1,
                                                        xt::view(result.output, i, xt::all())});
                      }
                      if (so_far.sum > 0) {
                          xt::view(result.output, i, xt::all()) = so_far.output / so_far.sum;
                      }
                      result.logsumexp(i) = so_far.maximum + std::log(so_far.sum);
                  }
                  return result;
              });

} // namespace
