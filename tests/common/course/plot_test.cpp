// ./course plot as its users meet it, and the picture that the pages show.

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>

#include "course/files.hpp"
#include "process/run.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

process::Finished plot(std::vector<std::string> options, const std::string& path = "") {
    options.insert(options.begin(), PLOT_PROGRAM);
    process::RunOptions how;
    how.environment = {{"LC_ALL", "C"}};
    if (!path.empty()) {
        how.environment.emplace_back("PATH", path);
    }
    return process::run(options, how);
}

std::vector<std::string> small(const support::TemporaryFolder& folder) {
    return {"--keys", "8",        "--queries", "4",     "--trials",
            "3",      "--max-dk", "16",        "--out", folder / "out"};
}

bool has_gnuplot() {
    try {
        return process::run({"gnuplot", "--version"}).status == 0;
    } catch (const std::runtime_error&) {
        return false;
    }
}

/// The text without its numbers, and the numbers.
std::pair<std::string, std::vector<double>> taken_apart(const std::string& text) {
    std::string words;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < text.size();) {
        char* end = nullptr;
        const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
        const double number = digit ? std::strtod(text.c_str() + i, &end) : 0;
        if (digit) {
            numbers.push_back(number);
            i = static_cast<std::size_t>(end - text.c_str());
        } else {
            words += text[i++];
        }
    }
    return {words, numbers};
}

} // namespace

TEST_CASE("plot: writes data, script and pictures, and tabulates simulation against theory") {
    const support::TemporaryFolder folder;
    const process::Finished finished = plot(small(folder));
    CAPTURE(finished.output);
    CHECK(finished.output.find("simulated    exact") != std::string::npos);
    const std::string data = course::read_file(folder / "out/entropy_vs_dk.csv").value_or("");
    CHECK(data.starts_with("d_k,unscaled_entropy,"));
    CHECK(std::count(data.begin(), data.end(), '\n') == 17);
    const std::string script = course::read_file(folder / "out/entropy_vs_dk.gp").value_or("");
    CHECK(script.find("n_keys = 8\nmax_dk = 16\n") != std::string::npos);
    if (has_gnuplot()) {
        CHECK(finished.status == 0);
        CHECK(fs::file_size(folder / "out/entropy_vs_dk.svg") > 5000);
        CHECK(fs::file_size(folder / "out/entropy_vs_dk.png") > 5000);
    }
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder / "out")) {
        ++files;
    }
    CHECK(files == (has_gnuplot() ? 4U : 2U)); // and nothing half done beside them
}

TEST_CASE(
    "plot: without gnuplot, or with a full disk, the data is there, with the reason and status 2") {
    const support::TemporaryFolder folder;
    fs::create_directories(folder / "bin");
    const std::string gnuplot = folder / "bin/gnuplot"; // says nothing, as the real one does
    std::ofstream(gnuplot) << "#!/bin/sh\necho '<svg>' > entropy_vs_dk.svg\n";
    fs::permissions(gnuplot, fs::perms::owner_all);
    const process::Finished finished =
        plot(small(folder), (folder / "bin").string() + ":/usr/bin:/bin");
    CHECK(finished.status == 2);
    CHECK(finished.output.find("no picture: gnuplot wrote only a part of it; is the disk full?; "
                               "data and script are in ") != std::string::npos);
    CHECK(plot(small(folder), "/nowhere")
              .output.find("no picture: cannot run gnuplot: No such file or directory; data and "
                           "script are in ") != std::string::npos);
    CHECK(fs::exists(folder / "out/entropy_vs_dk.csv"));
    CHECK(fs::exists(folder / "out/entropy_vs_dk.gp"));
}

TEST_CASE("plot: an option out of its bounds, or a folder that cannot be made, is one line and "
          "status 2") {
    for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
             {"--trials", "0"}, {"--keys", "-1"}, {"--max-dk", "0"}, {"--queries", "many"}}) {
        const process::Finished finished = plot({option, value});
        CHECK(finished.status == 2);
        CHECK(finished.output.starts_with("course plot: " + option + ": Value " + value +
                                          " not in range"));
    }
    CHECK(plot({"--colour"}).status == 2);
    const support::TemporaryFolder folder;
    course::write_file(folder / "file", "in the way");
    const process::Finished finished =
        plot({"--trials", "1", "--max-dk", "2", "--out", folder / "file/out"});
    CHECK(finished.status == 2);
    CHECK(finished.output.starts_with("course plot: cannot make the folder "));
}

TEST_CASE("the picture that the pages show is what ./course plot draws today") {
    const support::TemporaryFolder folder;
    const std::string shown = course::read_file(PICTURE).value_or("");
    REQUIRE(!shown.empty());
    if (!has_gnuplot() || plot({"--out", folder / "out"}).status != 0) {
        MESSAGE("skipped: there is no gnuplot here");
        return;
    }
    const std::string drawn = course::read_file(folder / "out/entropy_vs_dk.svg").value_or("");
    const auto version = [](const std::string& svg) { return svg.substr(0, svg.find("</desc>")); };
    if (version(shown) != version(drawn)) {
        MESSAGE("skipped: the picture shown was drawn by another gnuplot");
        return;
    }
    const auto [shown_words, shown_numbers] = taken_apart(shown);
    const auto [drawn_words, drawn_numbers] = taken_apart(drawn);
    CHECK(shown_words == drawn_words);
    REQUIRE(shown_numbers.size() == drawn_numbers.size());
    double furthest = 0;
    for (std::size_t i = 0; i < shown_numbers.size(); ++i) {
        furthest = std::max(furthest, std::abs(shown_numbers[i] - drawn_numbers[i]));
    }
    CHECK(furthest <= 1.0); // pixels: the last bits differ between machines
}
