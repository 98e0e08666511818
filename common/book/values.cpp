#include "book/values.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace book {

using judge::Array;
using judge::List;
using judge::malformed;
using judge::Record;
using judge::Value;
using nlohmann::json;

namespace {

template <class T>
const T& part(const List& type, std::size_t index) {
    return std::get<T>(type.at(index).data);
}

double number_from(const json& written) {
    if (written.is_number()) {
        return written.get<double>();
    }
    if (written.is_boolean()) {
        return written.get<bool>() ? 1 : 0;
    }
    if (written == "NaN") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (written == "Infinity" || written == "-Infinity") {
        return (written == "Infinity" ? 1 : -1) * std::numeric_limits<double>::infinity();
    }
    throw malformed("wanted a number, got " + written.dump().substr(0, 40));
}

template <class T>
void append(std::string& bytes, double number) {
    if constexpr (std::is_integral_v<T>) {
        // Half-open, because the largest 64-bit integers are not doubles.
        const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
        if (!(number >= static_cast<double>(std::numeric_limits<T>::lowest())) || number >= end ||
            number != std::floor(number)) {
            throw malformed(fmt::format("wanted a whole number, got {}", number));
        }
    }
    const T element = static_cast<T>(number);
    bytes.append(reinterpret_cast<const char*>(&element), sizeof element);
}

void append(std::string& bytes, char kind, std::size_t size, double number) {
    if (kind == 'b') {
        bytes.push_back(number != 0 ? '\1' : '\0');
    } else if (kind == 'f') {
        size == 8 ? append<double>(bytes, number) : append<float>(bytes, number);
    } else if (kind == 'u') {
        size == 8 ? append<std::uint64_t>(bytes, number) : append<std::uint32_t>(bytes, number);
    } else {
        size == 8 ? append<std::int64_t>(bytes, number) : append<std::int32_t>(bytes, number);
    }
}

/// Sizes along the axes, whose product is the number of elements.
std::vector<std::size_t> shape_from(const json& written, std::size_t elements) {
    std::vector<std::size_t> shape;
    std::size_t product = 1;
    for (const json& size : written) {
        if (!size.is_number_unsigned() || size.get<std::size_t>() > (std::size_t{1} << 20)) {
            throw malformed("wanted a shape, got " + written.dump().substr(0, 40));
        }
        shape.push_back(size.get<std::size_t>());
        product *= shape.back();
    }
    if (product != elements) {
        throw malformed(
            fmt::format("wanted {} elements, as its shape says, got {}", product, elements));
    }
    return shape;
}

Value array_from(const json& written, const List& type) {
    const char kind = part<std::string>(type, 1).at(0);
    const auto size = part<std::uint64_t>(type, 2);
    const auto rank = part<std::int64_t>(type, 3);
    const json& inner = written.is_object() && written.contains("bool") ? written["bool"] : written;
    if (!inner.is_object() || !inner.contains("shape") || !inner.contains("data") ||
        !inner["shape"].is_array() || !inner["data"].is_array()) {
        throw malformed("wanted an array with its shape, got " + written.dump().substr(0, 40));
    }
    Array array{kind, static_cast<std::uint8_t>(size),
                shape_from(inner["shape"], inner["data"].size()), ""};
    if (rank >= 0 && array.shape.size() != static_cast<std::size_t>(rank)) {
        throw malformed(
            fmt::format("wanted an array of rank {}, got rank {}", rank, array.shape.size()));
    }
    for (const json& element : inner["data"]) {
        append(array.bytes, kind, size, number_from(element));
    }
    return {std::move(array)};
}

Value struct_from(const json& written, const List& type) {
    Record record;
    for (std::size_t i = 1; i < type.size(); ++i) {
        const List& member = part<List>(type, i);
        const std::string& name = part<std::string>(member, 0);
        if (!written.is_object() || !written.contains(name)) {
            throw malformed("wanted a struct with a member " + name);
        }
        record.names.push_back(name);
        record.members.push_back(argument_from(written[name], part<List>(member, 1)));
    }
    return {std::move(record)};
}

} // namespace

Value argument_from(const json& written, const List& type) {
    const std::string& kind = part<std::string>(type, 0);
    if (kind == "array") {
        return array_from(written, type);
    }
    if (kind == "struct") {
        return struct_from(written, type);
    }
    if (kind == "optional") {
        return written.is_null() ? Value{} : argument_from(written, part<List>(type, 1));
    }
    if (kind == "list") {
        if (!written.is_array()) {
            throw malformed("wanted a list, got " + written.dump().substr(0, 40));
        }
        List list;
        for (const json& item : written) {
            list.push_back(argument_from(item, part<List>(type, 1)));
        }
        return {std::move(list)};
    }
    if (kind == "text" && written.is_string()) {
        return {written.get<std::string>()};
    }
    if (kind == "bool" && written.is_boolean()) {
        return {written.get<bool>()};
    }
    if (kind == "size" && written.is_number_unsigned()) {
        return {written.get<std::uint64_t>()};
    }
    if (kind == "int" && written.is_number_integer()) {
        return {written.get<std::int64_t>()};
    }
    if (kind == "number" && !written.is_boolean()) {
        return {number_from(written)};
    }
    throw malformed("wanted a " + kind + ", got " + written.dump().substr(0, 40));
}

std::size_t count_elements(const json& written, int depth) {
    if (!written.is_structured()) {
        return 1;
    }
    if (depth == 0) { // deeper than any argument: json::dump would use up the stack
        return std::size_t{1} << 32;
    }
    std::size_t count = 0;
    for (const json& item : written) {
        count += count_elements(item, depth - 1);
    }
    return count;
}

} // namespace book
