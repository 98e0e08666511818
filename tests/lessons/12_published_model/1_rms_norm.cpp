// 12.1 rms_norm

#include <doctest/doctest.h>

#include "exports.hpp"
#include "support/domain.hpp"
#include "support/kinds_of_arguments.hpp"
#include "support/oracle.hpp"

namespace of_rms_norm {

using domain::Kind;
using lesson::Vector;

constexpr judge::Tolerance ten_digits{1e-10, 1e-300};

Vector right(const Vector& x, const Vector& gain) {
    const long double mean =
        oracle::dot(x.data(), x.data(), x.size()) / static_cast<long double>(x.size());
    return gain * x / static_cast<double>(std::sqrt(mean + 1e-5L));
}

const domain::Domain rms_norm =
    domain::Domain("rms_norm", domain::of<decltype(lesson::rms_norm)>(right),
                   {{"x", Kind::array, "dim"}, {"gain", Kind::array, "dim"}}, ten_digits)
        .scaled({{"gain", ""}})
        .large("dim", 5003);

TEST_CASE("12.1 rms_norm: two components, by hand: the mean square of 1 and 7 is 25") {
    judge::expect_close(graded::rms_norm({1, 7}, {1, 10}), Vector{0.2, 14}, {1e-6, 1e-6});
}

PROPERTIES("12.1 rms_norm", rms_norm)

} // namespace of_rms_norm
