#include "common/show/screens.hpp"
#include "show/histogram.hpp"

#include "support/special_values.hpp"

#include <doctest/doctest.h>
#include <vector>

using show::HistogramOptions;
using support::inf;
using support::NaN;

namespace {

std::string histogram(const std::vector<double>& values, const HistogramOptions& options,
                      const show::Terminal& terminal) {
    return drawn([&](auto& out) { show::histogram(out, values, options, terminal); });
}

const std::vector<double> few{0.5, 1.5, 1.5, 1.5, 1.5, 2.5, 2.5, 2.5};

} // namespace

TEST_CASE("histogram: bars with counts and shares, in ASCII") {
    CHECK(histogram(few, {.title = "few", .bins = 3, .range = show::Range{0, 3}},
                    of_width(ascii, 40)) == "few (8 values)\n"
                                            "0 .. 1  1   12.5% |#####\n"
                                            "1 .. 2  4   50.0% |#####################\n"
                                            "2 .. 3  3   37.5% |################\n");
}

TEST_CASE("histogram: what falls in no bin is counted below") {
    CHECK(histogram({-5, 0, 1, 2, inf, NaN, NaN}, {.bins = 2, .range = show::Range{0, 1}},
                    of_width(ascii, 40)) == "(7 values)\n"
                                            "0.0 .. 0.5  1   14.3% |#################\n"
                                            "0.5 .. 1.0  1   14.3% |#################\n"
                                            "in no bin: 1 below, 2 above, 2 nan\n");
}
