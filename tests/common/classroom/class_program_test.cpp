// ./course class as a teacher meets it: a small class on lesson 01.

#include <chrono>
#include <csignal>
#include <optional>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "course/lessons.hpp"
#include "process/run.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path first_lesson = "lessons/01_linear_projections";

process::Finished run_class(std::vector<std::string> options) {
    options.insert(options.begin(), CLASSROOM);
    return process::run(options, {.environment = {{"LC_ALL", "C.UTF-8"}}});
}

std::string text_of(const fs::path& file) {
    return course::read_file(file).value_or("");
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string solution(const std::string& file) {
    return text_of(fs::path(COURSE_ROOT) / "solutions/01_linear_projections" / file);
}

std::string project_with(const std::string& body) {
    return "#include \"linear_projections.hpp\"\nnamespace lesson {\nMatrix project(const Matrix& "
           "X, const Matrix& W) {\n" +
           body + "\n}\n}\n";
}

} // namespace

TEST_CASE("class: right answers pass, mistakes are named, and no hand-in hides another") {
    const support::TemporaryFolder folder;
    for (const char* file : {"1_project.cpp", "2_compute_qkv.cpp", "3_check_projection.cpp"}) {
        course::write_file(folder / "in/ada" / first_lesson / file, solution(file));
        course::write_file(folder / "in/bob" / file, solution(file));
    }
    course::write_file(folder / "in/cy" / first_lesson / "1_project.cpp",
                       project_with("return X * W;"));
    course::write_file(folder / "in/cy" / first_lesson / "2_compute_qkv.cpp", "not C++");
    course::write_file(folder / "in/dee/essay.txt", "about attention");
    const fs::path out = folder / "out";

    const auto graded = run_class({folder / "in", "01", "--out", out});
    INFO(graded.output);
    CHECK(graded.status == 1); // dee's is to be looked at
    CHECK(has(graded.output, "course: 1 of 4 hand-ins have no exercise in them, and no points in "
                             "moodle.csv and canvas.csv: dee\n"));
    CHECK(has(text_of(out / "moodle.csv"), "\ndee,dee,,3,"));
    CHECK(has(text_of(out / "canvas.csv"), "\ndee,,dee,,\n"));
    const std::string book = text_of(out / "gradebook.csv");
    CHECK(has(book, "\nada,no,3,3,1,1,1,\n"));
    CHECK(has(book, "\nbob,no,3,3,1,1,1,\n"));
    CHECK(has(book, "\ncy,no,0,3,0,0,0,\n"));
    CHECK(has(book, "\ndee,no,0,3,0,0,0,no exercise files found\n"));
    CHECK(has(graded.output, "    no exercise files found\n"));
    CHECK(has(graded.output, "building the graders …\n")); // perhaps after a wait
    CHECK(has(graded.output, "testing the graders …\ngrading 4 hand-ins …\n"));
    CHECK(!has(graded.output, "\x1b")); // no line that moves where nobody watches
    const std::string cy = text_of(out / "feedback/cy.md");
    CHECK(has(cy, "Most likely: The two matrices are multiplied element by element"));
    CHECK(has(cy, "| 01.2 compute_qkv | does not compile | 0 |"));
    CHECK(has(cy, first_lesson / "2_compute_qkv.cpp:1"));
    CHECK(!has(cy, "classroom_work")); // a path that would mean nothing to a student
    CHECK(has(text_of(out / "class.html"), "<b>1 of 4</b>: The two matrices are multiplied"));
    CHECK(has(text_of(out / "junit/cy.xml"), "<failure"));
    const auto json = nlohmann::json::parse(text_of(out / "json/ada.json"));
    CHECK(json.at("verdicts").size() == 3);
    CHECK(json.at("verdicts")[0].at("state") == "passed");

    // Points and lateness, from verdicts of an earlier run.
    course::write_file(folder / "points.csv", "01.1,5\n01.3,0.5\n");
    course::write_file(folder / "late.csv", "\xEF\xBB\xBF"
                                            "bob, yes\nada,no\r\n");
    const auto late = run_class({folder / "in", "01", "--out", out, "--resume", "--points",
                                 folder / "points.csv", "--late", folder / "late.csv"});
    CHECK(late.status == 1);
    CHECK(has(text_of(out / "gradebook.csv"), "\nada,no,6.5,6.5,5,1,0.5,\n"));
    CHECK(has(text_of(out / "gradebook.csv"), "\nbob,yes,6.5,6.5,5,1,0.5,\n"));
    const auto by_date =
        run_class({folder / "in", "01", "--out", out, "--resume", "--late", "2001-01-01T18:00"});
    CHECK(by_date.status == 1);
    CHECK(has(text_of(out / "gradebook.csv"), "\nada,yes,3,3,1,1,1,\n"));

    // Missing, damaged or changed hand-ins are graded again.
    fs::remove(out / "json/ada.json");
    auto record = nlohmann::json::parse(text_of(out / "json/dee.json"));
    record["verdicts"] = "none";
    course::write_file(out / "json/dee.json", record.dump());
    course::write_file(out / "json/bob.json", "[");
    course::write_file(folder / "in/cy" / first_lesson / "1_project.cpp",
                       solution("1_project.cpp"));
    CHECK(run_class({folder / "in", "01", "--out", out, "--resume"}).status == 1);
    const std::string resumed = text_of(out / "gradebook.csv");
    CHECK(has(resumed, "\nada,no,3,3,1,1,1,\n"));
    CHECK(has(resumed, "\nbob,no,3,3,1,1,1,\n"));
    CHECK(has(resumed, "\ncy,no,1,3,1,0,0,\n"));
    CHECK(has(resumed, "\ndee,no,0,3,0,0,0,no exercise files found\n"));
}

TEST_CASE("class: an interruption ends the compilers, and keeps the verdicts so far") {
    using Clock = std::chrono::steady_clock;
    const support::TemporaryFolder folder;
    std::string slow =
        "constexpr long slow(long n) { long s = 0; for (long i = 0; i < 3000000; ++i) "
        "s += (i ^ n) % 7; return s; }\n"; // about a second each
    for (int i = 0; i < 500; ++i) {
        slow += fmt::format("static_assert(slow({}) != 1);\n", i);
    }
    course::write_file(folder / "in/ada/1_project.cpp", solution("1_project.cpp"));
    for (const char* file : {"1_project.cpp", "2_compute_qkv.cpp", "3_check_projection.cpp"}) {
        course::write_file(folder / "in/bob" / file, solution(file) + slow);
    }
    const fs::path out = folder / "out";
    std::optional<Clock::time_point> begun; // bob's
    const auto ended = process::run(
        {CLASSROOM, folder / "in", "01", "--out", out, "--jobs", "1"},
        {.environment = {{"LC_ALL", "C.UTF-8"}},
         .on_line =
             [&](const auto& line) {
                 if (line.starts_with("ada ")) {
                     begun = Clock::now();
                 }
             },
         .stop = [&] { return begun && Clock::now() > *begun + std::chrono::seconds(2); }});
    REQUIRE(begun);
    CHECK(Clock::now() - *begun < std::chrono::seconds(12)); // 3 would do; 60 each exercise before
    CHECK(ended.status == 128 + SIGTERM);
    CHECK(fs::exists(out / "json/ada.json"));
    CHECK(!fs::exists(out / "json/bob.json"));
    CHECK(!fs::exists(out / "gradebook.csv"));
}

TEST_CASE("class: bad use is one line and status 2") {
    const support::TemporaryFolder folder;
    fs::create_directories(folder / "in/ada");
    const auto refused = [&](const std::vector<std::string>& options, const std::string& text) {
        const auto ended = run_class(options);
        CHECK(ended.status == 2);
        CHECK(ended.output == "course: " + text + "\n");
    };
    const std::string in = folder / "in";
    refused({}, "FOLDER is required (see ./course class --help)");
    refused({in, "--late", "tomorrow"},
            "--late wants a day or a moment, as in 2026-11-20 or 2026-11-20T18:00, or a file of "
            "names; got tomorrow");
    refused({in, "--out", in + "/out"}, "--out " + fs::weakly_canonical(in + "/out").string() +
                                            " is among the hand-ins: give another folder");
    course::write_file(folder / "essay.txt", "about attention");
    const std::string essay = folder / "essay.txt";
    refused({in, "--out", essay}, "--out " + essay + " cannot be written: Not a directory");
    course::write_file(folder / "in/Doe, Jane_77_assignsubmission_file_/1_project.cpp", "one");
    const std::string late = folder / "late.csv";
    const auto refuses = [&](const std::string& lines, const std::string& end) {
        course::write_file(late, lines);
        refused({in, "--late", late},
                late +
                    ": a line must be a student's name, or a name and yes or no, as in Ada,yes; "
                    "no hand-in is called " +
                    end);
    };
    refuses("ada\nDoe, Jane,yes\nBob,yes\n", "Bob,yes");
    refuses("Doe, Jane_77_assignsubmission_file_,no\n\"Doe, Jane\",yes\nname;late\r\nada;yes\r\n",
            "name;late");
    course::write_file(folder / "points.csv", "01.9,5\n");
    const std::string points = folder / "points.csv";
    refused({in, "--points", points},
            points + ": a line is an exercise and its points, as in 03.2,5; got 01.9,5");
}
