#include "judge/session.hpp"

#include <fmt/format.h>

namespace judge {

Session& session() {
    static Session only;
    return only;
}

void Session::open(const std::filesystem::path& submission, const std::string& variant,
                   const Limits& limits) {
    child_ = std::make_unique<Child>(submission, limits);
    limits_ = limits;
    variant_ = variant;
}

void Session::begin_case(const std::string& name) {
    test_case_ = name;
    first_call_ = calls_.size();
}

Outcome Session::attempt(const std::string& function, const std::string& parameters,
                         List arguments) {
    if (stopped_) {
        throw CaseEnded{};
    }
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome = child_->call(function, arguments, variant_);
    spent_ += std::chrono::steady_clock::now() - start;
    const bool too_slow = spent_ > limits_.total && !std::holds_alternative<RanTooLong>(outcome);
    if (too_slow) {
        outcome = RanTooLong{std::chrono::duration<double>(limits_.total).count()};
    }
    calls_.push_back({function, split_names(parameters), std::move(arguments), outcome,
                      child_->output(), child_->output_cut()});
    const bool hit_a_limit = std::holds_alternative<RanTooLong>(outcome) ||
                             std::holds_alternative<UsedTooMuchMemory>(outcome);
    stopped_ = hit_a_limit || std::holds_alternative<NotImplemented>(outcome) ||
               std::holds_alternative<NotStarted>(outcome);
    if (stopped_) {
        fail({.summary = too_slow
                             ? fmt::format("the calls of this exercise may take {:g} s "
                                           "together; after {} of them that was used up",
                                           std::chrono::duration<double>(limits_.total).count(),
                                           calls_.size())
                             : (hit_a_limit ? function + " " : "") + describe(outcome)});
    }
    return outcome;
}

Value Session::call(const std::string& function, const std::string& parameters, List arguments) {
    Outcome outcome = attempt(function, parameters, std::move(arguments));
    if (Returned* returned = std::get_if<Returned>(&outcome)) {
        return std::move(returned->value);
    }
    fail({.summary = function + " " + describe(outcome)});
}

void Session::fail(Failure failure) {
    failure.test_case = test_case_;
    if (calls_.size() > first_call_) {
        failure.call = calls_.size() - 1;
    }
    failures_.push_back(std::move(failure));
    throw CaseEnded{};
}

bool Session::alike(const std::string& function, const Value& a, const Value& b) const {
    const auto found = alike_.find(function);
    return found == alike_.end() ? !compare(a, b) : found->second(a, b);
}

} // namespace judge
