#include "course/screen/file_watch.hpp"

#include <array>
#include <set>

#ifdef __linux__
#include <sys/inotify.h>
#endif
#include <unistd.h>

#include "course/files.hpp"

namespace course {

namespace {

/// A descriptor that becomes readable when something happens in one of the folders; −1 if one of
/// them cannot be watched.
int watch_folders([[maybe_unused]] const std::set<std::filesystem::path>& folders) {
#ifdef __linux__
    const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const std::uint32_t events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB;
    for (const auto& folder : folders) {
        if (descriptor >= 0 && inotify_add_watch(descriptor, folder.c_str(), events) < 0) {
            close(descriptor);
            return -1;
        }
    }
    return descriptor;
#else
    return -1;
#endif
}

} // namespace

FileWatch::FileWatch(const std::vector<Exercise>& exercises) : texts_(exercises.size()) {
    std::set<std::filesystem::path> folders; // a file that is renamed over another is a new one
    for (const Exercise& exercise : exercises) {
        files_.push_back(exercise.file);
        folders.insert(exercise.file.parent_path());
    }
    descriptor_ = watch_folders(folders);
    changed();
}

FileWatch::~FileWatch() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

std::vector<std::size_t> FileWatch::changed() {
    std::array<char, 4096> events{};
    while (descriptor_ >= 0 && read(descriptor_, events.data(), events.size()) > 0) {
        // Which file it was does not matter: texts are compared.
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        std::optional<std::string> text = read_file(files_[i]);
        if (text != texts_[i]) {
            texts_[i] = std::move(text);
            found.push_back(i);
        }
    }
    return found;
}

int least_patience(std::initializer_list<int> patiences) {
    int least = -1;
    for (const int each : patiences) {
        least = each >= 0 && (least < 0 || each < least) ? each : least;
    }
    return least;
}

} // namespace course
