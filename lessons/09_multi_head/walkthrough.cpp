// Lesson 09 step by step, on your own functions: ./course run 09 (on ours: --solution).

#include "walkthrough/walkthrough.hpp"

#include <array>
#include <cmath>
#include <iostream>
#include <sstream>

#include "attention/product.hpp"
#include "multi_head.hpp"
#include "neighbours.hpp"
#include "show/show.hpp"

using lesson::Matrix;
using lesson::MultiHead;
using lesson::Tensor3;
using lesson::Vector;

namespace {

Matrix head(const Tensor3& heads, std::size_t h) {
    return xt::view(heads, h, xt::all(), xt::all());
}

double largest_difference(const Matrix& A, const Matrix& B) {
    const Matrix difference = xt::abs(A - B);
    return xt::amax(difference)();
}

std::string drawn(const Matrix& M, const show::MatrixOptions& options) {
    std::ostringstream out;
    show::matrix(out, M, options);
    return out.str();
}

/// The weights of two heads side by side.
void draw_weights(const Tensor3& weights, const std::vector<std::string>& words) {
    show::Terminal half = show::terminal();
    half.width = half.width / 2 - 2;
    std::vector<std::string> maps;
    for (std::size_t h = 0; h < weights.shape(0); ++h) {
        std::ostringstream out;
        show::heatmap(out, head(weights, h),
                      {.title = "head " + std::to_string(h),
                       .row_labels = words,
                       .column_labels = words,
                       .range = show::Range{0, 1}},
                      half);
        maps.push_back(out.str());
    }
    show::beside(std::cout, maps);
}

const std::vector<std::string> words{"the", "cat", "sleeps"};

void cut_and_joined() {
    heading("1. Heads are columns");
    const Matrix X{{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
    show::matrix(std::cout, X, {.title = "X", .row_labels = words});
    ask("Two heads. Which columns belong to head 1?");
    std::cout << "2 and 3, of every row.\n\n";
    const Tensor3 heads = lesson::split_heads(X, 2);
    show::beside(std::cout,
                 {drawn(head(heads, 0), {.title = "your split_heads: head 0", .row_labels = words}),
                  drawn(head(heads, 1), {.title = "head 1", .row_labels = words})});
    std::cout << "\nThe same memory under the shape (2, 3, 2), without a transpose, would be\n\n";
    Tensor3 reshaped = Tensor3::from_shape({2, 3, 2});
    std::copy(X.begin(), X.end(), reshaped.begin());
    show::beside(std::cout, {drawn(head(reshaped, 0), {.title = "head 0?"}),
                             drawn(head(reshaped, 1), {.title = "head 1?"})});
    std::cout << "\nof the right shape, and wrong: \"head 0\" holds one and a half words.\n"
                 "merge_heads(split_heads(X, 2)) differs from X by "
              << number(largest_difference(lesson::merge_heads(heads), X)) << ".\n";
}

void two_questions() {
    heading("2. The cat sleeps, with two questions");
    const Matrix eye3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    // Columns 0 and 1: lesson 01's lookup, what comes next. Columns 2 and 3: what came before.
    const Matrix W_q{{1, 0, 0, 0}, {0, 1, 1, 0}, {1, 0, 0, 1}};
    const Matrix W_k{{0, 0, 1, 0}, {1, 0, 0, 1}, {0, 1, 0, 0}};
    const Matrix W_v{{0, 0, 0, 0}, {4, 2, 4, 2}, {0, 4, 0, 4}};
    const Matrix eye4{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    const MultiHead answer = lesson::multi_head_attention(eye3, W_q, W_k, W_v, eye4, 2);
    std::cout << "Head 0 asks as lesson 01 did: the article for its noun, the noun for its verb,\n"
                 "the verb for its noun. Head 1 asks for the word before: the noun for its\n"
                 "article, the verb for its noun. Both heads have the same values.\n\n";
    draw_weights(answer.weights, words);
    std::cout << "\n";
    show::matrix(std::cout, answer.output,
                 {.title = "your multi_head_attention, W_o the identity",
                  .row_labels = words,
                  .column_labels = {"head 0", "", "head 1", ""},
                  .decimals = 3});
    std::cout << "\nA row holds what both heads found, side by side. With the identity for W_o\n"
                 "nothing is mixed; a learned W_o mixes the heads.\n";
}

void two_neighbours() {
    heading("3. What one head cannot do");
    std::cout
        << "Sentences of six words, each word four random numbers. Each of the inner four\n"
           "words is to receive its left neighbour in the first four columns of the output,\n"
           "and its right neighbour in the last four. It knows its position from your\n"
           "sinusoidal_positions, in columns beside the word. W_q, W_k, W_v and W_o have the\n"
           "same shapes whatever the number of heads, 544 numbers in all. They are learned\n"
           "(600 steps of 32 sentences, from three beginnings), and then your\n"
           "multi_head_attention gets 500 other sentences.\n";
    std::cout << "\nAn answer of zeros has a mean squared error of 1.\n";
    ask("How good can one head be, and how good can two?");
    const Matrix positions = lesson::sinusoidal_positions(neighbours::n, neighbours::place);
    const std::array<std::size_t, 3> n_heads{1, 2, 4};
    Matrix table = Matrix::from_shape({n_heads.size(), 1});
    std::vector<std::string> names;
    std::string exactly;
    neighbours::Layer two_heads;
    for (std::size_t row = 0; row < n_heads.size(); ++row) {
        double least = 1e9, most = 0, sum = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const neighbours::Layer layer = neighbours::trained(n_heads[row], positions, seed);
            const double error = neighbours::error(layer, positions);
            least = std::min(least, error);
            most = std::max(most, error);
            sum += error / 3;
            if (n_heads[row] == 2 && seed == 1) {
                two_heads = layer;
            }
        }
        table(row, 0) = sum;
        names.push_back(std::to_string(n_heads[row]) + (n_heads[row] == 1 ? " head" : " heads"));
        exactly += names.back() + (n_heads[row] == 1 ? ":  " : ": ") + with_decimals(sum, 4) +
                   " (" + with_decimals(least, 4) + " to " + with_decimals(most, 4) + ")\n";
    }
    show::matrix(std::cout, table,
                 {.title = "mean squared error", .row_labels = names, .decimals = 1});
    std::cout
        << "\nTo more digits, with the range over three beginnings:\n\n"
        << exactly
        << "\nThe 500 sentences are the same each time; with others these numbers move by some\n"
           "0.008, also below the half that one head cannot do without.\n"
           "\nA head has one mixture of the words. If it looks at both neighbours, all that\n"
           "comes back is their mean: four numbers, of which all eight columns are made. If\n"
           "it looks at one, it knows nothing of the other; anything between loses as much.\n"
           "Half is lost, and no W_v or W_o brings it back. Two heads have two mixtures.\n"
           "Where do they look?\n\n";
    const neighbours::Sentence one = neighbours::sentence(positions, 1);
    draw_weights(neighbours::run(two_heads, one.X).weights, {"w0", "w1", "w2", "w3", "w4", "w5"});
    std::cout << "\nOne a word ahead, the other a word back; which is which is chance.\n";
}

void orders() {
    heading("4. Without positions: a bag of words");
    const std::size_t d = 6;
    const Matrix X = attention::standard_normal(3, d, 1);
    const auto random = [&](std::uint64_t seed) -> Matrix {
        return attention::standard_normal(d, d, seed) / std::sqrt(static_cast<double>(d));
    };
    const auto output = [&](const Matrix& input) {
        return lesson::multi_head_attention(input, random(2), random(3), random(4), random(5), 2)
            .output;
    };
    const auto turned_round = [](const Matrix& M) -> Matrix {
        return xt::view(M, xt::keep(2, 1, 0), xt::all());
    };
    const Matrix reversed = turned_round(X);
    std::cout << "\"dog bites man\" and \"man bites dog\": random vectors for the words, random\n"
                 "weights, two heads.\n";
    ask("By how much do a word's outputs differ in the two orders?");
    std::cout << "without positions: "
              << number(largest_difference(output(X), turned_round(output(reversed)))) << "\n";
    const Matrix positions = lesson::sinusoidal_positions(3, d);
    const Matrix with = output(X + positions);
    const Matrix with_reversed = turned_round(output(reversed + positions));
    std::cout << "with your sinusoidal_positions added: "
              << with_decimals(largest_difference(with, with_reversed), 2)
              << "\n\nWithout positions by rounding alone: attention sees a set.\n";
}

void sinusoids() {
    heading("5. Positions by sines and cosines");
    const Matrix P = lesson::sinusoidal_positions(16, 8);
    show::matrix(std::cout, xt::view(P, xt::range(0, 5), xt::all()),
                 {.title = "your sinusoidal_positions(16, 8), rows 0 to 4", .decimals = 3});
    std::cout << "\nLike the digits of a number: the first pair changes at every step, the next "
                 "pair\nten times slower, and so on.\n\n";
    show::heatmap(std::cout, attention::matmul_transposed(P, P),
                  {.title = "P · Pᵀ: each position's dot product with each"});
    std::cout << "\nIt is the same along every diagonal: it depends on the difference of the two\n"
                 "positions alone.\n";
}

void rotations() {
    heading("6. Positions by rotation");
    constexpr std::size_t n = 6;
    const Matrix q = attention::standard_normal(1, 8, 21);
    const Matrix k = attention::standard_normal(1, 8, 22);
    const auto repeated = [](const Matrix& row) -> Matrix {
        return xt::broadcast(xt::view(row, 0, xt::all()), {n, row.shape(1)});
    };
    const auto scores = [&](double from) {
        const Vector positions = from + xt::arange<double>(n);
        return attention::matmul_transposed(lesson::rotate(repeated(q), positions),
                                            lesson::rotate(repeated(k), positions));
    };
    std::cout << "One query and one key, both put at the positions 0 to 5.\n";
    ask("Which of the 36 scores are equal?");
    show::matrix(std::cout, scores(0), {.title = "scores after your rotate", .decimals = 3});
    std::cout << "\nThose with the same i − j. A thousand positions later they differ from these "
                 "by\nat most "
              << number(largest_difference(scores(0), scores(1000))) << ".\n\n";

    // The other convention pairs k with k + d/2: the same columns in another order.
    const auto columns = [](const Matrix& M, bool into_halves) -> Matrix {
        const std::size_t d = M.shape(1);
        Matrix result = M;
        for (std::size_t i = 0; i < M.shape(0); ++i) {
            for (std::size_t p = 0; p < d / 2; ++p) {
                for (const std::size_t part : {0U, 1U}) {
                    const std::size_t in_pairs = 2 * p + part;
                    const std::size_t in_halves = p + part * (d / 2);
                    result(i, into_halves ? in_halves : in_pairs) =
                        M(i, into_halves ? in_pairs : in_halves);
                }
            }
        }
        return result;
    };
    const auto rotate_halves = [&](const Matrix& M, const Vector& positions) {
        return columns(lesson::rotate(columns(M, false), positions), true);
    };
    const Vector positions = xt::arange<double>(n);
    const auto scores_of = [&](const Matrix& Q, const Matrix& K) {
        return attention::matmul_transposed(rotate_halves(Q, positions),
                                            rotate_halves(K, positions));
    };
    const Matrix Q = repeated(q), K = repeated(k);
    std::cout << "Much published code pairs columns k and k + d/2 in place of 2k and 2k + 1. With\n"
                 "the same W_q and W_k, the scores are then off by up to "
              << with_decimals(largest_difference(scores(0), scores_of(Q, K)), 1)
              << ";\nwith the columns of W_q and W_k put into that order first, by "
              << number(
                     largest_difference(scores(0), scores_of(columns(Q, true), columns(K, true))))
              << ".\n";
}

void groups() {
    heading("7. Fewer keys and values");
    const std::vector<std::size_t> shared{64, 8, 1};
    Matrix table = Matrix::from_shape({shared.size(), 3});
    std::vector<std::string> names;
    for (std::size_t row = 0; row < shared.size(); ++row) {
        names.push_back(std::to_string(shared[row]) + (shared[row] == 1 ? " head" : " heads"));
        const std::array<std::size_t, 3> lengths{4096, 32768, 131072};
        for (std::size_t column = 0; column < lengths.size(); ++column) {
            table(row, column) =
                lesson::kv_cache_bytes(lengths[column], 80, shared[row], 128, 128, 2) / 1e9;
        }
    }
    std::cout << "A model that writes keeps the keys and values of all that it has read. Here one\n"
                 "of 80 layers and 64 heads of queries, d_k = d_v = 128, numbers of 2 bytes (the\n"
                 "sizes of Llama 2 70B, which has 8 heads of keys and values).\n";
    ask("How many gigabytes for 4096 tokens, with 64 heads of keys and values?");
    show::matrix(std::cout, table,
                 {.title = "gigabytes, by your kv_cache_bytes",
                  .row_labels = names,
                  .column_labels = {"4096 tokens", "32768", "131072"},
                  .decimals = 2});
    const Matrix Q = attention::standard_normal(5, std::size_t{8} * 4, 31);
    const Matrix K = attention::standard_normal(7, std::size_t{2} * 4, 32);
    const Matrix V = attention::standard_normal(7, std::size_t{2} * 3, 33);
    const auto repeated = [](const Matrix& heads, std::size_t d) -> Matrix {
        Matrix result = Matrix::from_shape({heads.shape(0), 4 * heads.shape(1)});
        for (std::size_t j = 0; j < result.shape(1); ++j) {
            xt::view(result, xt::all(), j) = xt::view(heads, xt::all(), j / d / 4 * d + j % d);
        }
        return result;
    };
    std::cout << "\n10.74; with 8 heads an eighth of it.\n\n"
                 "Eight heads of queries on two of keys and values, and on the same two copied\n"
                 "four times each: your outputs differ by "
              << number(largest_difference(
                     lesson::grouped_query_attention(Q, K, V, 2),
                     lesson::grouped_query_attention(Q, repeated(K, 4), repeated(V, 3), 8)))
              << ". Sharing is copying, without\nthe copies.\n";
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    cut_and_joined();
    two_questions();
    two_neighbours();
    orders();
    sinusoids();
    rotations();
    groups();
}
