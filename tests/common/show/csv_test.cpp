#include "process/files.hpp"
#include "show/csv.hpp"
#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <limits>

using process::read_file;
using show::write_csv;

TEST_CASE("write_csv: a line of names, then a line a row, from rows or from columns") {
    const support::TemporaryFolder folder;
    write_csv(folder / "x.csv", {{"d_k", "arm"}, {1u, "a"}, {-0.5, std::string("b")}});
    CHECK(read_file(folder / "x.csv") == "d_k,arm\n1,a\n-0.5,b\n");
    write_csv(folder / "x.csv", {{"d_k", std::vector{1.0, 2.0}}, {"H", std::vector{4.1, -0.5}}});
    CHECK(read_file(folder / "x.csv") == "d_k,H\n1,4.1\n2,-0.5\n");
    CHECK(folder.n_files() == 1);
}

TEST_CASE("write_csv: commas, quotes and line ends are quoted as RFC 4180 says") {
    CHECK(show::CsvCell("plain é").text == "plain é");
    CHECK(show::CsvCell("a,b").text == "\"a,b\"");
    CHECK(show::CsvCell("say \"hi\"").text == "\"say \"\"hi\"\"\"");
    CHECK(show::CsvCell("two\nlines").text == "\"two\nlines\"");
}

TEST_CASE("write_csv: numbers are the shortest that read back, and what is not finite is a name") {
    using Limits = std::numeric_limits<double>;
    CHECK(show::CsvCell(0.1).text == "0.1");
    CHECK(show::CsvCell(1.0 / 3).text == "0.3333333333333333");
    CHECK(show::CsvCell(1e22).text == "1e+22");
    CHECK(show::CsvCell(-Limits::quiet_NaN()).text == "nan");
    CHECK(show::CsvCell(-Limits::infinity()).text == "-inf");
}
