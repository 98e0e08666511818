// The program behind ./course class: grades a folder of hand-ins.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <set>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "classroom/grade_class.hpp"
#include "classroom/reports.hpp"
#include "classroom/settings.hpp"
#include "course/commands/junit.hpp"
#include "course/files.hpp"
#include "course/grading/build.hpp"
#include "process/interruption.hpp"
#include "show/text.hpp"

namespace {

namespace fs = std::filesystem;
using classroom::Class;
using classroom::file_name;
using classroom::HandIn;
using classroom::Result;
using classroom::typed;
using course::BadUse;
using course::Project;
using judge::Verdict;
using process::Interruption;

struct Options {
    std::string folder;
    std::vector<std::string> lessons; // none: all
    std::string out;
    std::string points;
    std::string late;
    std::string gradescope;
    std::uint64_t seed = 0;
    unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    bool resume = false;
};

void write_reports(const Class& graded) {
    const Project& project = graded.project;
    const std::vector<course::Exercise> exercises = find_exercises(project, "all");
    const std::string now = fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time(nullptr)));
    for (const Result& result : graded.results) {
        const std::string name = file_name(result.hand_in.student);
        course::write_file(graded.out / "feedback" / (name + ".md"),
                           feedback(project, result, graded.worth, false));
        course::write_file(graded.out / "feedback" / (name + ".html"),
                           feedback(project, result, graded.worth, true));
        std::vector<course::Timed> timed;
        for (const Verdict& verdict : result.verdicts) {
            timed.push_back({verdict, 0});
        }
        course::write_file(graded.out / "junit" / (name + ".xml"),
                           junit(project, exercises, timed, now));
    }
    course::write_file(graded.out / "gradebook.csv", gradebook(graded.results, graded.worth));
    course::write_file(graded.out / "moodle.csv", moodle_csv(graded.results, graded.worth));
    course::write_file(graded.out / "canvas.csv", canvas_csv(graded.results, graded.worth));
    course::write_file(graded.out / "class.html",
                       class_page(project, graded.results, graded.worth));
}

/// The class. Throws BadUse for impossible options.
Class read(const Options& options) {
    Class read{.project = {COURSE_ROOT, COURSE_BUILD, COURSE_EXERCISES, COURSE_STATE},
               .seed = options.seed,
               .jobs = options.jobs,
               .resume = options.resume};
    Project& project = read.project;
    project.lessons = course::read_lessons(project);
    std::set<std::string> named;
    for (const std::string& word : options.lessons) {
        named.insert(find_lesson(project, word).id);
    }
    std::erase_if(project.lessons, [&](const course::Lesson& lesson) {
        return !named.empty() && !named.contains(lesson.id);
    });
    const fs::path folder = typed(options.folder);
    read.out = options.out.empty() ? project.root / "out" / "class" : typed(options.out);
    if ((read.out / "").string().starts_with((folder / "").string())) {
        throw BadUse(
            fmt::format("--out {} is among the hand-ins: give another folder", read.out.string()));
    }
    read.worth = classroom::read_points(project, options.points);
    const bool is_one = !options.gradescope.empty(); // whatever it looks like
    for (HandIn& hand_in :
         is_one ? std::vector{classroom::read_hand_in(project, folder / "submission")}
                : classroom::read_class(project, folder)) {
        read.results.push_back({std::move(hand_in), {}, false});
    }
    mark_late(read.results, options.late);
    return read;
}

/// Writes the reports, and prints where they are and what is missing. Returns the exit status: 1 if
/// a hand-in had nothing to grade. Throws MachineFault if not all could be graded.
int report(Class& graded, const Options& options) {
    std::vector<Result>& results = graded.results;
    add_hints(graded.project, results);
    write_reports(graded);
    std::cout << fmt::format("\nWritten: {0}/gradebook.csv moodle.csv canvas.csv class.html "
                             "feedback/ json/ junit/\n",
                             graded.out.string())
              << std::flush;
    const auto faults = results.size() - static_cast<std::size_t>(
                                             std::ranges::count_if(results, classroom::is_graded));
    if (!options.gradescope.empty() && faults == 0) {
        course::write_file(typed(options.gradescope),
                           gradescope_json(graded.project, results[0], graded.worth));
        for (const std::string& hint : results[0].hints) { // its instructors see no class.html
            std::cout << "    worth a look: " << show::printable(hint) << "\n";
        }
    }
    std::vector<std::string> empty;
    for (const Result& result : results) {
        if (!has_exercises(result)) {
            empty.push_back(show::printable(result.hand_in.student));
        }
    }
    if (!empty.empty()) {
        std::cerr << fmt::format(
            "course: {} of {} hand-ins have no exercise in them, and no points "
            "in moodle.csv and canvas.csv: {}\n",
            empty.size(), results.size(), fmt::join(empty, ", "));
    }
    if (faults > 0) {
        throw course::MachineFault(fmt::format(
            "{} of {} hand-ins could not be graded completely, because something was wrong with "
            "this machine; --resume tries those again",
            faults, results.size()));
    }
    return empty.empty() || !options.gradescope.empty() ? 0 : 1; // Gradescope has its results
}

int grade_class(const Options& options) {
    Class graded = read(options);
    if (Interruption::noted()) {
        std::cerr << "course: interrupted before anything was graded\n";
        return 2;
    }
    std::error_code error; // reported before all is graded
    fs::create_directories(graded.out / "json", error);
    if (error || access((graded.out / "json").c_str(), W_OK) != 0) {
        throw BadUse(fmt::format("--out {} cannot be written: {}", graded.out.string(),
                                 error ? error.message() : std::strerror(errno)));
    }
    const course::BuildLock lock(graded.project);
    grade(graded);
    if (Interruption::noted()) {
        std::cerr << fmt::format("course: interrupted; what is graded is kept in {}, and --resume "
                                 "goes on from there\n",
                                 graded.out.string());
        return 2;
    }
    const int status = report(graded, options);
    return std::cout ? status : 2;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher prints the help, without a build
    Options options;
    app.add_option("FOLDER", options.folder)->required();
    app.add_option("LESSON", options.lessons);
    app.add_option("--out", options.out);
    app.add_option("--jobs", options.jobs)->check(CLI::Range(1, 64));
    app.add_flag("--resume", options.resume);
    app.add_option("--points", options.points);
    app.add_option("--late", options.late);
    app.add_option("--gradescope", options.gradescope)->group(""); // for ./course export
    app.add_option("--seed", options.seed);
    try {
        app.parse(argc, argv);
        Interruption interruption;
        const int status = grade_class(options);
        if (Interruption::noted()) {
            interruption.end();
        }
        return status;
    } catch (const CLI::ParseError& error) {
        std::cerr << "course: " << error.what() << " (see ./course class --help)\n";
        return 2;
    } catch (const course::MachineFault& fault) {
        std::cerr << "course: " << fault.what() << "\n";
        return 3;
    } catch (const std::exception& error) {
        std::cerr << "course: " << error.what() << "\n";
        return 2;
    }
}
