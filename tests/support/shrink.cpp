#include "support/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <sstream>

namespace domain {

using judge::Array;
using judge::List;
using judge::Value;

Axes axes_of(const std::string& shape) {
    Axes axes;
    std::istringstream words(shape);
    for (std::string word; words >> word;) {
        if (word == "x") {
            continue;
        }
        axes.emplace_back();
        std::istringstream factors(word);
        for (std::string factor; std::getline(factors, factor, '*');) {
            axes.back().push_back(factor);
        }
    }
    return axes;
}

bool is_number(const std::string& factor) {
    return factor.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::size_t> shape_of(const Axes& axes, const Sizes& sizes) {
    std::vector<std::size_t> shape;
    for (const auto& factors : axes) {
        shape.push_back(1);
        for (const std::string& factor : factors) {
            shape.back() *= is_number(factor) ? std::stoul(factor) : sizes.at(factor);
        }
    }
    return shape;
}

namespace {

class Shrinker {
public:
    Shrinker(List arguments, Shrinking how)
        : best_(std::move(arguments)), how_(std::move(how)), way_(how_.failing(best_)),
          sizes_(sizes_of(best_)) {}

    List run() {
        constexpr int rounds = 3; // fewer rows may fail once the numbers are plainer
        bool smaller = way_ != Failing::no && way_ != Failing::ending;
        for (int round = 0; smaller && round < rounds && how_.calls > 0; ++round) {
            smaller = fewer();
            smaller = plainer() || smaller;
        }
        return best_;
    }

private:
    List best_;
    Shrinking how_;
    Failing way_;
    Sizes sizes_;

    /// Whether these fail, too, and then they are the best.
    bool try_these(List arguments) {
        if (how_.calls-- <= 0 || how_.failing(arguments) != way_) {
            return false;
        }
        best_ = std::move(arguments);
        return true;
    }

    /// Known of each axis and each count: the one factor that is not known yet.
    Sizes sizes_of(const List& arguments) const {
        Sizes sizes;
        const auto learn = [&](const std::vector<std::string>& factors, std::size_t product) {
            std::vector<std::string> unknown;
            for (const std::string& factor : factors) {
                if (is_number(factor)) {
                    sizes[factor] = std::stoul(factor);
                }
                const auto known = sizes.find(factor);
                if (known == sizes.end()) {
                    unknown.push_back(factor);
                } else {
                    product /= std::max<std::size_t>(known->second, 1);
                }
            }
            if (unknown.size() == 1) {
                sizes[unknown[0]] = product;
            }
        };
        constexpr int rounds = 3; // shrinking one argument may let another shrink
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t k = 0; k < arguments.size(); ++k) {
                const Array* array = std::get_if<Array>(&arguments[k].data);
                const auto* count = std::get_if<std::uint64_t>(&arguments[k].data);
                for (std::size_t axis = 0; axis < how_.axes[k].size(); ++axis) {
                    if (count != nullptr) {
                        learn(how_.axes[k][axis], *count);
                    } else if (array != nullptr && axis < array->shape.size()) {
                        learn(how_.axes[k][axis], array->shape[axis]);
                    }
                }
            }
        }
        return sizes;
    }

    /// Without the indices first … last of one size, wherever it is a factor.
    List without(const std::string& size, std::size_t first, std::size_t last) const {
        List smaller = best_;
        Sizes sizes = sizes_;
        sizes[size] -= last - first;
        for (std::size_t k = 0; k < smaller.size(); ++k) {
            if (auto* count = std::get_if<std::uint64_t>(&smaller[k].data)) {
                if (!how_.axes[k].empty()) {
                    *count = shape_of(how_.axes[k], sizes)[0];
                }
            }
            if (auto* list = std::get_if<List>(&smaller[k].data)) {
                for (Value& number : *list) { // of which none is more than the size
                    auto& whole = std::get<std::uint64_t>(number.data);
                    whole = std::min<std::uint64_t>(whole, sizes[how_.axes[k][0][0]]);
                }
            }
            Array* array = std::get_if<Array>(&smaller[k].data);
            for (std::size_t axis = 0; array != nullptr && axis < how_.axes[k].size(); ++axis) {
                std::size_t inner = 1; // elements for each index of this size
                bool found = false;
                for (const std::string& factor : how_.axes[k][axis]) {
                    inner *= found ? sizes_.at(factor) : 1;
                    found = found || factor == size;
                }
                if (found) {
                    drop(*array, axis, inner, sizes_.at(size), first, last);
                }
            }
        }
        return smaller;
    }

    static void drop(Array& array, std::size_t axis, std::size_t inner, std::size_t size,
                     std::size_t first, std::size_t last) {
        std::size_t stride = array.size; // bytes for each index of the axis
        for (std::size_t a = axis + 1; a < array.shape.size(); ++a) {
            stride *= array.shape[a];
        }
        std::string kept;
        for (std::size_t at = 0; at * stride < array.bytes.size(); ++at) {
            const std::size_t index = at / inner % size;
            if (index < first || index >= last) {
                kept.append(array.bytes, at * stride, stride);
            }
        }
        array.shape[axis] = array.shape[axis] / size * (size - (last - first));
        array.bytes = std::move(kept);
    }

    bool fewer() {
        bool any = false;
        const Sizes names = sizes_;
        for (const auto& [name, unused] : names) {
            if (is_number(name)) {
                continue;
            }
            const auto least = how_.least.find(name);
            const std::size_t end = least == how_.least.end() ? 1 : least->second;
            for (std::size_t step = sizes_[name] / 2; step > 0; step /= 2) {
                for (std::size_t first = 0; first < sizes_[name] && sizes_[name] >= end + step;) {
                    const std::size_t last = std::min(first + step, sizes_[name]);
                    if (last - first == step && try_these(without(name, first, last))) {
                        sizes_[name] -= step;
                        any = true;
                    } else {
                        first += step;
                    }
                    if (how_.calls <= 0) {
                        return any;
                    }
                }
            }
        }
        return any;
    }

    bool plainer() {
        bool any = false;
        for (std::size_t k = 0; k < best_.size() && how_.calls > 0; ++k) {
            any = left_out(k) || any;
            const Array* array = std::get_if<Array>(&best_[k].data);
            if (array == nullptr) {
                any = shorter_list(k) || any;
                continue;
            }
            const std::size_t count = array->count();
            if (array->kind == 'b') {
                for (std::size_t at = 0; at < count; ++at) {
                    any = set_bool(k, at) || any;
                }
            } else if (array->kind == 'f' && array->size == sizeof(double)) {
                any = set_all(k, 0) || any;
                for (std::size_t at = 0; at < count; ++at) {
                    any = plainer_number(k, at) || any;
                }
            }
        }
        return any;
    }

    bool shorter_list(std::size_t k) {
        bool any = false;
        const List* list = std::get_if<List>(&best_[k].data);
        for (std::size_t at = list == nullptr ? 0 : list->size(); at-- > 0;) {
            List changed = best_;
            List& shorter = std::get<List>(changed[k].data);
            shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(at));
            any = try_these(std::move(changed)) || any;
        }
        return any;
    }

    bool left_out(std::size_t k) {
        List changed = best_;
        changed[k] = Value{};
        return k < how_.optional.size() && how_.optional[k] &&
               !std::holds_alternative<std::monostate>(best_[k].data) &&
               try_these(std::move(changed));
    }

    double number(std::size_t k, std::size_t at) const {
        return std::get<Array>(best_[k].data).at(at);
    }

    bool set(std::size_t k, std::size_t at, double value) {
        if (value == number(k, at)) {
            return false;
        }
        List changed = best_;
        std::memcpy(std::get<Array>(changed[k].data).bytes.data() + at * sizeof(double), &value,
                    sizeof(double));
        return try_these(std::move(changed));
    }

    bool set_all(std::size_t k, double value) {
        List changed = best_;
        Array& array = std::get<Array>(changed[k].data);
        for (std::size_t at = 0; at < array.count(); ++at) {
            std::memcpy(array.bytes.data() + at * sizeof(double), &value, sizeof(double));
        }
        return array.bytes != std::get<Array>(best_[k].data).bytes && try_these(std::move(changed));
    }

    /// What is blocked is allowed, if that fails, too.
    bool set_bool(std::size_t k, std::size_t at) {
        List changed = best_;
        char& place = std::get<Array>(changed[k].data).bytes[at];
        if (place != 0) {
            return false;
        }
        place = 1;
        return try_these(std::move(changed));
    }

    /// Towards 0, 1, and whole numbers of few digits.
    bool plainer_number(std::size_t k, std::size_t at) {
        bool any = false;
        for (const double simple : {0.0, 1.0, 2.0, -1.0}) {
            if (number(k, at) == simple) {
                return any;
            }
            if (set(k, at, simple)) {
                return true;
            }
        }
        any = number(k, at) < 0 && set(k, at, -number(k, at));
        const auto smaller = [&](auto next) {
            while (how_.calls > 0 && std::abs(next(number(k, at))) < std::abs(number(k, at)) &&
                   set(k, at, next(number(k, at)))) {
                any = true;
            }
        };
        smaller([](double x) { return x > 1e4 ? std::sqrt(x) : x; });
        smaller([](double x) { return x / 2; });
        smaller([](double x) { return x * 0.9; });
        const double size = std::abs(number(k, at)); // 710 is nearer to where exp ends than 800
        for (const int digits : {size >= 100 && size < 1e4 ? 2 : 1, 2, 3}) {
            const double x = number(k, at);
            const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) - digits + 1);
            const bool round =
                std::round(x / unit) * unit == x || set(k, at, std::round(x / unit) * unit) ||
                set(k, at, std::ceil(x / unit) * unit) || set(k, at, std::floor(x / unit) * unit);
            if (round) {
                smaller([=](double y) { return y - std::copysign(unit, y); });
                return any || number(k, at) != x;
            }
        }
        return any;
    }
};

} // namespace

List shrunk(List arguments, Shrinking how) {
    return Shrinker(std::move(arguments), std::move(how)).run();
}

} // namespace domain
