#include "seq2seq/checkpoint.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <unistd.h>

namespace seq2seq {
namespace {

constexpr std::uint64_t magic = 0x31504B4332533253U; // "S2S2CKP1"

template <class T>
void put(std::ostream& out, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
void put(std::ostream& out, const std::vector<T>& values) {
    put(out, static_cast<std::uint64_t>(values.size()));
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(T)));
}

template <class T>
void get(std::istream& in, T& value) {
    in.read(reinterpret_cast<char*>(&value), sizeof value);
}
template <class T>
void get(std::istream& in, std::vector<T>& values) {
    std::uint64_t n = 0;
    get(in, n);
    values.resize(in ? n : 0);
    in.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
}

// The same fields in the same order, to write and to read.
template <class State, class Visit>
void visit_fields(State& s, const Visit& visit) {
    visit(s.epoch), visit(s.batch), visit(s.loss_sum), visit(s.n_words), visit(s.seconds);
    visit(s.scorer_seconds), visit(s.thread_seconds), visit(s.best_bleu), visit(s.best_epoch);
    visit(s.epochs), visit(s.curve), visit(s.curve_sum), visit(s.best_weights);
}

std::uint64_t checksum(const char* data, std::size_t n) {
    std::uint64_t sum = n;
    for (std::size_t i = 0; i < n; i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + i, std::min<std::size_t>(8, n - i));
        sum = (sum ^ word) * 0x9E3779B97F4A7C15U;
        sum ^= sum >> 29;
    }
    return sum;
}

[[noreturn]] void cannot_write(const std::filesystem::path& path) {
    throw std::runtime_error(path.string() + ": cannot be written: " + std::strerror(errno));
}

// To the disk, not only to the system's memory.
void write_through(const std::filesystem::path& path, const std::string& bytes) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) {
        cannot_write(path);
    }
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno != EINTR) {
            const int error = errno;
            close(file);
            unlink(path.c_str());
            errno = error;
            cannot_write(path);
        }
        done += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    const bool synced = fsync(file) == 0;
    if (close(file) != 0 || !synced) {
        cannot_write(path);
    }
}

} // namespace

void save_checkpoint(const std::filesystem::path& path, std::uint64_t fingerprint,
                     const TrainingState& state, const Trainer& trainer) {
    std::ostringstream out;
    put(out, magic);
    put(out, fingerprint);
    visit_fields(state, [&out](const auto& field) { put(out, field); });
    trainer.save(out);
    std::string bytes = out.str();
    const std::uint64_t sum = checksum(bytes.data(), bytes.size());
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);

    std::filesystem::path beside = path;
    beside += ".new";
    write_through(beside, bytes);
    if (std::rename(beside.c_str(), path.c_str()) != 0) {
        cannot_write(path);
    }
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    const int directory = open(folder.c_str(), O_RDONLY); // the new name, to the disk as well
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

bool load_checkpoint(const std::filesystem::path& path, std::uint64_t fingerprint,
                     TrainingState& state, Trainer& trainer) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return false;
    }
    std::ostringstream all;
    all << file.rdbuf();
    const std::string bytes = all.str();
    const auto fail = [&path](const char* what) {
        throw std::invalid_argument(path.string() + ": " + what +
                                    "; start anew without --resume, or in another --output folder");
    };
    std::uint64_t sum = 0, start = 0, print = 0;
    if (bytes.size() < 3 * sizeof sum) {
        fail("is no checkpoint");
    }
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
    std::istringstream in(bytes);
    get(in, start);
    get(in, print);
    if (start != magic || sum != checksum(bytes.data(), bytes.size() - sizeof sum)) {
        fail("is damaged, or no checkpoint");
    }
    if (print != fingerprint) {
        fail("was made with other options, files or threads");
    }
    visit_fields(state, [&in](auto& field) { get(in, field); });
    trainer.load(in);
    return true;
}

} // namespace seq2seq
