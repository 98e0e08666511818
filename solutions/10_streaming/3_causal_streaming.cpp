#include "streaming.hpp"

#include <cmath>
#include <vector>

namespace lesson {

Matrix causal_streaming(const ScoreTile& score_tile, const Matrix& V, std::size_t n_queries,
                        std::size_t tile) {
    require_tile("causal_streaming", tile);

    // solution 10.3 (score_tile, V, n_queries, tile): block by block of queries, only the tiles that one of them sees
    const std::size_t n_keys = V.shape(0), d_v = V.shape(1);

    Matrix output = Matrix::from_shape({n_queries, d_v});
    for (std::size_t first_query = 0; first_query < n_queries; first_query += tile) {
        const std::size_t rows = std::min(tile, n_queries - first_query);
        // The last query of the block sees the keys up to its own position; no other sees more.
        const std::size_t seen_by_last = std::min(n_keys, first_query + rows);

        std::vector<Partial> so_far(rows, no_keys_yet(d_v));
        for (std::size_t first_key = 0; first_key < seen_by_last; first_key += tile) {
            const std::size_t columns = std::min(tile, seen_by_last - first_key);
            const Matrix scores = score_tile(first_query, rows, first_key, columns);

            for (std::size_t r = 0; r < rows; ++r) {
                // Of this tile, the query sees the keys up to its own position.
                const std::size_t seen = std::min(columns, first_query + r + 1 - first_key);

                Partial here = no_keys_yet(d_v);
                for (std::size_t j = 0; j < seen; ++j) {
                    here.maximum = std::max(here.maximum, scores(r, j));
                }
                for (std::size_t j = 0; j < seen; ++j) {
                    const double p = std::exp(scores(r, j) - here.maximum);
                    here.sum += p;
                    for (std::size_t c = 0; c < d_v; ++c) {
                        here.output(c) += p * V(first_key + j, c);
                    }
                }
                so_far[r] = merge(so_far[r], here);
            }
        }
        for (std::size_t r = 0; r < rows; ++r) {
            xt::view(output, first_query + r, xt::all()) = so_far[r].output / so_far[r].sum;
        }
    }
    return output;
    // end
}

} // namespace lesson
