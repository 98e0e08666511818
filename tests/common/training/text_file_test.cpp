#include "training/text_file.hpp"

#include "common/refused.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fstream>

using namespace training;

TEST_CASE(
    "read_text: as it is, without a byte-order mark; what is not UTF-8 is named by its line") {
    const support::TemporaryFolder folder;
    const auto written = [&](const std::string& text) {
        std::ofstream(folder / "text", std::ios::binary) << text;
        return folder / "text";
    };
    CHECK(read_text(written("one\r\ntwo\n\n")) == "one\r\ntwo\n\n");
    CHECK(read_text(written("\xEF\xBB\xBF"
                            "é")) == "é");
    CHECK(read_text(written("")).empty());
    CHECK_REFUSED(read_text(written("a\nb\nc\xFFz")),
                  (folder / "text: line 3: not UTF-8, got byte 0xff; convert the file with "
                            "iconv")
                      .c_str());
    CHECK(read_text(written(std::string(1000000, 'a')), 1).size() == 1000000);
    CHECK_REFUSED(read_text(written(std::string(1000001, 'a')), 1),
                  (folder / "text: has more than 1 MB; use a part of it").c_str());
    CHECK_REFUSED(read_text(folder / "none"),
                  (folder / "none: cannot be read: No such file or directory").c_str());
    CHECK_REFUSED(read_text(folder.path()),
                  (folder.path().string() + ": cannot be read: it is a folder").c_str());
}
