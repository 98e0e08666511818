#include "book/calls.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "book/grading.hpp"
#include "book/values.hpp"

namespace book {

using judge::State;
using nlohmann::json;

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 20; // of all arguments together
constexpr std::size_t most_lines = 40; // programs kept running: the map calls 16 in turn
const std::string translator_program = "book_translator";
// The judge's limits are shorter, but starting is slow; the translator makes its corpus then.
constexpr std::chrono::seconds call_patience{8}, translator_patience{30};

std::string failure(const std::string& side, const std::string& state, const std::string& words) {
    return json{{"ok", false}, {"side", side}, {"state", state}, {"words", words}}.dump(
        -1, ' ', false, json::error_handler_t::replace);
}

/// Another after each build; "" if the program is not there. What is there is whole
/// (cmake/link_whole).
std::string stamp_of(const std::filesystem::path& program) {
    struct stat about {};
    return access(program.c_str(), X_OK) != 0 || stat(program.c_str(), &about) != 0
               ? ""
               : fmt::format("{} {} {}.{}", about.st_ino, about.st_size, about.st_mtim.tv_sec,
                             about.st_mtim.tv_nsec);
}

std::string text_in(const json& body, const char* name) {
    const auto found = body.find(name);
    return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

Calls::Calls(const course::Project& project, const Board& board, Wants wants)
    : project_(project), board_(board), wants_(std::move(wants)),
      checkpoints_(project.root / "out/comparison") {}

std::string Calls::answer(std::string body) {
    if (stopped_) {
        return failure("", "fault", "./course book has ended.");
    }
    const json asked = json::parse(body, nullptr, false);
    const char* const given = asked.is_object() && asked.contains("each") ? "each" : "arguments";
    if (!asked.is_object() || !asked.contains(given) || !asked[given].is_array()) {
        throw course::BadUse("a call must be a JSON object with a list of arguments");
    }
    if (count_elements(asked[given]) > most_elements) {
        throw course::BadUse(fmt::format(
            "the arguments have more than {} elements together, or are nested too deeply",
            most_elements));
    }
    const std::string lesson = text_in(asked, "lesson"), function = text_in(asked, "function");
    if (function == "translate" && asked[given].size() == 1) {
        return translated(asked[given][0], text_in(asked, "slot"));
    }
    const std::string wanted = asked.contains("side") ? text_in(asked, "side") : "auto";
    const course::Exercise* const exercise = exercise_of(lesson, function);
    if (exercise == nullptr) {
        throw course::BadUse(fmt::format("no exercise of {} has a function {}", lesson, function));
    }
    if (wanted != "auto" && wanted != "ours" && wanted != "theirs") {
        throw course::BadUse("side must be auto, ours or theirs, got " + wanted);
    }
    const auto verdict = board_.verdict(exercise->id);
    const bool begun = verdict && verdict->state != State::not_started;
    const bool theirs = wanted == "theirs" || (wanted == "auto" && begun);
    const std::string side = theirs ? "theirs" : "ours";
    if (theirs && verdict && verdict->state == State::not_started) {
        return failure(side, "not_started", verdict->summary);
    }
    if (theirs && verdict && verdict->state == State::does_not_compile) {
        return failure(side, "does_not_compile",
                       fmt::format("{} does not compile: {}", exercise->id, verdict->summary));
    }
    const std::string program =
        theirs ? "submission_" + exercise->id : "submission_" + lesson + "_solutions";
    const std::string trouble =
        theirs ? trouble_with(program, exercise->id, exercise->id)
               : trouble_with(program, course::lesson_of(project_, *exercise).id,
                              "our solution of this lesson");
    if (!trouble.empty()) {
        return failure(side, "building", trouble);
    }
    // Question and answer go on as text: to read and write each number again takes long.
    std::replace(body.begin(), body.end(), '\n', ' ');
    return ask(program, side, text_in(asked, "slot"), body);
}

/// The exercise of the lesson that has the function, if there is one.
const course::Exercise* Calls::exercise_of(const std::string& folder,
                                           const std::string& function) const {
    for (const course::Lesson& lesson : project_.lessons) {
        for (const course::Exercise& exercise : lesson.exercises) {
            if (lesson.folder == folder &&
                std::count(exercise.functions.begin(), exercise.functions.end(), function) > 0) {
                return &exercise;
            }
        }
    }
    return nullptr;
}

/// Why a program that is not there cannot be called; it is built then. "" if it is there.
std::string Calls::trouble_with(const std::string& program, const std::string& wish,
                                const std::string& name) const {
    if (!stamp_of(project_.build / program).empty()) {
        return "";
    }
    std::error_code error; // what is there and cannot be called would be taken for built
    std::filesystem::remove(project_.build / program, error);
    const std::string trouble = wants_(wish);
    return trouble.empty()
               ? name + " is being built; that takes a moment."
               : fmt::format("{} could not be built, and is tried again: {}", name, trouble);
}

/// By lesson 07's models (translator.hpp), once they have been trained.
std::string Calls::translated(const json& question, const std::string& slot) {
    std::error_code error;
    const std::filesystem::directory_iterator entries(checkpoints_, error);
    if (error || std::none_of(begin(entries), end(entries), [](const auto& entry) {
            return entry.path().extension() == ".checkpoint";
        })) {
        return failure("", "no_model",
                       "There is no trained model yet: ./course run 07 trains them in a minute or "
                       "two.");
    }
    const std::string trouble = trouble_with(translator_program, translator, "the translator");
    return trouble.empty() ? ask(translator_program, "", slot, question.dump())
                           : failure("", "building", trouble);
}

std::string Calls::ask(const std::string& program, const std::string& side, const std::string& slot,
                       const std::string& question) {
    const std::shared_ptr<Line> line = line_to(program);
    std::optional<std::string> said;
    const Turn turn = line->queue.in_turn(slot, [&] {
        const std::string stamp = stamp_of(project_.build / program);
        if (line->stamp != stamp) { // built again since then
            line->helper.stop();
            line->stamp = stamp;
        }
        said = line->helper.ask(question, program == translator_program ? translator_patience
                                                                        : call_patience);
    });
    if (turn == Turn::superseded) {
        return failure("", "superseded", "A newer call has replaced it.");
    }
    if (turn == Turn::busy) {
        return failure("", "busy", "Many figures are asking at the moment; this one asks again.");
    }
    return said && said->starts_with('{')
               ? fmt::format(R"({{"side":"{}",)", side) + said->substr(1)
               : failure("", "fault",
                         "The process that calls the functions has ended; the next call starts it "
                         "again.");
}

std::shared_ptr<Calls::Line> Calls::line_to(const std::string& program) {
    std::shared_ptr<Line> oldest; // ended outside of the lock, once nobody uses it
    const std::lock_guard lock(mutex_);
    auto& line = lines_[program];
    if (line == nullptr) {
        const std::string path = project_.build / program;
        line = std::make_shared<Line>(
            program == translator_program
                ? std::vector<std::string>{path, checkpoints_}
                : std::vector<std::string>{project_.build / "book_caller", path});
    }
    line->used = ++uses_;
    auto chosen = line;
    if (lines_.size() > most_lines) {
        const auto least =
            std::min_element(lines_.begin(), lines_.end(), [](const auto& a, const auto& b) {
                return a.second->used < b.second->used;
            });
        oldest = least->second;
        lines_.erase(least);
    }
    return chosen;
}

void Calls::stop() {
    stopped_ = true;
    const std::lock_guard lock(mutex_);
    for (const auto& each : lines_) {
        each.second->helper.interrupt();
    }
    const auto running = [](const auto& each) { return each.second->helper.running(); };
    for (int turn = 0; turn < 30 && std::any_of(lines_.begin(), lines_.end(), running); ++turn) {
        poll(nullptr, 0, 10);
    }
}

} // namespace book
