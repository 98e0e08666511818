#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace course {

/// Notices when the text of an exercise's file changes, however an editor writes it: in place, or
/// another file renamed over it. Sleeps in poll meanwhile: on Linux through inotify; the caller
/// looks every now and then as well, for where no events come: links, mounts of Windows folders.
class FileWatch {
public:
    explicit FileWatch(const std::vector<Exercise>& exercises);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Readable when something may have happened; −1 where there is no such thing.
    int descriptor() const { return descriptor_; }
    /// Milliseconds after which to look anyway.
    int patience() const { return descriptor_ < 0 ? 300 : 1000; }

    /// Which of the files have another text than at the last call. A file that is gone has no text.
    std::vector<std::size_t> changed();
    bool missing(std::size_t file) const { return !texts_[file]; }

private:
    std::vector<std::filesystem::path> files_;
    std::vector<std::optional<std::string>> texts_;
    int descriptor_ = -1;
};

/// The shortest of several times to wait, as poll takes them: below 0 is for ever.
int least_patience(std::initializer_list<int> patiences);

} // namespace course
