#include "common/refused.hpp"
#include "language/text.hpp"

#include <doctest/doctest.h>
#include <set>
#include <sstream>

using namespace language;

TEST_CASE("Characters: each UTF-8 character counts as one, in the order of code points") {
    const Characters characters("été b€b😀\n");
    CHECK(characters.size() == 7);
    CHECK(characters.character(0) == "\n");
    CHECK(characters.character(6) == "😀");
    const Ids ids = characters.encode("b€😀é");
    CHECK(ids == Ids{2, 5, 6, 4});
    CHECK(characters.decode(ids) == "b€😀é");
    CHECK_REFUSED(characters.encode("box"),
                  "the model knows the characters of its text only, got \"o\"");
    CHECK_REFUSED(characters.encode("\x1b"),
                  "the model knows the characters of its text only, got \"?\"");
    CHECK_REFUSED(characters.encode("b\xFF"), "the text must be UTF-8");
    CHECK_REFUSED(Characters(""), "Characters: there must be a character, got none");
}

TEST_CASE("split_text: nine tenths are for training, the rest for testing") {
    std::string text;
    for (int i = 0; i < 100; ++i) {
        text += static_cast<char>('a' + i % 10);
    }
    const Text split = split_text(text, 9);
    CHECK(split.characters.size() == 10);
    CHECK(split.train.size() == 90);
    CHECK(split.valid == Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK_REFUSED(split_text(text, 10),
                  "the text is too short: its last tenth, to be tested on, must have more "
                  "than 10 characters, got 10 of 100");
    CHECK_REFUSED(split_text("", 10), "the text is empty");
}

TEST_CASE("make_stories: as many characters as wanted, by the seed, hardly a story twice") {
    const std::string text = make_stories(200000, 1);
    CHECK(text.size() >= 200000);
    CHECK(text.size() < 202000);
    CHECK(text == make_stories(200000, 1));
    CHECK(text != make_stories(200000, 2));
    CHECK(make_stories(1000, 1) == text.substr(0, make_stories(1000, 1).size()));
    std::set<std::string> stories;
    std::size_t n_stories = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) {
            ++n_stories;
            stories.insert(line);
            CHECK(line.find("  ") == std::string::npos);
            CHECK((line.back() == '.' || line.back() == '"'));
        }
    }
    CHECK(n_stories > 500);
    CHECK(stories.size() == n_stories);
}
