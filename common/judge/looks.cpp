#include "judge/looks.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/compare.hpp"
#include "judge/looks_table.hpp"

namespace judge {

namespace {

constexpr std::size_t enough_alike = 2; // wrong answers that look alike
constexpr std::size_t enough_right = 5;

/// How much a row explains of the answers.
struct Count {
    std::size_t supports = 0;    // wrong, and as predicted
    std::size_t right = 0;       // right, as predicted
    std::size_t contradicts = 0; // not as predicted
    std::size_t silent = 0;      // wrong, and the row says nothing about it
};

/// An answer, or one member of it, with its numbers.
struct Answer {
    Pair pair;
    bool right;
    const JudgedCall* call;
};

using Test = std::function<std::optional<Grid>(const Answer&)>;

class Looks {
public:
    explicit Looks(std::vector<Answer> answers) : answers_(std::move(answers)) {
        for (const Answer& one : answers_) {
            if (!one.right) {
                wrong_.push_back(one.pair);
            }
        }
    }

    /// The first row that explains enough: certain ones first, then elements, arguments and places.
    std::optional<Explanation> find(const std::vector<ArgumentRow>& about_arguments) const {
        const std::vector<LookRow> places = looks_of_places(wrong_);
        for (const LookRow& row : places) {
            if (auto look = row.exact ? of_row(row) : std::nullopt; look && look->decisive) {
                return look;
            }
        }
        for (const LookRow& row : looks_of_elements(wrong_)) {
            if (auto look = of_row(row)) {
                return look;
            }
        }
        if (auto look = best_of(about_arguments)) {
            return look;
        }
        for (const LookRow& row : places) {
            if (auto look = of_row(row)) {
                return look;
            }
        }
        return std::nullopt;
    }

private:
    /// The first kind of rows that explains enough; of that kind, the one that explains most.
    std::optional<Explanation> best_of(const std::vector<ArgumentRow>& rows) const {
        std::optional<Explanation> best;
        for (const ArgumentRow& row : rows) {
            if (best && best->name != row.name) {
                continue;
            }
            const auto test = [&](const Answer& one) {
                auto predicted = row.test(*one.call);
                const bool says_nothing = predicted && !tells(*predicted, one.pair.expected) &&
                                          !one.right &&
                                          fits(one.pair.yours, *predicted, one.pair.expected);
                return says_nothing ? std::nullopt : predicted;
            };
            auto look = explained_by(row.name, row.sentence, false, test);
            if (look && (!best || look->explained > best->explained)) {
                best = std::move(look);
            }
        }
        return best;
    }

    /// NaN and all zeros are the answer for too many arguments to identify any.
    static bool tells(const Grid& predicted, const Grid& expected) {
        return (all_finite(predicted) || !all_finite(expected)) && !is_all_zero(predicted);
    }

    std::optional<Explanation> of_row(const LookRow& row) const {
        auto look = explained_by(row.name, row.sentence, row.always,
                                 [&](const Answer& one) { return row.test(one.pair); });
        if (look) {
            look->decisive = row.exact && look->explained == answers_.size() && shows_something();
        }
        return look;
    }

    /// Whether a wrong answer has anything in it but zeros.
    bool shows_something() const {
        return std::ranges::any_of(wrong_,
                                   [](const Pair& pair) { return !is_all_zero(pair.yours); });
    }

    std::optional<Explanation> explained_by(const std::string& name, const std::string& sentence,
                                            bool always, const Test& test) const {
        Count count;
        for (const Answer& one : answers_) {
            const std::optional<Grid> predicted = test(one);
            if (!predicted) {
                count.silent += one.right ? 0 : 1;
            } else if (one.right) {
                ++(same_numbers(one.pair.yours, *predicted) ? count.right : count.contradicts);
            } else {
                const bool alike = fits(one.pair.yours, *predicted, one.pair.expected);
                ++(alike ? count.supports : count.contradicts);
            }
            if (4 * count.contradicts > (always ? 0 : answers_.size())) {
                return std::nullopt;
            }
        }
        const bool many = count.supports >= enough_alike &&
                          count.supports >= 3 * count.contradicts &&
                          2 * count.supports >= count.silent;
        // One wrong answer among many right ones, none of which speaks against it, is enough.
        const bool one_of_many = count.supports == 1 && wrong_.size() == 1 &&
                                 count.contradicts == 0 && count.right >= enough_right &&
                                 wrong_.front().yours.numbers.size() >= 3;
        const std::size_t explained = count.supports + count.right;
        return many || one_of_many
                   ? std::optional(Explanation{name, sentence, explained,
                                               explained + count.contradicts, Certainty::look})
                   : std::nullopt;
    }

    std::vector<Answer> answers_;
    std::vector<Pair> wrong_;
};

/// The members of a struct; a value of any other kind is its own only member, without a name.
std::vector<std::pair<std::string, const Value*>> members_of(const Value& value) {
    const Record* record = std::get_if<Record>(&value.data);
    if (record == nullptr) {
        return {{"", &value}};
    }
    std::vector<std::pair<std::string, const Value*>> members;
    for (std::size_t i = 0; i < record->members.size(); ++i) {
        members.emplace_back(i < record->names.size() ? record->names[i] : "", &record->members[i]);
    }
    return members;
}

/// The answers' numbers in a member, without those that failed. Nothing if it is not an array of
/// numbers.
std::optional<std::vector<Answer>> numbers_of(const std::vector<JudgedCall>& calls,
                                              std::size_t member) {
    std::vector<Answer> answers;
    for (const JudgedCall& call : calls) {
        if (call.actual() == nullptr) {
            continue;
        }
        const auto expected = members_of(call.expected());
        const auto actual = members_of(*call.actual());
        const auto yours =
            actual.size() == expected.size() ? grid_of(*actual.at(member).second) : std::nullopt;
        const auto right = grid_of(*expected.at(member).second);
        if (!yours || !right) {
            return std::nullopt;
        }
        const Grid rounded = without_rounding(*yours, *right);
        const bool equal_floats =
            yours->of_floats && rounded.shape == right->shape && rounded.numbers == right->numbers;
        const bool is_right =
            call.is_right ||
            (expected.size() > 1 &&
             (equal_floats ||
              !compare(*actual.at(member).second, *expected.at(member).second, of_two_right_ways)));
        answers.push_back(
            {{rounded, *right, sizes_of(call.parameters, call.arguments)}, is_right, &call});
    }
    return answers;
}

/// The explanation of several members, as one.
Explanation together(const std::vector<std::pair<Explanation, std::vector<std::string>>>& found) {
    Explanation all = found.front().first;
    if (found.front().second.front().empty()) {
        return all;
    }
    all.text.clear();
    for (const auto& [look, names] : found) {
        all.text += fmt::format("{}in {}: {}", all.text.empty() ? "" : " And ",
                                fmt::join(names, " and "), look.text);
        if (look.explained * all.answers < all.explained * look.answers) { // a smaller share
            all.explained = look.explained;
            all.answers = look.answers;
        }
    }
    return all;
}

} // namespace

std::string axis_name(std::size_t rank, std::size_t axis) {
    return rank == 1          ? "the length"
           : axis + 1 == rank ? "the number of columns"
           : axis + 2 == rank ? "the number of rows"
                              : "the first size";
}

Sizes sizes_of(const std::vector<std::string>& parameters, const List& arguments) {
    Sizes sizes;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string name = k < parameters.size() ? parameters[k] : "";
        const Array* array = std::get_if<Array>(&arguments[k].data);
        if (const auto* whole = std::get_if<std::uint64_t>(&arguments[k].data)) {
            sizes.emplace_back(name, static_cast<double>(*whole));
        }
        for (std::size_t axis = 0; array != nullptr && axis < array->shape.size(); ++axis) {
            sizes.emplace_back(fmt::format("{} of {}", axis_name(array->shape.size(), axis), name),
                               static_cast<double>(array->shape[axis]));
        }
    }
    return sizes;
}

std::optional<Explanation> look_of(const std::vector<JudgedCall>& calls,
                                   const Reference& reference) {
    if (calls.empty()) {
        return std::nullopt;
    }
    const auto members = members_of(calls.front().expected());
    std::vector<std::pair<Explanation, std::vector<std::string>>> found; // each with its members
    for (std::size_t member = 0; member < members.size(); ++member) {
        auto answers = numbers_of(calls, member);
        if (!answers) {
            return std::nullopt;
        }
        if (std::all_of(answers->begin(), answers->end(),
                        [](const auto& one) { return one.right; })) {
            continue;
        }
        const auto look =
            Looks(std::move(*answers)).find(looks_of_arguments(calls, member, reference));
        if (!look) {
            return std::nullopt;
        }
        const auto alike = std::ranges::find_if(
            found, [&](const auto& other) { return other.first.text == look->text; });
        if (alike == found.end()) {
            found.push_back({*look, {members[member].first}});
        } else {
            alike->second.push_back(members[member].first);
        }
    }
    return found.empty() ? std::nullopt : std::optional(together(found));
}

} // namespace judge
