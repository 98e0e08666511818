// 05.2 apply_mask

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_apply_mask {

using namespace proof;

const auto apply_mask = Domain(
    graded::apply_mask, oracle::apply_mask<double>,
    {{"scores", Kind::scores, "n_queries x n_keys"}, {"mask", Kind::mask, "n_queries x n_keys"}},
    exact);

/// In 05.2 and 05.4 one finite stand-in for −∞ is as wrong as another.
bool alike_but_for_the_stand_in(const judge::Value& a, const judge::Value& b) {
    const auto levelled = [](const judge::Value& value) {
        Matrix matrix = from_value<Matrix>(value);
        for (double& element : matrix) {
            element = std::isfinite(element) ? std::max(element, -9000.0) : element;
        }
        return to_value(matrix);
    };
    return !judge::compare(levelled(a), levelled(b), exact);
}

const judge::About about_matrix("apply_mask", {.alike = alike_but_for_the_stand_in});
const judge::About about_mask("additive_mask", {.alike = alike_but_for_the_stand_in});

TEST_CASE("05.2 apply_mask: blocked scores become −∞, the others stay") {
    expect_close(
        graded::apply_mask({{1, 2, 3}, {4, -5, 6}}, {{true, true, false}, {false, true, false}}),
        Matrix{{1, 2, -infinity}, {-infinity, -5, -infinity}}, exact);
}

TEST_CASE("05.2 apply_mask: a score of 0 or below 0 is blocked and kept like any other") {
    expect_close(graded::apply_mask({{0, 0, -3, -3}}, {{true, false, true, false}}),
                 Matrix{{0, -infinity, -3, -infinity}}, exact);
}

PROPERTIES("05.2 apply_mask", apply_mask)

} // namespace of_apply_mask
