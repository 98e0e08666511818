#pragma once

#include <string>
#include <utility>

namespace process {

/// An open file descriptor, closed with its owner; −1 for none.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    void close();
    /// From now on reading and writing never wait.
    void do_not_wait() const;

private:
    int number_ = -1;
};

/// A pipe whose ends are closed by exec. Throws std::system_error if it cannot be made.
struct Pipe {
    Pipe();

    Descriptor read_end;
    Descriptor write_end;
};

/// Appends what can be read now from a descriptor that does not wait; false at the end.
bool take(const Descriptor& from, std::string& text);

} // namespace process
