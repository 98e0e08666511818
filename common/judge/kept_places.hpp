#pragma once

// JUDGE_FUNCTION_IN_PLACE exports a function as JUDGE_FUNCTION does, and the caller's arrays keep
// their places from call to call, as a learner's own would: of the same shapes, they stand at the
// same addresses with other numbers. What remembers an answer by where its argument stands gives an
// old one.

#include <optional>
#include <tuple>
#include <type_traits>

#include "judge/export.hpp"

namespace kept_places {

/// Argument I of kept, or the first that was given as the same object.
template <std::size_t I, std::size_t J = 0, class Kept, class Given>
const auto& place(const Kept& kept, const Given& given) {
    if constexpr (J < I) {
        if constexpr (std::is_same_v<std::tuple_element_t<I, Kept>,
                                     std::tuple_element_t<J, Kept>>) {
            if (&std::get<I>(given) == &std::get<J>(given)) {
                return std::get<J>(kept);
            }
        }
        return place<I, J + 1>(kept, given);
    } else {
        return std::get<I>(kept);
    }
}

template <class R, class... A, std::size_t... I>
R call(R (*function)(A...), const std::tuple<const std::decay_t<A>&...>& given,
       std::index_sequence<I...>) {
    static std::optional<std::tuple<std::decay_t<A>...>> kept;
    if (kept) {
        ((std::get<I>(*kept) = std::get<I>(given)), ...); // into the memory that is there
    } else {
        kept.emplace(std::get<I>(given)...);
    }
    R result = function(place<I>(*kept, given)...);
    const auto demand_unchanged = [](const auto& after, const auto& before, std::size_t index) {
        if (judge::encode(judge::to_value(after)) != judge::encode(judge::to_value(before))) {
            throw judge::changed_argument{index};
        }
    };
    (demand_unchanged(std::get<I>(*kept), std::get<I>(given), I), ...);
    return result;
}

template <class R, class... A>
R call(R (*function)(A...), const std::decay_t<A>&... arguments) {
    return call(function, std::tuple<const std::decay_t<A>&...>(arguments...),
                std::index_sequence_for<A...>{});
}

/// A function with the signature of another, which it calls so.
template <auto function>
struct InPlace;
template <class R, class... A, R (*function)(A...)>
struct InPlace<function> {
    static R call(A... arguments) { return kept_places::call(function, arguments...); }
};

} // namespace kept_places

#ifdef JUDGE_CHILD
#define JUDGE_FUNCTION_IN_PLACE(function, ...)                                                     \
    namespace exported {                                                                           \
    const judge::Export<decltype(lesson::function)>                                                \
        function(#function, &kept_places::InPlace<&lesson::function>::call);                       \
    }                                                                                              \
    static_assert(true)
#else
#define JUDGE_FUNCTION_IN_PLACE(function, ...) JUDGE_FUNCTION(function, __VA_ARGS__)
#endif
