#include "program.hpp"

#include <stdexcept>

#include "course/files.hpp"
#include "course/grading/stub.hpp"
#include "course/lessons.hpp"
#include "process/run.hpp"
#include "support/temporary_folder.hpp"

namespace fs = std::filesystem;

namespace {

const course::Project& project() {
    static const course::Project found = [] {
        course::Project here{COURSE_ROOT, COURSE_BUILD, COURSE_EXERCISES, COURSE_STATE};
        here.lessons = course::read_lessons(here);
        return here;
    }();
    return found;
}

const course::Exercise& exercise_of_lesson_01(int exercise) {
    return project().lessons.at(0).exercises.at(static_cast<std::size_t>(exercise - 1));
}

std::string text_of(const fs::path& path) {
    const auto text = course::read_file(path);
    REQUIRE_MESSAGE(text, path);
    return *text;
}

/// A grade says that it waits if another test grades in this build folder. Removes that line from
/// the text; returns whether it was there.
bool take_out_waiting(std::string& errors) {
    const std::size_t from = errors.find("(waiting for another ./course)");
    if (from == std::string::npos) {
        return false;
    }
    errors.erase(from, errors.find('\n', from) + 1 - from);
    return true;
}

} // namespace

bool has_own_files() {
    const std::string build = COURSE_BUILD "/";
    return std::string(COURSE_EXERCISES).starts_with(build) &&
           std::string(COURSE_STATE).starts_with(build);
}

Ended course_program_into(const std::string& device, const std::vector<std::string>& words) {
    const support::TemporaryFolder folder;
    const std::string errors = folder / "errors";
    const std::string output = device.empty() ? folder / "output" : fs::path(device);
    std::vector<std::string> command{
        "sh",
        "-c",
        "out=$1; err=$2; shift 2; unset CI; exec \"$@\" >\"$out\" 2>\"$err\" </dev/null",
        "sh",
        output,
        errors,
        COURSE_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    const process::Finished finished =
        process::run(command, {.environment = {{"TERM", "xterm-256color"},
                                               {"LANGUAGE", "de"}, // what somebody may have set
                                               {"CLICOLOR_FORCE", "1"},
                                               {"NINJA_STATUS", "ours"}},
                               .time = std::chrono::seconds(120)});
    std::string said = text_of(errors);
    const bool waited = take_out_waiting(said);
    return {finished.status, device.empty() ? text_of(output) : "", said, waited};
}

Ended course_program(const std::vector<std::string>& words) {
    return course_program_into("", words);
}

void start_afresh() {
    if (!has_own_files()) {
        throw std::logic_error("a learner's files are not ours to write");
    }
    fs::remove_all(COURSE_EXERCISES);
    fs::remove_all(COURSE_STATE);
    for (const course::Lesson& lesson : project().lessons) {
        for (const course::Exercise& exercise : lesson.exercises) {
            course::write_file(exercise.file, course::cut_stub(text_of(exercise.solution)));
        }
    }
}

fs::path state() {
    return COURSE_STATE;
}

fs::path file_of(int exercise) {
    return exercise_of_lesson_01(exercise).file;
}

std::string solution_of(int exercise) {
    return text_of(exercise_of_lesson_01(exercise).solution);
}

std::string stub_of(int exercise) {
    return course::cut_stub(solution_of(exercise));
}

void write_exercise(int exercise, const std::string& text) {
    course::write_file(file_of(exercise), text);
}

std::string project_with(const std::string& body) {
    return "#include \"linear_projections.hpp\"\n\n#include <cstdlib>\n\nnamespace lesson {\n\n"
           "Matrix project([[maybe_unused]] const Matrix& X, [[maybe_unused]] const Matrix& W) "
           "{\n" +
           body + "\n}\n\n} // namespace lesson\n";
}

std::string compute_qkv_with(const std::string& body) {
    return "#include \"linear_projections.hpp\"\n\nnamespace lesson {\n\n"
           "QKV compute_qkv(const Matrix& X, const Matrix& W_q, const Matrix& W_k,\n"
           "                const Matrix& W_v) {\n" +
           body + "\n}\n\n} // namespace lesson\n";
}

void check_refused(const Ended& ended, const std::string& text) {
    CHECK(ended.status == 2);
    CHECK(ended.out == "");
    CHECK(ended.err == "course: " + text + "\n");
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}
