#include <doctest/doctest.h>
#include "exports.hpp"
#include "judge/expect.hpp"
TEST_CASE("07.1 additive_scores: x") {}
