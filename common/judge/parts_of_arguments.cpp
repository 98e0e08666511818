#include <algorithm>

#include <fmt/format.h>

#include "judge/blocks.hpp"
#include "judge/other_arguments.hpp"

namespace judge {

namespace {

/// How many rows or columns are kept, of so many.
using Kept = std::function<std::size_t(const Judged& one, std::size_t count)>;

/// What is right where the last rows, columns or elements of argument k are 0.
class PartFinder {
public:
    PartFinder(const std::vector<Judged>& answers, std::size_t member, const Ask& ask,
               std::vector<Other>& found, std::size_t k)
        : answers_(answers), member_(member), ask_(ask), found_(found), k_(k) {}

    void find() {
        const Array* array = std::get_if<Array>(&answers_.front().arguments[k_].data);
        if (array == nullptr || !is_array(answers_.front().arguments[k_]) ||
            array->shape.size() > 2) {
            return;
        }
        const bool matrix = array->shape.size() == 2;
        for (const bool rows : {false, true}) {
            if (!rows || matrix) {
                lines_ = fmt::format("{} of {}",
                                     !matrix ? "elements"
                                     : rows  ? "rows"
                                             : "columns",
                                     name_of(answers_.front(), k_));
                of_other_sizes(rows);
                of_blocks(rows);
                of_buffers(rows);
            }
        }
    }

private:
    std::optional<std::size_t> count_of(const Judged& one, bool rows) const {
        const Array* given = std::get_if<Array>(&one.arguments.at(k_).data);
        return given == nullptr || given->shape.empty()
                   ? std::nullopt
                   : std::optional(rows ? given->shape.front() : given->shape.back());
    }

    /// What is all lost, or not at all, tells nothing of where the rest begins.
    bool tells(bool rows, const Kept& kept) const {
        return std::any_of(answers_.begin(), answers_.end(), [&](const Judged& one) {
            const std::size_t count = count_of(one, rows).value_or(0);
            const std::size_t left = kept(one, count);
            return !one.right && left > 0 && left < count;
        });
    }

    /// How many there are where an answer is wrong.
    std::size_t fewest_lost(bool rows) const {
        std::size_t fewest = static_cast<std::size_t>(-1);
        for (const Judged& one : answers_) {
            if (const auto count = count_of(one, rows); count && !one.right) {
                fewest = std::min(fewest, *count);
            }
        }
        return fewest;
    }

    void add(const char* name, const std::string& explanation, bool rows, const Kept& kept) {
        if (!tells(rows, kept)) {
            return;
        }
        found_.push_back(asked(
            name, explanation,
            [=, k = k_](const Judged& one) -> std::optional<List> {
                const auto grid = grid_of(one.arguments.at(k));
                if (!grid) {
                    return std::nullopt;
                }
                List arguments = one.arguments;
                const std::size_t first = kept(one, rows ? grid->rows() : grid->columns());
                arguments[k] =
                    value_of(zero_from(*grid, rows, first), std::get<Array>(one.arguments[k].data));
                return arguments;
            },
            member_, ask_));
    }

    void of_other_sizes(bool rows) {
        for (const NamedSize& size : different_sizes(answers_)) {
            add("argument_up_to_another_size",
                fmt::format("this is the right answer if the {} after the first n were 0, where n "
                            "is {}: a loop ends at the wrong size.",
                            lines_, size.name),
                rows, [of = size.of](const Judged& one, std::size_t count) {
                    return std::min(count, of(one).value_or(count));
                });
        }
    }

    void of_blocks(bool rows) {
        for (const std::size_t size : block_sizes) {
            // Of several that explain it, the first.
            for (const std::size_t from :
                 {size, std::size_t{0}, std::max(size, fewest_lost(rows))}) {
                add("argument_in_whole_blocks",
                    fmt::format("this is the right answer if the last {} were 0 where {}their "
                                "number is no multiple of a block's size. What is left over past "
                                "whole blocks is lost: add a loop for the rest.",
                                lines_, where_some_are_lost(size, from)),
                    rows, [=](const Judged&, std::size_t count) {
                        return in_whole_blocks(count, size, from);
                    });
            }
        }
    }

    void of_buffers(bool rows) {
        for (const std::size_t end : {10U, 16U, 32U, 50U, 64U, 100U, 128U, 256U}) {
            add("argument_up_to_a_size",
                fmt::format("this is the right answer if the {} after the first {} were 0: a "
                            "buffer or a loop ends there.",
                            lines_, end),
                rows, [=](const Judged&, std::size_t) { return end; });
        }
    }

    const std::vector<Judged>& answers_;
    std::size_t member_;
    const Ask& ask_;
    std::vector<Other>& found_;
    std::size_t k_;
    std::string lines_; // "columns of Q"
};

} // namespace

void add_parts_of_arguments(const std::vector<Judged>& answers, std::size_t member, const Ask& ask,
                            std::vector<Other>& found) {
    for (std::size_t k = 0; k < answers.front().arguments.size(); ++k) {
        PartFinder(answers, member, ask, found, k).find();
    }
}

} // namespace judge
