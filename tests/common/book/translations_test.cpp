#include <doctest/doctest.h>

#include "book/translations.hpp"
#include "course/files.hpp"
#include "support/temporary_folder.hpp"

using nlohmann::json;

TEST_CASE(
    "translations: without a model, or before the program is built, they say what to do first") {
    const support::TemporaryFolder folder;
    int wanted = 0;
    book::Translations translations(folder / "program", folder / "out", [&] {
        ++wanted;
        return wanted == 1 ? "" : "the disk is full";
    });
    CHECK(translations.answer("no JSON")["words"] == "a translation needs a JSON object");
    CHECK(translations.answer("{}") ==
          json{{"ok", false},
               {"state", "no_model"},
               {"words", "There is no trained model yet: ./course run 07 trains them in a minute "
                         "or two."}});
    CHECK(wanted == 0);
    course::write_file(folder / "out/additive-1.checkpoint", "");
    CHECK(translations.answer("{}")["state"] == "building");
    CHECK(wanted == 1);
    CHECK(translations.answer("{}")["words"] == "The translator is tried again: the disk is full");
}

TEST_CASE("translations: the program gets the whole question, and may end") {
    const support::TemporaryFolder folder;
    course::write_file(folder / "out/additive-1.checkpoint", "");
    course::write_file(folder / "program",
                       "#!/bin/sh\nread -r line\necho \"{\\\"asked\\\": $line}\"\n");
    std::filesystem::permissions(folder / "program", std::filesystem::perms::owner_all);
    book::Translations translations(folder / "program", folder / "out", [] { return ""; });
    CHECK(translations.answer(R"({"sentence": "the cat"})") ==
          json{{"asked", {{"sentence", "the cat"}}}});
    CHECK(translations.answer("{}")["asked"] == json::object()); // another one
    course::write_file(folder / "program", "#!/bin/sh\n");
    std::filesystem::permissions(folder / "program", std::filesystem::perms::owner_all);
    CHECK(translations.answer("{}")["state"] == "fault");
}
