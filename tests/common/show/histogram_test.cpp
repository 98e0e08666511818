#include "common/show/screens.hpp"
#include "show/histogram.hpp"

#include "attention/tensor.hpp"
#include "common/refused.hpp"
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

TEST_CASE("histogram: without a range the edges are round numbers") {
    CHECK(histogram({0, 0.1, 0.2, 0.3, 0.3, 0.5}, {.bins = 6}, of_width(ascii, 40)) ==
          "(6 values)\n"
          "0.0 .. 0.1  1   16.7% |#########\n"
          "0.1 .. 0.2  1   16.7% |#########\n"
          "0.2 .. 0.3  1   16.7% |#########\n"
          "0.3 .. 0.4  2   33.3% |#################\n"
          "0.4 .. 0.5  1   16.7% |#########\n");
}

TEST_CASE("histogram: what falls in no bin is counted below") {
    CHECK(histogram({-5, 0, 1, 2, inf, NaN, NaN}, {.bins = 2, .range = show::Range{0, 1}},
                    of_width(ascii, 40)) == "(7 values)\n"
                                            "0.0 .. 0.5  1   14.3% |#################\n"
                                            "0.5 .. 1.0  1   14.3% |#################\n"
                                            "in no bin: 1 below, 2 above, 2 nan\n");
}

TEST_CASE("histogram: constant, single and extreme values have a picture") {
    CHECK(histogram({3, 3}, {.bins = 2}, of_width(ascii, 40)) ==
          "(2 values)\n"
          "2.5 .. 3.0  0    0.0% |\n"
          "3.0 .. 3.5  2  100.0% |#################\n");
    const std::string huge = histogram({-1.7e308, 0, 1.7e308}, {.bins = 4}, ascii);
    CHECK(huge.find("inf") == std::string::npos);
    CHECK(count_of(huge, "33.3%") == 3);
}

TEST_CASE("histogram: nothing finite is said in words") {
    CHECK(histogram({}, {.title = "t"}, ascii) ==
          "t (0 values)\n(nothing to draw: no finite value)\n");
    CHECK(histogram({NaN, inf}, {}, ascii) == "(2 values)\n(nothing to draw: no finite value)\n");
    CHECK(histogram({}, {.bins = 1, .range = show::Range{0, 1}}, ascii) ==
          "(0 values)\n0 .. 1  0    0.0% |\n");
}

TEST_CASE("histogram: bins and range must make sense") {
    CHECK_REFUSED(histogram(few, {.bins = 0}, ascii),
                  "histogram: bins must be between 1 and 1000, got 0");
    CHECK_REFUSED(histogram(few, {.bins = 1001}, ascii),
                  "histogram: bins must be between 1 and 1000, got 1001");
    CHECK_REFUSED(histogram(few, {.range = show::Range{1, 0}}, ascii),
                  "histogram: a range must be finite and rise, got 1 to 0");
}
