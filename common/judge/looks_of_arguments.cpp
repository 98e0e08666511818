// The rows about arguments: the answer is one of them, or what is right for others.

#include "judge/looks_of_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "judge/blocks.hpp"

namespace judge {

namespace {

/// A way in which an argument may be misread. change: nothing where there is no such thing.
struct ChangeRow {
    const char* name;
    const char* sentence; // {} is the argument
    std::optional<Grid> (*change)(const Grid& given);
};

template <double (*of)(double)>
std::optional<Grid> each(const Grid& given) {
    Grid grid = given;
    std::transform(grid.numbers.begin(), grid.numbers.end(), grid.numbers.begin(), of);
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

/// A matrix whose lines are each changed by a number made of it.
template <Lines kind, double (*number_of)(const std::vector<double>&), double (*of)(double, double)>
std::optional<Grid> lines_changed(const Grid& given) {
    Grid grid = given;
    for (const auto& places : given.lines(kind)) {
        std::vector<double> line;
        for (const std::size_t k : places) {
            line.push_back(given.numbers[k]);
        }
        const double number = number_of(line);
        for (const std::size_t k : places) {
            grid.numbers[k] = of(given.numbers[k], number);
        }
    }
    return given.rank() == 2 ? std::optional(grid) : std::nullopt;
}

double sum_of(const std::vector<double>& line) {
    return std::accumulate(line.begin(), line.end(), 0.0);
}

double mean_of(const std::vector<double>& line) {
    return sum_of(line) / static_cast<double>(line.size());
}

double length_of(const std::vector<double>& line) {
    return std::sqrt(std::inner_product(line.begin(), line.end(), line.begin(), 0.0));
}

double divided(double x, double n) {
    return x / n;
}

double less(double x, double n) {
    return x - n;
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
    {"every_second_column_of_argument",
     "this is the right answer if every second column of {} were 0. Does an index grow by 2?",
     zero<[](const Place& p) { return p.column % 2 == 1; }>},
    {"first_row_of_argument_in_all", "this is the right answer if every row of {} were its first.",
     moved<[](const Place& p) { return p.column; }>},
    {"first_column_of_argument_in_all",
     "this is the right answer if every column of {} were its first.",
     moved<[](const Place& p) { return p.row * p.columns; }>},
    {"argument_read_by_columns",
     "this is the right answer for {} with its memory read as if it were stored column after column. "
     "It is stored row after row: element (i, j) is number i * columns + j, and reshape changes no order.",
     moved<[](const Place& p) { return p.column * p.rows + p.row; }>},
    {"rows_of_argument_of_length_one",
     "this is the right answer for {} with each row divided by its length.",
     lines_changed<Lines::rows, length_of, divided>},
    {"rows_of_argument_divided_by_sums",
     "this is the right answer for {} with each row divided by its sum.",
     lines_changed<Lines::rows, sum_of, divided>},
    {"rows_of_argument_centred",
     "this is the right answer for {} with the mean of each row subtracted from it.",
     lines_changed<Lines::rows, mean_of, less>},
    {"columns_of_argument_centred",
     "this is the right answer for {} with the mean of each column subtracted from it.",
     lines_changed<Lines::columns, mean_of, less>}};

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

const Array* array_in(const AnsweredCall& call, std::size_t k) {
    const Array* array = std::get_if<Array>(&call.arguments.at(k).data);
    return array != nullptr && array->kind == 'f' ? array : nullptr;
}

/// A size that the arguments have; of a call nothing where they have none of that name.
struct NamedSize {
    std::string name; // "the number of rows of X"
    std::function<std::optional<std::size_t>(const AnsweredCall&)> of;
};

/// Of several sizes that are alike in all calls, the first.
std::vector<NamedSize> different_sizes(const std::vector<AnsweredCall>& calls) {
    std::set<std::vector<std::optional<std::size_t>>> known;
    std::vector<NamedSize> different;
    const Sizes sizes = sizes_of(calls.front().parameters, calls.front().arguments);
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        const auto of = [s, name = sizes[s].first](const AnsweredCall& call) {
            const Sizes all = sizes_of(call.parameters, call.arguments);
            return s < all.size() && all[s].first == name
                       ? std::optional(static_cast<std::size_t>(all[s].second))
                       : std::nullopt;
        };
        std::vector<std::optional<std::size_t>> in_all;
        std::transform(calls.begin(), calls.end(), std::back_inserter(in_all), of);
        if (known.insert(in_all).second) {
            different.push_back({sizes[s].first, of});
        }
    }
    return different;
}

class Finder {
public:
    Finder(const std::vector<AnsweredCall>& calls, std::size_t member, const Reference& reference)
        : calls_(calls), first_(calls.front()), member_(member), reference_(reference) {}

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
            std::holds_alternative<Array>(first_.expected.data)) {
            add_right_for("applied_twice", "the function is applied twice, to its own answer.",
                          [](const AnsweredCall& call) { return List{call.expected}; });
        }
        for (std::size_t k = 0; reference_ && k < count; ++k) {
            const std::size_t rank =
                array_in(first_, k) == nullptr ? 0 : array_in(first_, k)->shape.size();
            if (rank == 1 || rank == 2) {
                add_parts(k, false, rank == 1 ? "elements" : "columns");
            }
            if (rank == 2) {
                add_parts(k, true, "rows");
            }
        }
        return std::move(rows_);
    }

private:
    std::string name_of(std::size_t k) const {
        return k < first_.parameters.size() ? first_.parameters[k] : "an argument";
    }

    void add(const std::string& name, const std::string& sentence,
             std::function<std::optional<Grid>(const AnsweredCall&)> test) {
        rows_.push_back({name, sentence, std::move(test)});
    }

    /// The right answer for a call's arguments after a change.
    void add_right_for(const std::string& name, const std::string& sentence,
                       std::function<std::optional<List>(const AnsweredCall&)> change) {
        add(name, sentence,
            [change = std::move(change), member = member_,
             &reference = reference_](const AnsweredCall& call) -> std::optional<Grid> {
                const std::optional<List> arguments = change(call);
                const auto right = arguments ? reference(*arguments) : std::nullopt;
                return right ? grid_of_part(*right, member) : std::nullopt;
            });
    }

    /// The same, of one argument.
    void add_right_with(std::size_t k, const std::string& name, const std::string& sentence,
                        const std::function<std::optional<Value>(const AnsweredCall&)>& change) {
        add_right_for(name, sentence, [=](const AnsweredCall& call) -> std::optional<List> {
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
            [=](const AnsweredCall& call) { return grid_of(call.arguments.at(k)); });
        add("an_argument_added", fmt::format("this is what it should be plus {}.", name_of(k)),
            [=, member = member_](const AnsweredCall& call) {
                auto sum = grid_of_part(call.expected, member);
                const auto added = grid_of(call.arguments.at(k));
                const bool fit = sum && added && sum->shape == added->shape;
                for (std::size_t i = 0; fit && i < sum->numbers.size(); ++i) {
                    sum->numbers[i] += added->numbers[i];
                }
                return sum;
            });
    }

    void add_other_members() {
        const Record* record = std::get_if<Record>(&first_.expected.data);
        for (std::size_t k = 0; record != nullptr && k < record->members.size(); ++k) {
            if (k != member_) {
                add("another_member",
                    fmt::format("this is what {} should be.", record->names.at(k)),
                    [=](const AnsweredCall& call) { return grid_of_part(call.expected, k); });
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
                       [=](const AnsweredCall& call) { return call.arguments[other]; });
        if (k < other) {
            add_right_for("arguments_swapped",
                          fmt::format("this is the right answer with {} and {} exchanged.",
                                      name_of(k), name_of(other)),
                          [=](const AnsweredCall& call) {
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
                           [=](const AnsweredCall& call) -> std::optional<Value> {
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
                           [=](const AnsweredCall& call) -> std::optional<Value> {
                               const auto count = std::get<std::uint64_t>(call.arguments[k].data);
                               return beside < 0 && count == 0
                                          ? std::nullopt
                                          : std::optional(
                                                Value{beside > 0 ? count + 1 : count - 1});
                           });
        }
    }

    /// How many rows or columns of an argument are kept, of so many.
    using Kept = std::function<std::size_t(const AnsweredCall& call, std::size_t count)>;

    /// What is right where the last rows, columns or elements of argument k are 0.
    void add_part(std::size_t k, bool rows, const char* name, const std::string& sentence,
                  const Kept& kept) {
        const auto count_of = [=](const AnsweredCall& call) -> std::size_t {
            const Array* array = array_in(call, k);
            return array == nullptr ? 0 : rows ? array->shape.front() : array->shape.back();
        };
        // All or nothing lost does not show where the rest begins.
        if (std::none_of(calls_.begin(), calls_.end(), [&](const AnsweredCall& call) {
                const std::size_t left = kept(call, count_of(call));
                return !call.right && left > 0 && left < count_of(call);
            })) {
            return;
        }
        add_right_with(k, name, sentence, [=](const AnsweredCall& call) -> std::optional<Value> {
            if (array_in(call, k) == nullptr) {
                return std::nullopt;
            }
            const std::size_t end = kept(call, count_of(call));
            return value_of(
                zero_where(*grid_of(call.arguments[k]),
                           [&](const Place& p) { return (rows ? p.row : p.column) >= end; }),
                *array_in(call, k));
        });
    }

    void add_parts(std::size_t k, bool rows, const char* kind) {
        const std::string lines = fmt::format("{} of {}", kind, name_of(k));
        for (const NamedSize& size : different_sizes(calls_)) {
            add_part(
                k, rows, "argument_up_to_another_size",
                fmt::format(
                    "this is the right answer if the {} after the first n were 0, where n is {}: a loop ends at the wrong size.",
                    lines, size.name),
                [of = size.of](const AnsweredCall& call, std::size_t count) {
                    return std::min(count, of(call).value_or(count));
                });
        }
        for (const std::size_t size : block_sizes) {
            for (const std::size_t from : {size, std::size_t{0}}) {
                add_part(
                    k, rows, "argument_in_whole_blocks",
                    fmt::format(
                        "this is the right answer if the last {} were 0 where {}their number is not a multiple of a block's size. "
                        "The remainder after the whole blocks is lost: add a loop for it.",
                        lines, where_some_are_lost(from)),
                    [=](const AnsweredCall&, std::size_t count) {
                        return in_whole_blocks(count, size, from);
                    });
            }
        }
    }

    const std::vector<AnsweredCall>& calls_;
    const AnsweredCall& first_;
    std::size_t member_;
    const Reference& reference_;
    std::vector<ArgumentRow> rows_;
};

} // namespace

std::vector<ArgumentRow> looks_of_arguments(const std::vector<AnsweredCall>& calls,
                                            std::size_t member, const Reference& reference) {
    return Finder(calls, member, reference).find();
}

} // namespace judge
