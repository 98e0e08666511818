#include "judge/failure_details.hpp"

#include <algorithm>
#include <set>

#include "judge/session.hpp"
#include "judge/value_json.hpp"
#include "judge/where.hpp"

namespace judge {

namespace {

/// As many significant digits as it takes to recognise an argument's numbers, four, or to show
/// different numbers as different. The compared values have more.
int argument_digits(const Value& value) {
    constexpr int fewest = 4, most = 17;
    const Array* array = std::get_if<Array>(&value.data);
    if (array == nullptr) {
        return fewest;
    }
    std::set<double> numbers;
    for (std::size_t i = 0; i < array->count(); ++i) {
        numbers.insert(array->at(i));
    }
    for (int digits = fewest; digits < most; ++digits) {
        std::set<std::string> texts;
        for (const double number : numbers) {
            texts.insert(number_text(number, digits));
        }
        if (texts.size() == numbers.size()) {
            return digits;
        }
    }
    return most;
}

bool is_small(const Value& value) {
    const Array* array = std::get_if<Array>(&value.data);
    return array == nullptr || array->count() <= 64;
}

/// For a batch, the element with the failure: an index for an argument with as many elements.
std::vector<std::size_t> slice_of(const Failure& failure, const Value& argument) {
    const Array* array = std::get_if<Array>(&argument.data);
    if (!failure.mismatch || failure.mismatch->index.size() < 3 || array == nullptr ||
        array->shape.size() < 3 || array->shape[0] <= failure.mismatch->index[0]) {
        return {};
    }
    return {failure.mismatch->index[0]};
}

void add_indented(Block& lines, const std::vector<std::string>& more) {
    for (const std::string& line : more) {
        lines.push_back(line.empty() ? "" : "  " + line);
    }
}

} // namespace

Block details_of(const Failure& failure) {
    Block lines;
    if (failure.call) {
        const RecordedCall& call = session().calls()[*failure.call];
        std::vector<Block> arguments;
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const std::string& name = call.parameters.at(i);
            arguments.push_back(is_small(call.arguments[i]) && !failure.shapes_only
                                    ? block(name, call.arguments[i],
                                            slice_of(failure, call.arguments[i]),
                                            argument_digits(call.arguments[i]))
                                    : Block{name + " " + shape_text(call.arguments[i])});
        }
        lines = wrap(session().shown(call) + (arguments.empty() ? "" : " with"), "");
        if (!arguments.empty()) {
            lines.emplace_back();
        }
        add_indented(lines, beside(arguments));
    }
    if (!failure.lines.empty()) {
        lines.emplace_back();
        add_indented(lines, failure.lines);
    }
    if (failure.expected && failure.actual && failure.mismatch) {
        const Mismatch& mismatch = *failure.mismatch;
        const std::string suffix = mismatch.member.empty() ? "" : " " + mismatch.member;
        lines.emplace_back();
        add_indented(
            lines, beside({block("yours" + suffix, member_of(*failure.actual, mismatch.member),
                                 mismatch.index),
                           block("expected" + suffix, member_of(*failure.expected, mismatch.member),
                                 mismatch.index)}));
    }
    return lines;
}

std::string call_of(const Failure& failure) {
    if (!failure.call) {
        return "";
    }
    const RecordedCall& call = session().calls()[*failure.call];
    if (!std::ranges::all_of(call.arguments, is_small)) {
        return "";
    }
    return json_text(call.function, call.parameters, call.arguments);
}

Block with_place(Block details, const Failure& failure, State state, const std::string& source) {
    if (!failure.call || source.empty()) {
        return details;
    }
    const RecordedCall& call = session().calls()[*failure.call];
    const bool threw = std::holds_alternative<Threw>(call.outcome);
    if (threw || state == State::crashed || state == State::ran_too_long) {
        if (const auto place = where_it_ends(session(), call, source)) {
            const char* when = threw                     ? "It throws in "
                               : state == State::crashed ? "It crashes in "
                                                         : "After 1 s it is in ";
            const Block where{when + place_text(*place), ""};
            details.insert(details.begin(), where.begin(), where.end());
        }
    }
    return details;
}

constexpr std::size_t most_drawn = 1024; // numbers

std::vector<std::vector<double>> rows_of(const Value& value) {
    if (const Record* record = std::get_if<Record>(&value.data)) {
        std::vector<std::vector<double>> curve;
        for (std::size_t i = 0; i < record->members.size(); ++i) {
            const Value& member = record->members[i];
            const Array* array = std::get_if<Array>(&member.data);
            const List* list = std::get_if<List>(&member.data);
            if (record->names[i] == "weights" && array != nullptr && array->shape.size() == 3 &&
                array->shape[0] > 0) {
                Array first = *array;
                first.shape.erase(first.shape.begin());
                first.bytes.resize(first.bytes.size() / array->shape[0]);
                return rows_of({first});
            }
            curve.emplace_back();
            for (std::size_t k = 0; array != nullptr && k < array->count(); ++k) {
                curve.back().push_back(array->at(k));
            }
            for (std::size_t k = 0; list != nullptr && k < list->size(); ++k) {
                const auto* number = std::get_if<std::uint64_t>(&(*list)[k].data);
                curve.back().push_back(number == nullptr ? 0 : static_cast<double>(*number));
            }
        }
        return curve;
    }
    const Array* array = std::get_if<Array>(&value.data);
    std::vector<std::vector<double>> rows;
    if (array != nullptr && array->shape.size() == 2 && array->count() <= most_drawn) {
        for (std::size_t k = 0; k < array->count(); ++k) {
            if (k % array->shape[1] == 0) {
                rows.emplace_back();
            }
            rows.back().push_back(array->at(k));
        }
    }
    return rows;
}

} // namespace judge
