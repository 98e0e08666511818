// Wrong versions of 10.2 that people really write: scores, tiles, masks.

#include <memory>

#include "wrong.hpp"

using namespace wrong;

namespace {

auto divided_by(std::function<double(In Q, In K, In V, std::size_t tile)> divisor) {
    Streaming wrong;
    wrong.divisor = divisor;
    return wrong;
}

MISCONCEPTION(streaming_attention, scale_forgotten,
              "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, "
              "where 1 / 2 is 0. Streaming changes the order of the sums, and nothing else.",
              divided_by([](auto&, auto&, auto&, auto) { return 1.0; }));
MISCONCEPTION(streaming_attention, divided_by_d_k,
              "the scores are divided by d_k. It is its square root.",
              divided_by([](auto& Q, auto&, auto&, auto) { return real(Q.shape(1)); }));
MISCONCEPTION(streaming_attention, times_root_d_k,
              "the scores are multiplied by √d_k. They are divided by it.",
              divided_by([](auto& Q, auto&, auto&, auto) { return 1 / root(Q.shape(1)); }));
MISCONCEPTION(streaming_attention, root_of_d_v,
              "the scores are divided by √d_v. It is d_k, the components of a query.",
              divided_by([](auto&, auto&, auto& V, auto) { return root(V.shape(1)); }));
MISCONCEPTION(streaming_attention, root_of_n_keys,
              "the scores are divided by the root of the number of keys. It is that of d_k, their "
              "components.",
              divided_by([](auto&, auto& K, auto&, auto) { return root(K.shape(0)); }));
MISCONCEPTION(streaming_attention, root_of_n_queries,
              "the scores are divided by the root of the number of queries. It is that of d_k.",
              divided_by([](auto& Q, auto&, auto&, auto) { return root(Q.shape(0)); }));
MISCONCEPTION(streaming_attention, root_of_tile,
              "the scores are divided by the root of the tile. It is that of d_k: the tile must "
              "not be seen in the result.",
              divided_by([](auto&, auto&, auto&, auto tile) { return root(tile); }));
MISCONCEPTION(streaming_attention, root_of_one_more,
              "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
              divided_by([](auto& Q, auto&, auto&, auto) { return root(Q.shape(1) + 1); }));
MISCONCEPTION(streaming_attention, integer_root, "the root of d_k is cut to a whole number.",
              divided_by([](auto& Q, auto&, auto&, auto) { return std::floor(root(Q.shape(1))); }));
MISCONCEPTION(streaming_attention, products_in_whole_numbers, products_in_an_int, [] {
    Streaming wrong;
    wrong.product = whole_dot;
    return wrong;
}());
auto powers(std::function<double(double)> exponential) {
    Streaming wrong;
    wrong.exponential = exponential;
    wrong.merge = [exponential](P a, P b) {
        const double m = std::max(a.maximum, b.maximum);
        return m == -infinity
                   ? a
                   : merged(a, b, {m, exponential(a.maximum - m), exponential(b.maximum - m)});
    };
    return wrong;
}
MISCONCEPTION(
    streaming_attention, powers_of_two,
    "the weights are powers of 2 in place of e. exp2 needs scores that were multiplied by "
    "log₂ e.",
    powers([](double x) { return std::exp2(x); }));

// ---- Tiles.

auto in_tiles(std::function<Tiles(std::size_t n_keys, std::size_t tile)> tiles) {
    Streaming wrong;
    wrong.tiles = tiles;
    return wrong;
}

MISCONCEPTION(streaming_attention, last_tile_lost,
              "where the tile does not divide n_keys, the keys of the last, smaller tile are left "
              "out. Round the number of tiles up, or let the loop run while first < n_keys.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  Tiles tiles;
                  for (std::size_t first = 0; first + tile <= n_keys; first += tile) {
                      tiles.push_back({first, tile});
                  }
                  return tiles;
              }));
MISCONCEPTION(streaming_attention, last_tile_lost_of_several,
              "where the tile does not divide n_keys, the keys of the last, smaller tile are left "
              "out. Round the number of tiles up, or let the loop run while first < n_keys.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  tile = std::min(tile, n_keys);
                  Tiles tiles;
                  for (std::size_t first = 0; first + tile <= n_keys; first += tile) {
                      tiles.push_back({first, tile});
                  }
                  return tiles;
              }));
MISCONCEPTION(streaming_attention, last_full_tile_lost,
              "the last tile is left out, also where it is whole: the loop ends at first + tile < "
              "n_keys.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  Tiles tiles;
                  for (std::size_t first = 0; first + tile < n_keys; first += tile) {
                      tiles.push_back({first, tile});
                  }
                  return tiles;
              }));
MISCONCEPTION(streaming_attention, first_tile_alone,
              "only the first tile of keys counts. Look whether the function returns inside of the "
              "loop.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  return Tiles{{0, std::min(tile, n_keys)}};
              }));
MISCONCEPTION(streaming_attention, last_tile_alone,
              "only the last tile of keys counts: what was known before is written over, and not "
              "merged with.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  return Tiles{right_tiles(n_keys, tile).back()};
              }));
MISCONCEPTION(streaming_attention, last_tile_moved_back,
              "where the tile does not divide n_keys, the last one begins earlier so as to be "
              "whole: some keys count twice.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  Tiles tiles = right_tiles(n_keys, tile);
                  if (n_keys >= tile) {
                      tiles.back() = {n_keys - tile, tile};
                  }
                  return tiles;
              }));
MISCONCEPTION(streaming_attention, tiles_overlap,
              "each tile includes the first key of the next one, which so counts twice: a tile "
              "ends before first + tile.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  Tiles tiles = right_tiles(n_keys, tile);
                  for (Tile& each : tiles) {
                      each.count = std::min(tile + 1, n_keys - each.first);
                  }
                  return tiles;
              }));
MISCONCEPTION(streaming_attention, last_key_of_each_tile_lost,
              "the last key of each tile is left out: a tile ends before first + tile, not before "
              "first + tile − 1.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  Tiles tiles = right_tiles(n_keys, tile);
                  for (Tile& each : tiles) {
                      --each.count;
                  }
                  std::erase_if(tiles, [](const Tile& each) { return each.count == 0; });
                  return tiles;
              }));
MISCONCEPTION(streaming_attention, step_of_one,
              "the loop over tiles goes on by 1 and not by tile, so that most keys count many "
              "times.",
              in_tiles([](std::size_t n_keys, std::size_t tile) {
                  Tiles tiles;
                  for (std::size_t first = 0; first < n_keys; ++first) {
                      tiles.push_back({first, std::min(tile, n_keys - first)});
                  }
                  return tiles;
              }));

using Index = std::function<std::size_t(std::size_t first, std::size_t j)>;
auto reading(Index key, Index value) {
    Streaming wrong;
    wrong.key = key;
    wrong.value = value;
    return wrong;
}
const Index right_index = [](auto first, auto j) { return first + j; };
const Index local = [](auto, auto j) { return j; };

MISCONCEPTION(
    streaming_attention, values_of_the_first_tile,
    "in every tile the values are those of the first one: `first +` is missing where V is "
    "read.",
    reading(right_index, local));
MISCONCEPTION(streaming_attention, keys_of_the_first_tile,
              "in every tile the keys are those of the first one: `first +` is missing where K is "
              "read.",
              reading(local, right_index));
MISCONCEPTION(streaming_attention, keys_and_values_of_the_first_tile,
              "in every tile keys and values are those of the first one: `first +` is missing "
              "where K and V are read.",
              reading(local, local));

MISCONCEPTION(streaming_attention, padding_counts,
              "the last tile is filled up with keys of score 0, and they count in the sum. Past "
              "the last key a score is −∞, or not there.",
              [] {
                  Streaming wrong;
                  wrong.finish = [](auto& all, auto n_keys, auto tile) -> Vector {
                      const std::size_t past = (tile - n_keys % tile) % tile;
                      if (all.sum == 0 && past == 0) {
                          return 0.0 * all.output;
                      }
                      return all.output / (all.sum + real(past) * std::exp(-all.maximum));
                  };
                  wrong.logsumexp = [](auto& all) { return all.maximum + std::log(all.sum); };
                  return wrong;
              }());

// ---- Masks.

using Allowed = std::function<bool(const Mask&, std::size_t i, std::size_t first, std::size_t j)>;
auto masked_by(Allowed allowed) {
    Streaming wrong;
    wrong.allowed = allowed;
    return wrong;
}
auto blocked_as(double score) {
    Streaming wrong;
    wrong.blocked = score;
    return wrong;
}

MISCONCEPTION(streaming_attention, mask_ignored,
              "the mask is not looked at: blocked keys count, too.",
              masked_by([](auto&, auto, auto, auto) { return true; }));
MISCONCEPTION(
    streaming_attention, exponentials_below_minus_15_dropped,
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts "
    "like any other.",
    [] {
        Streaming wrong;
        wrong.exponential = [](double x) { return x < -15 ? 0.0 : std::exp(x); };
        return wrong;
    }());
MISCONCEPTION(
    streaming_attention, exponentials_below_minus_30_dropped,
    "a weight that is small is taken for 0. It may meet a value that is as large, and counts "
    "like any other.",
    [] {
        Streaming wrong;
        wrong.exponential = [](double x) { return x < -30 ? 0.0 : std::exp(x); };
        return wrong;
    }());
// Known at any bound: the grader says how.
MISCONCEPTION(streaming_attention, small_weights_left_out,
              "what lies far below the largest score is left out: a key, or a whole tile. Its "
              "weight is small, but many small ones are much together, and a value may be as "
              "large: each counts.",
              [] {
                  Streaming wrong;
                  wrong.merge = [](P a, P b) {
                      return b.maximum < a.maximum - 15 ? a : right_merge(a, b);
                  };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, mask_taken_for_a_prefix,
              "the row of a mask is taken for a number of first keys: as many are seen as it has "
              "trues, wherever these stand. Ask it for each key: mask(i, j).",
              masked_by([](auto& mask, auto i, auto first, auto j) {
                  std::size_t trues = 0;
                  for (std::size_t k = 0; k < mask.shape(1); ++k) {
                      trues += mask(i, k) ? 1 : 0;
                  }
                  return first + j < trues;
              }));
MISCONCEPTION(streaming_attention, mask_inverted,
              "the mask is read the other way round: true means that the query may see the key.",
              masked_by([](auto& mask, auto i, auto first, auto j) {
                  return !mask(i, first + j);
              }));
MISCONCEPTION(streaming_attention, mask_of_the_first_tile,
              "in every tile the mask is that of the first one: `first +` is missing where it is "
              "read.",
              masked_by([](auto& mask, auto i, auto, auto j) { return mask(i, j); }));
MISCONCEPTION(streaming_attention, mask_of_the_first_query,
              "every query has the mask of the first one.",
              masked_by([](auto& mask, auto, auto first, auto j) { return mask(0, first + j); }));
MISCONCEPTION(streaming_attention, blocked_score_0,
              "a blocked key has the score 0, which is a score like another: it still weighs "
              "something. It is −∞, or left out.",
              blocked_as(0));
MISCONCEPTION(streaming_attention, blocked_score_of_minus_1e9,
              "a blocked key has the score −1e9. A query that sees nothing has then only such "
              "scores, and gets the mean of all values. With −∞ it gets 0.",
              blocked_as(-1e9));
MISCONCEPTION(streaming_attention, blocked_score_of_lowest,
              "a blocked key has the lowest of all numbers as its score. A query that sees nothing "
              "has then only such scores, and gets the mean of all values. With −∞ it gets 0.",
              blocked_as(std::numeric_limits<double>::lowest()));
MISCONCEPTION(streaming_attention, first_blocked_tile_ends_it,
              "a tile of which the query sees nothing ends its loop: later tiles are lost. "
              "continue, not break.",
              [] {
                  Streaming wrong;
                  wrong.partial = [](auto& scores, auto&, auto& values) {
                      return Streaming{}.partial_of(scores, {}, values);
                  };
                  wrong.merge = [](P a, P b) {
                      Partial all = a;
                      if (std::isinf(b.maximum) || a.sum < 0) { // a marked sum: it has ended
                          all.sum = a.sum < 0 ? a.sum : -a.sum - 1;
                          return all;
                      }
                      return right_merge(a, b);
                  };
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      const double sum = all.sum < 0 ? -all.sum - 1 : all.sum;
                      return sum > 0 ? Vector(all.output / sum) : Vector(0.0 * all.output);
                  };
                  wrong.logsumexp = [](auto& all) {
                      return all.maximum + std::log(all.sum < 0 ? -all.sum - 1 : all.sum);
                  };
                  return wrong;
              }());

MISCONCEPTION(streaming_attention, tile_with_a_blocked_first_key_ends_it,
              "a tile whose first key is blocked ends the loop, as if every mask were causal: keys "
              "that the query sees are lost. Ask of each key.",
              [] {
                  const auto step = std::make_shared<std::size_t>(1);
                  Streaming wrong = in_tiles([=](std::size_t n_keys, std::size_t tile) {
                      *step = tile;
                      return right_tiles(n_keys, tile);
                  });
                  wrong.allowed = [=](auto& mask, auto i, auto first, auto j) {
                      for (std::size_t begin = 0; begin < first; begin += *step) {
                          if (!mask(i, begin)) {
                              return false;
                          }
                      }
                      return mask(i, first) && mask(i, first + j);
                  };
                  return wrong;
              }());

auto with_partial(std::function<Partial(const std::vector<double>& scores,
                                        const std::vector<bool>& allowed, const Matrix& values)>
                      partial) {
    Streaming wrong;
    wrong.partial = partial;
    return wrong;
}

MISCONCEPTION(streaming_attention, nan_where_nothing_is_seen,
              "where a query sees nothing of a tile, or nothing at all, −∞ − (−∞) or 0 / 0 makes "
              "NaN of its row. Leave such a tile out, and give such a query 0.",
              [] {
                  Streaming wrong = with_partial([](auto& scores, auto&, auto& values) {
                      Partial here = no_keys_yet(values.shape(1));
                      here.maximum = *std::max_element(scores.begin(), scores.end());
                      for (std::size_t j = 0; j < scores.size(); ++j) {
                          const double p = std::exp(scores[j] - here.maximum);
                          here.sum += p;
                          for (std::size_t c = 0; c < values.shape(1); ++c) {
                              here.output(c) += p * values(j, c);
                          }
                      }
                      return here;
                  });
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      return all.output / all.sum;
                  };
                  return wrong;
              }());
MISCONCEPTION(streaming_attention, nan_where_a_query_sees_no_key,
              "a query that sees no key has 0 / 0, NaN, as its output. It is 0 where the sum is.",
              [] {
                  Streaming wrong;
                  wrong.finish = [](auto& all, auto, auto) -> Vector {
                      return all.output / all.sum;
                  };
                  return wrong;
              }());

} // namespace
