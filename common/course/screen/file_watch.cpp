#include "course/screen/file_watch.hpp"

#include <array>

#ifdef __linux__
#include <sys/inotify.h>
#endif
#include <unistd.h>

#include "course/files.hpp"

namespace course {

FileWatch::FileWatch(const std::filesystem::path& file) : file_(file), text_(read_file(file)) {
#ifdef __linux__
    // The folder, not the file: a file that is renamed over it is another one.
    descriptor_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const std::uint32_t events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB;
    if (descriptor_ >= 0 &&
        inotify_add_watch(descriptor_, file.parent_path().c_str(), events) < 0) {
        close(descriptor_);
        descriptor_ = -1;
    }
#endif
}

FileWatch::~FileWatch() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

bool FileWatch::changed() {
    std::array<char, 4096> events{};
    while (descriptor_ >= 0 && read(descriptor_, events.data(), events.size()) > 0) {
        // Which file it was does not matter: its text is compared.
    }
    std::optional<std::string> text = read_file(file_);
    if (text == text_) {
        return false;
    }
    text_ = std::move(text);
    return true;
}

} // namespace course
