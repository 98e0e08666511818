#include "classroom/settings.hpp"

#include <ctime>
#include <iomanip>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "classroom/exercise_files.hpp"
#include "classroom/reports.hpp"
#include "course/files.hpp"
#include "process/typed_path.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::BadUse;
using course::Project;

namespace {

std::vector<std::string> lines_in(const fs::path& file) {
    auto text = course::read_file(file);
    if (!text) {
        throw BadUse(file.string() + " cannot be read");
    }
    std::vector<std::string> all;
    std::istringstream lines(text->starts_with("\xEF\xBB\xBF") ? text->substr(3) : *text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(" \t\r") + 1);
        if (!line.empty()) {
            all.push_back(line);
        }
    }
    return all;
}

/// A line's two parts, at its last comma; the second is "" where there is none.
std::pair<std::string, std::string> parted(const std::string& line) {
    const std::size_t comma = line.rfind(',');
    const std::string rest = comma == std::string::npos ? "" : line.substr(comma + 1);
    return {line.substr(0, comma), rest.starts_with(' ') ? rest.substr(1) : rest};
}

/// The hand-in of this name, or of the only student so called; nullptr if there is none.
Result* find(std::vector<Result>& results, const std::string& cell) {
    std::string written = cell;
    if (cell.starts_with('"')) { // as CSV writes a name that has a comma or quotes
        std::istringstream(cell) >> std::quoted(written, '"', '"');
    }
    const auto mark = mark_in(written); // a folder's whole name
    const std::string name = composed(mark ? mark->student : written);
    std::vector<Result*> so_called;
    for (Result& result : results) {
        if (result.hand_in.student == name) {
            return &result;
        }
        if (result.hand_in.who.called == name) {
            so_called.push_back(&result);
        }
    }
    return so_called.size() == 1 ? so_called.front() : nullptr;
}

/// Reads lines such as "name", "name,yes" and "name,no"; the name may have a comma.
void mark_late_by_names(std::vector<Result>& results, const std::string& file) {
    for (const std::string& line : lines_in(typed(file))) {
        const auto [name, said] = parted(line);
        const bool is_said = said.empty() || said == "yes" || said == "no";
        Result* const result = find(results, is_said ? name : line);
        if (result == nullptr) {
            throw BadUse(fmt::format(
                "{}: a line must be a student's name, or a name and yes or no, "
                "as in Ada,yes; no hand-in is called {}{}",
                file, whole_text(line), can_compose ? "" : " (install utf8proc for ü from a Mac)"));
        }
        result->late = said != "no";
    }
}

} // namespace

fs::path typed(const std::string& path) {
    return fs::weakly_canonical(process::typed_path(path));
}

Points read_points(const Project& project, const std::string& file) {
    Points worth;
    for (const course::Lesson& lesson : project.lessons) {
        const fs::path path = lesson.page.parent_path() / "lesson.json";
        const auto manifest = nlohmann::json::parse(course::read_file(path).value_or("{}"));
        for (const auto& exercise : manifest.at("exercises")) {
            const auto points = exercise.value("points", nlohmann::json(1.0));
            if (!points.is_number() || points.get<double>() < 0) {
                throw BadUse(fmt::format("{}: points are a number from 0, as in 2.5; got {}",
                                         short_path(project, path), points.dump()));
            }
            worth[exercise.at("id")] = points;
        }
    }
    for (const std::string& line :
         file.empty() ? std::vector<std::string>{} : lines_in(typed(file))) {
        const auto [exercise, points] = parted(line);
        std::istringstream text(points);
        double number = 0;
        if (!worth.contains(exercise) || !(text >> number) || !text.eof() || number < 0) {
            throw BadUse(fmt::format("{}: a line is an exercise and its points, as in 03.2,5; "
                                     "got {}",
                                     file, line));
        }
        worth[exercise] = number;
    }
    return worth;
}

void mark_late(std::vector<Result>& results, const std::string& late) {
    for (Result& result : results) {
        result.late = result.hand_in.who.late;
    }
    if (late.empty()) {
        return;
    }
    if (fs::is_regular_file(typed(late))) {
        mark_late_by_names(results, late);
        return;
    }
    std::tm moment{};
    moment.tm_isdst = -1;
    moment.tm_hour = 24; // a day lasts until it is over
    const char* rest = strptime(late.c_str(), "%Y-%m-%d", &moment);
    if (rest != nullptr && *rest == 'T') {
        rest = strptime(rest, "T%H:%M", &moment);
    }
    if (rest == nullptr || *rest != '\0') {
        throw BadUse(fmt::format("--late wants a day or a moment, as in 2026-11-20 or "
                                 "2026-11-20T18:00, or a file of names; got {}",
                                 late));
    }
    const std::time_t until = std::mktime(&moment);
    for (Result& result : results) {
        result.late = result.hand_in.changed >= until;
    }
}

} // namespace classroom
