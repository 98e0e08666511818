// Behaviour within a submission's own folder and process: too much of it, and what is allowed.

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile.hpp"

namespace lesson {

namespace fs = std::filesystem;

int fills_its_folder(const std::string& how) {
    const std::string much(std::size_t{1} << 20, 'x');
    if (how == "one file") {
        std::ofstream file("much");
        for (int i = 0; i < 1000 && file.write(much.data(), 1 << 20).flush(); ++i) {
        }
    } else if (how == "many files") {
        for (int i = 0;; ++i) {
            std::ofstream(std::to_string(i % 1000)) << much;
        }
    } else if (how == "small files") {
        for (int i = 0;; ++i) {
            std::ofstream(std::to_string(i));
        }
    }
    return errno;
}

std::vector<int> works_honestly() {
    std::vector<int> works;
    int sum = 0;
    {
        std::vector<std::thread> threads;
        std::vector<int> parts(8);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            threads.emplace_back([&parts, i] { parts[i] = 1; });
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            threads[i].join();
            sum += parts[i];
        }
    }
    works.push_back(sum == 8);
    works.push_back(std::async(std::launch::async, [] { return 42; }).get() == 42);
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path();
    std::ofstream(temporary / "file") << "text";
    works.push_back(fs::equivalent(temporary, fs::current_path(), error));
    fs::create_directory(temporary / "folder", error);
    fs::rename(temporary / "file", temporary / "folder" / "moved", error);
    works.push_back(fs::file_size(temporary / "folder" / "moved", error) == 4);
    std::ofstream(temporary / "folder" / "moved") << "x"; // opened to be truncated
    works.push_back(fs::file_size(temporary / "folder" / "moved", error) == 1);
    fs::resize_file(temporary / "folder" / "moved", 0, error);
    works.push_back(!error || error.value() == EPERM); // on kernels whose landlock is too old
    works.push_back(fs::remove_all(temporary / "folder", error) == 2);
    std::ifstream status("/proc/self/status");
    std::string word;
    works.push_back(static_cast<bool>(status >> word));
    works.push_back(std::thread::hardware_concurrency() > 0);
    rlimit stack{};
    works.push_back(getrlimit(RLIMIT_STACK, &stack) == 0);
    works.push_back(isatty(STDOUT_FILENO) == 0 && errno == ENOTTY);
    return works;
}

std::string environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? "" : value;
}

} // namespace lesson
