#pragma once

// One line exports an exercise: JUDGE_FUNCTION(project, X, W), the function's name in namespace
// `lesson` and its parameters'. The header with these lines is compiled:
//   - into a submission (JUDGE_CHILD): the real function, callable by name;
//   - into other versions of a function (JUDGE_VARIANTS), which register themselves: nothing;
//   - into the grader: graded::project(X, W), which reads like the function and asks the
//   submission.

#include <functional>

#include "judge/codec.hpp"
#include "judge/signature.hpp"

namespace judge {

/// Thrown instead of an answer when a const argument has changed.
struct changed_argument {
    std::size_t index;
};

template <class Signature>
struct Unpack;
template <class R, class... A>
struct Unpack<R(A...)> {
    using Result = R;

    /// Calls function on the decoded arguments; void is returned as nothing.
    template <class Function>
    static Value call(const Function& function, const List& arguments) {
        if (arguments.size() != sizeof...(A)) {
            throw malformed("a call with the wrong number of arguments");
        }
        return call(function, arguments, std::index_sequence_for<A...>{});
    }

private:
    template <class Function, std::size_t... I>
    static Value call(const Function& function, const List& arguments, std::index_sequence<I...>) {
        // A tuple first: braces decode left to right, and before the learner's code is entered.
        std::tuple<std::decay_t<A>...> decoded{from_value<std::decay_t<A>>(arguments[I])...};
        const auto compare_arguments = [&] {
            (demand_unchanged<A>(std::get<I>(decoded), arguments[I], I), ...);
        };
        if constexpr (std::is_void_v<R>) {
            function(std::get<I>(decoded)...);
            compare_arguments();
            return {};
        } else {
            Value result = to_value<std::decay_t<R>>(function(std::get<I>(decoded)...));
            compare_arguments();
            return result;
        }
    }

    template <class Parameter>
    static constexpr bool may_change = std::is_lvalue_reference_v<Parameter> &&
                                       !std::is_const_v<std::remove_reference_t<Parameter>>;

    /// Bit by bit, so that a NaN equals itself.
    template <class Parameter, class Argument>
    static void demand_unchanged(const Argument& after, const Value& before, std::size_t index) {
        if constexpr (!may_change<Parameter>) {
            if (encode(to_value<Argument>(after)) != encode(before)) {
                throw changed_argument{index};
            }
        }
    }
};

using Callable = std::function<Value(const List&)>;

/// Another implementation of a function, chosen by its name: a mistake, which must not pass, or
/// another right one, which must.
struct Variant {
    std::string function;
    std::string name;
    std::string explanation; // of the mistake, for the learner; decoy; "" if it is right
    Callable callable;
};

struct ExportedFunction {
    std::string name;
    bool returns_nothing;
    Callable callable;
    List (*parameters)(); // their types, as signature.hpp has them
};

/// The functions that can be called in a submission.
struct Registry {
    std::vector<ExportedFunction> functions;
    std::vector<Variant> variants;
};
Registry& registry();

template <class Signature>
struct Export;
template <class R, class... A>
struct Export<R(A...)> {
    Export(const char* name, R (*function)(A...)) {
        registry().functions.push_back({name, std::is_void_v<R>,
                                        [function](const List& arguments) {
                                            return Unpack<R(A...)>::call(function, arguments);
                                        },
                                        [] { return List{type_value<std::decay_t<A>>()...}; }});
    }
};

/// Registers a variant of lesson::function, as another right one is:
///   ALTERNATIVE(project, by_blas, [](const Matrix& X, const Matrix& W) -> Matrix { … });
template <class Signature>
struct RegisterVariant;
template <class R, class... A>
struct RegisterVariant<R(A...)> {
    template <class Function>
    RegisterVariant(const char* function, const char* name, const char* explanation, Function other)
        : RegisterVariant(function, name, explanation, of_one_type(other)) {}

    RegisterVariant(const char* function, const char* name, const char* explanation,
                    std::function<R(A...)> other) {
        registry().variants.push_back(
            {function, name, explanation, [other = std::move(other)](const List& arguments) {
                 return Unpack<R(A...)>::call(other, arguments);
             }});
    }

private:
    /// A lambda without captures is a pointer: then its wrapper is compiled once for all variants.
    template <class Function>
    static std::function<R(A...)> of_one_type(Function other) {
        if constexpr (std::is_convertible_v<Function, R (*)(A...)>) {
            return static_cast<R (*)(A...)>(other);
        } else {
            return other;
        }
    }
};

} // namespace judge

// …_IN: of a function in another namespace, which replaces the exercise's own where arguments or
// result of that cannot travel.
#define ALTERNATIVE_IN(space, function, name, ...)                                                 \
    const judge::RegisterVariant<decltype(space::function)> alternative_##function##_##name(       \
        #function, #name, "", __VA_ARGS__)
#define ALTERNATIVE(function, name, ...) ALTERNATIVE_IN(lesson, function, name, __VA_ARGS__)

#ifdef JUDGE_VARIANTS
#define JUDGE_SHOWN_AS(function, text) static_assert(true)
#define JUDGE_FUNCTION_IN(space, function, ...) static_assert(true)
#elif defined(JUDGE_CHILD)
#define JUDGE_SHOWN_AS(function, text) static_assert(true)
#define JUDGE_FUNCTION_IN(space, function, ...)                                                    \
    namespace exported {                                                                           \
    const judge::Export<decltype(space::function)> function(#function, &space::function);          \
    }                                                                                              \
    static_assert(true)
#else
#include "judge/protocol.hpp"
#include "judge/remote.hpp"
// How a verdict shows a call to a function that replaces the exercise's own.
#define JUDGE_SHOWN_AS(function, text)                                                             \
    inline const judge::About shown_##function(#function, {.shown = text})
#define JUDGE_FUNCTION_IN(space, function, ...)                                                    \
    namespace graded {                                                                             \
    inline const judge::Remote<decltype(space::function)> function{#function, #__VA_ARGS__};       \
    }                                                                                              \
    static_assert(true)
#endif
#define JUDGE_FUNCTION(function, ...) JUDGE_FUNCTION_IN(lesson, function, __VA_ARGS__)
