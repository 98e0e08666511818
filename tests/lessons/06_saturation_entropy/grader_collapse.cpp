// 06.5

#include <doctest/doctest.h>

#include <numeric>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

using drawn::standard_normal;
using judge::expect_close;
using judge::expect_refused;
using judge::expect_that;
using lesson::EntropyCurve;
using lesson::Matrix;
using lesson::Vector;
using DKs = std::vector<std::size_t>;

namespace {

void expect_collapse(const EntropyCurve& curve, std::size_t d_k) {
    expect_close(graded::dk_at_collapse(curve), d_k);
}

/// What is returned, or thrown, in place of 0.
void expect_no_collapse(const EntropyCurve& curve) {
    const judge::Outcome outcome = graded::dk_at_collapse.attempt(curve);
    const auto* answer = std::get_if<judge::Returned>(&outcome);
    if (answer == nullptr && !std::holds_alternative<judge::Threw>(outcome)) {
        expect_collapse(curve, 0); // another end, in its own words
    }
    const std::size_t found = answer == nullptr ? 0 : judge::session().typed([&] {
        return judge::from_value<std::size_t>(answer->value);
    });
    expect_that(answer != nullptr && found == 0,
                "where the entropy never falls to half, the answer is 0",
                answer == nullptr ? "it throws" : "yours is " + std::to_string(found),
                {"looks_like_no_zero_without_collapse",
                 answer == nullptr
                     ? "where the entropy never falls to half, an exception is thrown. That is no "
                       "error: the answer is 0."
                     : "where the entropy never falls to half, something other than 0 is returned. "
                       "What follows the loop is reached only if nothing collapsed: return 0 "
                       "there."});
}

} // namespace

TEST_CASE("06.5 dk_at_collapse: 2 nats at first, 1.1 at d_k = 4, 0.4 at d_k = 8") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1.1, 0.4}}, 8);
}

TEST_CASE("06.5 dk_at_collapse: exactly half counts") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1, 0.4}}, 4);
}

TEST_CASE("06.5 dk_at_collapse: a little more than half does not count, a little less does") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1.002, 0.4}}, 8);
    for (const double little : {1e-5, 5e-7, 1e-8, 1e-11, 4e-16}) {
        expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1 + little, 0.4}}, 8);
        expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1 - little, 0.4}}, 4);
    }
}

TEST_CASE("06.5 dk_at_collapse: first in the order of the curve, whatever that is") {
    expect_collapse({{64, 16, 4, 8}, {2, 0.9, 0.8, 0.4}}, 16);
}

TEST_CASE("06.5 dk_at_collapse: half of the first entropy has all the digits of a double") {
    expect_collapse({{1, 2, 4}, {1.4, 0.7, 0.1}}, 2);        // as a float 0.7 is less
    expect_collapse({{1, 2, 4}, {2.2, 1.10000001, 0.1}}, 4); // as a float 1.1 is more
}

TEST_CASE("06.5 dk_at_collapse: 0 where the entropy never falls to half") {
    expect_no_collapse({{1, 2, 4, 8}, {3.7, 3.5, 3.6, 3.6}});
    expect_no_collapse({{16}, {3.7}});
}

TEST_CASE("06.5 dk_at_collapse: the first of several, and what comes after does not matter") {
    expect_collapse({{3, 5, 7, 9, 11}, {2, 0.9, 1.5, 0.1, 0.3}}, 5);
}

TEST_CASE("06.5 dk_at_collapse: two points at half or below, and a rise after them") {
    expect_collapse({{3, 5, 7, 9, 11}, {2, 0.9, 0.8, 1.5, 0.1}}, 5);
}

TEST_CASE("06.5 dk_at_collapse: a single point at half or below, wherever it is") {
    for (const std::size_t first : {2U, 1U}) {
        for (const std::size_t n : {5U, 8U, 9U}) {
            for (std::size_t i = first; i < n; i += 2) {
                EntropyCurve curve{DKs(n), 2 * xt::ones<double>({n})};
                std::iota(curve.d_ks.begin(), curve.d_ks.end(), std::size_t{3});
                curve.entropies(i) = 0.9;
                expect_collapse(curve, 3 + i);
            }
        }
    }
}

TEST_CASE("06.5 dk_at_collapse: an entropy of 0 is far below half, and no gap in the curve") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.5, 0, 0.75}}, 4);
    expect_collapse({{1, 2, 4, 8}, {2, 1.5, 0, 1.25}}, 4);
    expect_collapse({{1, 2, 4, 8}, {2, 0, 0.5, 0.25}}, 2);
    expect_collapse({{1, 2, 4, 8}, {2, 1.5, 1.25, 0}}, 8);
    expect_collapse({{3, 7}, {0.5, 0}}, 7);
    expect_collapse({{7, 3}, {0.5, 0.25}}, 3);
    expect_no_collapse({{3, 7}, {0.5, 0.3}});
    expect_no_collapse({{1}, {0.25}});
}

TEST_CASE("06.5 dk_at_collapse: the largest d_k first: its entropy is the first") {
    expect_collapse({{9, 3, 5}, {2, 1.5, 0.6}}, 5);
}

TEST_CASE("06.5 dk_at_collapse: half of the first entropy, not of the largest") {
    expect_collapse({{1, 2, 3, 4}, {2, 3, 1.2, 0.8}}, 4);
}

TEST_CASE("06.5 dk_at_collapse: a slow decline is not mistaken for a collapse before it is one") {
    expect_collapse({{10, 20, 30, 40, 50, 60}, {4, 3.2, 2.6, 2.1, 1.7, 1.4}}, 50);
}

TEST_CASE("06.5 dk_at_collapse: entropies far below and far above 1 nat") {
    expect_collapse({{2, 6, 10}, {0.02, 0.015, 0.008}}, 10);
    expect_collapse({{2, 6, 10}, {20, 9.5, 9}}, 6);
    for (const double size : {1e-9, 1e-12, 1e-30, 1e-100, 1e-300, 1e12, 1e30, 1e100, 1e300}) {
        expect_collapse({{2, 6, 10, 4}, {2 * size, 1.5 * size, 1.001 * size, size}}, 4);
        expect_no_collapse({{2, 6, 10}, {2 * size, 1.5 * size, 1.1 * size}});
    }
}

TEST_CASE("06.5 dk_at_collapse: a d_k may be of any size, and come again") {
    expect_collapse({{8, 4, 8, 4}, {2, 1.5, 0.9, 0.8}}, 8);
    expect_collapse({{4, 4, 4}, {2, 1.5, 0.9}}, 4);
    expect_collapse({{1, 5000000000, 7}, {2, 0.9, 0.8}}, 5000000000);
    expect_collapse({{1, ~std::size_t{0}, 7}, {2, 0.9, 0.8}}, ~std::size_t{0});
    expect_collapse({{1, (std::size_t{1} << 60U) + 1, 7}, {2, 0.9, 0.8}},
                    (std::size_t{1} << 60U) + 1);
}

TEST_CASE("06.5 dk_at_collapse: a curve of 300 points that collapses at the 280th") {
    EntropyCurve curve{DKs(300), Vector::from_shape({300})};
    for (std::size_t i = 0; i < 300; ++i) {
        curve.d_ks[i] = 300 * i + 7; // more than 16 bits hold, too
        curve.entropies(i) = 4 - static_cast<double>(i) / 139.25;
    }
    expect_collapse(curve, 300 * 279 + 7);
}

TEST_CASE("06.5 dk_at_collapse: a curve of 66,001 points that collapses at the last") {
    EntropyCurve curve{DKs(66'001), xt::ones<double>({66'001})};
    for (std::size_t i = 0; i < curve.d_ks.size(); ++i) {
        curve.d_ks[i] = i + 1;
    }
    curve.entropies(66'000) = 0.25;
    expect_collapse(curve, 66'001);
}

TEST_CASE("06.5 dk_at_collapse: curves that begin and end alike, and have one sum") {
    expect_collapse({{1, 2, 3, 4}, {2, 1.5, 0.5, 0.25}}, 3);
    expect_collapse({{1, 2, 3, 4}, {2, 0.5, 1.5, 0.25}}, 2);
    expect_collapse({{1, 3, 2, 4}, {2, 0.5, 1.5, 0.25}}, 3);
}

TEST_CASE("06.5 dk_at_collapse: d_ks that rise, fall, double or stay, but for one") {
    for (const DKs& special : {DKs{1, 2, 3, 4, 5}, DKs{1, 2, 4, 8, 16}, DKs{5, 4, 3, 2, 1},
                               DKs{7, 7, 7, 7, 7}, DKs{2, 4, 6, 8, 10}}) {
        for (std::size_t changed = 0; changed <= special.size(); ++changed) {
            DKs d_ks = special;
            if (changed < special.size()) {
                d_ks[changed] += 20;
            }
            for (std::size_t at = 1; at < special.size(); ++at) {
                EntropyCurve curve{d_ks, {2, 1.75, 1.5, 1.375, 1.25}};
                curve.entropies(at) = 0.5;
                expect_collapse(curve, d_ks[at]);
            }
        }
    }
}

TEST_CASE("06.5 dk_at_collapse: entropies that fall, rise or stay, but for one") {
    for (const Vector& special : {Vector{2, 1.75, 1.5, 1.25, 1.125}, Vector{2, 2.25, 2.5, 2.75, 3},
                                  Vector{2, 2, 2, 2, 2}, Vector{2, 1.125, 2, 1.125, 2}}) {
        expect_no_collapse({{1, 2, 4, 8, 16}, special});
        for (std::size_t at = 1; at < 5; ++at) {
            for (const double low : {0.0, 0.9375, 1.0, 1.0625}) {
                EntropyCurve curve{{1, 2, 4, 8, 16}, special};
                curve.entropies(at) = low;
                if (low > 1) {
                    expect_no_collapse(curve);
                } else {
                    expect_collapse(curve, curve.d_ks[at]);
                }
            }
        }
    }
    expect_collapse({{1, 2, 4, 8}, {2, 1, 1, 1}}, 2);
    expect_collapse({{1, 2, 4, 8}, {2, 0, 0, 0}}, 2);
}

TEST_CASE("06.5 dk_at_collapse: real curves, with and without scaling") {
    const Matrix Q = standard_normal(8, 64, 61);
    const Matrix K = standard_normal(16, 64, 62);
    const DKs d_ks{1, 2, 4, 8, 16, 32, 64};
    for (const bool scaled : {false, true}) {
        const EntropyCurve curve = plain::sweep(Q, K, d_ks, scaled);
        std::size_t i = 0;
        while (i < d_ks.size() && curve.entropies(i) >= curve.entropies(0) / 2) {
            ++i;
        }
        expect_collapse(curve, i < d_ks.size() ? d_ks[i] : 0);
    }
}

TEST_CASE("06.5 dk_at_collapse: refuses a curve that is empty, or whose lists differ in length") {
    expect_refused(graded::dk_at_collapse.attempt({{}, Vector::from_shape({0})}), "an empty curve");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2, 3}, {2.0, 1.0}}),
                   "three d_ks with two entropies");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2}, {2.0, 1.5, 1.0}}),
                   "two d_ks with three entropies");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2, 3, 4}, {2.0, 0.5}}),
                   "four d_ks with two entropies");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2}, {2.0, 0.5, 0.25}}),
                   "two d_ks with three entropies");
    expect_refused(graded::dk_at_collapse.attempt({{}, {1.0}}), "no d_k with one entropy");
    expect_refused(graded::dk_at_collapse.attempt({{1}, Vector::from_shape({0})}),
                   "one d_k without entropies");
}
