#include "seq2seq/corpus.hpp"

#include "seq2seq/bleu.hpp"
#include "training/text_file.hpp"

#include <algorithm>
#include <stdexcept>

namespace seq2seq {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
    throw std::invalid_argument(file.string() + ": " + what);
}
[[noreturn]] void fail(const fs::path& file, std::size_t line, const std::string& what) {
    fail(file, "line " + std::to_string(line + 1) + ": " + what);
}

std::vector<std::string> read_lines(const fs::path& path) {
    const std::string text = training::read_text(path);
    std::vector<std::string> lines;
    for (std::size_t first = 0; first < text.size();) {
        const std::size_t end = std::min(text.find('\n', first), text.size());
        const bool windows = end > first && text[end - 1] == '\r';
        lines.push_back(text.substr(first, end - first - (windows ? 1 : 0)));
        first = end + 1;
    }
    if (lines.empty()) {
        fail(path, "has no lines");
    }
    return lines;
}

Words cut(const std::string& line, Tokenization tokenization, std::size_t most_words,
          const fs::path& file, std::size_t number, const std::string& what) {
    Words words = tokenization == Tokenization::none ? split(line) : tokenize_13a(line);
    if (words.empty()) {
        fail(file, number, what + " is empty; remove the pair");
    }
    if (words.size() > most_words) {
        fail(file, number,
             what + " has " + std::to_string(words.size()) + " words, more than " +
                 std::to_string(most_words) + "; remove the pair");
    }
    return words;
}

} // namespace

std::vector<SentencePair> read_parallel(const std::vector<fs::path>& files,
                                        Tokenization tokenization, std::size_t most_words) {
    std::vector<SentencePair> pairs;
    if (files.size() == 1) {
        const std::vector<std::string> lines = read_lines(files[0]);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::size_t tab = lines[i].find('\t');
            if (tab == std::string::npos || lines[i].find('\t', tab + 1) != std::string::npos) {
                fail(files[0], i,
                     std::string("must be source, tab, target, got ") +
                         (tab == std::string::npos ? "no tab" : "more than one tab"));
            }
            const std::string source = lines[i].substr(0, tab), target = lines[i].substr(tab + 1);
            pairs.push_back({cut(source, tokenization, most_words, files[0], i, "the source"),
                             cut(target, tokenization, most_words, files[0], i, "the target"),
                             {}});
        }
        return pairs;
    }
    const std::vector<std::string> sources = read_lines(files[0]), targets = read_lines(files[1]);
    if (sources.size() != targets.size()) {
        throw std::invalid_argument(
            files[0].string() + " and " + files[1].string() + " must have as many lines, got " +
            std::to_string(sources.size()) + " and " + std::to_string(targets.size()));
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        pairs.push_back({cut(sources[i], tokenization, most_words, files[0], i, "the sentence"),
                         cut(targets[i], tokenization, most_words, files[1], i, "the sentence"),
                         {}});
    }
    return pairs;
}

} // namespace seq2seq
