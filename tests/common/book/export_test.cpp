#include <doctest/doctest.h>

#include <iostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "book/board.hpp"
#include "book/export.hpp"
#include "book/site.hpp"
#include "course/files.hpp"
#include "tree.hpp"

namespace {

namespace fs = std::filesystem;

/// Its output, or why it was refused.
std::string exported(const Tree& tree, const fs::path& folder) {
    std::ostringstream printed;
    std::streambuf* const before = std::cout.rdbuf(printed.rdbuf());
    std::string words;
    try {
        const int status = book::export_pages(tree.project, folder, true);
        CHECK(status == 0);
    } catch (const course::BadUse& refused) {
        words = refused.what();
    }
    std::cout.rdbuf(before);
    return words.empty() ? printed.str() : words;
}

std::string text_of(const fs::path& path) {
    return course::read_file(path).value_or("(no file)");
}

} // namespace

TEST_CASE("export: every page and file, with links that need no server") {
    const Tree tree;
    const fs::path folder = tree.root / "site";
    CHECK(exported(tree, folder).starts_with("4 pages, "));
    const std::string page = text_of(folder / "lessons/03_softmax/index.html");
    CHECK(page.find("href=\"../../lessons/03_softmax/THEORY/index.html#a\"") != std::string::npos);
    CHECK(page.find("href=\"../../lessons/SHEET/index.html\"") != std::string::npos);
    CHECK(page.find("src=\"../../lessons/03_softmax/p.svg\"") != std::string::npos);
    CHECK(page.find("data-src=\"../../lessons/03_softmax/figures/bars.js\"") != std::string::npos);
    CHECK(text_of(folder / "lessons/03_softmax/p.svg") == "<svg/>");
    CHECK(text_of(folder / "lessons/03_softmax/figures/bars.js") == "export const x = 1;\n");
    CHECK_FALSE(fs::exists(folder / "lessons/03_softmax/out.svg"));
    const book::Site site(tree.project, false);
    for (const std::string& path : site.files()) {
        CHECK(text_of(folder / path) == text_of(site.file(path)->path));
    }
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".html") { // nothing of this machine, no link to a root
            const std::string html = text_of(entry.path());
            CAPTURE(entry.path());
            CHECK(html.find(tree.root.string()) == std::string::npos);
            CHECK(html.find("=\"/") == std::string::npos);
            CHECK(html.find("vscode:") == std::string::npos);
        }
    }
}

TEST_CASE("export: a folder with something else in it is left alone") {
    const Tree tree;
    const fs::path folder = tree.root / "mine";
    course::write_file(folder / "letter.txt", "dear");
    CHECK(exported(tree, folder) ==
          folder.string() + " is not empty, and its files are not from an earlier export; "
                            "name another folder");
    CHECK(exported(tree, folder / "letter.txt") ==
          (folder / "letter.txt").string() + " is a file; name a folder to write the pages into");
    CHECK(text_of(folder / "letter.txt") == "dear");
    CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
}
