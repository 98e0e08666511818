#include "course/explain/compile_error.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "course/explain/advice.hpp"
#include "course/explain/diagnostic.hpp"
#include "course/explain/pattern.hpp"
#include "show/text.hpp"

namespace course {

namespace {

constexpr std::size_t longest_shown = 300; // bytes of a message, or of a line of source

/// A compiler's message made readable: without "{aka …}" and "[with …]", with <...> for long
/// template arguments, and with the call of an element as it was written.
std::string readable(std::string text) {
    text = replace_all(text, " {aka …}", "");
    text = replace_all(text, " (aka '…')", "");
    text = replace_all(text, " [with …]", "");
    std::string result;
    std::string inside;
    int depth = 0;
    for (const char c : text) {
        const bool of_a_name = result.ends_with("operator") || result.ends_with("operator<") ||
                               result.ends_with("operator>") || result.ends_with("-");
        if ((c == '<' || c == '>') && depth == 0 && of_a_name) {
            result += c;
            continue;
        }
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
    result += depth > 0 ? "<" + (inside.size() > 200 ? "..." : inside) : "";
    result = replace_all(result, "((const xt::…*)(& $1))->", "$1.");
    result = replace_all(result, ".xt::…::operator()<…>(", "(");
    return replace_all(result, ".xt::…::operator()(", "(");
}

/// Puts a line of source into an error.
void locate(CompileError& error, std::size_t line, const std::string& source) {
    error.line = line;
    error.source = shortened(line_of(source, line), longest_shown);
}

/// The place of a name followed by ( in a text, from a place on; npos if there is none.
std::size_t find_function(const std::string& name, const std::string& text, std::size_t from = 0) {
    for (std::size_t at = text.find(name, from); at != std::string::npos;
         at = text.find(name, at + 1)) {
        const std::size_t next = text.find_first_not_of(' ', at + name.size());
        if ((at == 0 || !is_name_character(text[at - 1])) && next != std::string::npos &&
            text[next] == '(') {
            return at;
        }
    }
    return std::string::npos;
}

/// Puts the first line with the function into the error; false if there is none.
bool locate_function(CompileError& error, const std::string& name, const std::string& source) {
    const std::size_t at = find_function(name, source);
    if (at == std::string::npos) {
        return false;
    }
    const auto end = source.begin() + static_cast<std::ptrdiff_t>(at);
    locate(error, 1 + static_cast<std::size_t>(std::count(source.begin(), end, '\n')), source);
    return true;
}

/// "Matrix project(const Matrix& X, const Matrix& W)" for project; nothing if the header has none.
std::optional<std::string> declaration_of(const std::string& function,
                                          const std::string& contract) {
    for (std::size_t at = find_function(function, contract); at != std::string::npos;
         at = find_function(function, contract, at + 1)) {
        const std::size_t begin = contract.rfind('\n', at) + 1;
        const std::size_t end = contract.find(';', at);
        const std::string before = contract.substr(begin, at - begin);
        if (end != std::string::npos && contract[end - 1] == ')' && !before.empty() &&
            is_name_character(before[0]) && before.find('/') == std::string::npos) {
            std::istringstream words(contract.substr(begin, end - begin));
            std::string declaration;
            for (std::string word; words >> word;) {
                declaration += (declaration.empty() ? "" : " ") + word;
            }
            return declaration;
        }
    }
    return std::nullopt;
}

CompileError defined_twice(const std::string& name, const Exercise& exercise,
                           const std::string& contract, const std::string& source) {
    const std::string file = exercise.file.filename();
    CompileError error;
    locate_function(error, name, source);
    if (name == "main") {
        error.message = fmt::format("{} defines main", file);
        error.advice = fmt::format("The course calls your functions itself: delete main() from "
                                   "the file. ./course run {} shows them at work.",
                                   exercise.id.substr(0, exercise.id.find('.')));
        return error;
    }
    error.message = fmt::format("{} also defines {}", file, shortened(name, longest_shown));
    error.advice =
        declaration_of(name, contract)
            ? "That function is in another file of the lesson: delete it here, and call it."
            : "The course already uses this name: put yours between namespace { and }.";
    return error;
}

CompileError defined_nowhere(const std::string& name, const Exercise& exercise,
                             const std::string& contract, const std::string& source) {
    const std::string file = exercise.file.filename();
    const std::string plain = name.substr(name.starts_with("lesson::") ? 8 : 0);
    const std::optional<std::string> declaration = declaration_of(plain, contract);
    CompileError error;
    const bool there = locate_function(error, plain, source);
    if (!declaration) {
        error.message = fmt::format("{} calls {}, which is defined nowhere", file,
                                    shortened(plain, longest_shown));
        error.advice = "It is declared, but has no body: write one, or call another function.";
        return error;
    }
    error.message = fmt::format("{} does not define {}", file, *declaration);
    if (!there) {
        error.advice = fmt::format("The file has no function of this name: write it again, or "
                                   "begin again with ./course reset {}.",
                                   exercise.id);
    } else if (error.source.find("inline ") != std::string::npos) {
        error.advice = "Delete inline: other files of the lesson call this function.";
    } else if (error.source.find("template") != std::string::npos) {
        error.advice = "Delete template <…>: other files of the lesson call a function that has "
                       "no types to choose.";
    } else {
        error.advice = "The function of this name has other parameters, or is not directly in "
                       "namespace lesson. Matrix is xt::xtensor<double, 2>, not "
                       "xt::xarray<double>.";
    }
    return error;
}

/// "undefined reference to `lesson::project(…)'" and the like; or a log without an error in the
/// exercise.
CompileError linker_error(std::string log, const Exercise& exercise, const std::string& contract,
                          const std::string& source) {
    std::replace(log.begin(), log.end(), '`', '\'');
    if (const auto twice = look_for("multiple definition of '$1", log)) {
        const std::string name(twice->names[0]);
        return defined_twice(name.substr(name.starts_with("lesson::") ? 8 : 0), exercise, contract,
                             source);
    }
    if (const auto missing = look_for("undefined reference to '$1", log)) {
        return defined_nowhere(std::string(missing->names[0]), exercise, contract, source);
    }
    CompileError error;
    error.message = "the compiler or linker failed without an error in this file";
    for (const std::string& line : show::lines_of(log)) {
        if (look_for("/ld: ", line) || look_for("rror: ", line) || look_for("Killed", line)) {
            error.message = shortened(line, longest_shown);
            break;
        }
    }
    error.advice = "This is the compiler's or linker's own message. Perhaps there was not enough "
                   "memory: try again. If the file has a #line or asm(…), delete it.";
    return error;
}

} // namespace

CompileError explain_compile_error(const std::string& log, const Exercise& exercise,
                                   const std::string& contract, const std::string& source) {
    const std::string file = exercise.file.filename();
    std::istringstream lines(log);
    CompileError error;
    const bool marked = source.starts_with("\xFF\xFE") || source.starts_with("\xFE\xFF");
    if (marked || source.substr(0, 4).find('\0') != std::string::npos) {
        error.message = file + " is saved as UTF-16 or UTF-32, which compilers do not read";
        error.advice = "Save it as UTF-8: your editor calls that the file's encoding.";
        return error;
    }
    std::optional<Diagnostic> first;
    std::string header; // which declares the missing name
    // If a template's header has the error: the line of the learner's file that uses it. g++ prints
    // that before the error, clang after it.
    std::size_t used = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto diagnostic = read_diagnostic(line);
        if (!diagnostic) {
            continue;
        }
        const bool own = diagnostic->file.ends_with(file);
        if (diagnostic->kind == "error") {
            if (first) {
                break;
            }
            first = diagnostic;
            first->line = own ? diagnostic->line : used;
            first->column = own ? diagnostic->column : 0;
        } else if (own && (look_for("required from", diagnostic->text) ||
                           look_for("in instantiation", diagnostic->text))) {
            used = diagnostic->line;
            if (first && first->line == 0) {
                first->line = used;
            }
        } else if (const auto known =
                       look_for("'std::$1' is defined in header '<$2>'", diagnostic->text);
                   first && known) {
            header =
                fill_in("For std::$1, write at the top of the file: #include <$2>", known->names);
        }
    }
    if (!first) {
        return linker_error(log, exercise, contract, source);
    }
    const Advice advice = advice_on(*first, source);
    error.message =
        shortened(readable(replace_all(first->text, "fatal error: ", "")), longest_shown);
    error.advice = header.empty() ? advice.text : header;
    locate(error, advice.line, source);
    return error;
}

} // namespace course
