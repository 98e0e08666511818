// What a class's teacher and students read.

#include <algorithm>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "classroom/reports.hpp"
#include "course/files.hpp"
#include "course/grading/stub.hpp"

namespace fs = std::filesystem;
using classroom::Points;
using classroom::Result;
using judge::State;
using judge::Verdict;

namespace {

course::Project lesson_03() {
    course::Project project{COURSE_ROOT, "", fs::path(COURSE_ROOT) / "lessons", ""};
    project.lessons = course::read_lessons(project);
    std::erase_if(project.lessons, [](const course::Lesson& each) { return each.id != "03"; });
    return project;
}

Verdict verdict(const std::string& exercise, State state, const std::string& explanation = "") {
    Verdict made;
    made.exercise = exercise;
    made.state = state;
    made.explanation = explanation;
    return made;
}

Result result(const std::string& student, std::vector<Verdict> verdicts) {
    return {
        {student, {{"03.1", "text"}}, {}, 0, {.called = student}}, std::move(verdicts), false, {}};
}

std::vector<Result> three() {
    const std::string mistake = "this divides by the sum of <all> rows";
    return {result("Ada", {verdict("03.1", State::passed), verdict("03.2", State::wrong, mistake),
                           verdict("03.3", State::not_started)}),
            result("Bob", {verdict("03.1", State::passed), verdict("03.2", State::wrong, mistake),
                           verdict("03.3", State::crashed)}),
            result("=cmd()", {verdict("03.1", State::passed), verdict("03.2", State::passed),
                              verdict("03.3", State::passed)})};
}

const Points worth{{"03.1", 1}, {"03.2", 2.5}, {"03.3", 1}};

const std::string mark = "\xEF\xBB\xBF"; // of UTF-8

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE(
    "csv: a cell with a separator of any kind is quoted, and nothing after one is a formula") {
    CHECK(classroom::csv_cell("Ada") == "Ada");
    CHECK(classroom::csv_cell("Anna - Maria-Luise") == "Anna - Maria-Luise");
    CHECK(classroom::csv_cell("Lovelace, Ada") == "\"Lovelace, Ada\"");
    CHECK(classroom::csv_cell("a \"b\"\nc") == "\"a \"\"b\"\"\nc\"");
    CHECK(classroom::csv_cell("=1+1") == "'=1+1");
    CHECK(classroom::csv_cell("a;=1+1;b") == "\"a;'=1+1;b\"");
    CHECK(classroom::csv_cell("a\t@b|-2") == "\"a\t'@b|'-2\"");
    CHECK(classroom::csv_cell("a =1") == "a '=1");
    CHECK(classroom::csv_cell("a\";\"=1") == "\"a\"\";\"\"'=1\""); // quotes that mean nothing there
}

TEST_CASE("markdown: a name or a path is text, in one line") {
    CHECK(classroom::markdown_text("Ada O'Neil") == "Ada O'Neil");
    CHECK(classroom::markdown_text("a\n# <b>|`x`") == "a \\# \\<b\\>\\|\\`x\\`");
    Verdict wrong = verdict("03.2", State::wrong);
    wrong.output = "so\r# far\x1B[31m \xED\xA0\x80";
    const std::string text =
        feedback(lesson_03(), result("two\nlines", {std::move(wrong)}), worth, false);
    CHECK(contains(text, "# two lines\n"));
    CHECK(text.find_first_of("\r\x1B\xED") == std::string::npos);
}

TEST_CASE("file names: a different one for each student, whatever the name") {
    CHECK(classroom::file_name("Ada, 2nd") == "Ada, 2nd");
    CHECK(classroom::file_name("Jos\xE9").starts_with("Jos\ufffd-")); // as archives have it
    CHECK(classroom::file_name("a\nb") != classroom::file_name("a_b"));
    CHECK(classroom::file_name("a\nb") != classroom::file_name("a\tb"));
    CHECK(classroom::file_name("a/b").find('/') == std::string::npos);
    const std::string many(250, 'n');
    CHECK(classroom::file_name(many).size() < 200);
    CHECK(classroom::file_name(many) != classroom::file_name(many + "m"));
}

TEST_CASE("gradebook: a row per student, points per exercise") {
    std::vector<Result> results = three();
    results[1].late = true;
    results[1].hand_in.remarks = {"x is a pipe: not read", "more"};
    CHECK(gradebook(results, worth) == mark +
                                           "student,late,points,of,03.1,03.2,03.3,remarks\n"
                                           "Ada,no,1,4.5,1,0,0,\n"
                                           "Bob,yes,1,4.5,1,0,0,\"x is a pipe: not read; more\"\n"
                                           "'=cmd(),no,4.5,4.5,1,2.5,1,\n");
}

TEST_CASE("gradebook: as Moodle and Canvas want it") {
    std::vector<Result> one{result("Ada Lovelace_123", {verdict("03.1", State::passed)})};
    one[0].hand_in.who.called = "Ada Lovelace";
    one[0].hand_in.who.moodle = "123";
    CHECK(classroom::moodle_csv(one, worth) ==
          mark +
              "Identifier,Full name,Grade,Maximum grade,Feedback comments\n"
              "Participant 123,Ada Lovelace,1,4.5,\"1 of 1 exercises passed, 1 of 4.5 points\"\n");
    one.push_back(three()[0]);
    one[0].hand_in.who.canvas = "4711";
    CHECK(classroom::canvas_csv(one, worth) ==
          mark + "Student,ID,SIS Login ID,Section,Attention course\n"
                 "Points Possible,,,,4.5\n"
                 "Ada Lovelace,4711,,,1\n"
                 "Ada,,Ada,,1\n");
}

TEST_CASE("gradebook: a hand-in without an exercise has no points, which is not 0") {
    Result ada = result("Ada", {verdict("03.1", State::not_started)});
    CHECK(contains(classroom::moodle_csv({ada}, worth),
                   "\nAda,Ada,0,4.5,\"0 of 1 exercises passed,"));
    CHECK(contains(classroom::canvas_csv({ada}, worth), "\nAda,,Ada,,0\n"));
    ada.hand_in.texts.clear();
    CHECK(contains(classroom::moodle_csv({ada}, worth), "\nAda,Ada,,4.5,no exercise was found\n"));
    CHECK(contains(classroom::canvas_csv({ada}, worth), "\nAda,,Ada,,\n"));
}

TEST_CASE(
    "gradebook: an exercise that the machine kept from being graded is not 0, and not a mistake") {
    Result ada = three()[0];
    ada.verdicts[2].state = State::grader_at_fault;
    ada.verdicts[2].summary = "It could not be compiled: there was no space left on the disk.";
    CHECK(contains(classroom::gradebook({ada}, worth),
                   "\nAda,no,1,4.5,1,0,?,not all of it could be graded\n"));
    CHECK(contains(classroom::moodle_csv({ada}, worth),
                   "\nAda,Ada,,4.5,\"1 of 3 exercises passed, 1 of 4.5 points, not all of it could "
                   "be graded\"\n"));
    CHECK(contains(classroom::canvas_csv({ada}, worth), "\nAda,,Ada,,\n"));
    CHECK(contains(feedback(lesson_03(), ada, worth, false),
                   "| 03.3 softmax_jacobian | grader at fault | ? |\n"));
    CHECK(!contains(classroom::class_page(lesson_03(), {ada}, worth), "no space left"));
}

TEST_CASE("feedback: the whole verdict, as code and as text, if an exercise does not pass") {
    const course::Project project = lesson_03();
    Result ada = three()[0];
    ada.verdicts[1].output = "```\n<script>alert(1)</script>";
    const std::string markdown = feedback(project, ada, worth, false);
    CHECK(contains(markdown, "# Ada\n\n1 of 3 exercises passed, 1 of 4.5 points.\n"));
    CHECK(contains(markdown, "| 03.2 softmax_rows | wrong | 0 |\n"));
    CHECK(contains(markdown, "\n    ✗ 03.2 softmax_rows: wrong\n"));
    CHECK(!contains(markdown, "\n```"));
    CHECK(!contains(markdown, "\n## 03.3"));
    const std::string html = feedback(project, ada, worth, true);
    CHECK(contains(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    CHECK(!contains(html, "<script>"));
    CHECK(contains(html, "<th>points</th>"));
    CHECK(contains(html, "<td>03.1 softmax</td><td>passed</td><td>1</td>"));
    CHECK(contains(html, "<td>03.2 softmax_rows</td><td>wrong</td><td>0</td>"));
}

TEST_CASE("gradescope: a test an exercise, with its points and the verdict's words") {
    const auto json = nlohmann::json::parse(gradescope_json(lesson_03(), three()[0], worth));
    REQUIRE(json.at("tests").size() == 3);
    const auto& wrong = json.at("tests")[1];
    CHECK(wrong.at("name") == "03.2 softmax_rows");
    CHECK(wrong.at("status") == "failed");
    CHECK(wrong.at("score") == 0);
    CHECK(wrong.at("max_score") == 2.5);
    CHECK(contains(wrong.at("output"), "this divides by the sum of <all> rows"));
    CHECK(json.at("tests")[0].at("score") == 1);
    CHECK(json.at("output") == "1 of 3 exercises passed, 1 of 4.5 points.");
}

TEST_CASE("class page: a heatmap, and which mistakes were made by how many") {
    const std::string page = class_page(lesson_03(), three(), worth);
    CHECK(contains(page, "<b>2 of 3</b>: this divides by the sum of &lt;all&gt; rows"));
    CHECK(contains(page, "<summary>Ada, for example</summary>"));
    CHECK(contains(page, "<td class=\"w\" title=\"03.2 wrong\">✗</td>"));
    CHECK(contains(page, "<td class=\"c\" title=\"03.3 crashed\">!</td>"));
    CHECK(contains(page, "<b>1 of 3</b>: crashed</p>"));
    CHECK(contains(page, "<td class=\"n\" title=\"03.3 not started\">·</td>"));
}

TEST_CASE(
    "hints: our solution and another student's with other names, and includes that leave the lesson") {
    course::Project project = lesson_03();
    const course::Exercise& exercise = project.lessons.front().exercises[2];
    std::string ours = course::read_file(exercise.solution).value();
    std::vector<Result> results = three();
    results[0].hand_in.texts["03.3"] = "\xEF\xBB\xBF// mine\n" + ours; // a mark of UTF-8 first
    const std::string own =
        course::cut_stub(ours) +
        "\nvoid f() { int a = 0; for (int i = 0; i < 9; ++i) { a += i * i; a -= 2; a ^= 7; a = a / "
        "3 "
        "+ i; if (a > 4) { a = 1; } else { a = 2; } while (a < 3) { ++a; a += i; } } }\n";
    results[1].hand_in.texts["03.3"] = own;
    results[2].hand_in.texts["03.3"] = own + "// another's\n\n";
    results[2].hand_in.texts["03.1"] = "# include \"../../solutions/03_softmax/1_softmax.cpp\"\n";
    add_hints(project, results);
    CHECK(results[0].hints ==
          std::vector<std::string>{"03.3 is our solution, apart from names and spaces"});
    CHECK(results[1].hints ==
          std::vector<std::string>{
              "03.3 equals that of =cmd(), apart from names and spaces (2 are alike)"});
    REQUIRE(results[2].hints.size() == 2);
    CHECK(results[2].hints[0] == "03.1 includes a file outside its lesson: # include "
                                 "\"../../solutions/03_softmax/1_softmax.cpp\"");
    CHECK(results[2].hints[1] ==
          "03.3 equals that of Bob, apart from names and spaces (2 are alike)");
}
