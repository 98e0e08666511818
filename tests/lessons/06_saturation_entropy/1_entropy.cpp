// 06.1 entropy

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_entropy {

using namespace proof;

constexpr Tolerance twelve_digits{1e-12, 1e-14};

const auto entropy = Domain(graded::entropy, oracle::entropy<double>,
                            {{"weights", Kind::weights, "n_queries x n_keys"}}, twelve_digits)
                         .large("n_keys", 2063);

TEST_CASE("06.1 entropy: weights of 1/2, 1/4, 1/4, and three of 1/3, small enough to do by hand") {
    expect_close(graded::entropy({{1.0 / 2, 1.0 / 4, 1.0 / 4}, {1.0 / 3, 1.0 / 3, 1.0 / 3}}),
                 Vector{1.5 * std::log(2.0), std::log(3.0)}, twelve_digits);
}

TEST_CASE("06.1 entropy: a weight of 0 adds nothing, beside a 1 and beside others") {
    expect_close(graded::entropy({{0, 1, 0}, {0.5, 0, 0.5}}), Vector{0, std::log(2.0)},
                 twelve_digits);
    expect_close(graded::entropy({{0.25, 0, 0.25, 0, 0.5}}), Vector{1.5 * std::log(2.0)},
                 twelve_digits);
}

TEST_CASE("06.1 entropy: if one weight is 1 the entropy is exactly 0, not slightly below") {
    const Vector nats = graded::entropy({{0, 0, 1, 0}, {1, 0, 0, 0}});
    expect_shape(sizes(nats), {2});
    for (const double h : nats) {
        expect_that(h >= 0, "no entropy is below 0", "there is one of " + number_text(h));
    }
    expect_close(nats, Vector{0, 0}, twelve_digits);
}

TEST_CASE("06.1 entropy: small weights count") {
    for (const double small : {2e-6, 2e-9, 2e-10, 5e-13}) {
        const Matrix weights{{1 - small, small}, {small, 1 - small}};
        expect_close(graded::entropy(weights), oracle::entropy(weights), twelve_digits);
    }
}

PROPERTIES("06.1 entropy", entropy)

} // namespace of_entropy
