#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace course {

/// Notices when the text of an exercise's file changes, whether an editor writes it in place or
/// renames another file over it: on Linux through inotify. The caller also looks now and then,
/// because links and mounted Windows folders send no events.
class FileWatch {
public:
    explicit FileWatch(const std::vector<Exercise>& exercises);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Readable when something may have happened; −1 if there is none.
    int descriptor() const { return descriptor_; }
    /// Milliseconds after which to look anyway.
    int patience() const { return descriptor_ < 0 ? 300 : 1000; }

    /// The files whose text differs from that at the last call. A missing file has no text.
    std::vector<std::size_t> changed();
    bool missing(std::size_t file) const { return !texts_[file]; }

private:
    std::vector<std::filesystem::path> files_;
    std::vector<std::optional<std::string>> texts_;
    int descriptor_ = -1;
};

/// The shortest of several waiting times for poll, where −1 is for ever.
int least_patience(std::initializer_list<int> patiences);

} // namespace course
