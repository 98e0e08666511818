#pragma once

#include <cstring>
#include <string>

namespace llama {

/// The number whose bytes begin there, as the file has them: little-endian, as our machines.
template <class T>
T number_at(const std::string& bytes, std::size_t at) {
    T number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

template <class T>
void append(std::string& bytes, T number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

} // namespace llama
