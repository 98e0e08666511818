#include "mutants/mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <set>

namespace {

struct Token {
    enum Kind { name, number, symbol } kind;
    std::size_t begin;
    std::size_t end;
    std::string text;
};

bool in_a_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The tokens of text[begin, end), without comments and string literals.
std::vector<Token> tokens_of(const std::string& text, std::size_t begin, std::size_t end) {
    static const std::array<std::string, 13> long_symbols{
        "+=", "-=", "*=", "/=", "++", "--", "<=", ">=", "==", "!=", "&&", "||", "::"};
    std::vector<Token> tokens;
    const auto add = [&](Token::Kind kind, std::size_t from, std::size_t to) {
        tokens.push_back({kind, from, to, text.substr(from, to - from)});
        return to;
    };
    for (std::size_t at = begin; at < end;) {
        const char c = text[at];
        std::size_t stop = at + 1;
        if (text.compare(at, 2, "//") == 0) {
            at = std::min(end, text.find('\n', at));
        } else if (c == '"' || c == '\'') {
            for (at = at + 1; at < end && text[at] != c; ++at) {
                at += text[at] == '\\' ? 1 : 0;
            }
            ++at;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
        } else if (in_a_name(c)) {
            const bool numeric = std::isdigit(static_cast<unsigned char>(c)) != 0;
            while (stop < end && (in_a_name(text[stop]) || (numeric && text[stop] == '.'))) {
                ++stop;
            }
            at = add(numeric ? Token::number : Token::name, at, stop);
        } else {
            for (const std::string& symbol : long_symbols) {
                stop = text.compare(at, 2, symbol) == 0 ? at + 2 : stop;
            }
            at = add(Token::symbol, at, stop);
        }
    }
    return tokens;
}

std::string collapsed(const std::string& text) {
    std::string result;
    for (const char c : std::regex_replace(text, std::regex("//[^\n]*"), "")) {
        const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!blank) {
            result += c;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    while (!result.empty() && result.back() == ' ') {
        result.pop_back();
    }
    return result;
}

class Mutator {
public:
    explicit Mutator(const std::string& solution) : text_(solution) { find_names(); }

    std::vector<Mutant> all() {
        std::size_t end = 0;
        for (std::size_t begin = 0;
             (begin = text_.find("// solution", end)) != std::string::npos;) {
            end = std::min(text_.find("// end", begin), text_.find("// blank", begin));
            tokens_ = tokens_of(text_, begin, end);
            for (std::size_t i = 0; i < tokens_.size(); ++i) {
                operators(i);
                constants(i);
                names(i);
                exchanged_arguments(i);
            }
            statements();
        }
        return std::move(found_);
    }

private:
    const std::string& text_;
    std::vector<Token> tokens_;
    std::map<std::string, std::set<std::string>> of_type_; // names that may replace each other
    std::vector<Mutant> found_;

    void replace(std::size_t begin, std::size_t end, const std::string& by) {
        std::string source = text_.substr(0, begin) + by + text_.substr(end);
        const std::size_t first = text_.rfind('\n', begin) + 1;
        const std::size_t last = std::min(text_.find('\n', end), text_.size());
        found_.push_back(
            {static_cast<std::size_t>(std::count(
                 text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n')) +
                 1,
             collapsed(text_.substr(first, last - first)),
             collapsed(source.substr(first, last - first + by.size() - (end - begin))), source});
    }
    void replace(const Token& token, const std::string& by) { replace(token.begin, token.end, by); }

    const std::string& text(std::size_t i) const {
        static const std::string nothing;
        return i < tokens_.size() ? tokens_[i].text : nothing;
    }

    void operators(std::size_t i) {
        static const std::map<std::string, std::vector<std::string>> others{
            {"+", {"-"}},   {"*", {"/"}},   {"/", {"*"}},        {"<=", {"<", ">="}},
            {">=", {">"}},  {"==", {"!="}}, {"!=", {"=="}},      {"&&", {"||"}},
            {"||", {"&&"}}, {"+=", {"-="}}, {"-=", {"+=", "="}}, {"*=", {"/="}},
            {"/=", {"*="}}, {"++", {"--"}}, {"<", {"<=", ">="}}, {">", {">=", "<"}},
            {"!", {""}}};
        const Token& token = tokens_[i];
        if (token.kind != Token::symbol) {
            return;
        }
        const bool spaced = text_[token.begin - 1] == ' ' && text_[token.end] == ' ';
        if (token.text == "-") {
            replace(token, spaced ? "+" : "");
        } else if ((token.text != "<" && token.text != ">") || spaced) { // not a template's
            for (const auto found = others.find(token.text);
                 const std::string& other :
                 found == others.end() ? std::vector<std::string>{} : found->second) {
                replace(token, other);
            }
        }
    }

    void constants(std::size_t i) {
        const Token& token = tokens_[i];
        if (token.text == "true" || token.text == "false") {
            replace(token, token.text == "true" ? "false" : "true");
        }
        if (token.kind == Token::number && token.text.find('.') != std::string::npos) {
            replace(token, std::to_string(std::stod(token.text) + 0.5));
        } else if (token.kind == Token::number) {
            replace(token, std::to_string(std::stol(token.text) + 1));
            if (token.text != "0") {
                replace(token, std::to_string(std::stol(token.text) - 1));
            }
        }
    }

    /// Which names of the whole file have the same type: its parameters, its constants, its
    /// indices.
    void find_names() {
        const std::regex declaration(
            R"((const )?(std::size_t|double|Matrix|Vector|Mask|Tensor3)(&)? (\w+)( =|,|\)|;))");
        for (std::sregex_iterator each(text_.begin(), text_.end(), declaration), end; each != end;
             ++each) {
            of_type_[(*each)[1].str() + (*each)[2].str()].insert((*each)[4].str());
        }
    }

    void names(std::size_t i) {
        static const std::map<std::string, std::string> functions{{"amax", "amin"},
                                                                  {"max", "min"},
                                                                  {"min", "max"},
                                                                  {"exp", ""},
                                                                  {"sqrt", ""},
                                                                  {"log", "exp"},
                                                                  {"sum", "amax"},
                                                                  {"zeros", "ones"},
                                                                  {"mean", "amax"},
                                                                  {"raw_scores", "scaled_scores"},
                                                                  {"scaled_scores", "raw_scores"}};
        const Token& token = tokens_[i];
        if (token.kind != Token::name) {
            return;
        }
        const bool called = text(i + 1) == "(" || text(i + 1) == "<";
        if (const auto found = functions.find(token.text); called && found != functions.end()) {
            const bool with_namespace = found->second.empty() && i >= 2 && text(i - 1) == "::";
            replace(with_namespace ? tokens_[i - 2].begin : token.begin, token.end, found->second);
        }
        const bool member = i > 0 && (text(i - 1) == "." || text(i - 1) == "::");
        for (const auto& [type, names] : of_type_) {
            for (const std::string& other : names) {
                if (!member && names.contains(token.text) && other != token.text) {
                    replace(token, other);
                }
            }
        }
    }

    /// f(a, b) becomes f(b, a) where both are single names or numbers.
    void exchanged_arguments(std::size_t i) {
        if (text(i) == "(" && text(i + 2) == "," && text(i + 4) == ")" &&
            text(i + 1) != text(i + 3)) {
            replace(tokens_[i + 1].begin, tokens_[i + 3].end, text(i + 3) + ", " + text(i + 1));
        }
    }

    void statements() {
        std::size_t first = 0; // token of the statement
        int depth = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::string& symbol = tokens_[i].text;
            depth += symbol == "(" ? 1 : symbol == ")" ? -1 : 0;
            if (symbol == "if" && text(i + 1) == "(") {
                condition(i + 1);
            }
            if (depth == 0 && symbol == ";" && first != i && text(first) != "return") {
                replace(tokens_[first].begin, tokens_[i].end, ";");
            }
            if (depth == 0 && (symbol == ";" || symbol == "{" || symbol == "}")) {
                first = i + 1;
            }
        }
    }

    void condition(std::size_t open) {
        int depth = 0;
        std::size_t close = open;
        do {
            depth += text(close) == "(" ? 1 : text(close) == ")" ? -1 : 0;
            ++close;
        } while (depth > 0);
        const std::size_t begin = tokens_[open].end;
        const std::size_t end = tokens_[close - 1].begin;
        replace(begin, end, "!(" + text_.substr(begin, end - begin) + ")");
        replace(begin, end, "false");
    }
};

} // namespace

std::vector<Mutant> mutate(const std::string& solution) {
    return Mutator(solution).all();
}
