#include "course/explain/traps.hpp"

#include <regex>
#include <vector>

#include <fmt/format.h>

namespace course {

namespace {

struct Statement {
    std::size_t line; // where it begins
    std::string text; // in one line, single spaces
};

/// The source without comments, cut at semicolons and braces. A rough cut is enough: what it finds
/// is shown as something to look at.
std::vector<Statement> statements(const std::string& source) {
    std::vector<Statement> found;
    Statement current{1, ""};
    std::size_t line = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source.compare(i, 2, "//") == 0) {
            i = std::min(source.find('\n', i), source.size()) - 1;
            continue;
        }
        const char c = source[i];
        if (c == ';' || c == '{' || c == '}') {
            // A brace inside parentheses is an argument, as in xt::amax(s, {1}).
            const auto opened = std::count(current.text.begin(), current.text.end(), '(');
            const auto closed = std::count(current.text.begin(), current.text.end(), ')');
            if (c == ';' || opened == closed) {
                found.push_back(current);
                current = {line, ""};
                continue;
            }
        }
        line += c == '\n' ? 1 : 0;
        const bool space = c == ' ' || c == '\n' || c == '\t';
        if (space && current.text.empty()) {
            current.line = line;
        } else if (!space) {
            current.text += c;
        } else if (current.text.back() != ' ') {
            current.text += ' ';
        }
    }
    return found;
}

/// Whether text is one call of the function, as in "xt::amax(s, {1}, xt::keep_dims)", and no more.
bool is_one_call(const std::string& text, const std::string& function) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] == ')' && depth == 0) {
            return i + 1 == text.size() && text.starts_with(function + "(");
        }
    }
    return false;
}

} // namespace

std::string find_trap(const std::string& source) {
    static const std::regex assignment(R"(^(?:const )?(.*?)\s?=\s?([^=].*)$)");
    static const std::regex keep_dims(R"(xt::(amax|amin|sum|mean|prod)\(.*keep_dims)");
    static const std::regex lazy_auto(R"(^(?:const )?auto&{0,2} (\w+)\s?=\s?(.*xt::.*)$)");
    static const std::regex evaluated(R"(xt::eval\(|\)\(\)$|immediate)");
    static const std::regex dot(R"(linalg::dot\(.*transpose\()");
    static const std::regex auto_function(R"(^(static |inline )*auto (\w+)\(.*\)$)");
    static const std::regex auto_lambda(R"(= \[.*\]\s?\(.*\)$)");
    std::size_t returns_auto = 0; // the line of the function that we are in, if it returns auto
    for (const Statement& statement : statements(source)) {
        std::smatch match;
        const std::string& text = statement.text;
        if (std::regex_match(text, auto_function) || std::regex_search(text, auto_lambda)) {
            returns_auto = statement.line;
        } else if (text.empty()) {
            returns_auto = 0;
        } else if (returns_auto > 0 && text.starts_with("return xt::")) {
            return fmt::format(
                "the function in line {} returns a lazy expression of xtensor, which "
                "refers to variables that end with the function. Let it return a type "
                "that holds numbers: Matrix, Vector or double.",
                returns_auto);
        }
        if (std::regex_search(text, dot)) {
            return fmt::format(
                "line {} gives xt::linalg::dot a transpose. In xtensor-blas that returns wrong "
                "numbers, without a word, when one of the two is a view of the first rows of the "
                "other. Use loops, or attention::matmul_transposed from attention/product.hpp.",
                statement.line);
        }
        if (std::regex_match(text, match, lazy_auto) && !std::regex_search(text, evaluated)) {
            return fmt::format("line {} keeps a lazy expression of xtensor in auto {}. It computes "
                               "nothing there, but "
                               "anew at each use, and refers to variables that may be gone by "
                               "then. Give it a type "
                               "that holds numbers: Matrix, Vector or double.",
                               statement.line, match[1].str());
        }
        if (std::regex_search(text, match, keep_dims) && !std::regex_search(text, evaluated)) {
            const std::string reducer = match[1];
            const bool assigned = std::regex_match(text, match, assignment);
            if (!assigned || !is_one_call(match[2], "xt::" + reducer)) {
                return fmt::format(
                    "line {} uses xt::{}(…, xt::keep_dims) inside a larger expression. Unevaluated "
                    "like that, xtensor 0.24 reads the wrong elements. Store it in a Matrix of its "
                    "own "
                    "first, and use that.",
                    statement.line, reducer);
            }
        }
    }
    return "";
}

} // namespace course
