#include <csignal>
#include <future>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "course/files.hpp"
#include "process/run.hpp"
#include "process/start.hpp"
#include "program.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using course::read_file;

TEST_CASE("the program's tests have exercise files of their own") {
    if (!has_own_files()) {
        MESSAGE("skipped: this build works on a learner's files; ./course test has a build that "
                "does not");
    }
}

PROGRAM_TEST_CASE(
    "list, and ./course alone: at first nothing is started, and the next exercise is named") {
    start_afresh();
    const Ended list = course_program({"list"});
    CHECK(list.status == 0);
    CHECK(list.err == "");
    CHECK(contains(list.out, "01 Linear projections: from a sequence to queries, keys and values\n"
                             "  · 01.1  project                       not started\n"));
    CHECK(count(list.out, "  not started\n") >= 3);
    CHECK(contains(list.out,
                   "\n0 of " + std::to_string(count(list.out, " · ")) + " exercises passed.\n"));
    const Ended start = course_program({}); // without a terminal
    CHECK(start.status == 0);
    CHECK(contains(start.out, list.out + "\nNext: 01.1 project\n"));
    CHECK(contains(start.out, "  Then   ./course grade 01.1\n"));
}

PROGRAM_TEST_CASE("grade: a stub is not started, which is 1, or 77 for ctest") {
    start_afresh();
    const Ended graded = course_program({"grade", "01.2"});
    CHECK(graded.status == 1);
    CHECK(contains(graded.out, "· 01.2 compute_qkv: not started\n\n  01.2 is not written yet.\n"));
    CHECK(course_program({"grade", "01", "--skip-not-started"}).status == 77);
}

PROGRAM_TEST_CASE("grade --seed: other inputs, the same verdict, and it is not kept") {
    start_afresh();
    write_exercise(1, solution_of(1));
    CHECK(course_program({"grade", "01.1", "--seed", "7"}).status == 0);
    CHECK(!fs::exists(state() / "verdicts"));
    write_exercise(1, project_with("    return xt::zeros<double>({X.shape(0), W.shape(1)});\n"));
    const Ended one = course_program({"grade", "01.1", "--seed", "1"});
    const Ended two = course_program({"grade", "01.1", "--seed", "2"});
    CHECK(one.status == 1);
    CHECK(two.status == 1);
    check_refused(course_program({"grade", "01.1", "--seed", "red"}),
                  "Could not convert: --seed = red (see ./course grade --help)");
}

LONG_PROGRAM_TEST_CASE("grade: lines that look like a trap are blamed only if the answers change") {
    start_afresh();
    const std::string product =
        "    Matrix Y = xt::zeros<double>({X.shape(0), W.shape(1)});\n"
        "    for (std::size_t i = 0; i < X.shape(0); ++i) {\n"
        "        for (std::size_t j = 0; j < W.shape(1); ++j) {\n"
        "            for (std::size_t k = 0; k < W.shape(0); ++k) {\n"
        "                Y(i, j) += X(i, k) * W(k, j);\n            }\n        }\n    }\n";
    write_exercise(1, project_with(product +
                                   "    const Matrix m(xt::amax(X, {1}, xt::keep_dims));\n"
                                   "    const auto e = xt::exp(X);\n"
                                   "    const auto total = xt::sum(e)();\n"
                                   "    const auto largest = [](const Matrix& A) { return "
                                   "xt::amax(A)(); };\n"
                                   "    Y(0, 0) += 0.17 + 0 * (total + m(0, 0) + largest(X));\n"
                                   "    return Y;"));
    const Ended innocent = course_program({"grade", "01.1"});
    CHECK(contains(innocent.out, "✗ 01.1 project: wrong\n"));
    CHECK(contains(innocent.out, "Most likely: in the wrong answers, only the first element"));
    CHECK(!contains(innocent.out, "line "));
    CHECK(!contains(innocent.out, "Look at"));

    write_exercise(1, project_with(product +
                                   "    attention::Vector w({Y.shape(0) * 1.0}); // the trap\n"
                                   "    if (w.size() != Y.shape(0)) {\n"
                                   "        Y(0, 0) += 0.17;\n    }\n"
                                   "    const auto e = xt::exp(X);\n"
                                   "    return Y;"));
    const Ended guilty = course_program({"grade", "01.1"});
    CHECK(contains(guilty.out, "Most likely: line 16 makes an array with one element"));
}

PROGRAM_TEST_CASE("grade: while another ./course builds, it says that it waits") {
    start_afresh();
    const int lock = open(COURSE_BUILD "/course.lock", O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    REQUIRE(lock >= 0);
    REQUIRE(flock(lock, LOCK_EX) == 0); // once the tests beside this one let go
    auto graded = std::async(std::launch::async, [] { return course_program({"grade", "01.1"}); });
    CHECK(graded.wait_for(std::chrono::seconds(2)) == std::future_status::timeout);
    close(lock);
    const Ended ended = graded.get();
    CHECK(ended.waited);
    CHECK(ended.err == "");
    CHECK(contains(ended.out, "· 01.1 project: not started\n"));
}

PROGRAM_TEST_CASE("grade --format json: one object an exercise, in order") {
    start_afresh();
    const Ended graded = course_program({"grade", "3.1", "1", "01.2", "--format", "json"});
    CHECK(graded.status == 1);
    CHECK(graded.err == "");
    const auto verdicts = nlohmann::json::parse(graded.out);
    REQUIRE(verdicts.size() == 4);
    const std::vector<std::string> ids{"03.1", "01.1", "01.2", "01.3"};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        CHECK(verdicts[i].at("exercise") == ids[i]);
        CHECK(verdicts[i].at("state") == "not_started");
        CHECK(verdicts[i].at("summary") == ids[i] + " is not written yet.");
    }
}

PROGRAM_TEST_CASE("grade: when it is ended, the compilers that it has started end, too") {
    std::vector<int> signals{SIGTERM, SIGINT, SIGQUIT};
    if (process::run({"sh", "-c", "setpriv --pdeathsig TERM env --ignore-signal=PIPE true"})
            .status == 0) { // else children get no signal; see cmake/limits.cmake
        signals.push_back(SIGKILL);
    }
    for (const int signal : signals) {
        CAPTURE(signal);
        start_afresh();
        const support::TemporaryFolder folder;
        const fs::path pipe = folder / "endless"; // whoever opens it waits
        REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
        write_exercise(1, "#include \"" + pipe.string() + "\"\n");
        const pid_t course =
            process::start({{"sh", "-c", "ulimit -c 0; exec \"$1\" grade 01.1 >/dev/null 2>&1",
                             "sh", COURSE_PROGRAM}});
        int writer = -1;
        for (int turn = 0; turn < 1200 && writer < 0; ++turn) { // until a compiler reads there
            poll(nullptr, 0, 50);
            writer = open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        }
        REQUIRE(writer >= 0);
        kill(course, signal);
        const int status = process::wait_for(course);
        CHECK(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == signal);
        pollfd watched{writer, 0, 0};
        CHECK(poll(&watched, 1, 5000) == 1); // an error: nobody reads any more
        close(writer);
    }
    start_afresh();
}

PROGRAM_TEST_CASE("grade: each exercise has its own verdict, whatever the others'") {
    start_afresh();
    const fs::path program = fs::path(COURSE_BUILD) / "submission_01.1";
    write_exercise(1, solution_of(1));
    CHECK(course_program({"grade", "01.1"}).status == 0);
    CHECK(fs::exists(program));
    write_exercise(1, project_with("    return X + W // a semicolon is missing"));
    write_exercise(2, compute_qkv_with("    return {project(X, W_q), project(X, W_q),\n"
                                       "            project(X, (void(W_k), W_v))};"));
    write_exercise(3, solution_of(3));
    const Ended graded = course_program({"grade", "1"});
    CHECK(graded.status == 1);
    // Only if much was built.
    CHECK((graded.err.empty() || graded.err.starts_with("Building, in ")));
    const std::string path = fs::path(file_of(1)).lexically_relative(COURSE_ROOT);
    CHECK(!fs::exists(program)); // a program of an older text is never graded
    CHECK(contains(graded.out, "✗ 01.1 project: does not compile\n\n  " + path +
                                   ":8\n"
                                   "      8 |     return X + W // a semicolon is missing\n"));
    CHECK(contains(graded.out, "Perhaps a semicolon is missing at the end of this line"));
    CHECK(contains(graded.out, "✗ 01.2 compute_qkv: wrong\n"));
    CHECK(contains(graded.out, "Most likely: Queries and keys both come from W_q."));
    CHECK(contains(graded.out, "  Hint   ./course hint 01.2\n"));
    CHECK(contains(graded.out, "✓ 01.3 check_projection: passed\n"));
    CHECK(contains(graded.out, "\n1 of 3 exercises passed.\n"));
    CHECK(!contains(graded.out, "\x1b"));

    const fs::path cache = state() / "verdicts/01.3.json";
    CHECK(fs::exists(cache));
    CHECK(course_program({"grade", "1"}).out == graded.out);

    // A damaged cache is computed again, and repaired.
    const std::string before = read_file(cache).value();
    for (const std::string& damage :
         {before.substr(0, before.size() / 2), std::string("{\"key\": 1, \"verdicts\": 2}")}) {
        CAPTURE(damage);
        course::write_file(cache, damage);
        CHECK(course_program({"grade", "1"}).out == graded.out);
        CHECK(read_file(cache) == before);
    }

    // A verdict kept is believed, and not once the exercise has changed.
    auto kept = nlohmann::json::parse(before);
    kept["verdicts"][0]["checks_total"] = 77;
    course::write_file(cache, kept.dump());
    CHECK(contains(course_program({"grade", "01.3"}).out, "all 77 checks pass"));
    CHECK(!contains(course_program({"grade", "01.3", "--fresh"}).out, "all 77 checks pass"));
    write_exercise(3, "#include \"linear_projections.hpp\"\nnamespace lesson {\n"
                      "void check_projection(const Matrix&, const Matrix&) {}\n}\n");
    const Ended changed = course_program({"grade", "01.3"});
    CHECK(changed.status == 1);
    CHECK(contains(changed.out, "✗ 01.3 check_projection: wrong\n"));

    // A state folder that cannot be written does no harm.
    write_exercise(3, solution_of(3));
    fs::remove_all(state());
    course::write_file(state(), "a file");
    const Ended again = course_program({"grade", "1"});
    CHECK(again.status == 1);
    CHECK(again.out == graded.out);
    CHECK(again.err == "");
    fs::remove(state());
}

LONG_PROGRAM_TEST_CASE("grade: a crash, an endless loop and an early exit each have a verdict") {
    start_afresh();
    write_exercise(1, project_with("    std::abort();"));
    write_exercise(2, compute_qkv_with("    for (volatile bool on = true; on;) {\n    }\n"
                                       "    return {X, W_q, (void(W_k), W_v)};"));
    write_exercise(3, "#include \"linear_projections.hpp\"\n#include <cstdlib>\n"
                      "namespace lesson {\nvoid check_projection(const Matrix&, const Matrix&) {\n"
                      "    std::_Exit(0);\n}\n}\n");
    const Ended graded = course_program({"grade", "1"});
    CHECK(graded.status == 1);
    CHECK(contains(graded.out, "✗ 01.1 project: crashed\n"));
    CHECK(contains(graded.out, "project crashed with SIGABRT"));
    CHECK(contains(graded.out, "✗ 01.2 compute_qkv: ran too long\n"));
    CHECK(contains(graded.out, "✗ 01.3 check_projection: ended early\n"));
    CHECK(contains(graded.out, "\n0 of 3 exercises passed.\n"));
}

PROGRAM_TEST_CASE(
    "grade: a file that is missing, empty or a folder is bad use, once the others are graded") {
    start_afresh();
    const std::string path = fs::path(file_of(1)).lexically_relative(COURSE_ROOT);
    const std::string back = "`./course reset 01.1` brings the exercise back";
    write_exercise(1, " \n\t\r\n");
    check_refused(course_program({"grade", "01.1"}), path + " is empty: " + back);
    fs::remove(file_of(1));
    fs::create_directory(file_of(1));
    check_refused(course_program({"grade", "01.1"}), path + " is a folder, not a file: " + back);
    fs::remove(file_of(1));
    const std::string trouble = path + " is missing: " + back;
    check_refused(course_program({"grade", "01.1"}), trouble);
    for (const auto& words : {std::vector<std::string>{"grade"}, {"grade", "1"}}) {
        const Ended graded = course_program(words);
        CHECK(graded.status == 2);
        CHECK(graded.err == "course: " + trouble + "\n");
        CHECK(contains(graded.out, "· 01.1 project: not started\n"));
        CHECK(contains(graded.out, "· 01.3 check_projection: not started\n"));
    }
    CHECK(course_program({"list"}).status == 0);
    check_refused(course_program({"run", "1"}), trouble);
    const Ended solution = course_program({"grade", "1", "--solution"});
    CHECK(solution.status == 0);
    CHECK(contains(solution.out, "\n3 of 3 exercises passed.\n"));
    CHECK(!fs::exists(state() / "verdicts"));
    CHECK(course_program({"reset", "01.1", "--yes"}).status == 0);
    CHECK(read_file(file_of(1)) == stub_of(1));
}

PROGRAM_TEST_CASE("grade: a file may have Windows line ends, a BOM and no last newline") {
    start_afresh();
    std::string text;
    for (const char c : solution_of(3)) {
        text += c == '\n' ? "\r\n" : std::string(1, c);
    }
    write_exercise(3, "\xef\xbb\xbf" + text.substr(0, text.size() - 2));
    const Ended graded = course_program({"grade", "01.3"});
    CHECK(graded.status == 0);
    CHECK(contains(graded.out, "✓ 01.3 check_projection: passed\n"));
}

PROGRAM_TEST_CASE("grade: an older file that is moved back is graded, not the newer program") {
    start_afresh();
    const std::filesystem::path file = file_of(1);
    write_exercise(1, project_with("    return X * W;"));
    const auto older = std::filesystem::last_write_time(file);
    write_exercise(1, solution_of(1));
    CHECK(course_program({"grade", "01.1"}).status == 0);
    write_exercise(1, project_with("    return X * W;"));
    std::filesystem::last_write_time(file, older); // as mv and cp -p leave it
    const Ended graded = course_program({"grade", "01.1"});
    CHECK(graded.status == 1);
    CHECK(contains(graded.out, "01.1 project: wrong"));
}
