#include <algorithm>

#include <fcntl.h>
#include <unistd.h>

#include "hostile.hpp"

namespace lesson {

namespace {

void write_all(int descriptor, const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t put = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (put <= 0) {
            return;
        }
        done += static_cast<std::size_t>(put);
    }
}

} // namespace

double prints(std::uint64_t megabytes, bool for_ever) {
    const std::string megabyte(1 << 20, '.');
    for (std::uint64_t i = 0; for_ever || i < megabytes; ++i) {
        write_all(STDOUT_FILENO, megabyte);
    }
    return 0;
}

double forges(const std::string& bytes, int first_descriptor, int last_descriptor) {
    for (int descriptor = first_descriptor; descriptor <= last_descriptor; ++descriptor) {
        write_all(descriptor, bytes);
    }
    return 0;
}

double closes(int first_descriptor, int last_descriptor, bool and_loops) {
    for (int descriptor = first_descriptor; descriptor <= last_descriptor; ++descriptor) {
        close(descriptor);
    }
    while (and_loops) {
        usleep(1000);
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
