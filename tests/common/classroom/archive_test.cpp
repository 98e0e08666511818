// Hand-ins that are archives: their files are read, and endless ones are not.

#include "hand_ins.hpp"
#include "process/run.hpp"

#if COURSE_HAS_ARCHIVE

namespace {

/// Packs a folder's content with tar.
void pack(const fs::path& folder, const fs::path& archive, const std::string& options) {
    const auto ended = process::run({"tar", options, archive, "-C", folder, "."});
    REQUIRE(ended.status == 0);
}

/// A zip of files that all hold "one".
std::string zip_of(const std::vector<std::string>& names) {
    const support::TemporaryFolder folder;
    for (const std::string& name : names) {
        write(folder / "in" / name, "one");
    }
    const auto ended = process::run(
        {"sh", "-c", "cd \"$0\" && cmake -E tar cf ../zip --format=zip -- *", folder / "in"});
    REQUIRE(ended.status == 0);
    return course::read_file(folder / "zip").value();
}

} // namespace

TEST_CASE("a hand-in: a tar, packed or not, and one that lies in a folder") {
    const support::TemporaryFolder folder;
    write(folder / "in/lessons/01_linear_projections/1_project.cpp", "one");
    fs::create_directories(folder / "class/cy_7_assignsubmission_file_");
    pack(folder / "in", folder / "class/ada.tar", "-cf");
    pack(folder / "in", folder / "class/bob.tar.gz", "-czf");
    pack(folder / "in", folder / "class/cy_7_assignsubmission_file_/hand_in.tgz", "-czf");
    const auto hand_ins = read_class(project(), folder / "class");
    REQUIRE(hand_ins.size() == 3);
    CHECK(hand_ins[0].student == "ada");
    CHECK(hand_ins[1].student == "bob");
    for (const HandIn& hand_in : hand_ins) {
        CHECK(hand_in.texts == std::map<std::string, std::string>{{"01.1", "one"}});
        CHECK(hand_in.remarks.empty());
    }
}

TEST_CASE(
    "a class: the platform's one zip contains several students, with a folder on top or without") {
    const support::TemporaryFolder folder;
    const std::vector<std::vector<std::string>> layouts{
        {"ada/1_project.cpp", "bob/1_project.cpp", "bob/essay.txt", "cy/essay.txt"},
        {"ada_1_201_1_project.cpp", "bob_2_202_1_project-1.cpp", "cy_3_203_essay.pdf"},
        {"ada_1_assignsubmission_file_/1_project.cpp", "bob_2_assignsubmission_file_/1_project.cpp",
         "cy_3_assignsubmission_file_/essay.txt"},
        {"ada_1_assignsubmission_file_1_project.cpp", "bob_2_assignsubmission_file_1_project.cpp",
         "cy_3_assignsubmission_file_essay.txt"},
    };
    for (const std::string top : {"", "Assignment 1/", "2026/Assignment 1/"}) {
        for (std::vector<std::string> names : layouts) {
            for (std::string& name : names) {
                name.insert(0, top);
            }
            CAPTURE(names[0]);
            write(folder / "class/course-assignment 1-2026.zip", zip_of(names));
            for (const fs::path& given :
                 {folder / "class", folder / "class/course-assignment 1-2026.zip"}) {
                const auto hand_ins = read_class(project(), given);
                REQUIRE(hand_ins.size() == 3);
                CHECK(hand_ins[0].student.starts_with("ada"));
                CHECK(hand_ins[1].student.starts_with("bob"));
                CHECK(hand_ins[0].texts.size() == 1);
                CHECK(hand_ins[1].texts.size() == 1);
                CHECK(hand_ins[2].remarks == std::vector<std::string>{"no exercise files found"});
            }
        }
    }
}

TEST_CASE("a class: zips of students in the platform's zip, and what Windows has packed") {
    const support::TemporaryFolder folder;
    write(folder / "all/ada_1_201_hand-in.zip", zip_of({"1_project.cpp"}));
    write(folder / "all/bob_LATE_2_202_hand-in-1.zip",
          zip_of({"hand-in\\lessons\\01_linear_projections\\2_compute_qkv-1.cpp"}));
    fs::create_directories(folder / "class");
    pack(folder / "all", folder / "class/submissions.tar", "-cf");
    const auto hand_ins = read_class(project(), folder / "class");
    REQUIRE(hand_ins.size() == 2);
    CHECK(hand_ins[0].student == "ada_1");
    CHECK(hand_ins[0].texts == std::map<std::string, std::string>{{"01.1", "one"}});
    CHECK(!hand_ins[0].who.late);
    CHECK(hand_ins[1].who.canvas == "2");
    CHECK(hand_ins[1].texts == std::map<std::string, std::string>{{"01.2", "one"}});
    CHECK(hand_ins[1].who.late);
}

TEST_CASE("a hand-in: a damaged archive, links, and files that are too large are refused") {
    const support::TemporaryFolder folder;
    write(folder / "ada.zip", "PK\3\4 and then nothing of a zip");
    CHECK(says(read_hand_in(project(), folder / "ada.zip"),
               "ada.zip is not a zip or tar, or a damaged one: not read"));
    fs::create_directories(folder / "in");
    fs::create_symlink("/etc/passwd", folder / "in/1_project.cpp");
    write(folder / "in/more.zip", "anything");
    write(folder / "in/1_softmax.cpp", std::string(classroom::most_bytes * 2, ' '));
    pack(folder / "in", folder / "bob.tar.gz", "-czf");
    const HandIn hand_in = read_hand_in(project(), folder / "bob.tar.gz");
    CHECK(hand_in.texts.empty());
    CHECK(says(hand_in, "1_project.cpp is a symbolic link: not read"));
    CHECK(says(hand_in, "more.zip is not a zip or tar, or a damaged one: not read"));
    CHECK(says(hand_in, "1_softmax.cpp is too large: not read"));
}

#endif
