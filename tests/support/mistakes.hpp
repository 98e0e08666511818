#pragma once

// Reads a file of mistakes, such as 2_softmax_rows.mistakes:
//
//   # A comment.
//   maximum_of_the_matrix
//     - xt::exp(scores - maxima)
//     + xt::exp(scores - xt::amax(scores)())
//     One maximum, that of the whole matrix, is subtracted from every row. A row far below it
//     becomes 0 / 0: subtract each row's own maximum.
//
// Lines with "-" are text of the solution that is there once, lines with "~" text that may be there
// several times, lines with "+" what people write instead. A name with values, "epsilon: 1e-9
// 1e-12", is a mistake for each of them, which replaces the @ in a "+" or "=" line. Where the whole
// answer is another, lines with "=" replace all that is between "// solution" and "// end". What a
// learner reads follows. An entry without it is a decoy: it is never named, and keeps another from
// being named where it explains as much.
//
//   use softmax_rows
//     - attention::softmax_rows(
//     + PART(
//
// takes in the mistakes of a part, parts/softmax_rows.mistakes, written once for all exercises that
// have this part. Its line "= Matrix PART(const Matrix& scores)" is the head of each mistake's
// function.

#include <filesystem>
#include <string>
#include <vector>

#include "support/versions.hpp"

namespace mistakes {

/// The versions of `solution` that a file describes. Throws std::invalid_argument, with the file's
/// name and line, where an entry cannot be read, or its text is not in the solution, or there
/// twice.
std::vector<versions::Version> read(const std::filesystem::path& file, const std::string& solution,
                                    const std::filesystem::path& parts);

} // namespace mistakes
