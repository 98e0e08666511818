// Wrong versions of 10.2 that people really write: which keys count, and where −∞ − (−∞) makes NaN.

#include "wrong.hpp"

using namespace wrong;

namespace {

// ---- Keys that count or do not.

MISCONCEPTION(streaming_attention, last_key_lost,
              "the last of all keys is left out: a loop ends one key too early.", [] {
                  Streaming wrong;
                  wrong.tiles = [](std::size_t n_keys, std::size_t tile) {
                      return right_tiles(n_keys - 1, tile);
                  };
                  return wrong;
              }());

MISCONCEPTION(streaming_attention, starts_with_0_and_1,
              "each query starts with the maximum 0 and the sum 1, as if it had seen one more key, "
              "of score 0 and with the value 0: every output is too near 0. Before the first key "
              "the maximum is −∞ and the sum 0.",
              [] {
                  Streaming wrong;
                  wrong.start = [](std::size_t d_v) {
                      return Partial{0, 1, xt::zeros<double>({d_v})};
                  };
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      return all.output / all.sum;
                  };
                  return wrong;
              }());

/// The right tiles, but for the last one where lost(its number, its keys, tile).
auto losing_the_last_tile(
    std::function<bool(std::size_t number, std::size_t count, std::size_t tile)> lost) {
    Streaming wrong;
    wrong.tiles = [=](std::size_t n_keys, std::size_t tile) {
        Tiles tiles = right_tiles(n_keys, tile);
        if (lost(tiles.size() - 1, tiles.back().count, tile)) {
            tiles.pop_back();
        }
        return tiles;
    };
    return wrong;
}
constexpr const char* half_a_pair_lost =
    "the tiles are taken two at a time, and the last one is left out where it does not come out "
    "even: where it has no partner, or where its pair is not whole. Ask for each of the two "
    "whether it has keys, and cut it short at n_keys.";
MISCONCEPTION(streaming_attention, second_of_the_last_pair_lost_unless_whole, half_a_pair_lost,
              losing_the_last_tile([](auto number, auto count, auto tile) {
                  return number % 2 == 1 && count < tile;
              }));
MISCONCEPTION(streaming_attention, tile_without_a_partner_lost, half_a_pair_lost,
              losing_the_last_tile([](auto number, auto, auto) { return number % 2 == 0; }));
MISCONCEPTION(streaming_attention, tile_without_a_partner_lost_of_several, half_a_pair_lost,
              losing_the_last_tile([](auto number, auto, auto) {
                  return number > 0 && number % 2 == 0;
              }));

MISCONCEPTION(streaming_attention, tiles_past_whole_pairs_lost,
              "the tiles are taken two at a time, and the keys past the last whole pair are left "
              "out. Let the loop run while first < n_keys, ask for each of the two whether it has "
              "keys, and cut it short at n_keys.",
              [] {
                  Streaming wrong;
                  wrong.tiles = [](std::size_t n_keys, std::size_t tile) {
                      return right_tiles(n_keys / 2 / tile * 2 * tile, tile);
                  };
                  return wrong;
              }());

Mask before_the_query(In Q, In K, const OptionalMask& mask) {
    Mask both = plain::causal_mask(Q.shape(0), K.shape(0));
    for (std::size_t k = 0; mask && k < both.size(); ++k) {
        both.flat(k) = both.flat(k) && mask->flat(k);
    }
    return both;
}
MISCONCEPTION(streaming_attention, always_causal,
              "a query sees no key after its own position, which nobody asked for: who sees whom "
              "says the mask, and where there is none everybody sees everybody.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  return Streaming{}(Q, K, V, tile, before_the_query(Q, K, mask));
              });
MISCONCEPTION(streaming_attention, causal_without_a_mask,
              "where there is no mask, a query sees no key after its own position. No mask means "
              "that nothing is blocked.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  return Streaming{}(Q, K, V, tile, mask ? mask : before_the_query(Q, K, mask));
              });

MISCONCEPTION(
    streaming_attention, mask_of_its_own_key,
    "every key is masked like the one at the query's own position: the mask is read at i, "
    "i in place of i, j.",
    [] {
        Streaming wrong;
        wrong.allowed = [](auto& mask, auto i, auto, auto) {
            return mask(i, std::min(i, mask.shape(1) - 1));
        };
        return wrong;
    }());
MISCONCEPTION(streaming_attention, blocked_key_ends_its_tile,
              "the first blocked key ends its tile: later keys of the tile are lost. continue, not "
              "break.",
              [] {
                  Streaming wrong;
                  wrong.partial = [](auto& scores, auto& seen, auto& values) {
                      std::vector<double> until = scores;
                      const auto end = std::find(seen.begin(), seen.end(), false) - seen.begin();
                      std::fill(until.begin() + end, until.end(), -infinity);
                      return Streaming{}.partial_of(until, seen, values);
                  };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, blocked_score_of_minus_1e4,
              "a blocked key has the score −10,000. A query that sees nothing has then only such "
              "scores, and gets the mean of all values. With −∞ it gets 0.",
              [] {
                  Streaming wrong;
                  wrong.blocked = -1e4;
                  return wrong;
              }());

/// Sum or output of all keys, the maximum of those that are seen.
auto blocked_counts(bool in_sum, bool in_output) {
    return [=](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
        Streamed result = Streaming{}(Q, K, V, tile, mask);
        const Streamed all = Streaming{}(Q, K, V, tile, {});
        for (std::size_t i = 0; i < Q.shape(0); ++i) {
            const double ratio = std::exp(result.logsumexp(i) - all.logsumexp(i)); // of the sums
            if (in_output) {
                xt::view(result.output, i, xt::all()) = xt::view(all.output, i, xt::all()) / ratio;
            }
            if (in_sum) {
                xt::view(result.output, i, xt::all()) *= ratio;
                result.logsumexp(i) = all.logsumexp(i);
            }
        }
        return result;
    };
}
MISCONCEPTION(streaming_attention, blocked_keys_in_the_sum,
              "the exponentials of blocked keys are in the sum, and only their values are left "
              "out. A blocked key counts in neither.",
              blocked_counts(true, false));
MISCONCEPTION(streaming_attention, blocked_values_in_the_output,
              "the values of blocked keys are in the output, and only the sum leaves them out. A "
              "blocked key counts in neither.",
              blocked_counts(false, true));

MISCONCEPTION(streaming_attention, maximum_starts_at_the_first_key,
              "the running maximum starts at the score of the first key, also where that key is "
              "blocked. If it lies far above, all others come out as 0. It starts at −∞.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  Streamed result = Streaming{}(Q, K, V, tile, mask);
                  for (std::size_t i = 0; i < Q.shape(0); ++i) {
                      const double first = dot(Q, i, K, 0) / root(Q.shape(1));
                      if (std::exp(result.logsumexp(i) - first) == 0) {
                          xt::view(result.output, i, xt::all()) = 0;
                          result.logsumexp(i) = -infinity;
                      }
                  }
                  return result;
              });

/// Nothing is seen of a tile that is taken for blocked.
auto skipping(std::function<bool(const std::vector<bool>& seen)> taken_for_blocked) {
    Streaming wrong;
    wrong.partial = [=](auto& scores, auto& seen, auto& values) {
        return taken_for_blocked(seen) ? no_keys_yet(values.shape(1))
                                       : Streaming{}.partial_of(scores, seen, values);
    };
    return wrong;
}
MISCONCEPTION(streaming_attention, tiles_judged_by_their_ends,
              "a tile is left out where its first and its last key are blocked. One between may be "
              "seen: a mask may be any.",
              skipping([](auto& seen) { return !seen.front() && !seen.back(); }));
MISCONCEPTION(streaming_attention, tiles_judged_by_their_first_key,
              "a tile is left out where its first key is blocked. So it is under a causal mask; "
              "under another, keys after it may be seen.",
              skipping([](auto& seen) { return !seen.front(); }));

/// Keys past whole groups of a tile's keys are not masked.
auto forward_masked_in_groups_of(std::size_t keys) {
    return [=](In Q, In K, In V, std::size_t tile, OptionalMask mask) {
        lesson::require_mask("streaming_attention", Q, K, mask);
        lesson::require_tile("streaming_attention", tile);
        for (const auto& [first, count] : right_tiles(mask ? K.shape(0) : 0, tile)) {
            for (std::size_t j = count / keys * keys; j < count; ++j) {
                xt::view(*mask, xt::all(), first + j) = true;
            }
        }
        return Streaming{}(Q, K, V, tile, mask);
    };
}
constexpr const char* keys_left_over_seen =
    "several keys of a tile are taken at a time, and those that are left over at its end are not "
    "masked: there blocked keys count, too. Ask the mask in the loop over the rest as well.";
MISCONCEPTION(streaming_attention, keys_past_pairs_not_masked, keys_left_over_seen,
              forward_masked_in_groups_of(2));
MISCONCEPTION(streaming_attention, keys_past_fours_not_masked, keys_left_over_seen,
              forward_masked_in_groups_of(4));
MISCONCEPTION(streaming_attention, keys_past_eights_not_masked, keys_left_over_seen,
              forward_masked_in_groups_of(8));

MISCONCEPTION(streaming_attention, nan_where_nothing_is_seen_of_a_single_tile,
              "where all keys fit into a tile, a query that sees no key has NaN: −∞ − (−∞), or 0 / "
              "0. It has output 0 and logsumexp −∞, in one tile as in several.",
              [](In Q, In K, In V, std::size_t tile, const OptionalMask& mask) {
                  Streamed result = Streaming{}(Q, K, V, tile, mask);
                  for (std::size_t i = 0; i < Q.shape(0) && tile >= K.shape(0); ++i) {
                      if (result.logsumexp(i) == -infinity) {
                          result.logsumexp(i) = std::numeric_limits<double>::quiet_NaN();
                          xt::view(result.output, i, xt::all()) = result.logsumexp(i);
                      }
                  }
                  return result;
              });

// ---- Logarithms.

auto with_logsumexp(std::function<double(P all)> logsumexp) {
    Streaming wrong;
    wrong.logsumexp = [=](P all) { return all.sum > 0 ? logsumexp(all) : -infinity; };
    return wrong;
}
MISCONCEPTION(streaming_attention, logsumexp_minus_the_logarithm,
              "in logsumexp the logarithm is subtracted from the maximum: it is maximum + ln of "
              "the sum.",
              with_logsumexp([](auto& all) { return all.maximum - std::log(all.sum); }));
MISCONCEPTION(streaming_attention, logsumexp_is_a_product,
              "logsumexp is the maximum times ln of the sum. The two are added.",
              with_logsumexp([](auto& all) { return all.maximum * std::log(all.sum); }));
MISCONCEPTION(streaming_attention, logsumexp_of_one_more,
              "logsumexp has ln(1 + sum), as log1p computes it: there is one key of the score of "
              "the maximum too many in it.",
              with_logsumexp([](auto& all) { return all.maximum + std::log1p(all.sum); }));
MISCONCEPTION(streaming_attention, logsumexp_by_its_definition,
              "logsumexp is ln(exp(maximum) · sum): exp of a maximum of 1000 is infinite, and of "
              "one of −1000 it is 0. The maximum is added after the logarithm.",
              with_logsumexp([](auto& all) { return std::log(std::exp(all.maximum) * all.sum); }));

// ---- Tiles of which a query sees nothing.

/// nan_of(a, b): whether a tile b that comes after a makes NaN of all that follows. hidden: a query
/// whose sum is NaN keeps the output 0, because NaN > 0 is false.
auto nan_after(std::function<bool(P a, P b)> nan_of, bool hidden) {
    Streaming wrong;
    wrong.merge = [=](P a, P b) {
        Partial all = right_merge(a, b);
        if (nan_of(a, b) || std::isnan(a.sum)) {
            all.sum = std::numeric_limits<double>::quiet_NaN();
            all.output *= all.sum;
        }
        return all;
    };
    wrong.finish = [=](auto& all, auto, auto) -> Vector {
        return hidden && !(all.sum > 0) ? Vector(xt::zeros<double>({all.output.size()}))
                                        : Vector(all.output / all.sum);
    };
    return wrong;
}
bool nothing_seen(P, P b) {
    return b.maximum == -infinity;
}
bool nothing_seen_so_far(P a, P b) {
    return a.maximum == -infinity && b.maximum == -infinity;
}
MISCONCEPTION(
    streaming_attention, nan_hidden_where_nothing_is_seen,
    "where a query sees nothing of a tile, −∞ − (−∞) makes NaN of its sum, and as NaN > 0 "
    "is false, its output stays 0. Leave such a tile out.",
    nan_after(nothing_seen, true));
MISCONCEPTION(streaming_attention, nan_where_the_first_tile_is_blocked,
              "where a query sees nothing of the first tile, maximum and new maximum are both −∞, "
              "and exp(−∞ − (−∞)) is NaN, which stays. Go on to the next tile there.",
              nan_after(nothing_seen_so_far, false));
MISCONCEPTION(streaming_attention, nan_hidden_where_the_first_tile_is_blocked,
              "where a query sees nothing of the first tile, exp(−∞ − (−∞)) makes NaN of its sum, "
              "and as NaN > 0 is false, its output stays 0. Go on to the next tile there.",
              nan_after(nothing_seen_so_far, true));
bool nothing_seen_after_something(P a, P b) {
    return a.maximum > -infinity && b.maximum == -infinity;
}
MISCONCEPTION(streaming_attention, nan_after_a_blocked_tile,
              "where a query has seen keys, and then nothing of a tile, exp(−∞ − (−∞)) makes NaN "
              "of that tile's sum, and 0 times NaN is NaN. Leave such a tile out.",
              nan_after(nothing_seen_after_something, false));
MISCONCEPTION(streaming_attention, nan_hidden_after_a_blocked_tile,
              "where a query has seen keys, and then nothing of a tile, exp(−∞ − (−∞)) makes NaN "
              "of that tile's sum, and as NaN > 0 is false, its output stays 0. Leave such a tile "
              "out.",
              nan_after(nothing_seen_after_something, true));
MISCONCEPTION(streaming_attention, everything_nan,
              "every number is NaN: at the first key the old maximum is −∞, and exp(… − (−∞)) is "
              "infinite. What was summed before takes exp(old − new), a key exp(score − new), and "
              "new is the larger of both.",
              nan_after([](P, P) { return true; }, false));

MISCONCEPTION(streaming_attention, nan_after_a_tile_that_is_not_seen,
              "where a query sees nothing of a tile, and has seen nothing before, −∞ − (−∞) is "
              "taken of the two maxima: NaN, which stays in all its sums. Such a tile adds "
              "nothing: go on to the next.",
              [] {
                  Streaming wrong;
                  wrong.merge = [](P a, P b) {
                      const double m = std::max(a.maximum, b.maximum);
                      return merged(a, b, {m, std::exp(a.maximum - m), std::exp(b.maximum - m)});
                  };
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      return all.maximum > -infinity ? Vector(all.output / all.sum)
                                                     : Vector(xt::zeros_like(all.output));
                  };
                  wrong.logsumexp = [](auto& all) {
                      return all.maximum > -infinity ? all.maximum + std::log(all.sum) : -infinity;
                  };
                  return wrong;
              }());

} // namespace
