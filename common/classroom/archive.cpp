#include "classroom/hand_in.hpp"

#if COURSE_HAS_ARCHIVE

#include <algorithm>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

namespace classroom {

namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

constexpr la_int64_t most_in_all = la_int64_t{256} << 20; // unpacked; a bomb is larger

std::string refusal(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr) {
        return "a hard link";
    }
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
        break;
    case AE_IFLNK:
        return "a symbolic link";
    case AE_IFIFO:
        return "a pipe";
    default:
        return "a device";
    }
    if (archive_entry_size_is_set(entry) != 0 &&
        archive_entry_size(entry) > static_cast<la_int64_t>(most_bytes)) {
        return fmt::format("{} MiB large", archive_entry_size(entry) >> 20);
    }
    return "";
}

/// Reads the entry's text; refuses it if it is damaged or larger than an exercise may be.
void read_text(archive* reader, Entry& entry) {
    std::string chunk(std::size_t{64} << 10, '\0');
    for (;;) {
        const la_ssize_t got = archive_read_data(reader, chunk.data(), chunk.size());
        if (got <= 0) {
            entry.refused = got < 0 ? "damaged" : "";
            return;
        }
        entry.text.append(chunk, 0, static_cast<std::size_t>(got));
        if (entry.text.size() > most_bytes) {
            entry.text.clear();
            entry.refused = fmt::format("larger than {} MiB", most_bytes >> 20);
            return;
        }
    }
}

} // namespace

std::vector<Entry> read_archive(const std::filesystem::path& path, const Wanted& wanted) {
    const Reader reader(archive_read_new(), archive_read_free);
    archive_read_support_filter_all(reader.get());
    archive_read_support_format_zip(reader.get());
    archive_read_support_format_tar(reader.get());
    std::vector<Entry> entries;
    const std::string name = path.filename().string();
    if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK) {
        return {{name, "no zip or tar, or a damaged one", "", 0}};
    }
    archive_entry* item = nullptr;
    int status = ARCHIVE_OK;
    la_int64_t unpacked = 0;
    std::size_t read = 0;
    for (std::size_t count = 0; count < most_files; ++count) {
        status = archive_read_next_header(reader.get(), &item);
        if (status == ARCHIVE_EOF || status == ARCHIVE_FATAL) {
            break;
        }
        // Going on to the next would unpack this one, wanted or not.
        const la_int64_t size =
            std::clamp(archive_entry_size(item), la_int64_t{0}, most_in_all + 1);
        unpacked = std::max(unpacked + size, archive_filter_bytes(reader.get(), 0));
        if (unpacked > most_in_all) {
            entries.push_back(
                {name, fmt::format("more than {} MiB unpacked", most_in_all >> 20), "", 0});
            return entries;
        }
        const char* const inside = archive_entry_pathname(item);
        Entry entry{inside == nullptr ? "" : inside, "", "", archive_entry_mtime(item)};
        if (archive_entry_filetype(item) == AE_IFDIR) {
            continue;
        }
        const bool plain = archive_entry_filetype(item) == AE_IFREG;
        if (is_archive(entry.path)) {
            entry.refused = "an archive within an archive";
        } else if (plain && !wanted(entry.path)) {
            continue;
        } else {
            entry.refused = refusal(item);
        }
        if (entry.refused.empty()) {
            read_text(reader.get(), entry);
            read += entry.text.size();
        }
        if (read > most_read) {
            entries.push_back(
                {name, fmt::format("more than {} MiB of source files", most_read >> 20), "", 0});
            return entries;
        }
        entries.push_back(std::move(entry));
    }
    if (status == ARCHIVE_FATAL) {
        entries.push_back({name, "no zip or tar, or a damaged one", "", 0});
    }
    return entries;
}

} // namespace classroom

#else

namespace classroom {

std::vector<Entry> read_archive(const std::filesystem::path& path, const Wanted&) {
    return {{path.filename().string(),
             "an archive, for which libarchive is missing (Debian: libarchive-dev)", "", 0}};
}

} // namespace classroom

#endif
