#include "judge/compare.hpp"

#include <cmath>

namespace judge {

namespace {

/// The error, in units of the allowed one: 1 or less agrees.
double excess(double actual, double expected, Tolerance tolerance) {
    if (actual == expected || (std::isnan(actual) && std::isnan(expected))) {
        return 0;
    }
    if (!std::isfinite(actual) || !std::isfinite(expected)) {
        return std::numeric_limits<double>::infinity();
    }
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
    const double off = std::abs(actual - expected);
    return allowed > 0 ? off / allowed : std::numeric_limits<double>::infinity();
}

std::vector<std::size_t> unravel(std::size_t flat, const std::vector<std::size_t>& shape) {
    std::vector<std::size_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) {
        index[axis] = flat % shape[axis];
    }
    return index;
}

std::optional<Mismatch> compare_arrays(const Array& actual, const Array& expected,
                                       Tolerance tolerance) {
    if (actual.shape != expected.shape) {
        return Mismatch{.shape = true};
    }
    tolerance = expected.kind == 'f' ? tolerance : exact;
    double largest = 0;
    for (std::size_t i = 0; tolerance.of_largest > 0 && i < expected.count(); ++i) {
        const double size = std::abs(expected.at(i));
        largest = std::isfinite(size) ? std::max(largest, size) : largest;
    }
    tolerance.absolute += tolerance.of_largest * largest;
    double worst = 1;
    std::optional<Mismatch> found;
    for (std::size_t i = 0; i < expected.count(); ++i) {
        const double off = excess(actual.at(i), expected.at(i), tolerance);
        if (off > worst) {
            worst = off;
            found = Mismatch{"", false, unravel(i, expected.shape), expected.at(i), actual.at(i)};
        }
    }
    return found;
}

std::string item_name(std::size_t i) {
    return "[" + std::to_string(i) + "]";
}

std::optional<Mismatch> compare_members(const List& actual, const List& expected,
                                        const std::vector<std::string>& names,
                                        Tolerance tolerance) {
    if (actual.size() != expected.size()) {
        return Mismatch{.shape = true};
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (auto mismatch = compare(actual[i], expected[i], tolerance)) {
            mismatch->member = i < names.size() ? names[i] : item_name(i);
            return mismatch;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<double> scalar_of(const Value& value) {
    return std::visit(
        [](const auto& alternative) -> std::optional<double> {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(alternative)>>) {
                return static_cast<double>(alternative);
            } else {
                return std::nullopt;
            }
        },
        value.data);
}

std::optional<Mismatch> compare(const Value& actual, const Value& expected, Tolerance tolerance) {
    if (actual.data.index() != expected.data.index()) {
        return Mismatch{.shape = true};
    }
    if (const auto* array = std::get_if<Array>(&expected.data)) {
        return compare_arrays(std::get<Array>(actual.data), *array, tolerance);
    }
    if (const auto* record = std::get_if<Record>(&expected.data)) {
        return compare_members(std::get<Record>(actual.data).members, record->members,
                               record->names, tolerance);
    }
    if (const auto* list = std::get_if<List>(&expected.data)) {
        return compare_members(std::get<List>(actual.data), *list, {}, tolerance);
    }
    if (const auto number = scalar_of(expected)) {
        const double got = *scalar_of(actual);
        tolerance = std::holds_alternative<double>(expected.data) ? tolerance : exact;
        tolerance.relative += tolerance.of_largest;
        return excess(got, *number, tolerance) > 1
                   ? std::optional(Mismatch{"", false, {}, *number, got})
                   : std::nullopt;
    }
    const auto* text = std::get_if<std::string>(&expected.data);
    return text == nullptr || *text == std::get<std::string>(actual.data)
               ? std::nullopt
               : std::optional(Mismatch{});
}

bool same_form(const Value& a, const Value& b) {
    const auto among = [](const List& items, const List& others) {
        return std::equal(items.begin(), items.end(), others.begin(), others.end(), same_form);
    };
    if (a.data.index() != b.data.index()) {
        return false;
    }
    if (const auto* array = std::get_if<Array>(&a.data)) {
        const Array& other = std::get<Array>(b.data);
        return array->kind == other.kind && array->shape == other.shape;
    }
    if (const auto* record = std::get_if<Record>(&a.data)) {
        return among(record->members, std::get<Record>(b.data).members);
    }
    const auto* list = std::get_if<List>(&a.data);
    return list == nullptr || among(*list, std::get<List>(b.data));
}

namespace {

bool is_undefined_number(double actual, double right) {
    return (std::isfinite(right) && !std::isfinite(actual)) ||
           (std::isnan(actual) && !std::isnan(right));
}

/// Replaces each undefined number by the right one; returns whether there was one.
bool define(Value& actual, const Value& right) {
    const auto define_all = [](List& items, const List& others) {
        bool found = false;
        for (std::size_t i = 0; i < std::min(items.size(), others.size()); ++i) {
            found = define(items[i], others[i]) || found;
        }
        return found;
    };
    if (actual.data.index() != right.data.index()) {
        return false;
    }
    bool found = false;
    if (const auto* array = std::get_if<Array>(&right.data)) {
        Array& mine = std::get<Array>(actual.data);
        const bool alike =
            mine.shape == array->shape && mine.kind == array->kind && mine.size == array->size;
        for (std::size_t i = 0; alike && i < mine.count(); ++i) {
            if (is_undefined_number(mine.at(i), array->at(i))) {
                found = true;
                mine.bytes.replace(i * mine.size, mine.size, array->bytes, i * mine.size,
                                   mine.size);
            }
        }
    } else if (const auto* record = std::get_if<Record>(&right.data)) {
        found = define_all(std::get<Record>(actual.data).members, record->members);
    } else if (const auto* list = std::get_if<List>(&right.data)) {
        found = define_all(std::get<List>(actual.data), *list);
    } else if (const auto* number = std::get_if<double>(&right.data)) {
        found = is_undefined_number(std::get<double>(actual.data), *number);
        actual.data = found ? Data(*number) : actual.data;
    }
    return found;
}

} // namespace

bool is_undefined(Value actual, const Value& right) {
    return define(actual, right);
}

Value where_defined(Value actual, const Value& right) {
    define(actual, right);
    return actual;
}

std::string index_text(const std::vector<std::size_t>& index) {
    std::string text;
    for (const std::size_t i : index) {
        text += (text.empty() ? "" : ", ") + std::to_string(i);
    }
    return "(" + text + (index.size() == 1 ? ",)" : ")");
}

std::string shape_text(const Value& value) {
    const Array* array = std::get_if<Array>(&value.data);
    return array == nullptr ? "" : index_text(array->shape);
}

const Value& member_of(const Value& value, const std::string& name) {
    if (const Record* record = std::get_if<Record>(&value.data)) {
        for (std::size_t i = 0; i < record->names.size(); ++i) {
            if (record->names[i] == name) {
                return record->members[i];
            }
        }
    }
    if (const List* list = std::get_if<List>(&value.data)) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (name == item_name(i)) {
                return (*list)[i];
            }
        }
    }
    return value;
}

} // namespace judge
