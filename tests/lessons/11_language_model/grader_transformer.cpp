// 11.1, transformer_block: outputs and gradients of what is made of the tape's operations, in
// float. layer_norm: grader_norm.cpp.

#include <doctest/doctest.h>

#include "blocks.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_transformer {

using namespace blocks;

namespace {

// A learner's float sums may be added in another order than a misconception's.
const bool registered = [] {
    const auto alike = [](const judge::Value& a, const judge::Value& b) {
        return !judge::compare(a, b, four_digits);
    };
    judge::session().compare_with("transformer_block", alike);
    return true;
}();

struct Problem {
    Array X;
    Block weights;
    std::size_t n_texts, n_heads;
    Array d_output;
};

Transformed right(const Problem& of) {
    return plain::transformer_block(of.X, of.weights, of.n_texts, of.n_heads, of.d_output);
}

/// Whether what a float rounds is small in the answer. It is not where a row's components are
/// nearly equal: the norm divides by their spread.
template <class Answer>
bool is_steady(const Problem& of, const Answer& answer) {
    Problem moved = of;
    moved.X += some({of.X.shape(0), of.X.shape(1)}, 1, 2e-6);
    const double part = 0.25;
    return !judge::compare(
        judge::to_value(answer(moved)), judge::to_value(answer(of)),
        {part * four_digits.relative, part * four_digits.absolute, part * four_digits.of_largest});
}
bool is_steady(const Problem& of) {
    return is_steady(of, right);
}
bool is_steady_forward(const Problem& of) {
    return is_steady(of, [](const Problem& each) { return right(each).output; });
}

/// Weights such that everything between is about as large as X, and gains and biases that show.
Problem drawn_problem(std::size_t n_texts, std::size_t n, std::size_t d, std::size_t n_heads,
                      std::uint64_t seed) {
    const double size = 1 / std::sqrt(static_cast<double>(d));
    std::uint64_t next = 100 * seed;
    const auto matrix = [&](std::size_t rows, std::size_t columns) {
        return some({rows, columns}, ++next, rows == columns ? 1.3 * size : size);
    };
    const auto gain = [&] { return some({d}, ++next, 0.4, 1); };
    const auto bias = [&](std::size_t columns) { return some({columns}, ++next, 0.4); };
    const Block weights{gain(),           bias(d),      matrix(d, d),     matrix(d, d),
                        matrix(d, d),     matrix(d, d), gain(),           bias(d),
                        matrix(d, 4 * d), bias(4 * d),  matrix(4 * d, d), bias(d)};
    return {some({n_texts * n, d}, ++next, 1.5, 0.5), weights, n_texts, n_heads,
            some({n_texts * n, d}, ++next)};
}

Problem some_problem(std::size_t n_texts, std::size_t n, std::size_t d, std::size_t n_heads,
                     std::uint64_t seed) {
    Problem of = drawn_problem(n_texts, n, d, n_heads, seed);
    for (std::uint64_t again = seed + 1000; !is_steady(of); again += 1000) {
        of = drawn_problem(n_texts, n, d, n_heads, again);
    }
    return of;
}

Transformed ask(const Problem& of) {
    return graded::transformer_block(of.X, of.weights, of.n_texts, of.n_heads, of.d_output);
}

/// Of one or two components next to nothing flows back through the norm: what comes in cancels, and
/// what a float rounds of it is left, divided by the spread.
void expect_block(const Problem& of) {
    const judge::Tolerance three_digits{1e-3, 1e-4, 1e-3};
    expect_close(ask(of), right(of), of.X.shape(1) <= 2 ? three_digits : four_digits);
}

/// Rows first … last − 1 are the same, to rounding.
void expect_unchanged(const Array& before, const Array& after, std::size_t first, std::size_t last,
                      const std::string& rule) {
    for (std::size_t i = first; i < last; ++i) {
        for (std::size_t c = 0; c < before.shape(1); ++c) {
            expect_that(std::abs(before(i, c) - after(i, c)) <= 1e-5F, rule,
                        "output " + judge::index_text({i, c}) + " moved by " +
                            judge::number_text(after(i, c) - before(i, c)));
        }
    }
}

/// Both numbers are in the text.
void refuses(const Problem& of, const std::string& what, std::size_t divisor, std::size_t size) {
    const judge::Outcome outcome =
        graded::transformer_block.attempt(of.X, of.weights, of.n_texts, of.n_heads, of.d_output);
    judge::expect_refused(outcome, what);
    const std::string text = std::get<judge::Threw>(outcome).what;
    expect_that(text.find(std::to_string(divisor)) != std::string::npos &&
                    text.find(std::to_string(size)) != std::string::npos,
                "the error's text has both numbers in it, " + std::to_string(divisor) + " and " +
                    std::to_string(size),
                "it says \"" + text + "\"");
}

/// The arrays of a block, one after the other in the golden vector.
Block unpacked(const std::string& name, std::size_t d) {
    const Array all = golden_row(name);
    std::size_t at = 0;
    const auto next = [&](const Shape& shape) {
        Array array = xt::zeros<float>(shape);
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), array.size(), array.begin());
        at += array.size();
        return array;
    };
    return {next({d}), next({d}), next({d, d}),     next({d, d}),  next({d, d}),     next({d, d}),
            next({d}), next({d}), next({d, 4 * d}), next({4 * d}), next({4 * d, d}), next({d})};
}

} // namespace

TEST_CASE("11.1 transformer_block: one position of two components, by hand") {
    // X is normed to [-1 1], of which attention to itself and W_o make [-2 2]: H = [-1 5]. That is
    // normed to [-1 1] again, W_in makes 10 of the 1, gelu leaves it, and W_out puts it in front.
    const auto array = [](const Shape& shape, const std::vector<float>& numbers) {
        Array result = xt::zeros<float>(shape);
        std::copy(numbers.begin(), numbers.end(), result.begin());
        return result;
    };
    const Array one = array({2, 2}, {1, 0, 0, 1});
    const Array gain = array({2}, {1, 1});
    const Array bias = array({2}, {0, 0});
    Array W_in = array({2, 8}, {});
    W_in(1, 0) = 10;
    const Block weights{gain,
                        bias,
                        one,
                        one,
                        one,
                        2.0F * one,
                        gain,
                        bias,
                        W_in,
                        array({8}, {}),
                        array({8, 2}, {1, 0}),
                        array({2}, {0, 100})};
    // Of two components a norm passes on no gradient but rounding, so none is asked for.
    expect_close(ask({array({1, 2}, {1, 3}), weights, 1, 1, array({1, 2}, {})}).output,
                 array({1, 2}, {9, 105}), {1e-4, 1e-4});
}

TEST_CASE("11.1 transformer_block: one text of three positions, four components, two heads") {
    expect_block(some_problem(1, 3, 4, 2, 1));
}

TEST_CASE("11.1 transformer_block: two texts of three positions, six components, two heads") {
    expect_block(some_problem(2, 3, 6, 2, 2));
}

TEST_CASE("11.1 transformer_block: one head") {
    expect_block(some_problem(2, 4, 3, 1, 3));
}

TEST_CASE(
    "11.1 transformer_block: agrees with PyTorch's LayerNorm, MultiheadAttention and Linear") {
    const std::size_t d = 12;
    expect_close(graded::transformer_block(golden_array("block/X"), unpacked("block/weights", d), 3,
                                           3, golden_array("block/d_Y")),
                 Transformed{golden_array("block/Y"), golden_array("block/d_X"),
                             unpacked("block/gradients", d)},
                 four_digits);
}

TEST_CASE("11.1 transformer_block: gradients reach X and every weight") {
    const Problem of = some_problem(2, 3, 4, 2, 4);
    const Transformed answer = ask(of);
    expect_shape(sizes(answer.output), {6, 4});
    expect_gradient("X", answer.d_X, of.X);
    const Block& d = answer.d_weights;
    expect_gradient("attention_gain", d.attention_gain, of.weights.attention_gain);
    expect_gradient("attention_bias", d.attention_bias, of.weights.attention_bias);
    expect_gradient("W_q", d.W_q, of.weights.W_q);
    expect_gradient("W_k", d.W_k, of.weights.W_k);
    expect_gradient("W_v", d.W_v, of.weights.W_v);
    expect_gradient("W_o", d.W_o, of.weights.W_o);
    expect_gradient("mlp_gain", d.mlp_gain, of.weights.mlp_gain);
    expect_gradient("mlp_bias", d.mlp_bias, of.weights.mlp_bias);
    expect_gradient("W_in", d.W_in, of.weights.W_in);
    expect_gradient("b_in", d.b_in, of.weights.b_in);
    expect_gradient("W_out", d.W_out, of.weights.W_out);
    expect_gradient("b_out", d.b_out, of.weights.b_out);
    expect_close(answer, right(of), four_digits);
}

TEST_CASE("11.1 transformer_block: with W_o and W_out of 0 a block changes nothing but by b_out") {
    Problem of = some_problem(2, 3, 4, 2, 5);
    of.weights.W_o.fill(0);
    of.weights.W_out.fill(0);
    expect_block(of);
}

TEST_CASE("11.1 transformer_block: gains of 1 and biases of 0, as at the start of a training") {
    expect_block(some_problem(2, 3, 4, 2, 2)); // asked only of what is right on ordinary weights
    judge::session().suspect(left_out_without_effect);
    Problem of = some_problem(2, 3, 4, 2, 12);
    for (Array* gain : {&of.weights.attention_gain, &of.weights.mlp_gain}) {
        gain->fill(1);
    }
    expect_block(of);
    for (Array* bias :
         {&of.weights.attention_bias, &of.weights.mlp_bias, &of.weights.b_in, &of.weights.b_out}) {
        bias->fill(0);
    }
    expect_block(of);
}

TEST_CASE("11.1 transformer_block: what comes later in a text changes nothing before it") {
    Problem of = some_problem(2, 4, 6, 2, 6);
    const Array before = ask(of).output;
    expect_shape(sizes(before), {8, 6});
    xt::view(of.X, 2, xt::all()) *= -3.0F; // of the first text
    const Array after = ask(of).output;
    expect_shape(sizes(after), {8, 6});
    expect_unchanged(before, after, 0, 2, "what comes before a position does not change with it");
    expect_unchanged(before, after, 4, 8, "a text does not change with another");
}

TEST_CASE("11.1 transformer_block: texts together give what each gives alone") {
    const Problem of = some_problem(3, 2, 4, 2, 7);
    const Array together = ask(of).output;
    expect_shape(sizes(together), {6, 4});
    for (std::size_t text = 0; text < 3; ++text) {
        Problem alone = of;
        alone.n_texts = 1;
        alone.X = xt::view(of.X, xt::range(2 * text, 2 * text + 2), xt::all());
        alone.d_output = xt::view(of.d_output, xt::range(2 * text, 2 * text + 2), xt::all());
        const Array answer = ask(alone).output;
        expect_shape(sizes(answer), {2, 4});
        const Array part = xt::view(together, xt::range(2 * text, 2 * text + 2), xt::all());
        expect_unchanged(part, answer, 0, 2, "texts together give what each gives alone");
    }
    expect_block(of);
}

// Of the gradients nothing is left but rounding, times the weights.
TEST_CASE("11.1 transformer_block: scores of a million and of 1e12, of what comes later, too") {
    expect_block(some_problem(2, 3, 4, 2, 2)); // asked only of what is right on ordinary scores
    judge::session().suspect(
        {"finite_in_place_of_minus_infinity",
         "right, but where scores are large: there a position sees what comes later, whose score a "
         "number such as −10,000 or −1e9 has replaced, or was added to. Give it −∞, or leave it "
         "out, as causal_attention does."});
    for (const float size : {1e6F, 1e12F}) {
        for (std::uint64_t seed = 9; seed < 12; ++seed) {
            Problem of = drawn_problem(2, 4, 4, 2, seed);
            of.weights.W_q *= size;
            for (std::uint64_t again = seed + 1000; !is_steady_forward(of); again += 1000) {
                of = drawn_problem(2, 4, 4, 2, again);
                of.weights.W_q *= size;
            }
            expect_close(ask(of).output, right(of).output, four_digits);
        }
    }
}

TEST_CASE("11.1 transformer_block: awkward sizes agree with plain formulas") {
    // n_texts, n, d, n_heads
    constexpr std::size_t awkward[][4] = {
        {3, 1, 4, 2}, {1, 1, 4, 1},  {1, 1, 1, 1},   {1, 7, 6, 3},  {5, 2, 3, 3}, {3, 3, 3, 3},
        {4, 4, 4, 4}, {2, 67, 4, 2}, {1, 261, 5, 1}, {67, 2, 4, 1}, {2, 3, 66, 2}};
    for (const auto& size : awkward) {
        expect_block(some_problem(size[0], size[1], size[2], size[3], 20 + size[0] + size[1]));
    }
}

TEST_CASE("11.1 transformer_block: sizes of 1 beside others") {
    for (const auto& [n_texts, n, n_heads, d_k] : drawn::with_ones<4>({2, 3, 2, 4})) {
        expect_block(some_problem(n_texts, n, n_heads * d_k, n_heads, 40));
    }
}

TEST_CASE("11.1 transformer_block: numbers of texts and heads that do not come out even are "
          "refused") {
    Problem of = some_problem(2, 3, 4, 2, 8);
    // 4 would divide the columns, 3 the rows, and past 32 bits 2 is left of the last.
    constexpr std::size_t past_32_bits = (std::size_t{1} << 32U) + 2;
    for (const std::size_t n_texts : {std::size_t{4}, std::size_t{12}, past_32_bits}) {
        of.n_texts = n_texts;
        refuses(of, "n_texts = " + std::to_string(n_texts) + " for 6 rows", n_texts, 6);
    }
    of.n_texts = 0;
    refuses(of, "n_texts = 0", 0, 6);
    of.n_texts = 2;
    for (const std::size_t n_heads : {std::size_t{3}, std::size_t{8}, past_32_bits}) {
        of.n_heads = n_heads;
        refuses(of, "n_heads = " + std::to_string(n_heads) + " for 4 columns", n_heads, 4);
    }
    of.n_heads = 0;
    refuses(of, "n_heads = 0", 0, 4);
}

} // namespace grader_transformer
