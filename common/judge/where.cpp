#include "judge/where.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "judge/child.hpp"
#include "judge/protocol.hpp"
#include "process/run.hpp"

namespace judge {

namespace {

constexpr std::size_t most_frames = 48;
constexpr std::size_t most_columns = 80;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The offsets that the submission printed, the innermost first.
std::vector<std::string> frames_in(const std::string& output) {
    std::vector<std::string> frames;
    for (const std::string& line : lines_of(output)) {
        const std::string_view prefix = frame_prefix;
        if (line.starts_with(prefix) && frames.size() < most_frames) {
            const std::string offset = line.substr(prefix.size());
            if (offset.find_first_not_of("0123456789abcdef") == std::string::npos) {
                frames.push_back("0x" + offset);
            }
        }
    }
    return frames;
}

/// Of "/…/1_project.cpp:14 (discriminator 2)", the file and the line.
std::optional<Place> place_in(const std::string& answer) {
    const std::size_t end = answer.find(".cpp:");
    if (end == std::string::npos || answer.substr(0, end).ends_with("child_main")) {
        return std::nullopt; // a header, "??:0", or who has called the exercise
    }
    Place place{answer.substr(0, end + 4), 0, ""};
    const char* const number = answer.data() + end + 5;
    std::from_chars(number, answer.data() + answer.size(), place.line);
    return place.line > 0 ? std::optional(place) : std::nullopt;
}

std::string text_of(const Place& place) {
    std::ifstream file(place.file);
    std::string text;
    for (std::size_t line = 0; line < place.line; ++line) {
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

std::optional<Place> where_it_ends(const std::filesystem::path& submission,
                                   const std::string& variant, const RecordedCall& call) {
    Limits limits = default_limits();
    limits.tells_where = true;
    limits.output = std::size_t{1} << 20; // whatever it prints besides
    Child child(submission, limits);
    child.call(call.function, call.arguments, variant);
    const std::vector<std::string> frames = frames_in(child.output());
    if (frames.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> command{"addr2line", "--inlines", "--exe=" + submission.string()};
    command.insert(command.end(), frames.begin(), frames.end());
    try {
        const auto found =
            process::run(command, {.merge_errors = false, .time = std::chrono::seconds(5)});
        for (const std::string& answer : lines_of(found.output)) {
            if (auto place = place_in(answer)) {
                place->text = text_of(*place);
                return place;
            }
        }
    } catch (const std::runtime_error&) { // it is not installed
    }
    return std::nullopt;
}

std::string place_text(const Place& place) {
    const std::string name = std::filesystem::path(place.file).filename().string();
    return fmt::format("line {} of {}{}{}", place.line, name, place.text.empty() ? "" : ":  ",
                       place.text);
}

} // namespace judge
