#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/grid.hpp"
#include "judge/looks.hpp"

namespace judge {

/// A wrong answer beside the right one.
struct Pair {
    Grid yours;
    Grid expected;
    Sizes sizes = {}; // of the arguments

    bool same_shape() const { return yours.shape == expected.shape; }
};
using Pairs = std::vector<Pair>;

/// The predicted answer if yours looked like that; nothing if the row does not apply.
using LookTest = std::function<std::optional<Grid>(const Pair&)>;

/// A row of the table.
struct LookRow {
    std::string name;
    std::string sentence;
    LookTest test;
    // The prediction is made from the right answer alone: if all answers fit, one mistake explains
    // them.
    bool exact = false;
    bool always = false; // every answer must fit
};

/// Each element by itself: a sign, a factor, a power.
std::vector<LookRow> looks_of_elements(const Pairs& wrong);

/// How exact the numbers are: right to some digits, and no further.
std::optional<LookRow> look_of_digits(const Pairs& wrong);

/// Each row or column by itself: sums that go on; or, scaled, a factor of its own. Of a vector only
/// what is true of all its elements.
std::vector<LookRow> looks_of_lines(std::size_t rank, bool scaled);

/// Something else that an answer may be: an unchanged argument, another member's answer, or the
/// right answer for other arguments. test: nothing if it does not apply.
struct ArgumentRow {
    std::string name;
    std::string sentence;
    std::function<std::optional<Grid>(const JudgedCall&)> test;
};

/// member: of the struct that is answered, 0 for any other value. The rows refer to all three.
std::vector<ArgumentRow> looks_of_arguments(const std::vector<JudgedCall>& calls,
                                            std::size_t member, const Reference& reference);

/// Rows about places and shapes, those about lines and digits among them: transposed, a row
/// missing, all right but the diagonal. Those that say more come first.
std::vector<LookRow> looks_of_places(const Pairs& wrong);

} // namespace judge
