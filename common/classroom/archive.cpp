#include "classroom/hand_in.hpp"

#if COURSE_HAS_ARCHIVE

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>

namespace classroom {

namespace {

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

/// While one lives, characters are UTF-8 on this thread: libarchive has names in the locale's, and
/// has none for those that it cannot hold.
class InUtf8 {
public:
    InUtf8() : before_(utf8_ == nullptr ? nullptr : uselocale(utf8_)) {}
    ~InUtf8() {
        if (utf8_ != nullptr) {
            uselocale(before_);
            freelocale(utf8_);
        }
    }
    InUtf8(const InUtf8&) = delete;
    InUtf8& operator=(const InUtf8&) = delete;

private:
    locale_t utf8_ = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    locale_t before_;
};

/// A file as libarchive asks for it, and all that came out of it, wanted or not.
struct Source {
    std::ifstream file;
    const Budget& budget;
    std::size_t unpacked = 0;
    std::array<char, std::size_t{1} << 16> chunk = {};

    bool is_over() const { return unpacked > most_unpacked || budget.is_over(); }
};

/// What ends, as damaged, where no more is to be read: within one call libarchive goes as far as an
/// archive has it go.
la_ssize_t read_chunk(archive*, void* data, const void** chunk) {
    Source& source = *static_cast<Source*>(data);
    if (source.is_over()) {
        return -1;
    }
    source.file.read(source.chunk.data(), static_cast<std::streamsize>(source.chunk.size()));
    *chunk = source.chunk.data();
    return source.file.bad() ? -1 : static_cast<la_ssize_t>(source.file.gcount());
}

la_int64_t seek(archive*, void* data, la_int64_t offset, int whence) {
    std::ifstream& file = static_cast<Source*>(data)->file;
    file.clear(); // of its end
    file.seekg(offset, whence == SEEK_SET   ? std::ios::beg
                       : whence == SEEK_CUR ? std::ios::cur
                                            : std::ios::end);
    return file ? static_cast<la_int64_t>(file.tellg()) : la_int64_t{ARCHIVE_FATAL};
}

/// How a tar is packed, by its first bytes. Left to itself, libarchive would unpack what is packed
/// twice, and start programs for what it does not know.
int packing_of(std::ifstream& file) {
    std::string begin(6, '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    file.clear();
    file.seekg(0);
    return begin.starts_with("\x1f\x8b")              ? ARCHIVE_FILTER_GZIP
           : begin.starts_with("BZh")                 ? ARCHIVE_FILTER_BZIP2
           : begin == std::string("\xfd\x37zXZ\0", 6) ? ARCHIVE_FILTER_XZ
           : begin.starts_with("\x28\xb5\x2f\xfd")    ? ARCHIVE_FILTER_ZSTD
                                                      : ARCHIVE_FILTER_NONE;
}

bool open_archive(archive* reader, Source& source) {
    archive_read_support_format_tar(reader);
    const int packing = packing_of(source.file);
    if (packing == ARCHIVE_FILTER_NONE) {
        archive_read_support_format_zip(reader);
    } else if (archive_read_append_filter(reader, packing) < ARCHIVE_WARN) {
        return false;
    }
    archive_read_set_read_callback(reader, read_chunk);
    archive_read_set_seek_callback(reader, seek);
    archive_read_set_callback_data(reader, &source);
    return source.file.is_open() && archive_read_open1(reader) == ARCHIVE_OK;
}

constexpr const char* damaged = "no zip or tar, or a damaged one";

std::string refusal(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_hardlink_utf8(entry) != nullptr) {
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
    if (archive_entry_is_encrypted(entry) != 0) {
        return "encrypted";
    }
    if (archive_entry_size_is_set(entry) != 0 &&
        archive_entry_size(entry) > static_cast<la_int64_t>(most_bytes)) {
        return fmt::format("{} MiB large", archive_entry_size(entry) >> 20);
    }
    return "";
}

/// The name of a file, in UTF-8 or in whatever bytes an old zip has; null if it has none.
const char* name_of(archive_entry* entry) {
    const char* const name = archive_entry_pathname(entry);
    return name != nullptr ? name : archive_entry_pathname_utf8(entry);
}

/// Reads the entry's text; refuses it if it is damaged or larger than an exercise may be.
void read_text(archive* reader, Source& source, Entry& entry) {
    std::string chunk(std::size_t{64} << 10, '\0');
    la_ssize_t got = 0;
    while (!source.is_over() && entry.text.size() <= most_bytes &&
           (got = archive_read_data(reader, chunk.data(), chunk.size())) > 0) {
        source.unpacked += static_cast<std::size_t>(got);
        entry.text.append(chunk, 0, static_cast<std::size_t>(got));
    }
    if (entry.text.size() > most_bytes) {
        entry.refused = fmt::format("larger than {} MiB", most_bytes >> 20);
    } else if (got != 0) {
        entry.refused = "damaged";
    }
    if (!entry.refused.empty()) {
        entry.text.clear();
    }
}

/// Goes on to an entry's end. libarchive would do so by itself, however far that is.
void pass_over(archive* reader, Source& source) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    while (!source.is_over() &&
           archive_read_data_block(reader, &block, &size, &offset) == ARCHIVE_OK) {
        source.unpacked += size;
    }
}

/// An entry with its text, if it is wanted; one that is refused is, to be told.
std::optional<Entry> wanted_of(archive* reader, archive_entry* item, const std::string& archive,
                               const Wanted& wanted, Source& source) {
    if (archive_entry_filetype(item) == AE_IFDIR) {
        return std::nullopt;
    }
    const char* const name = name_of(item);
    if (name == nullptr) {
        return Entry{"a file in " + archive, "of a name that cannot be read", "", 0};
    }
    Entry entry{name, "", "", archive_entry_mtime(item)};
    if (is_too_deep(entry.path)) {
        return too_deep(entry.path);
    }
    const Want want = wanted(entry.path);
    const bool is_file = archive_entry_filetype(item) == AE_IFREG;
    if (is_archive(entry.path)) {
        entry.refused = "an archive within an archive";
    } else if (is_file && want == Want::nothing) {
        return std::nullopt;
    } else if (is_file && want == Want::name) {
        return unread(entry.path);
    } else {
        entry.refused = refusal(item);
    }
    if (entry.refused.empty()) {
        read_text(reader, source, entry);
    }
    return entry;
}

/// What was read of an archive: of a path that comes twice, as appending leaves it, the last entry.
/// Unpacking would do the same.
class Read {
public:
    void add(Entry entry) {
        const auto path = std::filesystem::path(entry.path).lexically_normal();
        const auto [place, is_new] = places_.emplace(path, entries_.size());
        bytes_ += entry.text.size();
        if (is_new) {
            entries_.push_back(std::move(entry));
        } else {
            Entry& before = entries_[place->second];
            bytes_ -= before.text.size();
            before = std::move(entry);
        }
    }
    std::size_t bytes() const { return bytes_; }
    std::vector<Entry> take() { return std::move(entries_); }

private:
    std::vector<Entry> entries_;
    std::map<std::filesystem::path, std::size_t> places_;
    std::size_t bytes_ = 0; // of the entries' texts
};

} // namespace

std::vector<Entry> read_archive(const std::filesystem::path& path, const Wanted& wanted,
                                const Budget& budget) {
    const InUtf8 in_utf8;
    Source source{std::ifstream(path, std::ios::binary), budget};
    const Reader reader(archive_read_new(), archive_read_free);
    Read read;
    const std::string name = path.filename().string();
    std::string trouble = open_archive(reader.get(), source) ? "" : damaged;
    for (std::size_t count = 0; trouble.empty() && !source.is_over(); ++count) {
        archive_entry* item = nullptr;
        const int status = archive_read_next_header(reader.get(), &item);
        if (status == ARCHIVE_EOF) {
            break;
        }
        if (status == ARCHIVE_FATAL || count == most_files) {
            trouble = status == ARCHIVE_FATAL ? damaged : fmt::format("more than {} files", count);
            break;
        }
        const auto size = static_cast<std::size_t>(
            std::clamp(archive_entry_size(item), la_int64_t{0}, la_int64_t{1} << 40));
        const la_int64_t come = std::max(archive_filter_bytes(reader.get(), 0), la_int64_t{0});
        if (std::max(source.unpacked + size, static_cast<std::size_t>(come)) > most_unpacked) {
            source.unpacked = most_unpacked + 1; // as it would be
            break;
        }
        auto entry = wanted_of(reader.get(), item, name, wanted, source);
        if (source.is_over() && entry && !entry->refused.empty()) {
            break; // it is cut, and that is told otherwise
        }
        if (entry) {
            if (read.bytes() + entry->text.size() > most_read) {
                trouble = fmt::format("more than {} MiB of source files", most_read >> 20);
                break;
            }
            read.add(std::move(*entry));
        }
        pass_over(reader.get(), source);
    }
    if (source.unpacked > most_unpacked) {
        trouble = fmt::format("more than {} MiB unpacked", most_unpacked >> 20);
    }
    if (!trouble.empty() && !budget.is_over()) { // which is told of the whole hand-in
        read.add({name, trouble, "", 0});
    }
    return read.take();
}

} // namespace classroom

#else

namespace classroom {

std::vector<Entry> read_archive(const std::filesystem::path& path, const Wanted&, const Budget&) {
    return {{path.filename().string(),
             "an archive, for which libarchive is missing (Debian: libarchive-dev)", "", 0}};
}

} // namespace classroom

#endif
