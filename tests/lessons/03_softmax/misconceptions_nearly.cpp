// Wrong versions that people really write; see misconceptions.cpp for what becomes of them.

#include "support/oracle.hpp"
#include "wrong.hpp"

using namespace wrong;

namespace {

// 03.1 softmax, 03.2 softmax_rows and 03.3 softmax_jacobian: what is nearly equal counts as equal

constexpr const char* says_nearly_equal =
    "where all numbers of a row are nearly equal, the weights are taken for 1/n each. They differ "
    "by "
    "as much as the scores do, and about ten digits are asked for: leave the bound out.";

bool within(const Vector& row, double bound) {
    return xt::amax(row)() - xt::amin(row)() < bound;
}

Vector equal_shares(const Vector& row) {
    return xt::ones<double>({row.size()}) / static_cast<double>(row.size());
}

auto equal_within(double bound) {
    return [=](const Vector& row) -> Vector {
        return within(row, bound) ? equal_shares(row) : oracle::softmax(row);
    };
}

WITHIN_A_ROW(equal_within_1e_4, says_nearly_equal, equal_within(1e-4));
WITHIN_A_ROW(equal_within_1e_6, says_nearly_equal, equal_within(1e-6));
WITHIN_A_ROW(equal_within_1e_8, says_nearly_equal, equal_within(1e-8));

auto jacobian_of_equal_within(double bound) {
    return [=](const Vector& p) -> Matrix {
        return oracle::softmax_jacobian(within(p, bound) ? equal_shares(p) : p);
    };
}

MISCONCEPTION(softmax_jacobian, weights_equal_within_1e_4, says_nearly_equal,
              jacobian_of_equal_within(1e-4));
MISCONCEPTION(softmax_jacobian, weights_equal_within_1e_6, says_nearly_equal,
              jacobian_of_equal_within(1e-6));
MISCONCEPTION(softmax_jacobian, weights_equal_within_1e_8, says_nearly_equal,
              jacobian_of_equal_within(1e-8));

} // namespace
