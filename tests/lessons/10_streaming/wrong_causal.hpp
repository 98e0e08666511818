#pragma once

// What the wrong versions of 10.3 are made of: right in everything but the part that is exchanged.

#include "wrong.hpp"

namespace wrong {

using lesson::ScoreTile;

/// A tile: a block of queries and one of keys.
struct Block {
    std::size_t query, rows, key, columns;
    std::size_t n_queries, n_keys; // of all
    std::size_t tile;
};

/// 10.3, each of whose parts a misconception may exchange for a wrong one.
struct Causal {
    /// Whether the tile is computed.
    std::function<bool(const Block&, std::size_t n_queries, std::size_t n_keys)> computed =
        [](auto& block, auto, auto) { return block.key < block.query + block.rows; };
    /// Whether query i sees key j, both counted from the start.
    std::function<bool(std::size_t i, std::size_t j, const Block&)> sees =
        [](auto i, auto j, auto&) { return j <= i; };
    double unseen = -infinity; // the score of a key that is not seen
    double lowest = -infinity; // what the maximum of a tile starts at
    std::function<Partial(P here)> known = [](auto& here) { return here; }; // of a tile
    std::function<Partial(P so_far, P here)> merge = right_merge;
    std::function<std::size_t(const Block&, std::size_t j)> value = [](auto& block, auto j) {
        return block.key + j;
    };
    std::function<Matrix(const ScoreTile&, const Block&)> scores = [](auto& score_tile,
                                                                      auto& block) {
        return score_tile(block.query, block.rows, block.key, block.columns);
    };
    std::function<Vector(P)> finish = [](auto& all) -> Vector { return all.output / all.sum; };
    std::function<std::size_t(std::size_t first_query, std::size_t r)> row_of =
        [](auto first, auto r) { return first + r; };
    double (*raised)(double) = [](double score) { return std::exp(score); };
    bool unseen_in_maximum = false;
    bool scaled_by_values = false; // divided by √d_v
    bool last_block = true;        // of queries, and of keys, where it is smaller than a tile
    bool last_keys = true;
    bool only_made = false; // the output: where nothing is written, it is whatever it was

    by_tiles::Causal operator()(In Q, In K, In V, std::size_t tile) const {
        return by_tiles::causal_streaming_by(
            [this](const ScoreTile& score_tile, In values, std::size_t n_queries,
                   std::size_t size) { return streamed(score_tile, values, n_queries, size); },
            Q, K, V, tile);
    }

    Matrix streamed(const ScoreTile& score_tile, In V, std::size_t n_queries,
                    std::size_t tile) const {
        lesson::require_tile("causal_streaming", tile);
        const std::size_t n_keys = V.shape(0), d_v = V.shape(1);
        Matrix output = Matrix::from_shape({n_queries, d_v});
        if (!only_made) {
            output.fill(0);
        }
        for (std::size_t i = 0; i < n_queries; i += tile) {
            const std::size_t rows = std::min(tile, n_queries - i);
            if (rows < tile && !last_block) {
                break;
            }
            std::vector<Partial> so_far(rows, no_keys_yet(d_v));
            for (std::size_t j = 0; j < n_keys; j += tile) {
                const Block block{i, rows, j, std::min(tile, n_keys - j), n_queries, n_keys, tile};
                if ((block.columns < tile && !last_keys) || !computed(block, n_queries, n_keys)) {
                    continue;
                }
                const Matrix all = scores(score_tile, block) / (scaled_by_values ? root(d_v) : 1.0);
                for (std::size_t r = 0; r < rows; ++r) {
                    so_far[r] = merge(so_far[r], known(partial(all, r, block, V)));
                }
            }
            for (std::size_t r = 0; r < rows; ++r) {
                xt::view(output, row_of(i, r), xt::all()) = finish(so_far[r]);
            }
        }
        return output;
    }

private:
    Partial partial(In scores_of_tile, std::size_t r, const Block& block, In V) const {
        Partial here = no_keys_yet(V.shape(1));
        here.maximum = lowest;
        std::vector<double> row(block.columns);
        for (std::size_t j = 0; j < block.columns; ++j) {
            row[j] = sees(block.query + r, block.key + j, block) ? scores_of_tile(r, j) : unseen;
            here.maximum =
                std::max(here.maximum, unseen_in_maximum ? scores_of_tile(r, j) : row[j]);
        }
        for (std::size_t j = 0; j < block.columns && here.maximum > -infinity; ++j) {
            const double p = raised(row[j] - here.maximum);
            here.sum += p;
            for (std::size_t c = 0; c < V.shape(1); ++c) {
                here.output(c) += p * V(value(block, j), c);
            }
        }
        return here;
    }
};

/// Written by hand: of score_tile, V, n_queries and tile, as the exercise itself.
inline auto
by_hand(std::function<Matrix(const ScoreTile&, In, std::size_t, std::size_t)> function) {
    return [=](In Q, In K, In V, std::size_t tile) {
        return by_tiles::causal_streaming_by(function, Q, K, V, tile);
    };
}

using Computed = decltype(Causal::computed);
using Sees = decltype(Causal::sees);

inline auto computing(Computed computed) {
    Causal wrong;
    wrong.computed = computed;
    return wrong;
}
inline auto seeing(Sees sees, Computed computed = Causal{}.computed) {
    Causal wrong;
    wrong.sees = sees;
    wrong.computed = computed;
    wrong.finish = [](auto& all) -> Vector {
        return all.sum > 0 ? Vector(all.output / all.sum) : Vector(0.0 * all.output);
    };
    return wrong;
}

} // namespace wrong
