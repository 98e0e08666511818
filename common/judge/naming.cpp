#include "judge/naming.hpp"

#include "judge/protocol.hpp"

namespace judge {

namespace {

/// Exceptions are alike when both or neither are the one that graders ask for, whatever their
/// texts; crashes, when it is the same signal.
bool fail_alike(const Outcome& a, const Outcome& b) {
    if (a.index() != b.index()) {
        return false;
    }
    if (const Threw* threw = std::get_if<Threw>(&a)) {
        const char* const asked_for = "std::invalid_argument";
        return (threw->type == asked_for) == (std::get<Threw>(b).type == asked_for);
    }
    if (const Crashed* crashed = std::get_if<Crashed>(&a)) {
        return crashed->signal == std::get<Crashed>(b).signal;
    }
    return true;
}

bool alike(const Session& session, const std::string& function, const Outcome& a,
           const Outcome& b) {
    const Returned* x = std::get_if<Returned>(&a);
    const Returned* y = std::get_if<Returned>(&b);
    return x != nullptr && y != nullptr ? session.alike(function, x->value, y->value)
                                        : fail_alike(a, b);
}

/// Whether the function returns void: then how it fails is what it does.
bool returns_nothing(const Session& session, const std::string& function,
                     const std::vector<Outcome>& reference) {
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const Returned* returned = std::get_if<Returned>(&reference[i]);
        if (returned != nullptr && session.calls()[i].function == function) {
            return std::holds_alternative<std::monostate>(returned->value.data);
        }
    }
    return false;
}

bool explains(const Session& session, const NamedMisconception& candidate,
              const std::string& function, const std::vector<Outcome>& reference, Child& child) {
    const bool fails_on_purpose = returns_nothing(session, function, reference);
    bool shown = false;
    for (std::size_t i = 0; i < session.calls().size(); ++i) {
        const RecordedCall& call = session.calls()[i];
        if (call.function != function) {
            continue;
        }
        // What the contract refuses says nothing about a formula: a stub comes with that check.
        if (!fails_on_purpose && !std::holds_alternative<Returned>(reference[i])) {
            continue;
        }
        const Outcome wrong = child.call(function, call.arguments, candidate.name);
        const bool same = alike(session, function, call.outcome, wrong);
        const bool both_fail = !std::holds_alternative<Returned>(call.outcome) &&
                               !std::holds_alternative<Returned>(wrong);
        // How a wrong formula fails on arguments that it cannot handle says nothing.
        if (!same && (fails_on_purpose || !both_fail)) {
            return false;
        }
        shown = shown || (same && !alike(session, function, wrong, reference[i]));
    }
    return shown;
}

} // namespace

std::optional<NamedMisconception> name_misconception(const Session& session,
                                                     const std::filesystem::path& misconceptions) {
    Child child(misconceptions);
    const Outcome listed = child.call(variants_query, {});
    const Returned* list = std::get_if<Returned>(&listed);
    if (list == nullptr) {
        throw std::runtime_error("the misconceptions program " + describe(listed));
    }
    std::vector<Outcome> reference;
    for (const RecordedCall& call : session.calls()) {
        reference.push_back(child.call(call.function, call.arguments));
    }
    std::optional<NamedMisconception> found;
    for (const auto& row : from_value<std::vector<std::vector<std::string>>>(list->value)) {
        const NamedMisconception candidate{row.at(1), row.at(2)};
        if (explains(session, candidate, row.at(0), reference, child)) {
            if (found) {
                return std::nullopt;
            }
            found = candidate;
        }
    }
    return found;
}

} // namespace judge
