#include "language/text.hpp"

#include "show/text.hpp"
#include "training/text_file.hpp"

#include <set>
#include <stdexcept>

namespace language {
namespace {

template <class Visit>
void each_character(const std::string& text, const Visit& visit) {
    for (std::size_t first = 0, end = 0; first < text.size(); first = end) {
        while (++end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        } // bytes 10…… go on with a character
        visit(text.substr(first, end - first));
    }
}

} // namespace

std::string shown(const std::string& text) {
    std::string result;
    each_character(text, [&](const std::string& each) {
        result += each == "\n" || each == "\t" ? each : show::characters(each).front();
    });
    return result;
}

Characters::Characters(const std::string& text) {
    if (text.empty()) {
        throw std::invalid_argument("Characters: there must be a character, got none");
    }
    std::set<std::string> different; // UTF-8 sorts as code points do
    each_character(text, [&](const std::string& each) { different.insert(each); });
    characters_.assign(different.begin(), different.end());
    for (std::size_t id = 0; id < characters_.size(); ++id) {
        ids_[characters_[id]] = id;
    }
}

Ids Characters::encode(const std::string& text) const {
    if (training::first_invalid_utf8(text) < text.size()) {
        throw std::invalid_argument("the text must be UTF-8");
    }
    Ids ids;
    ids.reserve(text.size());
    each_character(text, [&](const std::string& character) {
        const auto found = ids_.find(character);
        if (found == ids_.end()) {
            throw std::invalid_argument("the model knows the characters of its text only, got \"" +
                                        shown(character) + "\"");
        }
        ids.push_back(found->second);
    });
    return ids;
}

std::string Characters::decode(const Ids& ids) const {
    std::string text;
    for (const std::size_t id : ids) {
        text += character(id);
    }
    return text;
}

Text split_text(const std::string& text, std::size_t context) {
    if (text.empty()) {
        throw std::invalid_argument("the text is empty");
    }
    Text result{Characters(text), {}, {}};
    const Ids all = result.characters.encode(text);
    const std::size_t n_train = all.size() * 9 / 10;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(n_train);
    result.train.assign(all.begin(), middle);
    result.valid.assign(middle, all.end());
    if (result.valid.size() <= context || result.train.size() <= context) {
        throw std::invalid_argument(
            "the text is too short: its last tenth, to be tested on, must have more than " +
            std::to_string(context) + " characters, got " + std::to_string(result.valid.size()) +
            " of " + std::to_string(all.size()));
    }
    return result;
}

} // namespace language
