#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace course {

/// Notices when the text of one file changes, however an editor writes it: in place, or another
/// file renamed over it. Sleeps in poll meanwhile: on Linux through inotify; elsewhere the caller
/// has to look every now and then.
class FileWatch {
public:
    explicit FileWatch(const std::filesystem::path& file);
    ~FileWatch();
    FileWatch(const FileWatch&) = delete;
    FileWatch& operator=(const FileWatch&) = delete;

    /// Readable when something may have happened; −1 where there is no such thing.
    int descriptor() const { return descriptor_; }
    /// Milliseconds after which to look anyway; −1: never.
    int patience() const { return descriptor_ < 0 ? 300 : -1; }

    /// Whether the text is another than at the last call. A file that is gone has no text.
    bool changed();
    bool missing() const { return !text_; }

private:
    std::filesystem::path file_;
    int descriptor_ = -1;
    std::optional<std::string> text_;
};

} // namespace course
