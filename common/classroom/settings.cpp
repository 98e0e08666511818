#include "classroom/settings.hpp"

#include <algorithm>
#include <ctime>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "process/typed_path.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::BadUse;
using course::Project;

namespace {

/// The lines of a CSV file as "first,second"; the second may be missing.
std::vector<std::pair<std::string, std::string>> pairs_in(const fs::path& file) {
    const auto text = course::read_file(file);
    if (!text) {
        throw BadUse(file.string() + " cannot be read");
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(" \t\r") + 1);
        const std::size_t comma = line.rfind(',');
        if (!line.empty()) {
            pairs.emplace_back(line.substr(0, comma),
                               comma == std::string::npos ? "" : line.substr(comma + 1));
        }
    }
    return pairs;
}

/// Marks whom a line "name" or "name,value" means: there may be a comma in the name as well.
/// Whether that is anybody.
bool mark_late_by_name(std::vector<Result>& results, const std::string& name,
                       const std::string& value) {
    const auto find = [&](std::string student) {
        if (student.size() > 1 && student.front() == '"' && student.back() == '"') {
            student = student.substr(1, student.size() - 2); // as CSV writes such a name
        }
        return std::find_if(results.begin(), results.end(), [&](const Result& result) {
            return result.hand_in.student == student;
        });
    };
    const auto whole = find(name + (value.empty() ? "" : "," + value));
    if (whole != results.end()) {
        whole->late = true;
        return true;
    }
    const auto found = find(name);
    if (found != results.end()) {
        found->late = value != "no";
    }
    return found != results.end();
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
    for (const auto& [exercise, points] :
         file.empty() ? decltype(pairs_in(file)){} : pairs_in(typed(file))) {
        std::istringstream text(points);
        double number = 0;
        if (!worth.contains(exercise) || !(text >> number) || number < 0) {
            throw BadUse(fmt::format("{}: a line is an exercise and its points, as in 03.2,5; "
                                     "got {},{}",
                                     file, exercise, points));
        }
        worth[exercise] = number;
    }
    return worth;
}

std::vector<std::string> mark_late(std::vector<Result>& results, const std::string& late) {
    std::vector<std::string> unknown;
    if (late.empty()) {
        return unknown;
    }
    if (fs::is_regular_file(typed(late))) {
        for (const auto& [name, value] : pairs_in(typed(late))) {
            if (!mark_late_by_name(results, name, value)) {
                unknown.push_back(name);
            }
        }
        return unknown;
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
    return unknown;
}

} // namespace classroom
