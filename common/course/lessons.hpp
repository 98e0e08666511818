#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {

struct Exercise {
    std::string id;                     // "03.2"
    std::string title;                  // "softmax_rows"
    std::filesystem::path file;         // the learner's, absolute
    std::filesystem::path solution;     // ours, absolute
    std::vector<std::string> functions; // that the file must define
    std::string drawn_as = {};          // "heatmap" or "curve", if its smallest example is drawn
};

struct Lesson {
    std::string id;     // "03"
    std::string folder; // "03_softmax"
    std::string title;
    std::string idea;                       // half a sentence
    std::vector<std::string> short_options; // that make a long walk-through short
    std::filesystem::path page;             // README.md, absolute
    std::filesystem::path contract;         // the header that declares the exercises, absolute
    std::vector<Exercise> exercises;
    int part = 1; // of the course
};

/// A mistake in the use of a command; what() is one line that says what to do. Exit status 2.
struct BadUse : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The folders the program works on.
struct Project {
    std::filesystem::path root;      // the clone
    std::filesystem::path build;     // where it was configured
    std::filesystem::path exercises; // with NN_name/N_file.cpp, the learner's files
    std::filesystem::path state;     // verdicts and backups

    std::vector<Lesson> lessons = {};
};

/// Whether this is an edition for students, with solutions/ and tests/ packed.
bool is_student_edition(const Project& project);

/// The folder with our solutions/ and tests/: the clone, or where the build has unpacked them.
std::filesystem::path our_side(const Project& project);

/// Reads every lesson's manifest, in order. Throws BadUse if one cannot be read.
std::vector<Lesson> read_lessons(const Project& project);

/// The exercises that a word names: a lesson ("3", "03", "03_softmax"), one exercise ("03.2",
/// "3.2") or "all". Throws BadUse, with the nearest right word, if it names none.
std::vector<Exercise> find_exercises(const Project& project, const std::string& word);

/// Every exercise, in order.
std::vector<Exercise> all_exercises(const Project& project);

/// The lesson that a word names, directly or by one of its exercises.
const Lesson& find_lesson(const Project& project, const std::string& word);

const Lesson& lesson_of(const Project& project, const Exercise& exercise);

/// The heading between two lessons in a list: "" if they are in the same part, else the name of the
/// second one's part.
std::string part_heading(const Lesson& previous, const Lesson& lesson);

/// The number of letters to add, delete or replace to turn one text into the other.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The word of the list that is most like the typed one, or "" if none is.
std::string nearest(const std::string& typed, const std::vector<std::string>& words);

/// A path as the learner would type it: relative to the project's root if it is below that.
std::string short_path(const Project& project, const std::filesystem::path& path);

} // namespace course
