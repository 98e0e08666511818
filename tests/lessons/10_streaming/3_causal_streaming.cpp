// 10.3 causal_streaming. score_tile cannot travel: exports.hpp makes it of Q and K.

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_causal_streaming {

using namespace proof;

Matrix right(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t /*tile*/) {
    lesson::Mask mask = xt::zeros<bool>({Q.shape(0), K.shape(0)});
    for (std::size_t i = 0; i < Q.shape(0); ++i) {
        for (std::size_t j = 0; j <= i && j < K.shape(0); ++j) {
            mask(i, j) = true;
        }
    }
    return oracle::attention(Q, K, V, mask).output;
}

const std::vector<double> tiles{2, 1, 3, 4, 5, 7, 64, 0x1p20, 0x1p30, 0x1p31, 0x1p32};

const auto causal_streaming = Domain(graded::causal_streaming, right,
                                     {{"Q", Kind::array, "n_queries x d_k"},
                                      {"K", Kind::array, "n_keys x d_k"},
                                      {"V", Kind::array, "n_keys x d_v"},
                                      {"tile", Kind::count, "", false, tiles}},
                                     sums_in_double)
                                  .small_sizes({{"n_queries", 6}, {"n_keys", 5}, {"d_k", 2}})
                                  .dot_products("Q", "K")
                                  .scaled({{"Q", "K"}, {"V", ""}})
                                  .refuses_nothing();

judge::List with_tile(std::size_t n_queries, std::size_t n_keys, std::size_t tile) {
    judge::List call = causal_streaming.draw(
        {{"n_queries", n_queries}, {"n_keys", n_keys}, {"d_k", 3}, {"d_v", 2}}, 2);
    call[3] = to_value(tile);
    return call;
}

TEST_CASE("10.3 causal_streaming: three positions in tiles of two, by hand") {
    // Query 2 has the scores 0, ln 3 and 2 ln 2: weights 1/8, 3/8 and 4/8. Query 0 would have
    // others.
    expect_close(graded::causal_streaming({{2}, {0}, {1}}, {{0}, {std::log(3.0)}, {std::log(4.0)}},
                                          {{8}, {16}, {24}}, 2),
                 {{8}, {12}, {19}}, sums_in_double);
}

PROPERTIES("10.3 causal_streaming", causal_streaming)

TEST_CASE(
    "10.3 causal_streaming: more keys than queries, fewer, and as many, in tiles of 1 to 16") {
    std::vector<judge::List> calls;
    for (const std::size_t tile : {4U, 16U, 3U, 2U, 1U}) {
        for (const auto& [n_queries, n_keys] :
             {std::pair(4, 9), {9, 4}, {7, 7}, {6, 6}, {1, 6}, {6, 1}, {8, 8}, {5, 4}}) {
            calls.push_back(with_tile(static_cast<std::size_t>(n_queries),
                                      static_cast<std::size_t>(n_keys), tile));
        }
    }
    calls.push_back(with_tile(137, 40, 16));
    calls.push_back(with_tile(261, 261, 64));
    calls.push_back(with_tile(40, 137, 16));
    causal_streaming.calls(calls);
}

TEST_CASE("10.3 causal_streaming: scores that rise or fall from key to key, and unseen ones far "
          "above") {
    std::vector<judge::List> calls;
    for (const double step : {1.0, -1.0, 30.0, -30.0, 300.0, 1000.0, -1000.0}) {
        for (const double first : {0.0, -3000.0}) {
            for (const std::size_t tile : {3U, 4U, 1U}) {
                calls.push_back(with_tile(8, 8, tile));
                Matrix K = Matrix::from_shape({8, 1});
                for (std::size_t j = 0; j < 8; ++j) {
                    K(j, 0) = first + step * static_cast<double>(j);
                }
                calls.back()[0] = to_value(Matrix(xt::ones<double>({8, 1})));
                calls.back()[1] = to_value(K);
            }
        }
    }
    causal_streaming.calls(calls);
}

TEST_CASE("10.3 causal_streaming: later keys change nothing, to the last bit") {
    const judge::List usual = with_tile(9, 9, 4);
    const Matrix Q = from_value<Matrix>(usual[0]), K = from_value<Matrix>(usual[1]),
                 V = from_value<Matrix>(usual[2]);
    const Matrix before = graded::causal_streaming(Q, K, V, 4);
    expect_shape(sizes(before), {9, V.shape(1)});
    for (std::size_t j = 1; j < 9; ++j) {
        Matrix other_K = K, other_V = V;
        xt::view(other_K, j, xt::all()) *= -70;
        xt::view(other_V, j, xt::all()) += 9;
        const Matrix after = graded::causal_streaming(Q, other_K, other_V, 4);
        expect_shape(sizes(after), {9, V.shape(1)});
        const auto past = [j](const Matrix& output) -> Matrix {
            return xt::view(output, xt::range(0, static_cast<int>(j)), xt::all());
        };
        expect_that(past(before) == past(after),
                    "no output before position " + std::to_string(j) +
                        " changes with it, not in one bit",
                    "one does");
    }
}

TEST_CASE("10.3 causal_streaming: a tile of 0 throws std::invalid_argument") {
    expect_refused(graded::causal_streaming.attempt({{1}}, {{2}}, {{3}}, 0), "tile = 0");
}

} // namespace of_causal_streaming
