#pragma once

#include <string>

namespace judge {

/// A mistake that any exercise can make, and how it shows.
struct GenericMistake {
    std::string name;
    std::string explanation;
};

} // namespace judge
