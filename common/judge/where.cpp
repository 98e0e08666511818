#include "judge/where.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "judge/protocol.hpp"
#include "process/run.hpp"
#include "show/text.hpp"

namespace judge {

namespace {

constexpr std::size_t most_frames = 48;
constexpr std::size_t most_columns = 80;

/// The offsets that the submission printed last, the innermost first.
std::vector<std::string> frames_in(const std::string& output) {
    std::vector<std::string> frames;
    for (const std::string& line : show::lines_of(output)) {
        const std::string_view prefix = frame_prefix;
        if (line == frame_prefix + std::to_string(first_frame)) {
            frames.clear();
        } else if (line.starts_with(prefix) && frames.size() < most_frames) {
            const std::string offset = line.substr(prefix.size());
            if (offset.find_first_not_of("0123456789abcdef") == std::string::npos) {
                frames.push_back("0x" + offset);
            }
        }
    }
    return frames;
}

/// Whether this mangled name belongs to a template of xtensor or the standard library: addr2line
/// may attribute its lines to the file that uses it.
bool is_a_library_s(std::string_view function) {
    constexpr std::array<std::string_view, 7> namespaces = {
        "_ZN2xt", "_ZNK2xt", "_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
    return std::ranges::any_of(
        namespaces, [&](std::string_view prefix) { return function.starts_with(prefix); });
}

/// From a function and "/…/1_project.cpp:14 (discriminator 2)", the line, if it is in the file of
/// this name: not in a header or "??:0", nor in a caller of the exercise.
std::optional<std::size_t> line_in(const std::string& function, const std::string& answer,
                                   const std::string& file) {
    const std::string middle = "/" + file + ":";
    const std::size_t found = answer.rfind(middle);
    if (is_a_library_s(function) || found == std::string::npos) {
        return std::nullopt;
    }
    std::size_t line = 0;
    std::from_chars(answer.data() + found + middle.size(), answer.data() + answer.size(), line);
    return line > 0 ? std::optional(line) : std::nullopt;
}

/// A line of a file, without its indentation; "" if it is too long to show.
std::string text_of_line(const std::filesystem::path& path, std::size_t number) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) {
        return "";
    }
    std::ifstream file(path);
    std::string text;
    for (std::size_t line = 0; line < number; ++line) {
        if (!std::getline(file, text)) {
            return "";
        }
    }
    const std::size_t first = text.find_first_not_of(" \t");
    const std::size_t last = text.find_last_not_of(" \t\r");
    text = first == std::string::npos ? "" : text.substr(first, last + 1 - first);
    return text.size() > most_columns ? "" : text;
}

} // namespace

std::optional<SourceLine> where_it_ends(const Session& session, const RecordedCall& call,
                                        const std::filesystem::path& source) {
    Child child = session.fresh_child([](Limits& limits) {
        limits.tells_where = true;
        limits.output = std::size_t{1} << 20; // despite its other output
    });
    const Outcome outcome = child.call(call.function, call.arguments, session.variant());
    if (child.output_cut() || std::holds_alternative<Returned>(outcome) ||
        std::holds_alternative<Threw>(outcome) != std::holds_alternative<Threw>(call.outcome)) {
        return std::nullopt; // its last output is missing, or about a caught exception
    }
    const std::vector<std::string> frames = frames_in(child.output());
    if (frames.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> command{"addr2line", "--inlines", "--functions",
                                     "--exe=" + session.submission().string()};
    command.insert(command.end(), frames.begin(), frames.end());
    try {
        const auto found =
            process::run(command, {.merge_errors = false, .time = std::chrono::seconds(5)});
        const std::vector<std::string> answers = show::lines_of(found.output);
        for (std::size_t i = 0; i + 1 < answers.size(); i += 2) { // a function, and its place
            if (const auto line = line_in(answers[i], answers[i + 1], source.filename())) {
                return SourceLine{source.filename(), *line, text_of_line(source, *line)};
            }
        }
    } catch (const std::runtime_error&) { // it is not installed
    }
    return std::nullopt;
}

std::string place_text(const SourceLine& place) {
    return fmt::format("line {} of {}{}{}", place.line, place.file, place.text.empty() ? "" : ":  ",
                       place.text);
}

} // namespace judge
