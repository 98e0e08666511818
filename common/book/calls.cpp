#include "book/calls.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "book/values.hpp"

namespace book {

using judge::State;
using nlohmann::json;

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 20; // of all arguments together
constexpr std::size_t most_lines = 12;                      // programs kept running
constexpr std::chrono::seconds call_patience{8}; // the judge's limits are shorter; starting is slow

json failure(const std::string& side, const std::string& state, const std::string& words) {
    return {{"ok", false}, {"side", side}, {"state", state}, {"words", words}};
}

json bad_request(const std::string& words) {
    return failure("ours", "bad_request", words);
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
    : project_(project), board_(board), wants_(std::move(wants)) {}

json Calls::answer(const std::string& body) {
    json asked = json::parse(body, nullptr, false);
    if (!asked.is_array()) {
        return answer_one(std::move(asked));
    }
    json answers = json::array();
    for (json& each : asked) {
        answers.push_back(answer_one(std::move(each)));
    }
    return answers;
}

json Calls::answer_one(json asked) {
    if (!asked.is_object() || !asked.contains("arguments") || !asked["arguments"].is_array()) {
        return bad_request("a call must be a JSON object with a list of arguments");
    }
    const std::string side = text_in(asked, "side");
    return answer({text_in(asked, "lesson"), text_in(asked, "function"),
                   std::move(asked["arguments"]), side.empty() ? "auto" : side,
                   text_in(asked, "slot")});
}

/// The exercise of the lesson that has the function, if there is one.
const course::Exercise* Calls::exercise_of(const Question& question) const {
    for (const course::Lesson& lesson : project_.lessons) {
        for (const course::Exercise& exercise : lesson.exercises) {
            if (lesson.folder == question.lesson &&
                std::count(exercise.functions.begin(), exercise.functions.end(),
                           question.function) > 0) {
                return &exercise;
            }
        }
    }
    return nullptr;
}

json Calls::answer(const Question& question) {
    if (stopped_) {
        return failure("", "fault", "./course book has ended.");
    }
    const course::Exercise* const exercise = exercise_of(question);
    if (exercise == nullptr) {
        return bad_request(
            fmt::format("no exercise of {} has a function {}", question.lesson, question.function));
    }
    if (count_elements(question.arguments) > most_elements) {
        return bad_request(fmt::format(
            "the arguments have more than {} elements together, or are nested too deeply",
            most_elements));
    }
    if (question.side != "auto" && question.side != "ours" && question.side != "theirs") {
        return bad_request("side must be auto, ours or theirs, got " + question.side);
    }
    const auto verdict = board_.verdict(exercise->id);
    const bool begun = verdict && verdict->state != State::not_started;
    const bool theirs = question.side == "theirs" || (question.side == "auto" && begun);
    const std::string side = theirs ? "theirs" : "ours";
    if (theirs && verdict && verdict->state == State::not_started) {
        return failure(side, "not_started", verdict->summary);
    }
    if (theirs && verdict && verdict->state == State::does_not_compile) {
        return failure(side, "does_not_compile",
                       fmt::format("{} does not compile: {}", exercise->id, verdict->summary));
    }
    const std::string program =
        theirs ? "submission_" + exercise->id : "submission_" + question.lesson + "_solutions";
    if (stamp_of(project_.build / program).empty()) {
        return not_built(program, *exercise, theirs);
    }
    json answer = ask(program, question);
    answer["side"] = side;
    return answer;
}

json Calls::not_built(const std::string& program, const course::Exercise& exercise,
                      bool theirs) const {
    const std::string what = theirs ? exercise.id : "our solution of this lesson";
    std::error_code error; // what is there and cannot be called would be taken for built
    std::filesystem::remove(project_.build / program, error);
    const std::string trouble = wants_(exercise, theirs);
    return failure(theirs ? "theirs" : "ours", "building",
                   trouble.empty() ? what + " is being built; that takes a moment."
                                   : fmt::format("{} could not be built, and is tried again: {}",
                                                 what, trouble));
}

json Calls::ask(const std::string& program, const Question& question) {
    const std::shared_ptr<Line> line = line_to(program);
    std::optional<std::string> said;
    const Turn turn = line->queue.in_turn(question.slot, [&] {
        const std::string stamp = stamp_of(project_.build / program);
        if (line->stamp != stamp) { // built again since then
            line->helper.stop();
            line->stamp = stamp;
        }
        // Put together as text: a json of both would copy every number.
        said =
            line->helper.ask(fmt::format(R"({{"function":{},"arguments":{}}})",
                                         json(question.function).dump(), question.arguments.dump()),
                             call_patience);
    });
    if (turn == Turn::superseded) {
        return failure("", "superseded", "A newer call has replaced it.");
    }
    if (turn == Turn::busy) {
        return failure("", "busy", "Many figures are asking at the moment; this one asks again.");
    }
    const json answer = json::parse(said.value_or(""), nullptr, false);
    return answer.is_object() ? answer
                              : failure("", "fault",
                                        "The process that calls the functions has ended; the next "
                                        "call starts it again.");
}

std::shared_ptr<Calls::Line> Calls::line_to(const std::string& program) {
    std::shared_ptr<Line> oldest; // ended outside of the lock, once nobody uses it
    const std::lock_guard lock(mutex_);
    auto& line = lines_[program];
    if (line == nullptr) {
        line = std::make_shared<Line>(
            std::vector<std::string>{project_.build / "book_caller", project_.build / program});
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
