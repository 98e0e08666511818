#include "support/kinds_of_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "judge/redraw.hpp"

namespace domain {

using judge::Array;
using judge::List;
using judge::Value;
using Shape = std::vector<std::size_t>;

namespace {

constexpr double nothing = -1e9; // a score whose weight is exactly 0
constexpr double most = std::numeric_limits<double>::max();

std::size_t product(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Value array_of(const Shape& shape, const std::vector<double>& numbers) {
    std::string bytes(numbers.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return {Array{'f', sizeof(double), shape, std::move(bytes)}};
}

std::vector<double> numbers_in(const Value& value) {
    const Array& array = std::get<Array>(value.data);
    std::vector<double> numbers(array.count());
    std::memcpy(numbers.data(), array.bytes.data(), array.bytes.size());
    return numbers;
}

/// Each row becomes shares of 1: softmax of what is there.
void make_shares(std::vector<double>& numbers, std::size_t columns) {
    for (std::size_t row = 0; row < numbers.size(); row += columns) {
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(row);
        const auto end = begin + static_cast<std::ptrdiff_t>(columns);
        const double largest = *std::max_element(begin, end);
        std::transform(begin, end, begin, [&](double x) { return std::exp(x - largest); });
        const double sum = std::accumulate(begin, end, 0.0);
        std::transform(begin, end, begin, [&](double x) { return x / sum; });
    }
}

Value mask_of(const Shape& shape, const std::function<bool(std::size_t, std::size_t)>& allowed) {
    const std::size_t m = shape.back(), n = shape.size() < 2 ? 1 : shape[shape.size() - 2];
    std::string bytes(product(shape), '\0');
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        bytes[at] = allowed(at / m % n + at / m / n, at % m) ? 1 : 0; // another in each batch
    }
    return {Array{'b', 1, shape, std::move(bytes)}};
}

} // namespace

Value scalar(Kind kind, double value) {
    if (kind == Kind::flag) {
        return {value != 0};
    }
    return kind == Kind::count ? Value{static_cast<std::uint64_t>(value)} : Value{value};
}

Value usual(Kind kind, const Shape& shape, const std::vector<double>& values, std::uint64_t seed) {
    std::mt19937_64 engine(judge::redrawn(seed));
    std::normal_distribution<double> normal;
    switch (kind) {
    case Kind::count:
        return scalar(kind, shape.empty() ? values.at(0) : static_cast<double>(shape[0]));
    case Kind::number:
        return scalar(kind, values.at(0));
    case Kind::counts: {
        const std::uint64_t n = shape.at(0), turn = seed / 100 % 5;
        const std::vector<std::uint64_t> all{n, (n + 1) / 2, 1, n, (n + 2) / 3, n / 2 + 1};
        List some;
        for (std::size_t i = turn; i <= turn + turn % 3; ++i) {
            some.push_back({all[i % all.size()]});
        }
        return {some};
    }
    case Kind::flag:
        return scalar(kind, static_cast<double>(seed / 100 % 2));
    case Kind::mask: // each query sees some key
        return mask_of(shape, [&](auto i, auto j) {
            return j == (i + seed) % shape.back() || (i * 7 + j * 5 + seed) % 3 != 0;
        });
    case Kind::positions: {
        std::string bytes(product(shape) * sizeof(std::uint64_t), '\0');
        for (std::size_t at = 0; at < product(shape); ++at) {
            const std::uint64_t position = (seed / 100 % 4) * at + seed / 100 % 3;
            std::memcpy(bytes.data() + at * sizeof position, &position, sizeof position);
        }
        return {Array{'u', sizeof(std::uint64_t), shape, std::move(bytes)}};
    }
    default:
        break;
    }
    // Long sums of products stay near 1 when each matrix is divided by the root of its rows.
    const double rows = shape.size() == 2 ? static_cast<double>(shape[0]) : 1;
    const double size = kind == Kind::array ? std::max(1 / std::sqrt(rows), 0.05) : 2;
    std::vector<double> numbers(product(shape));
    std::ranges::generate(numbers, [&] { return size * normal(engine); });
    if (kind == Kind::weights) {
        make_shares(numbers, shape.back());
    }
    return array_of(shape, numbers);
}

std::size_t count(const Value& value) {
    const Array* array = std::get_if<Array>(&value.data);
    return array == nullptr ? 0 : array->count();
}

void in_float(judge::List& arguments) {
    for (Value& value : arguments) {
        const Array* array = std::get_if<Array>(&value.data);
        if (array == nullptr || array->kind != 'f' || array->size != sizeof(double)) {
            continue;
        }
        std::string bytes(array->count() * sizeof(float), '\0');
        for (std::size_t at = 0; at < array->count(); ++at) {
            const auto number = static_cast<float>(array->at(at));
            std::memcpy(bytes.data() + at * sizeof number, &number, sizeof number);
        }
        value = {Array{'f', sizeof(float), array->shape, std::move(bytes)}};
    }
}

void share_out(Value& weights) {
    const Shape shape = std::get<Array>(weights.data).shape;
    std::vector<double> numbers = numbers_in(weights);
    const auto columns = static_cast<std::ptrdiff_t>(shape.back());
    for (auto row = numbers.begin(); row != numbers.end(); row += columns) {
        if (std::abs(std::accumulate(row, row + columns, -1.0)) < 1e-12) {
            continue;
        }
        std::transform(row, row + columns, row, [](double p) { return std::max(p, 0.0); });
        double sum = std::accumulate(row, row + columns, 0.0);
        if (sum == 0) {
            *row = sum = 1;
        }
        std::transform(row, row + columns, row, [=](double p) { return p / sum; });
    }
    weights = array_of(shape, numbers);
}

void fill(Value& value, const Make& make, Kind kind) {
    Array& array = std::get<Array>(value.data);
    const std::size_t columns = array.shape.back();
    std::vector<double> numbers(array.count());
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        numbers[at] = make(at / columns, at % columns, array.at(at));
    }
    if (kind == Kind::weights) {
        make_shares(numbers, columns);
    }
    if (kind == Kind::positions) {
        const std::vector<std::uint64_t> whole(numbers.begin(), numbers.end());
        std::memcpy(array.bytes.data(), whole.data(), array.bytes.size());
    } else {
        std::memcpy(array.bytes.data(), numbers.data(), array.bytes.size());
    }
}

void set(Value& value, std::size_t at, double number, Kind kind) {
    const Shape shape = std::get<Array>(value.data).shape;
    std::vector<double> numbers = numbers_in(value);
    if (kind == Kind::weights) {
        const std::size_t columns = shape.back(), first = at / columns * columns;
        const double left = 1 - numbers[at];
        for (std::size_t j = first; j < first + columns && left > 0; ++j) {
            numbers[j] *= (1 - number) / left;
        }
        number = left > 0 ? number : 1;
    }
    numbers[at] = number;
    value = array_of(shape, numbers);
}

std::vector<Make> numbers_of(Kind kind) {
    if (kind == Kind::positions) {
        return {[](auto, auto, double) { return 0.0; },
                [](auto, auto j, double) { return double(j); },
                [](auto, auto, double) { return 5.0; },
                [](auto, auto j, double) { return 1000.0 * double(j); },
                [](auto, auto j, double) { return double(j * j % 7); }};
    }
    if (kind == Kind::weights) {
        return {[](auto, auto, double) { return 0.0; }, // equal shares
                [](auto, auto j, double) { return j == 0 ? 0.0 : nothing; },
                [](auto i, auto j, double) { return j == i ? 0.0 : nothing; },
                [](auto i, auto j, double x) { return (i + j) % 3 == 1 ? nothing : x; },
                [](auto, auto j, double x) { return j == 0 ? nothing : x; },
                [](auto i, auto j, double) { return j < i + 2 ? 0.0 : nothing; },
                [](auto, auto j, double x) { return j % 2 == 0 ? x : -30 - x; },
                [](auto, auto j, double x) { return j % 3 == 0 ? x : -300 - x; },
                [](auto i, auto j, double x) { return j == i % 2 ? 15.0 : x; },
                [](auto i, auto j, double x) { return j == i % 2 ? 40.0 : x; }};
    }
    return {
        [](auto, auto, double) { return 0.0; },
        [](auto, auto, double) { return 0.75; },
        [](auto, auto, double x) { return -0.1 - std::abs(x); },
        [](auto, auto, double x) { return 0.1 + std::abs(x); },
        [](auto, auto, double x) { return 1 + x / 256; },
        [](auto, auto, double x) { return 1 + 1e-8 * x; },
        [](auto i, auto j, double) { return i == j ? 1.0 : 0.0; },
        [](auto i, auto, double x) { return i == 0 ? 0.0 : x; },
        [](auto, auto j, double x) { return j == 0 ? 0.0 : x; },
        [](auto i, auto j, double x) { return (i + j) % 3 == 0 ? 0.0 : x; },
        [](auto i, auto, double x) { return i == 1 ? -0.0 : x; },
        [](auto i, auto, double) { return std::cos(double(i)); },       // rows of one number
        [](auto, auto j, double) { return std::cos(3.0 * double(j)); }, // one row again and again
        [](auto i, auto j, double) {                                    // sums of 0 along rows
            return (j % 2 == 0 ? 1 : -1) * std::cos(double(i + j / 2));
        }};
}

std::vector<double> extremes_of(Kind kind) {
    switch (kind) {
    case Kind::scores:
        return {0, -25, -300, -480, -680, 1000, 1e300};
    case Kind::weights:
        return {0, 1, 0.5, 1e-10, 1e-100, 1 - 1e-6};
    default:
        return {0, 30};
    }
}

std::vector<Value> nearly_special(Kind kind, const Shape& shape) {
    std::vector<Value> all;
    if (kind == Kind::weights) {
        for (const double others :
             {0.0, -18.0, nothing}) { // equal shares, nearly one alone, one alone
            for (std::size_t place = 0; place <= shape.back(); ++place) {
                Value changed = array_of(shape, std::vector<double>(product(shape)));
                fill(
                    changed,
                    [=](auto i, auto j, double) {
                        return (j == i % shape.back() ? 0.0 : others) +
                               (j == place && others == 0 ? 0.5 : 0);
                    },
                    kind);
                all.push_back(changed);
            }
        }
        for (const double d : {1e-4, 1e-6, 1e-8}) {
            Value close = array_of(shape, std::vector<double>(product(shape)));
            fill(
                close, [=](auto i, auto j, double) { return d * double((i + 2 * j) % 3); }, kind);
            all.push_back(close);
        }
        return all;
    }
    const auto each_changed = [&](const Value& usual) {
        all.push_back(usual);
        for (std::size_t at = 0; at<count(usual); at += count(usual)> 12 ? 4 : 1) {
            Value changed = usual;
            set(changed, at, std::get<Array>(usual.data).at(at) + 0.5, kind);
            all.push_back(changed);
        }
    };
    for (const double value : {0.0, 1.0, -3.0}) {
        each_changed(array_of(shape, std::vector<double>(product(shape), value)));
    }
    Value identity = array_of(shape, std::vector<double>(product(shape), 0));
    fill(
        identity, [](auto i, auto j, double) { return i == j ? 1.0 : 0.0; }, kind);
    each_changed(identity);
    if (kind == Kind::scores) {
        Value close = usual(kind, shape, {}, 1);
        for (const double d : {1e-4, 1e-6, 1e-8, 1e-9, 4e-10, 1e-12, 1e-30, 1e-100}) {
            for (const double base : {0.0, 1.0, 1000.0}) {
                fill(
                    close,
                    [&](auto i, auto j, double) { return base + d * double((i + 2 * j) % 3); },
                    kind);
                all.push_back(close);
            }
        }
    }
    return all;
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
    add([=](auto i, auto j) { return j + i + 1 >= m; });
    add([](auto i, auto j) { return j >= i; });
    add([](auto i, auto j) { return j <= i + 1 && i <= j + 1; });
    add([=](auto, auto j) { return j < (m + 1) / 2; });
    add([=](auto, auto j) { return j >= m / 2; });
    add([](auto, auto j) { return j == 0; });
    add([=](auto, auto j) { return j + 1 == m; });
    add([](auto i, auto j) { return (i * 3 + j * 5) % 4 != 0; });
    add([](auto, auto) { return true; });
    return masks;
}

std::vector<Make> scores_far_out() {
    std::vector<Make> all;
    // Where exp ends: infinite above 709.78, fewer digits below -708.4, 0 below -745.1.
    for (const double base :
         {-1500.0, -750.0, -744.5, -720.0, -708.0, -690.0, -350.0, 30.0, 350.0, 650.0, 690.0, 700.0,
          705.0, 708.0, 709.0, 709.7, 710.0, 745.0, 1500.0}) {
        for (const std::size_t which : {0U, 1U, 2U}) { // all rows, every second, the last ones
            all.emplace_back([=](auto i, auto j, double x) {
                const bool far = which == 0 || (which == 1 ? i % 2 == 0 : i > 0);
                return (far ? base : 0) + (j % 4 == 3 ? -40 : x);
            });
        }
    }
    for (double gap = 10; gap <= 690; gap += 40) {
        all.emplace_back(
            [=](auto i, auto j, double) { return (i + j) % 2 == 0 ? gap / 2 : -gap / 2; });
    }
    for (const double huge : {1e5, 1e7, 1e9, 1e12}) { // differences that stay exact
        all.emplace_back(
            [=](auto i, auto j, double) { return (i % 2 == 0 ? huge : -huge) + double(j % 3); });
    }
    constexpr double order[6][3] = {{1, 1, 0},  {0, 1, 1},      {1, 0, -1},
                                    {-1, 1, 0}, {-1, -0.5, -1}, {0.5, -1, 1}};
    for (const double huge : {1e10, 1e13, 1e16, 1e17, 1e30, 1e100, 1e300, 1.2e308, most}) {
        for (const auto& of : order) { // ties, and all orders of three
            const double a = huge * of[0], b = huge * of[1], c = huge * of[2];
            all.emplace_back([=](auto i, auto j, double) {
                return (i + j) % 3 == 0 ? a : (i + j) % 3 == 1 ? b : c;
            });
            all.emplace_back([=](auto i, auto j, double x) {
                return i != 1 ? x : j % 3 == 0 ? a : j % 3 == 1 ? b : c;
            });
        }
        all.emplace_back([=](auto, auto, double) { return huge; });
    }
    return all;
}

std::vector<Make> last_or_first_far_above(std::size_t n_keys) {
    std::vector<Make> all;
    for (const double far : {25.0, 715.0, 1000.0}) {
        all.emplace_back([=](auto i, auto j, double x) {
            return (far == 715 ? 690.0 : x) + (j == (i % 2 == 0 ? n_keys - 1 : 0) ? far : 0);
        });
    }
    return all;
}

} // namespace domain
