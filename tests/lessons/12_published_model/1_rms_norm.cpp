// 12.1 rms_norm

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_rms_norm {

using namespace proof;

Vector right(const Vector& x, const Vector& gain) {
    const long double mean =
        oracle::dot(x.data(), x.data(), x.size()) / static_cast<long double>(x.size());
    Vector y = x;
    for (std::size_t i = 0; i < y.size(); ++i) {
        y(i) = static_cast<double>(gain(i) * x(i) / std::sqrt(mean + 1e-5L));
    }
    return y;
}

const auto rms_norm = Domain(graded::rms_norm, right,
                             {{"x", Kind::array, "dim"}, {"gain", Kind::array, "dim"}}, in_double)
                          .scaled({{"gain", ""}})
                          .large("dim", 5003);

TEST_CASE("12.1 rms_norm: two components, by hand: the mean square of 1 and 7 is 25") {
    expect_close(graded::rms_norm({1, 7}, {1, 10}), Vector{0.2, 14}, {1e-6, 1e-6});
}

PROPERTIES("12.1 rms_norm", rms_norm)

} // namespace of_rms_norm
