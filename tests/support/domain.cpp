#include "support/domain.hpp"

#include <algorithm>

#include "judge/text.hpp"
#include "support/kinds_of_arguments.hpp"

namespace domain {

using judge::Array;
using judge::List;
using judge::Value;
using Shape = std::vector<std::size_t>;

namespace {

/// Calls that are made after the first wrong one of a check: a mistake is known by all its answers.
constexpr int more_calls = 12;

} // namespace

Domain::Domain(std::string function, Oracle oracle, std::vector<Argument> arguments,
               judge::Tolerance tolerance)
    : function_(std::move(function)), oracle_(std::move(oracle)), arguments_(std::move(arguments)),
      tolerance_(tolerance) {
    std::string before;
    for (const Argument& argument : arguments_) {
        const std::string name = argument.name.substr(0, argument.name.find('.'));
        parameters_ += name == before ? "" : (before.empty() ? "" : ", ") + name;
        before = name;
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

Domain& Domain::scaled(std::vector<std::pair<std::string, std::string>> pairs) {
    scaled_ = std::move(pairs);
    return *this;
}

Domain& Domain::large(const std::string& size, std::size_t value) {
    large_[size] = value;
    return *this;
}

Domain& Domain::at_least(const std::string& size, std::size_t value) {
    least_[size] = value;
    return *this;
}

Domain& Domain::at_most(const std::string& size, std::size_t value) {
    most_[size] = value;
    return *this;
}

Domain& Domain::made_to_fit(std::function<void(List&)> fit) {
    fit_ = std::move(fit);
    return *this;
}

Domain& Domain::cancels(std::function<double(const List&)> rounding) {
    rounding_ = std::move(rounding);
    return *this;
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
    for (const auto& [name, size] : usual_) {
        sizes[name] = size;
    }
    return complete(sizes);
}

Sizes Domain::all(std::size_t size) const {
    Sizes sizes;
    for (const std::string& name : sizes_) {
        sizes[name] = size;
    }
    return complete(sizes);
}

/// With the least and the most that each may be, and every name known.
Sizes Domain::complete(Sizes sizes) const {
    for (const std::string& name : sizes_) {
        const auto least = least_.find(name);
        const std::size_t end = least == least_.end() ? 1 : least->second;
        sizes[name] = std::max(sizes[name], end);
        if (const auto most = most_.find(name); most != most_.end()) {
            sizes[name] = std::min(sizes[name], most->second);
        }
    }
    return sizes;
}

/// The shapes that an argument may have, the whole one first. Only what is broadcast has more.
std::vector<Shape> Domain::shapes_of(std::size_t argument, const Sizes& sizes) const {
    const bool broadcast = arguments_[argument].broadcast;
    const Shape whole = shape_of(axes_[argument], sizes);
    std::vector<Shape> forms{whole}, shapes;
    if (broadcast) {
        forms.emplace_back(whole.begin() + 1, whole.end());
    }
    for (const Shape& form : forms) {
        for (std::size_t ones = 0; ones < (broadcast ? std::size_t{1} << form.size() : 1); ++ones) {
            shapes.push_back(form);
            for (std::size_t axis = 0; axis < form.size(); ++axis) {
                if ((ones >> axis & 1) != 0) {
                    shapes.back()[axis] = 1;
                }
            }
        }
    }
    return shapes;
}

/// The axes that these arguments have. An axis that is broadcast has none of the named sizes.
std::vector<Axes> Domain::axes_in(const List& arguments) const {
    std::vector<Axes> all = axes_;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Array* array = std::get_if<Array>(&arguments[k].data);
        if (arguments_[k].broadcast && array != nullptr) {
            const auto missing = static_cast<std::ptrdiff_t>(all[k].size() - array->shape.size());
            all[k].erase(all[k].begin(), all[k].begin() + missing);
            for (std::size_t axis = 0; axis < all[k].size(); ++axis) {
                if (array->shape[axis] == 1) {
                    all[k][axis].clear();
                }
            }
        }
    }
    return all;
}

List Domain::draw(const Sizes& some_sizes, std::uint64_t seed) const {
    const Sizes sizes = complete(some_sizes);
    List arguments;
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
        const bool left_out = arguments_[k].optional && seed % 2 == 1;
        const std::vector<Shape> shapes = shapes_of(k, sizes);
        arguments.push_back(left_out ? Value{}
                                     : usual(arguments_[k].kind, shapes[seed / 2 % shapes.size()],
                                             arguments_[k].values, seed * 100 + k));
    }
    return arguments;
}

List Domain::fitted(List arguments) const {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (arguments_[k].kind == Kind::weights) {
            share_out(arguments[k]);
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

void Domain::expect_right(const Value& actual, const List& arguments) const {
    const Value expected = oracle_(arguments);
    judge::expect_close_values(actual, expected, tolerance_for(arguments));
    if (!exact_zeros_) {
        return;
    }
    const auto* record = std::get_if<judge::Record>(&expected.data);
    const List& right = record != nullptr ? record->members : List{expected};
    const List& got =
        record != nullptr ? std::get<judge::Record>(actual.data).members : List{actual};
    for (std::size_t m = 0; m < right.size(); ++m) {
        const Array* wanted = std::get_if<Array>(&right[m].data);
        for (std::size_t i = 0; wanted != nullptr && i < wanted->count(); ++i) {
            const double x = std::get<Array>(got[m].data).at(i);
            if (wanted->at(i) == 0 && x != 0) {
                judge::expect_that(false, "what is blocked is exactly 0",
                                   "it is " + judge::number_text(x));
            }
        }
    }
}

void Domain::call(const List& arguments) const {
    failed_ = 0;
    one_of_many(arguments);
    if (failed_ > 0) {
        throw judge::CaseEnded{};
    }
}

/// A call of a check, which goes on for some calls after the first that fails.
void Domain::one_of_many(const List& some_arguments) const {
    const List arguments = fitted(some_arguments);
    if (failed_ > 0) { // one failure is enough; these calls show which mistake it is
        judge::session().attempt(function_, parameters_, arguments);
        if (++failed_ > more_calls) {
            throw judge::CaseEnded{};
        }
        return;
    }
    const auto failing = [&](const judge::Outcome& outcome, const List& of) {
        const Value expected = oracle_(of);
        const auto* returned = std::get_if<judge::Returned>(&outcome);
        if (returned == nullptr) {
            return std::holds_alternative<judge::Threw>(outcome) ? Failing::shape : Failing::ending;
        }
        if (!judge::same_form(returned->value, expected)) {
            return Failing::shape;
        }
        if (!judge::compare(returned->value, expected, tolerance_for(of))) {
            return Failing::no;
        }
        return judge::is_undefined(returned->value, expected) ? Failing::undefined
                                                              : Failing::numbers;
    };
    List shown = arguments;
    judge::Outcome outcome = judge::session().attempt(function_, parameters_, arguments);
    const Failing way = failing(outcome, arguments);
    if (way != Failing::no && judge::session().failures().empty()) {
        std::vector<bool> optional;
        for (const Argument& argument : arguments_) {
            optional.push_back(argument.optional);
        }
        const judge::RecordedCall recorded = judge::session().calls().back();
        const auto fails = [&](const List& candidate) {
            const List these = fitted(candidate);
            return failing(judge::session().ask_again(recorded, these), these);
        };
        shown = fitted(shrunk(some_arguments, {.axes = axes_in(some_arguments),
                                               .least = least_,
                                               .failing = fails,
                                               .optional = optional}));
        outcome = judge::session().attempt(function_, parameters_, shown);
    }
    try {
        expect_right(judge::session().value_of(function_, outcome), shown);
    } catch (judge::CaseEnded) {
        failed_ = 1;
    }
}

void Domain::calls(const std::vector<List>& each) const {
    failed_ = 0;
    for (const List& arguments : each) {
        call(arguments);
    }
    if (failed_ > 0) {
        throw judge::CaseEnded{};
    }
}

} // namespace domain
