#include "judge/mistakes_program.hpp"

#include <algorithm>

#include "judge/protocol.hpp"

namespace judge {

namespace {

constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;  // beyond, it is called again
constexpr std::size_t most_reply_bytes = std::size_t{1} << 20; // of versions called together
constexpr std::size_t most_numbers_together = 1'000'000;       // in all their arguments

std::string key_of(const RecordedCall& call) {
    const std::string bytes = encode(Value{call.arguments});
    return call.function + "/" + std::to_string(bytes.size()) + "/" +
           std::to_string(std::hash<std::string>{}(bytes)) + "/";
}

/// How many versions may be called at once: their answers must fit into one reply, and their time
/// into one call's.
std::size_t most_together(const RecordedCall& call, const Outcome& right) {
    const Returned* returned = std::get_if<Returned>(&right);
    const std::size_t bytes = returned == nullptr ? 1 : encode(returned->value).size();
    return std::min(most_reply_bytes / bytes,
                    most_numbers_together / (1 + numbers_in(call.arguments)));
}

} // namespace

bool Mistake::is_decoy() const {
    return explanation == decoy;
}

MistakesProgram::MistakesProgram(const std::filesystem::path& program, KnownAnswers* known)
    : child_(program), known_(known) {}

std::vector<Mistake> MistakesProgram::mistakes() {
    const Outcome listed = child_.call(variants_query, {});
    const Returned* list = std::get_if<Returned>(&listed);
    if (list == nullptr) {
        throw std::runtime_error("the program of mistakes " + describe(listed));
    }
    std::vector<Mistake> mistakes;
    for (const auto& row : from_value<std::vector<std::vector<std::string>>>(list->value)) {
        if (!row.at(2).empty()) { // otherwise it is another right solution
            mistakes.push_back({row.at(0), row.at(1), row.at(2)});
        }
    }
    return mistakes;
}

Outcome MistakesProgram::right_answer(const RecordedCall& call) {
    return answers(call, Returned{}, {""}).front();
}

std::vector<Outcome> MistakesProgram::answers(const RecordedCall& call, const Outcome& right,
                                              const std::vector<std::string>& mistakes) {
    const std::string key = key_of(call);
    const std::size_t most = most_together(call, right);
    std::map<std::string, Outcome> answers;
    std::vector<std::string> together;
    for (const std::string& name : mistakes) {
        if (known_ != nullptr && known_->answers.contains(key + name)) {
            answers[name] = known_->answers.at(key + name);
        } else if (most > 1 && mistakes.size() > 1 && !alone_.contains(name)) {
            together.push_back(name);
        }
        if (!together.empty() && together.size() == most) {
            call_together(call, together, answers);
            together.clear();
        }
    }
    call_together(call, together, answers);
    std::vector<Outcome> outcomes;
    for (const std::string& name : mistakes) {
        if (!answers.contains(name)) {
            answers[name] = child_.call(call.function, call.arguments, name);
            if (!still_runs(answers[name])) {
                alone_.insert(name);
            }
        }
        outcomes.push_back(answers[name]);
        if (known_ != nullptr && known_->bytes <= most_kept_bytes &&
            known_->answers.try_emplace(key + name, outcomes.back()).second) {
            const Returned* returned = std::get_if<Returned>(&outcomes.back());
            known_->bytes += returned == nullptr ? sizeof(Outcome) : bytes_in(returned->value);
        }
    }
    return outcomes;
}

/// Calls them at once, without those that end the process.
void MistakesProgram::call_together(const RecordedCall& call,
                                    const std::vector<std::string>& mistakes,
                                    std::map<std::string, Outcome>& answers) {
    auto all = mistakes.empty() ? std::nullopt
                                : child_.call_each(call.function, {call.arguments}, mistakes);
    for (std::size_t k = 0; all && k < mistakes.size(); ++k) {
        answers[mistakes[k]] = std::move(all->at(k));
    }
}

} // namespace judge
