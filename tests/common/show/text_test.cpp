#include "common/show/screens.hpp"
#include "show/beside.hpp"
#include "show/text.hpp"

#include <doctest/doctest.h>

using show::display_width;
using show::fit;

TEST_CASE("text: a code point is one column, whatever its bytes") {
    CHECK(display_width("") == 0);
    CHECK(display_width("naïve Q·Kᵀ/√d") == 13);
    CHECK(display_width("e\u0301") == 1); // e and a combining accent
    CHECK(display_width("注意") == 4);
    CHECK(display_width("\x1b[1mab\x1b[22m") == 2);
}

TEST_CASE("text: bytes that are not UTF-8 count one each and end nothing") {
    CHECK(display_width("\xff\xfe") == 2);
    CHECK(display_width("a\xc3") == 2);
    CHECK(display_width("\xe2\x28\xa1") == 3);
}

TEST_CASE("text: a label is cut to its width and says so") {
    CHECK(fit("économie", 8, unicode) == "économie");
    CHECK(fit("économie", 5, unicode) == "écon…");
    CHECK(fit("économie", 5, ascii) == "écon~");
    CHECK(fit("注意力", 4, unicode) == "注…");
    CHECK(fit("ab", 1, unicode) == "…");
    CHECK(fit("ab", 0, unicode).empty());
}

TEST_CASE("text: control characters in a label cannot reach the terminal") {
    CHECK(fit("a\nb\x1b[2Jc\t", 20, ascii) == "a?b?[2Jc?");
    CHECK(fit("\u009b2J\u202e", 20, unicode) == "?2J?");
}

TEST_CASE("text: alignment counts columns, not bytes") {
    CHECK(show::right_aligned("é", 3) == "  é");
    CHECK(show::left_aligned("é", 3) == "é  ");
    CHECK(show::centred("é", 4) == " é  ");
    CHECK(show::right_aligned("long", 2) == "long");
}

TEST_CASE("beside: blocks of lines are side by side while they fit, then below") {
    using Block = std::vector<std::string>;
    const Block left{"left", "1"};
    const Block right{"right"};
    CHECK(show::beside({left, right}, 20) == Block{"left    right", "1"});
    CHECK(show::beside({right, left}, 20) == Block{"right    left", "         1"});
    CHECK(show::beside({left, right}, 12) == Block{"left", "1", "", "right"});
    CHECK(show::beside({left, right}, 13) == Block{"left    right", "1"});
    CHECK(show::beside({left, right, right}, 13) == Block{"left    right", "1", "", "right"});
    CHECK(show::beside({{"far too wide a line"}, right}, 10) ==
          Block{"far too wide a line", "", "right"});
    CHECK(show::beside({{"√dₖ", "x"}, {"Q"}}, 20) == Block{"√dₖ    Q", "x"});
    CHECK(show::beside({{"x", "√dₖ"}, {"a", "b"}}, 20) == Block{"x      a", "√dₖ    b"});
    CHECK(show::beside(std::vector<Block>(), 10).empty());
}

TEST_CASE("wrap: breaks at spaces, and never within a word") {
    using Lines = std::vector<std::string>;
    CHECK(show::wrap("one two three", "  ", 7) == Lines{"  one two", "  three"});
    CHECK(show::wrap("one two three", "", 6) == Lines{"one", "two", "three"});
    CHECK(show::wrap("incomprehensibilities", "> ", 5) == Lines{"> incomprehensibilities"});
    CHECK(show::wrap("", "  ") == Lines{"  "});
    CHECK(show::wrap("ééé ééé", "", 7) == Lines{"ééé ééé"});
}

TEST_CASE(
    "printable: invalid UTF-8, control characters, and marks that turn the line are removed") {
    CHECK(show::printable("a\xff"
                          "b") == "a\ufffdb");
    CHECK(show::printable("\xc0\x9b|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82") ==
          "\ufffd\ufffd|\ufffd\ufffd\ufffd|\ufffd\ufffd\ufffd\ufffd|\ufffd\ufffd");
    CHECK(show::printable("a\x1b[1m\u009bb\x7f\tc") == "a[1mb\tc");
    CHECK(show::printable("a\u202eb\u2066c") == "abc");
    CHECK(show::printable("a\ufffeb\ufff9c\U000E0041d") == "abcd");
    CHECK(show::printable("a\u061cb\u200ec\u200fd\u2028e\u2029f") == "abcdef");
    CHECK(show::printable("é → √ \U0001F600") == "é → √ \U0001F600");
}

TEST_CASE("escaped: text for HTML and XML, in attributes too") {
    CHECK(show::escaped("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
}
