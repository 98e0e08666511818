#include "judge/session.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/text.hpp"

namespace judge {

namespace {

constexpr std::size_t most_kept = std::size_t{256} << 20; // bytes of answers

/// By a grader's own measure. An answer that it cannot read is like no other.
bool measured_alike(const AboutFunction& about, const Value& a, const Value& b) {
    try {
        return about.alike(a, b);
    } catch (const malformed&) {
        return false;
    }
}

} // namespace

Session& session() {
    static Session only;
    return only;
}

void Session::open(const std::filesystem::path& submission, const std::string& variant,
                   const Limits& limits) {
    Session begun; // forgets what was graded before
    begun.about_ = std::move(about_);
    begun.until_failure_ = until_failure_;
    *this = std::move(begun);
    child_ = std::make_unique<Child>(submission, limits);
    submission_ = submission;
    limits_ = limits;
    variant_ = variant;
}

void Session::begin_case(const std::string& name) {
    test_case_ = name;
    suspicion_ = {};
    first_call_ = calls_.size();
    counted_ = false;
}

std::size_t Session::failed_checks() const {
    std::set<std::string> failed;
    for (const Failure& failure : failures_) {
        failed.insert(failure.test_case);
    }
    return failed.size() + not_run_;
}

Outcome Session::attempt(const std::string& function, const std::string& parameters,
                         List arguments) {
    if (!counted_) {
        counted_ = true;
        ++checks_;
        not_run_ += stopped_ ? 1 : 0;
    }
    if (stopped_) {
        throw CaseEnded{};
    }
    Outcome outcome = child_->call(function, arguments, variant_);
    const auto taken = child_->taken();
    spent_ += taken;
    const bool too_slow = spent_ > limits_.total && !std::holds_alternative<RanTooLong>(outcome);
    if (too_slow) {
        outcome = RanTooLong{std::chrono::duration<double>(limits_.total).count(), true};
    }
    const std::vector<std::string> names = split_names(parameters);
    if (ChangedArgument* changed = std::get_if<ChangedArgument>(&outcome)) {
        changed->name = changed->index < names.size() ? names[changed->index] : "";
    }
    calls_.push_back({function, names, std::move(arguments), outcome, child_->output(),
                      child_->output_cut(), taken});
    if (const Returned* returned = std::get_if<Returned>(&outcome)) {
        kept_bytes_ += bytes_in(returned->value);
        if (kept_bytes_ > most_kept) { // by then the mistake has been seen often enough
            calls_.back().outcome = Returned{};
        }
    }
    const bool hit_a_limit = std::holds_alternative<RanTooLong>(outcome) ||
                             std::holds_alternative<UsedTooMuchMemory>(outcome);
    const bool unwritten = std::holds_alternative<NotImplemented>(outcome);
    stopped_ = hit_a_limit || std::holds_alternative<NotStarted>(outcome);
    if (stopped_ || unwritten) {
        if (unwritten && answered_before(calls_.size() - 1)) {
            fail({.summary = function + " answers some calls, but reaches a todo() in this one"});
        }
        fail({.summary =
                  too_slow
                      ? fmt::format("all calls together may take {:g} s; the first {} took longer",
                                    std::chrono::duration<double>(limits_.total).count(),
                                    calls_.size())
                      : (hit_a_limit ? function + " " : "") + describe(outcome)});
    }
    return outcome;
}

Value Session::call(const std::string& function, const std::string& parameters, List arguments) {
    return value_of(function, attempt(function, parameters, std::move(arguments)));
}

Value Session::value_of(const std::string& function, Outcome outcome) {
    if (Returned* returned = std::get_if<Returned>(&outcome)) {
        return std::move(returned->value);
    }
    fail({.summary = function + " " + describe(outcome)});
}

void Session::fail(Failure failure) {
    failure.test_case = test_case_;
    bool of_memory = false;
    if (calls_.size() > first_call_) {
        failure.call = calls_.size() - 1;
        of_memory = std::holds_alternative<UsedTooMuchMemory>(calls_.back().outcome);
    }
    if (failure.suspicion.name.empty() &&
        of_memory == (suspected_in_ == State::used_too_much_memory)) {
        failure.suspicion = suspicion_;
    }
    failures_.push_back(std::move(failure));
    throw CaseEnded{};
}

std::string Session::shown(const RecordedCall& call) const {
    const std::string& shown = about(call.function).shown;
    if (!shown.empty()) {
        return shown;
    }
    return fmt::format("{}({})", call.function, fmt::join(call.parameters, ", "));
}

void Session::set_tolerance(Tolerance tolerance) {
    const auto size = [](Tolerance t) { return t.relative + t.absolute + t.of_largest; };
    if (!calls_.empty() &&
        (!calls_.back().tolerance || size(tolerance) < size(*calls_.back().tolerance))) {
        calls_.back().tolerance = tolerance;
    }
}

Outcome Session::ask_again(const RecordedCall& call, const List& arguments) {
    return child_->call(call.function, arguments, variant_);
}

Child Session::fresh_child(const std::function<void(Limits&)>& change) const {
    Limits limits = limits_;
    if (change) {
        change(limits);
    }
    return Child(submission_, limits);
}

void Session::add_failure(const std::string& check, RecordedCall call, Failure failure) {
    calls_.push_back(std::move(call));
    failure.test_case = check;
    failure.call = calls_.size() - 1;
    failures_.push_back(std::move(failure));
}

std::optional<Compared> Session::drawn() const {
    if (failures_.empty() || (example_ && example_case_ == failures_.front().test_case)) {
        return example_;
    }
    const Failure& failure = failures_.front();
    return failure.actual && failure.expected
               ? std::optional(Compared{*failure.actual, *failure.expected})
               : std::nullopt;
}

bool Session::answered_before(std::size_t call) const {
    return std::any_of(calls_.begin(), calls_.begin() + static_cast<std::ptrdiff_t>(call),
                       [&](const RecordedCall& earlier) {
                           return earlier.function == calls_[call].function &&
                                  std::holds_alternative<Returned>(earlier.outcome);
                       });
}

bool Session::answers_something() const {
    return std::ranges::any_of(calls_, [](const RecordedCall& call) {
        return std::holds_alternative<Returned>(call.outcome);
    });
}

void Session::leave_out_todos() {
    const auto unwritten = [](const RecordedCall& call) {
        return std::holds_alternative<NotImplemented>(call.outcome);
    };
    const auto of_a_todo = [&](const Failure& failure) {
        return failure.call && unwritten(calls_[*failure.call]);
    };
    if (std::ranges::all_of(failures_, of_a_todo)) {
        return;
    }
    std::erase_if(failures_, of_a_todo);
    for (Failure& failure : failures_) {
        if (failure.call) {
            const auto end = calls_.begin() + static_cast<std::ptrdiff_t>(*failure.call);
            *failure.call -=
                static_cast<std::size_t>(std::count_if(calls_.begin(), end, unwritten));
        }
    }
    std::erase_if(calls_, unwritten);
}

bool Session::repeats(const RecordedCall& call, const Outcome& a, const Outcome& b) const {
    const auto says_nothing = [](const Outcome& outcome) { // a busy machine, or one that is stopped
        return std::holds_alternative<NotStarted>(outcome) ||
               std::holds_alternative<RanTooLong>(outcome) ||
               std::holds_alternative<UsedTooMuchMemory>(outcome);
    };
    if (says_nothing(a) || says_nothing(b)) {
        return true;
    }
    const Returned* x = std::get_if<Returned>(&a);
    const Returned* y = std::get_if<Returned>(&b);
    if (x == nullptr || y == nullptr) {
        return fail_alike(a, b);
    }
    if (!compare(y->value, x->value, exact)) {
        return true;
    }
    if (about(call.function).alike) {
        return measured_alike(about(call.function), x->value, y->value);
    }
    const Tolerance tolerance = call.tolerance.value_or(exact);
    const Tolerance twice{2 * tolerance.relative, 2 * tolerance.absolute, 2 * tolerance.of_largest};
    return !compare(y->value, x->value,
                    {std::max(twice.relative, 1e-9), std::max(twice.absolute, 1e-300),
                     std::max(twice.of_largest, 1e-9)});
}

const AboutFunction& Session::about(const std::string& function) const {
    static const AboutFunction nothing;
    const auto found = about_.find(function);
    return found != about_.end() ? found->second : nothing;
}

void Session::set_about(const std::string& function, AboutFunction about) {
    AboutFunction& all = about_[function];
    if (about.shown.empty()) { // JUDGE_SHOWN_AS may have said it
        about.shown = all.shown;
    }
    all = std::move(about);
}

bool Session::alike(const std::string& function, const Value& a, const Value& b) const {
    return about(function).alike ? measured_alike(about(function), a, b) : !compare(a, b);
}

} // namespace judge
