#include "judge/precision.hpp"

#include <algorithm>
#include <cmath>

namespace judge {

namespace {

constexpr double float_unit = 0x1p-24;      // the largest relative error of one rounding to float
constexpr double smallest_float = 0x1p-126; // with all its digits
constexpr double most_units = 32;           // that a sum of some hundred terms is off by
constexpr std::size_t enough_floats = 4;    // each a float by chance once in 2²⁹
constexpr std::size_t enough_noise = 12;    // relative errors

bool is_float(double number) {
    return static_cast<double>(static_cast<float>(number)) == number;
}

/// Such as 0.25, 0.375 or 1: a float that may be there for another reason than float arithmetic,
/// where shares were taken for equal, or rounded.
bool is_short(double number) {
    int exponent = 0;
    const double bits = std::ldexp(std::frexp(number, &exponent), 10);
    return bits == std::floor(bits);
}

/// An error relative to the element it is of, or to all elements of its row alike.
struct Error {
    double relative;
    double size; // of the element
};

struct Errors {
    std::size_t floats = 0; // elements that are floats where double arithmetic gives none
    std::size_t others = 0; // elements that are not floats, although they are off
    std::size_t coarse = 0; // elements that no float is as far off as
    std::vector<Error> errors;

    void row(const double* actual, const double* expected, std::size_t count);
};

void Errors::row(const double* actual, const double* expected, std::size_t count) {
    std::vector<Error> found;
    for (std::size_t i = 0; i < count; ++i) {
        const bool a_float_can = std::abs(expected[i]) >= smallest_float;
        if (!std::isfinite(expected[i]) || is_float(expected[i]) || !std::isfinite(actual[i]) ||
            !a_float_can) {
            continue;
        }
        const double relative = actual[i] / expected[i] - 1;
        coarse += std::abs(relative) > most_units * float_unit ? 1 : 0;
        // One that is off by a double's rounding is no float: 3 where 3.0000000000000004 is right.
        // (And 0 may be what was cut off, as 1/4 may be what equal weights are.)
        floats +=
            is_float(actual[i]) && !is_short(actual[i]) && std::abs(relative) > 1e-3 * float_unit
                ? 1
                : 0;
        others += !is_float(actual[i]) && std::abs(relative) > 1e-3 * float_unit ? 1 : 0;
        found.push_back({relative, std::abs(expected[i])});
    }
    if (found.empty()) {
        return;
    }
    // A row that was multiplied or divided by one float is off by one factor.
    const auto [least, most] = std::minmax_element(
        found.begin(), found.end(), [](Error a, Error b) { return a.relative < b.relative; });
    if (found.size() > 1 && most->relative - least->relative < 1e-5 * float_unit) {
        found.erase(found.begin() + 1, found.end());
    }
    errors.insert(errors.end(), found.begin(), found.end());
}

void collect(const Value& actual, const Value& expected, Errors& evidence) {
    if (actual.data.index() != expected.data.index()) {
        return;
    }
    if (const auto* array = std::get_if<Array>(&expected.data)) {
        const auto& got = std::get<Array>(actual.data);
        if (array->kind != 'f' || array->size != 8 || array->shape.empty() ||
            got.shape != array->shape) {
            return;
        }
        std::vector<double> a(array->count());
        std::vector<double> e(array->count());
        for (std::size_t i = 0; i < a.size(); ++i) {
            a[i] = got.at(i);
            e[i] = array->at(i);
        }
        const std::size_t columns = array->shape.back();
        for (std::size_t i = 0; i < a.size(); i += columns) {
            evidence.row(a.data() + i, e.data() + i, columns);
        }
    } else if (const auto* record = std::get_if<Record>(&expected.data)) {
        const auto& got = std::get<Record>(actual.data);
        for (std::size_t i = 0; i < std::min(record->members.size(), got.members.size()); ++i) {
            collect(got.members[i], record->members[i], evidence);
        }
    } else if (const auto* number = std::get_if<double>(&expected.data)) {
        evidence.row(&std::get<double>(actual.data), number, 1);
    }
}

double median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

/// Relative errors as float rounding has them: about as large whatever the size of the element, of
/// both signs, and no two alike.
bool is_noise(std::vector<Error> errors) {
    std::erase_if(errors, [](Error e) { return std::abs(e.relative) < 1e-6 * float_unit; });
    if (errors.size() < enough_noise) {
        return false;
    }
    const std::size_t count = errors.size();
    const auto positive = static_cast<std::size_t>(
        std::count_if(errors.begin(), errors.end(), [](Error e) { return e.relative > 0; }));
    if (4 * positive < count || 4 * positive > 3 * count) {
        return false;
    }
    std::sort(errors.begin(), errors.end(), [](Error a, Error b) { return a.size < b.size; });
    const auto median_of = [&](std::size_t first, std::size_t last) {
        std::vector<double> sizes;
        for (std::size_t i = first; i < last; ++i) {
            sizes.push_back(std::abs(errors[i].relative));
        }
        return median(sizes);
    };
    const double all = median_of(0, count);
    const double small = median_of(0, count / 2);
    const double large = median_of(count / 2, count);
    if (all < float_unit / 16 || all > 4 * float_unit || small > 4 * large || large > 4 * small) {
        return false;
    }
    std::sort(errors.begin(), errors.end(),
              [](Error a, Error b) { return std::abs(a.relative) < std::abs(b.relative); });
    std::size_t alike = 0;
    for (std::size_t i = 1; i < count; ++i) {
        const double before = std::abs(errors[i - 1].relative);
        alike += std::abs(errors[i].relative) - before < 1e-4 * before ? 1 : 0;
    }
    return 4 * alike < count;
}

} // namespace

bool looks_like_float(const std::vector<std::pair<Value, Value>>& answers_and_expected) {
    Errors evidence;
    for (const auto& [actual, expected] : answers_and_expected) {
        collect(actual, expected, evidence);
    }
    if (evidence.floats >= enough_floats && 20 * evidence.others <= evidence.floats) {
        return true;
    }
    // An exponential of a large float is off by more, and so is a sum that cancels.
    return 8 * evidence.coarse <= evidence.errors.size() && is_noise(std::move(evidence.errors));
}

} // namespace judge
