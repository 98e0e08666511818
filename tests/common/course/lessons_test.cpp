#include "course/lessons.hpp"

#include <doctest/doctest.h>

#include "course/files.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using course::BadUse;
using course::Exercise;
using course::find_exercises;
using course::find_lesson;
using course::Project;

namespace {

/// A clone with two lessons, 01_linear_projections and 03_softmax, of two and three exercises.
class Clone {
public:
    Clone() {
        write("01_linear_projections",
              R"({"id": "01", "title": "Linear projections", "idea": "maps", "exercises": [
               {"id": "01.1", "title": "project", "file": "1_p.cpp", "functions": ["project"]},
               {"id": "01.2", "title": "qkv", "file": "2_q.cpp", "functions": ["compute_qkv"]}]})");
        write("03_softmax", R"({"id": "03", "title": "Softmax", "idea": "shares", "exercises": [
               {"id": "03.1", "title": "softmax", "file": "1_s.cpp", "functions": ["softmax"]},
               {"id": "03.2", "title": "rows", "file": "2_r.cpp", "functions": ["rows", "row"]},
               {"id": "03.3", "title": "jacobian", "file": "3_j.cpp", "functions": []}]})");
        fs::create_directories(folder_ / "lessons/drafts"); // no manifest: no lesson
    }
    void write(const std::string& lesson, const std::string& manifest) const {
        course::write_file(folder_ / "lessons" / lesson / "lesson.json", manifest);
    }
    Project project() const {
        Project project{folder_.path(), folder_ / "build", folder_ / "mine", folder_ / ".course"};
        project.lessons = course::read_lessons(project);
        return project;
    }
    fs::path operator/(const std::string& name) const { return folder_ / name; }

private:
    support::TemporaryFolder folder_;
};

std::string ids_of(const Project& project, const std::string& word) {
    std::string ids;
    for (const Exercise& exercise : find_exercises(project, word)) {
        ids += exercise.id + " ";
    }
    return ids;
}

} // namespace

TEST_CASE("read_lessons: lessons and exercises are in order, with the paths of their files") {
    const Clone clone;
    const Project project = clone.project();
    REQUIRE(project.lessons.size() == 2);
    const course::Lesson& lesson = project.lessons[1];
    CHECK(project.lessons[0].folder == "01_linear_projections");
    CHECK(lesson.id == "03");
    CHECK(lesson.title == "Softmax");
    CHECK(lesson.idea == "shares");
    CHECK(lesson.page == clone / "lessons/03_softmax/README.md");
    CHECK(lesson.contract == clone / "lessons/03_softmax/softmax.hpp");
    REQUIRE(lesson.exercises.size() == 3);
    CHECK(lesson.exercises[1].id == "03.2");
    CHECK(lesson.exercises[1].file == clone / "mine/03_softmax/2_r.cpp");
    CHECK(lesson.exercises[1].solution == clone / "solutions/03_softmax/2_r.cpp");
    CHECK(lesson.exercises[1].functions == std::vector<std::string>{"rows", "row"});
}

TEST_CASE("find_exercises: lessons and exercises go by number, folder, file or path") {
    const Clone clone;
    const Project project = clone.project();
    for (const char* word :
         {"3", "03", "03_softmax", "03_softmax/", "lessons/03_softmax", "./lessons/03_softmax/"}) {
        CAPTURE(word);
        CHECK(ids_of(project, word) == "03.1 03.2 03.3 ");
        CHECK(find_lesson(project, word).id == "03");
    }
    for (const char* word : {"03.2", "3.2", "03_softmax/2_r.cpp", "lessons/03_softmax/2_r.cpp"}) {
        CAPTURE(word);
        CHECK(ids_of(project, word) == "03.2 ");
        CHECK(find_lesson(project, word).id == "03");
    }
    CHECK(ids_of(project, "all") == "01.1 01.2 03.1 03.2 03.3 ");
}

TEST_CASE("find_exercises: an unknown word is refused with a similar one, or the range") {
    const Clone clone;
    const Project project = clone.project();
    const std::string none = "there is no lesson or exercise ";
    const std::string all = " ./course list shows them all";
    std::vector<std::pair<std::string, std::string>> cases{
        {"03_sofmax", none + "03_sofmax: did you mean 03_softmax?" + all},
        {"softmax", none + "softmax: did you mean 03_softmax?" + all},
        {"al", none + "al: did you mean all?" + all},
        {"03.4", "lesson 03 has no exercise 03.4; it has 03.1 to 03.3"}};
    for (const std::string word : {"4", "02", "003", "", "-1", "xyzzy"}) {
        cases.emplace_back(word, none + word + "; lessons go from 01 to 03;" + all);
    }
    for (const auto& [word, message] : cases) {
        CHECK_THROWS_WITH_AS(find_exercises(project, word), message.c_str(), BadUse);
        CHECK_THROWS_WITH_AS(find_lesson(project, word), message.c_str(), BadUse);
    }
}

TEST_CASE("read_lessons: a damaged manifest is named, with what brings it back") {
    const Clone clone;
    const std::string rest = R"(", "title": "", "idea": "", "exercises": []})";
    for (const auto& [manifest, reason] : std::vector<std::pair<std::string, std::string>>{
             {"", "parse error"},
             {R"({"id": "04"})", "key 'title' not found"},
             {R"({"id": "05)" + rest, "its id is 05;"}}) {
        const auto& this_manifest = manifest; // clang 14 captures no binding
        CAPTURE(this_manifest);
        clone.write("04_masks", manifest);
        std::string message;
        try {
            static_cast<void>(clone.project());
        } catch (const BadUse& error) {
            message = error.what();
        }
        CHECK(message.starts_with("cannot read lessons/04_masks/lesson.json: "));
        CHECK_MESSAGE(message.find(reason) != std::string::npos, message);
        CHECK(message.ends_with("; `git checkout lessons/04_masks/lesson.json` brings it back"));
    }
}

TEST_CASE("read_lessons: no lessons at all says how to get them back") {
    const support::TemporaryFolder folder;
    const Project project{folder.path(), folder / "build", folder / "lessons", folder / ".course"};
    CHECK_THROWS_WITH_AS(course::read_lessons(project),
                         "there are no lessons here; `git checkout lessons` brings them back",
                         BadUse);
}

TEST_CASE(
    "read_lessons: a lesson is of part one, unless its manifest says that it is of part two") {
    const Clone clone;
    clone.write("08_gradients",
                R"({"id": "08", "part": 2, "title": "", "idea": "", "exercises": []})");
    const Project project = clone.project();
    REQUIRE(project.lessons.size() == 3);
    CHECK(project.lessons[1].part == 1);
    CHECK(project.lessons[2].part == 2);
    CHECK(course::part_heading(project.lessons[0], project.lessons[1]) == "");
    CHECK(course::part_heading(project.lessons[1], project.lessons[2]) ==
          "Part two: from the mechanism to a model that writes");
    CHECK(course::part_heading(project.lessons[2], project.lessons[1]) ==
          "Part one: the mechanism");
}

TEST_CASE("nearest: the word with the fewest changes, if they are few for its length") {
    const std::vector<std::string> words{"list", "grade", "run", "reset"};
    CHECK(course::nearest("grad", words) == "grade");
    CHECK(course::nearest("rest", words) == "reset");
    CHECK(course::nearest("lsit", words) == "list");
    CHECK(course::nearest("install", words) == "");
    CHECK(course::nearest("", words) == "");
    CHECK(course::nearest("x", {}) == "");
}

TEST_CASE("short_path: relative below the clone, whole elsewhere") {
    const Project project{"/home/a/course", "", "", ""};
    CHECK(course::short_path(project, "/home/a/course/lessons/x.cpp") == "lessons/x.cpp");
    CHECK(course::short_path(project, "/home/a/other/x.cpp") == "/home/a/other/x.cpp");
    CHECK(course::short_path(project, "/home/a/course.txt") == "/home/a/course.txt");
}
