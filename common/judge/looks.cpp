#include "judge/looks.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/compare.hpp"
#include "judge/looks_of_arrays.hpp"
#include "judge/other_arguments.hpp"

namespace judge {

namespace {

constexpr std::size_t enough_alike = 2; // wrong answers that look alike

constexpr std::size_t enough_right = 5;

/// What a look explains of the answers.
struct Count {
    std::size_t supports = 0;    // wrong, and as predicted
    std::size_t right = 0;       // right, as predicted
    std::size_t contradicts = 0; // not as predicted
    std::size_t silent = 0;      // wrong, and there is no telling
};

bool is_explained(const Count& count) {
    return count.supports >= enough_alike && count.supports >= 3 * count.contradicts &&
           2 * count.supports >= count.silent;
}

/// One answer, or one member of it, with the numbers in it.
struct Seen {
    Pair pair;
    bool right;
    std::size_t answer; // its index
};

class Looker {
public:
    Looker(const std::vector<Judged>& answers, std::vector<Seen> seen)
        : answers_(answers), seen_(std::move(seen)) {
        for (const Seen& one : seen_) {
            if (!one.right) {
                wrong_.push_back(one.pair);
            }
        }
    }

    std::optional<Look> find(const std::vector<Other>& others) const {
        std::vector<Turn> of_places = turns_of_places(wrong_);
        for (const Turn& turn : of_places) {
            if (auto look = turn.exact ? of_turn(turn) : std::nullopt; look && look->certain) {
                return look;
            }
        }
        for (const Turn& turn : turns_of_elements(wrong_)) {
            if (auto look = of_turn(turn)) {
                return look;
            }
        }
        if (auto look = best_of(others)) {
            return look;
        }
        std::vector<Turn> turns = std::move(of_places);
        if (auto shapes = turn_of_shapes(wrong_)) {
            turns.push_back(std::move(*shapes));
        }
        for (Turn& turn : turns_of_accidents()) {
            turns.push_back(std::move(turn));
        }
        for (const Turn& turn : turns) {
            if (auto look = of_turn(turn)) {
                return look;
            }
        }
        return std::nullopt;
    }

private:
    /// The first kind of them that explains enough: of its kind, the one that explains most.
    std::optional<Look> best_of(const std::vector<Other>& others) const {
        std::optional<Look> best;
        for (const Other& other : others) {
            if (best && best->name != other.name) {
                continue;
            }
            auto look = of_predictions(other.name, other.explanation, [&](const Seen& one) {
                return other.answer(answers_[one.answer]);
            });
            if (look && (!best || look->explained > best->explained)) {
                best = std::move(look);
            }
        }
        return best;
    }

    std::optional<Look> of_turn(const Turn& turn) const {
        auto look = of_predictions(
            turn.name, turn.explanation, [&](const Seen& one) { return turn.turned(one.pair); },
            turn.always);
        if (look) {
            look->certain = turn.exact && look->explained == seen_.size() && shows_something();
        }
        return look;
    }

    /// Whether a wrong answer has anything in it but zeros.
    bool shows_something() const {
        return std::any_of(wrong_.begin(), wrong_.end(), [](const Pair& pair) {
            return std::any_of(pair.got.numbers.begin(), pair.got.numbers.end(),
                               [](double x) { return x != 0; });
        });
    }

    template <class Predict>
    std::optional<Look> of_predictions(const std::string& name, const std::string& explanation,
                                       const Predict& predict, bool always = false) const {
        Count count;
        for (const Seen& one : seen_) {
            const std::optional<Grid> predicted = predict(one);
            if (!predicted) {
                count.silent += one.right ? 0 : 1;
            } else if (one.right) {
                ++(same_numbers(one.pair.got, *predicted) ? count.right : count.contradicts);
            } else {
                const bool alike = fits(one.pair.got, *predicted, one.pair.expected);
                ++(alike ? count.supports : count.contradicts);
            }
            if (4 * count.contradicts > (always ? 0 : seen_.size())) {
                return std::nullopt;
            }
        }
        // One wrong answer among many right ones, none of which speaks against it, is enough.
        const bool one_of_many = count.supports == 1 && wrong_.size() == 1 &&
                                 count.contradicts == 0 && count.right >= enough_right &&
                                 wrong_.front().got.numbers.size() >= 3;
        if (!is_explained(count) && !one_of_many) {
            return std::nullopt;
        }
        const std::size_t explained = count.supports + count.right;
        return Look{name, explanation, explained, explained + count.contradicts};
    }

    const std::vector<Judged>& answers_;
    std::vector<Seen> seen_;
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

/// What a member looks like over all answers, those of which nothing is known left out. Nothing if
/// it is no array of numbers.
std::optional<std::vector<Seen>> seen_of(const std::vector<Judged>& answers, std::size_t member) {
    std::vector<Seen> seen;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (!answers[i].actual) {
            continue;
        }
        const auto expected = members_of(answers[i].expected);
        const auto actual = members_of(*answers[i].actual);
        const auto got =
            actual.size() == expected.size() ? grid_of(*actual.at(member).second) : std::nullopt;
        const auto right = grid_of(*expected.at(member).second);
        if (!got || !right) {
            return std::nullopt;
        }
        const Grid rounded = without_rounding(*got, *right);
        const bool is_right =
            answers[i].right ||
            (expected.size() > 1 &&
             (!compare(*actual.at(member).second, *expected.at(member).second, of_two_right_ways) ||
              (got->of_floats && rounded.shape == right->shape &&
               rounded.numbers == right->numbers)));
        seen.push_back({{rounded, *right, sizes_of(answers[i].parameters, answers[i].arguments)},
                        is_right,
                        i});
    }
    return seen;
}

bool all_right(const std::vector<Seen>& seen) {
    return std::all_of(seen.begin(), seen.end(), [](const Seen& one) { return one.right; });
}

} // namespace

std::vector<std::pair<std::string, double>> sizes_of(const std::vector<std::string>& parameters,
                                                     const List& arguments) {
    std::vector<std::pair<std::string, double>> sizes;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string name = k < parameters.size() ? parameters[k] : "";
        const Array* array = std::get_if<Array>(&arguments[k].data);
        if (const auto* whole = std::get_if<std::uint64_t>(&arguments[k].data)) {
            sizes.emplace_back(name, static_cast<double>(*whole));
        }
        for (std::size_t axis = 0; array != nullptr && axis < array->shape.size(); ++axis) {
            const std::size_t rank = array->shape.size();
            const std::string what = rank == 1          ? "length"
                                     : axis + 2 == rank ? "number of rows"
                                     : axis + 1 == rank ? "number of columns"
                                                        : "first size";
            sizes.emplace_back(fmt::format("the {} of {}", what, name),
                               static_cast<double>(array->shape[axis]));
        }
    }
    return sizes;
}

std::optional<Look> look_of(const std::vector<Judged>& answers, const Ask& ask) {
    if (answers.empty()) {
        return std::nullopt;
    }
    const auto members = members_of(answers.front().expected);
    std::vector<std::pair<Look, std::vector<std::string>>> found; // each with its members
    for (std::size_t member = 0; member < members.size(); ++member) {
        const auto seen = seen_of(answers, member);
        if (!seen) {
            return std::nullopt;
        }
        if (all_right(*seen)) {
            continue;
        }
        auto look = Looker(answers, *seen).find(others_of(answers, member, ask));
        if (!look) {
            return std::nullopt;
        }
        const auto alike = std::find_if(found.begin(), found.end(), [&](const auto& other) {
            return other.first.explanation == look->explanation;
        });
        if (alike == found.end()) {
            found.push_back({*look, {members[member].first}});
        } else {
            alike->second.push_back(members[member].first);
        }
    }
    if (found.empty() || found.front().second.front().empty()) {
        return found.empty() ? std::nullopt : std::optional(found.front().first);
    }
    Look all = found.front().first;
    all.explanation.clear();
    for (const auto& [look, names] : found) {
        all.explanation += fmt::format("{}in {}: {}", all.explanation.empty() ? "" : " And ",
                                       fmt::join(names, " and "), look.explanation);
        all.explained = std::min(all.explained, look.explained);
        all.answers = std::max(all.answers, look.answers);
    }
    return all;
}

} // namespace judge
