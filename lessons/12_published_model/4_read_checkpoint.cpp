#include "published_model.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace lesson {

Checkpoint read_checkpoint(const std::string& bytes) {
    // TODO 12.4: seven sizes, which must agree with the number of bytes, then the arrays
    todo("12.4", bytes);
}

} // namespace lesson
