#include "process/pipe.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace process {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

void Descriptor::close() {
    if (number_ >= 0) {
        ::close(number_);
    }
    number_ = -1;
}

void Descriptor::do_not_wait() const {
    fcntl(number_, F_SETFL, fcntl(number_, F_GETFL) | O_NONBLOCK);
}

Pipe::Pipe() {
    std::array<int, 2> ends{};
#ifdef __linux__ // closed by exec from the first: another thread may start a program meanwhile
    const int made = pipe2(ends.data(), O_CLOEXEC);
#else
    const int made = pipe(ends.data());
#endif
    if (made != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    }
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
#ifndef __linux__
    for (const int end : ends) {
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
#endif
}

bool take(const Descriptor& from, std::string& text) {
    std::array<char, 65536> chunk{};
    for (;;) {
        const ssize_t got = read(from.number(), chunk.data(), chunk.size());
        if (got <= 0) {
            return got < 0 && (errno == EAGAIN || errno == EINTR);
        }
        text.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

} // namespace process
