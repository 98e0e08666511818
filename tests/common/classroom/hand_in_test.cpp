// Hand-ins of a class: read in whatever form they have; other files are refused by name.

#include <sys/stat.h>

#include "course/grading/stub.hpp"
#include "hand_ins.hpp"

TEST_CASE("a hand-in: lessons/ in a folder, nested deeper, or just files by their names") {
    const support::TemporaryFolder folder;
    write(folder / "ada/lessons/01_linear_projections/1_project.cpp", "one");
    write(folder / "bob/my work/lessons/03_softmax/2_softmax_rows.cpp", "two");
    write(folder / "eve/1_softmax.cpp", "three");
    for (const char* left : {"__MACOSX/._ada", ".DS_Store", "Thumbs.db", "desktop.ini"}) {
        write(folder / left, "of no student, but of a system");
    }
    const auto hand_ins = read_class(project(), folder.path());
    REQUIRE(hand_ins.size() == 3);
    CHECK(hand_ins[0].student == "ada");
    CHECK(hand_ins[0].texts == std::map<std::string, std::string>{{"01.1", "one"}});
    CHECK(hand_ins[1].texts == std::map<std::string, std::string>{{"03.2", "two"}});
    CHECK(hand_ins[2].texts == std::map<std::string, std::string>{{"03.1", "three"}});
    CHECK(hand_ins[0].remarks.empty());
    CHECK(hand_ins[0].changed > 0);
}

TEST_CASE("a hand-in: links, pipes and large files are refused by name, and not followed") {
    const support::TemporaryFolder folder;
    const fs::path lesson = folder / "mallory/lessons/01_linear_projections";
    write(folder / "secret.cpp", "secret");
    write(lesson / "3_check_projection.cpp", std::string(classroom::most_bytes + 1, ' '));
    fs::create_symlink(folder / "secret.cpp", lesson / "1_project.cpp");
    fs::create_directory_symlink(folder.path(), folder / "mallory/all");
    REQUIRE(mkfifo((lesson / "2_compute_qkv.cpp").c_str(), 0600) == 0);
    const HandIn hand_in = read_hand_in(project(), folder / "mallory");
    CHECK(hand_in.texts.empty());
    CHECK(
        says(hand_in, "lessons/01_linear_projections/1_project.cpp is a symbolic link: not read"));
    CHECK(says(hand_in, "lessons/01_linear_projections/2_compute_qkv.cpp is neither a file nor a "
                        "folder: not read"));
    CHECK(says(hand_in, "3_check_projection.cpp is too large: not read"));
    CHECK(says(hand_in, "all is a symbolic link: not read"));
    CHECK(says(hand_in, "no exercise files found"));
}

TEST_CASE("a hand-in: of two copies of a file the one nearer to the top counts") {
    const support::TemporaryFolder folder;
    write(folder / "ada/old/copy/01_linear_projections/1_project.cpp", "old");
    write(folder / "ada/lessons/01_linear_projections/1_project.cpp", "new");
    write(folder / "ada/solutions/01_linear_projections/1_project.cpp", "ours");
    const HandIn hand_in = read_hand_in(project(), folder / "ada");
    CHECK(hand_in.texts.at("01.1") == "new");
    CHECK(says(hand_in, "01.1 is there twice: old/copy/01_linear_projections/1_project.cpp is not "
                        "read, lessons/01_linear_projections/1_project.cpp is"));
    CHECK(hand_in.remarks.size() == 1);
}

TEST_CASE("a hand-in: of two copies of a file the stub or the empty one does not count") {
    const support::TemporaryFolder folder;
    const std::string stub = course::cut_stub(
        course::read_file(project().lessons.front().exercises.front().solution).value());
    const std::string below = "mine/week 1/1_project.cpp";
    for (const std::string& on_top : {stub, std::string(" \n"), stub + "\r\n"}) {
        write(folder / "ada/1_project.cpp", on_top);
        write(folder / "ada" / below, "one");
        const HandIn hand_in = read_hand_in(project(), folder / "ada");
        CHECK(hand_in.texts.at("01.1") == "one");
        CHECK(hand_in.remarks ==
              std::vector<std::string>{"01.1 is there twice: 1_project.cpp is not read, " + below +
                                       " is"});
    }
    write(folder / "ada" / below, "");
    write(folder / "ada/1_project.cpp", stub);
    CHECK(read_hand_in(project(), folder / "ada").texts.at("01.1") == stub);
    write(folder / "ada" / below, stub);
    write(folder / "ada/1_project.cpp", "");
    CHECK(read_hand_in(project(), folder / "ada").texts.at("01.1") == stub);
}

TEST_CASE("a hand-in: nothing is read of folders that are named as ours") {
    const support::TemporaryFolder folder;
    write(folder / "ada/solutions/01_linear_projections/1_project.cpp", "ours");
    write(folder / "ada/build/1_softmax.cpp", "built");
    write(folder / "ada/.git/1_project.cpp", "one");
    CHECK(read_hand_in(project(), folder / "ada").remarks ==
          std::vector<std::string>{"no exercise files found"});
    write(folder / "ada/lessons/01_linear_projections/1_project.cpp", "one");
    CHECK(read_hand_in(project(), folder / "ada").texts ==
          std::map<std::string, std::string>{{"01.1", "one"}});
}

TEST_CASE("a hand-in: a file with nearly an exercise's name is reported, and not read") {
    const support::TemporaryFolder folder;
    const auto remarks_on = [&](const std::string& path) {
        const fs::path student = folder / "ada";
        fs::remove_all(student);
        write(student / path, "one");
        write(student / "lessons/02_score_scaling/1_raw_scores.cpp", "two");
        const HandIn hand_in = read_hand_in(project(), student);
        CHECK(hand_in.texts == std::map<std::string, std::string>{{"02.1", "two"}});
        return hand_in.remarks;
    };
    for (const std::string path :
         {"1_Project.cpp", "project.cpp", "01_project.cpp", "1-project.cpp", "1_projct.cpp",
          "1_project_final.cpp", "1_project.cpp.txt", "1_project.cc", "1_project",
          "lessons/02_score_scaling/1_project.cpp",
          "lessons/01_linear_projections/1_project2.cpp"}) {
        CAPTURE(path);
        CHECK(remarks_on(path) ==
              std::vector<std::string>{
                  path + " is not read; is it 01.1, 01_linear_projections/1_project.cpp?"});
    }
    for (const std::string path :
         {"helpers.cpp", "projection.cpp", "1_project.md", "project.hpp", ".1_project.cpp.swp",
          "build/project.cpp", "common/attention/softmax.cpp",
          "tests/lessons/01_linear_projections/project.cpp"}) {
        CAPTURE(path);
        CHECK(remarks_on(path).empty());
    }
}

TEST_CASE("a class: a folder that is missing or empty is bad use") {
    const support::TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(read_class(project(), folder.path()),
                         (folder.path().string() +
                          " is empty; give a folder with one folder, zip or tar per student")
                             .c_str(),
                         course::BadUse);
    CHECK_THROWS_AS(read_class(project(), folder / "none"), course::BadUse);
}

TEST_CASE("a class: files with the student's name in front, from a platform") {
    const support::TemporaryFolder folder;
    write(folder / "lovelaceada_4711_901_1_project.cpp", "one");
    write(folder / "lovelaceada_4711_902_2_compute_qkv-1.cpp", "two");
    write(folder / "hopperg_LATE_4712_911_1_project.cpp", "first");
    write(folder / "hopperg_LATE_4712_931_1_project.cpp", "second");
    write(folder / "müller_4713_941_essay.pdf", "about attention");
    write(folder / "Jürgen Müller_12345_assignsubmission_file_1_project (1).cpp", "one");
    write(folder / "Jürgen Müller_12345_assignsubmission_file_2_compute_qkv.cpp", "two");
    write(folder / "Jürgen Müller_12345_assignsubmission_onlinetext_/onlinetext.html", "hello");
    const auto hand_ins = read_class(project(), folder.path());
    REQUIRE(hand_ins.size() == 4);
    const std::map<std::string, std::string> both{{"01.1", "one"}, {"01.2", "two"}};
    CHECK(hand_ins[0].student == "Jürgen Müller_12345");
    CHECK(hand_ins[0].who.called == "Jürgen Müller");
    CHECK(hand_ins[0].who.moodle == "12345");
    CHECK(hand_ins[0].texts == both);
    CHECK(hand_ins[1].student == "hopperg_4712");
    CHECK(hand_ins[1].texts == std::map<std::string, std::string>{{"01.1", "second"}});
    CHECK(hand_ins[1].who.late);
    CHECK(hand_ins[2].student == "lovelaceada_4711");
    CHECK(hand_ins[2].who.canvas == "4711");
    CHECK(hand_ins[2].texts == both);
    CHECK(!hand_ins[2].who.late);
    CHECK(hand_ins[3].student == "müller_4713");
    CHECK(hand_ins[3].remarks == std::vector<std::string>{"no exercise files found"});
}

TEST_CASE("a class: one folder may contain all hand-ins") {
    const support::TemporaryFolder folder;
    write(folder / "hand-ins/ada/1_project.cpp", "one");
    write(folder / "hand-ins/bob/lessons/01_linear_projections/1_project.cpp", "one");
    write(folder / "hand-ins/cy/my work/1_project.cpp", "one");
    fs::create_directories(folder / "hand-ins/dee");
    const auto hand_ins = read_class(project(), folder.path()); // a folder on top
    REQUIRE(hand_ins.size() == 4);
    CHECK(hand_ins[1].student == "bob");
    CHECK(hand_ins[3].remarks == std::vector<std::string>{"no exercise files found"});
    const auto one = read_class(project(), folder / "hand-ins/bob");
    REQUIRE(one.size() == 1);
    CHECK(one[0].student == "lessons"); // the folder was that of one student
    CHECK(one[0].texts.size() == 1);
}

TEST_CASE("a class: an exercise that is nobody's is bad use") {
    const support::TemporaryFolder folder;
    write(folder / "1_project (1).cpp", "one");
    write(folder / "ada/1_project.cpp", "one");
    CHECK_THROWS_WITH_AS(read_class(project(), folder.path()),
                         "1_project (1).cpp belongs to nobody: put it into a folder with "
                         "the student's name",
                         course::BadUse);
}

TEST_CASE("a class: a name from a Mac equals the same name from elsewhere") {
    const support::TemporaryFolder folder;
    const std::string apart = "Zoe\u0301 Mu\u0308ller"; // with letters and marks
    write(folder / apart / "1_project.cpp", "one");
    write(folder / "ada/1_project.cpp", "one");
    const auto hand_ins = read_class(project(), folder.path());
    REQUIRE(hand_ins.size() == 2);
    CHECK(hand_ins[0].student == (classroom::can_compose ? "Zoé Müller" : apart));
    CHECK(classroom::composed("a\xFF") == "a\xFF");
}
