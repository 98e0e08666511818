// 10.1 merge

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_merge {

using namespace proof;
using lesson::Partial;

Partial right(const Partial& a, const Partial& b) {
    const long double maximum = std::max(a.maximum, b.maximum);
    if (maximum == -infinity) {
        return a;
    }
    const auto merged = [=](double of_a, double of_b) {
        return static_cast<double>(of_a * std::exp(a.maximum - maximum) +
                                   of_b * std::exp(b.maximum - maximum));
    };
    Partial both{static_cast<double>(maximum), merged(a.sum, b.sum), a.output};
    std::ranges::transform(a.output, b.output, both.output.begin(), merged);
    return both;
}

/// Without keys sum and output are 0, and with some the largest adds 1 to the sum.
void fit(judge::List& arguments) {
    for (const std::size_t side : {0U, 3U}) {
        double& sum = std::get<double>(arguments[side + 1].data);
        sum = std::max(sum, 1.0);
        if (std::get<double>(arguments[side].data) == -infinity) {
            sum = 0;
            auto& output = std::get<judge::Array>(arguments[side + 2].data).bytes;
            output.assign(output.size(), '\0');
        }
    }
}

const std::vector<double> maxima{0.5, 1.25, -2, 0, 3, -3, 1000, -1000, -infinity};

const auto merge =
    Domain(graded::merge, right,
           {{"a.maximum", Kind::number, "", false, {0.5, 1.25, -2, 0, 40, -1000, -infinity}},
            {"a.sum", Kind::number, "", false, {1.5, 1, 2.5, 400}},
            {"a.output", Kind::array, "d_v"},
            {"b.maximum", Kind::number, "", false, {1.25, 0.5, -3, 0, 40, 1000, -infinity}},
            {"b.sum", Kind::number, "", false, {2.5, 1, 1.5, 400}},
            {"b.output", Kind::array, "d_v"}},
           sums_in_double)
        .made_to_fit(fit)
        .scaled({{"a.output", ""}, {"b.output", ""}})
        .large("d_v", 5003);

/// a and b of these maxima.
judge::List sides(double a, double b, double size_of_a = 1, double size_of_b = 1) {
    return {{a}, {1.5}, to_value(Vector{3 * size_of_a, -2 * size_of_a}),
            {b}, {2.5}, to_value(Vector{4 * size_of_b, 7 * size_of_b})};
}

TEST_CASE("10.1 merge: scores 0 and ln 2 on one side, ln 3 and 0 on the other, by hand") {
    // (1 · 4 + 2 · 1) / 2 = 3 and (3 · 9 + 1 · 3) / 3 = 10, each with its own maximum.
    const double ln2 = std::log(2.0), ln3 = std::log(3.0);
    expect_close(graded::merge({ln2, 1.5, {3}}, {ln3, 4.0 / 3, {10}}), Partial{ln3, 7.0 / 3, {12}},
                 sums_in_double);
}

PROPERTIES("10.1 merge", merge)

TEST_CASE("10.1 merge: every maximum with every other, and with no keys on a side") {
    std::vector<judge::List> calls;
    for (const double a : maxima) {
        for (const double b : maxima) {
            calls.push_back(sides(a, b));
        }
    }
    merge.calls(calls);
}

TEST_CASE("10.1 merge: a side far below counts, if its output is large enough") {
    std::vector<judge::List> calls;
    for (const double below : {10.0, 22.0, 40.0, 300.0}) {
        calls.push_back(sides(0.5, 0.5 - below, 1, std::exp(below)));
        calls.push_back(sides(0.5 - below, 0.5, std::exp(below), 1));
    }
    merge.calls(calls);
}

} // namespace of_merge
