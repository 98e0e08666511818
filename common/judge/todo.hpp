#pragma once

#include <stdexcept>
#include <string>

namespace judge {

/// An exercise's id, and where in the source it was named.
struct TodoPlace {
    TodoPlace(const char* exercise_id, const char* in_file = __builtin_FILE(),
              const char* in_function = __builtin_FUNCTION())
        : exercise(exercise_id), file(in_file), function(in_function) {}

    const char* exercise;
    const char* file;
    const char* function;
};

/// Thrown by a stub. A type of its own, so that "not started" is never mistaken for an error that
/// an exercise wants.
class not_implemented : public std::logic_error {
public:
    explicit not_implemented(const TodoPlace& place)
        : std::logic_error(std::string(place.exercise) + " is not written yet"), place_(place) {}

    const TodoPlace& place() const { return place_; }

private:
    TodoPlace place_;
};

} // namespace judge

/// Marks what is not written yet: throws. Delete the call when you replace it. The arguments are
/// only named, so that a stub compiles without a warning about unused parameters.
///   todo("03.2", scores);
template <class... Arguments>
[[noreturn]] void todo(const judge::TodoPlace& exercise, const Arguments&...) {
    throw judge::not_implemented(exercise);
}
