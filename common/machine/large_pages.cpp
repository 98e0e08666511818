#include "machine/large_pages.hpp"

#include <cstdint>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace attention {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t begin = (first + page - 1) / page * page;
    const std::uintptr_t end = (first + bytes) / page * page;
    if (begin < end) {
        // It is a wish: if it is not granted, all is as before.
        void* const start = static_cast<char*>(memory) + (begin - first);
        (void)madvise(start, end - begin, MADV_HUGEPAGE);
    }
#endif
}

} // namespace attention
