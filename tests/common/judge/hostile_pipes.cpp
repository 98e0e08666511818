#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "hostile.hpp"

namespace lesson {

double prints(std::uint64_t megabytes) {
    const std::string megabyte(1 << 20, '.');
    for (std::uint64_t i = 0; i < megabytes; ++i) {
        std::fwrite(megabyte.data(), 1, megabyte.size(), stdout);
    }
    return 0;
}

double closes(int first_descriptor, int last_descriptor) {
    for (int descriptor = first_descriptor; descriptor <= last_descriptor; ++descriptor) {
        close(descriptor);
    }
    return 0;
}

std::vector<int> open_descriptors() {
    std::vector<int> found;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1) {
            found.push_back(descriptor);
        }
    }
    return found;
}

} // namespace lesson
