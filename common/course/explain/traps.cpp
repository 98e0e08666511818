#include "course/explain/traps.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "course/explain/diagnostic.hpp"
#include "course/explain/pattern.hpp"
#include "show/text.hpp"

namespace course {

namespace {

constexpr std::size_t npos = std::string::npos;

/// Whether there is a digit, before which ' separates thousands.
bool is_digit(const std::string& source, std::size_t at) {
    return at < source.size() && std::isdigit(static_cast<unsigned char>(source[at])) != 0;
}

/// The source with spaces for comments and for the contents of texts, so that every place stays.
std::string only_code(std::string source) {
    for (std::size_t i = 0; i < source.size(); ++i) {
        std::size_t end = i;
        if (source.compare(i, 2, "//") == 0) {
            end = std::min(source.find('\n', i), source.size());
        } else if (source.compare(i, 2, "/*") == 0) {
            end = std::min(source.find("*/", i), source.size());
        } else if (source[i] == '"' || (source[i] == '\'' && !is_digit(source, i - 1))) {
            end = i + 1;
            while (end < source.size() && source[end] != source[i] && source[end] != '\n') {
                end += source[end] == '\\' ? 2 : 1;
            }
            end = std::min(end, source.size());
        }
        for (; i < end; ++i) {
            source[i] = source[i] == '\n' ? '\n' : ' ';
        }
    }
    return source;
}

class Finder {
public:
    explicit Finder(const std::string& source) : code_(only_code(source)) {}

    std::vector<Trap> find() {
        traps_ = find_array_traps(code_);
        for (const char* reducer : {"amax", "amin", "sum", "mean", "prod"}) {
            kept_dimensions(reducer);
        }
        each("auto ", [&](std::size_t at) { lazy_auto(at); });
        each("](", [&](std::size_t at) { returns_lazy(at + 1, false); });
        each("Vector ", [&](std::size_t at) { one_element(at); });
        each("for (", [&](std::size_t at) {
            const std::size_t begin = code_.find(';', at);
            const std::size_t end = begin == npos ? npos : code_.find(';', begin + 1);
            if (end != npos && end < closing(at + 4)) { // else it is over a range
                wraps_around(begin, end);
            }
        });
        each("while (", [&](std::size_t at) { wraps_around(at + 6, closing(at + 6)); });
        std::stable_sort(traps_.begin(), traps_.end(),
                         [](const Trap& a, const Trap& b) { return a.begin < b.begin; });
        return std::move(traps_);
    }

private:
    /// Calls the function with every place of the word.
    template <class Function>
    void each(const std::string& word, const Function& function, std::size_t from = 0,
              std::size_t end = npos) {
        for (std::size_t at = code_.find(word, from); at < end; at = code_.find(word, at + 1)) {
            if (at == 0 || !is_name_character(code_[at - 1])) {
                function(at);
            }
        }
    }

    void add(std::size_t begin, std::size_t end, const std::string& text,
             const std::string& before = "xt::eval(", const std::string& after = ")") {
        if (begin >= end || end == npos) {
            return;
        }
        const auto here = code_.begin() + static_cast<std::ptrdiff_t>(begin);
        traps_.push_back(
            {begin, end, before, after,
             fmt::format("line {} ", 1 + std::count(code_.begin(), here, '\n')) + text});
    }

    bool has(const std::string& word, std::size_t begin, std::size_t end) const {
        return std::string_view(code_).substr(begin, end - begin).find(word) != npos;
    }

    /// The place where the bracket that opens here is closed; npos if there is none.
    std::size_t closing(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < code_.size(); ++i) {
            depth += code_[i] == '(' || code_[i] == '{' || code_[i] == '[' ? 1 : 0;
            depth -= code_[i] == ')' || code_[i] == '}' || code_[i] == ']' ? 1 : 0;
            if (depth <= 0) {
                return i > open ? i : npos;
            }
        }
        return npos;
    }

    void kept_dimensions(const std::string& reducer) {
        each("xt::" + reducer + "(", [&](std::size_t at) {
            const std::size_t end = closing(code_.find('(', at));
            if (end != npos && has("keep_dims", at, end) && !has("immediate", at, end)) {
                add(at, end + 1,
                    fmt::format("uses xt::{}(…, xt::keep_dims) inside a larger expression. There "
                                "xtensor reads wrong elements. Store its result in a Matrix "
                                "first, and use that.",
                                reducer));
            }
        });
    }

    /// auto name = expression; or auto name(…) { … return expression; }
    void lazy_auto(std::size_t at) {
        const std::size_t equals = code_.find_first_of("=({;", at);
        if (equals == npos || code_[equals] == '(') {
            return returns_lazy(equals, true);
        }
        const std::size_t end = code_.find(';', equals);
        const std::size_t begin = code_.find_first_not_of(" \n\t", equals + 1);
        if (code_[equals] == '=' && begin < end && end != npos && has("xt::", begin, end) &&
            code_[begin] != '[' && !has("xt::view(", begin, begin + 9)) {
            add(begin, end,
                fmt::format("keeps a lazy expression of xtensor in {}. It is computed again at "
                            "each use, and may refer to variables that no longer exist. Give it a "
                            "type that stores numbers: Matrix, Vector or double.",
                            code_.substr(at, code_.find_last_not_of(' ', equals - 1) + 1 - at)));
        }
    }

    /// A function or lambda without a return type, whose parameters begin here. Most lambdas
    /// compute with numbers, where an operator makes nothing lazy.
    void returns_lazy(std::size_t parameters, bool is_function) {
        const std::size_t body = closing(parameters);
        const std::size_t open = body == npos ? npos : code_.find_first_not_of(" \n", body + 1);
        if (open == npos || code_[open] != '{') {
            return;
        }
        each(
            "return ",
            [&](std::size_t at) {
                const std::size_t end = code_.find(';', at);
                const bool computes = end != npos && (has(" * ", at, end) || has(" + ", at, end) ||
                                                      has(" - ", at, end) || has(" / ", at, end));
                if (end != npos && (has("xt::", at, end) || (is_function && computes))) {
                    add(at + 7, end,
                        "returns a lazy expression of xtensor from a function without a return "
                        "type. It refers to variables that no longer exist after the return. Let "
                        "it return a type that stores numbers: Matrix, Vector or double.");
                }
            },
            open, closing(open));
    }

    /// Vector w({n}); or Vector w{n};
    void one_element(std::size_t at) {
        const std::size_t open = code_.find_first_of("=({;", at);
        if (open == npos || code_[open] == ';' || code_[open] == '=') {
            return;
        }
        const bool both = code_.compare(open, 2, "({") == 0;
        const std::size_t begin = open + (both ? 2 : 1);
        const std::size_t end = closing(begin - 1);
        if ((both || code_[open] == '{') && end != npos && !has(",", begin, end)) {
            add(begin - (both ? 1 : 0), end + (both ? 1 : 0),
                "makes an array with one element, the size: braces contain the elements. For n "
                "elements, write Vector w = Vector::from_shape({n});",
                both ? "xt::zeros<double>(" : "xt::zeros<double>({", both ? ")" : "})");
        }
    }

    /// A condition j < n - 4 or j <= n - 4, between a bracket or semicolon and the next.
    void wraps_around(std::size_t open, std::size_t end) {
        constexpr std::size_t longest = 200;
        if (open >= end || end == npos || end - open > longest) {
            return;
        }
        const std::string condition = code_.substr(open + 1, end - open - 1);
        const std::size_t minus = condition.rfind(" - ");
        const std::size_t less = condition.find(" <");
        if (minus == npos || less >= minus || condition.find_first_of("&|?") != npos) {
            return;
        }
        const bool or_equal = condition[less + 2] == '=';
        const std::size_t from = less + (or_equal ? 3 : 2);
        const std::string left = trimmed(condition.substr(0, less));
        const std::string size = trimmed(condition.substr(from, minus - from));
        const std::string taken = trimmed(condition.substr(minus + 3));
        add(open + 1, end,
            fmt::format("compares with {0} - {1}. Sizes are unsigned: where {0} is less than {1}, "
                        "that is not negative, but a number of twenty digits. Write {2} + {1} "
                        "{3} {0}.",
                        size, taken, left, or_equal ? "<=" : "<"),
            fmt::format("({}) >= ({}) && (", size, taken));
    }

    static std::string trimmed(const std::string& text) {
        const std::size_t begin = text.find_first_not_of(" \n\t");
        return begin == npos ? "" : text.substr(begin, text.find_last_not_of(" \n\t") + 1 - begin);
    }

    std::string code_;
    std::vector<Trap> traps_;
};

} // namespace

std::vector<Trap> find_traps(const std::string& source) {
    constexpr std::size_t longest = 50'000; // each place may take a look at the whole file
    return source.size() > longest ? std::vector<Trap>{} : Finder(source).find();
}

std::string corrected(std::string source, const std::vector<Trap>& traps) {
    std::vector<std::pair<std::size_t, std::string>> insertions;
    for (const Trap& trap : traps) {
        insertions.emplace_back(trap.begin, trap.before);
        insertions.emplace_back(trap.end, trap.after);
    }
    std::stable_sort(insertions.begin(), insertions.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [at, text] : insertions) {
        source.insert(at, text);
    }
    return source;
}

Warned explain_warnings(const std::string& warnings, const std::string& file) {
    Warned to_look_at;
    for (const std::string& line : show::lines_of(warnings)) {
        const auto warning = read_diagnostic(line);
        if (!warning || warning->kind != "warning" || !warning->file.ends_with(file)) {
            continue;
        }
        const std::size_t name = warning->text.rfind(" [-W");
        const std::string kind = name == npos ? "" : warning->text.substr(name + 4);
        if (kind == "return-type]") {
            return {fmt::format("The function that ends in line {} can end without a return. C++ "
                                "compiles this, but the result is undefined.",
                                warning->line),
                    true};
        }
        // Warnings about what a program computes; most others are about style.
        for (const char* telling :
             {"uninitialized", "maybe-uninitialized", "parentheses", "unused-value", "div-by-zero",
              "empty-body", "return-local-addr", "dangling", "sequence-point", "shift", "logical",
              "bool", "array-bounds", "unsequenced", "tautological", "type-limits"}) {
            if (to_look_at.text.empty() && kind.starts_with(telling)) {
                to_look_at.text = fmt::format("Look at line {}: the compiler warns about it ({}).",
                                              warning->line, warning->text.substr(0, name));
            }
        }
    }
    return to_look_at;
}

} // namespace course
