#pragma once

// A value on its way between the grader and a submission: one type for everything that an exercise
// takes or returns, so that recording, replaying, comparing and printing are each written once.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace judge {

struct Value;
using List = std::vector<Value>;

/// A dense row-major array. kind and size name the element as numpy does: 'b' bool, 'i' signed,
/// 'u' unsigned, 'f' floating; size in bytes.
struct Array {
    char kind = 'f';
    std::uint8_t size = 8;
    std::vector<std::size_t> shape;
    std::string bytes;

    std::size_t count() const { return size == 0 ? 0 : bytes.size() / size; }
    /// Element i of the flattened array, as a double.
    double at(std::size_t i) const;
};

/// A struct of a lesson: its members in order, with their names.
struct Record {
    std::vector<std::string> names;
    List members;
};

/// monostate represents void and an empty optional. Copied and destroyed in value.cpp: nearly every
/// file uses them, and compiling them there takes long.
struct Data : std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                           Array, List, Record> {
    using variant::variant;
    Data();
    Data(const Data& other);
    Data(Data&& other) noexcept;
    Data& operator=(const Data& other);
    Data& operator=(Data&& other) noexcept;
    ~Data();
};

struct Value {
    Data data;
};

/// A value does not have the wanted type; what() names both types.
class malformed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws malformed if shape and bytes disagree, or if the element type is not one an array can
/// have.
void check_array(const Array& array);

/// Its approximate size in memory.
std::size_t bytes_in(const Value& value);

/// The count of numbers in arrays; any other value counts as one.
std::size_t numbers_in(const List& values);

/// A few words for the type of a value: "float64 array of rank 2", "bool", "nothing".
std::string type_name(const Value& value);

// Specialised by JUDGE_STRUCT.
template <class T>
struct Fields : std::false_type {};

template <class T>
struct Convert;

template <class T>
Value to_value(const T& value) {
    return Convert<T>::to(value);
}
template <class T>
T from_value(const Value& value) {
    return Convert<T>::from(value);
}

template <class T>
const T& expect_alternative(const Value& value, const char* wanted) {
    if (const T* found = std::get_if<T>(&value.data)) {
        return *found;
    }
    throw malformed(std::string("wanted ") + wanted + ", got " + type_name(value));
}

template <>
struct Convert<bool> {
    static Value to(bool value) { return {value}; }
    static bool from(const Value& value) { return expect_alternative<bool>(value, "bool"); }
};

template <class T>
requires std::is_integral_v<T>
struct Convert<T> {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    static Value to(T value) { return {static_cast<Wide>(value)}; }
    static T from(const Value& value) {
        const Wide wide = expect_alternative<Wide>(value, "an integer");
        if (!std::in_range<T>(wide)) {
            throw malformed("wanted a smaller integer, got " + std::to_string(wide));
        }
        return static_cast<T>(wide);
    }
};

template <class T>
requires std::is_floating_point_v<T>
struct Convert<T> {
    static Value to(T value) { return {static_cast<double>(value)}; }
    static T from(const Value& value) {
        return static_cast<T>(expect_alternative<double>(value, "a number"));
    }
};

template <>
struct Convert<std::string> {
    static Value to(const std::string& value) { return {value}; }
    static std::string from(const Value& value) {
        return expect_alternative<std::string>(value, "a string");
    }
};

template <class T>
struct Convert<std::vector<T>> {
    static Value to(const std::vector<T>& values) {
        List list;
        list.reserve(values.size());
        for (const T& value : values) {
            list.push_back(to_value<T>(value));
        }
        return {std::move(list)};
    }
    static std::vector<T> from(const Value& value) {
        const List& list = expect_alternative<List>(value, "a list");
        std::vector<T> values;
        values.reserve(list.size());
        for (const Value& item : list) {
            values.push_back(from_value<T>(item));
        }
        return values;
    }
};

template <class T>
struct Convert<std::optional<T>> {
    static Value to(const std::optional<T>& value) { return value ? to_value<T>(*value) : Value{}; }
    static std::optional<T> from(const Value& value) {
        if (std::holds_alternative<std::monostate>(value.data)) {
            return std::nullopt;
        }
        return from_value<T>(value);
    }
};

template <class T>
requires(Fields<T>::value) struct Convert<T> {
    static Value to(const T& value) {
        Record record;
        record.names = Fields<T>::names();
        std::apply(
            [&](const auto&... member) {
                (record.members.push_back(to_value<std::decay_t<decltype(member)>>(member)), ...);
            },
            Fields<T>::tie(value));
        return {std::move(record)};
    }
    static T from(const Value& value) {
        const Record& record = expect_alternative<Record>(value, "a struct");
        if (record.names != Fields<T>::names() || record.members.size() != record.names.size()) {
            throw malformed("wanted a struct with other members");
        }
        T result;
        std::size_t index = 0;
        std::apply(
            [&](auto&... member) {
                ((member = from_value<std::decay_t<decltype(member)>>(record.members[index++])),
                 ...);
            },
            Fields<T>::tie(result));
        return result;
    }
};

/// "Q, K, V" → {"Q", "K", "V"}.
std::vector<std::string> split_names(const std::string& names);

} // namespace judge

extern template class std::vector<judge::Value>;

/// Lets a lesson's struct travel: JUDGE_STRUCT(lesson::QKV, Q, K, V), at namespace scope, naming
/// all its members in order.
#define JUDGE_STRUCT(Type, ...)                                                                    \
    template <>                                                                                    \
    struct judge::Fields<Type> : std::true_type {                                                  \
        static std::vector<std::string> names() { return judge::split_names(#__VA_ARGS__); }       \
        template <class Struct>                                                                    \
        static auto tie(Struct& value) {                                                           \
            auto& [__VA_ARGS__] = value;                                                           \
            return std::tie(__VA_ARGS__);                                                          \
        }                                                                                          \
    }
