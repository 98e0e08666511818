#include "course/explain/compile_error.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include <fmt/format.h>

namespace course {

namespace {

constexpr std::size_t longest = 10000; // characters of a line that are looked at

/// What learners get wrong with C++ and xtensor, by what g++ or clang says about it. The first that
/// matches counts. $1 is what the pattern's first group matched. Quotes have been made plain.
struct Advice {
    const char* pattern;
    const char* advice;
};

constexpr Advice advices[] = {
    {R"(call of overloaded .* is ambiguous|call to '\w+' is ambiguous)",
     "A lazy expression or a view is neither a matrix of doubles nor one of floats, so the "
     "compiler "
     "cannot choose. Store it first: const Matrix name = ...;"},
    // Characters and files
    {R"(extended character|unexpected character|stray ')",
     "C++ has no such character; text copied from a web page often does. Quotes are \" and ', "
     "minus "
     "is -, times is *."},
    {"version control conflict marker", "git left the marks of a merge here: keep one of the two "
                                        "versions, and delete the lines of <<<, "
                                        "=== and >>>."},
    {R"(fatal error: '?xtensor/xlinalg)",
     "xt::linalg comes in a package of its own: #include <xtensor-blas/xlinalg.hpp>."},
    {R"(fatal error: '?xtensor/)",
     "Where xtensor keeps its headers depends on its version. The lesson's header includes arrays, "
     "mathematics and views already, so this line can probably go."},
    {R"(fatal error: '?([^': ]+)'?(: No such file| file not found))",
     "There is no header $1: look for a typing mistake, or for a folder that is missing before "
     "it."},

    // Names
    {R"('?xt::linalg'? has not been declared|no member named 'linalg')",
     "xt::linalg lives in a header of its own: #include <xtensor-blas/xlinalg.hpp>."},
    {R"('?xt::random'? has not been declared|'random' is not a class|no member named 'rand)",
     "xt::random lives in a header of its own: #include <xtensor/xrandom.hpp>."},
    {R"('(dot|matmul)' is not a member of 'xt'|no member named '(dot|matmul)')",
     "xtensor's arrays have no product of matrices: write the sum yourself, or, after lesson 01, "
     "call attention::matmul of \"attention/product.hpp\"."},
    {R"(has no member named '(T|transpose)'|no member named '(T|transpose)')",
     "A Matrix has no such member function: it is xt::transpose(X)."},
    {R"((Matrix|Vector|Tensor3|xtensor_container)\b.* has no member named|no member named '\w+' in 'xt::xtensor_container)",
     "Arrays have no such member. They have x.size(), X.shape(0) and X.shape(1); nearly all the "
     "rest "
     "are functions, like xt::sum(x)() and xt::amax(x)()."},
    {R"('(\w+)' is not a member of '(std|xt)'; did you mean '(\w+)')",
     "There is no $2::$1: did you mean $2::$3?"},
    {R"(no member named '(\w+)' in namespace '(std|xt)'; did you mean '(\w+)')",
     "There is no $2::$1: did you mean $2::$3?"},
    {R"('(\w+)' is not a member of '(std|xt)'|no (?:member|template) named '(\w+)' in namespace '(std|xt)')",
     "There is no $2$4::$1$3: look for a typing mistake, or for an #include that is missing."},
    {R"('(?:Matrix|Vector|Tensor3)' does not name a type|unknown type name '(?:Matrix|Vector|Tensor3)')",
     "The lesson's types are known inside namespace lesson, below the #include of the lesson's "
     "header: one of those two lines is missing."},
    {R"('\w+'.*; did you mean '((?:xt|std)::\w+)')",
     "Write $1: functions of xtensor have xt:: in front, those of the standard library std::."},
    {R"('(\w+)'.*; did you mean '([\w:]+)')", "Nothing here is called $1: did you mean $2?"},
    {R"('(\w+)' was not declared in this scope|use of undeclared identifier '(\w+)'|unknown type name '(\w+)')",
     "Nothing here is called $1$2$3: it has a typing mistake, lacks xt:: or std:: in front, or its "
     "#include is missing."},
    {R"(has no member named '(\w+)'|no member named '(\w+)')",
     "There is no member $1$2: look for a typing mistake."},
    {R"(redefinition of|redeclaration of)",
     "There is one of that name already: delete one of the two, or give it another name."},

    // The exercise's own declaration
    {R"(ambiguating new declaration|differ only in their return type)",
     "The function returns another type here than in the lesson's header. Put back the line that "
     "came with the file; Matrix is xt::xtensor<double, 2>, not xt::xarray<double>."},
    {R"(declared 'extern' and later 'static'|static declaration of)",
     "The rest of the lesson must see this function: delete static."},
    {R"(ISO C\+\+ forbids declaration of|requires a type specifier)",
     "A function begins with the type of what it returns, and a statement stands inside one: here "
     "is neither."},

    // Lazy expressions and numbers
    {R"((convert|conversion|bind|initialization|assigning|operand).*(xt::xreducer|reducer_type))",
     "A sum or maximum in xtensor is a lazy expression until it is evaluated: for the number write "
     "xt::sum(x)(), with a second pair of parentheses; for several, store it in a Vector or "
     "Matrix."},
    {R"((convert|conversion).* to 'bool')",
     "Arrays compare element by element, which is no single yes or no: ask xt::any(X > 0) or "
     "xt::all(X > 0), or compare one element, X(i, j)."},
    {R"(lvalue required as left operand|expression is not assignable|read-only location '\w+\.xt::(xbroadcast|xfunction|xreducer))",
     "A lazy expression of xtensor, as auto keeps it, has no elements to write to. Store it in a "
     "Matrix or Vector first: Matrix Y = … instead of auto Y = …"},
    {R"(cannot be narrowed|narrowing conversion)",
     "Sizes are std::size_t, and the braces accept nothing else: declare the number as "
     "std::size_t."},

    // const
    {R"(assignment of read-only variable '(\w+)'|cannot assign to variable '(\w+)' with const-qualified)",
     "$1$2 is declared const: leave out that const if it has to change."},
    {R"(read-only|returns a const value|discards qualifiers|drops 'const'|no match for 'operator[-+*/]?=' \(operand types are 'const )",
     "Nothing can be written here. The inputs are const, and so are views of them and lazy "
     "expressions: write into a Matrix of your own."},
    {R"(no viable overloaded '[-+*/]?=')",
     "The left side cannot take this: it is const, as the inputs are, or of a type that the right "
     "side does not fit."},
    {R"(cannot bind (non-const|to a))",
     "A reference such as Matrix& names an array that exists elsewhere. On the right stands a "
     "temporary, or another type such as xt::xarray: leave out the &."},

    // Elements, shapes, calls
    {R"(unresolved overloaded function type|cannot resolve overloaded function|invalid use of member function|non-static member function must be called)",
     "A function lacks its parentheses: x.size(), and X.shape(0) for the number of rows, "
     "X.shape(1) "
     "of columns."},
    {R"(array subscript|subscripted value)",
     "An element is X(i, j), in parentheses: there is no X[i][j]."},
    {R"(call to '(?:std::)?(max|min)\b)",
     "std::$1 takes two values of one type: a size is std::size_t, 2 is int and 2.0 double, and of "
     "an array xt::a$1(x)() is the number."},
    {R"(call to '(exp|log|sqrt|abs|fabs|pow|tanh)\b)",
     "std::$1 takes numbers. For every element of an array there is xt::$1; of a sum or maximum, "
     "xt::sum(x)() is the number."},
    {R"(call to '[^']*\b(zeros|ones|empty|from_shape)\b)",
     "A shape stands in braces: xt::zeros<double>({rows, columns}), Matrix::from_shape({rows, "
     "columns})."},
    {R"(decay_all<)",
     "The axes stand in braces, and what is kept has a name: xt::amax(X, {1}, xt::keep_dims)."},
    {R"(call to '(concatenate|stack)\b)",
     "Arrays to be joined go in an xt::xtuple: xt::$1(xt::xtuple(A, B), axis)."},
    {R"(call to '(view\b|xt::xview<))",
     "A view takes an index, xt::range(from, to) or xt::all() for each axis, the last two with "
     "their parentheses."},
    {R"(call to 'to_string\b)",
     "std::to_string takes one number. For a shape there is attention::shape_text(X)."},
    {R"(invalid operands.*'const char ?\*')",
     "Text and numbers are joined through std::to_string: \"got \" + std::to_string(n)."},
    {R"(cannot be used as a function|called object type)",
     "This is a number, not a function: leave out its parentheses."},
    {R"(no match for call to '\(.*std::vector|std::vector<.*does not provide a call operator)",
     "The elements of a std::vector are v[i]; parentheses are for xtensor's arrays."},
    {R"((convert '[^']*' from|value of type) '[^']*\([^']*\)')",
     "A function is named here but not called: its arguments are missing."},
    {R"(unary '\*'|indirection requires pointer)",
     "C++ has no ** operator: a square is a * a, any power std::pow(a, b)."},
    {R"(is not captured|cannot be implicitly captured)",
     "A lambda sees the variables around it only if its brackets say so: [&](double v) { … }."},
    {R"((convert|conversion).*'(const )?(double|float|int|unsigned long|std::size_t|[^']*value_type)')",
     "A number stands where an array is wanted, or an array where a number is."},
    {R"(cannot convert|could not convert|conversion from|no viable conversion|incompatible type)",
     "The value is of another type than the place it goes to."},
    {R"(invalid operands|no match for 'operator)",
     "The two sides of the operator are of types that do not go together."},
    {R"(no matching member function for call to '(\w+))",
     "$1 cannot be called so: its arguments do not fit, or it would change an input, which is "
     "const."},
    {R"(variable-sized object)",
     "The size of a plain array must be known beforehand: use a Vector or a std::vector."},
    {R"(too (?:few|many) arguments|no matching (?:member )?function for call to '([\w:]*))",
     "The function is called with other arguments than it is declared with: look at their number, "
     "order and types."},

    // Punctuation
    {R"(before deduction of 'auto'|cannot appear in its own initializer)",
     "A lambda above this line is not closed: it ends in a brace and a semicolon, };"},
    {R"(expected (',' or )?';'|expected initializer before)",
     "A semicolon is missing, often at the end of the line above, or a parenthesis is closed once "
     "too often."},
    {R"(function-definition is not allowed here|function definition is not allowed here)",
     "A function cannot stand inside another: the one above may lack its closing brace."},
    {R"(expected '\(' (before|after))",
     "if, for and while have their condition in parentheses: if (x > 0) { … }"},
    {R"(expected '\)')", "A parenthesis is not closed, in this line or the one above."},
    {R"(expected '\}'|expected unqualified-id|extraneous closing brace|expected declaration)",
     "A brace is not closed, or closed once too often; the mistake may be far above this line."},
    {R"(expected (primary-)?expression)",
     "Something is missing here, or one sign too many: an operand, or the end of a parenthesis."},
};

/// ‘name’ as 'name'; a quote that is alone is the learner's own.
std::string plain_quotes(const std::string& line) {
    static const std::regex quoted("\u2018(.*?)\u2019");
    return std::regex_replace(line, quoted, "'$1'");
}

/// A compiler's message as one can read it: without "{aka …}" and "[with …]", the arguments of long
/// templates as <...>, and the call of an element as it was written.
std::string shortened(const std::string& message) {
    static const std::regex asides(R"( \{aka [^}]*\}| \(aka '[^']*'\)| \[with [^\]]*\])");
    static const std::regex of_const(R"(\(\(const xt::\w+<\.\.\.>\*\)\(& (\w+)\)\)->)");
    static const std::regex element(
        R"((?:\.|\b)(?:(?:xt::\w+<[^>]*>|<anonymous>)(?:::|\.))+operator\(\)(?:<[^>]*>)?(?=\())");
    const std::string text = std::regex_replace(message, asides, "");
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
    return std::regex_replace(std::regex_replace(result, of_const, "$1."), element, "");
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

/// The first line of source where a function of that name stands, put into an error; false if none.
bool locate(CompileError& error, const std::string& name, const std::string& source) {
    std::smatch found;
    if (!std::regex_search(source, found, std::regex("\\b" + name + R"(\s*\()"))) {
        return false;
    }
    const auto end = source.begin() + found.position();
    error.line = 1 + static_cast<std::size_t>(std::count(source.begin(), end, '\n'));
    error.source = line_of(source, error.line);
    return true;
}

/// "undefined reference to `lesson::project(…)'" and its kin.
std::optional<CompileError> linker_error(const std::string& log, const Exercise& exercise,
                                         const std::string& contract, const std::string& source) {
    static const std::regex missing(R"(undefined reference to [`']lesson::(\w+)\()");
    static const std::regex missing_any(R"(undefined reference to [`'](.+)')");
    static const std::regex twice(R"(multiple definition of [`'](?:lesson::)?(\w+))");
    const std::string file = exercise.file.filename();
    std::smatch match;
    CompileError error;
    if (std::regex_search(log, match, twice)) {
        const std::string name = match[1];
        locate(error, name, source);
        if (name == "main") {
            error.message = fmt::format("{} defines main", file);
            error.advice = fmt::format("The course calls your functions itself: delete main() from "
                                       "the file. ./course run {} shows them at work.",
                                       exercise.id.substr(0, exercise.id.find('.')));
            return error;
        }
        error.message = fmt::format("{} also defines {}", file, name);
        error.advice = declaration_of(name, contract) != name
                           ? "That function belongs to another file of the lesson, which is there "
                             "already: delete it here and just call it."
                           : "Something else in the course has that name: put yours between "
                             "namespace { and }, which keeps it to this file.";
        return error;
    }
    if (std::regex_search(log, match, missing)) {
        const std::string name = match[1];
        const std::string declaration = declaration_of(name, contract);
        const bool there = locate(error, name, source);
        if (declaration == name) {
            error.message = fmt::format("{} calls {}, which is defined nowhere", file, name);
            error.advice = "It is declared, but has no body: write one, or call something else.";
            return error;
        }
        error.message = fmt::format("{} does not define {}", file, declaration);
        error.advice =
            there ? "What the file has of that name differs in its parameters, or does not stand "
                    "directly in namespace lesson. Matrix is xt::xtensor<double, 2>, not "
                    "xt::xarray<double>."
                  : fmt::format("No function of that name is left in the file: write it again, or "
                                "start afresh with ./course reset {}.",
                                exercise.id);
        return error;
    }
    if (std::regex_search(log, match, missing_any)) {
        error.message = fmt::format("{} uses {}, which is defined nowhere", file, match[1].str());
        error.advice = "It is declared, but has no body: write one, or call something else.";
        return error;
    }
    return std::nullopt;
}

/// What there is to say of a log without a diagnostic: the compiler itself did not get to its end.
CompileError other_error(const std::string& log) {
    static const std::regex line("(^|\n)([^\n]*(?:error: |Killed|out of memory)[^\n]*)");
    std::smatch match;
    CompileError error;
    error.message = "the compiler failed without saying why";
    if (std::regex_search(log, match, line)) {
        error.message = match[2];
    }
    error.advice =
        "The compiler did not get to its end; perhaps memory ran out. Try again; ./course "
        "doctor looks for a cause.";
    return error;
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
    static const std::regex header(R"(note: '(std::\w+)' is defined in header '(<\w+>)')");
    std::istringstream lines(log);
    CompileError error;
    std::size_t used_before = 0;
    for (std::string line; std::getline(lines, line);) {
        line = plain_quotes(line.substr(0, longest)); // std::regex recurses
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
        } else if (!error.message.empty() && std::regex_search(line, match, header)) {
            error.advice = match.format("$1 needs a line at the top of the file: #include $2");
        }
    }
    if (error.message.empty()) {
        return linker_error(log, exercise, contract, source).value_or(other_error(log));
    }
    if (error.line > 0) {
        error.source = line_of(source, error.line);
    }
    return error;
}

} // namespace course
