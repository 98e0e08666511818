#include "judge/looks_of_sizes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace judge {

namespace {

constexpr std::size_t right_calls_needed = 5;
constexpr double says_something = 4; // a size up to which nearly any mistake is right

/// A call that was answered: its sizes, and whether the answer is right.
struct SizedCall {
    std::vector<std::pair<std::string, double>> sizes;
    bool right;
};

class Conditions {
public:
    explicit Conditions(const std::vector<SizedCall>& cases) : cases_(cases) {}

    std::string find() const {
        const std::size_t count = cases_.front().sizes.size();
        for (std::size_t a = 0; a < count; ++a) {
            if (wrong_where([](double size) { return size == 1; }, a)) {
                return wrong_only(fmt::format("{} is 1", name(a)));
            }
        }
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b) {
                for (const double least : {0.0, 2.0}) { // of one row and one column much is alike
                    if (wrong_where_equal(a, b, least)) {
                        return wrong_only(fmt::format("{} is {}", name(a), name(b)));
                    }
                }
            }
        }
        for (std::size_t a = 0; a < count; ++a) {
            if (wrong_where([](double size) { return !is_power_of_two(size); }, a)) {
                return wrong_only(fmt::format("{} is no power of 2", name(a)));
            }
        }
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count; ++b) {
                if (a != b && wrong_where_quotient_is_no_power_of_two(a, b)) {
                    return wrong_only(
                        fmt::format("{}, divided by {}, is no power of 2", name(a), name(b)));
                }
            }
        }
        for (std::size_t a = 0; a < count; ++a) {
            const auto [right_to, wrong_from] = ends(a);
            if (right_to >= says_something && right_to < wrong_from) {
                return fmt::format("of the calls that were asked, those are right where {} is "
                                   "{:g} or less, and wrong where it is {:g} or more.",
                                   name(a), right_to, wrong_from);
            }
        }
        for (std::size_t a = 0; a < count; ++a) {
            for (const int block : {2, 3, 4, 8, 16, 32, 64}) {
                for (const int least : {0, block}) {
                    // A whole block that is right says that blocks have to do with it.
                    const bool whole_is_right =
                        std::any_of(cases_.begin(), cases_.end(), [&](const SizedCall& one) {
                            const double size = one.sizes[a].second;
                            return one.right && size >= block && std::fmod(size, block) == 0;
                        });
                    if (whole_is_right && wrong_where(
                                              [=](double size) {
                                                  return size >= least &&
                                                         std::fmod(size, block) > 0;
                                              },
                                              a)) {
                        return wrong_only(left_over(name(a), block, least > 0)) +
                               " Is something left over past whole blocks, done twice, or kept "
                               "from a block before?";
                    }
                }
            }
        }
        return "";
    }

private:
    static std::string wrong_only(const std::string& where) {
        return fmt::format("the answer is wrong where {}, and right in all other calls that were "
                           "asked.",
                           where);
    }

    static std::string left_over(const std::string& name, int block, bool above) {
        if (block == 2) {
            return fmt::format("{} is odd{}", name, above ? " and above 1" : "");
        }
        return fmt::format("{} is {}no multiple of {}", name,
                           above ? fmt::format("above {} and ", block) : "", block);
    }

    const std::string& name(std::size_t k) const { return cases_.front().sizes[k].first; }

    template <class Condition>
    bool wrong_where(const Condition& condition, std::size_t a) const {
        return std::all_of(cases_.begin(), cases_.end(), [&](const SizedCall& one) {
            return condition(one.sizes[a].second) == !one.right;
        });
    }

    static bool is_power_of_two(double size) {
        int exponent = 0;
        return std::frexp(size, &exponent) == 0.5;
    }

    bool wrong_where_quotient_is_no_power_of_two(std::size_t a, std::size_t b) const {
        return std::all_of(cases_.begin(), cases_.end(), [&](const SizedCall& one) {
            const double quotient = one.sizes[a].second / one.sizes[b].second;
            return quotient >= 1 && std::floor(quotient) == quotient &&
                   is_power_of_two(quotient) == one.right;
        });
    }

    bool wrong_where_equal(std::size_t a, std::size_t b, double least) const {
        const bool always = // they have to be equal, and say nothing
            std::all_of(cases_.begin(), cases_.end(), [&](const SizedCall& one) {
                return one.sizes[a].second == one.sizes[b].second;
            });
        return !always && std::all_of(cases_.begin(), cases_.end(), [&](const SizedCall& one) {
            const double size = one.sizes[a].second;
            return (size == one.sizes[b].second && size >= least) == !one.right;
        });
    }

    /// The largest size with a right answer, and the smallest with a wrong one.
    std::pair<double, double> ends(std::size_t a) const {
        double right_to = 0, wrong_from = HUGE_VAL;
        for (const SizedCall& one : cases_) {
            const double size = one.sizes[a].second;
            right_to = one.right ? std::max(right_to, size) : right_to;
            wrong_from = one.right ? wrong_from : std::min(wrong_from, size);
        }
        return {right_to, wrong_from};
    }

    const std::vector<SizedCall>& cases_;
};

/// Where all that is wrong was asked with the last argument, which may be left out, and what was
/// asked without it is right.
std::optional<Look> look_of_the_last_argument(const std::vector<Judged>& answers) {
    std::size_t without = 0;
    std::size_t with = 0;
    std::size_t wrong = 0;
    for (const Judged& answer : answers) {
        if (answer.arguments.empty() || answer.parameters.size() != answer.arguments.size()) {
            return std::nullopt;
        }
        const bool given = !std::holds_alternative<std::monostate>(answer.arguments.back().data);
        if (!given && !answer.right) {
            return std::nullopt;
        }
        without += given ? 0 : 1;
        with += given ? 1 : 0;
        wrong += answer.right ? 0 : 1;
    }
    if (without < right_calls_needed || wrong < 2) {
        return std::nullopt;
    }
    const std::string name = answers.front().parameters.back();
    const std::string how_many = wrong == with ? "all" : fmt::format("{} of {}", wrong, with);
    return Look{"wrong_with_the_last_argument",
                fmt::format("without {0}, all answers that were asked are right; with one, {1} are "
                            "wrong. Does all that {0} says arrive, and no more than it says?",
                            name, how_many),
                answers.size(), answers.size()};
}

} // namespace

std::optional<Look> look_of_sizes(const std::vector<Judged>& answers) {
    std::vector<SizedCall> cases;
    std::size_t right = 0;
    std::size_t common =
        64; // sizes: an argument that may be left out comes last, and has none then
    for (const Judged& answer : answers) {
        if (!answer.actual) {
            return std::nullopt;
        }
        right += answer.right ? 1 : 0;
        cases.push_back({sizes_of(answer.parameters, answer.arguments), answer.right});
        common = std::min(common, cases.back().sizes.size());
    }
    for (SizedCall& one : cases) {
        one.sizes.resize(common);
    }
    if (right < right_calls_needed || right == cases.size()) {
        return std::nullopt;
    }
    const std::string found = Conditions(cases).find();
    return found.empty() ? look_of_the_last_argument(answers)
                         : std::optional(Look{"certain_sizes", found, cases.size(), cases.size()});
}

} // namespace judge
