// 06.5 dk_at_collapse

#include <doctest/doctest.h>

#include <numeric>

#include "exports.hpp"
#include "judge/expect.hpp"

namespace of_dk_at_collapse {

using judge::expect_close;
using judge::expect_refused;
using lesson::EntropyCurve;
using lesson::Vector;
using DKs = std::vector<std::size_t>;

const bool registered = [] {
    judge::session().expect_endless(
        "dk_at_collapse",
        {"loop_without_end",
         "A loop never ends here. The index has to move on in every round, and the search has to "
         "end at the curve's last point: where the entropy never falls to half, return 0."});
    return true;
}();

void expect_collapse(const EntropyCurve& curve, std::size_t d_k) {
    expect_close(graded::dk_at_collapse(curve), d_k);
}

/// What is returned, or thrown, in place of 0.
void expect_no_collapse(const EntropyCurve& curve) {
    const judge::Outcome outcome = graded::dk_at_collapse.attempt(curve);
    const auto* answer = std::get_if<judge::Returned>(&outcome);
    if (answer == nullptr && !std::holds_alternative<judge::Threw>(outcome)) {
        judge::session().value_of("dk_at_collapse", outcome); // another end, in its own words
    }
    const std::size_t found = answer == nullptr ? 0 : judge::session().typed([&] {
        return judge::from_value<std::size_t>(answer->value);
    });
    judge::expect_that(
        answer != nullptr && found == 0, "where the entropy never falls to half, the answer is 0",
        answer == nullptr ? "it throws" : "yours is " + std::to_string(found),
        {"looks_like_no_zero_without_collapse",
         answer == nullptr
             ? "Where the entropy never falls to half, an exception is thrown. That is no error: "
               "let the search end at the last point, and return 0 after it."
             : "Where the entropy never falls to half, something other than 0 is returned. What "
               "follows the loop is reached only if nothing collapsed: return 0 there."});
}

TEST_CASE("06.5 dk_at_collapse: 2 nats at first, 1.1 at d_k = 4, 0.4 at d_k = 8") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1.1, 0.4}}, 8);
}

TEST_CASE("06.5 dk_at_collapse: exactly half counts") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1, 0.4}}, 4);
    expect_collapse({{1, 2, 4}, {1.4, 0.7, 0.1}}, 2); // as a float 0.7 is less
}

TEST_CASE("06.5 dk_at_collapse: a little more than half does not count, and a little less does") {
    for (const double little : {2e-3, 1e-5, 5e-7, 1e-8, 1e-11, 4e-16}) {
        expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1 + little, 0.4}}, 8);
        expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1 - little, 0.4}}, 4);
    }
}

TEST_CASE("06.5 dk_at_collapse: first in the order of the curve, whatever that is") {
    expect_collapse({{64, 16, 4, 8}, {2, 0.9, 0.8, 0.4}}, 16);
    expect_collapse({{9, 3, 5}, {2, 1.5, 0.6}}, 5); // the largest d_k has the first entropy
}

TEST_CASE("06.5 dk_at_collapse: a d_k may come again") {
    expect_collapse({{8, 4, 8, 2}, {2, 1.5, 0.9, 0.8}}, 8);
    expect_collapse({{8, 4, 2, 8}, {2, 0.9, 0.8, 0.5}}, 4);
    expect_collapse({{4, 4, 4}, {2, 1.5, 0.9}}, 4);
}

TEST_CASE("06.5 dk_at_collapse: 0 where the entropy never falls to half") {
    expect_no_collapse({{1, 2, 4, 8}, {3.7, 3.5, 3.6, 3.6}});
    expect_no_collapse({{16}, {3.7}});
    expect_no_collapse({{3, 7}, {0.5, 0.3}});
}

TEST_CASE("06.5 dk_at_collapse: the first of several, and what comes after does not matter") {
    expect_collapse({{3, 5, 7, 9, 11}, {2, 0.9, 1.5, 0.1, 0.3}}, 5);
}

TEST_CASE("06.5 dk_at_collapse: the first two of several, and a rise after them") {
    expect_collapse({{3, 5, 7, 9, 11}, {2, 0.9, 0.8, 1.5, 0.1}}, 5);
}

TEST_CASE("06.5 dk_at_collapse: half of the first entropy, not of the largest") {
    expect_collapse({{1, 2, 3, 4}, {2, 3, 1.2, 0.8}}, 4);
}

TEST_CASE("06.5 dk_at_collapse: an entropy of 0 is far below half") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.5, 0, 0.75}}, 4);
    expect_collapse({{1, 2, 4, 8}, {2, 0, 0.5, 0.25}}, 2);
    expect_collapse({{1, 2, 4, 8}, {2, 1.5, 1.25, 0}}, 8);
    expect_collapse({{1, 2, 4, 8}, {2, 0, 0, 0}}, 2);
    expect_collapse({{7, 3}, {0.5, 0}}, 3);
}

TEST_CASE("06.5 dk_at_collapse: entropies far below and far above 1 nat") {
    for (const double size : {0.01, 1e-9, 1e-100, 1e12, 1e100}) {
        expect_collapse({{2, 6, 10, 4}, {2 * size, 1.5 * size, 1.001 * size, size}}, 4);
        expect_no_collapse({{2, 6, 10}, {2 * size, 1.5 * size, 1.1 * size}});
    }
}

TEST_CASE("06.5 dk_at_collapse: entropies that fall, rise or stay, but for one") {
    for (const Vector& special : {Vector{2, 1.75, 1.5, 1.25, 1.125}, Vector{2, 2.25, 2.5, 2.75, 3},
                                  Vector{2, 2, 2, 2, 2}, Vector{2, 1.125, 2, 1.125, 2}}) {
        expect_no_collapse({{1, 2, 4, 8, 16}, special});
        for (std::size_t at = 1; at < 5; ++at) {
            EntropyCurve curve{{7, 2, 40, 8, 16}, special};
            curve.entropies(at) = at % 2 == 0 ? 0.9375 : 1;
            expect_collapse(curve, curve.d_ks[at]);
        }
    }
}

TEST_CASE("06.5 dk_at_collapse: each point of 9, of 17 and of 65 in turn") {
    for (const std::size_t n : {9U, 17U, 65U}) {
        for (std::size_t k = 1; k < n; ++k) {
            const std::size_t at = 2 * k % n;
            EntropyCurve curve{DKs(n), 2 * xt::ones<double>({n})};
            std::iota(curve.d_ks.begin(), curve.d_ks.end(), std::size_t{3});
            curve.entropies(at) = 0.9;
            expect_collapse(curve, curve.d_ks[at]);
        }
    }
}

TEST_CASE("06.5 dk_at_collapse: refuses a curve that is empty, or whose lists differ in length") {
    expect_refused(graded::dk_at_collapse.attempt({{}, Vector::from_shape({0})}), "an empty curve");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2, 3, 4}, {2.0, 0.5}}),
                   "four d_ks with two entropies");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2}, {2.0, 0.5, 0.25}}),
                   "two d_ks with three entropies");
    expect_refused(graded::dk_at_collapse.attempt({{}, {1.0}}), "no d_k with one entropy");
    expect_refused(graded::dk_at_collapse.attempt({{1}, Vector::from_shape({0})}),
                   "one d_k without entropies");
}

} // namespace of_dk_at_collapse
