#pragma once

#include "classroom/result.hpp"

namespace classroom {

/// Text in which each line is show::printable.
std::string whole_text(const std::string& text);

/// Text that Markdown shows unchanged, on one line.
std::string markdown_text(const std::string& text);

/// A file name for a student's name: valid everywhere, and unique.
std::string file_name(const std::string& student);

/// A cell of a CSV file, which no spreadsheet takes for a formula; quoted if it has a separator of
/// any kind.
std::string csv_cell(const std::string& text);

/// A text for HTML, whatever its bytes.
std::string html_text(const std::string& text);

/// A row per student: late, total points, and the points of each exercise.
std::string gradebook(const std::vector<Result>& results, const Points& worth);

/// The same in the formats of Moodle's grading worksheet and Canvas's gradebook. A hand-in that
/// could not be graded, or has no exercise in it, has no points there.
std::string moodle_csv(const std::vector<Result>& results, const Points& worth);
std::string canvas_csv(const std::vector<Result>& results, const Points& worth);

/// What a student reads, as HTML or as Markdown: the state of each exercise, and the whole verdict
/// if it does not pass; nothing of our solutions.
std::string feedback(const course::Project& project, const Result& result, const Points& worth,
                     bool as_html);

/// One hand-in's results.json as Gradescope documents it: a test per exercise, with its points and
/// the verdict's words.
std::string gradescope_json(const course::Project& project, const Result& result,
                            const Points& worth);

/// A page about the whole class: exercises by students, how many made which mistakes, and hints
/// worth a look.
std::string class_page(const course::Project& project, const std::vector<Result>& results,
                       const Points& worth);

} // namespace classroom
