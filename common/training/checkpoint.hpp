#pragma once

// The state of a training, in a file.

#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace training {

/// Writes a checkpoint so that, whenever the process dies, the file is either the one before or the
/// new one. fingerprint: of everything the training depends on. Throws as process::write_file does.
void save_checkpoint(const std::filesystem::path& path, std::uint64_t fingerprint,
                     const std::string& content);

/// Its content; nothing if there is no such file. Throws std::invalid_argument, which says what to
/// do, if the file is damaged or has another fingerprint.
std::optional<std::string> load_checkpoint(const std::filesystem::path& path,
                                           std::uint64_t fingerprint);

/// The start of a training: with `resume` what load_checkpoint returns; otherwise nothing, and an
/// existing checkpoint, perhaps hours of work, is kept as "….old", "….old.2" and so on.
std::optional<std::string> open_checkpoint(const std::filesystem::path& path,
                                           std::uint64_t fingerprint, bool resume);

/// Makes the folder that a training writes to. Throws std::invalid_argument "cannot make the folder
/// …: Not a directory".
void make_output_folder(const std::filesystem::path& folder);

/// Numbers, or structs of numbers, in this machine's own form.
template <class T>
void write_numbers(std::ostream& out, const T* numbers, std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    out.write(reinterpret_cast<const char*>(numbers), static_cast<std::streamsize>(n * sizeof(T)));
}

/// Throws std::runtime_error if there are fewer.
template <class T>
void read_numbers(std::istream& in, T* numbers, std::size_t n) {
    in.read(reinterpret_cast<char*>(numbers), static_cast<std::streamsize>(n * sizeof(T)));
    if (!in) {
        throw std::runtime_error("checkpoint: the file ends too early, or is of another model");
    }
}

/// A struct's fields in one order, to write and to read.
template <class T>
void write_field(std::ostream& out, const T& field) {
    write_numbers(out, &field, 1);
}
template <class T>
void write_field(std::ostream& out, const std::vector<T>& field) {
    write_field(out, static_cast<std::uint64_t>(field.size()));
    write_numbers(out, field.data(), field.size());
}
template <class T>
void read_field(std::istream& in, T& field) {
    read_numbers(in, &field, 1);
}
template <class T>
void read_field(std::istream& in, std::vector<T>& field) {
    std::uint64_t n = 0;
    read_field(in, n);
    field.resize(n);
    read_numbers(in, field.data(), n);
}

} // namespace training
