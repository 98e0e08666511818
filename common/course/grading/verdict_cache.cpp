#include "course/grading/verdict_cache.hpp"

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
    std::string contents;
    for (const std::string& program : programs) {
        contents += read_file(project.build / program).value_or("") + '\0';
    }
    static const std::string goldens = [&] {
        std::set<fs::path> files;
        for (const auto& file :
             fs::recursive_directory_iterator(our_side(project) / "tests" / "golden")) {
            files.insert(file.path());
        }
        std::string all;
        for (const fs::path& file : files) {
            all += read_file(file).value_or("") + '\0';
        }
        return all;
    }();
    contents += goldens;
    return fmt::format("{:016x}", std::hash<std::string>{}(contents));
}

std::optional<Verdict> kept_verdict(const Project& project, const Exercise& exercise,
                                    const std::string& key) {
    try {
        const auto json =
            nlohmann::json::parse(read_file(cache_of(project, exercise)).value_or(""));
        if (key.empty() || json.at("key") == key) {
            auto verdict = json.at("verdict").get<Verdict>();
            // A state that is none reads as this, which is never kept.
            return verdict.state == State::grader_at_fault ? std::nullopt
                                                           : std::optional(std::move(verdict));
        }
    } catch (const nlohmann::json::exception&) {
        // No verdict yet, or a damaged one: it is computed again.
    }
    return std::nullopt;
}

void keep_verdict(const Project& project, const Exercise& exercise, const std::string& key,
                  const Verdict& verdict) {
    if (verdict.state == State::grader_at_fault) {
        return;
    }
    try {
        write_file(cache_of(project, exercise),
                   nlohmann::json{{"key", key}, {"verdict", verdict}}.dump(
                       1, ' ', false, nlohmann::json::error_handler_t::replace));
    } catch (const std::runtime_error&) {
        // A cache that cannot be written costs time, not a verdict.
    }
}

} // namespace course
