#include "book/markdown.hpp"

#include <cctype>
#include <stdexcept>

#include <md4c-html.h>

#include "show/text.hpp"

namespace book {

namespace {

/// HTML without its tags, and with its entities as characters.
std::string text_of(const std::string& html) {
    std::string text;
    bool in_tag = false;
    for (const char c : html) {
        in_tag = in_tag || c == '<';
        text += in_tag ? "" : std::string(1, c);
        in_tag = in_tag && c != '>';
    }
    for (const auto& [entity, character] : {std::pair("&quot;", "\""), std::pair("&lt;", "<"),
                                            std::pair("&gt;", ">"), std::pair("&amp;", "&")}) {
        for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) {
            text.replace(at, std::string_view(entity).size(), character);
        }
    }
    return text;
}

std::string with_heading_ids(const std::string& html) {
    std::string result;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = html.find("<h", at)) != std::string::npos; ++at) {
        if (at + 3 >= html.size() || html[at + 2] < '1' || html[at + 2] > '6' ||
            html[at + 3] != '>') {
            continue;
        }
        const std::size_t begin = at + 4;
        const std::size_t end = html.find("</h", begin);
        const std::string id = id_of(text_of(html.substr(begin, end - begin)));
        result += html.substr(done, at + 3 - done) + " id=\"" + show::escaped(id) + "\"";
        done = at + 3;
    }
    return result + html.substr(done);
}

} // namespace

std::string html_of(const std::string& markdown) {
    std::string html;
    const auto take = [](const MD_CHAR* text, MD_SIZE size, void* into) {
        static_cast<std::string*>(into)->append(text, size);
    };
    constexpr unsigned dialect =
        MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOINDENTEDCODEBLOCKS;
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html, dialect, 0) !=
        0) {
        throw std::runtime_error("the page could not be made: md4c failed");
    }
    return with_heading_ids(html);
}

std::string with_links(const std::string& html, const Rewrite& rewrite) {
    std::string result;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) {
        const bool link = html.compare(at, 9, "<a href=\"") == 0;
        const bool picture = html.compare(at, 10, "<img src=\"") == 0;
        if (!link && !picture) {
            continue;
        }
        const std::size_t attribute = at + (link ? 3 : 5);
        const std::size_t begin = html.find('"', attribute) + 1;
        const std::size_t end = html.find('"', begin);
        result += html.substr(done, attribute - done) + rewrite(html.substr(begin, end - begin));
        done = end + 1;
    }
    return result + html.substr(done);
}

std::string id_of(const std::string& heading) {
    std::string id;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '_' || c == '-' || byte >= 0x80) {
            id += static_cast<char>(std::tolower(byte));
        } else if (c == ' ') {
            id += '-';
        }
    }
    return id;
}

} // namespace book
