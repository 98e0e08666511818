// The program that calls a submission for a figure: reads a question per line, as JSON, and writes
// its answer, a line too. A process of its own, because whoever judges adopts what a submission
// leaves behind and ends it, and the server has other children.

#include <csignal>
#include <iostream>

#include "book/answers.hpp"
#include "judge/child.hpp"

namespace {

using nlohmann::json;

/// As for a grade, but somebody waits with a slider in hand.
judge::Limits limits() {
    judge::Limits limits = judge::default_limits();
    limits.time /= 2;
    limits.reply = std::size_t{8} << 20;
    return limits;
}

void stop(int /*signal*/) {
    judge::interrupted = 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "book_caller: started by ./course book, with a submission\n";
        return 2;
    }
    struct sigaction action {}; // without SA_RESTART: reading ends, too
    action.sa_handler = stop;
    sigaction(SIGTERM, &action, nullptr);
    judge::Child child(argv[1], limits());
    book::Answers answers([&](const std::string& function, const std::vector<judge::List>& calls) {
        if (calls.size() > 1) {
            if (auto all = child.call_each(function, calls)) {
                return std::move(*all);
            }
        }
        book::Answers::Outcomes outcomes; // one by one, to see which of them does not return
        for (const judge::List& arguments : calls) {
            outcomes.push_back(child.call(function, arguments));
            if (!std::holds_alternative<judge::Returned>(outcomes.back())) {
                break;
            }
        }
        return outcomes;
    });
    for (std::string line; judge::interrupted == 0 && std::getline(std::cin, line);) {
        json answer;
        try {
            answer = answers.answer(json::parse(line));
            answer["printed"] = child.output();
        } catch (const std::exception& error) { // not what the server writes
            answer = {{"ok", false}, {"state", "fault"}, {"words", error.what()}};
        }
        std::cout << answer.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    }
    return 0;
}
