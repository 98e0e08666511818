#include "judge/equal_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/compare.hpp"

namespace judge {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 4000ms; // for one call in a new process
constexpr std::size_t most_calls = 4;

const Array* numbers_in(const Value& value) {
    const Array* array = std::get_if<Array>(&value.data);
    const bool doubles = array != nullptr && array->kind == 'f' && array->size == sizeof(double);
    return doubles && array->count() > 0 ? array : nullptr;
}

/// The arguments that are the same array as one before them or after them.
std::vector<std::size_t> equal_ones(const List& arguments) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        for (std::size_t j = 0; j < arguments.size(); ++j) {
            const Array* a = numbers_in(arguments[i]);
            const Array* b = numbers_in(arguments[j]);
            if (i != j && a != nullptr && b != nullptr && a->shape == b->shape &&
                a->bytes == b->bytes) {
                found.push_back(i);
                break;
            }
        }
    }
    return found;
}

/// Every number by `times` of what a double can tell apart.
void nudge(Value& argument, std::size_t times) {
    Array& array = std::get<Array>(argument.data);
    for (std::size_t i = 0; i < array.count(); ++i) {
        double number = 0;
        std::memcpy(&number, array.bytes.data() + i * sizeof number, sizeof number);
        for (std::size_t n = 0; n < times; ++n) {
            number = std::nextafter(number, std::numeric_limits<double>::infinity());
        }
        std::memcpy(array.bytes.data() + i * sizeof number, &number, sizeof number);
    }
}

bool same(const Outcome& a, const Outcome& b) {
    const Returned* x = std::get_if<Returned>(&a);
    const Returned* y = std::get_if<Returned>(&b);
    return x != nullptr && y != nullptr && !compare(x->value, y->value);
}

} // namespace

std::optional<GenericMistake> trouble_with_equal_arguments(const Session& session,
                                                           std::size_t failing,
                                                           const std::vector<Outcome>& reference,
                                                           Child& right_child) {
    const std::vector<RecordedCall>& calls = session.calls();
    std::vector<std::size_t> wrong;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const bool answers = std::holds_alternative<Returned>(reference[i]);
        if (answers && calls[i].function == calls[failing].function &&
            !same(calls[i].outcome, reference[i])) {
            wrong.push_back(i);
        }
    }
    const bool only_there =
        !wrong.empty() && std::all_of(wrong.begin(), wrong.end(), [&](std::size_t i) {
            return !equal_ones(calls[i].arguments).empty();
        });
    if (!only_there) {
        return std::nullopt;
    }
    std::set<std::size_t> equal_somewhere;
    for (const std::size_t i : wrong) {
        const std::vector<std::size_t> equal = equal_ones(calls[i].arguments);
        equal_somewhere.insert(equal.begin(), equal.end());
    }
    wrong.resize(std::min(wrong.size(), most_calls));
    Child child = session.fresh_child(patience);
    for (const std::size_t i : wrong) {
        List arguments = calls[i].arguments;
        const std::vector<std::size_t> equal = equal_ones(arguments);
        for (std::size_t k = 0; k < equal.size(); ++k) {
            nudge(arguments[equal[k]], k);
        }
        if (same(child.call(calls[i].function, calls[i].arguments, session.variant()),
                 reference[i]) ||
            !same(child.call(calls[i].function, arguments, session.variant()),
                  right_child.call(calls[i].function, arguments))) {
            return std::nullopt;
        }
    }
    std::vector<std::string> names;
    for (const std::size_t k : equal_somewhere) {
        names.push_back(k < calls[wrong.front()].parameters.size()
                            ? calls[wrong.front()].parameters[k]
                            : fmt::format("argument {}", k + 1));
    }
    const std::string last = names.back();
    names.pop_back();
    return GenericMistake{
        "wrong_where_arguments_are_equal",
        fmt::format(
            "it is wrong only where {}{} and {} are the same array: where their last digits differ "
            "the answer is right. Are they compared, their addresses or their "
            "numbers? Two arguments may be equal, and each has its own part all the same.",
            names.size() > 1 ? "at least two of " : "", fmt::join(names, ", "), last)};
}

} // namespace judge
