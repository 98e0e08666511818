#include "support/versions.hpp"

#include <algorithm>
#include <iomanip>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace versions {

namespace {

/// A class of the contract whose members are the exercise's functions; empty if there is none.
struct Owner {
    std::string name;
    std::string declaration;
};

Owner owner_of(const std::string& function, const std::string& solution,
               const std::string& contract) {
    std::smatch match;
    if (std::regex_search(solution, match, std::regex("(\\w+)::" + function + "\\("))) {
        const std::size_t first = contract.find("\nclass " + match[1].str() + " {");
        if (first != std::string::npos) {
            return {match[1], contract.substr(first, contract.find("\n};", first) + 4 - first)};
        }
    }
    return {};
}

std::string literal(const std::string& text) {
    return (std::ostringstream() << std::quoted(text)).str();
}

/// The line that registers a version of a function. Where the lesson exports another in its place,
/// JUDGE_FUNCTION_IN(space, function, …), space::function_by(version, arguments…) calls the
/// version; of a class it is space::function_by<version>(arguments…).
std::string registration(const Exercise& exercise, const std::string& function, const Owner& owner,
                         std::size_t number, const Version& version) {
    std::smatch match;
    const bool stood_in_for = std::regex_search(
        exercise.exports, match, std::regex("JUDGE_FUNCTION_IN\\((\\w+), " + function + ","));
    const std::string space = stood_in_for ? match[1].str() : "lesson";
    const std::string own =
        fmt::format("version_{}::{}", number, owner.name.empty() ? function : owner.name);
    const std::string call = owner.name.empty() ? fmt::format("_by({}, arguments...)", own)
                                                : fmt::format("_by<{}>(arguments...)", own);
    return fmt::format(
        "const judge::RegisterVariant<decltype({0}::{1})> {1}_{2}(\"{1}\", {3}, {4}, {5});\n",
        space, function, number, literal(version.name), literal(version.explanation),
        stood_in_for ? fmt::format("[](const auto&... arguments) {{ return {}::{}{}; }}", space,
                                   function, call)
                     : "&" + own);
}

} // namespace

Source source_of(const std::vector<Version>& all, const Exercise& exercise,
                 const std::vector<std::size_t>& left_out) {
    Source source{"#include \"exports.hpp\"\n", {0, 0}};
    const auto put = [&](const std::string& lines, std::size_t number) {
        source.text += lines;
        source.version_of_line.resize(
            source.version_of_line.size() +
                static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')),
            number);
    };
    static const std::regex include("#include [^\n]*\n");
    std::set<std::string> included;
    for (const Version& each : all) {
        for (std::sregex_iterator found(each.source.begin(), each.source.end(), include), end;
             found != end; ++found) {
            if (included.insert(found->str()).second) {
                put(found->str(), 0);
            }
        }
    }
    for (std::size_t number = 1; number <= all.size(); ++number) {
        const Version& version = all[number - 1];
        if (std::ranges::find(left_out, number) != left_out.end()) {
            continue;
        }
        const Owner owner = owner_of(exercise.functions.at(0), version.source, exercise.contract);
        std::string own = std::regex_replace(version.source, include, "");
        own.replace(
            own.find("namespace lesson {"), 18,
            fmt::format(
                "namespace version_{} {{ using namespace lesson; using attention::Vector;{}{}",
                number, owner.declaration, version.helpers));
        put(version.from + own + "\n", number);
        for (const std::string& function : exercise.functions) {
            put(registration(exercise, function, owner, number, version), number);
        }
    }
    return source;
}

} // namespace versions
