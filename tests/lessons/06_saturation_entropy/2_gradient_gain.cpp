// 06.2 gradient_gain

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_gradient_gain {

using namespace proof;

constexpr Tolerance eight_digits{1e-8, 1e-13};

/// Whether power iteration converges soon: the second eigenvalue equals the first, or is at most
/// 0.8 of it.
bool settles(const Vector& p) {
    const oracle::Row row{p.begin(), p.end()};
    const long double first = oracle::softmax_eigenvalue(row, 0);
    const long double second = row.size() > 1 ? oracle::softmax_eigenvalue(row, 1) : 0;
    return second <= 0.8L * first || second >= (1 - 1e-12L) * first;
}

/// In every row that does not converge, the largest weight takes more from the others. If it has
/// nearly everything, it gives some back: beside 1 a double has few digits left for the rest.
void make_settle(judge::List& arguments) {
    Matrix weights = from_value<Matrix>(arguments[0]);
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        Vector p = xt::view(weights, i, xt::all());
        double& largest = *std::max_element(p.begin(), p.end());
        const auto multiply_others = [&](double factor) {
            largest = 0;
            p *= factor;
            largest = 1 - xt::sum(p)();
        };
        const double before = largest;
        largest = 0;
        const double others = xt::sum(p)();
        largest = before;
        if (others > 0 && others < 0.9e-4) {
            multiply_others(1e-4 / others);
        }
        while (!settles(p)) {
            multiply_others(0.7);
        }
        xt::view(weights, i, xt::all()) = p;
    }
    arguments[0] = to_value(weights);
}

/// Every gain is right or a little too small, and not each of them is right.
bool stopped_early(const std::vector<judge::Compared>& answers) {
    std::size_t short_of = 0, right = 0;
    for (const auto& [actual, expected] : answers) {
        const Vector gains = from_value<Vector>(actual);
        const Vector largest = from_value<Vector>(expected);
        for (std::size_t i = 0; i < gains.size(); ++i) {
            const double missing = largest(i) - gains(i);
            // (1/2, 1/4, 1/4) and (3/5, 1/5, 1/5) settle in a few steps, wherever they start.
            const bool settles_soon =
                std::abs(largest(i) - 0.375) < 1e-9 || std::abs(largest(i) - 0.36) < 1e-9;
            const double most = settles_soon ? 0.01 : 0.2;
            if (!(missing >= -1e-9 * largest(i) - 1e-13 && missing <= most * largest(i))) {
                return false;
            }
            ++(missing > 1e-9 * largest(i) + 1e-13 ? short_of : right);
        }
    }
    return short_of > 0 && right > 0;
}

const judge::About about(
    "gradient_gain",
    {.traits = {{"stopped_too_early", stopped_early}},
     .why_endless = {
         .name = "loop_without_end",
         .text =
             "A loop never ends here. A gain that is 0 is never more than 0 as well, and two gains "
             "in a row need not become equal to the last bit: stop when the gain is 0 or grows by "
             "less than 1e-10 of itself, and after 1000 steps in any case."}});

const auto gradient_gain =
    Domain(graded::gradient_gain, oracle::gradient_gain,
           {{"weights", Kind::weights, "n_queries x n_keys"}}, eight_digits)
        .at_most("n_keys", 100) // powers of the Jacobian are a right way, too, and slow
        .made_to_fit(make_settle);

void expect_gains(const Matrix& weights, const Vector& gains) {
    expect_close(graded::gradient_gain(weights), gains, eight_digits);
}

TEST_CASE("06.2 gradient_gain: weights of 1/2, 1/4, 1/4, and of 3/5, 1/5, 1/5, by hand") {
    // Along (2, -1, -1) the Jacobian stretches by 3 p (1 − p) / 2, along (0, 1, -1) by the smaller
    // p.
    expect_gains({{0.5, 0.25, 0.25}, {0.6, 0.2, 0.2}}, {0.375, 0.36});
}

TEST_CASE("06.2 gradient_gain: two keys stretch a gradient by 2 p (1 - p), by 1/2 at most") {
    expect_gains({{0.5, 0.5}, {0.9, 0.1}, {0.25, 0.75}}, {0.5, 0.18, 0.375});
}

TEST_CASE("06.2 gradient_gain: nothing gets through if one weight is 1") {
    expect_gains({{0.5, 0.5, 0}, {0, 1, 0}}, {0.5, 0});
    expect_gains({{1}, {1}}, {0, 0}); // a single key
}

TEST_CASE("06.2 gradient_gain: the two largest weights are equal, wherever they stand") {
    // The gradient that pulls the two apart gets through best. An iteration that starts at another
    // never finds it.
    expect_gains({{0.4, 0.4, 0.2}, {0.4, 0.2, 0.4}, {0.2, 0.4, 0.4}}, {0.4, 0.4, 0.4});
    // The best gradient of the first row is at a right angle to that of the second.
    expect_gains({{0.25, 0.25, 0.5}, {0.4, 0.4, 0.2}}, {0.375, 0.4});
}

TEST_CASE("06.2 gradient_gain: a gain may be tiny and is not 0") {
    // Powers of 2, so that the row sums to 1 exactly. A double has few digits left beside 1.
    for (const double rest : {0x1p-24, 0x1p-40, 0x1p-44}) {
        const Matrix weights{{rest, 1 - 2 * rest, rest}, {0.5, 0.25, 0.25}};
        expect_close(graded::gradient_gain(weights), oracle::gradient_gain(weights), {1e-2, 0});
    }
}

PROPERTIES("06.2 gradient_gain", gradient_gain)

} // namespace of_gradient_gain
