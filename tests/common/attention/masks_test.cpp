#include "attention/masks.hpp"

#include "attention/random.hpp"
#include "attention/softmax.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle_attention.hpp"
#include "support/special_values.hpp"

using namespace attention;
using support::check_close;
using support::check_within;
using support::golden;
using support::golden_f;
using support::inf;
using support::inf_f;
using support::NaN;
using support::NaN_f;

namespace {

Mask random_mask(std::size_t rows, std::size_t columns, double share, std::uint64_t seed) {
    return standard_normal(rows, columns, seed) < share;
}

// As softmax_test's: the depth of a score below the maximum and n + 4 roundings, relative.
template <class T>
void check_masked(const xt::xtensor<T, 2>& scores, const Mask& mask) {
    const Matrix expected = oracle::masked_softmax(scores, mask);
    const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    const double tiny = static_cast<double>(std::numeric_limits<T>::denorm_min());
    const double spread = static_cast<double>(xt::amax(scores)() - xt::amin(scores)());
    const double roundings = 2 * spread + static_cast<double>(scores.shape(1)) + 4;
    const Matrix bound = roundings * epsilon * expected + 2 * tiny;
    const xt::xtensor<T, 2> weights = masked_softmax(scores, mask);
    check_within(weights, expected, bound);
    for (std::size_t flat = 0; flat < weights.size(); ++flat) {
        if (!mask.flat(flat) && weights.flat(flat) != 0) {
            FAIL_CHECK("a blocked score has weight");
        }
    }
}

} // namespace

TEST_CASE("causal_mask: is lower triangular, diagonal included") {
    CHECK(causal_mask(3) == Mask{{true, false, false}, {true, true, false}, {true, true, true}});
    CHECK(causal_mask(1) == Mask{{true}});
    CHECK(shape_text(causal_mask(0)) == "(0, 0)");
}

TEST_CASE("causal_mask: is aligned top-left where queries and keys differ in number") {
    CHECK(causal_mask(2, 4) == Mask{{true, false, false, false}, {true, true, false, false}});
    CHECK(causal_mask(4, 2) == Mask{{true, false}, {true, true}, {true, true}, {true, true}});
    CHECK(shape_text(causal_mask(0, 3)) == "(0, 3)");
    CHECK(shape_text(causal_mask(3, 0)) == "(3, 0)");
}

TEST_CASE("padding_mask: allows the keys of each sequence, and none of its padding") {
    CHECK(padding_mask({2, 0, 3}, 3) ==
          Mask3{{{true, true, false}}, {{false, false, false}}, {{true, true, true}}});
    CHECK(shape_text(padding_mask({}, 3)) == "(0, 1, 3)");
}

TEST_CASE("padding_mask: a length beyond n_keys is an invalid_argument that names it") {
    CHECK_REFUSED(padding_mask({7, 9}, 7),
                  "padding_mask: lengths[1] must be at most n_keys, got 9 and 7");
}

TEST_CASE("combine: allows what both allow, broadcast") {
    const xt::xarray<bool> both = combine(causal_mask(3), padding_mask({2, 3}, 3));
    const xt::xarray<bool> expected{
        {{true, false, false}, {true, true, false}, {true, true, false}},
        {{true, false, false}, {true, true, false}, {true, true, true}}};
    CHECK(shape_text(both) == "(2, 3, 3)");
    CHECK(both == expected);
    CHECK(combine(padding_mask({2, 3}, 3), causal_mask(3)) == expected);
    CHECK(combine(causal_mask(5), causal_mask(5)) == xt::xarray<bool>(causal_mask(5)));
    const xt::xarray<bool> row{true, false, true};
    const Mask column{{true}, {false}};
    CHECK(combine(row, column) == xt::xarray<bool>{{true, false, true}, {false, false, false}});
}

TEST_CASE("combine: shapes that do not broadcast are an invalid_argument that shows both") {
    CHECK_REFUSED(combine(causal_mask(2, 3), causal_mask(4, 3)),
                  "combine: a and b must broadcast, got 2 and 4; a is (2, 3), b is (4, 3)");
    CHECK_REFUSED(combine(padding_mask({1, 1}, 3), causal_mask(4, 5)),
                  "combine: a and b must broadcast, got 3 and 5; a is (2, 1, 3), b is (4, 5)");
}

TEST_CASE("additive_mask: is 0 where the mask allows and minus infinity where it blocks") {
    const Mask mask{{true, false}, {false, false}, {true, true}};
    check_close(additive_mask(mask), Matrix{{0, -inf}, {-inf, -inf}, {0, 0}}, {0, 0});
    const MatrixF floats = additive_mask<float>(mask);
    check_close(floats, Matrix{{0, -inf}, {-inf, -inf}, {0, 0}}, {0, 0});
    const Tensor3 padding = additive_mask(padding_mask({1, 2}, 2));
    check_close(padding, Tensor3{{{0, -inf}}, {{0, 0}}}, {0, 0});
    const Tensor3F padding_f = additive_mask<float>(padding_mask({1, 2}, 2));
    check_close(padding_f, padding, {0, 0});
}

TEST_CASE("additive_mask: added to finite scores, weighs as the boolean mask does") {
    const Matrix scores = standard_normal(7, 11, 1);
    const Mask mask = combine(random_mask(7, 11, 0.5, 2), causal_mask(7, 11));
    const Matrix sum = scores + additive_mask(mask);
    const Mask all = xt::ones<bool>({7, 11});
    check_close(masked_softmax(sum, all), masked_softmax(scores, mask), {0, 0});
}

TEST_CASE("apply_mask: keeps what is allowed, and replaces what is blocked") {
    const Mask mask{{true, false, true}, {false, true, false}};
    check_close(apply_mask(Matrix{{1, 2, NaN}, {NaN, -inf, inf}}, mask),
                Matrix{{1, -inf, NaN}, {-inf, -inf, -inf}}, {0, 0});
    check_close(apply_mask(MatrixF{{1, 2, NaN_f}, {NaN_f, -inf_f, inf_f}}, mask),
                Matrix{{1, -inf, NaN}, {-inf, -inf, -inf}}, {0, 0});
}

TEST_CASE("apply_mask: agrees with PyTorch") {
    const Mask mask = support::golden_bools("masks/mask");
    check_close(apply_mask(golden("masks/scores"), mask), golden("masks/masked"), {0, 0});
    check_close(apply_mask(golden_f("masks/scores_float"), mask), golden_f("masks/masked_float"),
                {0, 0});
}

TEST_CASE("apply_mask, masked_softmax: another shape is an invalid_argument that shows both") {
    const Matrix scores = standard_normal(2, 3, 1);
    CHECK_REFUSED(apply_mask(scores, causal_mask(4, 3)),
                  "apply_mask: scores and mask must share n_queries, got 2 and 4; "
                  "scores is (2, 3), mask is (4, 3)");
    CHECK_REFUSED(apply_mask(MatrixF(scores), causal_mask(2, 5)),
                  "apply_mask: scores and mask must share n_keys, got 3 and 5; "
                  "scores is (2, 3), mask is (2, 5)");
    CHECK_REFUSED(masked_softmax(scores, causal_mask(4, 3)),
                  "masked_softmax: scores and mask must share n_queries, got 2 and 4; "
                  "scores is (2, 3), mask is (4, 3)");
    CHECK_REFUSED(masked_softmax(MatrixF(scores), causal_mask(2, 1)),
                  "masked_softmax: scores and mask must share n_keys, got 3 and 1; "
                  "scores is (2, 3), mask is (2, 1)");
}

TEST_CASE("masked_softmax: a case to do by hand") {
    const Matrix scores{{std::log(2.0), 0, 7, 0}, {5, 5, 5, 5}, {1, 2, 3, 4}};
    const Mask mask{
        {true, true, false, true}, {true, true, true, true}, {false, true, false, false}};
    check_close(masked_softmax(scores, mask),
                Matrix{{0.5, 0.25, 0, 0.25}, {0.25, 0.25, 0.25, 0.25}, {0, 1, 0, 0}}, {1e-15, 0});
}

TEST_CASE("masked_softmax: awkward sizes stay within the rounding bound") {
    for (const std::size_t n_queries : {1U, 2U, 7U}) {
        for (const std::size_t n_keys : {1U, 3U, 31U, 64U, 1009U}) {
            for (const double share : {-9.0, -1.5, 0.2, 9.0}) { // of all: none, few, most, all
                INFO("n_queries ", n_queries, ", n_keys ", n_keys, ", share ", share);
                const Matrix scores = 5 * standard_normal(n_queries, n_keys, 1);
                const Mask mask = random_mask(n_queries, n_keys, share, 2);
                check_masked(scores, mask);
                check_masked<float>(xt::cast<float>(scores), mask);
            }
        }
    }
    CHECK(shape_text(masked_softmax(Matrix::from_shape({0, 3}), causal_mask(0, 3))) == "(0, 3)");
    CHECK(shape_text(masked_softmax(Matrix::from_shape({3, 0}), causal_mask(3, 0))) == "(3, 0)");
}

TEST_CASE("masked_softmax: agrees with PyTorch") {
    const Mask mask = support::golden_bools("masks/mask");
    check_close(masked_softmax(golden("masks/scores"), mask), golden("masks/softmax"), {1e-14, 0});
    check_close(masked_softmax(golden_f("masks/scores_float"), mask),
                golden_f("masks/softmax_float"), {2e-6, 0});
}

TEST_CASE("masked_softmax: with everything allowed is softmax_rows") {
    const Matrix scores = standard_normal(5, 13, 3);
    const Mask all = xt::ones<bool>({5, 13});
    check_close(masked_softmax(scores, all), softmax_rows(scores), {0, 0});
}

TEST_CASE("masked_softmax: a fully blocked row weighs nothing, and its neighbours as ever") {
    const Matrix scores{{1, 1}, {1e308, NaN}, {2, 2}};
    const Mask mask{{true, true}, {false, false}, {true, true}};
    const Matrix expected{{0.5, 0.5}, {0, 0}, {0.5, 0.5}};
    check_close(masked_softmax(scores, mask), expected, {0, 0});
    const MatrixF floats{{1, 1}, {inf_f, NaN_f}, {2, 2}};
    check_close(masked_softmax(floats, mask), expected, {0, 0});
}

TEST_CASE("masked_softmax: a row with nothing but minus infinity weighs nothing") {
    const Mask all = xt::ones<bool>({1, 3});
    check_close(masked_softmax(Matrix{{-inf, -inf, -inf}}, all), Matrix{{0, 0, 0}}, {0, 0});
    check_close(masked_softmax(Matrix{{-inf, 5, -inf}}, Mask{{true, false, true}}),
                Matrix{{0, 0, 0}}, {0, 0});
    check_close(masked_softmax(MatrixF{{-inf_f, 5, -inf_f}}, Mask{{true, false, true}}),
                Matrix{{0, 0, 0}}, {0, 0});
    check_close(masked_softmax(Matrix{{-inf, 5, 5}}, all), Matrix{{0, 0.5, 0.5}}, {0, 0});
}

TEST_CASE("masked_softmax: the value of a blocked score does not matter") {
    const Mask mask{{true, false, true}};
    for (const double blocked : {0.0, 1e308, -1e308, inf, -inf, NaN}) {
        CAPTURE(blocked);
        check_close(masked_softmax(Matrix{{3, blocked, 3}}, mask), Matrix{{0.5, 0, 0.5}}, {0, 0});
        const MatrixF floats{{3, static_cast<float>(std::min(blocked, 3e38)), 3}};
        check_close(masked_softmax(floats, mask), Matrix{{0.5, 0, 0.5}}, {0, 0});
    }
}

TEST_CASE("masked_softmax: an allowed NaN or infinity fills the allowed part of its row") {
    const Mask all = xt::ones<bool>({1, 3});
    for (const double wild : {NaN, inf}) {
        CAPTURE(wild);
        check_close(masked_softmax(Matrix{{1, wild, 2}}, all), Matrix{{NaN, NaN, NaN}}, {0, 0});
        check_close(masked_softmax(Matrix{{wild, 1, 2}}, Mask{{true, false, true}}),
                    Matrix{{NaN, 0, NaN}}, {0, 0});
        check_close(masked_softmax(Matrix{{wild, -inf, 2}, {1, 2, 1}},
                                   Mask{{true, true, false}, {true, false, true}}),
                    Matrix{{NaN, NaN, 0}, {0.5, 0, 0.5}}, {0, 0});
    }
}

TEST_CASE("masked_softmax: the largest finite numbers of both signs stay finite") {
    const double most = std::numeric_limits<double>::max();
    check_close(masked_softmax(Matrix{{most, -most, most}}, Mask{{true, true, false}}),
                Matrix{{1, 0, 0}}, {0, 0});
    const float most_f = std::numeric_limits<float>::max();
    check_close(masked_softmax(MatrixF{{most_f, -most_f, most_f}}, Mask{{true, true, false}}),
                Matrix{{1, 0, 0}}, {0, 0});
}
