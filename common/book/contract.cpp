#include "book/contract.hpp"
#include "show/text.hpp"

#include <algorithm>

namespace book {

namespace {

/// A comment with the declaration below it: up to its semicolon or an empty line, outside of
/// braces. A function that has a body here is already written.
struct Piece {
    std::string text;
    std::string comment; // its first line
    bool written = false;
    bool of_lesson = false; // a declaration at namespace scope
};

Piece piece_from(const std::vector<std::string>& lines, std::size_t first) {
    Piece piece;
    piece.comment = lines[first];
    int depth = 0;
    bool ended = false;
    for (std::size_t i = first; i < lines.size() && !ended; ++i) {
        const std::string& line = lines[i];
        piece.text += line + "\n";
        if (line.starts_with("///")) {
            continue;
        }
        const std::string code = line.substr(0, line.find("//"));
        depth += static_cast<int>(std::count(code.begin(), code.end(), '{') -
                                  std::count(code.begin(), code.end(), '}'));
        const std::size_t last = code.find_last_not_of(' ');
        ended = depth == 0 && (line.empty() || (last != std::string::npos &&
                                                (code[last] == ';' || code[last] == '}')));
        piece.written = piece.written || line.starts_with("inline") || line.starts_with("template");
    }
    return piece;
}

bool declares(const std::string& text, const std::string& function) {
    for (std::size_t at = 0; (at = text.find(" " + function + "(", at)) != std::string::npos;
         ++at) {
        const std::size_t line = text.rfind('\n', at) + 1; // npos + 1 is 0
        if (text.compare(line, 3, "///") != 0) {
            return true;
        }
    }
    return false;
}

} // namespace

std::string contract_of(const std::string& header, const std::string& exercise,
                        const std::vector<std::string>& functions) {
    const std::vector<std::string> lines = show::lines_of(header);
    std::string contract;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].starts_with("///") || (i > 0 && lines[i - 1].starts_with("///"))) {
            continue;
        }
        const Piece piece = piece_from(lines, i);
        const bool named = piece.comment.starts_with("/// " + exercise + " ");
        const bool declared =
            std::any_of(functions.begin(), functions.end(),
                        [&](const auto& function) { return declares(piece.text, function); });
        if (!piece.written && (named || declared)) {
            contract += (contract.empty() ? "" : "\n") + piece.text;
        }
    }
    return contract;
}

} // namespace book
