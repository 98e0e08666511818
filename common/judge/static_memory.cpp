#include "judge/static_memory.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

namespace judge {

#ifdef __linux__

namespace {

template <class Header>
bool read_header(std::ifstream& file, std::size_t offset, Header& header) {
    file.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(file.read(reinterpret_cast<char*>(&header), sizeof header));
}

} // namespace

StaticMemory static_memory_of(const std::filesystem::path& program) {
    std::ifstream file(program, std::ios::binary);
    ElfW(Ehdr) all{};
    StaticMemory memory;
    if (!read_header(file, 0, all) || std::memcmp(all.e_ident, ELFMAG, SELFMAG) != 0) {
        return memory;
    }
    for (std::size_t i = 0; i < all.e_phnum; ++i) {
        ElfW(Phdr) part{};
        if (!read_header(file, all.e_phoff + i * sizeof part, part)) {
            break;
        }
        memory.arrays += part.p_type == PT_LOAD ? part.p_memsz : 0;
        memory.of_threads += part.p_type == PT_TLS ? part.p_memsz : 0;
    }
    return memory;
}

#else

StaticMemory static_memory_of(const std::filesystem::path& /*program*/) {
    return {};
}

#endif

std::optional<UsedTooMuchMemory> too_large_to_start(const std::filesystem::path& program,
                                                    std::size_t limit) {
    constexpr std::size_t least_left = 4; // a part of the limit
    const StaticMemory memory = static_memory_of(program);
    if (limit == 0 || memory.arrays + memory.of_threads < limit - limit / least_left) {
        return std::nullopt;
    }
    return UsedTooMuchMemory{limit, std::max(memory.arrays, memory.of_threads),
                             memory.of_threads > memory.arrays};
}

} // namespace judge
