#include "seq2seq/vocabulary.hpp"

#include <doctest/doctest.h>

using namespace seq2seq;

TEST_CASE("vocabulary: words by frequency, then by the alphabet, rare ones left out") {
    const Vocabulary words({{"b", "a", "c"}, {"c", "b", "c"}, {"a", "rare"}}, 2);
    CHECK(words.size() == 7);
    CHECK(words.word(4) == "c");
    CHECK(words.word(5) == "a");
    CHECK(words.word(6) == "b");
    CHECK(words.id("rare") == Vocabulary::unknown);
}

TEST_CASE("vocabulary: encode ends a sentence, and decode stops there") {
    const Vocabulary words({{"a", "b"}}, 1);
    CHECK(words.encode({"b", "x"}) == Ids{5, Vocabulary::unknown, Vocabulary::end});
    CHECK(words.decode({5, Vocabulary::end, 4}) == Words{"b"});
}

TEST_CASE("vocabulary: a word of the text that looks like a special one is unknown") {
    const Vocabulary words({{"</s>", "<pad>", "a"}}, 1);
    CHECK(words.id("</s>") == Vocabulary::unknown);
    CHECK(words.id("<pad>") == Vocabulary::unknown);
}

TEST_CASE("split, join: words between any blanks, joined by one") {
    CHECK(join(split("  a\tb  c\r")) == "a b c");
    CHECK(split(" ").empty());
    CHECK(join(split("10\u00A0h\u202F30\u3000\u0085x\u2028y\u2009z\x1Cé")) == "10 h 30 x y z é");
    CHECK(split("a\u200Bb \u00E0").size() == 2); // of no width, but no white space
    CHECK(split("").empty());
}
