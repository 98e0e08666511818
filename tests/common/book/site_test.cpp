#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "book/board.hpp"
#include "book/site.hpp"
#include "course/files.hpp"
#include "tree.hpp"

namespace fs = std::filesystem;

TEST_CASE("site: pages are made of the Markdown below lessons/, the list of lessons beside them") {
    const Tree tree;
    const book::Site site(tree.project, true);
    std::vector<std::string> paths;
    for (const auto& [path, page] : site.pages()) {
        paths.push_back(path);
    }
    CHECK(paths == std::vector<std::string>{"", "lessons/03_softmax/", "lessons/03_softmax/THEORY/",
                                            "lessons/SHEET/"});
    CHECK(site.pages().at("lessons/03_softmax/THEORY/").title == "Theory");
}

TEST_CASE("site: links lead to pages, files open in the editor, pictures lie beside the page") {
    const Tree tree;
    const book::Site site(tree.project, true);
    const std::string page = "lessons/03_softmax/";
    CHECK(site.link(page, "THEORY.md#a") == "href=\"/lessons/03_softmax/THEORY/#a\"");
    CHECK(site.link(page, "../SHEET.md") == "href=\"/lessons/SHEET/\"");
    CHECK(site.link("lessons/03_softmax/THEORY/", "README.md") == "href=\"/lessons/03_softmax/\"");
    CHECK(site.link(page, "1_softmax.cpp") ==
          "data-file=\"" + (tree.root / "lessons/03_softmax/1_softmax.cpp").string() +
              "\" data-path=\"lessons/03_softmax/1_softmax.cpp\"");
    CHECK(site.link(page, "p.svg") == "src=\"/lessons/03_softmax/p.svg\"");
    CHECK(site.link(page, "https://example.org/a?b=1") == "href=\"https://example.org/a?b=1\"");
    CHECK(site.link(page, "#x") == "href=\"#x\"");
    const book::Site exported(tree.project, false);
    CHECK(exported.link(page, "THEORY.md#a") ==
          "href=\"../../lessons/03_softmax/THEORY/index.html#a\"");
    CHECK(exported.link(page, "p.svg") == "src=\"../../lessons/03_softmax/p.svg\"");
    CHECK(exported.link(page, "1_softmax.cpp") == "data-path=\"lessons/03_softmax/1_softmax.cpp\"");
}

TEST_CASE("site: a page has its data, which cannot end its script, and the lesson's contract") {
    const Tree tree;
    const book::Site site(tree.project, true);
    auto state = book::Board(tree.project).state();
    state["lessons"][0]["title"] = "a </script> b";
    const std::string html = site.html("lessons/03_softmax/", state);
    CHECK(html.find("<section class=\"exercise\" data-exercise=\"03.1\"") != std::string::npos);
    CHECK(html.find("/// 03.1  One.\nVector softmax(int);\n") != std::string::npos);
    CHECK(html.find("data-src=\"/lessons/03_softmax/figures/bars.js\"") != std::string::npos);
    CHECK(html.find("data-figure=\"bars-again\"") <
          html.find("data-figure=\"bars\"")); // two places
    CHECK(html.find("a </script> b") == std::string::npos);
    CHECK(site.html("", state).find("<a href=\"/lessons/03_softmax/#03.1\">03.1 softmax</a>") !=
          std::string::npos);
}

TEST_CASE("site: a page preloads what its modules import, and all of it exists") {
    const Tree tree;
    const book::Site site(tree.project, true);
    const std::string html = site.html("lessons/03_softmax/", book::Board(tree.project).state());
    const std::string link = "<link rel=\"modulepreload\" href=\"/";
    std::vector<std::string> asked;
    for (std::size_t at = 0; (at = html.find(link, at)) != std::string::npos;) {
        at += link.size();
        asked.push_back(html.substr(at, html.find('"', at) - at));
        CAPTURE(asked.back());
        CHECK(site.file(asked.back()));
    }
    for (const char* const module : {"book/dom.js", "lessons/03_softmax/figures/bars.js"}) {
        CHECK(std::find(asked.begin(), asked.end(), module) != asked.end());
    }
    CHECK(html.find("katex.min.js") == std::string::npos); // it has no formula
}

TEST_CASE("site: serves what belongs to the pages") {
    const Tree tree;
    const book::Site site(tree.project, true);
    REQUIRE(site.file("lessons/03_softmax/p.svg"));
    CHECK(site.file("lessons/03_softmax/p.svg")->path == tree.root / "lessons/03_softmax/p.svg");
    CHECK(site.file("lessons/03_softmax/p.svg")->type == "image/svg+xml");
    CHECK(site.file("lessons/03_softmax/figures/bars.js")->type ==
          "text/javascript; charset=utf-8");
    CHECK_FALSE(site.file("book/model.bin")); // until ./course run 11 has trained one
    course::write_file(tree.root / "out/language/model.bin", "a model");
    CHECK(site.file("book/model.bin"));
    CHECK_FALSE(book::Site(tree.project, false).file("book/model.bin"));
    if (site.has_katex()) {
        CHECK(site.file("katex/katex.min.css"));
        CHECK(site.file("katex/fonts/KaTeX_Main-Regular.woff2")->type == "font/woff2");
    }
}

TEST_CASE("site: no path leads outside, or to files that are not part of a page") {
    const Tree tree;
    const book::Site site(tree.project, true);
    REQUIRE(fs::exists(tree.root / "lessons/03_softmax/out.svg"));
    for (const char* path : {"", "..", "lessons/03_softmax/", "secret.svg", "lessons/../secret.svg",
                             "lessons/03_softmax/..%2fp.svg", "lessons/03_softmax/out.svg",
                             "lessons//03_softmax/p.svg", "lessons/03_softmax/1_softmax.cpp",
                             "lessons/03_softmax/figures/../p.svg", "book/../server.cpp",
                             "book/shell.html", "katex/fonts/../katex.js", "etc/passwd"}) {
        CAPTURE(path);
        CHECK_FALSE(site.file(path));
    }
}
