#include "common/refused.hpp"
#include "support/temporary_folder.hpp"
#include "training/checkpoint.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

using namespace training;
using support::TemporaryFolder;

TEST_CASE("checkpoint: saved data come back, and nothing if there is no file") {
    const TemporaryFolder folder;
    const std::string content("a\0b", 3);
    CHECK_FALSE(load_checkpoint(folder / "none", 7));
    save_checkpoint(folder / "one", 7, content);
    CHECK(load_checkpoint(folder / "one", 7) == content);
    save_checkpoint(folder / "one", 8, "");
    CHECK(load_checkpoint(folder / "one", 8) == "");
}

TEST_CASE("checkpoint: a changed byte, or a file cut at any place, is an invalid_argument") {
    const TemporaryFolder folder;
    save_checkpoint(folder / "one", 7, "content");
    std::ostringstream read;
    read << std::ifstream(folder / "one", std::ios::binary).rdbuf();
    const std::string bytes = read.str();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ 4);
        std::ofstream(folder / "one", std::ios::binary) << changed;
        CHECK_THROWS_AS(load_checkpoint(folder / "one", 7), std::invalid_argument);
        std::ofstream(folder / "one", std::ios::binary) << bytes.substr(0, i);
        CHECK_THROWS_AS(load_checkpoint(folder / "one", 7), std::invalid_argument);
    }
    save_checkpoint(folder / "one", 7, "content");
    CHECK_REFUSED(load_checkpoint(folder / "one", 8),
                  ((folder / "one").string() +
                   ": was made with other options, files or threads; delete this one file "
                   "and start anew, or take another --output folder")
                      .c_str());
}

TEST_CASE("checkpoint: each new start keeps the one before under a name of its own") {
    const TemporaryFolder folder;
    for (const char* content : {"hours", "minutes", "seconds"}) {
        save_checkpoint(folder / "one", 7, content);
        CHECK_FALSE(open_checkpoint(folder / "one", 7, false));
    }
    CHECK(load_checkpoint(folder / "one.old", 7) == "hours");
    CHECK(load_checkpoint(folder / "one.old.2", 7) == "minutes");
    CHECK(load_checkpoint(folder / "one.old.3", 7) == "seconds");
    CHECK_FALSE(open_checkpoint(folder / "one", 7, true));
}
