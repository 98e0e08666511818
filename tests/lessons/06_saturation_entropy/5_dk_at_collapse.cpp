// 06.5 dk_at_collapse

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_dk_at_collapse {

using namespace proof;
using lesson::EntropyCurve;

const judge::About about(
    "dk_at_collapse",
    {.why_endless = {
         .name = "loop_without_end",
         .text =
             "A loop never ends here. The index has to move on in every round, and the search has "
             "to end at the curve's last point: where the entropy never falls to half, return 0."}});

void expect_collapse(const EntropyCurve& curve, std::size_t d_k) {
    expect_close(graded::dk_at_collapse(curve), d_k);
}

/// If a learner's function throws, the verdict says so.
void expect_no_collapse(const EntropyCurve& curve) {
    const judge::Outcome outcome = graded::dk_at_collapse.attempt(curve);
    expect_that(!std::holds_alternative<judge::Threw>(outcome),
                "where the entropy never falls to half, the answer is 0", "it throws",
                {"looks_like_no_zero_without_collapse",
                 "Where the entropy never falls to half, an exception is thrown. That is no "
                 "error: let the search end at the last point, and return 0 after it."});
    expect_collapse(curve, 0);
}

TEST_CASE("06.5 dk_at_collapse: 2 nats at first, 1.1 at d_k = 4, 0.4 at d_k = 8") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1.1, 0.4}}, 8);
}

TEST_CASE("06.5 dk_at_collapse: exactly half counts") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1, 0.4}}, 4);
    expect_collapse({{1, 2, 4}, {1.4, 0.7, 0.1}}, 2); // as a float 0.7 is less
}

TEST_CASE("06.5 dk_at_collapse: a little more than half does not count, and a little less does") {
    for (const double little : {2e-3, 1e-8, 4e-16}) {
        expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1 + little, 0.4}}, 8);
        expect_collapse({{1, 2, 4, 8}, {2, 1.6, 1 - little, 0.4}}, 4);
    }
}

TEST_CASE("06.5 dk_at_collapse: first in the order of the curve, in any order") {
    expect_collapse({{64, 16, 4, 8}, {2, 0.9, 0.8, 0.4}}, 16);
    expect_collapse({{9, 3, 5}, {2, 1.5, 0.6}}, 5); // the largest d_k has the first entropy
}

TEST_CASE("06.5 dk_at_collapse: 0 if the entropy never falls to half") {
    expect_no_collapse({{1, 2, 4, 8}, {3.7, 3.5, 3.6, 3.6}});
    expect_no_collapse({{16}, {3.7}});
    expect_no_collapse({{3, 7}, {0.5, 0.3}});
}

TEST_CASE("06.5 dk_at_collapse: the first of several; later points do not matter") {
    expect_collapse({{3, 5, 7, 9, 11}, {2, 0.9, 1.5, 0.1, 0.3}}, 5);
}

TEST_CASE("06.5 dk_at_collapse: half of the first entropy, not of the largest") {
    expect_collapse({{1, 2, 3, 4}, {2, 3, 1.2, 0.8}}, 4);
}

TEST_CASE("06.5 dk_at_collapse: an entropy of 0 is far below half") {
    expect_collapse({{1, 2, 4, 8}, {2, 1.5, 0, 0.75}}, 4);
}

TEST_CASE("06.5 dk_at_collapse: refuses an empty curve, or one whose lists differ in length") {
    expect_refused(graded::dk_at_collapse.attempt({{}, Vector::from_shape({0})}), "an empty curve");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2, 3, 4}, {2.0, 0.5}}),
                   "four d_ks with two entropies");
    expect_refused(graded::dk_at_collapse.attempt({{1, 2}, {2.0, 0.5, 0.25}}),
                   "two d_ks with three entropies");
}

} // namespace of_dk_at_collapse
