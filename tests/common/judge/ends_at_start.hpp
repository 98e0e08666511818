#pragma once

// The exports of a submission whose static initialiser ends it before main has begun.

#include "judge/export.hpp"

namespace exported {

struct AtStart {
    AtStart() { std::exit(3); }
};
const AtStart at_start;

} // namespace exported
