#pragma once

#include "judge/arrays.hpp"
#include "judge/session.hpp"

namespace judge {

template <class Signature>
class Remote;

/// An exercise's function as the grader sees it: called like the function, answered by the
/// submission. An outcome other than a value ends the test case and is what the verdict reports.
template <class R, class... A>
class Remote<R(A...)> {
public:
    constexpr Remote(const char* name, const char* parameters)
        : name_(name), parameters_(parameters) {}

    /// The call's outcome, whatever it is, for a check that expects an exception.
    Outcome attempt(const std::decay_t<A>&... arguments) const {
        return session().attempt(name_, parameters_, {to_value<std::decay_t<A>>(arguments)...});
    }

    R operator()(const std::decay_t<A>&... arguments) const {
        const Value value =
            session().call(name_, parameters_, {to_value<std::decay_t<A>>(arguments)...});
        if constexpr (!std::is_void_v<R>) {
            return session().typed([&] { return from_value<std::decay_t<R>>(value); });
        }
    }

    const char* name() const { return name_; }
    const char* parameters() const { return parameters_; }

private:
    const char* name_;
    const char* parameters_;
};

} // namespace judge
