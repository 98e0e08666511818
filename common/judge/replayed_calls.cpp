#include "judge/replayed_calls.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>

namespace judge {

namespace {

using namespace std::chrono_literals;

using Indices = std::vector<std::size_t>;
using Sizes = std::vector<std::size_t>;
using Axes = std::pair<std::size_t, std::size_t>; // their places in Sizes

constexpr auto budget = 600ms;             // for what replays would take, by what the calls took
constexpr auto budget_of_slow = 4000ms;    // and where most calls of a function are slow
constexpr int asked_again = 10;            // times, each call that is replayed
constexpr std::size_t replayed = 4;        // calls of one function
constexpr auto slow_pair = 100ms;          // for a call that is paired
constexpr std::size_t most_numbers = 4096; // in its arguments
constexpr std::size_t most_paired = 100;   // of a function that are paired
constexpr std::size_t most_sizes = 16;     // of a call: more are those of a list of arrays
constexpr std::size_t most_pairs = 12;     // of a function

std::size_t elements(const Value& value) {
    const Array* array = std::get_if<Array>(&value.data);
    return array == nullptr ? 1 : array->count();
}

std::size_t elements(const RecordedCall& call) {
    std::size_t sum = 0;
    for (const Value& argument : call.arguments) {
        sum += elements(argument);
    }
    return sum;
}

/// The sizes of all arrays in it, in order.
void add_sizes(const Value& value, Sizes& sizes) {
    if (const Array* array = std::get_if<Array>(&value.data)) {
        sizes.insert(sizes.end(), array->shape.begin(), array->shape.end());
    } else if (const List* list = std::get_if<List>(&value.data)) {
        for (const Value& item : *list) {
            add_sizes(item, sizes);
        }
    } else if (const Record* record = std::get_if<Record>(&value.data)) {
        for (const Value& member : record->members) {
            add_sizes(member, sizes);
        }
    }
}

/// The first, the last, the smallest and the largest of some calls, each once.
Indices of_all_kinds(const std::vector<RecordedCall>& calls, Indices some) {
    Indices found;
    if (some.empty()) {
        return found;
    }
    const std::size_t first = some.front();
    const std::size_t last = some.back();
    std::stable_sort(some.begin(), some.end(), [&](std::size_t a, std::size_t b) {
        return elements(calls[a]) < elements(calls[b]);
    });
    for (const std::size_t i : {first, last, some.front(), some.back()}) {
        if (std::find(found.begin(), found.end(), i) == found.end()) {
            found.push_back(i);
        }
    }
    return found;
}

/// The cheapest of some calls, and of those that take at most twice as long the one with the most
/// elements: one number is the same backwards.
Indices cheapest(const std::vector<RecordedCall>& calls, const Indices& some) {
    if (some.empty()) {
        return {};
    }
    const std::size_t least =
        *std::min_element(some.begin(), some.end(), [&](std::size_t a, std::size_t b) {
            return calls[a].taken < calls[b].taken;
        });
    std::size_t largest = least;
    for (const std::size_t i : some) {
        if (calls[i].taken <= 2 * calls[least].taken &&
            elements(calls[i]) > elements(calls[largest])) {
            largest = i;
        }
    }
    return largest == least ? Indices{least} : Indices{least, largest};
}

/// Time for replays, by what the calls took.
class Budget {
public:
    explicit Budget(std::chrono::milliseconds time) : left_(time) {}

    Indices those_within(const Indices& some, const std::vector<RecordedCall>& calls) {
        Indices found;
        for (const std::size_t i : some) {
            if (asked_again * calls[i].taken <= left_) {
                left_ -= asked_again * calls[i].taken;
                found.push_back(i);
            }
        }
        return found;
    }

private:
    std::chrono::steady_clock::duration left_;
};

/// The axes, or the one axis twice, that give both calls one number and two shapes.
std::vector<Axes> alike_in(const Sizes& a, const Sizes& b) {
    std::vector<Axes> found;
    for (std::size_t p = 0; p < a.size(); ++p) {
        bool others_differ = false;
        for (std::size_t q = 0; q < a.size(); ++q) {
            if (q > p && a[p] * a[q] == b[p] * b[q] && a[p] != b[p]) {
                found.emplace_back(p, q);
            }
            others_differ = others_differ || a[q] != b[q];
        }
        if (a[p] == b[p] && others_differ) {
            found.emplace_back(p, p);
        }
    }
    return found;
}

} // namespace

std::vector<std::size_t> calls_to_replay(const std::vector<RecordedCall>& calls) {
    struct OfFunction {
        Indices quick, slow;
    };
    std::map<std::string, OfFunction> functions;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const bool answered = std::holds_alternative<Returned>(calls[i].outcome) ||
                              std::holds_alternative<Threw>(calls[i].outcome);
        if (answered) {
            OfFunction& of = functions[calls[i].function];
            const bool quick = calls[i].taken * asked_again * static_cast<int>(replayed) < budget;
            (quick ? of.quick : of.slow).push_back(i);
        }
    }
    Budget of_quick(budget), of_slow(budget_of_slow);
    Indices found;
    for (const auto& [function, of] : functions) {
        const Indices quick = of_quick.those_within(of_all_kinds(calls, of.quick), calls);
        found.insert(found.end(), quick.begin(), quick.end());
        if (quick.empty() || of.quick.size() < of.slow.size()) {
            const Indices& left = of.slow.empty() ? of.quick : of.slow;
            const Indices slow = of_slow.those_within(cheapest(calls, left), calls);
            found.insert(found.end(), slow.begin(), slow.end());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::pair<std::size_t, std::size_t>>
pairs_of_one_size(const std::vector<RecordedCall>& calls) {
    struct Sized {
        std::size_t call;
        Sizes sizes;
    };
    std::map<std::pair<std::string, std::size_t>, std::vector<Sized>> groups; // of as many axes
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!std::holds_alternative<Returned>(calls[i].outcome) || calls[i].taken > slow_pair ||
            elements(calls[i]) > most_numbers) {
            continue;
        }
        Sizes sizes;
        for (const Value& argument : calls[i].arguments) {
            add_sizes(argument, sizes);
        }
        std::vector<Sized>& group = groups[{calls[i].function, sizes.size()}];
        if (sizes.size() <= most_sizes && group.size() < most_paired) {
            group.push_back({i, std::move(sizes)});
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& [key, group] : groups) {
        std::set<Axes> met;
        std::size_t count = 0;
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (std::size_t j = i + 1; j < group.size() && count < most_pairs; ++j) {
                bool new_ones = false;
                for (const Axes& axes : alike_in(group[i].sizes, group[j].sizes)) {
                    new_ones = met.insert(axes).second || new_ones;
                }
                if (new_ones) {
                    pairs.emplace_back(group[i].call, group[j].call);
                    ++count;
                }
            }
        }
    }
    return pairs;
}

} // namespace judge
