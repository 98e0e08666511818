#include "course/explain/pattern.hpp"

#include <cctype>

namespace course {

namespace {

constexpr std::string_view anything = "…";
constexpr std::size_t longest_name = 200; // in what is shown

/// The end of the name that begins there; a file's may have / . and - in it.
std::size_t end_of_name(std::string_view text, std::size_t at, bool of_a_file) {
    while (at < text.size()) {
        const bool joins = of_a_file && std::string_view("/.-").find(text[at]) != text.npos;
        if (text.substr(at, 2) == "::") {
            at += 2;
        } else if (joins || is_name_character(text[at])) {
            ++at;
        } else {
            break;
        }
    }
    return at;
}

/// The end of a piece without …, if the text has it exactly there.
std::optional<std::size_t> fits(std::string_view piece, std::string_view text, std::size_t at,
                                Names& names) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
        if (piece[i] == '$' && i + 1 < piece.size() && piece[i + 1] >= '1' && piece[i + 1] <= '3') {
            std::string_view& name = names[static_cast<std::size_t>(piece[++i] - '1')];
            const std::size_t end = end_of_name(text, at, piece[i] == '3');
            const std::string_view here = text.substr(at, end - at);
            if (here.empty() || (!name.empty() && name != here)) {
                return std::nullopt;
            }
            name = here;
            at = end;
        } else if (at >= text.size() || text[at++] != piece[i]) {
            return std::nullopt;
        }
    }
    return at;
}

} // namespace

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::optional<Found> look_for(std::string_view pattern, std::string_view text, const Names& known) {
    Found found{std::string_view::npos, 0, known};
    while (!pattern.empty()) {
        const std::size_t cut = pattern.find(anything);
        const std::string_view piece = pattern.substr(0, cut);
        pattern.remove_prefix(cut == std::string_view::npos ? pattern.size()
                                                            : cut + anything.size());
        const std::string_view words = piece.substr(0, piece.find('$'));
        for (std::size_t at = found.end;; ++at) {
            at = text.find(words, at);
            if (at == std::string_view::npos) {
                return std::nullopt;
            }
            const bool inside = words.empty() && at > 0 && is_name_character(text[at - 1]);
            Names names = found.names;
            if (const auto end = inside ? std::nullopt : fits(piece, text, at, names)) {
                found = {std::min(found.begin, at), *end, names};
                break;
            }
        }
    }
    return found;
}

std::string shortened(const std::string& text, std::size_t most) {
    std::size_t end = std::min(most, text.size());
    while (end > 0 && end < text.size() && (text[end] & 0xC0) == 0x80) { // inside a character
        --end;
    }
    return end == text.size() ? text : text.substr(0, end) + " …";
}

std::string fill_in(std::string text, const Names& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string mark = "$" + std::to_string(i + 1);
        const std::string name = shortened(std::string(names[i]), longest_name);
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
            text.replace(at, mark.size(), name);
            at += name.size();
        }
    }
    return text;
}

std::string replace_all(const std::string& text, std::string_view pattern, const std::string& by) {
    std::string result;
    std::string_view rest = text;
    while (const auto found = look_for(pattern, rest)) {
        result.append(rest.substr(0, found->begin)).append(fill_in(by, found->names));
        rest.remove_prefix(found->end);
    }
    return result.append(rest);
}

} // namespace course
