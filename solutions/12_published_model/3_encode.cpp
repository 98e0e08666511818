#include "published_model.hpp"

#include <limits>
#include <optional>

namespace lesson {

Tokens encode(const std::string& text, const Vocabulary& vocabulary) {
    // solution 12.3 (text, vocabulary): characters or bytes, then join the best pair again and again
    Tokens tokens{llama::start_of_text};
    const std::string marked = text.empty() ? text : " " + text;
    for (std::size_t first = 0, end = 0; first < marked.size(); first = end) {
        end = first + 1;
        while (end < marked.size() && (static_cast<unsigned char>(marked[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        const std::string character = marked.substr(first, end - first);
        if (const auto token = vocabulary.find(character)) {
            tokens.push_back(*token);
            continue;
        }
        for (const char byte : character) {
            tokens.push_back(llama::first_byte + static_cast<unsigned char>(byte));
        }
    }

    while (true) {
        double best = -std::numeric_limits<double>::infinity();
        std::size_t where = 0; // none: that is the start's place
        std::size_t joined = 0;
        for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
            const std::string both = vocabulary.piece(tokens[i]) + vocabulary.piece(tokens[i + 1]);
            const std::optional<std::size_t> token = vocabulary.find(both);
            if (token && vocabulary.score(*token) > best) {
                best = vocabulary.score(*token);
                where = i;
                joined = *token;
            }
        }
        if (where == 0) {
            return tokens;
        }
        tokens[where] = joined;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(where + 1));
    }
    // end
}

} // namespace lesson
