#include <doctest/doctest.h>

#include "book/markdown.hpp"

TEST_CASE("markdown: headings get the ids that GitHub gives them") {
    CHECK(book::html_of("## The idea\n") == "<h2 id=\"the-idea\">The idea</h2>\n");
    CHECK(book::html_of("### 03.2 `softmax_rows`, *fast*\n") ==
          "<h3 id=\"032-softmax_rows-fast\">03.2 <code>softmax_rows</code>, <em>fast</em></h3>\n");
    CHECK(book::id_of("Where such weights come from") == "where-such-weights-come-from");
    CHECK(book::id_of("The comparison: guess first") == "the-comparison-guess-first");
    CHECK(book::id_of("√d_k & co") == "√d_k--co");
}

TEST_CASE("markdown: formulas are kept as they are written, for KaTeX") {
    CHECK(book::html_of("$$p_j = \\frac{e^{s_j}}{a_b} < 1$$\n") ==
          "<p><x-equation type=\"display\">p_j = \\frac{e^{s_j}}{a_b} &lt; 1</x-equation></p>\n");
    CHECK(book::html_of("here $a_i * b_i * c$ it is\n") ==
          "<p>here <x-equation>a_i * b_i * c</x-equation> it is</p>\n");
}

TEST_CASE("markdown: tables, folded hints with Markdown inside, and the language of code") {
    CHECK(book::html_of("| a | b |\n|---|---|\n| 1 | 2 |\n").find("<td>1</td>") !=
          std::string::npos);
    const std::string folded =
        book::html_of("<details>\n<summary>Hint 1</summary>\n\nLook at *this*.\n\n</details>\n");
    CHECK(folded == "<details>\n<summary>Hint 1</summary>\n<p>Look at <em>this</em>.</p>\n"
                    "</details>\n");
    CHECK(book::html_of("```cpp\nint x = a < b;\n```\n") ==
          "<pre><code class=\"language-cpp\">int x = a &lt; b;\n</code></pre>\n");
}

TEST_CASE("markdown: every link and picture goes through the rewriting, and nothing else") {
    const std::string html =
        book::html_of("[a](x.md#b) ![c](d.svg) <a href=\"e\">f</a> `[g](h)`\n");
    const auto upper = [](const std::string& target) { return "to=\"" + target + "\""; };
    CHECK(book::with_links(html, upper) ==
          "<p><a to=\"x.md#b\">a</a> <img to=\"d.svg\" alt=\"c\"> <a to=\"e\">f</a> "
          "<code>[g](h)</code></p>\n");
}
