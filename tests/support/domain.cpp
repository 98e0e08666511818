#include "support/domain.hpp"

#include <algorithm>

#include "judge/text.hpp"
#include "support/kinds_of_arguments.hpp"

namespace domain {

using judge::Array;
using judge::List;
using judge::Value;

Domain::Domain(std::string function, std::string parameters, Oracle oracle,
               std::vector<Argument> arguments, judge::Tolerance tolerance)
    : function_(std::move(function)), parameters_(std::move(parameters)),
      oracle_(std::move(oracle)), arguments_(std::move(arguments)), tolerance_(tolerance) {
    for (Argument& argument : arguments_) {
        if (argument.kind == Kind::flag) {
            argument.values = {0, 1};
        }
        axes_.push_back(axes_of(argument.shape));
        for (const auto& factors : axes_.back()) {
            for (const std::string& size : factors) {
                if (!is_number(size) && std::ranges::find(sizes_, size) == sizes_.end()) {
                    sizes_.push_back(size);
                }
            }
        }
    }
}

judge::Tolerance Domain::tolerance_for(const List& arguments) const {
    judge::Tolerance tolerance = tolerance_;
    tolerance.absolute += rounding_ ? rounding_(arguments) : 0;
    return tolerance;
}

/// Small sizes, all different: an exchange of two shows.
Sizes Domain::small() const {
    constexpr std::size_t primes[] = {3, 5, 2, 7, 4, 11, 6, 13};
    Sizes sizes;
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
        sizes[sizes_[s]] = primes[s % std::size(primes)];
    }
    for (const auto& [name, size] : small_) {
        sizes[name] = size;
    }
    return clamped(sizes);
}

Sizes Domain::all(std::size_t size) const {
    Sizes sizes;
    for (const std::string& name : sizes_) {
        sizes[name] = size;
    }
    return clamped(sizes);
}

/// With the least and the most that each may be, and every name known.
Sizes Domain::clamped(Sizes sizes) const {
    for (const std::string& name : sizes_) {
        const std::size_t least = least_.contains(name) ? least_.at(name) : 1;
        const std::size_t most = most_.contains(name) ? most_.at(name) : -1UL;
        sizes[name] = std::clamp(sizes[name], least, most);
    }
    return sizes;
}

List Domain::draw(const Sizes& some_sizes, std::uint64_t seed) const {
    const Sizes sizes = clamped(some_sizes);
    List arguments;
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
        const bool left_out = arguments_[k].optional && seed % 2 == 1;
        arguments.push_back(left_out ? Value{}
                                     : ordinary(arguments_[k].kind, shape_of(axes_[k], sizes),
                                                arguments_[k].values, seed * 100 + k));
    }
    return arguments;
}

List Domain::fitted(List arguments) const {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (arguments_[k].kind == Kind::weights) {
            to_rows_of_shares(arguments[k]);
        }
    }
    fit_(arguments);
    return packed(arguments);
}

/// With the members of each struct together.
List Domain::packed(const List& arguments) const {
    List whole;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const std::string& name = arguments_[k].name;
        const std::size_t dot = name.find('.');
        if (dot == std::string::npos) {
            whole.push_back(arguments[k]);
            continue;
        }
        if (k == 0 || !arguments_[k - 1].name.starts_with(name.substr(0, dot + 1))) {
            whole.push_back({judge::Record{}});
        }
        auto& record = std::get<judge::Record>(whole.back().data);
        record.names.push_back(name.substr(dot + 1));
        record.members.push_back(arguments[k]);
    }
    return whole;
}

void Domain::expect_right(const Value& actual, const Value& expected,
                          judge::Tolerance tolerance) const {
    judge::expect_close_values(actual, expected, tolerance);
    if (!exact_zeros_) {
        return;
    }
    const auto arrays = [](const Value& value) {
        const auto* record = std::get_if<judge::Record>(&value.data);
        return record != nullptr ? record->members : List{value};
    };
    const List right = arrays(expected), got = arrays(actual);
    for (std::size_t m = 0; m < right.size(); ++m) {
        const Array &wanted = std::get<Array>(right[m].data), &array = std::get<Array>(got[m].data);
        for (std::size_t i = 0; i < wanted.count(); ++i) {
            judge::expect_that(wanted.at(i) != 0 || array.at(i) == 0,
                               "what is blocked is exactly 0",
                               "it is " + judge::number_text(array.at(i)));
        }
    }
}

Failing Domain::failing(const judge::Outcome& outcome, const List& arguments,
                        const Value& expected) const {
    const auto* returned = std::get_if<judge::Returned>(&outcome);
    if (returned == nullptr) {
        return std::holds_alternative<judge::Threw>(outcome) ? Failing::shape : Failing::ending;
    }
    if (!judge::same_form(returned->value, expected)) {
        return Failing::shape;
    }
    if (!judge::compare(returned->value, expected, tolerance_for(arguments))) {
        return Failing::not_at_all;
    }
    return judge::is_undefined(returned->value, expected) ? Failing::undefined : Failing::numbers;
}

/// The right answer, computed once for all submissions of a run.
const Value& Domain::right_answer(const List& arguments) const {
    const auto [place, is_new] = known_.try_emplace(judge::encode(Value{arguments}));
    if (is_new) {
        place->second = oracle_(arguments);
    }
    return place->second;
}

void Domain::one_of_many(const List& some_arguments, int& failed) const {
    List arguments = fitted(some_arguments);
    judge::Outcome outcome = judge::session().attempt(function_, parameters_, arguments);
    if (failed > 0) { // one failure is enough; these calls show which mistake it is
        constexpr int more_calls = 12;
        if (++failed > more_calls) {
            throw judge::CaseEnded{};
        }
        return;
    }
    Value expected = right_answer(arguments);
    if (judge::session().failures().empty() &&
        failing(outcome, arguments, expected) != Failing::not_at_all) {
        Shrinking how{axes_, least_, {}};
        for (const Argument& argument : arguments_) {
            how.optional.push_back(argument.optional);
        }
        const judge::RecordedCall recorded = judge::session().calls().back();
        how.failing = [&](const List& candidate) {
            const List these = fitted(candidate);
            return failing(judge::session().ask_again(recorded, these), these, oracle_(these));
        };
        arguments = fitted(shrunk(some_arguments, how));
        outcome = judge::session().attempt(function_, parameters_, arguments);
        expected = oracle_(arguments);
    }
    try {
        expect_right(judge::session().value_of(function_, outcome), expected,
                     tolerance_for(arguments));
    } catch (judge::CaseEnded) {
        failed = 1;
    }
}

void Domain::calls(const std::vector<List>& each) const {
    for (const List& arguments : each) {
        int failed = 0;
        one_of_many(arguments, failed);
        if (failed > 0) {
            throw judge::CaseEnded{};
        }
    }
}

} // namespace domain
