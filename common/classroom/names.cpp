#include "classroom/names.hpp"

#include <algorithm>
#include <cctype>

namespace classroom {

namespace {

bool begins_name(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
}

bool is_in_name(char c) {
    return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Reads a text from its beginning to its end.
class CodeReader {
public:
    explicit CodeReader(const std::string& text) : text_(text) {}

    Tokens read() {
        // What goes on after a backslash, digraphs, trigraphs and \u names are not seen through.
        for (const char* sign :
             {"\\\n", "\\\r", "\\ ", "\\\t", "??", "%:", "<%", "<:", "\\u", "\\U"}) {
            insist(text_.find(sign) == std::string::npos);
        }
        while (at_ < text_.size()) {
            step();
        }
        return tokens_;
    }

private:
    /// The text is plain only if all of these hold.
    void insist(bool holds) { tokens_.plain = tokens_.plain && holds; }

    void step() {
        const char c = text_[at_];
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at_;
        } else if (text_.compare(at_, 2, "//") == 0) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (text_.compare(at_, 2, "/*") == 0) {
            const std::size_t end = text_.find("*/", at_ + 2);
            insist(end != std::string::npos);
            at_ = end == std::string::npos ? text_.size() : end + 2;
        } else if (c == '#') {
            include();
        } else if (c == '"' || c == '\'') {
            quoted(c);
        } else if (begins_name(c)) {
            take_while(is_in_name);
            // A raw string follows other rules.
            insist(!(tokens_.all.back().back() == 'R' && at_ < text_.size() && text_[at_] == '"'));
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            take_while([](char each) { return is_in_name(each) || each == '.' || each == '\''; });
        } else if (text_.compare(at_, 2, "->") == 0 || text_.compare(at_, 2, "::") == 0) {
            tokens_.all.push_back(text_.substr(at_, 2));
            at_ += 2;
        } else {
            insist(c != '\\' && c != '\0');
            tokens_.all.emplace_back(1, c);
            ++at_;
        }
    }

    template <class Is>
    void take_while(Is is) {
        std::size_t end = at_;
        while (end < text_.size() && is(text_[end])) {
            ++end;
        }
        insist(end - at_ <= longest_name);
        tokens_.all.push_back(text_.substr(at_, end - at_));
        at_ = end;
    }

    void quoted(char quote) {
        std::size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
            end += text_[end] == '\\' ? 2 : 1;
        }
        insist(end < text_.size() && text_[end] == quote);
        tokens_.all.push_back(text_.substr(at_, end + 1 - at_));
        at_ = std::min(end + 1, text_.size());
    }

    /// #include and #pragma once, alone on a line; nothing else that begins with #.
    void include() {
        const std::size_t line = std::min(text_.find('\n', at_), text_.size());
        std::string words = text_.substr(at_, line - at_);
        words = words.substr(0, words.find("//"));
        words.erase(std::remove_if(words.begin(), words.end(),
                                   [](unsigned char c) { return std::isspace(c) != 0; }),
                    words.end());
        at_ = line;
        if (words == "#pragmaonce") {
            return;
        }
        const std::string name = words.starts_with("#include") ? words.substr(8) : "";
        const bool plain =
            name.size() > 2 && ((name.front() == '<' && name.find('>') == name.size() - 1) ||
                                (name.front() == '"' && name.find('"', 1) == name.size() - 1));
        insist(plain);
        if (plain) {
            tokens_.all.insert(tokens_.all.end(), {"#include", name});
        } else {
            tokens_.all.push_back(words);
        }
    }

    static constexpr std::size_t longest_name = 1000; // all that is in a namespace has its name

    const std::string& text_;
    std::size_t at_ = 0;
    Tokens tokens_;
};

// Words that name nothing, or nothing that a file could declare for another.
const std::set<std::string>& words_of_the_language() {
    static const std::set<std::string> words{
        "alignas",  "alignof",   "auto",      "bool",         "char",     "class",
        "const",    "consteval", "constexpr", "constinit",    "decltype", "double",
        "explicit", "false",     "final",     "float",        "friend",   "inline",
        "int",      "lesson",    "long",      "maybe_unused", "mutable",  "namespace",
        "new",      "nodiscard", "noexcept",  "noreturn",     "nullptr",  "override",
        "private",  "protected", "public",    "short",        "signed",   "sizeof",
        "static",   "std",       "struct",    "template",     "this",     "thread_local",
        "throw",    "true",      "typedef",   "typename",     "unsigned", "using",
        "virtual",  "void",      "volatile"};
    return words;
}

// At the level of a namespace these reach further than their name, or give more names than one.
const std::set<std::string>& too_much() {
    static const std::set<std::string> words{"asm",    "concept", "enum",     "export",   "extern",
                                             "import", "module",  "operator", "requires", "union"};
    return words;
}

/// A statement at the level of a namespace, without bodies.
using Statement = std::vector<std::string>;

std::string text_of(const Statement& statement) {
    std::string text;
    for (const std::string& token : statement) {
        text += token + " ";
    }
    return text;
}

bool is_qualified(const Statement& statement, std::size_t i) {
    return i > 0 && statement[i - 1] == "::";
}

/// The parts of a statement that lie in no parentheses, brackets or <…>: their places. Nothing if
/// they do not match.
std::vector<std::size_t> outermost(const Statement& statement, bool& matched) {
    std::vector<std::size_t> places;
    std::string open;
    for (std::size_t i = 0; i < statement.size(); ++i) {
        const std::string& token = statement[i];
        const bool angle = token == "<" && i > 0 && is_name(statement[i - 1]);
        if (open.empty()) {
            places.push_back(i);
        }
        if (token == "(" || token == "[" || angle) {
            open += token;
        } else if (token == ")" || token == "]" || token == ">") {
            const char begun = token == ")" ? '(' : token == "]" ? '[' : '<';
            if (open.empty() || open.back() != begun) {
                matched = false;
                return {};
            }
            open.pop_back();
            if (open.empty()) {
                places.push_back(i);
            }
        }
    }
    matched = open.empty();
    return places;
}

/// The function that a statement declares; "::" if it is another's member, "" if it may be anything
/// else.
std::string function_of(const Statement& statement, const std::vector<std::size_t>& places) {
    const auto is = [&](std::size_t i, const char* sign) {
        return i < statement.size() && statement[i] == sign;
    };
    const auto first = std::find_if(places.begin(), places.end(),
                                    [&](std::size_t i) { return is(i, "(") || is(i, "="); });
    const bool several =
        std::any_of(places.begin(), places.end(), [&](std::size_t i) { return is(i, ","); });
    if (first == places.end() || *first == 0 || is(*first, "=") || several) {
        return "";
    }
    const std::size_t open = *first;
    const std::string& name = statement[open - 1];
    bool pointer = is(open + 1, "*") || is(open + 1, "&") || is(open + 1, "(") || is(open + 2, ")");
    for (std::size_t i = open; i < statement.size(); ++i) {
        pointer = pointer || (is(i, "::") && is(i + 1, "*"));
    }
    if (pointer || !is_name(name) || words_of_the_language().contains(name)) {
        return "";
    }
    return is_qualified(statement, open - 1) ? "::" : name;
}

/// Whether a statement that declares no function may have something run at the start of a program.
bool may_run_at_start(const Statement& statement) {
    const auto has = [&](const char* word) {
        return std::find(statement.begin(), statement.end(), word) != statement.end();
    };
    const bool type = statement[0] == "struct" || statement[0] == "class";
    const bool only_a_type =
        type && (statement.size() <= 2 || has(":") || has("final")) && !has("=") && !has("(");
    return !only_a_type && !has("constexpr") && !has("constinit") &&
           statement[0] != "static_assert" && statement[0] != "typedef";
}

using Kind = Declaration::Kind;

/// Reads the statements at the level of namespaces, one after the other.
class Declarations {
public:
    explicit Declarations(const Tokens& tokens) : tokens_(tokens.all) {
        declared_.plain = tokens.plain;
    }

    Declared read() {
        for (; at_ < tokens_.size() && declared_.plain; ++at_) {
            step(tokens_[at_]);
        }
        declared_.plain = declared_.plain && spaces_.empty() && statement_.empty();
        return declared_;
    }

private:
    void step(const std::string& token) {
        if (token == "#include") {
            ++at_;
        } else if (token == ";") {
            end_statement();
        } else if (token == "}") {
            declared_.plain = !spaces_.empty();
            if (!spaces_.empty()) {
                spaces_.pop_back();
            }
        } else if (token != "{") {
            go_on(token);
        } else if (names_space_) {
            const std::string name = statement_.back() == "namespace" ? "" : statement_.back();
            end_statement();
            // What is in an unnamed one is seen outside of it.
            spaces_.push_back(name.empty() && !spaces_.empty() ? spaces_.back() : name);
        } else {
            skip_body();
            if (open_ <= 0) { // no default argument
                has_body_ = true;
                end_statement(); // what follows may go on with it, as in: struct A {} a;
            }
        }
    }

    void go_on(const std::string& token) {
        statement_.push_back(token);
        names_space_ = names_space_ || token == "namespace";
        open_ += token == "(" ? 1 : token == ")" ? -1 : 0;
    }

    void skip_body() {
        std::size_t depth = 1;
        while (depth > 0 && ++at_ < tokens_.size()) {
            depth += tokens_[at_] == "{" ? 1U : 0U;
            depth -= tokens_[at_] == "}" ? 1U : 0U;
        }
        declared_.plain = declared_.plain && depth == 0;
    }

    void end_statement() {
        if (!statement_.empty()) {
            declare();
        }
        statement_.clear();
        names_space_ = false;
        has_body_ = false;
        open_ = 0;
    }

    void add(const std::string& name, Kind kind, const std::string& alias = "") {
        declared_.all.push_back({name, spaces_.empty() ? "" : spaces_.back(), alias, kind});
    }

    void declare() {
        bool matched = true;
        const std::vector<std::size_t> places = outermost(statement_, matched);
        const bool scoped_enum = statement_[0] == "enum" && statement_.size() > 1 &&
                                 (statement_[1] == "class" || statement_[1] == "struct");
        const bool too_far =
            std::any_of(statement_.begin() + (scoped_enum ? 1 : 0), statement_.end(),
                        [](const std::string& each) { return too_much().contains(each); });
        // A specialisation, or an instantiation, is looked at no further either.
        const bool special =
            statement_[0] == "template" &&
            (statement_.size() < 3 || statement_[1] != "<" || statement_[2] == ">");
        if (!matched || too_far || special) {
            declared_.plain = false;
        } else if (statement_[0] == "using") {
            declare_using();
        } else if (names_space_) {
            declare_names(Kind::space); // namespace lesson::a, or namespace a = b
        } else if (const std::string function = function_of(statement_, places);
                   !function.empty()) {
            declared_.starts = declared_.starts || !has_body_; // A a(b()); is a variable, too
            if (function != "::") {
                add(function, Kind::function);
            }
        } else {
            if ((statement_[0] == "struct" || statement_[0] == "class") && statement_.size() > 1) {
                add(statement_[1], Kind::type);
            }
            declared_.starts = declared_.starts || may_run_at_start(statement_);
            declare_names(Kind::other);
        }
    }

    void declare_using() { // using a::b; or using b = …
        if (statement_.size() < 2 || statement_[1] == "namespace") {
            declared_.plain = false;
        } else {
            const bool alias = statement_.size() > 2 && statement_[2] == "=";
            add(alias ? statement_[1] : statement_.back(), Kind::type, text_of(statement_));
        }
    }

    void declare_names(Kind kind) {
        for (std::size_t i = 0; i < statement_.size(); ++i) {
            const bool leads_on = i + 1 < statement_.size() && statement_[i + 1] == "::";
            const bool counts = kind == Kind::space || (!leads_on && !is_qualified(statement_, i));
            if (is_name(statement_[i]) && counts &&
                !words_of_the_language().contains(statement_[i])) {
                add(statement_[i], kind);
            }
        }
    }

    const std::vector<std::string>& tokens_;
    std::size_t at_ = 0;
    std::vector<std::string> spaces_; // that are open: where a name of each is seen
    Statement statement_;
    bool names_space_ = false; // "namespace" is in the statement
    bool has_body_ = false;    // and ends with one
    int open_ = 0;             // parentheses of it that are not closed
    Declared declared_;
};

} // namespace

bool is_name(const std::string& token) {
    return !token.empty() && begins_name(token.front());
}

Tokens tokens_of(const std::string& text) {
    return CodeReader(text).read();
}

Declared declared_in(const Tokens& tokens) {
    return Declarations(tokens).read();
}

} // namespace classroom
