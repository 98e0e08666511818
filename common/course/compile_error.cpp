#include "course/compile_error.hpp"

#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace course {

namespace {

/// What learners get wrong with C++ and xtensor, by what g++ or clang says about it. The first that
/// matches counts. $1 is what the pattern's first group matched. Quotes have been made plain.
struct Advice {
    const char* pattern;
    const char* advice;
};

constexpr Advice advices[] = {
    {R"('?xt::linalg'? has not been declared|no member named 'linalg')",
     "xt::linalg lives in a header of its own: #include <xtensor-blas/xlinalg.hpp>."},
    {R"('?xt::random'? has not been declared|'random' is not a class|no member named 'rand)",
     "xt::random lives in a header of its own: #include <xtensor/xrandom.hpp>."},
    {R"(fatal error: '?([^': ]+)'?(: No such file| file not found))",
     "There is no header $1: look for a typing mistake, or for a folder that is missing before "
     "it."},
    {R"(ambiguating new declaration|differ only in their return type)",
     "The function returns another type here than in the lesson's header. Matrix is "
     "xt::xtensor<double, 2>, not xt::xarray<double>: keep the line that came with the file."},
    {R"('x?t?:?:?(\w+)' is not a member of '(std|xt)'|no member named '(\w+)' in namespace '(std|xt)')",
     "That name is not known: look for a typing mistake, or for a missing #include "
     "(std::accumulate "
     "is in <numeric>, std::sort in <algorithm>, std::exp in <cmath>)."},
    {R"('(\w+)' was not declared in this scope; did you mean '((xt|std)::\w+)'|undeclared identifier '(\w+)'; did you mean '((xt|std)::\w+)')",
     "Functions of xtensor are called with xt:: in front of their names, those of the standard "
     "library with std::."},
    {R"('(\w+)' was not declared in this scope|use of undeclared identifier '(\w+)')",
     "Nothing of that name is known here: a typing mistake, a missing xt:: or std:: in front of "
     "it, "
     "or a missing #include."},
    {R"((cannot convert|could not convert|conversion from|no viable conversion|cannot bind|cannot bind to a value|invalid initialization).*xt::xreducer|(cannot convert|no viable conversion).*reducer_type)",
     "A sum or maximum in xtensor is a lazy expression until it is evaluated: write "
     "xt::sum(x)() with a second pair of parentheses to get the number, or store it in a Vector "
     "or Matrix."},
    {R"(lvalue required as left operand|expression is not assignable|(convert|conversion|bind|initialization).*(xt::x(function|generator|broadcast|view|strided_view)|xfunction_type|function_type_t))",
     "This is a lazy expression of xtensor, perhaps one kept in auto: it computes nothing by "
     "itself "
     "and has no elements to write to. Store it in a Matrix (or Vector) first."},
    {R"((initialization|cannot bind|conversion).*xt::xarray)",
     "xt::xarray and xt::xtensor are two types. Matrix is xt::xtensor<double, 2>: use Matrix "
     "throughout."},
    {R"(assignment of read-only|returns a const value|discards qualifiers|read-only variable)",
     "The inputs are const, so that a caller's matrix never changes: write into a new Matrix, or "
     "into "
     "a copy."},
    {R"(has no member named '(dot|T|matmul|transpose)'|no member named '(dot|T|matmul|transpose)')",
     "xtensor has no such member function: its operations are free functions, like "
     "xt::transpose(A)."},
    {R"(has no member named|no member named)", "This type has no member of that name."},
    {R"(array subscript|subscripted value)",
     "An element is X(i, j), with parentheses; X[i][j] is something else in xtensor."},
    {R"(cannot resolve overloaded function 'shape'|non-static member function must be called)",
     "shape is a function: X.shape(0) is the number of rows, X.shape(1) of columns."},
    {R"(no matching function for call to '(std::)?(max|min))",
     "std::max and std::min need two arguments of one type: a size is std::size_t, a literal like "
     "2 "
     "is int, 2.0 is double."},
    {R"((could not convert|cannot convert|no viable conversion).*'(double|int|float)')",
     "A number stands where a matrix is wanted, or the other way round."},
    {R"(expected ',' or ';'|expected ';')",
     "A semicolon is missing, often at the end of the line above."},
    {R"(expected '\}'|expected '\)'|expected unqualified-id|extraneous closing brace|expected declaration)",
     "A brace or parenthesis is not closed, or closed once too often; the place named may be far "
     "below the mistake."},
    {R"(redefinition of|redeclaration of)", "The same thing is defined twice."},
};

std::string plain_quotes(std::string text) {
    static const std::regex quotes("\u2018|\u2019");
    return std::regex_replace(text, quotes, "'");
}

/// Takes out "{aka …}" and shortens what stands between the angle brackets of long types.
std::string shortened(const std::string& message) {
    static const std::regex aka(R"( \{aka '[^']*'[^}]*\}| \(aka '[^']*'\))");
    const std::string text = std::regex_replace(message, aka, "");
    std::string result;
    std::string inside;
    int depth = 0;
    for (const char c : text) {
        if (c == '<' && depth++ == 0) {
            inside.clear();
            continue;
        }
        if (c == '>' && depth > 0 && --depth == 0) {
            result += inside.size() > 24 ? "<...>" : "<" + inside + ">";
            continue;
        }
        (depth > 0 ? inside : result) += c;
    }
    return depth > 0 ? result + "<" + inside : result;
}

std::string line_of(const std::string& source, std::size_t number) {
    std::istringstream lines(source);
    std::string line;
    for (std::size_t i = 0; i < number && std::getline(lines, line); ++i) {
    }
    return line;
}

std::string advice_for(const std::string& message) {
    for (const Advice& each : advices) {
        std::smatch match;
        if (std::regex_search(message, match, std::regex(each.pattern))) {
            return match.format(each.advice);
        }
    }
    return "";
}

/// "undefined reference to `lesson::project(…)'" and its kin.
std::optional<CompileError> linker_error(const std::string& log, const Exercise& exercise,
                                         const std::string& contract, const std::string& source) {
    const std::string file = exercise.file.filename();
    std::smatch match;
    static const std::regex missing(R"(undefined reference to [`']lesson::(\w+)\()");
    static const std::regex missing_any(R"(undefined reference to [`'](.+)')");
    static const std::regex twice(R"(multiple definition of [`']lesson::(\w+)\()");
    CompileError error;
    if (std::regex_search(log, match, missing)) {
        const std::string name = match[1];
        const std::string declaration = declaration_of(name, contract);
        error.message = fmt::format("{} does not define {}", file, declaration);
        const std::regex another("\\b" + name + R"(\s*\()");
        std::smatch found;
        if (std::regex_search(source, found, another)) {
            const auto before = source.substr(0, static_cast<std::size_t>(found.position()));
            error.line =
                1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
            error.source = line_of(source, error.line);
            error.advice = "What the file has of that name differs in its parameters, or stands "
                           "outside namespace lesson. Matrix is xt::xtensor<double, 2>, not "
                           "xt::xarray<double>.";
        } else {
            error.advice =
                fmt::format("The function is gone from the file: write it again, or start "
                            "afresh with ./course reset {}.",
                            exercise.id);
        }
        return error;
    }
    if (std::regex_search(log, match, twice)) {
        error.message = fmt::format("{} also defines {}", file, match[1].str());
        error.advice =
            "That function belongs to another file of the lesson, which is there already: "
            "delete it here and just call it.";
        return error;
    }
    if (std::regex_search(log, match, missing_any)) {
        error.message = fmt::format("{} uses {}, which is defined nowhere", file, match[1].str());
        return error;
    }
    return std::nullopt;
}

} // namespace

std::string declaration_of(const std::string& function, const std::string& contract) {
    const std::regex pattern("(^|\n)([A-Za-z][^;/\n]*\\b" + function + R"(\([^;]*\));)");
    std::smatch match;
    if (!std::regex_search(contract, match, pattern)) {
        return function;
    }
    return std::regex_replace(match[2].str(), std::regex(R"(\s+)"), " ");
}

CompileError explain_compile_error(const std::string& log, const Exercise& exercise,
                                   const std::string& contract, const std::string& source) {
    static const std::regex diagnostic(R"(^(.+?):(\d+):(\d+): ((?:fatal )?error: (.*))$)");
    const std::string file = exercise.file.filename();
    // Where in the learner's file the template was used that a header reports an error in: g++ says
    // it before the error, clang after.
    const std::regex used("(?:^|/)" + file + R"(:(\d+):\d+:\s+(?:required from|note: in instant))");
    std::istringstream lines(plain_quotes(log));
    CompileError error;
    std::size_t used_before = 0;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, used)) {
            used_before = std::stoul(match[1]);
            if (!error.message.empty() && error.line == 0) {
                error.line = used_before;
            }
        } else if (std::regex_match(line, match, diagnostic)) {
            if (!error.message.empty()) {
                break;
            }
            error.message = shortened(match[5]);
            error.advice = advice_for(match[4]);
            const bool own = match[1].str().ends_with(file);
            error.line = own ? std::stoul(match[2]) : used_before;
        }
    }
    if (error.message.empty()) {
        const auto linked = linker_error(plain_quotes(log), exercise, contract, source);
        CompileError unknown;
        unknown.message = "the compiler failed; ./course doctor may know why";
        return linked.value_or(unknown);
    }
    if (error.line > 0) {
        error.source = line_of(source, error.line);
    }
    return error;
}

} // namespace course
