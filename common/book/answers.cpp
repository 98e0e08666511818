#include "book/answers.hpp"

#include <fmt/format.h>

#include "book/values.hpp"
#include "judge/protocol.hpp"
#include "judge/value_json.hpp"

namespace book {

using judge::List;
using judge::Outcome;
using nlohmann::json;

namespace {

/// The name of each outcome, in the order of judge::Outcome.
std::string state_of(const Outcome& outcome) {
    static constexpr std::array<const char*, 10> names{"returned",         "threw",
                                                       "not_started",      "crashed",
                                                       "ran_too_long",     "used_too_much_memory",
                                                       "ended_early",      "no_answer",
                                                       "changed_argument", "fault"};
    static_assert(std::variant_size_v<Outcome> == names.size());
    return names.at(outcome.index());
}

json failed(const std::string& function, const Outcome& outcome) {
    const bool ours = std::holds_alternative<judge::NotStarted>(outcome);
    return {{"ok", false},
            {"state", state_of(outcome)},
            {"words", (ours ? "" : function + " ") + judge::describe(outcome)}};
}

json refused(const std::string& words) {
    return {{"ok", false}, {"state", "bad_request"}, {"words", words}};
}

} // namespace

json Answers::answer(const json& question) {
    const std::string function = question.at("function");
    const Outcome known = learn_types();
    if (!std::holds_alternative<judge::Returned>(known)) {
        return failed(function, known);
    }
    const auto types = types_.find(function);
    if (types == types_.end()) {
        return refused("there is no function " + function);
    }
    const bool many = question.contains("each");
    std::vector<List> calls;
    for (const json& written : many ? question["each"] : json::array({question.at("arguments")})) {
        if (written.size() != types->second.size()) {
            return refused(fmt::format("{} takes {} arguments, got {}", function,
                                       types->second.size(), written.size()));
        }
        List& arguments = calls.emplace_back();
        for (std::size_t i = 0; i < written.size(); ++i) {
            const auto name = [&](const char* member) { // of what is kept between calls
                return written[i].is_object() ? written[i].value(member, "") : "";
            };
            if (const auto kept = kept_.find(name("kept")); kept != kept_.end()) {
                arguments.push_back(kept->second);
                continue;
            }
            if (!name("kept").empty()) {
                return {{"ok", false},
                        {"state", "forgotten"},
                        {"words", "no argument is kept as " + name("kept")}};
            }
            try {
                arguments.push_back(
                    argument_from(written[i], std::get<List>(types->second[i].data)));
            } catch (const judge::malformed& error) {
                return refused(fmt::format("{}, argument {}: {}", function, i + 1, error.what()));
            }
            if (!name("keep").empty()) {
                kept_[name("keep")] = arguments.back();
            }
        }
    }
    json values = json::array();
    for (const Outcome& outcome : call_(function, calls)) {
        const auto* const returned = std::get_if<judge::Returned>(&outcome);
        if (returned == nullptr) {
            return failed(function, outcome);
        }
        values.push_back(judge::json_of(returned->value));
    }
    return {{"ok", true}, {"value", many ? values : values.at(0)}};
}

/// Asks once which functions there are.
Outcome Answers::learn_types() {
    Outcome outcome = judge::Returned{};
    if (types_.empty()) {
        outcome = call_(judge::signatures_query, {{}}).at(0);
        if (const auto* returned = std::get_if<judge::Returned>(&outcome)) {
            for (const judge::Value& each : std::get<List>(returned->value.data)) {
                const List& pair = std::get<List>(each.data);
                types_[std::get<std::string>(pair.at(0).data)] = std::get<List>(pair.at(1).data);
            }
        }
    }
    return outcome;
}

} // namespace book
