#include "seq2seq/vocabulary.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace seq2seq {

Vocabulary::Vocabulary(const std::vector<Words>& sentences, std::size_t minimum_count)
    : words_{"<pad>", "<unk>", "<s>", "</s>"} {
    std::map<std::string, std::size_t> counts; // sorted, which orders words of one frequency
    for (const Words& sentence : sentences) {
        for (const std::string& word : sentence) {
            ++counts[word];
        }
    }
    std::vector<std::pair<std::string, std::size_t>> kept;
    for (const auto& entry : counts) {
        if (entry.second >= minimum_count) {
            kept.push_back(entry);
        }
    }
    if (kept.empty()) {
        throw std::invalid_argument("Vocabulary: a word must occur at least " +
                                    std::to_string(minimum_count) + " times, got none; there are " +
                                    std::to_string(sentences.size()) + " sentences with " +
                                    std::to_string(counts.size()) + " different words");
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& entry : kept) {
        words_.push_back(entry.first);
    }
    for (std::size_t id = 0; id < words_.size(); ++id) {
        ids_.emplace(words_[id], id);
    }
}

std::size_t Vocabulary::id(const std::string& word) const {
    const auto found = ids_.find(word);
    return found == ids_.end() || found->second < n_special ? unknown : found->second;
}

Ids Vocabulary::encode(const Words& sentence) const {
    Ids ids;
    for (const std::string& word : sentence) {
        ids.push_back(id(word));
    }
    ids.push_back(end);
    return ids;
}

Words Vocabulary::decode(const Ids& ids) const {
    Words sentence;
    for (const std::size_t id : ids) {
        if (id == end) {
            break;
        }
        sentence.push_back(word(id));
    }
    return sentence;
}

Words split(const std::string& line) {
    // White space as in Python's str.split(), and so in sacreBLEU.
    static const std::string white =
        "\t\n\v\f\r\x1C\x1D\x1E\x1F \u0085\u00A0\u1680\u2000\u2001\u2002"
        "\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000";
    Words words{""};
    for (std::size_t at = 0, end = 0; at < line.size(); at = end) {
        while (++end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) {
        } // bytes 10…… go on with a character
        if (white.find(line.data() + at, 0, end - at) == std::string::npos) {
            words.back().append(line, at, end - at);
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

std::string join(const Words& words) {
    std::string line;
    for (const std::string& word : words) {
        line += (line.empty() ? "" : " ") + word;
    }
    return line;
}

} // namespace seq2seq
