#include "judge/static_memory.hpp"

#ifdef __linux__
#include <cstring>
#include <fstream>

#include <elf.h>
#include <link.h>
#endif

namespace judge {

std::size_t static_memory_of([[maybe_unused]] const std::filesystem::path& program) {
    std::size_t bytes = 0;
#ifdef __linux__
    std::ifstream file(program, std::ios::binary);
    const auto read = [&](std::size_t offset, auto& header) {
        file.seekg(static_cast<std::streamoff>(offset));
        return static_cast<bool>(file.read(reinterpret_cast<char*>(&header), sizeof header));
    };
    ElfW(Ehdr) all{};
    if (!read(0, all) || std::memcmp(all.e_ident, ELFMAG, SELFMAG) != 0) {
        return 0;
    }
    ElfW(Phdr) part{};
    for (std::size_t i = 0; i < all.e_phnum && read(all.e_phoff + i * sizeof part, part); ++i) {
        bytes += part.p_type == PT_LOAD || part.p_type == PT_TLS ? part.p_memsz : 0;
    }
#endif
    return bytes;
}

} // namespace judge
