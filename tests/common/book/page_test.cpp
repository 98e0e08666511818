#include <doctest/doctest.h>

#include "book/page.hpp"

namespace {

book::Manuscript manuscript() {
    book::Manuscript whole;
    whole.markdown = "# 01 One: a title\n\nFirst.\n\n## The idea\n\nText.\n\n## 01.1 one\n\n"
                     "Write it.\n\n## What you should see\n\nMore.\n";
    whole.contract = "/// 01.1  One < two.\nint one();\n";
    whole.exercises = {{"01.1", "one", "", "", {"one"}}};
    whole.folder = "/lessons/01_one/";
    whole.rewrite = [](const std::string& target) { return "href=\"" + target + "\""; };
    return whole;
}

book::Figure figure(const std::string& id, const std::string& after) {
    return {id, "A <title>", "figures/" + id + ".js", after};
}

std::string figure_html(const std::string& id) {
    return "<figure class=\"live\" data-figure=\"" + id + "\" data-src=\"/lessons/01_one/figures/" +
           id + ".js\" aria-labelledby=\"figure-" + id + "-title\"><figcaption id=\"figure-" + id +
           "-title\">A &lt;title&gt;</figcaption>" + "</figure>\n";
}

} // namespace

TEST_CASE("page: an exercise's part becomes a section with a place for its verdict and its "
          "contract") {
    CHECK(book::content_of(manuscript()) ==
          "<h1 id=\"01-one-a-title\">01 One: a title</h1>\n<p>First.</p>\n"
          "<h2 id=\"the-idea\">The idea</h2>\n<p>Text.</p>\n"
          "<section class=\"exercise\" data-exercise=\"01.1\" id=\"01.1\">\n"
          "<h2 id=\"011-one\">01.1 one</h2>\n"
          "<div class=\"verdict\" data-exercise=\"01.1\"></div>\n"
          "<pre class=\"contract\"><code class=\"language-cpp\">/// 01.1  One &lt; two.\n"
          "int one();\n</code></pre>\n<p>Write it.</p>\n</section>\n"
          "<h2 id=\"what-you-should-see\">What you should see</h2>\n<p>More.</p>\n");
}

TEST_CASE("page: a figure ends its section, or follows an exercise's task, above the hints") {
    book::Manuscript whole = manuscript();
    whole.markdown.insert(whole.markdown.find("\n## What"), "\n<details>\nA hint.\n</details>\n");
    whole.markdown.insert(whole.markdown.find("\n## 01.1"), "\n### Order\n\nOther text.\n");
    whole.figures = {figure("first", "start"), figure("small", "order"), figure("idea", "the-idea"),
                     figure("own", "01.1"), figure("lost", "nowhere")};
    const std::string page = book::content_of(whole);
    CHECK(page.find("<p>First.</p>\n" + figure_html("first") + "<h2") != std::string::npos);
    CHECK(page.find("Order</h3>" + figure_html("small") + "\n<p>Other text.</p>\n" +
                    figure_html("idea") + "<section") != std::string::npos);
    CHECK(page.find("<p>Write it.</p>\n" + figure_html("own") + "<details>") != std::string::npos);
    CHECK(page.ends_with("<p>More.</p>\n" + figure_html("lost"))); // rather than not at all
}

TEST_CASE("page: its title is its first heading") {
    CHECK(book::heading_of("# 03 Softmax: weights\n\ntext\n# other\n") == "03 Softmax: weights");
    CHECK(book::heading_of("# 02 Why $\\sqrt{d_k}$\n") == "02 Why √d_k");
    CHECK(book::heading_of("\ntext\n# late") == "late");
    CHECK(book::heading_of("## small\n") == "");
}
