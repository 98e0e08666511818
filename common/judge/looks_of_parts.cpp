#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "judge/blocks.hpp"
#include "judge/looks_of_arrays.hpp"

namespace judge {

namespace {

using S = std::size_t;

using Place =
    std::function<bool(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns)>;

struct Region {
    const char* name;
    std::string zero;  // what to say where it is 0
    std::string other; // and where it is anything else
    Place inside;
    double least = 0; // how much of it has to be wrong for that to say something
};

const std::vector<Region> parts_of_a_matrix{
    // the smallest first
    {"first_element", "the first element is 0, and the rest is right.",
     "where the answer is wrong, only the first element is.",
     [](auto i, auto j, auto, auto) { return i + j == 0; }},
    {"last_element", "the last element is 0, and the rest is right.",
     "where the answer is wrong, only the last element is.",
     [](auto i, auto j, auto rows, auto columns) { return i + 1 == rows && j + 1 == columns; }},
    {"last_row",
     "the last row is 0, and the rest is right. Does a loop over the rows end one too early?",
     "where the answer is wrong, only the last row is.",
     [](auto i, auto, auto rows, auto) { return i + 1 == rows; }},
    {"first_row",
     "the first row is 0, and the rest is right. Does a loop start at 1? Indices count from 0.",
     "where the answer is wrong, only the first row is.",
     [](auto i, auto, auto, auto) { return i == 0; }},
    {"last_column",
     "the last column is 0, and the rest is right. Does a loop over the columns end one too early?",
     "where the answer is wrong, only the last column is.",
     [](auto, auto j, auto, auto columns) { return j + 1 == columns; }},
    {"first_column",
     "the first column is 0, and the rest is right. Does a loop start at 1? Indices count from 0.",
     "where the answer is wrong, only the first column is.",
     [](auto, auto j, auto, auto) { return j == 0; }},
    {"diagonal", "the diagonal is 0, and the rest is right.",
     "where the answer is wrong, only the diagonal is.",
     [](auto i, auto j, auto, auto) { return i == j; }},
    {"above_the_diagonal", "all above the diagonal is 0, and the rest is right.",
     "where the answer is wrong, only what lies above the diagonal is.",
     [](auto i, auto j, auto, auto) { return j > i; }, 0.95},
    {"below_the_diagonal", "all below the diagonal is 0, and the rest is right.",
     "where the answer is wrong, only what lies below the diagonal is.",
     [](auto i, auto j, auto, auto) { return j < i; }, 0.95},
    {"last_row_and_column",
     "the last row and column are 0, and the rest is right. Do the loops end one too early?",
     "where the answer is wrong, only the last row and the last column are.",
     [](auto i, auto j, auto rows, auto columns) { return i + 1 == rows || j + 1 == columns; }},
    {"first_row_and_column",
     "the first row and column are 0, and the rest is right. Do the loops start at 1? Indices "
     "count from 0.",
     "where the answer is wrong, only the first row and the first column are.",
     [](auto i, auto j, auto, auto) { return i == 0 || j == 0; }},
    {"odd_columns", "every second column is 0, the columns 1, 3, 5 …, and the rest is right.",
     "where the answer is wrong, only every second column is: 1, 3, 5 …, counted from 0.",
     [](auto, auto j, auto, auto) { return j % 2 == 1; }, 0.7},
    {"even_columns", "every second column is 0, the columns 0, 2, 4 …, and the rest is right.",
     "where the answer is wrong, only every second column is: 0, 2, 4 …, counted from 0.",
     [](auto, auto j, auto, auto) { return j % 2 == 0; }, 0.7}};

const std::vector<Region> most_of_a_matrix{
    {"all_but_the_diagonal", "only the diagonal is right, the rest is 0.",
     "where the answer is wrong, only the diagonal is right.",
     [](auto i, auto j, auto, auto) { return i != j; }, 0.9},
    {"all_but_the_first_row",
     "only the first row is right, the others are 0. Does a return stand inside the loop?",
     "where the answer is wrong, only the first row is right.",
     [](auto i, auto, auto, auto) { return i > 0; }, 0.9},
    {"all_but_the_last_row", "only the last row is right, the others are 0.",
     "where the answer is wrong, only the last row is right.",
     [](auto i, auto, auto rows, auto) { return i + 1 < rows; }, 0.9},
    {"all_but_the_first_column", "only the first column is right, the others are 0.",
     "where the answer is wrong, only the first column is right.",
     [](auto, auto j, auto, auto) { return j > 0; }, 0.9},
    {"all_but_the_last_column", "only the last column is right, the others are 0.",
     "where the answer is wrong, only the last column is right.",
     [](auto, auto j, auto, auto columns) { return j + 1 < columns; }, 0.9},
    {"all_but_the_first_element",
     "only the first element is right, the others are 0. Does a return stand inside the loops?",
     "where the answer is wrong, only the first element is right.",
     [](auto i, auto j, auto, auto) { return i + j > 0; }},
    {"diagonal_and_above", "only what lies below the diagonal is right, the rest is 0.",
     "where the answer is wrong, only what lies below the diagonal is right.",
     [](auto i, auto j, auto, auto) { return j >= i; }, 0.95},
    {"diagonal_and_below", "only what lies above the diagonal is right, the rest is 0.",
     "where the answer is wrong, only what lies above the diagonal is right.",
     [](auto i, auto j, auto, auto) { return j <= i; }, 0.95}};

const std::vector<Region> parts_of_a_row{
    {"last_element", "the last element is 0, and the rest is right. Does a loop end one too early?",
     "where the answer is wrong, only the last element is.",
     [](auto, auto j, auto, auto columns) { return j + 1 == columns; }},
    {"first_element",
     "the first element is 0, and the rest is right. Does a loop start at 1? Indices count from 0.",
     "where the answer is wrong, only the first element is.",
     [](auto, auto j, auto, auto) { return j == 0; }}};

const std::vector<Region> most_of_a_row{
    {"all_but_the_first_element",
     "only the first element is right, the others are 0. Does a return stand inside the loop?",
     "where the answer is wrong, only the first element is right.",
     [](auto, auto j, auto, auto) { return j > 0; }},
    {"all_but_the_last_element", "only the last element is right, the others are 0.",
     "where the answer is wrong, only the last element is right.",
     [](auto, auto j, auto, auto columns) { return j + 1 < columns; }, 0.9}};

bool is_off(double got, double expected) {
    return got != expected &&
           !(std::isfinite(expected) && std::abs(got - expected) <= 1e-9 * std::abs(expected));
}

/// All as it should be but inside the region, where it is 0, or what it is.
Turn wrong_inside(const Region& region, bool zero) {
    return {region.name + std::string(zero ? "_is_zero" : "_is_wrong"),
            zero ? region.zero : region.other,
            [inside = region.inside, least = zero ? 0 : region.least,
             zero](const Pair& pair) -> std::optional<Grid> {
                Grid result = pair.expected;
                std::size_t outside = 0, within = 0, off = 0;
                if (pair.got.shape != result.shape) {
                    return std::nullopt;
                }
                for (std::size_t i = 0; i < result.rows(); ++i) {
                    for (std::size_t j = 0; j < result.columns(); ++j) {
                        if (!inside(i, j, result.rows(), result.columns())) {
                            outside += result.at(i, j) != 0 ? 1 : 0;
                        } else {
                            ++within;
                            off += is_off(pair.got.at(i, j), result.at(i, j)) ? 1 : 0;
                            result.at(i, j) = zero ? 0 : pair.got.at(i, j);
                        }
                    }
                }
                if (static_cast<double>(off) < least * static_cast<double>(within)) {
                    return pair.expected;
                }
                return outside > 0 ? std::optional(result) : std::nullopt;
            },
            zero};
}

/// As many rows, or columns, as an argument's size says: of each pair how many.
struct Limit {
    std::string name; // "the number of rows of X"
    bool rows;
    std::function<std::optional<S>(const Pair&)> of;
};
std::vector<Limit> limits_of(const std::vector<Pair>& wrong) {
    std::vector<Limit> limits;
    for (S k = 0; !wrong.empty() && k < wrong.front().sizes.size(); ++k) {
        const std::string name = wrong.front().sizes[k].first;
        const auto of = [=](const Pair& pair) -> std::optional<S> {
            // An argument that may be left out has no sizes where it is.
            if (k >= pair.sizes.size() || pair.sizes[k].first != name) {
                return std::nullopt;
            }
            return static_cast<S>(pair.sizes[k].second);
        };
        limits.push_back({name, true, of});
        limits.push_back({name, false, of});
    }
    return limits;
}

/// What to look for where they end after as many. An answer of several matrices has their rows one
/// below the other: there it is the first matrix that is right, more often than a loop that ends.
std::string what_ends(const Limit& limit, const std::vector<Pair>& wrong) {
    return limit.rows && wrong.front().expected.shape.size() > 2
               ? "The rows are counted through all matrices of an answer: is it the first of them "
                 "that is right, and what belongs to the others read or written elsewhere?"
               : fmt::format("Does a loop over the {} end at {}?", limit.rows ? "rows" : "columns",
                             limit.name);
}

/// The rows, or the columns, after as many are 0.
Turn zero_after(const Limit& limit, const std::vector<Pair>& wrong) {
    return {"zero_from_a_size_on",
            fmt::format("only the first {0} are there, as many as {1} says, and those after "
                        "them are 0. {2}",
                        limit.rows ? "rows" : "columns", limit.name, what_ends(limit, wrong)),
            [=](const Pair& pair) -> std::optional<Grid> {
                const auto end = limit.of(pair);
                return end ? std::optional(zero_from(pair.expected, limit.rows, *end))
                           : std::nullopt;
            },
            true};
}

/// Whether all that is wrong is no number: that comes of what it is made of, not of where it is.
bool wrong_by_nan_alone(const Pair& pair) {
    for (S k = 0; k < pair.got.numbers.size(); ++k) {
        const double got = pair.got.numbers[k], expected = pair.expected.numbers[k];
        const bool right = std::isfinite(expected)
                               ? std::abs(got - expected) <= 1e-9 * std::abs(expected)
                               : got == expected;
        if (std::isfinite(got) && !right) {
            return false;
        }
    }
    return true;
}

/// They are wrong there, whatever they are: a good part of them.
Turn wrong_after(const Limit& limit, const std::vector<Pair>& wrong) {
    return {"wrong_from_another_size_on",
            fmt::format("the first {0} are right, as many as {1} says, and those after them are "
                        "not. {2}",
                        limit.rows ? "rows" : "columns", limit.name, what_ends(limit, wrong)),
            [=](const Pair& pair) -> std::optional<Grid> {
                const auto end = limit.of(pair);
                if (!end || pair.got.shape != pair.expected.shape || wrong_by_nan_alone(pair)) {
                    return std::nullopt;
                }
                const Place inside = [=](S i, S j, S, S) { return (limit.rows ? i : j) >= *end; };
                return wrong_inside({"", "", "", inside, 0.05}, false).turned(pair);
            }};
}

/// Whether some answer has rows, or columns, both in a whole block and left over: what is all 0
/// tells nothing of blocks.
bool has_whole_block_and_more(const std::vector<Pair>& wrong, S size, bool rows) {
    return std::any_of(wrong.begin(), wrong.end(), [=](const Pair& pair) {
        const S count = rows ? pair.expected.rows() : pair.expected.columns();
        return count > size && count % size != 0;
    });
}

/// From how many rows, or columns, on an answer is wrong.
S fewest_in(const std::vector<Pair>& wrong, bool rows) {
    S fewest = static_cast<S>(-1);
    for (const Pair& pair : wrong) {
        fewest = std::min(fewest, rows ? pair.expected.rows() : pair.expected.columns());
    }
    return fewest;
}

/// The rows, or the columns, that are left over when they are cut into blocks of one size, or
/// shared out among threads, are 0. lines: what they are called; from: how many there have to be.
/// Where all of them end after as many, a buffer may be what ends there.
Turn zero_past_whole_blocks(const std::vector<Pair>& wrong, S size, bool rows, const char* lines,
                            S from) {
    std::set<S> ends;
    for (const Pair& pair : wrong) {
        ends.insert((rows ? pair.expected.rows() : pair.expected.columns()) / size * size);
    }
    const std::string explanation =
        from == size && ends.size() == 1
            ? fmt::format("where there are more than {0} {1}, those after the first {0} are 0: a "
                          "buffer or a tile ends there, or what is left over past whole blocks is "
                          "not done.",
                          *ends.begin(), lines)
            : fmt::format("the last {0} are 0 where {1}their number is no multiple of a block's "
                          "size, or of the number of threads: the division rounds down. Do what is "
                          "left over, too: round up, and let the last block end at the last of the "
                          "{0}.",
                          lines, where_some_are_lost(size, from));
    return {"zero_past_whole_blocks", explanation,
            [=](const Pair& pair) -> std::optional<Grid> {
                const S count = rows ? pair.expected.rows() : pair.expected.columns();
                return zero_from(pair.expected, rows, in_whole_blocks(count, size, from));
            },
            true};
}

/// Right up to a place at which a buffer or a tile ends, and wrong from there on.
std::optional<Turn> wrong_from_a_size_on(const std::vector<Pair>& wrong, bool rows) {
    S first = static_cast<S>(-1);
    for (const Pair& pair : wrong) {
        for (S k = 0; k < pair.got.numbers.size() && pair.got.shape == pair.expected.shape; ++k) {
            if (is_off(pair.got.numbers[k], pair.expected.numbers[k])) {
                const S m = pair.expected.columns();
                first = std::min(first, rows ? k / m : k % m);
            }
        }
    }
    const bool a_usual_size = first >= 16 && first <= 4096 && (first % 16 == 0 || first % 10 == 0);
    if (!a_usual_size) {
        return std::nullopt;
    }
    const std::string what = rows ? "rows" : "columns";
    Region region{"beyond_a_size", "", "", [=](S i, S j, S, S) { return (rows ? i : j) >= first; }};
    region.other = fmt::format("the first {} {} are right, and those after them are not: a buffer "
                               "or a tile ends there, or what is left over past whole blocks is "
                               "not done.",
                               first, wrong.front().expected.shape.size() < 2 ? "elements" : what);
    return wrong_inside(region, false);
}

bool is_matrix(const std::vector<Pair>& wrong) {
    return !wrong.empty() && wrong.front().expected.shape.size() >= 2;
}

} // namespace

std::vector<Turn> turns_of_zeros(const std::vector<Pair>& wrong) {
    if (std::all_of(wrong.begin(), wrong.end(),
                    [](const Pair& pair) { return pair.expected.shape.empty(); })) {
        return {}; // a single number has no parts
    }
    std::vector<Turn> turns;
    for (const Limit& limit : limits_of(wrong)) {
        turns.push_back(zero_after(limit, wrong));
    }
    for (const auto* regions : {is_matrix(wrong) ? &parts_of_a_matrix : &parts_of_a_row,
                                is_matrix(wrong) ? &most_of_a_matrix : &most_of_a_row}) {
        for (const Region& region : *regions) {
            turns.push_back(wrong_inside(region, true));
        }
    }
    for (const S size : block_sizes) {
        for (const bool rows : {false, true}) {
            if ((rows && !is_matrix(wrong)) || !has_whole_block_and_more(wrong, size, rows)) {
                continue;
            }
            const char* lines = rows ? "rows" : is_matrix(wrong) ? "columns" : "elements";
            for (const S from : std::set<S>{0, size, std::max(size, fewest_in(wrong, rows))}) {
                turns.push_back(zero_past_whole_blocks(wrong, size, rows, lines, from));
            }
        }
    }
    return turns;
}

std::vector<Turn> turns_of_parts(const std::vector<Pair>& wrong) {
    std::vector<Turn> turns;
    for (const Limit& limit : limits_of(wrong)) {
        turns.push_back(wrong_after(limit, wrong));
    }
    for (const bool rows : {true, false}) {
        if (auto turn = wrong_from_a_size_on(wrong, rows)) {
            turns.push_back(std::move(*turn));
        }
    }
    for (const Region& region : is_matrix(wrong) ? parts_of_a_matrix : parts_of_a_row) {
        turns.push_back(wrong_inside(region, false));
    }
    return turns;
}

std::vector<Turn> turns_of_most(const std::vector<Pair>& wrong) {
    std::vector<Turn> turns;
    for (const Region& region : is_matrix(wrong) ? most_of_a_matrix : most_of_a_row) {
        if (region.name != std::string("all_but_the_first_element")) { // that says too little
            turns.push_back(wrong_inside(region, false));
        }
    }
    return turns;
}

} // namespace judge
