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

/// The namespace of a version.
std::string space_of(const Exercise& exercise, std::size_t number) {
    return fmt::format("version_{}_of_{}", number, exercise.functions.at(0));
}

/// The lines that register a version of a function, or one for each of its parts. Where the lesson
/// exports another in its place, JUDGE_FUNCTION_IN(space, function, …), space::function_by(version,
/// arguments…) calls the version; of a class it is space::function_by<version>(arguments…).
std::string registration(const Exercise& exercise, const std::string& function, const Owner& owner,
                         std::size_t number, const Version& version) {
    std::smatch match;
    const bool stood_in_for = std::regex_search(
        exercise.exports, match, std::regex("JUDGE_FUNCTION_IN\\((\\w+), " + function + ","));
    const std::string space = stood_in_for ? match[1].str() : "lesson";
    const std::string version_space = space_of(exercise, number);
    const std::string own = version_space + "::" + (owner.name.empty() ? function : owner.name);
    const std::string by = space + "::" + function + "_by";
    const std::string call = (!stood_in_for        ? own + "("
                              : owner.name.empty() ? by + "(" + own + ", "
                                                   : by + "<" + own + ">(") +
                             "arguments...)";
    const std::string type =
        fmt::format("judge::RegisterVariant<decltype({}::{})>", space, function);
    if (version.parts.empty()) {
        return fmt::format("const {} {}_{}(\"{}\", {}, {}, {});\n", type, function, number,
                           function, literal(version.name), literal(version.explanation),
                           stood_in_for ? "[](const auto&... arguments) { return " + call + "; }"
                                        : "&" + own);
    }
    std::string parts;
    for (const Version& part : version.parts) {
        parts += fmt::format("std::tuple({}, {}, &{}::{}), ", literal(part.name),
                             literal(part.explanation), version_space, part.name);
    }
    return fmt::format(
        "const bool {1}_{2} = [] {{ for (const auto& [name, explanation, part] : {{ {3} }}) "
        "{0}(\"{1}\", name, explanation, [part = part](auto&&... arguments) {{ "
        "{4}::PART = part; return {5}; }}); return true; }}();\n",
        type, function, number, parts, version_space, call);
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
        std::string parts;
        for (const Version& part : version.parts) {
            parts += part.source;
        }
        parts += parts.empty() ? "" : "decltype(&" + version.parts[0].name + ") PART;\n";
        own.replace(own.find("namespace lesson {"), 18,
                    fmt::format("namespace {} {{ using namespace lesson; using "
                                "attention::Vector;{}\n{}{}",
                                space_of(exercise, number), owner.declaration, parts,
                                version.from));
        put(own + "\n", number);
        for (const std::string& function : exercise.functions) {
            put(registration(exercise, function, owner, number, version), number);
        }
    }
    return source;
}

} // namespace versions
