#include "common/refused.hpp"
#include "show/csv.hpp"
#include "support/temporary_folder.hpp"

#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/stat.h>

namespace fs = std::filesystem;
using show::write_csv;

namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;
using support::TemporaryFolder;

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// No file may grow beyond this many bytes, and a write that would is an error, not a signal.
struct FileSizeLimit {
    rlimit before{};
    explicit FileSizeLimit(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{bytes, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_DFL);
    }
};

} // namespace

TEST_CASE("write_csv: a line of names, then a line a row") {
    const TemporaryFolder folder;
    write_csv(folder / "x.csv",
              {{"d_k", Numbers{1, 2}}, {"entropy", Numbers{4.1, -0.5}}, {"arm", Texts{"a", "b"}}});
    CHECK(contents(folder / "x.csv") == "d_k,entropy,arm\n1,4.1,a\n2,-0.5,b\n");
    CHECK(folder.n_files() == 1);
}

TEST_CASE("write_csv: commas, quotes and line ends are quoted as RFC 4180 says") {
    const TemporaryFolder folder;
    write_csv(folder / "x.csv", {{"a,b", Texts{"plain", "say \"hi\"", "two\nlines", "", "é"}}});
    CHECK(contents(folder / "x.csv") ==
          "\"a,b\"\nplain\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\né\n");
}

TEST_CASE("write_csv: every double reads back as itself") {
    const TemporaryFolder folder;
    using Limits = std::numeric_limits<double>;
    const Numbers values{0.1,          1.0 / 3, 5e-324,        Limits::max(),
                         1e22,         -2.5e-7, Limits::min(), 1 + Limits::epsilon(),
                         123456789.125};
    write_csv(folder / "x.csv", {{"v", values}});
    std::ifstream file(folder / "x.csv");
    std::string text;
    std::getline(file, text);
    for (const double value : values) {
        std::getline(file, text);
        CHECK(std::strtod(text.c_str(), nullptr) == value);
    }
}

TEST_CASE("write_csv: what is not finite is written by name") {
    const TemporaryFolder folder;
    using Limits = std::numeric_limits<double>;
    write_csv(folder / "x.csv", {{"v", Numbers{Limits::quiet_NaN(), -Limits::quiet_NaN(),
                                               Limits::infinity(), -Limits::infinity()}}});
    CHECK(contents(folder / "x.csv") == "v\nnan\nnan\ninf\n-inf\n");
}

TEST_CASE("write_csv: an existing file is replaced") {
    const TemporaryFolder folder;
    write_csv(folder / "x.csv", {{"old", Numbers{1, 2, 3}}});
    write_csv(folder / "x.csv", {{"new", Numbers{}}});
    CHECK(contents(folder / "x.csv") == "new\n");
    CHECK(folder.n_files() == 1);
}

TEST_CASE("write_csv: a write that fails leaves the old file and nothing beside it") {
    const TemporaryFolder folder;
    const fs::path path = folder / "x.csv";
    write_csv(path, {{"old", Numbers{1}}});
    const std::string expected = "write_csv: cannot write " + path.string() + ": File too large";
    for (const std::size_t rows : {1000u, 100000u}) { // fails at the flush, and before
        const FileSizeLimit limit(64);
        CHECK_THROWS_WITH_AS(write_csv(path, {{"new", Numbers(rows, 1.5)}}), expected.c_str(),
                             std::runtime_error);
    }
    CHECK(contents(path) == "old\n1\n");
    CHECK(folder.n_files() == 1);
}

TEST_CASE("write_csv: columns must exist and be equally long") {
    CHECK_REFUSED(write_csv("never.csv", {}), "write_csv: a table must have a column, got none");
    CHECK_REFUSED(write_csv("never.csv", {{"a", Numbers{1, 2}}, {"b", Texts{"x"}}}),
                  "write_csv: columns must be equally long, got 2 in 'a' and 1 in 'b'");
    CHECK_FALSE(fs::exists("never.csv"));
}
