#include "training/checkpoint.hpp"

#include "process/files.hpp"

#include <cstring>
#include <sstream>
#include <zlib.h>

namespace training {
namespace {

constexpr std::uint64_t magic = 0x32504B4332533253U; // "S2S2CKP2"

std::uint64_t checksum(const char* data, std::size_t n) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(data), n);
}

} // namespace

void save_checkpoint(const std::filesystem::path& path, std::uint64_t fingerprint,
                     const std::string& content) {
    std::ostringstream out;
    write_field(out, magic);
    write_field(out, fingerprint);
    std::string bytes = out.str() + content;
    const std::uint64_t sum = checksum(bytes.data(), bytes.size());
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);

    process::write_file(path, bytes);
}

std::optional<std::string> load_checkpoint(const std::filesystem::path& path,
                                           std::uint64_t fingerprint) {
    const std::optional<std::string> read = process::read_file(path);
    if (!read) {
        return std::nullopt;
    }
    const std::string& bytes = *read;
    const auto fail = [&path](const char* what) {
        throw std::invalid_argument(
            path.string() + ": " + what +
            "; delete this one file and start anew, or take another --output folder");
    };
    std::uint64_t frame[3]{}; // its beginning, the fingerprint, and the checksum at the end
    constexpr std::size_t word = sizeof frame[0];
    if (bytes.size() < sizeof frame) {
        fail("is not a checkpoint");
    }
    std::memcpy(frame, bytes.data(), 2 * word);
    std::memcpy(frame + 2, bytes.data() + bytes.size() - word, word);
    if (frame[0] != magic || frame[2] != checksum(bytes.data(), bytes.size() - word)) {
        fail("is damaged, or no checkpoint");
    }
    if (frame[1] != fingerprint) {
        fail("was made with other options, files or threads");
    }
    return bytes.substr(2 * word, bytes.size() - sizeof frame);
}

namespace {

// The first free name of PATH.old, PATH.old.2, …: the older file may be worth more.
std::filesystem::path name_to_keep(const std::filesystem::path& path) {
    std::filesystem::path name = path.string() + ".old";
    for (int n = 2; std::filesystem::exists(name); ++n) {
        name = path.string() + ".old." + std::to_string(n);
    }
    return name;
}

} // namespace

std::optional<std::string> open_checkpoint(const std::filesystem::path& path,
                                           std::uint64_t fingerprint, bool resume) {
    if (resume) {
        return load_checkpoint(path, fingerprint);
    }
    if (std::filesystem::exists(path)) {
        std::filesystem::rename(path, name_to_keep(path));
    }
    return std::nullopt;
}

void make_output_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw std::invalid_argument("cannot make the folder " + folder.string() + ": " +
                                    error.message());
    }
}

} // namespace training
