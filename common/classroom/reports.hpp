#pragma once

#include "classroom/result.hpp"

namespace classroom {

/// Text of whole UTF-8 characters, in which spaces stand for control characters and for marks that
/// turn the direction of writing.
std::string whole_text(const std::string& text);

/// Text that Markdown shows as it is, in one line.
std::string markdown_text(const std::string& text);

/// A student's name as that of a file: what no file system minds, another one for each name.
std::string file_name(const std::string& student);

/// A cell of a CSV file, and never a formula to a spreadsheet, whatever that takes for a separator:
/// quoted where there is one.
std::string csv_cell(const std::string& text);

/// A text for HTML, whatever bytes it is of.
std::string html_text(const std::string& text);

/// A row a student: late, points in all, and the points of each exercise.
std::string gradebook(const std::vector<Result>& results, const Points& worth);

/// The same as Moodle's grading worksheet and as Canvas's gradebook want it. What could not be
/// graded, or has no exercise in it, has no points there.
std::string moodle_csv(const std::vector<Result>& results, const Points& worth);
std::string canvas_csv(const std::vector<Result>& results, const Points& worth);

/// What a student reads: how each exercise stands, and the verdict's own words on what does not
/// pass; nothing of our solutions.
std::string feedback_markdown(const course::Project& project, const Result& result,
                              const Points& worth);
std::string feedback_html(const course::Project& project, const Result& result,
                          const Points& worth);

/// One hand-in's results.json as Gradescope documents it: a test an exercise, with its points and
/// the verdict's words.
std::string gradescope_json(const course::Project& project, const Result& result,
                            const Points& worth);

/// A page on the whole class: exercises by students, which mistakes were made and by how many, and
/// what is worth a look.
std::string class_page(const course::Project& project, const std::vector<Result>& results,
                       const Points& worth);

} // namespace classroom
