// common/README.md says which rooms a room may include. This compares the sources with it, and the
// page to the tree.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using Rooms = std::map<std::string, std::set<std::string>>; // a room, and what it may include

const fs::path common = fs::path(COURSE_ROOT) / "common";

std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<std::smatch> all_matches(const std::string& text, const std::regex& pattern) {
    return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

/// The table's rows: "| [room](…) | … | included, rooms |".
Rooms rooms_of(const std::string& page) {
    Rooms rooms;
    for (const std::smatch& row :
         all_matches(page, std::regex(R"(\n\| \[(\w+)\]\([^\n]*\|([\w, ]*)\|(?=\n))"))) {
        const std::string list = row[2].str();
        std::set<std::string>& included = rooms[row[1].str()];
        for (const std::smatch& name : all_matches(list, std::regex(R"(\w+)"))) {
            CHECK_MESSAGE(rooms.contains(name.str()),
                          row[1].str() << " includes " << name.str() << ", which is further down");
            included.insert(name.str());
        }
        included.insert(row[1].str());
    }
    return rooms;
}

/// "judge/text.cpp includes course/files.hpp" for each include that the table does not allow.
std::vector<std::string> forbidden_includes(const fs::path& folder, const Rooms& rooms) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path file = fs::relative(entry.path(), folder);
        const std::string room = file.begin()->string();
        if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") {
            continue;
        }
        const std::string text = text_of(entry.path());
        for (const std::smatch& include :
             all_matches(text, std::regex(R"(# *include "((\w+)/[^"]*)\")"))) {
            if (!rooms.contains(room) || (!rooms.at(room).contains(include[2].str()) &&
                                          include[1].str() != "attention/tensor.hpp")) {
                found.push_back(file.string() + " includes " + include[1].str());
            }
        }
    }
    return found;
}

} // namespace

TEST_CASE("the rooms of common/: each includes only those that its README allows") {
    const Rooms rooms = rooms_of(text_of(common / "README.md"));
    REQUIRE(rooms.size() > 8);
    CHECK_FALSE(rooms.at("attention").contains("judge"));
    CHECK_FALSE(rooms.at("judge").contains("course"));
    for (const std::string& include : forbidden_includes(common, rooms)) {
        FAIL_CHECK(include);
    }
    Rooms without_show = rooms;
    without_show.at("bench").erase("show");
    CHECK_FALSE(forbidden_includes(common, without_show).empty()); // that it finds one
}

TEST_CASE("the map: has a row for every room, and every file that it names exists") {
    const std::string page = text_of(common / "README.md");
    std::set<std::string> folders, rows;
    for (const auto& [room, included] : rooms_of(page)) {
        rows.insert(room);
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(common)) {
        if (entry.is_directory()) {
            folders.insert(entry.path().filename().string());
        }
    }
    CHECK(rows == folders);
    for (const std::smatch& link : all_matches(page, std::regex(R"(\]\(([^)]+)\))"))) {
        CHECK_MESSAGE(fs::exists(common / link[1].str()), link[1].str());
    }
}
