#include "support/mistakes.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace mistakes {

namespace {

using versions::Version;

struct Patch {
    std::string was, becomes;
    bool everywhere = false; // of lines with "~"
};

struct Entry {
    std::size_t line = 0;
    std::string name;
    bool is_use = false;             // its name is that of a part
    std::vector<std::string> values; // of which there is one in each of its versions
    std::vector<Patch> patches = {};
    std::string body = ""; // of lines with "="
    std::string explanation = "";
};

[[noreturn]] void refuse(const std::filesystem::path& file, std::size_t line,
                         const std::string& rule) {
    throw std::invalid_argument(fmt::format("{}:{}: {}", file.string(), line, rule));
}

std::string stripped(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::size_t last = line.find_last_not_of(' ');
    return first == std::string::npos ? "" : line.substr(first, last + 1 - first);
}

/// Without comments, indentation and empty lines, so that a patch need not repeat them.
std::string plain(const std::string& source) {
    static const std::regex comment("//(?! (?:solution|end)).*");
    std::istringstream lines(source);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const std::string code = stripped(std::regex_replace(line, comment, ""));
        text += code.empty() ? "" : code + "\n";
    }
    return text;
}

/// A version for each of an entry's values, which replaces the @.
std::vector<Entry> versions_of(const Entry& entry) {
    static const std::regex no_letter("\\W+"), place_of_value("@");
    std::vector<Entry> all;
    for (const std::string& value : entry.values) {
        Entry each = entry;
        each.name += "_" + std::regex_replace(value, no_letter, "_");
        each.body = std::regex_replace(each.body, place_of_value, value);
        for (Patch& patch : each.patches) {
            patch.becomes = std::regex_replace(patch.becomes, place_of_value, value);
        }
        all.push_back(each);
    }
    return all.empty() ? std::vector<Entry>{entry} : all;
}

/// The entry that a line with its name begins.
Entry named(const std::string& text, const std::filesystem::path& file, std::size_t line) {
    static const std::regex head("(use )?(\\w+)(?:: (.+))?");
    std::smatch match;
    if (!std::regex_match(text, match, head)) {
        refuse(file, line, "a mistake's name is letters, digits and _, got " + text);
    }
    std::istringstream values(match[3]);
    return {line, match[2], match[1].matched, {std::istream_iterator<std::string>(values), {}}};
}

/// The entries of a file. head becomes that of the function PART, if the file describes one.
std::vector<Entry> entries_of(const std::filesystem::path& file, std::string& head) {
    std::ifstream in(file);
    if (!in) {
        refuse(file, 0, "cannot be read");
    }
    std::vector<Entry> entries;
    std::size_t number = 0;
    char before = ' '; // what the line before began with
    for (std::string line; std::getline(in, line);) {
        ++number;
        const std::string text = stripped(line);
        if (text.empty() || line[0] == '#') {
            continue;
        }
        if (line.starts_with("= ")) {
            head = stripped(line.substr(1));
            continue;
        }
        if (line[0] != ' ') {
            entries.push_back(named(text, file, number));
            before = ' ';
            continue;
        }
        if (entries.empty()) {
            refuse(file, number, "a name must come first, at the start of a line");
        }
        Entry& entry = entries.back();
        const bool code =
            std::string("-~+=").find(text[0]) != std::string::npos && (text + " ")[1] == ' ';
        const char kind = code ? text[0] : ' ';
        const std::string rest = (kind == before ? "\n" : "") + stripped(text.substr(1));
        if (kind == '-' || kind == '~') {
            if (before != kind) {
                entry.patches.push_back({"", "", kind == '~'});
            }
            entry.patches.back().was += rest;
        } else if (kind == '+') {
            if (entry.patches.empty()) {
                refuse(file, number, "a line with - comes before a line with +");
            }
            entry.patches.back().becomes += rest;
        } else if (kind == '=') {
            entry.body += stripped(text.substr(1)) + "\n";
        } else {
            entry.explanation += (entry.explanation.empty() ? "" : " ") + text;
        }
        before = kind;
    }
    std::vector<Entry> all;
    for (Entry& entry : entries) {
        entry.explanation = entry.explanation.empty() ? "a decoy" : entry.explanation;
        std::ranges::copy(versions_of(entry), std::back_inserter(all));
    }
    return all;
}

std::string place(const std::filesystem::path& file, std::size_t line) {
    return fmt::format("#line {} \"{}\"\n", line, file.filename().string());
}

/// The solution as an entry changes it.
std::string changed(std::string text, const Entry& entry, const std::filesystem::path& file) {
    if (entry.body.empty() && entry.patches.empty()) {
        refuse(file, entry.line, entry.name + " changes nothing: lines with - and +, or with =");
    }
    if (!entry.body.empty()) {
        const std::size_t begin = text.find('\n', text.find("// solution")) + 1;
        text.replace(begin, text.find("// end", begin) - begin, entry.body);
    }
    for (const Patch& patch : entry.patches) {
        std::size_t at = text.find(patch.was);
        if (at == std::string::npos) {
            refuse(file, entry.line, "the solution has no \"" + patch.was + "\"");
        }
        if (!patch.everywhere && text.find(patch.was, at + 1) != std::string::npos) {
            refuse(file, entry.line,
                   "the solution has \"" + patch.was + "\" twice: write more of the line");
        }
        for (; at != std::string::npos; at = text.find(patch.was, at + patch.becomes.size())) {
            text.replace(at, patch.was.size(), patch.becomes);
        }
    }
    return text;
}

} // namespace

std::vector<Version> read(const std::filesystem::path& file, const std::string& solution,
                          const std::filesystem::path& parts) {
    static const std::regex part("\\bPART\\b");
    const std::string original = plain(solution);
    std::vector<Version> all;
    std::set<std::string> names;
    std::string head;
    const auto demand_new = [&](const std::string& name) {
        if (!names.insert(name).second) {
            refuse(file, 0, name + " is there twice");
        }
    };
    for (const Entry& entry : entries_of(file, head)) {
        all.push_back({entry.name, entry.explanation, changed(original, entry, file),
                       place(file, entry.line)});
        if (!entry.is_use) {
            demand_new(entry.name);
            continue;
        }
        const std::filesystem::path shared = parts / (entry.name + ".mistakes");
        for (const Entry& each : entries_of(shared, head)) {
            demand_new(each.name);
            all.back().parts.push_back({each.name, each.explanation,
                                        std::regex_replace(head, part, each.name) + " {\n" +
                                            place(shared, each.line) + each.body + "}\n"});
        }
    }
    return all;
}

} // namespace mistakes
