#include "book/calls.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include "book/values.hpp"

namespace book {

using judge::State;
using nlohmann::json;

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 20; // of all arguments together
constexpr std::size_t most_lines = 6;                       // programs kept running
constexpr std::chrono::seconds call_patience{8}; // the judge's limits are shorter; starting is slow

json failure(const std::string& side, const std::string& state, const std::string& words) {
    return {{"ok", false}, {"side", side}, {"state", state}, {"words", words}};
}

json bad_request(const std::string& words) {
    return failure("ours", "bad_request", words);
}

/// Another after each build.
std::string stamp_of(const std::filesystem::path& program) {
    struct stat about {};
    return stat(program.c_str(), &about) != 0
               ? ""
               : fmt::format("{} {} {}.{}", about.st_ino, about.st_size, about.st_mtim.tv_sec,
                             about.st_mtim.tv_nsec);
}

std::string text_in(const json& body, const char* name) {
    const auto found = body.find(name);
    return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

Calls::Calls(const course::Project& project, const Board& board,
             std::function<void(const std::string&)> wants)
    : project_(project), board_(board), wants_(std::move(wants)) {
    for (const course::Lesson& lesson : project.lessons) {
        figures_[lesson.folder] = figures_of(project, lesson);
    }
}

json Calls::answer(const std::string& body) {
    json asked = json::parse(body, nullptr, false);
    if (!asked.is_object() || !asked.contains("arguments") || !asked["arguments"].is_array()) {
        return bad_request("a call must be a JSON object with a list of arguments");
    }
    const std::string side = text_in(asked, "side");
    return answer({text_in(asked, "lesson"), text_in(asked, "figure"), text_in(asked, "function"),
                   std::move(asked["arguments"]), side.empty() ? "auto" : side,
                   text_in(asked, "slot")});
}

/// The exercise that the function belongs to, if the figure may call it.
const course::Exercise* Calls::exercise_of(const Question& question) const {
    const auto figures = figures_.find(question.lesson);
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (figures == figures_.end() ||
        std::none_of(figures->second.begin(), figures->second.end(), [&](const Figure& each) {
            return each.id == question.figure && has(each.functions, question.function);
        })) {
        return nullptr;
    }
    for (const course::Lesson& lesson : project_.lessons) {
        for (const course::Exercise& exercise : lesson.exercises) {
            if (lesson.folder == question.lesson && has(exercise.functions, question.function)) {
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
        return bad_request(fmt::format("the figure {} of {} calls no function {}", question.figure,
                                       question.lesson, question.function));
    }
    if (count_elements(question.arguments) > most_elements) {
        return bad_request(
            fmt::format("the arguments have more than {} elements together", most_elements));
    }
    if (question.side != "auto" && question.side != "ours" && question.side != "theirs") {
        return bad_request("side must be auto, ours or theirs, got " + question.side);
    }
    const auto verdict = board_.verdict(exercise->id);
    const bool passed = verdict && verdict->state == State::passed;
    const bool theirs = question.side == "theirs" || (question.side == "auto" && passed);
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
        wants_(question.lesson);
        return failure(side, "building",
                       "The functions of this lesson are being built; that takes a moment.");
    }
    json answer = ask(program, question);
    answer["side"] = side;
    return answer;
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
