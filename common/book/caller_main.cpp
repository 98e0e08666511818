// The program that calls a submission for a figure: reads a question per line, as JSON,
//   {"function": "softmax_rows", "arguments": […]}
// and writes its answer, a line too. A process of its own, because whoever judges adopts what a
// submission leaves behind and ends it, and the server has other children.

#include <csignal>
#include <iostream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "book/values.hpp"
#include "judge/child.hpp"
#include "judge/protocol.hpp"
#include "judge/value_json.hpp"

namespace {

using judge::List;
using judge::Outcome;
using nlohmann::json;

/// As for a grade, but somebody waits with a slider in hand.
judge::Limits limits() {
    judge::Limits limits = judge::default_limits();
    limits.time /= 2;
    limits.reply = std::size_t{8} << 20;
    return limits;
}

/// The name of each outcome other than a value, in the order of judge::Outcome.
std::string state_of(const Outcome& outcome) {
    static constexpr std::array<const char*, 10> names{"returned",         "threw",
                                                       "not_started",      "crashed",
                                                       "ran_too_long",     "used_too_much_memory",
                                                       "ended_early",      "no_answer",
                                                       "changed_argument", "fault"};
    static_assert(std::variant_size_v<Outcome> == names.size());
    return names.at(outcome.index());
}

class Caller {
public:
    explicit Caller(const std::string& submission) : child_(submission, limits()) {}

    json answer(const json& question) {
        const std::string function = question.at("function");
        const Outcome known = learn_types();
        if (!std::holds_alternative<judge::Returned>(known)) {
            return failed(function, known);
        }
        const auto types = types_.find(function);
        if (types == types_.end()) {
            return refused("there is no function " + function);
        }
        const json& written = question.at("arguments");
        if (written.size() != types->second.size()) {
            return refused(fmt::format("{} takes {} arguments, got {}", function,
                                       types->second.size(), written.size()));
        }
        List arguments;
        try {
            for (std::size_t i = 0; i < written.size(); ++i) {
                arguments.push_back(argument(written[i], std::get<List>(types->second[i].data)));
            }
        } catch (const Forgotten& error) {
            return {{"ok", false}, {"state", "forgotten"}, {"words", error.what()}};
        } catch (const judge::malformed& error) {
            return refused(
                fmt::format("{}, argument {}: {}", function, arguments.size() + 1, error.what()));
        }
        const Outcome outcome = child_.call(function, arguments);
        if (const auto* returned = std::get_if<judge::Returned>(&outcome)) {
            return {{"ok", true},
                    {"value", judge::json_of(returned->value)},
                    {"printed", child_.output()}};
        }
        return failed(function, outcome);
    }

private:
    struct Forgotten : std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    /// {"keep": NAME, …} is an argument that later calls name instead: {"kept": NAME}.
    judge::Value argument(const json& written, const List& type) {
        if (written.is_object() && written.contains("kept")) {
            const auto name = written["kept"].get<std::string>();
            const auto found = kept_.find(name);
            if (found == kept_.end()) {
                throw Forgotten("no argument is kept as " + name);
            }
            return found->second;
        }
        judge::Value value = book::argument_from(written, type);
        if (written.is_object() && written.contains("keep")) {
            kept_[written["keep"].get<std::string>()] = value;
        }
        return value;
    }

    /// Asks once which functions there are.
    Outcome learn_types() {
        Outcome outcome = judge::Returned{};
        if (types_.empty()) {
            outcome = child_.call(judge::signatures_query, {});
            if (const auto* returned = std::get_if<judge::Returned>(&outcome)) {
                for (const judge::Value& each : std::get<List>(returned->value.data)) {
                    const List& pair = std::get<List>(each.data);
                    types_[std::get<std::string>(pair.at(0).data)] =
                        std::get<List>(pair.at(1).data);
                }
            }
        }
        return outcome;
    }

    json failed(const std::string& function, const Outcome& outcome) const {
        const bool ours = std::holds_alternative<judge::NotStarted>(outcome);
        return {{"ok", false},
                {"state", state_of(outcome)},
                {"words", (ours ? "" : function + " ") + judge::describe(outcome)},
                {"printed", child_.output()}};
    }

    static json refused(const std::string& words) {
        return {{"ok", false}, {"state", "bad_request"}, {"words", words}};
    }

    judge::Child child_;
    std::map<std::string, List> types_; // of each function's parameters
    std::map<std::string, judge::Value> kept_;
};

void stop(int /*signal*/) {
    judge::interrupted = 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "book_caller: started by ./course book, with a submission\n";
        return 2;
    }
    struct sigaction action {}; // without SA_RESTART: reading ends, too
    action.sa_handler = stop;
    sigaction(SIGTERM, &action, nullptr);
    Caller caller(argv[1]);
    for (std::string line; judge::interrupted == 0 && std::getline(std::cin, line);) {
        json answer;
        try {
            answer = caller.answer(json::parse(line));
        } catch (const std::exception& error) { // not what the server writes
            answer = {{"ok", false}, {"state", "fault"}, {"words", error.what()}};
        }
        std::cout << answer.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    }
    return 0;
}
