#include "support/kinds_of_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "judge/redraw.hpp"

namespace domain {

using judge::List;
using judge::Value;
using Shape = std::vector<std::size_t>;
using Numbers = xt::xarray<double>;

namespace {

constexpr double blocked_score = -1e9; // a score whose weight is exactly 0
constexpr double most = std::numeric_limits<double>::max();

/// act(first, last): for each row.
template <class Act>
void each_row(Numbers& numbers, const Act& act) {
    const std::size_t columns = numbers.shape().back();
    double* const end = numbers.data() + numbers.size();
    for (double* row = numbers.data(); row != end; row += columns) {
        act(row, row + columns);
    }
}

/// Each row becomes shares of 1: softmax of what is there.
void make_shares(Numbers& numbers) {
    each_row(numbers, [](double* begin, double* end) {
        const double largest = *std::max_element(begin, end);
        std::transform(begin, end, begin, [&](double x) { return std::exp(x - largest); });
        const double sum = std::accumulate(begin, end, 0.0);
        std::transform(begin, end, begin, [&](double x) { return x / sum; });
    });
}

Value mask_of(const Shape& shape, const std::function<bool(std::size_t, std::size_t)>& allowed) {
    const std::size_t m = shape.back(), n = shape.size() < 2 ? 1 : shape[shape.size() - 2];
    xt::xarray<bool> mask = xt::xarray<bool>::from_shape(shape);
    for (std::size_t at = 0; at < mask.size(); ++at) {
        mask.flat(at) = allowed(at / m % n + at / m / n, at % m); // another in each batch
    }
    return judge::to_value(mask);
}

} // namespace

Value scalar(Kind kind, double value) {
    if (kind == Kind::flag) {
        return {value != 0};
    }
    return kind == Kind::count ? Value{static_cast<std::uint64_t>(value)} : Value{value};
}

Value ordinary(Kind kind, const Shape& shape, const std::vector<double>& values,
               std::uint64_t seed) {
    std::mt19937_64 engine(judge::redrawn(seed));
    std::normal_distribution<double> normal;
    switch (kind) {
    case Kind::count:
        return scalar(kind, shape.empty() ? values.at(0) : static_cast<double>(shape[0]));
    case Kind::number:
        return scalar(kind, values.at(0));
    case Kind::flag:
        return scalar(kind, static_cast<double>(seed / 100 % 2));
    case Kind::mask: // each query sees some key
        return mask_of(shape, [&](auto i, auto j) {
            return j == (i + seed) % shape.back() || (i * 7 + j * 5 + seed) % 3 != 0;
        });
    default:
        break;
    }
    // Long sums of products stay near 1 when each matrix is divided by the root of its rows.
    const double rows = shape.size() == 2 ? static_cast<double>(shape[0]) : 1;
    const double size = kind == Kind::array ? std::max(1 / std::sqrt(rows), 0.05) : 2;
    Numbers numbers = Numbers::from_shape(shape);
    std::generate(numbers.begin(), numbers.end(), [&] { return size * normal(engine); });
    if (kind == Kind::weights) {
        make_shares(numbers);
    }
    return judge::to_value(numbers);
}

std::size_t count(const Value& value) {
    const auto* array = std::get_if<judge::Array>(&value.data);
    return array == nullptr ? 0 : array->count();
}

void in_float(judge::List& arguments) {
    for (Value& value : arguments) {
        const auto* array = std::get_if<judge::Array>(&value.data);
        if (array != nullptr && array->kind == 'f' && array->size == sizeof(double)) {
            const xt::xarray<float> floats = xt::cast<float>(judge::from_value<Numbers>(value));
            value = judge::to_value(floats);
        }
    }
}

void to_rows_of_shares(Value& weights) {
    Numbers numbers = judge::from_value<Numbers>(weights);
    each_row(numbers, [](double* begin, double* end) {
        if (std::abs(std::accumulate(begin, end, -1.0)) < 1e-12) {
            return;
        }
        std::transform(begin, end, begin, [](double p) { return std::max(p, 0.0); });
        double sum = std::accumulate(begin, end, 0.0);
        if (sum == 0) {
            *begin = sum = 1;
        }
        std::transform(begin, end, begin, [=](double p) { return p / sum; });
    });
    weights = judge::to_value(numbers);
}

void fill(Value& value, const Make& make, Kind kind) {
    Numbers numbers = judge::from_value<Numbers>(value);
    const std::size_t columns = numbers.shape().back();
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        numbers.flat(at) = make(at / columns, at % columns, numbers.flat(at));
    }
    if (kind == Kind::weights) {
        make_shares(numbers);
    }
    value = judge::to_value(numbers);
}

void set(Value& value, std::size_t at, double number, Kind kind) {
    Numbers numbers = judge::from_value<Numbers>(value);
    if (kind == Kind::weights) {
        const std::size_t columns = numbers.shape().back(), first = at / columns * columns;
        const double left = 1 - numbers.flat(at);
        for (std::size_t j = first; j < first + columns && left > 0; ++j) {
            numbers.flat(j) *= (1 - number) / left;
        }
        number = left > 0 ? number : 1;
    }
    numbers.flat(at) = number;
    value = judge::to_value(numbers);
}

std::vector<Make> numbers_of(Kind kind) {
    if (kind == Kind::weights) {
        return {[](auto, auto, double) { return 0.0; }, // equal shares
                [](auto, auto j, double) { return j == 0 ? 0.0 : blocked_score; },
                [](auto i, auto j, double) { return j == i ? 0.0 : blocked_score; },
                [](auto i, auto j, double x) { return (i + j) % 3 == 1 ? blocked_score : x; },
                [](auto, auto j, double x) { return j % 2 == 0 ? x : -30 - x; },
                [](auto i, auto j, double x) { return j == i % 2 ? 15.0 : x; },
                [](auto i, auto j, double x) { return j == i % 2 ? 40.0 : x; }};
    }
    return {[](auto, auto, double) { return 0.0; },
            [](auto, auto, double) { return 0.75; },
            [](auto, auto, double x) { return -0.1 - std::abs(x); },
            [](auto, auto, double x) { return 0.1 + std::abs(x); },
            [](auto i, auto j, double) { return i == j ? 1.0 : 0.0; },
            [](auto i, auto j, double x) { return (i + j) % 3 == 0 ? 0.0 : x; },
            [](auto i, auto, double) { return std::cos(double(i)); },        // equal in a row
            [](auto, auto j, double) { return std::cos(3.0 * double(j)); }}; // equal rows
}

std::vector<double> extremes_of(Kind kind) {
    switch (kind) {
    case Kind::scores:
        return {0, -25, -680, 1000, 1e300};
    case Kind::weights:
        return {0, 1, 1e-10, 1e-100, 1 - 1e-6};
    default:
        return {0, 30};
    }
}

std::vector<Value> masks_of(const Shape& shape) {
    const std::size_t m = shape.back(), n = shape[shape.size() - 2];
    std::vector<Value> masks;
    const auto add = [&](const auto& allowed) { masks.push_back(mask_of(shape, allowed)); };
    add([](auto i, auto j) { return j <= i; });
    add([](auto, auto) { return false; });
    add([=](auto i, auto j) { return j + n <= i + m; });
    add([](auto i, auto j) { return j < i; });
    add([](auto i, auto) { return i != 1; });
    add([](auto i, auto j) { return j >= i; });
    add([=](auto, auto j) { return j < (m + 1) / 2; });
    add([=](auto, auto j) { return j >= m / 2; });
    add([](auto i, auto j) { return (i * 3 + j * 5) % 4 != 0; });
    add([](auto, auto) { return true; });
    return masks;
}

std::vector<Make> scores_far_out() {
    std::vector<Make> all;
    // Where exp ends: infinite above 709.78, fewer digits below -708.4, 0 below -745.1. The signs
    // alternate, which distinguishes what fails on one side only.
    for (const double base :
         {-750.0, 710.0, -1500.0, 1500.0, -744.5, 709.0, -708.0, 690.0, -350.0, 350.0, 30.0}) {
        for (const std::size_t every : {1U, 2U}) {
            all.emplace_back([=](auto i, auto j, double x) {
                return (i % every == 0 ? base : 0) + (j % 4 == 3 ? -40 : x);
            });
        }
    }
    for (const double far : {25.0, 1000.0}) { // one score in each row
        all.emplace_back([=](auto i, auto j, double x) { return x + (j == i % 3 ? far : 0); });
    }
    for (const double gap : {10.0, 50.0, 90.0, 250.0, 690.0}) {
        all.emplace_back(
            [=](auto i, auto j, double) { return (i + j) % 2 == 0 ? gap / 2 : -gap / 2; });
    }
    constexpr double order[6][3] = {{1, 1, 0},  {0, 1, 1},      {1, 0, -1},
                                    {-1, 1, 0}, {-1, -0.5, -1}, {0.5, -1, 1}};
    for (const double huge : {1e5, 1e12, 1e30, 1e300, most}) { // ties, and all orders of three
        for (const auto& of : order) {
            const double a = huge * of[0], b = huge * of[1], c = huge * of[2];
            all.emplace_back([=](auto i, auto j, double x) {
                return i == 1 ? x : (i + j) % 3 == 0 ? a : (i + j) % 3 == 1 ? b : c;
            });
        }
        all.emplace_back([=](auto, auto, double) { return huge; });
    }
    return all;
}

} // namespace domain
