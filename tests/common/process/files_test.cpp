#include "process/files.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <stdexcept>

#include <sys/resource.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;
using process::read_file;
using process::write_file;

TEST_CASE("write_file, read_file: every byte comes back, and nothing else is left in the folder") {
    const support::TemporaryFolder folder;
    CHECK(read_file(folder / "a.txt") == std::nullopt);
    CHECK(read_file(folder.path()) == std::nullopt);
    write_file(folder / "b/c/a.txt", "text");
    CHECK(read_file(folder / "b/c/a.txt") == "text");
    fs::remove_all(folder / "b");
    std::string bytes = "é\r\n\n";
    bytes += '\0';
    write_file(folder / "a.txt", bytes);
    CHECK(read_file(folder / "a.txt") == bytes);
    write_file(folder / "a.txt", "");
    CHECK(read_file(folder / "a.txt") == "");
    CHECK(folder.n_files() == 1);
}

TEST_CASE("read_file: a file that is larger than allowed is not read") {
    const support::TemporaryFolder folder;
    write_file(folder / "a.txt", "four");
    CHECK(read_file(folder / "a.txt", 4) == "four");
    CHECK(read_file(folder / "a.txt", 3) == std::nullopt);
}

TEST_CASE("write_file: if it cannot be written, the error says why, and the old file stays") {
    const support::TemporaryFolder folder;
    write_file(folder / "parent", "a file");
    write_file(folder / "taken/inside", "kept");
    for (const auto& [path, reason] : std::vector<std::pair<std::string, std::string>>{
             {folder / "parent/a.txt", "Not a directory"}, {folder / "taken", "Is a directory"}}) {
        CHECK_THROWS_WITH_AS(write_file(path, "text"),
                             ("cannot write " + path + ": " + reason).c_str(), std::runtime_error);
    }
    CHECK(read_file(folder / "parent") == "a file");
    CHECK(read_file(folder / "taken/inside") == "kept");
    CHECK(folder.n_files() == 2);
}

TEST_CASE("write_file: when the disk is full, the old file stays whole and alone") {
    const support::TemporaryFolder folder;
    write_file(folder / "a.txt", "old");
    const std::string path = folder / "a.txt";
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
        write_file(path, std::string(100'000, 'x'));
    } catch (const process::MachineFault& error) { // not "bad use"
        message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(message == "cannot write " + path + ": File too large");
    CHECK(read_file(path) == "old");
    CHECK(folder.n_files() == 1);
}
