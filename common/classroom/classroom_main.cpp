// The program behind ./course class: grades a folder of hand-ins.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "classroom/progress.hpp"
#include "classroom/reports.hpp"
#include "classroom/settings.hpp"
#include "classroom/workshop.hpp"
#include "course/commands/junit.hpp"
#include "course/files.hpp"
#include "process/interruption.hpp"

namespace {

namespace fs = std::filesystem;
using classroom::ClassProgress;
using classroom::HandIn;
using classroom::Points;
using classroom::Result;
using classroom::typed;
using classroom::Workshop;
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

/// What is to be graded, and where what comes of it is written.
struct Class {
    Project project;
    fs::path out;
    Points worth;
    std::vector<Result> results; // a hand-in each
};

/// A name or a path as it may be printed: nothing in it that a terminal would obey.
std::string one_line(const std::string& text) {
    std::string line = classroom::whole_text(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

bool at_fault(const std::vector<Verdict>& verdicts) {
    return std::any_of(verdicts.begin(), verdicts.end(), classroom::is_ungraded);
}

/// What the screen says of a hand-in: its points, and what there is to remark.
std::string summary_of(const Result& result, const Points& worth) {
    std::string text = fmt::format(
        "{:<32} {:>5g} of {:g}{}{}\n", one_line(result.hand_in.student), points_of(result, worth),
        classroom::points_in_all(worth), result.late ? ", late" : "",
        at_fault(result.verdicts) ? ", not all of it could be graded" : "");
    for (const std::string& remark : result.hand_in.remarks) {
        text += "    " + one_line(remark) + "\n";
    }
    return text;
}

/// A name for a hand-in's folder that no other hand-in can guess, and so not #include.
std::string secret_name(std::size_t number) {
    std::random_device source;
    return fmt::format("{}-{:08x}{:08x}{:08x}{:08x}", number, source(), source(), source(),
                       source());
}

/// The verdicts that a record keeps under this key; none if it is missing, another's or damaged.
std::optional<std::vector<Verdict>> kept_verdicts(const fs::path& record, const std::string& key) {
    try {
        const auto kept = nlohmann::json::parse(course::read_file(record).value_or("{}"));
        if (kept.value("key", "") == key) {
            return kept.at("verdicts").get<std::vector<Verdict>>();
        }
    } catch (const std::exception&) { // whatever is wrong with it: it is graded again
    }
    return std::nullopt;
}

/// Grades every hand-in, several at a time. What is done is said, and kept at once in the folder
/// out, under a key, for --resume.
void grade_all(Class& graded, const Workshop& workshop, const Options& options,
               ClassProgress& progress) {
    std::vector<Result>& results = graded.results;
    const fs::path rooms = graded.project.build / "classroom_work"; // a folder for each hand-in
    fs::remove_all(rooms);
    progress.begin_grading();
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr trouble;
    const auto grade_one = [&](std::size_t i) {
        Result& result = results[i];
        const fs::path record = graded.out / "json" / (result.file + ".json");
        const std::string key = workshop.key_of(result.hand_in);
        if (const auto verdicts = options.resume ? kept_verdicts(record, key) : std::nullopt) {
            result.verdicts = *verdicts;
            progress.done(summary_of(result, graded.worth));
            return;
        }
        const auto verdicts = workshop.grade(result.hand_in, rooms / secret_name(i));
        if (Interruption::noted()) {
            return; // what was ended in the middle says nothing
        }
        result.verdicts = verdicts;
        course::write_file(record,
                           nlohmann::json{{"student", result.hand_in.student},
                                          {"key", at_fault(verdicts) ? "" : key},
                                          {"remarks", result.hand_in.remarks},
                                          {"verdicts", verdicts}}
                               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
        progress.done(summary_of(result, graded.worth));
    };
    const auto work = [&] {
        for (std::size_t i = next++; i < results.size() && !Interruption::noted(); i = next++) {
            try { // nothing may leave a thread: it would end the program
                grade_one(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                trouble = std::current_exception();
                next = results.size();
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < options.jobs; ++i) {
        threads.emplace_back(work);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    fs::remove_all(rooms);
    if (trouble && !Interruption::noted()) { // which makes some by itself
        std::rethrow_exception(trouble);
    }
}

void write_reports(const Class& graded) {
    const auto& [project, out, worth, results] = graded;
    const std::vector<course::Exercise> exercises = find_exercises(project, "all");
    const std::string now = fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time(nullptr)));
    for (const Result& result : results) {
        const std::string& name = result.file;
        course::write_file(out / "feedback" / (name + ".md"),
                           feedback_markdown(project, result, worth));
        course::write_file(out / "feedback" / (name + ".html"),
                           feedback_html(project, result, worth));
        std::vector<course::Timed> timed;
        for (const Verdict& verdict : result.verdicts) {
            timed.push_back({verdict, 0});
        }
        course::write_file(out / "junit" / (name + ".xml"), junit(project, exercises, timed, now));
    }
    course::write_file(out / "gradebook.csv", gradebook(results, worth));
    course::write_file(out / "moodle.csv", moodle_csv(results, worth));
    course::write_file(out / "canvas.csv", canvas_csv(results, worth));
    course::write_file(out / "class.html", class_page(project, results, worth));
}

/// Leaves the lessons that words name.
void keep_only(Project& project, const std::vector<std::string>& words) {
    std::vector<std::string> named;
    for (const std::string& word : words) {
        named.push_back(find_lesson(project, word).id);
    }
    std::erase_if(project.lessons, [&](const course::Lesson& lesson) {
        return !named.empty() && std::find(named.begin(), named.end(), lesson.id) == named.end();
    });
}

/// The class. Throws BadUse where it cannot be as the options say.
Class read(const Options& options) {
    Class read{{COURSE_ROOT, COURSE_BUILD, COURSE_EXERCISES, COURSE_STATE}, {}, {}, {}};
    Project& project = read.project;
    project.lessons = course::read_lessons(project);
    keep_only(project, options.lessons);
    const fs::path folder = typed(options.folder);
    read.out = options.out.empty() ? project.root / "out" / "class" : typed(options.out);
    if ((read.out / "").string().starts_with((folder / "").string())) {
        throw BadUse(
            fmt::format("--out {} is among the hand-ins: give another folder", read.out.string()));
    }
    read.worth = classroom::read_points(project, options.points);
    for (HandIn& hand_in : classroom::read_class(project, folder, Interruption::noted)) {
        read.results.push_back({std::move(hand_in), {}, false});
    }
    name_files(read.results);
    remark_participants(read.results);
    return read;
}

void insist_on_folder(const fs::path& out) {
    std::error_code error;
    fs::create_directories(out / "json", error);
    if (!error && access((out / "json").c_str(), W_OK) != 0) {
        error = {errno, std::generic_category()};
    }
    if (error) {
        throw BadUse(fmt::format("--out {} cannot be written: {}", out.string(), error.message()));
    }
}

void grade(Class& graded, const Options& options) {
    ClassProgress progress(graded.results.size());
    progress.stage("building the graders …"); // whose first step may take long
    const Workshop workshop(graded.project, options.seed, progress.build());
    progress.stage("the graders prove themselves …");
    workshop.prove();
    grade_all(graded, workshop, options, progress);
    progress.end();
}

/// Writes what came of it, and says where. Throws MachineFault if not all could be graded.
void report(Class& graded, const Options& options) {
    std::vector<Result>& results = graded.results;
    add_hints(graded.project, results);
    write_reports(graded);
    std::size_t faults = 0;
    if (!options.gradescope.empty() && results.size() == 1 && !at_fault(results[0].verdicts)) {
        course::write_file(typed(options.gradescope),
                           gradescope_json(graded.project, results[0], graded.worth));
    }
    for (const Result& result : results) {
        if (!options.gradescope.empty()) { // whose instructors see this text, but no class.html
            for (const std::string& hint : result.hints) {
                std::cout << "    worth a look: " << one_line(hint) << "\n";
            }
        }
        faults += at_fault(result.verdicts) ? 1U : 0U;
    }
    std::cout << fmt::format("\nWritten: {0}/gradebook.csv moodle.csv canvas.csv class.html "
                             "feedback/ json/ junit/\n",
                             graded.out.string())
              << std::flush;
    if (faults > 0) {
        throw course::MachineFault(fmt::format(
            "{} of {} hand-ins could not be graded completely, because something was wrong with "
            "this machine; --resume tries those again",
            faults, results.size()));
    }
}

int grade_class(const Options& options) {
    Class graded = read(options);
    if (Interruption::noted()) {
        std::cerr << "course: interrupted before anything was graded\n";
        return 2;
    }
    for (const std::string& name : mark_late(graded.results, options.late)) {
        std::cerr << fmt::format("course: {} is said to be late, and no hand-in has that name\n",
                                 one_line(name));
    }
    insist_on_folder(graded.out); // now, and not when all is graded
    const course::BuildLock lock(graded.project);
    grade(graded, options);
    if (Interruption::noted()) {
        std::cerr << fmt::format("course: interrupted; what is graded is kept in {}, and --resume "
                                 "goes on from there\n",
                                 graded.out.string());
        return 2;
    }
    report(graded, options);
    return std::cout ? 0 : 2;
}

int parse_and_grade(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher says it, without a build
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
    } catch (const CLI::ParseError& error) {
        throw BadUse(std::string(error.what()) + " (see ./course class --help)");
    }
    Interruption interruption;
    const int status = grade_class(options);
    if (Interruption::noted()) {
        interruption.end();
    }
    return status;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return parse_and_grade(argc, argv);
    } catch (const course::MachineFault& fault) {
        std::cerr << "course: " << fault.what() << "\n";
        return 3;
    } catch (const std::exception& error) {
        std::cerr << "course: " << error.what() << "\n";
        return 2;
    }
}
