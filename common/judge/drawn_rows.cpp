#include "judge/drawn_rows.hpp"

namespace judge {

constexpr std::size_t most_drawn = 1024; // numbers

std::vector<std::vector<double>> rows_of(const Value& value) {
    if (const Record* record = std::get_if<Record>(&value.data)) {
        std::vector<std::vector<double>> curve;
        for (std::size_t i = 0; i < record->members.size(); ++i) {
            const Value& member = record->members[i];
            const Array* array = std::get_if<Array>(&member.data);
            const List* list = std::get_if<List>(&member.data);
            if (record->names[i] == "weights" && array != nullptr && array->shape.size() == 3 &&
                array->shape[0] > 0) {
                Array first = *array;
                first.shape.erase(first.shape.begin());
                first.bytes.resize(first.bytes.size() / array->shape[0]);
                return rows_of({first});
            }
            curve.emplace_back();
            for (std::size_t k = 0; array != nullptr && k < array->count(); ++k) {
                curve.back().push_back(array->at(k));
            }
            for (std::size_t k = 0; list != nullptr && k < list->size(); ++k) {
                const auto* number = std::get_if<std::uint64_t>(&(*list)[k].data);
                curve.back().push_back(number == nullptr ? 0 : static_cast<double>(*number));
            }
        }
        return curve;
    }
    const Array* array = std::get_if<Array>(&value.data);
    std::vector<std::vector<double>> rows;
    if (array != nullptr && array->shape.size() == 2 && array->count() <= most_drawn) {
        for (std::size_t k = 0; k < array->count(); ++k) {
            if (k % array->shape[1] == 0) {
                rows.emplace_back();
            }
            rows.back().push_back(array->at(k));
        }
    }
    return rows;
}

} // namespace judge
