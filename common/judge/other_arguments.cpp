#include "judge/other_arguments.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "judge/changed_arguments.hpp"
#include "judge/looks.hpp"

namespace judge {

std::string name_of(const Judged& answer, std::size_t argument) {
    return argument < answer.parameters.size() ? answer.parameters[argument] : "an argument";
}

bool is_array(const Value& value) {
    const Array* array = std::get_if<Array>(&value.data);
    return array != nullptr && array->kind == 'f';
}

namespace {

const Value* part_of(const Value& value, std::size_t member) {
    const Record* record = std::get_if<Record>(&value.data);
    if (record == nullptr) {
        return member == 0 ? &value : nullptr;
    }
    return member < record->members.size() ? &record->members[member] : nullptr;
}

} // namespace

std::vector<NamedSize> different_sizes(const std::vector<Judged>& answers) {
    std::set<std::vector<std::optional<std::size_t>>> known;
    std::vector<NamedSize> different;
    const auto sizes = sizes_of(answers.front().parameters, answers.front().arguments);
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        const auto of = [s, name = sizes[s].first](const Judged& one) {
            const auto all = sizes_of(one.parameters, one.arguments);
            return s < all.size() && all[s].first == name
                       ? std::optional(static_cast<std::size_t>(all[s].second))
                       : std::nullopt;
        };
        std::vector<std::optional<std::size_t>> in_all;
        for (const Judged& one : answers) {
            in_all.push_back(of(one));
        }
        if (known.insert(in_all).second) {
            different.push_back({sizes[s].first, of});
        }
    }
    return different;
}

Other asked(const std::string& name, const std::string& explanation, Change change,
            std::size_t member, const Ask& ask) {
    return {name, explanation,
            [change = std::move(change), member, &ask](const Judged& one) -> std::optional<Grid> {
                const std::optional<List> arguments = change(one);
                const auto answer = arguments ? ask(*arguments) : std::nullopt;
                const Value* part = answer ? part_of(*answer, member) : nullptr;
                return part == nullptr ? std::nullopt : grid_of(*part);
            }};
}

namespace {

using Arguments = std::optional<List>;

class Finder {
public:
    Finder(const std::vector<Judged>& answers, std::size_t member, const Ask& ask)
        : answers_(answers), member_(member), ask_(ask) {}

    std::vector<Other> find() {
        const std::size_t count = answers_.front().arguments.size();
        for (std::size_t k = 0; k < count; ++k) {
            of_argument(k);
            of_argument_added(k);
        }
        of_members();
        if (!ask_) {
            return std::move(found_);
        }
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                of_two(a, b);
            }
            of_member_for_argument(a);
            of_changed(a);
            of_row_lengths(a);
            of_counts(a);
        }
        of_its_own_answer();
        add_parts_of_arguments(answers_, member_, ask_, found_);
        return std::move(found_);
    }

private:
    const Judged& first() const { return answers_.front(); }

    using Answer = std::function<std::optional<Grid>(const Judged&)>;

    void add(const std::string& name, const std::string& explanation, Answer answer) {
        found_.push_back({name, explanation, std::move(answer)});
    }

    void add_asked(const std::string& name, const std::string& explanation, Change change) {
        found_.push_back(asked(name, explanation, std::move(change), member_, ask_));
    }

    /// The answer is the argument itself.
    void of_argument(std::size_t k) {
        add("an_argument", fmt::format("this is {}, as it was given.", name_of(first(), k)),
            [=](const Judged& one) { return grid_of(one.arguments.at(k)); });
    }

    /// One member is what another should be.
    void of_members() {
        const Record* record = std::get_if<Record>(&first().expected.data);
        for (std::size_t k = 0; record != nullptr && k < record->members.size(); ++k) {
            if (k != member_) {
                add("another_member",
                    fmt::format("this is what {} should be.", record->names.at(k)),
                    [=](const Judged& one) {
                        const Value* member = part_of(one.expected, k);
                        return member == nullptr ? std::nullopt : grid_of(*member);
                    });
            }
        }
    }

    /// What it should be, and an argument added to it.
    void of_argument_added(std::size_t k) {
        add("an_argument_added",
            fmt::format("this is what it should be plus {}.", name_of(first(), k)),
            [=, member = member_](const Judged& one) -> std::optional<Grid> {
                const Value* part = part_of(one.expected, member);
                auto sum = part == nullptr ? std::nullopt : grid_of(*part);
                const auto added = grid_of(one.arguments.at(k));
                if (!sum || !added || sum->shape != added->shape) {
                    return sum;
                }
                for (std::size_t i = 0; i < sum->numbers.size(); ++i) {
                    sum->numbers[i] += added->numbers[i];
                }
                return sum;
            });
    }

    /// Another member of the answer stands in an argument's place.
    void of_member_for_argument(std::size_t k) {
        const Record* record = std::get_if<Record>(&first().expected.data);
        for (std::size_t m = 0; record != nullptr && m < record->members.size(); ++m) {
            add_asked("a_member_for_an_argument",
                      fmt::format("this is the right answer with {} in the place of {}.",
                                  record->names.at(m), name_of(first(), k)),
                      [=](const Judged& one) -> Arguments {
                          const Value* part = part_of(one.expected, m);
                          List arguments = one.arguments;
                          if (part == nullptr) {
                              return std::nullopt;
                          }
                          arguments[k] = *part;
                          return arguments;
                      });
        }
    }

    /// Argument b stands in a's place, or the two have changed places.
    void of_two(std::size_t a, std::size_t b) {
        if (a == b || !is_array(first().arguments[a]) || !is_array(first().arguments[b])) {
            return;
        }
        const std::string one_name = name_of(first(), a);
        const std::string other_name = name_of(first(), b);
        add_asked("one_argument_for_another",
                  fmt::format("this is the right answer with {} in the place of {}.", other_name,
                              one_name),
                  [=](const Judged& one) -> Arguments {
                      List arguments = one.arguments;
                      arguments[a] = arguments[b];
                      return arguments;
                  });
        if (a < b) {
            add_asked("arguments_swapped",
                      fmt::format("this is the right answer with {} and {} in each other's place.",
                                  one_name, other_name),
                      [=](const Judged& one) -> Arguments {
                          List arguments = one.arguments;
                          std::swap(arguments[a], arguments[b]);
                          return arguments;
                      });
        }
    }

    void of_changed(std::size_t k);
    void of_row_lengths(std::size_t k);

    /// A whole number that is one too large or too small.
    void of_counts(std::size_t k) {
        if (!std::holds_alternative<std::uint64_t>(first().arguments[k].data)) {
            return;
        }
        for (const bool more : {true, false}) {
            add_asked("a_count_beside",
                      fmt::format("this is the right answer for {} {} 1.", name_of(first(), k),
                                  more ? "+" : "-"),
                      [=](const Judged& one) -> Arguments {
                          List arguments = one.arguments;
                          auto& number = std::get<std::uint64_t>(arguments[k].data);
                          if (!more && number == 0) {
                              return std::nullopt;
                          }
                          number += more ? 1 : static_cast<std::uint64_t>(-1);
                          return arguments;
                      });
        }
    }

    void of_its_own_answer() {
        if (first().arguments.size() == 1 && is_array(first().arguments[0]) &&
            first().arguments[0].data.index() == first().expected.data.index()) {
            add_asked("applied_twice", "the function is applied twice, to its own answer.",
                      [=](const Judged& one) -> Arguments { return List{one.expected}; });
        }
    }

    const std::vector<Judged>& answers_;
    std::size_t member_;
    const Ask& ask_;
    std::vector<Other> found_;
};

void Finder::of_changed(std::size_t k) {
    if (!is_array(first().arguments[k])) {
        return;
    }
    for (const NamedChange& named : changes_of_arguments()) {
        add_asked(named.name, fmt::format(fmt::runtime(named.explanation), name_of(first(), k)),
                  [=](const Judged& one) -> Arguments {
                      const auto grid = grid_of(one.arguments.at(k));
                      const auto changed = grid ? named.change(*grid) : std::nullopt;
                      if (!changed) {
                          return std::nullopt;
                      }
                      List arguments = one.arguments;
                      arguments[k] = value_of(*changed, std::get<Array>(one.arguments[k].data));
                      return arguments;
                  });
    }
}

/// A matrix whose rows are taken to be as long as another size says, as by data()[i * n_rows + j].
/// Nothing where that reads past its end: what lies there is not known.
std::optional<Array> with_rows_of(const Array& array, std::size_t length) {
    const std::size_t rows = array.shape.at(0), columns = array.shape.at(1);
    if (rows == 0 || length > rows * columns || (rows - 1) * length + columns > rows * columns) {
        return std::nullopt;
    }
    Array result = array;
    for (std::size_t i = 0; i < rows; ++i) {
        result.bytes.replace(i * columns * array.size, columns * array.size, array.bytes,
                             i * length * array.size, columns * array.size);
    }
    return result;
}

void Finder::of_row_lengths(std::size_t k) {
    const auto is_matrix = [=](const Judged& one) {
        const Array* array = std::get_if<Array>(&one.arguments.at(k).data);
        return array != nullptr && array->shape.size() == 2;
    };
    if (!is_matrix(first())) {
        return;
    }
    const std::string own = fmt::format("the number of columns of {}", name_of(first(), k));
    for (const NamedSize& size : different_sizes(answers_)) {
        if (size.name == own) {
            continue;
        }
        add_asked(
            "rows_of_another_length",
            fmt::format("this is the right answer for {0} with rows taken to be as long as {1} "
                        "says. Row i begins at element i times {2}.",
                        name_of(first(), k), size.name, own),
            [=](const Judged& one) -> Arguments {
                const auto n = size.of(one);
                if (!n || !is_matrix(one)) {
                    return std::nullopt;
                }
                auto changed = with_rows_of(std::get<Array>(one.arguments[k].data), *n);
                if (!changed) {
                    return std::nullopt;
                }
                List arguments = one.arguments;
                arguments[k] = {std::move(*changed)};
                return arguments;
            });
    }
}

} // namespace

std::vector<Other> others_of(const std::vector<Judged>& answers, std::size_t member,
                             const Ask& ask) {
    return answers.empty() ? std::vector<Other>{} : Finder(answers, member, ask).find();
}

} // namespace judge
