#include "process/files.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

namespace process {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& path, std::size_t most) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) { // a pipe would keep us waiting
        return std::nullopt;
    }
    if (fs::file_size(path, error) > most || error) {
        return std::nullopt;
    }
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    return in ? std::optional(text) : std::nullopt;
}

void write_file(const fs::path& path, const std::string& text) {
    const auto refuse = [&](int error) {
        const std::string said = fmt::format("cannot write {}: {}", path.string(),
                                             std::generic_category().message(error));
        for (const int fault : {ENOSPC, EDQUOT, EIO, EFBIG, EMFILE, ENFILE, ENOMEM}) {
            if (error == fault) {
                throw MachineFault(said);
            }
        }
        throw std::runtime_error(said);
    };
    std::error_code error;
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), error);
    }
    if (error) {
        refuse(error.value());
    }
    fs::path beside = path;
    beside += fmt::format(".{}.new", getpid()); // two terminals may write the same file
    std::ofstream out(beside, std::ios::binary);
    out << text << std::flush;
    out.close();
    if (!out) {
        const int reason = errno;
        fs::remove(beside, error);
        refuse(reason);
    }
    fs::rename(beside, path, error);
    if (error) {
        fs::remove(beside);
        refuse(error.value());
    }
}

} // namespace process
