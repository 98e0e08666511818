// Wrong versions of 06.1 that are off by little: what keeps the NaN away changes every term.

#include "wrong.hpp"

using namespace wrong;

namespace {

constexpr const char* says_epsilon =
    "a small number is added inside the logarithm, ln(p + ε). That keeps the NaN away and changes "
    "every term: where one weight is 1 the entropy comes out below 0. Ask whether p is 0; that "
    "changes nothing else.";

auto with_epsilon(double epsilon) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(row, [=](double p) { return p * std::log(p + epsilon); });
    });
}

MISCONCEPTION(entropy, epsilon_of_1e_5, says_epsilon, with_epsilon(1e-5));
MISCONCEPTION(entropy, epsilon_of_1e_6, says_epsilon, with_epsilon(1e-6));
MISCONCEPTION(entropy, epsilon_of_1e_7, says_epsilon, with_epsilon(1e-7));
MISCONCEPTION(entropy, epsilon_of_1e_8, says_epsilon, with_epsilon(1e-8));
MISCONCEPTION(entropy, epsilon_of_1e_9, says_epsilon, with_epsilon(1e-9));
MISCONCEPTION(entropy, epsilon_of_1e_10, says_epsilon, with_epsilon(1e-10));
MISCONCEPTION(entropy, epsilon_of_1e_11, says_epsilon, with_epsilon(1e-11));
MISCONCEPTION(entropy, epsilon_of_1e_12, says_epsilon, with_epsilon(1e-12));

constexpr const char* says_clamped =
    "weights are raised to a small least value before the formula, and small weights count for "
    "more than they are. A weight of 0 adds exactly 0: leave it out.";

auto clamped_at(double least) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(
            row, [=](double p) { return std::max(p, least) * std::log(std::max(p, least)); });
    });
}

MISCONCEPTION(entropy, clamped_at_1e_6, says_clamped, clamped_at(1e-6));
MISCONCEPTION(entropy, clamped_at_1e_8, says_clamped, clamped_at(1e-8));
MISCONCEPTION(entropy, clamped_at_1e_9, says_clamped, clamped_at(1e-9));
MISCONCEPTION(entropy, clamped_at_1e_10, says_clamped, clamped_at(1e-10));
MISCONCEPTION(entropy, clamped_at_1e_12, says_clamped, clamped_at(1e-12));

constexpr const char* says_small_skipped =
    "small weights are left out, not only those that are 0. A weight of 1e-6 adds 0.00001 nats, "
    "which counts: compare with 0 itself.";

auto skipped_below(double least) {
    return in_each_row([=](const Vector& row) {
        return -sum_over(row, [=](double p) { return p > least ? p * std::log(p) : 0; });
    });
}

MISCONCEPTION(entropy, skipped_below_1e_5, says_small_skipped, skipped_below(1e-5));
MISCONCEPTION(entropy, skipped_below_1e_6, says_small_skipped, skipped_below(1e-6));
MISCONCEPTION(entropy, skipped_below_1e_8, says_small_skipped, skipped_below(1e-8));
MISCONCEPTION(entropy, skipped_below_1e_9, says_small_skipped, skipped_below(1e-9));
MISCONCEPTION(entropy, skipped_below_1e_12, says_small_skipped, skipped_below(1e-12));

} // namespace
