// The rows about arguments: the answer is an argument, or right for other arguments.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "judge/looks_table.hpp"

namespace judge {

namespace {

/// A way to misread an argument. change: nothing if it does not apply.
struct ChangeRow {
    const char* name;
    const char* sentence; // {} is the argument
    std::optional<Grid> (*change)(const Grid& given);
};

template <double (*of)(double)>
std::optional<Grid> each(const Grid& given) {
    Grid grid = given;
    std::ranges::transform(grid.numbers, grid.numbers.begin(), of);
    return grid;
}

/// A matrix whose numbers are moved, or transposed.
template <std::size_t (*from)(const Place&)>
std::optional<Grid> moved(const Grid& given) {
    if (given.rank() != 2) {
        return std::nullopt;
    }
    Grid grid = given;
    for (const Place& place : given.places()) {
        grid.numbers[place.index()] = given.numbers[from(place)];
    }
    return grid;
}

std::optional<Grid> transposed(const Grid& given) {
    if (given.rank() != 2) {
        return std::nullopt;
    }
    Grid grid{{given.columns(), given.rows()}, given.numbers};
    for (const Place& place : grid.places()) {
        grid.numbers[place.index()] = given.numbers[place.column * given.columns() + place.row];
    }
    return grid;
}

template <bool (*is_zero)(const Place&)>
std::optional<Grid> zero(const Grid& given) {
    return given.rank() < 2 ? std::nullopt : std::optional(zero_where(given, is_zero));
}

const std::vector<ChangeRow> changes{
    {"argument_transposed", "this is the right answer for {} transposed.", transposed},
    {"argument_negated", "this is the right answer for -{}.",
     each<[](double x) -> double { return -x; }>},
    {"argument_without_sign", "this is the right answer for |{}|: its signs are lost.",
     each<[](double x) -> double { return std::abs(x); }>},
    {"argument_cut",
     "this is the right answer for {} cut to whole numbers. Is it stored in an integer type?",
     each<[](double x) -> double { return std::trunc(x); }>},
    {"argument_twice", "this is the right answer for 2 times {}.",
     each<[](double x) -> double { return 2 * x; }>},
    {"argument_half", "this is the right answer for half of {}.",
     each<[](double x) -> double { return x / 2; }>},
    {"argument_all_one", "this is the right answer if every element of {} were 1. Is it not used?",
     each<[](double) -> double { return 1; }>},
    {"argument_all_zero", "this is the right answer if every element of {} were 0.",
     each<[](double) -> double { return 0; }>},
    {"last_column_of_argument",
     "this is the right answer if the last column of {} were 0. Does a loop end one too early?",
     zero<[](const Place& p) { return p.column + 1 == p.columns; }>},
    {"first_column_of_argument",
     "this is the right answer if the first column of {} were 0. Does a loop start at 1?",
     zero<[](const Place& p) { return p.column == 0; }>},
    {"last_row_of_argument",
     "this is the right answer if the last row of {} were 0. Does a loop end one too early?",
     zero<[](const Place& p) { return p.row + 1 == p.rows; }>},
    {"first_row_of_argument",
     "this is the right answer if the first row of {} were 0. Does a loop start at 1?",
     zero<[](const Place& p) { return p.row == 0; }>},
    {"first_row_of_argument_in_all", "this is the right answer if every row of {} were its first.",
     moved<[](const Place& p) { return p.column; }>},
    {"argument_read_by_columns",
     "this is the right answer for {} with its memory read as if it were stored column after column. "
     "It is stored row after row: element (i, j) is number i * columns + j, and reshape changes no order.",
     moved<[](const Place& p) { return p.column * p.rows + p.row; }>}};

const Value* part_of(const Value& value, std::size_t member) {
    const Record* record = std::get_if<Record>(&value.data);
    if (record == nullptr) {
        return member == 0 ? &value : nullptr;
    }
    return member < record->members.size() ? &record->members[member] : nullptr;
}

std::optional<Grid> grid_of_part(const Value& value, std::size_t member) {
    const Value* part = part_of(value, member);
    return part == nullptr ? std::nullopt : grid_of(*part);
}

const Array* array_in(const JudgedCall& call, std::size_t k) {
    const Array* array = std::get_if<Array>(&call.arguments.at(k).data);
    return array != nullptr && array->kind == 'f' ? array : nullptr;
}

class Finder {
public:
    Finder(const std::vector<JudgedCall>& calls, std::size_t member, const Reference& reference)
        : first_(calls.front()), member_(member), reference_(reference) {}

    std::vector<ArgumentRow> find() {
        const std::size_t count = first_.arguments.size();
        for (std::size_t k = 0; k < count; ++k) {
            add_argument_itself(k);
        }
        add_other_members();
        for (std::size_t k = 0; reference_ && k < count; ++k) {
            for (std::size_t other = 0; other < count; ++other) {
                add_two_arguments(k, other);
            }
            add_changes(k);
            add_count_beside(k);
        }
        if (reference_ && count == 1 && array_in(first_, 0) != nullptr &&
            std::holds_alternative<Array>(first_.expected().data)) {
            add_right_for("applied_twice", "the function is applied twice, to its own answer.",
                          [](const JudgedCall& call) { return List{call.expected()}; });
        }
        return std::move(rows_);
    }

private:
    std::string name_of(std::size_t k) const {
        return k < first_.parameters.size() ? first_.parameters[k] : "an argument";
    }

    void add(const std::string& name, const std::string& sentence,
             std::function<std::optional<Grid>(const JudgedCall&)> test) {
        rows_.push_back({name, sentence, std::move(test)});
    }

    /// The right answer for a call's arguments after a change.
    void add_right_for(const std::string& name, const std::string& sentence,
                       std::function<std::optional<List>(const JudgedCall&)> change) {
        add(name, sentence,
            [change = std::move(change), member = member_,
             &reference = reference_](const JudgedCall& call) -> std::optional<Grid> {
                const std::optional<List> arguments = change(call);
                const auto right = arguments ? reference(*arguments) : std::nullopt;
                return right ? grid_of_part(*right, member) : std::nullopt;
            });
    }

    /// The same, of one argument.
    void add_right_with(std::size_t k, const std::string& name, const std::string& sentence,
                        const std::function<std::optional<Value>(const JudgedCall&)>& change) {
        add_right_for(name, sentence, [=](const JudgedCall& call) -> std::optional<List> {
            auto changed = change(call);
            List arguments = call.arguments;
            if (!changed) {
                return std::nullopt;
            }
            arguments[k] = std::move(*changed);
            return arguments;
        });
    }

    void add_argument_itself(std::size_t k) {
        add("an_argument", fmt::format("this is {}, as it was given.", name_of(k)),
            [=](const JudgedCall& call) { return grid_of(call.arguments.at(k)); });
    }

    void add_other_members() {
        const Record* record = std::get_if<Record>(&first_.expected().data);
        for (std::size_t k = 0; record != nullptr && k < record->members.size(); ++k) {
            if (k != member_) {
                add("another_member",
                    fmt::format("this is what {} should be.", record->names.at(k)),
                    [=](const JudgedCall& call) { return grid_of_part(call.expected(), k); });
            }
        }
    }

    void add_two_arguments(std::size_t k, std::size_t other) {
        if (k == other || array_in(first_, k) == nullptr || array_in(first_, other) == nullptr) {
            return;
        }
        add_right_with(k, "one_argument_for_another",
                       fmt::format("this is the right answer with {} in place of {}.",
                                   name_of(other), name_of(k)),
                       [=](const JudgedCall& call) { return call.arguments[other]; });
        if (k < other) {
            add_right_for("arguments_swapped",
                          fmt::format("this is the right answer with {} and {} exchanged.",
                                      name_of(k), name_of(other)),
                          [=](const JudgedCall& call) {
                              List arguments = call.arguments;
                              std::swap(arguments[k], arguments[other]);
                              return arguments;
                          });
        }
    }

    void add_changes(std::size_t k) {
        for (const ChangeRow& row : changes) {
            if (array_in(first_, k) == nullptr) {
                return;
            }
            add_right_with(k, row.name, fmt::format(fmt::runtime(row.sentence), name_of(k)),
                           [=](const JudgedCall& call) -> std::optional<Value> {
                               const Array* array = array_in(call, k);
                               const auto changed = array == nullptr
                                                        ? std::nullopt
                                                        : row.change(*grid_of(call.arguments[k]));
                               return changed ? std::optional(value_of(*changed, *array))
                                              : std::nullopt;
                           });
        }
    }

    /// A whole number that is one too large or too small.
    void add_count_beside(std::size_t k) {
        for (const int beside : {1, -1}) {
            if (!std::holds_alternative<std::uint64_t>(first_.arguments[k].data)) {
                return;
            }
            add_right_with(k, "a_count_beside",
                           fmt::format("this is the right answer for {} {} 1.", name_of(k),
                                       beside > 0 ? "+" : "-"),
                           [=](const JudgedCall& call) -> std::optional<Value> {
                               const auto count = std::get<std::uint64_t>(call.arguments[k].data);
                               return beside < 0 && count == 0
                                          ? std::nullopt
                                          : std::optional(
                                                Value{beside > 0 ? count + 1 : count - 1});
                           });
        }
    }

    const JudgedCall& first_;
    std::size_t member_;
    const Reference& reference_;
    std::vector<ArgumentRow> rows_;
};

} // namespace

std::vector<ArgumentRow> looks_of_arguments(const std::vector<JudgedCall>& calls,
                                            std::size_t member, const Reference& reference) {
    return Finder(calls, member, reference).find();
}

} // namespace judge
