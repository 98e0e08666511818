#include "classroom/workshop.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "course/files.hpp"
#include "course/grading/grade.hpp"
#include "course/grading/run_grader.hpp"
#include "course/grading/stub.hpp"
#include "course/grading/verdict_cache.hpp"
#include "judge/mistakes_program.hpp"
#include "process/interruption.hpp"
#include "process/run.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Lesson;
using course::MachineFault;
using course::Project;
using course::Recipe;
using judge::State;
using judge::Verdict;
using process::Interruption;

namespace {

constexpr std::chrono::seconds patience{150}; // what is compiled has a limit of its own

std::vector<std::string> programs_of(const Project& project) {
    std::vector<std::string> programs;
    for (const Lesson& lesson : project.lessons) {
        programs.insert(programs.end(),
                        {"grader_" + lesson.folder, "submission_" + lesson.folder + "_solutions",
                         "submission_" + lesson.folder + "_stubs"});
        for (const Exercise& exercise : lesson.exercises) {
            programs.push_back("mistakes_" + exercise.id);
        }
    }
    return programs;
}

/// The name of the first known mistake in an exercise.
std::string first_mistake(const fs::path& program, const Exercise& exercise) {
    for (const judge::Mistake& mistake : judge::MistakesProgram(program, nullptr).mistakes()) {
        if (std::ranges::count(exercise.functions, mistake.function) > 0 && !mistake.is_decoy()) {
            return mistake.name;
        }
    }
    return "";
}

} // namespace

Workshop::Workshop(const Project& project, std::uint64_t seed,
                   const course::BuildProgress& progress)
    : project_(project), seed_(seed) {
    const course::BuildResult built = course::build(project, programs_of(project), progress);
    if (!built.ok) {
        throw MachineFault(fmt::format("the graders could not be built: {}",
                                       built.failures.begin()->second.substr(0, 2000)));
    }
    for (const Lesson& lesson : project.lessons) {
        for (const Exercise& exercise : lesson.exercises) {
            recipes_[exercise.id] = course::recipe_of(project, exercise.id);
            if (recipes_[exercise.id].link.empty()) {
                throw MachineFault("the build files do not say how " + exercise.id +
                                   " is compiled");
            }
            stubs_[exercise.id] =
                course::cut_stub(course::read_file(exercise.solution).value_or(""));
        }
    }
    fingerprint_ = course::fingerprint(project, programs_of(project));
}

void Workshop::prove(const Lesson& lesson) const {
    const auto ask = [&](const Exercise& exercise, const std::string& submission,
                         const std::string& variant) {
        course::Programs programs = course::programs_for(project_, exercise, false, seed_);
        programs.submission = submission;
        programs.variant = variant;
        return course::run_grader(project_, exercise, programs);
    };
    const auto insist = [](bool proved, const std::string& what) {
        if (!proved && !Interruption::noted()) {
            throw MachineFault("the graders failed their own test, and nothing was graded: " +
                               what);
        }
    };
    const std::string ours = "submission_" + lesson.folder;
    for (const Exercise& exercise : lesson.exercises) {
        if (Interruption::noted()) {
            return;
        }
        insist(ask(exercise, ours + "_solutions", "").state == State::passed,
               "our own solution of " + exercise.id + " does not pass");
    }
    const Exercise& first = lesson.exercises.front();
    insist(ask(first, ours + "_stubs", "").state == State::not_started,
           "the stub of " + first.id + " is not graded as not started");
    const std::string mistakes = "mistakes_" + first.id;
    const std::string mistake = first_mistake(project_.build / mistakes, first);
    const Verdict named = ask(first, mistakes, mistake);
    insist(named.state != State::passed && (seed_ != 0 || named.mistake == mistake),
           "a known mistake in " + first.id + " is not named");
}

std::string Workshop::key_of(const HandIn& hand_in) const {
    std::string all = fingerprint_ + fmt::format(" seed {}", seed_);
    for (const auto& [id, text] : hand_in.texts) {
        all += fmt::format("\n{} {}\n", id, text.size()) + text;
    }
    return fmt::format("{:016x}-{}", std::hash<std::string>()(all), all.size());
}

const std::string& Workshop::text_of(const HandIn& hand_in, const std::string& exercise) const {
    const auto text = hand_in.texts.find(exercise);
    return text == hand_in.texts.end() ? stubs_.at(exercise) : text->second;
}

Verdict Workshop::grade(const Exercise& exercise, const std::string& text,
                        const fs::path& folder) const {
    Project theirs = project_;
    theirs.root = theirs.exercises = theirs.state = folder;
    Exercise their = exercise;
    their.file =
        folder / "lessons" / lesson_of(project_, exercise).folder / exercise.file.filename();
    course::write_file(their.file, text);
    const auto compile = [&]() -> course::Compiled {
        const Recipe& recipe = recipes_.at(their.id);
        const process::Finished made = recipe.make(theirs, their.file, patience);
        return {their.file.parent_path() / recipe.program, made.status == 0, made.output};
    };
    Verdict verdict = course::grade_compiled(theirs, their, compile, seed_);
    fs::remove_all(folder);
    return verdict;
}

} // namespace classroom
