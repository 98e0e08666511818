// Lesson 05 step by step, on your own functions: ./course run 05 (on ours: --solution).

#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

#include "attention/random.hpp"
#include "attention/softmax.hpp"
#include "causal_masking.hpp"
#include "show/show.hpp"
#include "walkthrough/walkthrough.hpp"

using lesson::Attention;
using lesson::Mask;
using lesson::Matrix;
using lesson::Tensor3;

namespace {

Tensor3 standard_normal(std::size_t batch, std::size_t rows, std::size_t columns,
                        std::uint64_t seed) {
    const Matrix numbers = attention::standard_normal(batch * rows, columns, seed);
    Tensor3 tensor = Tensor3::from_shape({batch, rows, columns});
    std::copy(numbers.begin(), numbers.end(), tensor.begin());
    return tensor;
}

Matrix sequence(const Tensor3& tensor, std::size_t b) {
    return xt::view(tensor, b, xt::all(), xt::all());
}

const std::vector<std::string> tokens{"t0", "t1", "t2", "t3"};

void four_tokens() {
    heading("1. Four tokens: who may see whom");
    const Mask mask = lesson::causal_mask(4);
    show::matrix(std::cout, mask,
                 {.title = "your causal_mask(4)", .row_labels = tokens, .column_labels = tokens});
    std::cout << "\nRows are queries, columns are keys. t0 sees only itself, t3 sees everything.\n";

    heading("2. The mask in the scores");
    const Matrix scores{{2, 0, 1, 3}, {0, 1, 4, 0}, {1, 1, 0, 2}, {0, 1, 2, 1}};
    const Matrix masked = lesson::apply_mask(scores, mask);
    show::matrix(std::cout, scores, {.title = "scores"});
    ask("Which weights does the second row get under the mask?");
    show::matrix(std::cout, masked, {.title = "your apply_mask: -inf where blocked"});
    show::matrix(std::cout, lesson::masked_softmax(scores, mask),
                 {.title = "your masked_softmax", .decimals = 3});
    std::cout << "\nThe same scores as a heatmap:\n\n";
    show::heatmap(std::cout, masked,
                  {.title = "masked scores", .row_labels = tokens, .column_labels = tokens});

    heading("3. The same as an addition");
    const Matrix additive = lesson::additive_mask(mask);
    show::matrix(std::cout, additive, {.title = "your additive_mask"});
    const Matrix sum = scores + additive;
    const Matrix difference =
        xt::abs(attention::softmax_rows(sum) - lesson::masked_softmax(scores, mask));
    std::cout << "\nsoftmax(scores + additive_mask) and masked_softmax differ by "
              << number(xt::amax(difference)()) << " at most.\n";
}

void why_before() {
    heading("4. Why before the softmax, and not after");
    const Matrix scores{{2, 1, 3}};
    const Mask mask{{true, true, false}};
    const Matrix full = attention::softmax_rows(scores);
    const Matrix after = full * xt::cast<double>(mask);
    show::matrix(std::cout, scores, {.title = "scores, the last one blocked"});
    show::matrix(std::cout, full, {.title = "softmax of all three", .decimals = 3});
    show::matrix(std::cout, after, {.title = "masked after the softmax", .decimals = 3});
    show::matrix(std::cout, lesson::masked_softmax(scores, mask),
                 {.title = "masked before it", .decimals = 3});
    std::cout << "\nMasked afterwards, the row sums to " << number(xt::sum(after)())
              << ": the blocked key has kept the rest.\n"
                 "Dividing by that sum repairs it, until a blocked score is large:\n\n";
    const Matrix large{{2, 1, 1000}};
    const Matrix left = attention::softmax_rows(large) * xt::cast<double>(mask);
    const Matrix repaired = left / xt::sum(left)();
    show::matrix(std::cout, large, {.title = "scores"});
    show::matrix(std::cout, repaired, {.title = "after, divided by the sum"});
    show::matrix(std::cout, lesson::masked_softmax(large, mask),
                 {.title = "before", .decimals = 3});
}

void random_attention() {
    heading("5. Random attention under the mask");
    const Tensor3 X = standard_normal(1, 4, 64, 2017);
    const xt::xarray<bool> mask = lesson::causal_mask(4);
    const Attention same = lesson::scaled_dot_product_attention(X, X, X, mask);
    const Matrix weights = sequence(same.weights, 0);
    std::cout << "One sequence of 4 tokens, 64 random components each, Q = K = V.\n";
    ask("Where does the weight go?");
    show::heatmap(std::cout, weights,
                  {.title = "weights",
                   .row_labels = tokens,
                   .column_labels = tokens,
                   .range = show::Range{0, 1},
                   .decimals = 4});
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
            zeros += weights(i, j) == 0 ? 1 : 0;
        }
    }
    std::cout
        << "\nOf the 6 weights above the diagonal, " << zeros
        << " are exactly 0.\n\n"
           "The diagonal takes nearly everything: a token's score with itself is |x|² / √64,\n"
           "about 8, and with another it deviates from 0 by about 1. With other keys:\n\n";
    const Tensor3 K = standard_normal(1, 4, 64, 2018);
    const Attention different = lesson::scaled_dot_product_attention(X, K, X, mask);
    show::heatmap(std::cout, sequence(different.weights, 0),
                  {.title = "weights",
                   .row_labels = tokens,
                   .column_labels = tokens,
                   .range = show::Range{0, 1}});
}

void change_the_last_token() {
    heading("6. Change the last token");
    const Tensor3 Q = standard_normal(1, 4, 8, 1);
    const Tensor3 K = standard_normal(1, 4, 8, 2);
    const Tensor3 V = standard_normal(1, 4, 3, 3);
    Tensor3 Q_changed = Q;
    Tensor3 K_changed = K;
    Tensor3 V_changed = V;
    for (Tensor3* const changed : {&Q_changed, &K_changed, &V_changed}) {
        xt::view(*changed, 0, 3, xt::all()) = -5;
    }
    const xt::xarray<bool> causal = lesson::causal_mask(4);
    Matrix moved = xt::zeros<double>({4, 2});
    const auto measure = [&](std::size_t column, const std::optional<xt::xarray<bool>>& mask) {
        const Attention before = lesson::scaled_dot_product_attention(Q, K, V, mask);
        const Attention after =
            lesson::scaled_dot_product_attention(Q_changed, K_changed, V_changed, mask);
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t c = 0; c < 3; ++c) {
                moved(i, column) = std::max(
                    moved(i, column), std::abs(after.output(0, i, c) - before.output(0, i, c)));
            }
        }
        return sequence(before.output, 0);
    };
    const Matrix whole = measure(0, causal);
    measure(1, std::nullopt);
    std::cout << "Query, key and value of t3 are replaced. How far does each output move?\n";
    ask("Which outputs change under the mask, and which without it?");
    show::matrix(std::cout, moved,
                 {.title = "largest change",
                  .row_labels = tokens,
                  .column_labels = {"causal", "no mask"},
                  .decimals = 4});
    std::size_t unmoved = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        unmoved += moved(i, 0) == 0 ? 1 : 0;
    }
    std::cout
        << "\nUnder the mask, " << unmoved
        << " of the 3 outputs before t3 are the same to the last bit.\n"
           "So one run over all four tokens gives what four runs over the prefixes would:\n\n";
    Matrix last_rows = Matrix::from_shape({4, 3});
    for (std::size_t n = 1; n <= 4; ++n) {
        const auto prefix = [n](const Tensor3& tensor) -> Tensor3 {
            return xt::view(tensor, xt::all(), xt::range(0, n), xt::all());
        };
        const Attention part =
            lesson::scaled_dot_product_attention(prefix(Q), prefix(K), prefix(V));
        xt::view(last_rows, n - 1, xt::all()) = xt::view(part.output, 0, n - 1, xt::all());
    }
    std::ostringstream left;
    std::ostringstream right;
    show::matrix(left, whole, {.title = "one causal run", .row_labels = tokens, .decimals = 4});
    show::matrix(right, last_rows,
                 {.title = "last row of each prefix, no mask",
                  .row_labels = {"of 1", "of 2", "of 3", "of 4"},
                  .decimals = 4});
    show::beside(std::cout, {left.str(), right.str()});
}

void blocked_row() {
    heading("7. A row in which everything is blocked");
    const Matrix scores{{2, 1, 0}};
    const Mask nothing{{false, false, false}};
    const double infinity = std::numeric_limits<double>::infinity();
    std::cout << "The scores are 2, 1 and 0, and all are blocked.\n";
    ask("What do -inf, -1e9 in their place, -1e9 added to them, and your function give?");
    const auto row_of = [](double value) { return Matrix{{value, value, value}}; };
    show::matrix(std::cout, attention::softmax_rows(row_of(-infinity)),
                 {.title = "softmax of -inf, -inf, -inf"});
    show::matrix(std::cout, attention::softmax_rows(row_of(-1e9)),
                 {.title = "softmax of -1e9, -1e9, -1e9", .decimals = 3});
    const Matrix lowered = scores - 1e9;
    show::matrix(std::cout, attention::softmax_rows(lowered),
                 {.title = "softmax of 2 - 1e9, 1 - 1e9, 0 - 1e9", .decimals = 3});
    show::matrix(std::cout, lesson::masked_softmax(scores, nothing),
                 {.title = "your masked_softmax"});
}

void padding() {
    heading("8. Two sentences of different lengths");
    const std::vector<std::vector<std::string>> words{{"the", "cat", "sat", "down"},
                                                      {"dogs", "bark", "-", "-"}};
    const std::size_t lengths[] = {4, 2};
    const Mask causal = lesson::causal_mask(4);
    xt::xarray<bool> padding = xt::zeros<bool>({2, 1, 4});
    xt::xarray<bool> both = xt::zeros<bool>({2, 4, 4});
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t j = 0; j < 4; ++j) {
            padding(b, 0, j) = j < lengths[b];
            for (std::size_t i = 0; i < 4; ++i) {
                both(b, i, j) = causal(i, j) && padding(b, 0, j);
            }
        }
    }
    const Tensor3 Q = standard_normal(2, 4, 8, 4);
    const Tensor3 K = standard_normal(2, 4, 8, 5);
    const Tensor3 V = standard_normal(2, 4, 3, 6);
    const Attention only_padding = lesson::scaled_dot_product_attention(Q, K, V, padding);
    const Attention combined = lesson::scaled_dot_product_attention(Q, K, V, both);
    const auto maps = [&](const char* title, const Attention& attention) {
        std::vector<std::string> drawings;
        for (std::size_t b = 0; b < 2; ++b) {
            show::Terminal half = show::terminal();
            half.width = half.width / 2 - 2;
            std::ostringstream out;
            show::heatmap(out, sequence(attention.weights, b),
                          {.title = title,
                           .row_labels = words[b],
                           .column_labels = words[b],
                           .range = show::Range{0, 1}},
                          half);
            drawings.push_back(out.str());
        }
        show::beside(std::cout, drawings);
    };
    maps("padding mask", only_padding);
    std::cout << "\n";
    maps("padding and causal", combined);

    const auto second = [](const Tensor3& tensor) -> Tensor3 {
        return xt::view(tensor, xt::range(1, 2), xt::range(0, 2), xt::all());
    };
    const xt::xarray<bool> causal_2 = lesson::causal_mask(2);
    const Attention alone =
        lesson::scaled_dot_product_attention(second(Q), second(K), second(V), causal_2);
    const Matrix in_batch = sequence(second(combined.output), 0);
    std::ostringstream left;
    std::ostringstream right;
    const std::vector<std::string> labels{"dogs", "bark"};
    show::matrix(left, in_batch, {.title = "output in the batch", .row_labels = labels});
    show::matrix(right, sequence(alone.output, 0),
                 {.title = "output of the sentence alone", .row_labels = labels});
    std::cout << "\n";
    show::beside(std::cout, {left.str(), right.str()});
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    four_tokens();
    why_before();
    random_attention();
    change_the_last_token();
    blocked_row();
    padding();
}
