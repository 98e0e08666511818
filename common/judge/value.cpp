#include "judge/value.hpp"

#include <sstream>

template class std::vector<judge::Value>;

namespace judge {

Data::Data() = default;
Data::Data(const Data& other) = default;
Data::Data(Data&& other) noexcept = default;
Data& Data::operator=(const Data& other) = default;
Data& Data::operator=(Data&& other) noexcept = default;
Data::~Data() = default;

namespace {

template <class T>
double read(const std::string& bytes, std::size_t i) {
    T element;
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    return static_cast<double>(element);
}

std::string element_name(const Array& array) {
    if (array.kind == 'b') {
        return "bool";
    }
    const std::string base = array.kind == 'f' ? "float" : array.kind == 'i' ? "int" : "uint";
    return base + std::to_string(8 * array.size);
}

} // namespace

double Array::at(std::size_t i) const {
    switch (kind) {
    case 'f':
        return size == 4 ? read<float>(bytes, i) : read<double>(bytes, i);
    case 'b':
        return read<std::uint8_t>(bytes, i);
    case 'i':
        return size == 1   ? read<std::int8_t>(bytes, i)
               : size == 2 ? read<std::int16_t>(bytes, i)
               : size == 4 ? read<std::int32_t>(bytes, i)
                           : read<std::int64_t>(bytes, i);
    default:
        return size == 1   ? read<std::uint8_t>(bytes, i)
               : size == 2 ? read<std::uint16_t>(bytes, i)
               : size == 4 ? read<std::uint32_t>(bytes, i)
                           : read<std::uint64_t>(bytes, i);
    }
}

void check_array(const Array& array) {
    const bool power = array.size == 1 || array.size == 2 || array.size == 4 || array.size == 8;
    const bool known = (array.kind == 'b' && array.size == 1) ||
                       ((array.kind == 'i' || array.kind == 'u') && power) ||
                       (array.kind == 'f' && (array.size == 4 || array.size == 8));
    if (!known) {
        throw malformed("an array of an element type that does not exist");
    }
    std::size_t bytes = array.size;
    for (const std::size_t extent : array.shape) {
        bytes *= extent;
    }
    if (bytes != array.bytes.size()) {
        throw malformed("an array whose sizes do not match its data");
    }
}

std::string type_name(const Value& value) {
    if (const Array* array = std::get_if<Array>(&value.data)) {
        return element_name(*array) + " array of rank " + std::to_string(array->shape.size());
    }
    static const char* const names[] = {"nothing", "bool",   "integer", "unsigned integer",
                                        "number",  "string", "array",   "list",
                                        "struct"};
    return names[value.data.index()];
}

std::vector<std::string> split_names(const std::string& names) {
    std::vector<std::string> result;
    std::istringstream stream(names);
    for (std::string name; std::getline(stream >> std::ws, name, ',');) {
        name.erase(name.find_last_not_of(' ') + 1);
        result.push_back(name);
    }
    return result;
}

std::size_t numbers_in(const List& values) {
    std::size_t sum = 0;
    for (const Value& value : values) {
        const Array* array = std::get_if<Array>(&value.data);
        sum += array == nullptr ? 1 : array->count();
    }
    return sum;
}

std::size_t bytes_in(const Value& value) {
    std::size_t bytes = sizeof(Value);
    if (const auto* array = std::get_if<Array>(&value.data)) {
        bytes += array->bytes.size();
    } else if (const auto* text = std::get_if<std::string>(&value.data)) {
        bytes += text->size();
    } else if (const auto* list = std::get_if<List>(&value.data)) {
        for (const Value& item : *list) {
            bytes += bytes_in(item);
        }
    } else if (const auto* record = std::get_if<Record>(&value.data)) {
        for (const Value& member : record->members) {
            bytes += bytes_in(member);
        }
    }
    return bytes;
}

} // namespace judge
