#include "judge/value_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace judge {

namespace {

nlohmann::json array_to(const Array& array) {
    nlohmann::json data = nlohmann::json::array();
    for (std::size_t i = 0; i < array.count(); ++i) {
        array.kind == 'b' ? data.push_back(array.at(i) != 0)
                          : data.push_back(number_to_json(array.at(i)));
    }
    const nlohmann::json whole{{"shape", array.shape}, {"data", std::move(data)}};
    return array.kind == 'b' ? nlohmann::json{{"bool", whole}} : whole;
}

} // namespace

nlohmann::json number_to_json(double number) {
    if (std::isnan(number)) {
        return "NaN";
    }
    if (std::isinf(number)) {
        return number > 0 ? "Infinity" : "-Infinity";
    }
    return number;
}

nlohmann::json json_of(const Value& value) {
    return std::visit(
        [](const auto& held) -> nlohmann::json {
            using T = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<T, std::monostate>) {
                return nullptr;
            } else if constexpr (std::is_same_v<T, double>) {
                return number_to_json(held);
            } else if constexpr (std::is_same_v<T, Array>) {
                return array_to(held);
            } else if constexpr (std::is_same_v<T, List>) {
                nlohmann::json list = nlohmann::json::array();
                for (const Value& item : held) {
                    list.push_back(json_of(item));
                }
                return list;
            } else if constexpr (std::is_same_v<T, Record>) {
                nlohmann::json record = nlohmann::json::object();
                for (std::size_t i = 0; i < held.members.size(); ++i) {
                    record[held.names.at(i)] = json_of(held.members[i]);
                }
                return record;
            } else {
                return held;
            }
        },
        value.data);
}

std::string json_text(const std::string& function, const std::vector<std::string>& parameters,
                      const List& arguments) {
    nlohmann::json list = nlohmann::json::array();
    for (const Value& argument : arguments) {
        list.push_back(json_of(argument));
    }
    return nlohmann::json{{"function", function}, {"parameters", parameters}, {"arguments", list}}
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace judge
