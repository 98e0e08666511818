#include "course/explain/advice.hpp"

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "course/explain/pattern.hpp"
#include "course/files.hpp"

namespace course {

void from_json(const nlohmann::json& json, AdviceExample& example) {
    example = {json.value("by", ""), json.at("says"), json.value("source", "")};
}

namespace {

using Patterns = std::vector<std::string>;

AdviceRow row_from(const nlohmann::json& json) {
    return {.when = json.at("when"),
            .line = json.value("line", Patterns()),
            .near = json.value("near", Patterns()),
            .ends = json.value("ends", ""),
            .above = json.value("above", false),
            .names = json.value("names", std::map<std::string, std::string>()),
            .say = json.at("say"),
            .examples = json.value("examples", std::vector<AdviceExample>())};
}

/// A part of advice.json. Without that file a learner still reads the compiler's message.
std::vector<AdviceRow> read_rows(const char* part) {
    const auto json = nlohmann::json::parse(read_file(COURSE_ADVICE).value_or("{}"));
    std::vector<AdviceRow> rows;
    for (const nlohmann::json& row : json.value(part, nlohmann::json::array())) {
        rows.push_back(row_from(row));
    }
    return rows;
}

/// A line without its comment and the spaces at its end.
std::string code_of(const std::string& line) {
    const std::string code = line.substr(0, line.find("//"));
    return code.substr(0, code.find_last_not_of(" \t\r") + 1);
}

/// The place of an error, as rows look at it.
struct Place {
    std::size_t line;
    bool first_in_line;     // the error is at the first word
    std::size_t line_above; // the last one above with code in it; 0 if none
    std::string code;
    std::string code_above;
    std::string near;
};

Place place_of(const Diagnostic& error, const std::string& source) {
    Place place{error.line, false, 0, code_of(line_of(source, error.line)), "", ""};
    place.first_in_line =
        error.column > 0 && place.code.find_first_not_of(" \t") == error.column - 1;
    // With #line a compiler may report any line: this goes through the real ones, once.
    std::istringstream lines(source);
    std::string text;
    for (std::size_t line = 1; line < error.line && std::getline(lines, text); ++line) {
        if (std::string code = code_of(text); !code.empty()) {
            place.code_above = std::move(code);
            place.line_above = line;
        }
    }
    for (std::size_t back = std::min<std::size_t>(error.line, 4); back-- > 0;) {
        place.near += code_of(line_of(source, error.line - back)) + '\n';
    }
    return place;
}

/// Whether one of the patterns is in the text, or there are none; adds the names that it found.
bool fits(const Patterns& patterns, const std::string& text, Names& names) {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& each) {
               const auto found = look_for(each, text, names);
               names = found ? found->names : names;
               return found.has_value();
           });
}

/// The advice of a row, if it fits.
std::optional<Advice> apply(const AdviceRow& row, const std::string& message, const Place& place) {
    Names names;
    if (!fits(row.when, message, names) || !fits(row.near, place.near, names) ||
        !fits(row.line, place.code, names)) {
        return std::nullopt;
    }
    if (!row.names.empty()) {
        const auto named = row.names.find(std::string(names[0]));
        if (named == row.names.end()) {
            return std::nullopt;
        }
        names[1] = named->second;
    }
    const bool here = place.code.ends_with(row.ends);
    if (!here && !place.code_above.ends_with(row.ends)) {
        return std::nullopt;
    }
    const bool up = !here || (row.above && place.first_in_line);
    return Advice{fill_in(row.say, names),
                  up && place.line_above > 0 ? place.line_above : place.line};
}

} // namespace

const std::vector<AdviceRow>& compiler_advice() {
    static const std::vector<AdviceRow> rows = read_rows("compiler");
    return rows;
}

const std::vector<AdviceRow>& runtime_advice() {
    static const std::vector<AdviceRow> rows = read_rows("running");
    return rows;
}

Advice advice_on(const Diagnostic& error, const std::string& source) {
    const Place place = place_of(error, source);
    for (const AdviceRow& row : compiler_advice()) {
        if (const auto advice = apply(row, error.text, place)) {
            return *advice;
        }
    }
    return {"", error.line};
}

std::string advice_on_outcome(const std::string& text) {
    for (const AdviceRow& row : runtime_advice()) {
        if (const auto advice = apply(row, text, Place{})) {
            return advice->text;
        }
    }
    return "";
}

} // namespace course
