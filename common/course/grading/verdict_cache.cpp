#include "course/grading/verdict_cache.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"

namespace course {

namespace fs = std::filesystem;
using judge::State;
using judge::Verdict;

namespace {

fs::path cache_of(const Project& project, const Exercise& exercise) {
    return project.state / "verdicts" / (exercise.id + ".json");
}

} // namespace

std::string fingerprint(const Project& project, const std::vector<std::string>& programs) {
    std::string all; // path, size and time of each file that a verdict depends on
    const auto add = [&](const fs::path& file) {
        std::error_code none;
        all += fmt::format("{} {} {};", file.string(), fs::file_size(file, none),
                           fs::last_write_time(file, none).time_since_epoch().count());
    };
    for (const std::string& program : programs) {
        add(project.build / program);
    }
    std::set<fs::path> goldens;
    for (const auto& file :
         fs::recursive_directory_iterator(our_side(project) / "tests" / "golden")) {
        goldens.insert(file.path());
    }
    std::ranges::for_each(goldens, add);
    return all;
}

std::vector<Verdict> verdicts_in(const fs::path& file, const std::string& key) {
    try {
        const auto json = nlohmann::json::parse(read_file(file).value_or(""));
        if (key.empty() || json.at("key") == key) {
            return json.at("verdicts").get<std::vector<Verdict>>();
        }
    } catch (const nlohmann::json::exception&) {
        // No verdict yet, or a damaged one: it is computed again.
    }
    return {};
}

std::optional<Verdict> kept_verdict(const Project& project, const Exercise& exercise,
                                    const std::string& key) {
    const std::vector<Verdict> kept = verdicts_in(cache_of(project, exercise), key);
    // An unknown state is read as this one, which is never kept.
    return kept.size() != 1 || kept[0].state == State::grader_at_fault ? std::nullopt
                                                                       : std::optional(kept[0]);
}

void keep_verdict(const Project& project, const Exercise& exercise, const std::string& key,
                  const Verdict& verdict) {
    if (verdict.state == State::grader_at_fault) {
        return;
    }
    try {
        write_file(cache_of(project, exercise),
                   nlohmann::json{{"key", key}, {"verdicts", std::vector{verdict}}}.dump(
                       1, ' ', false, nlohmann::json::error_handler_t::replace));
    } catch (const std::runtime_error&) {
        // A cache that cannot be written costs time, not a verdict.
    }
}

} // namespace course
