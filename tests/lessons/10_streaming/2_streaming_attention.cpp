// 10.2 streaming_attention

#include "exports.hpp"
#include "support/no_matrix.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_streaming_attention {

using namespace proof;
using lesson::Streamed;

Streamed right(const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t /*tile*/,
               const std::optional<Mask>& mask) {
    const auto [output, weights, logsumexp] = oracle::attention(Q, K, V, mask);
    return {output, logsumexp};
}

/// For scores above 1e4, and for a logsumexp, some of the last digits are lost to rounding.
double rounding(const judge::List& arguments) {
    const auto largest = [&](std::size_t k) {
        return xt::amax(xt::abs(from_value<Matrix>(arguments[k])))();
    };
    const double score = largest(0) * largest(1);
    return score < 1e4 ? 0 : 4e-16 * score * largest(2);
}

const std::vector<double> tiles{2, 1, 3, 4, 5, 7, 64, 0x1p20, 0x1p30, 0x1p31, 0x1p32};

const auto streaming_attention = Domain(graded::streaming_attention, right,
                                        {{"Q", Kind::array, "n_queries x d_k"},
                                         {"K", Kind::array, "n_keys x d_k"},
                                         {"V", Kind::array, "n_keys x d_v"},
                                         {"tile", Kind::count, "", false, tiles},
                                         {"mask", Kind::mask, "n_queries x n_keys", true}},
                                        sums_in_double)
                                     .small_sizes({{"n_keys", 5}, {"d_k", 2}})
                                     .with_exact_zeros()
                                     .cancels(rounding)
                                     .dot_products("Q", "K")
                                     .scaled({{"Q", ""}, {"Q", "K"}, {"V", ""}})
                                     .large("n_keys", 5003);

/// One query and keys with these scores.
judge::List of_scores(const std::vector<double>& scores, std::size_t tile) {
    Matrix K = Matrix::from_shape({scores.size(), 1}), V = Matrix::from_shape({scores.size(), 2});
    for (std::size_t j = 0; j < scores.size(); ++j) {
        K(j, 0) = scores[j];
        V(j, 0) = 1 + static_cast<double>(j);
        V(j, 1) = std::cos(static_cast<double>(j));
    }
    return {to_value(Matrix{{1}}), to_value(K), to_value(V), to_value(tile), {}};
}

const double ln3 = std::log(3.0);

TEST_CASE("10.2 streaming_attention: one query and three keys in tiles of two, by hand") {
    // Scores 0, ln 3 and 0 weigh 1/5, 3/5 and 1/5.
    expect_close(
        graded::streaming_attention({{1}}, {{0}, {ln3}, {0}}, {{10, 0}, {20, 5}, {30, 0}}, 2, {}),
        Streamed{{{20, 3}}, {std::log(5.0)}}, sums_in_double);
}

TEST_CASE("10.2 streaming_attention: the same where the second key is blocked") {
    expect_close(graded::streaming_attention({{1}}, {{0}, {ln3}, {0}}, {{10, 0}, {20, 5}, {30, 0}},
                                             2, Mask{{true, false, true}}),
                 Streamed{{{20, 0}}, {std::log(2.0)}}, sums_in_double);
}

PROPERTIES("10.2 streaming_attention", streaming_attention)

TEST_CASE("10.2 streaming_attention: the largest score in each place, in tiles of 1 to 8") {
    std::vector<judge::List> calls;
    for (const std::size_t tile : {2U, 3U, 1U, 7U, 8U}) {
        for (const std::vector<double>& scores : {std::vector<double>{5, 1, 0, 2, -1, 1, 3},
                                                  {0, 1, 2, 5, -1, 1, 3},
                                                  {0, 1, 2, 3, -1, 1, 5},
                                                  {1, 2, 3, 4, 5, 6, 7},
                                                  {-1, -2, -3, -4, -5, -6, -7},
                                                  {1000, 999, 1001, 998, 1000.5, 997, 1002},
                                                  {-2000, 0, 1000, -1, 999, 0, 0}}) {
            calls.push_back(of_scores(scores, tile));
        }
    }
    streaming_attention.calls(calls);
}

TEST_CASE("10.2 streaming_attention: every kind of mask, in tiles of 1 to 9") {
    std::vector<judge::List> calls;
    for (const std::size_t tile : {1U, 3U, 4U, 6U, 9U}) {
        for (const judge::Value& mask : domain::masks_of({4, 6})) {
            calls.push_back(streaming_attention.draw(
                {{"n_queries", 4}, {"n_keys", 6}, {"d_k", 3}, {"d_v", 2}}, 2));
            calls.back()[3] = to_value(tile);
            calls.back()[4] = mask;
        }
    }
    streaming_attention.calls(calls);
}

TEST_CASE("10.2 streaming_attention: a key of small weight counts, if its value is large enough") {
    std::vector<judge::List> calls;
    for (const double below : {10.0, 16.0, 25.0, 50.0, 300.0}) {
        for (const std::size_t tile : {1U, 2U, 8U}) {
            for (const std::size_t where : {below > 10 ? 1U : 0U, 3U}) {
                calls.push_back(of_scores({0, 0.5, 1, 0}, tile));
                Matrix K{{0}, {0.5}, {1}, {0}}, V{{1, 2}, {-3, 1}, {2, 5}, {1, 0}};
                K(where, 0) = -below;
                V(where, 0) = std::exp(below);
                calls.back()[1] = to_value(K);
                calls.back()[2] = to_value(V);
            }
        }
    }
    streaming_attention.calls(calls);
}

TEST_CASE("10.2 streaming_attention: a tile of 0 throws std::invalid_argument") {
    expect_refused(graded::streaming_attention.attempt({{1}}, {{2}}, {{3}}, 0, {}), "tile = 0");
}

TEST_CASE("10.2 streaming_attention: no n x n array is held, without a mask and with one") {
    const auto call = [&](std::size_t n, const std::optional<Mask>& mask) -> judge::List {
        const Matrix zeros = xt::zeros<double>({n, std::size_t{1}});
        return {to_value(zeros), to_value(zeros), to_value(zeros), to_value(std::size_t{16}),
                to_value(mask)};
    };
    Mask mask = xt::zeros<bool>({support::many, support::many});
    xt::view(mask, xt::all(), xt::range(3, 200)) = true;
    for (const bool masked : {false, true}) {
        support::expect_no_matrix(
            "10.2 streaming_attention: no n x n array is held", "streaming_attention",
            {"Q", "K", "V", "tile", "mask"}, call(2, {}),
            masked ? call(support::many, mask) : call(support::many, {}), masked ? 38 : 3);
    }
}

} // namespace of_streaming_attention
