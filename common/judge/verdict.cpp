#include "judge/verdict.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "judge/text.hpp"
#include "judge/value_json.hpp"

namespace judge {

namespace {

constexpr std::size_t most_output_lines = 20;

struct StateName {
    const char* id; // in JSON
    const char* text;
    const char* mark;
    const char* colour;
};

constexpr const char* red = "31";
constexpr const char* green = "32";
constexpr const char* yellow = "33";

constexpr std::array<StateName, 9> states{{
    {"not_started", "not started", "·", "2"},
    {"does_not_compile", "does not compile", "✗", red},
    {"wrong", "wrong", "✗", red},
    {"crashed", "crashed", "✗", red},
    {"ran_too_long", "ran too long", "✗", red},
    {"used_too_much_memory", "used too much memory", "✗", red},
    {"ended_early", "ended early", "✗", red},
    {"passed", "passed", "✓", green},
    {"grader_at_fault", "grader at fault", "!", yellow},
}};

const StateName& name_of(State state) {
    return states.at(static_cast<std::size_t>(state));
}

std::string styled(const std::string& text, const char* style, bool colours) {
    return colours ? fmt::format("\x1b[{}m{}\x1b[0m", style, text) : text;
}

nlohmann::json json_of(const std::vector<std::vector<double>>& rows) {
    auto json = nlohmann::json::array();
    for (const auto& row : rows) {
        json.push_back(nlohmann::json::array());
        for (const double number : row) {
            json.back().push_back(number_to_json(number));
        }
    }
    return json;
}

std::vector<std::vector<double>> rows_of(const nlohmann::json& json) {
    std::vector<std::vector<double>> rows;
    for (const auto& row : json) {
        rows.emplace_back();
        for (const auto& number : row) {
            rows.back().push_back(number.is_string() ? std::stod(number.get<std::string>())
                                                     : number.get<double>());
        }
    }
    return rows;
}

constexpr std::array<const char*, 3> certainties{"cause", "look", "hint"}; // in Certainty's order

/// The members that are written to JSON as they are.
template <class Any, class Visit>
void each_member(Any& verdict, const Visit& visit) {
    visit("exercise", verdict.exercise);
    visit("summary", verdict.summary);
    visit("failed_check", verdict.failed_check);
    visit("checks_passed", verdict.checks_passed);
    visit("checks_total", verdict.checks_total);
    visit("details", verdict.details);
    visit("misconception", verdict.mistake);
    visit("explanation", verdict.explanation);
    visit("output", verdict.output);
    visit("output_cut", verdict.output_cut);
    visit("call", verdict.call);
}

} // namespace

std::string state_text(State state) {
    return name_of(state).text;
}

void to_json(nlohmann::json& json, const Verdict& verdict) {
    json = {{"state", name_of(verdict.state).id},
            {"certainty", certainties[static_cast<std::size_t>(verdict.certainty)]},
            {"example",
             {{"yours", json_of(verdict.example.yours)},
              {"expected", json_of(verdict.example.expected)}}}};
    each_member(verdict, [&](const char* name, const auto& member) { json[name] = member; });
}

void from_json(const nlohmann::json& json, Verdict& verdict) {
    const auto id = json.at("state").get<std::string>();
    verdict.state = State::grader_at_fault;
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (id == states[i].id) {
            verdict.state = static_cast<State>(i);
        }
    }
    each_member(verdict, [&](const char* name, auto& member) { json.at(name).get_to(member); });
    const auto certainty = std::ranges::find(certainties, json.at("certainty").get<std::string>());
    verdict.certainty = static_cast<Certainty>(certainty - certainties.begin());
    verdict.example = {rows_of(json.at("example").at("yours")),
                       rows_of(json.at("example").at("expected"))};
}

std::string json_text(const Verdict& verdict) {
    return nlohmann::json(verdict).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
           "\n";
}

std::string sentence(const std::string& text) {
    const std::size_t last = text.find_last_not_of("\"')");
    const std::string_view said(text.data(), last == std::string::npos ? 0 : last + 1);
    const bool ended =
        said.ends_with('.') || said.ends_with('!') || said.ends_with('?') || said.ends_with("…");
    return ended ? text : text + ".";
}

std::string render(const Verdict& verdict, const RenderOptions& options) {
    const StateName& state = name_of(verdict.state);
    std::string text =
        fmt::format("{} {}\n",
                    styled(fmt::format("{} {} {}:", state.mark, verdict.exercise, options.name),
                           "1", options.colours),
                    styled(state.text, state.colour, options.colours));
    const auto add = [&](const Block& lines) {
        for (const std::string& line : lines) {
            text += line + "\n";
        }
    };
    if (!verdict.failed_check.empty()) {
        add(wrap(fmt::format("{} of {} checks pass. The first that does not: {}",
                             verdict.checks_passed, verdict.checks_total, verdict.failed_check),
                 "  ", options.width));
    } else if (verdict.state == State::passed) {
        text += fmt::format("  all {} checks pass\n", verdict.checks_total);
    }
    if (!verdict.details.empty()) {
        text += "\n";
        for (const std::string& line : verdict.details) {
            text += line.empty() ? "\n" : "  " + printable(line) + "\n";
        }
    }
    if (!verdict.summary.empty()) {
        text += "\n";
        add(wrap(printable(verdict.summary), "  ", options.width));
    }
    if (!verdict.explanation.empty()) {
        const std::string before = verdict.certainty == Certainty::hint ? "" : "Most likely: ";
        text += "\n";
        for (const std::string& line : wrap(before + verdict.explanation, "  ", options.width)) {
            text += styled(line, "1", options.colours) + "\n";
        }
    }
    if (options.output && !verdict.output.empty()) {
        text += "\n  your output:\n";
        const auto lines = show::lines_of(verdict.output);
        for (std::size_t i = 0; i < std::min(lines.size(), most_output_lines); ++i) {
            text += styled("  | " + printable(lines[i]), "2", options.colours) + "\n";
        }
        if (lines.size() > most_output_lines || verdict.output_cut) {
            text += styled("  | … and more", "2", options.colours) + "\n";
        }
    }
    return text;
}

std::string summary_line(const Verdict& verdict, const std::string& name, bool colours) {
    const StateName& state = name_of(verdict.state);
    return fmt::format("{} {}  {:<28}  {}", state.mark, verdict.exercise, name,
                       styled(state.text, state.colour, colours));
}

} // namespace judge
