#pragma once

#include <stdexcept>

#include <doctest/doctest.h>

/// Checks that a call is refused as an invalid argument, with this text.
#define CHECK_REFUSED(call, text) CHECK_THROWS_WITH_AS(call, text, std::invalid_argument)
