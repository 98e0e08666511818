#include "support/shrink.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
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
        bool smaller = way_ != Failing::not_at_all && way_ != Failing::ending;
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

    /// For each axis and each count: the one factor that is not known yet.
    Sizes sizes_of(const List& arguments) const {
        Sizes sizes;
        const auto learn = [&](const std::vector<std::string>& factors, std::size_t product) {
            std::string unknown;
            for (const std::string& factor : factors) {
                if (is_number(factor)) {
                    sizes[factor] = std::stoul(factor);
                }
                if (sizes.contains(factor)) {
                    product /= sizes[factor];
                } else if (!unknown.empty()) {
                    return;
                } else {
                    unknown = factor;
                }
            }
            if (!unknown.empty()) {
                sizes[unknown] = product;
            }
        };
        constexpr int rounds = 3; // one argument may have the size that another needs
        for (std::size_t k = 0; k < rounds * arguments.size(); ++k) {
            const Value& argument = arguments[k % arguments.size()];
            const Axes& axes = how_.axes[k % arguments.size()];
            const Array* array = std::get_if<Array>(&argument.data);
            const auto* count = std::get_if<std::uint64_t>(&argument.data);
            for (std::size_t axis = 0; axis < axes.size(); ++axis) {
                if (array != nullptr || count != nullptr) {
                    learn(axes[axis], count != nullptr ? *count : array->shape[axis]);
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
            const Axes& axes = how_.axes[k];
            auto* count = std::get_if<std::uint64_t>(&smaller[k].data);
            if (count != nullptr && !axes.empty()) {
                *count = shape_of(axes, sizes)[0];
            }
            Array* array = std::get_if<Array>(&smaller[k].data);
            for (std::size_t axis = 0; array != nullptr && axis < axes.size(); ++axis) {
                const auto found = std::ranges::find(axes[axis], size);
                if (found !=
                    axes[axis].end()) { // each index has as many elements as those after it
                    const Axes after{{found + 1, axes[axis].end()}};
                    drop(*array, axis, shape_of(after, sizes_)[0], sizes_.at(size), first, last);
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
        for (auto& [name, size] : sizes_) {
            const std::size_t least = how_.least.contains(name) ? how_.least.at(name) : 1;
            for (std::size_t step = is_number(name) ? 0 : size / 2; step > 0; step /= 2) {
                for (std::size_t first = 0;
                     first + step <= size && size >= least + step && how_.calls > 0;) {
                    if (try_these(without(name, first, first + step))) {
                        size -= step;
                        any = true;
                    } else {
                        first += step;
                    }
                }
            }
        }
        return any;
    }

    bool plainer() {
        bool any = false;
        for (std::size_t k = 0; k < best_.size(); ++k) {
            if (k < how_.optional.size() && how_.optional[k] &&
                !std::holds_alternative<std::monostate>(best_[k].data)) {
                any = change(k, [](Value& value) { value = {}; }) || any;
            }
            const Array* array = std::get_if<Array>(&best_[k].data);
            const std::size_t count = array == nullptr ? 0 : array->count();
            if (array != nullptr && array->kind == 'b') { // what is blocked is allowed
                for (std::size_t at = 0; at < count; ++at) {
                    any = (number(k, at) == 0 && set(k, at, true)) || any;
                }
            } else if (array != nullptr && array->kind == 'f' && array->size == sizeof(double)) {
                const auto to_zero = [](Value& value) {
                    std::ranges::fill(std::get<Array>(value.data).bytes, '\0');
                };
                any = change(k, to_zero) || any;
                for (std::size_t at = 0; at < count; ++at) {
                    any = plainer_number(k, at) || any;
                }
            }
        }
        return any;
    }

    double number(std::size_t k, std::size_t at) const {
        return std::get<Array>(best_[k].data).at(at);
    }

    template <class Edit>
    bool change(std::size_t k, const Edit& edit) {
        if (how_.calls <= 0) {
            return false;
        }
        List changed = best_;
        edit(changed[k]);
        return try_these(std::move(changed));
    }

    template <class T>
    bool set(std::size_t k, std::size_t at, T to) {
        return number(k, at) != static_cast<double>(to) && change(k, [=](Value& value) {
                   std::memcpy(std::get<Array>(value.data).bytes.data() + at * sizeof to, &to,
                               sizeof to);
               });
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
