// Grades every mutant of every solution, prints the table, and fails if one passes that is not
// listed, with the reason, as equivalent to the solution in tests/lessons/NN_name/equivalent.json.

#include <algorithm>
#include <atomic>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "judge/verdict.hpp"
#include "lessons/project.hpp"
#include "process/run.hpp"

namespace {

using nlohmann::json;

/// A mutant that computes what the solution does.
struct Equivalent {
    std::string was;
    std::string becomes;
    bool met = false;
};

struct Row {
    std::size_t mutants = 0;
    std::size_t equivalent = 0;
    std::size_t killed = 0;
    std::vector<std::string> complaints;
};

json read_json(const std::filesystem::path& path) {
    const auto text = course::read_file(path);
    return text ? json::parse(*text) : json::array();
}

std::string state_of(const course::Project& project, const course::Lesson& lesson,
                     const course::Exercise& exercise, const std::string& variant) {
    const process::Finished finished = process::run(
        {project.build / ("grader_" + lesson.folder), "--json", "--exercise", exercise.id,
         "--submission", project.build / ("submission_" + exercise.id + "_mutants"), "--variant",
         variant, "--time", "1", "--until-failure"},
        {.merge_errors = false});
    return judge::state_text(json::parse(finished.output).get<judge::Verdict>().state);
}

Row grade(const course::Project& project, const course::Lesson& lesson,
          const course::Exercise& exercise) {
    Row row;
    std::vector<Equivalent> equivalents;
    for (const json& each :
         read_json(project.root / "tests/lessons" / lesson.folder / "equivalent.json")) {
        if (each.at("exercise") == exercise.id) {
            equivalents.push_back({each.at("was"), each.at("becomes")});
        }
    }
    for (const json& mutant : read_json(project.build / "mutants" / (exercise.id + ".cpp.json"))) {
        if (!mutant.at("compiles")) {
            continue;
        }
        ++row.mutants;
        const std::string state = state_of(project, lesson, exercise, mutant.at("name"));
        const auto listed =
            std::find_if(equivalents.begin(), equivalents.end(), [&](const auto& each) {
                return each.was == mutant.at("was") && each.becomes == mutant.at("becomes");
            });
        if (state != "passed") {
            ++row.killed;
            if (state == "grader at fault" || state == "not started") {
                row.complaints.push_back(
                    fmt::format("line {}: {}", mutant.at("line").dump(), state));
            }
        } else if (listed != equivalents.end()) {
            listed->met = true;
            ++row.equivalent;
        } else {
            row.complaints.push_back(
                fmt::format("line {} passes with\n      {}\n    in place of\n      {}",
                            mutant.at("line").dump(), mutant.at("becomes").get<std::string>(),
                            mutant.at("was").get<std::string>()));
        }
    }
    for (const Equivalent& each : equivalents) {
        if (!each.met) {
            row.complaints.push_back("equivalent.json lists what is not there or is killed now: " +
                                     each.becomes);
        }
    }
    if (row.mutants == 0) {
        row.complaints.emplace_back("no mutant could be made");
    }
    return row;
}

} // namespace

int main() {
    const course::Project project = shipped_project();
    std::vector<std::pair<const course::Lesson*, const course::Exercise*>> work;
    for (const course::Lesson& lesson : project.lessons) {
        const json manifest = read_json(project.root / "lessons" / lesson.folder / "lesson.json");
        const std::string timed = manifest.value("bench", ""); // most mutants of it are only slower
        for (const course::Exercise& exercise : lesson.exercises) {
            if (exercise.id != timed) {
                work.emplace_back(&lesson, &exercise);
            }
        }
    }
    std::vector<Row> rows(work.size());
    std::atomic<std::size_t> next = 0;
    const auto worker = [&] {
        for (std::size_t i = next++; i < work.size(); i = next++) {
            rows[i] = grade(project, *work[i].first, *work[i].second);
        }
    };
    std::vector<std::thread> workers;
    for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.emplace_back(worker);
    }
    worker();
    for (std::thread& each : workers) {
        each.join();
    }

    Row sum;
    fmt::print("{:<36}{:>8}{:>8}{:>12}{:>10}\n", "", "mutants", "killed", "equivalent", "survived");
    const auto print = [](const std::string& title, const Row& row) {
        fmt::print("{:<36}{:>8}{:>8}{:>12}{:>10}\n", title, row.mutants, row.killed, row.equivalent,
                   row.mutants - row.killed - row.equivalent);
    };
    for (std::size_t i = 0; i < work.size(); ++i) {
        print(work[i].second->id + " " + work[i].second->title, rows[i]);
        sum.mutants += rows[i].mutants;
        sum.equivalent += rows[i].equivalent;
        sum.killed += rows[i].killed;
    }
    print("all", sum);
    bool good = true;
    for (std::size_t i = 0; i < work.size(); ++i) {
        for (const std::string& complaint : rows[i].complaints) {
            fmt::print("\n{}: {}\n", course::short_path(project, work[i].second->solution),
                       complaint);
            good = false;
        }
    }
    return good ? 0 : 1;
}
