#include "judge/replayed_calls.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>

namespace judge {

namespace {

using namespace std::chrono_literals;

using Sizes = std::vector<std::size_t>;
using Axes = std::pair<std::size_t, std::size_t>; // their places in Sizes

constexpr auto budget = 600ms;             // for what replays would take, by what the calls took
constexpr int asked_again = 7;             // times, each call that is replayed
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
    std::map<std::string, std::vector<std::size_t>> brief;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const bool answered = std::holds_alternative<Returned>(calls[i].outcome) ||
                              std::holds_alternative<Threw>(calls[i].outcome);
        if (answered && calls[i].taken * asked_again * static_cast<int>(replayed) < budget) {
            brief[calls[i].function].push_back(i);
        }
    }
    std::vector<std::size_t> found;
    for (auto& [function, indices] : brief) {
        const std::size_t first = indices.front();
        const std::size_t last = indices.back();
        std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
            return elements(calls[a]) < elements(calls[b]);
        });
        for (const std::size_t i : {first, last, indices.front(), indices.back()}) {
            if (std::find(found.begin(), found.end(), i) == found.end()) {
                found.push_back(i);
            }
        }
    }
    auto left = std::chrono::duration_cast<std::chrono::steady_clock::duration>(budget);
    std::erase_if(found,
                  [&](std::size_t i) { return (left -= asked_again * calls[i].taken) < 0ms; });
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
