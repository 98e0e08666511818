// Reads folders and archives. Archives are unpacked in memory only, within limits.

#include <algorithm>
#include <clocale>
#include <memory>
#include <regex>

#include <fmt/format.h>
#include <sys/stat.h>

#include "classroom/hand_in.hpp"
#include "course/files.hpp"
#include "process/interruption.hpp"

#if COURSE_HAS_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif
#if COURSE_HAS_UTF8PROC
#include <utf8proc.h>
#endif

namespace classroom {

namespace fs = std::filesystem;
using process::Interruption;

namespace {

constexpr std::size_t most_entries = 200'000;
constexpr std::size_t most_inside = std::size_t{64} << 20; // bytes of an archive in an archive

/// What has been read of one top entry.
struct Reading {
    const Wanted& wanted;
    std::vector<Entry> entries = {};
    std::size_t unpacked = 0; // bytes, wanted or not

    bool is_over() const {
        return Interruption::noted() || unpacked > most_unpacked || entries.size() > most_entries;
    }
};

/// Whether a path leads to hidden files of systems and programs.
bool is_hidden(const fs::path& path) {
    return std::ranges::any_of(path, [](const fs::path& part) {
        const std::string name = part;
        return (name.starts_with(".") && name != "." && name != "..") || name == "__MACOSX" ||
               name == "Thumbs.db" || name == "desktop.ini";
    });
}

const std::regex archive_suffix(R"(\.(zip|tar|tgz|txz|tbz2|tar\.(gz|bz2|xz))$)", std::regex::icase);

#if COURSE_HAS_ARCHIVE

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

/// Of the packings and formats that students use. Any other might start a program.
Reader new_reader() {
    Reader reader(archive_read_new(), archive_read_free);
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_filter_bzip2(reader.get());
    archive_read_support_filter_xz(reader.get());
    archive_read_support_filter_zstd(reader.get());
    archive_read_support_format_tar(reader.get());
    archive_read_support_format_zip(reader.get());
    return reader;
}

/// Goes to an entry's end, and keeps so many bytes of it. ok: whether it is undamaged.
std::string read_data(archive* reader, std::size_t keep, Reading& reading, bool& ok) {
    std::string text;
    std::string chunk(std::size_t{1} << 16, '\0');
    la_ssize_t got = 0;
    while (!reading.is_over() &&
           (got = archive_read_data(reader, chunk.data(), chunk.size())) > 0) {
        reading.unpacked += static_cast<std::size_t>(got);
        text.append(chunk, 0, std::min(static_cast<std::size_t>(got), keep - text.size()));
    }
    ok = got == 0;
    return text;
}

void read_archive(archive* reader, const std::string& path, bool is_inside, Reading& reading);

void read_item(archive* reader, archive_entry* item, const std::string& archive, bool is_inside,
               Reading& reading) {
    const char* const plain = archive_entry_pathname(item);
    const char* const name = plain != nullptr ? plain : archive_entry_pathname_utf8(item);
    std::string below = name != nullptr ? name : "a file of a name that cannot be read";
    if (below.find('/') == std::string::npos) { // Windows
        std::ranges::replace(below, '\\', '/');
    }
    if (is_hidden(below)) {
        return;
    }
    const auto kind = archive_entry_filetype(item);
    Entry entry{archive + "/" + below, "", "", archive_entry_mtime(item), kind == AE_IFDIR};
    const bool packed = is_archive(below);
    const bool wanted = packed || reading.wanted(fs::path(below).filename());
    if (kind == AE_IFLNK) {
        entry.refused = "a symbolic link";
    } else if (kind == AE_IFREG) {
        const std::size_t most = packed ? most_inside : most_bytes;
        bool ok = true;
        entry.text = read_data(reader, wanted ? most + 1 : 0, reading, ok);
        entry.refused = !wanted                                 ? ""
                        : archive_entry_is_encrypted(item) != 0 ? "encrypted"
                        : entry.text.size() > most              ? "too large"
                        : !ok                                   ? "damaged"
                        : packed && is_inside ? "an archive within an archive within another"
                                              : "";
        if (packed && entry.refused.empty()) {
            const Reader inner = new_reader();
            const bool opens = archive_read_open_memory(inner.get(), entry.text.data(),
                                                        entry.text.size()) == ARCHIVE_OK;
            read_archive(opens ? inner.get() : nullptr, entry.path, true, reading);
            return;
        }
    }
    reading.entries.push_back(std::move(entry));
}

/// Reads an archive that is open; nullptr: that could not be opened.
void read_archive(archive* reader, const std::string& path, bool is_inside, Reading& reading) {
    int status = reader == nullptr ? ARCHIVE_FATAL : ARCHIVE_OK;
    reading.entries.push_back({path, "", "", 0, true});
    while (status != ARCHIVE_FATAL && !reading.is_over()) {
        archive_entry* item = nullptr;
        status = archive_read_next_header(reader, &item);
        if (status == ARCHIVE_EOF) {
            return;
        }
        if (status != ARCHIVE_FATAL) {
            read_item(reader, item, path, is_inside, reading);
        }
    }
    if (status == ARCHIVE_FATAL) {
        reading.entries.push_back({path, "not a zip or tar, or a damaged one"});
    }
}

void read_archive(const fs::path& file, const std::string& path, Reading& reading) {
    // libarchive converts names to the locale's characters, and drops those that do not fit.
    std::setlocale(LC_CTYPE, "C.UTF-8");
    const Reader reader = new_reader();
    const bool opens =
        archive_read_open_filename(reader.get(), file.c_str(), std::size_t{1} << 16) == ARCHIVE_OK;
    read_archive(opens ? reader.get() : nullptr, path, false, reading);
}

#else

void read_archive(const fs::path&, const std::string& path, Reading& reading) {
    reading.entries.push_back(
        {path, "an archive, for which libarchive is missing (Debian: libarchive-dev)"});
}

#endif

void read_path(const fs::directory_entry& item, const std::string& path, Reading& reading) {
    std::error_code error;
    if (item.is_symlink(error)) {
        reading.entries.push_back({path, "a symbolic link"});
    } else if (item.is_directory(error)) {
        reading.entries.push_back({path, "", "", 0, true});
    } else if (!item.is_regular_file(error)) {
        reading.entries.push_back({path, "neither a file nor a folder"});
    } else if (is_archive(path)) {
        read_archive(item.path(), path, reading);
    } else {
        struct stat file {};
        stat(item.path().c_str(), &file);
        Entry entry{path, "", "", file.st_mtime};
        if (reading.wanted(item.path().filename())) {
            const auto text = course::read_file(item.path(), most_bytes);
            entry.text = text.value_or("");
            entry.refused = text                                 ? ""
                            : item.file_size(error) > most_bytes ? "too large"
                                                                 : "not to be read";
        }
        reading.entries.push_back(std::move(entry));
    }
}

} // namespace

const bool can_compose = COURSE_HAS_UTF8PROC;

std::string composed(const std::string& text) {
#if COURSE_HAS_UTF8PROC
    const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.c_str());
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> form(utf8proc_NFC(bytes),
                                                                       &std::free);
    return form ? reinterpret_cast<const char*>(form.get()) : text; // none of what is no UTF-8
#else
    return text;
#endif
}

bool is_archive(const std::string& name) {
    return std::regex_search(name, archive_suffix);
}

std::string without_suffix(const std::string& name) {
    return std::regex_replace(name, archive_suffix, "");
}

std::vector<Entry> read_entries(const fs::path& top, const Wanted& wanted) {
    Reading reading{wanted};
    std::error_code error;
    const std::string name = top.filename();
    if (is_hidden(top.filename()) || Interruption::noted()) {
        return {};
    }
    const fs::directory_entry first(top, error);
    read_path(first, name, reading);
    if (first.is_directory(error) && !first.is_symlink(error)) {
        const auto skip = fs::directory_options::skip_permission_denied;
        for (fs::recursive_directory_iterator item(top, skip, error);
             !error && item != fs::recursive_directory_iterator() && !reading.is_over();
             item.increment(error)) {
            if (is_hidden(item->path().filename())) {
                item.disable_recursion_pending();
            } else {
                read_path(*item, name / item->path().lexically_relative(top), reading);
            }
        }
    }
    if (reading.is_over() && !Interruption::noted()) {
        reading.entries.push_back(
            {name, fmt::format("larger than the limit, {} MiB unpacked or {} files",
                               most_unpacked >> 20, most_entries)});
    }
    // If an archive has a path twice, the last counts, as when it is unpacked.
    std::ranges::stable_sort(reading.entries,
                             [](const Entry& a, const Entry& b) { return a.path < b.path; });
    return std::move(reading.entries);
}

} // namespace classroom
