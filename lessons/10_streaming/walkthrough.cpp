// Lesson 10 step by step, on your own functions: ./course run 10 (on ours: --solution).

#include "walkthrough/walkthrough.hpp"

#include <cmath>
#include <iostream>

#include "attention/attention.hpp"
#include "attention/random.hpp"
#include "attention/scores.hpp"
#include "show/show.hpp"
#include "streaming.hpp"
#include "streaming/streaming.hpp"
#include "walkthrough/memory_taken.hpp"

using lesson::Matrix;
using lesson::Partial;

namespace {

double largest_difference(const Matrix& A, const Matrix& B) {
    const Matrix difference = xt::abs(A - B);
    return xt::amax(difference)();
}

/// Rounding differs from machine to machine: differences that small do not count.
std::string small(double difference) {
    return difference < 1e-12 ? "less than 1e-12" : with_decimals(difference, 12);
}

void in_two_tiles() {
    heading("1. The cat sleeps, in two tiles");
    std::cout << "\"cat\" has the scores 0, 0 and 0.707 with \"the\", \"cat\" and \"sleeps\", "
                 "whose values\nare (0, 0), (4, 2) and (0, 4). Tile one holds \"the cat\", tile "
                 "two \"sleeps\".\n";
    const Partial the_cat{0, 2, {4, 2}};
    const Partial sleeps{std::sqrt(0.5), 1, {0, 4}};
    const Partial both = lesson::merge(the_cat, sleeps);
    const auto row = [](const Partial& part) {
        return std::vector<double>{part.maximum, part.sum, part.output(0), part.output(1)};
    };
    Matrix table = Matrix::from_shape({3, 4});
    std::size_t line = 0;
    for (const Partial& part : {the_cat, sleeps, both}) {
        const std::vector<double> numbers = row(part);
        std::copy(numbers.begin(), numbers.end(), xt::view(table, line, xt::all()).begin());
        ++line;
    }
    ask("Whose sum and output shrink when they are merged, and by which factor?");
    show::matrix(std::cout, table,
                 {.title = "partial results",
                  .row_labels = {"the cat", "sleeps", "your merge"},
                  .column_labels = {"maximum", "sum", "output", ""},
                  .decimals = 3});
    std::cout << "\nThose of \"the cat\", by exp(0 - 0.707) = 0.493. Divided by the sum the output "
                 "is\n\n("
              << with_decimals(both.output(0) / both.sum, 3) << ", "
              << with_decimals(both.output(1) / both.sum, 3)
              << "), what lesson 09's first head gave.\n";
    const Partial neither = lesson::merge(lesson::no_keys_yet(2), lesson::no_keys_yet(2));
    std::cout << "\nNo keys merged with no keys: sum " << with_decimals(neither.sum, 0)
              << ", and a maximum that is "
              << (std::isnan(neither.maximum) ? "NaN: look at 10.1 again" : "no NaN") << ".\n";
}

Matrix normal(std::size_t rows, std::size_t columns, std::uint64_t seed) {
    return attention::standard_normal(rows, columns, seed);
}

void without_the_matrix() {
    heading("2. Without the matrix");
    std::cout << "The plain form holds a score for each pair of positions.\n";
    ask("How many megabytes are n x n doubles for n = 2048, and for a text of 131072?");
    const std::vector<std::size_t> lengths{512, 2048, 8192, 131072};
    Matrix table = Matrix::from_shape({lengths.size(), 2});
    std::vector<std::string> names;
    constexpr std::size_t tile = 64;
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        const double n = static_cast<double>(lengths[row]);
        table(row, 0) = 8 * n * n / 1e6;
        table(row, 1) = 8 * static_cast<double>(tile * tile) / 1e6;
        names.push_back("n = " + std::to_string(lengths[row]));
    }
    show::matrix(std::cout, table,
                 {.title = "megabytes of scores",
                  .row_labels = names,
                  .column_labels = {"n x n", "64 x 64"},
                  .decimals = 3});
    constexpr std::size_t n = 2048;
    const Matrix Q = normal(n, 2, 1), K = normal(n, 2, 2), V = normal(n, 2, 3);
    lesson::Streamed streamed;
    const double streaming =
        memory_taken([&] { streamed = lesson::streaming_attention(Q, K, V, tile); });
    attention::Attention held;
    const double plain = memory_taken([&] { held = attention::attention(Q, K, V); });
    std::cout
        << "\n33.6, and 137 thousand; a tile takes as much whatever n is. How far this process\n"
           "grew at n = 2048:\n\n"
        << "your streaming_attention  "
        << (streaming < 1e6 ? "less than 4 MB" : with_decimals(streaming / 1e6, 0) + " MB") << "\n"
        << "the plain form            "
        << (plain > 30e6 ? "more than 30 MB" : with_decimals(plain / 1e6, 0) + " MB") << "\n\n"
        << "They differ by " << small(largest_difference(streamed.output, held.output)) << ".\n";
}

void unseen_tiles() {
    heading("3. Tiles that nobody sees");
    constexpr std::size_t n = 64;
    const Matrix Q = normal(n, 4, 4), K = normal(n, 4, 5), V = normal(n, 3, 6);
    const Matrix all = attention::raw_scores(Q, K) / 2; // √d_k = 2
    std::cout << "Causal attention on 64 positions: some query sees 2080 of the 4096 scores.\n";
    ask("How many does your causal_streaming compute, with tiles of 1 to 64?");
    const std::vector<std::size_t> tiles{1, 8, 16, 32, 64};
    Matrix table = Matrix::from_shape({tiles.size(), 2});
    std::vector<std::string> names;
    Matrix drawn = xt::zeros<double>({std::size_t{8}, std::size_t{8}});
    for (std::size_t row = 0; row < tiles.size(); ++row) {
        std::size_t scores = 0, calls = 0;
        const lesson::ScoreTile score_tile = [&](std::size_t i, std::size_t rows, std::size_t j,
                                                 std::size_t columns) -> Matrix {
            scores += rows * columns;
            ++calls;
            if (tiles[row] == 8) {
                drawn(i / 8, j / 8) += 1;
            }
            return xt::view(all, xt::range(i, i + rows), xt::range(j, j + columns));
        };
        lesson::causal_streaming(score_tile, V, n, tiles[row]);
        table(row, 0) = static_cast<double>(calls);
        table(row, 1) = static_cast<double>(scores);
        names.push_back("tile " + std::to_string(tiles[row]));
    }
    show::matrix(std::cout, table,
                 {.title = "computed for your causal_streaming",
                  .row_labels = names,
                  .column_labels = {"calls", "scores"},
                  .decimals = 0});
    std::cout
        << "\nSmall tiles compute few scores that are blocked, but there is more to merge.\n"
           "A call computes a tile, or less of one. With tiles of 8, the calls for each tile:\n\n";
    show::matrix(std::cout, drawn, {.title = "tiles of 8", .decimals = 0});
}

void backwards() {
    heading("4. The backward pass, without the weights");
    constexpr std::size_t n = 300, d = 8;
    const Matrix Q = normal(n, d, 7), K = normal(n, d, 8), V = normal(n, d, 9),
                 d_output = normal(n, d, 10);
    const lesson::Streamed forward = lesson::streaming_attention(Q, K, V, 64);
    const lesson::AttentionGradients mine = lesson::streaming_backward(Q, K, V, forward, d_output);
    const auto batch = [](const Matrix& M) -> attention::Tensor3 {
        return xt::view(M, xt::newaxis(), xt::all(), xt::all());
    };
    const auto ours = attention::streaming_attention_backward(
        batch(Q), batch(K), batch(V), attention::streaming_attention(batch(Q), batch(K), batch(V)),
        batch(d_output));
    const auto matrix = [](const attention::Tensor3& T) -> Matrix {
        return xt::view(T, 0, xt::all(), xt::all());
    };
    std::cout
        << "300 positions have 90000 weights. None is kept: only the output, and one number\n"
           "a query, the logsumexp. Your gradients differ from those of common/streaming by\n\n"
        << "d_Q  " << small(largest_difference(mine.d_Q, matrix(ours.Q))) << "\n"
        << "d_K  " << small(largest_difference(mine.d_K, matrix(ours.K))) << "\n"
        << "d_V  " << small(largest_difference(mine.d_V, matrix(ours.V))) << "\n";
}

void in_floats() {
    heading("5. Faster");
    using attention::MatrixF;
    const MatrixF Q = xt::cast<float>(normal(200, 64, 11)),
                  K = xt::cast<float>(normal(300, 64, 12)),
                  V = xt::cast<float>(normal(300, 64, 13));
    const Matrix mine = xt::cast<double>(lesson::faster_attention(Q, K, V, 2));
    const auto exactly = [](const MatrixF& A) -> Matrix { return xt::cast<double>(A); };
    const Matrix right = attention::attention(exactly(Q), exactly(K), exactly(V)).output;
    const double difference = largest_difference(mine, right);
    std::cout << "Your faster_attention is right to "
              << (difference < 1e-5 ? "1e-5" : with_decimals(difference, 6))
              << " in floats. How fast it is,\n./course bench --mine says.\n";
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    in_two_tiles();
    without_the_matrix();
    unseen_tiles();
    backwards();
    in_floats();
}
