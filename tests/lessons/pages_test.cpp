// Compares pages with the course: their hints, their files, and the output that they quote.

#include <map>
#include <regex>
#include <sstream>

#include <doctest/doctest.h>

#include "course/files.hpp"
#include "course/page.hpp"
#include "process/run.hpp"
#include "project.hpp"

using course::Exercise;
using course::Lesson;
using course::Project;

namespace {

/// The lesson's README.md and the other pages beside it.
std::map<std::string, std::string> pages_of(const Lesson& lesson) {
    std::map<std::string, std::string> pages;
    for (const auto& entry : std::filesystem::directory_iterator(lesson.page.parent_path())) {
        if (entry.path().extension() == ".md") {
            const auto page = course::read_file(entry.path());
            REQUIRE(page);
            pages[entry.path().filename().string()] = *page;
        }
    }
    CHECK(pages.count(lesson.page.filename().string()) == 1);
    return pages;
}

std::string page_of(const Lesson& lesson) {
    const auto page = course::read_file(lesson.page);
    REQUIRE(page);
    return *page;
}

/// The output of `run 03 --solution` into a pipe in a plain locale, as pages quote it.
std::string output_of(const Project& project, const std::string& command) {
    std::smatch match;
    REQUIRE_MESSAGE(std::regex_match(command, match, std::regex(R"(run (\d\d) --solution(.*))")),
                    "a page quotes the output of: " << command);
    const Lesson& lesson = course::find_lesson(project, match[1]);
    std::vector<std::string> words{project.build / ("walkthrough_" + lesson.folder + "_solution")};
    std::istringstream options(match[2].str());
    for (std::string word; options >> word;) {
        if (word != "--") {
            words.push_back(word);
        }
    }
    const process::Finished finished =
        process::run(words, {.environment = {{"LC_ALL", "C"}, {"TERM", "dumb"}}});
    CHECK(finished.status == 0);
    return finished.output;
}

} // namespace

TEST_CASE("every exercise has three hints, under its heading in the page") {
    const Project project = shipped_project();
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            CAPTURE(exercise.id);
            const auto hints = course::hints_of(page_of(lesson), exercise.id);
            CHECK(hints.size() == 3);
            for (const std::string& hint : hints) {
                CHECK(hint.size() > 20);
                CHECK_MESSAGE(hint.find_first_of("$\\") == std::string::npos, hint);
            }
            CHECK_MESSAGE(page_of(lesson).find("./course grade " + exercise.id) !=
                              std::string::npos,
                          "the page lacks ./course grade " << exercise.id);
        }
    }
}

/// What GitHub and the book both read as a formula in a line: blanks or punctuation around it, none
/// inside, and nothing that Markdown reads as emphasis or takes away.
TEST_CASE("formulas are written as GitHub wants them") {
    const std::regex not_prose(R"(`[^`]*`|\$\$[^$]*\$\$)");
    const std::regex formula(R"((^|[ (])\$([^$ ]|[^$ ][^$]*[^$ ])\$(?=$|[ .,;:)?!]))");
    const std::regex unsafe(R"(\*|[})\]]_|\\[^a-zA-Z])");
    const std::regex unsafe_display(R"(^ *\$\$.*([})\]]_[^ ].*[a-z]_[\\{]|\\[,;:!]))");
    const Project project = shipped_project();
    for (const Lesson& lesson : project.lessons) {
        for (const auto& [name, page] : pages_of(lesson)) {
            std::istringstream lines(page);
            bool code = false;
            for (std::string line; std::getline(lines, line);) {
                code = line.starts_with("```") != code;
                std::string prose = code ? "" : std::regex_replace(line, not_prose, "");
                for (std::smatch match; std::regex_search(prose, match, formula);) {
                    CHECK_MESSAGE(!std::regex_search(match[2].str(), unsafe), match[2]);
                    prose = match.suffix();
                }
                CHECK_MESSAGE(prose.find('$') == std::string::npos, line);
                CHECK_MESSAGE(!std::regex_search(line, unsafe_display), line);
            }
        }
    }
}

TEST_CASE("output on a page is what the program prints" * doctest::skip(COURSE_BRIEF)) {
    const Project project = shipped_project();
    for (const Lesson& lesson : project.lessons) {
        std::map<std::string, std::string> outputs; // each program run once a command
        for (const auto& [name, page] : pages_of(lesson)) {
            const std::string mark = "<!-- output of: ";
            for (std::size_t at = 0; (at = page.find(mark, at)) != std::string::npos;) {
                at += mark.size();
                const std::string command = page.substr(at, page.find(" -->", at) - at);
                const std::size_t fence = page.find("```", at);
                const std::size_t begin = page.find('\n', fence) + 1;
                const std::string text = page.substr(begin, page.find("```\n", begin) - begin);
                const std::string file = name; // what a lambda may capture
                CAPTURE(file);
                CAPTURE(command);
                CAPTURE(text);
                if (outputs.count(command) == 0) {
                    outputs[command] = output_of(project, command);
                }
                CHECK(outputs[command].find(text) != std::string::npos);
            }
        }
        for (const auto& each : outputs) { // no binding: clang 14 captures none
            CHECK_MESSAGE(each.second.find("\n\n\n") == std::string::npos,
                          each.first << " prints two blank lines in a row");
        }
        CHECK_MESSAGE(!outputs.empty(), lesson.folder << " shows what one should see");
    }
}

TEST_CASE("every file that a page links to exists") {
    const Project project = shipped_project();
    const std::regex link(R"(\]\(([^)#:]+)\))");
    for (const Lesson& lesson : project.lessons) {
        for (const auto& [name, page] : pages_of(lesson)) {
            const std::string file = name; // what a lambda may capture
            for (std::sregex_iterator each(page.begin(), page.end(), link), end; each != end;
                 ++each) {
                const auto target = lesson.page.parent_path() / (*each)[1].str();
                CHECK_MESSAGE(std::filesystem::exists(target), file << " links to " << target);
            }
        }
    }
}

TEST_CASE("a lesson's contract declares every function of its exercises") {
    const Project project = shipped_project();
    for (const Lesson& lesson : project.lessons) {
        const auto contract = course::read_file(lesson.contract);
        REQUIRE_MESSAGE(contract, lesson.contract);
        for (const Exercise& exercise : lesson.exercises) {
            for (const std::string& function : exercise.functions) {
                CHECK_MESSAGE(contract->find(function + "(") != std::string::npos, function);
            }
        }
    }
}
