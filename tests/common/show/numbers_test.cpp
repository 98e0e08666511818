#include "common/show/screens.hpp"
#include "show/numbers.hpp"
#include "support/special_values.hpp"

#include <doctest/doctest.h>

using show::format_for;
using show::number;
using show::Range;
using support::inf;
using support::NaN;

namespace {

std::string written(std::vector<double> values, std::size_t significant = 4) {
    const show::NumberFormat format = format_for(values, significant);
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : " ") + number(value, format, ascii);
    }
    return text;
}

} // namespace

TEST_CASE("numbers: one format for all, with no more decimals than they need") {
    CHECK(written({1, 0, 4096}) == "1 0 4096");
    CHECK(written({1, 0, 0.5}) == "1.0 0.0 0.5");
    CHECK(written({0.455527, 1.0 / 3}) == "0.456 0.333");
    CHECK(written({12.3456, -0.5}) == "12.35 -0.50");
    CHECK(written({1234.56, 1.5}) == "1234.6 1.5");
    CHECK(written({0, 0}) == "0 0");
    CHECK(written({0.1, 0.2, 0.1 + 0.2}) == "0.1 0.2 0.3");
}

TEST_CASE("numbers: huge and tiny values are scientific, with short exponents") {
    CHECK(written({1e7, 25}) == "1.0e7 2.5e1");
    CHECK(written({2.5e-7, 1e-8, 0}) == "2.5e-7 1.0e-8 0");
    CHECK(written({1e300, -1e-300}) == "1e300 -1e-300");
}

TEST_CASE("numbers: there is no negative zero, and NaN and infinities have names") {
    CHECK(written({-0.0001, -0.25, 1.0 / 3}) == "0.000 -0.250 0.333");
    CHECK(written({-0.0}) == "0");
    CHECK(written({NaN, -NaN, inf, -inf}) == "nan nan inf -inf");
    CHECK(number(-inf, {}, unicode) == "-∞");
}

TEST_CASE("numbers: a step is 1, 2 or 5 times a power of ten") {
    CHECK(show::round_step({0, 10}, 5) == 2);
    CHECK(show::round_step({0, 10}, 4) == 5);
    CHECK(show::round_step({0, 0.3}, 3) == doctest::Approx(0.1));
    CHECK(show::round_step({0, 7}, 1) == 10);
}

TEST_CASE("numbers: linear ticks are exact multiples of the step") {
    CHECK(show::linear_ticks({0, 0.5}, 0.1) == std::vector{0.0, 0.1, 0.2, 0.3, 0.4, 0.5});
    CHECK(show::linear_ticks({-3, 5}, 2) == std::vector{-2.0, 0.0, 2.0, 4.0});
}

TEST_CASE("numbers: log ticks are powers of ten, fewer over many and more over few") {
    CHECK(show::log_ticks({1, 1024}, 8) == std::vector{1.0, 10.0, 100.0, 1000.0});
    CHECK(show::log_ticks({3, 60}, 8) == std::vector{5.0, 10.0, 20.0, 50.0});
    CHECK(show::log_ticks({1e-300, 1e300}, 4).size() == 5);
    CHECK(show::log_ticks({6, 9}, 3) == std::vector{6.0, 7.0, 8.0, 9.0});
}

TEST_CASE("numbers: the range of one value, of rounding errors and of nothing has a width") {
    const auto range_of = [](std::vector<double> values) {
        const Range range = show::range_of(values);
        return std::pair{range.low, range.high};
    };
    CHECK(range_of({2, NaN, -1, inf}) == std::pair{-1.0, 2.0});
    CHECK(range_of({7}) == std::pair{6.5, 7.5});
    CHECK(range_of({1, 1 + 1e-15}) == std::pair{0.5, 1.5 + 1e-15});
    CHECK(range_of({NaN}) == std::pair{0.0, 1.0});
    CHECK(range_of({}) == std::pair{0.0, 1.0});
}
