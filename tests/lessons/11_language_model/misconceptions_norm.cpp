// Wrong versions of layer_norm in 11.1; see misconceptions.cpp for what becomes of them.

#include "wrong_block.hpp"

using namespace wrong;

namespace {

using In = const Value&;

// ---- what is subtracted and divided by

NORM_MISCONCEPTION(not_centred,
                   "the mean is not subtracted: the row is only divided by the root of its "
                   "variance.",
                   [](In X, In gain, In bias) {
                       return with(multiply(X, inverse_root(variance(X))), gain, bias);
                   });

NORM_MISCONCEPTION(root_mean_square,
                   "this divides by the root of the mean square and subtracts nothing: RMSNorm "
                   "(Zhang and Sennrich 2019). Layer normalisation subtracts the mean first.",
                   [](In X, In gain, In bias) {
                       return with(multiply(X, inverse_root(mean_square(X))), gain, bias);
                   });

NORM_MISCONCEPTION(variance_not_centred,
                   "the variance is taken of X as it is. It is the mean of the squared distances "
                   "from the mean: of X minus its mean.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(mean_square(X))), gain, bias);
                   });

NORM_MISCONCEPTION(not_divided,
                   "the row is not divided by the root of its variance, only its mean is "
                   "subtracted.",
                   [](In X, In gain, In bias) { return with(centred(X), gain, bias); });

NORM_MISCONCEPTION(divided_by_the_variance,
                   "the row is divided by its variance. It is divided by the root of that.",
                   [](In X, In gain, In bias) {
                       const Value one = inverse_root(variance(X));
                       return with(multiply(multiply(centred(X), one), one), gain, bias);
                   });

NORM_MISCONCEPTION(multiplied_by_the_variance,
                   "the row is multiplied by its variance. It is divided by the root of that: "
                   "inverse_square_root gives what to multiply by.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), variance(X)), gain, bias);
                   });

NORM_MISCONCEPTION(multiplied_by_the_root,
                   "the row is multiplied by the root of its variance. It is divided by it.",
                   [](In X, In gain, In bias) {
                       const Value v = variance(X);
                       return with(multiply(centred(X), multiply(v, inverse_root(v))), gain, bias);
                   });

NORM_MISCONCEPTION(variance_squared,
                   "the squares are squared once more: the variance is the mean of the squares "
                   "themselves.",
                   [](In X, In gain, In bias) {
                       const Value v = variance(X);
                       return with(multiply(centred(X), inverse_root(multiply(v, v))), gain, bias);
                   });

NORM_MISCONCEPTION(mean_of_the_distances,
                   "the mean of the distances themselves is taken for the variance, and that is 0. "
                   "It is the mean of their squares.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(row_mean(centred(X)))), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(variance_of_squares_less_the_mean,
                   "the variance is the mean of the squares less the square of the mean. With "
                   "exact numbers it is; a float has 7 digits, and of two large squares nothing is "
                   "left: take the mean first, then the mean of the squared distances from it.",
                   [](In X, In gain, In bias) {
                       const Value mean = row_mean(X);
                       return with(multiply(centred(X), inverse_root(subtract(
                                                            mean_square(X), multiply(mean, mean)))),
                                   gain, bias);
                   });

NORM_MISCONCEPTION(divided_by_d_minus_one,
                   "the variance divides by d − 1. Here it is the plain mean of the squares: by d.",
                   [](In X, In gain, In bias) {
                       const float d = static_cast<float>(X.shape(1));
                       return with(
                           multiply(centred(X), inverse_root(scale(variance(X), d / (d - 1)))),
                           gain, bias);
                   });

NORM_MISCONCEPTION(sum_of_squares,
                   "the row is divided by its length, the root of the sum of squares. The variance "
                   "is their mean.",
                   [](In X, In gain, In bias) {
                       const float d = static_cast<float>(X.shape(1));
                       return with(multiply(centred(X), inverse_root(scale(variance(X), d))), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(sign_of_the_distances,
                   "every row has the wrong sign before gain and bias: it is x minus the mean, not "
                   "the mean minus x.",
                   [](In X, In gain, In bias) { return with(scale(normed(X), -1), gain, bias); });

NORM_MISCONCEPTION(not_normed, "only gain and bias are applied; the row is not normalised.",
                   [](In X, In gain, In bias) { return with(X, gain, bias); });

NORM_MISCONCEPTION(input_is_returned,
                   "X is returned as it is: nothing is normalised, and gain and bias "
                   "change nothing.",
                   [](In X, In, In) { return X; });

NORM_MISCONCEPTION(half_the_variance,
                   "the variance is halved. It is the mean of the squares, all of it.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(scale(variance(X), 0.5F))),
                                   gain, bias);
                   });

NORM_MISCONCEPTION(over_the_rows,
                   "mean and variance are taken over the rows, of each component by itself: that "
                   "is batch normalisation. Each row is normalised by its own components.",
                   [](In X, In gain, In bias) {
                       const float n = static_cast<float>(X.shape(0));
                       const Value mean = X.tape().constant(
                           Array(xt::ones<float>({std::size_t{1}, X.shape(0)}) / n));
                       const Value apart = subtract(X, product(mean, X));
                       const Value v = product(mean, multiply(apart, apart));
                       return with(multiply(apart, inverse_root(v)), gain, bias);
                   });

NORM_MISCONCEPTION(over_everything,
                   "one mean and one variance are taken of all numbers together. Each row has its "
                   "own.",
                   [](In X, In gain, In bias) {
                       const Value flat = autograd::reshape(X, {1, X.data().size()});
                       const Value norm = autograd::reshape(normed(flat), {X.shape(0), X.shape(1)});
                       return with(norm, gain, bias);
                   });

// ---- epsilon

NORM_MISCONCEPTION(without_epsilon,
                   "right, but for rows of a small spread: 1e-5 is not added to the variance. A "
                   "row of equal numbers would be 0/0.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 0)), gain, bias);
                   });

NORM_MISCONCEPTION(epsilon_too_small,
                   "right, but for rows of a small spread: what is added to the variance is too "
                   "small, 1e-8 or less. It is 1e-5.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 1e-8F)), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(epsilon_of_a_millionth,
                   "right, but for rows of a small spread: 1e-6 is added to the variance. It is "
                   "1e-5.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 1e-6F)), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(epsilon_too_large,
                   "right, but for rows of a small spread: 1e-3 is added to the variance. It is "
                   "1e-5.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 1e-3F)), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(
    epsilon_next_to_nothing,
    "right, but for rows of a small spread: what is added to the variance is next to "
    "nothing, 1e-12 or so. It is 1e-5.",
    [](In X, In gain, In bias) {
        return with(multiply(centred(X), inverse_root(variance(X), 1e-12F)), gain, bias);
    });

NORM_MISCONCEPTION(epsilon_of_a_ten_thousandth,
                   "right, but for rows of a small spread: 1e-4 is added to the variance. It is "
                   "1e-5.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 1e-4F)), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(epsilon_without_its_minus,
                   "100,000 is added to the variance, and nearly nothing is left of the row: 1e5 "
                   "stands where 1e-5 belongs.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 1e5F)), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(epsilon_twice,
                   "right, but for rows of a small spread: 1e-5 is added twice, to the variance "
                   "and again in inverse_square_root.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 2e-5F)), gain,
                                   bias);
                   });

// ---- gain and bias

NORM_MISCONCEPTION(without_gain_and_bias, "gain and bias change nothing: neither is used.",
                   [](In X, In, In) { return normed(X); });

NORM_MISCONCEPTION(without_gain, "the gain changes nothing: it is never multiplied by.",
                   [](In X, In, In bias) { return add(normed(X), bias); });

NORM_MISCONCEPTION(without_bias, "the bias changes nothing: it is never added.",
                   [](In X, In gain, In) { return multiply(normed(X), gain); });

NORM_MISCONCEPTION(gain_for_bias,
                   "gain and bias are exchanged: the gain is what is multiplied by, the bias what "
                   "is added.",
                   [](In X, In gain, In bias) { return with(normed(X), bias, gain); });

NORM_MISCONCEPTION(gain_added, "the gain is added. It multiplies each component.",
                   [](In X, In gain, In bias) { return add(add(normed(X), gain), bias); });

NORM_MISCONCEPTION(gain_beside_one,
                   "the row is multiplied by 1 + gain. Some models keep their gains like that; "
                   "here the gain itself multiplies.",
                   [](In X, In gain, In bias) {
                       const Value N = normed(X);
                       return add(add(N, multiply(N, gain)), bias);
                   });

NORM_MISCONCEPTION(bias_before_the_gain,
                   "the bias is added before the gain multiplies. It comes last, and is not "
                   "multiplied.",
                   [](In X, In gain, In bias) { return multiply(add(normed(X), bias), gain); });

NORM_MISCONCEPTION(bias_subtracted, "the bias is subtracted. It is added.",
                   [](In X, In gain, In bias) {
                       return subtract(multiply(normed(X), gain), bias);
                   });

NORM_MISCONCEPTION(bias_multiplied, "the bias multiplies, as the gain does. It is added.",
                   [](In X, In gain, In bias) {
                       return multiply(multiply(normed(X), gain), bias);
                   });

NORM_MISCONCEPTION(gain_before_the_norm,
                   "gain and bias are applied to X, and the norm comes after and takes most of it "
                   "back. They come last.",
                   [](In X, In gain, In bias) { return normed(with(X, gain, bias)); });

NORM_MISCONCEPTION(gain_first_and_bias_last,
                   "the gain is applied to X before the norm, which takes most of it back. It "
                   "comes after.",
                   [](In X, In gain, In bias) { return add(normed(multiply(X, gain)), bias); });

NORM_MISCONCEPTION(input_added,
                   "X is added to the result. The residual connection belongs to the block, around "
                   "the norm and what comes after it.",
                   [](In X, In gain, In bias) { return add(X, with(normed(X), gain, bias)); });

// ---- gradients

NORM_MISCONCEPTION(statistics_are_constants,
                   "the output is right, the gradient of X is not: mean and variance are taken for "
                   "constants. They depend on X as well; make them of operations of the tape.",
                   [](In X, In gain, In bias) {
                       const Value apart = subtract(X, detached(row_mean(X)));
                       const Value per_row = detached(inverse_root(variance(X)));
                       return with(multiply(apart, per_row), gain, bias);
                   });

NORM_MISCONCEPTION(spread_is_a_constant,
                   "the output is right, the gradient of X is not: the variance is taken for a "
                   "constant. It depends on X as well; make it of operations of the tape.",
                   [](In X, In gain, In bias) {
                       const Value per_row = detached(inverse_root(variance(X)));
                       return with(multiply(centred(X), per_row), gain, bias);
                   });

NORM_MISCONCEPTION(mean_is_a_constant,
                   "the output is right, the gradient of X is not: the mean is taken for a "
                   "constant. It depends on X as well; make it of operations of the tape.",
                   [](In X, In gain, In bias) {
                       const Value apart = subtract(X, detached(row_mean(X)));
                       return with(multiply(apart, inverse_root(mean_square(apart))), gain, bias);
                   });

NORM_MISCONCEPTION(norm_is_a_constant,
                   "the output is right, and no gradient reaches X: what is normalised is put on "
                   "the tape as a constant. Make it of operations of the tape.",
                   [](In X, In gain, In bias) { return with(detached(normed(X)), gain, bias); });

NORM_MISCONCEPTION(all_is_a_constant,
                   "the output is right, and no gradient flows back at all: the result is put on "
                   "the tape as a constant. Make it of operations of autograd/operations.hpp, "
                   "which remember how they came about.",
                   [](In X, In gain, In bias) { return detached(with(normed(X), gain, bias)); });

NORM_MISCONCEPTION(gain_and_bias_are_constants,
                   "the output is right, and no gradient reaches gain and bias: both are put on "
                   "the tape as constants, so they would never be learned. Hand gain and bias "
                   "themselves to multiply and add.",
                   [](In X, In gain, In bias) {
                       return with(normed(X), X.tape().constant(gain.data()),
                                   X.tape().constant(bias.data()));
                   });

NORM_MISCONCEPTION(gain_is_a_constant,
                   "the output is right, and no gradient reaches the gain: it is put on the tape "
                   "as a constant, so it would never be learned. Hand gain itself to multiply.",
                   [](In X, In gain, In bias) {
                       return with(normed(X), X.tape().constant(gain.data()), bias);
                   });

NORM_MISCONCEPTION(bias_is_a_constant,
                   "the output is right, and no gradient reaches the bias: it is put on the tape "
                   "as a constant, so it would never be learned. Hand bias itself to add.",
                   [](In X, In gain, In bias) {
                       return with(normed(X), gain, X.tape().constant(bias.data()));
                   });

NORM_MISCONCEPTION(gain_twice, "the gain is multiplied in twice.", [](In X, In gain, In bias) {
    return with(multiply(normed(X), gain), gain, bias);
});

NORM_MISCONCEPTION(epsilon_squared,
                   "right, but for rows of a small spread: 1e-10 is added to the variance. It is "
                   "1e-5, under the root as well.",
                   [](In X, In gain, In bias) {
                       return with(multiply(centred(X), inverse_root(variance(X), 1e-10F)), gain,
                                   bias);
                   });

NORM_MISCONCEPTION(single_components_handed_through,
                   "a row of one component comes back as it is. Its distance from the mean is 0, "
                   "so that nothing is left but the bias: no special case is needed.",
                   [](In X, In gain, In bias) {
                       return X.shape(1) == 1 ? X : with(normed(X), gain, bias);
                   });

NORM_MISCONCEPTION(single_components_not_normed,
                   "a row of one component is not normalised: gain and bias are applied to it as "
                   "it is. Its distance from the mean is 0, so that nothing is left but the bias: "
                   "no special case is needed.",
                   [](In X, In gain, In bias) {
                       return with(X.shape(1) == 1 ? X : normed(X), gain, bias);
                   });

} // namespace
