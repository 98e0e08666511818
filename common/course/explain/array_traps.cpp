#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "course/explain/traps.hpp"

namespace course {

// Each repetition has an end: std::regex takes stack for every character.
std::vector<Trap> find_array_traps(const std::string& code) {
    static const std::regex copy(
        R"((const )?\b((?:\w{1,20}::)?(?:Vector|Matrix|Tensor3|xtensor<double, \d>|xarray<double>)) )"
        R"((\w{1,40}) ?[=({]{1,2}\s{0,20}xt::(?:row|col|view)\()");
    static const std::regex by_bools(
        R"(\b(\w{1,40})\[([^\[\];]{1,80})\] ?([-+*/]?)=\s{0,20}([^=;][^;]{0,200});)");
    std::vector<Trap> traps;
    const auto add = [&](std::ptrdiff_t at, std::ptrdiff_t size, const std::string& instead,
                         const std::string& text) {
        const auto line = 1 + std::count(code.begin(), code.begin() + at, '\n');
        traps.push_back({static_cast<std::size_t>(at), static_cast<std::size_t>(at + size),
                         instead + " /*", "*/", fmt::format("line {} {}", line, text)});
    };
    const auto has = [&](const std::string& text) { return code.find(text) != code.npos; };
    const std::sregex_iterator end;
    const auto code_end = code.size() <= 50'000 ? code.end() : code.begin();
    for (std::sregex_iterator at(code.begin(), code_end, copy); at != end; ++at) {
        const std::string name = (*at)[3];
        const std::regex changed(fmt::format(
            R"(\b{0}(\([^;]{{0,80}}\)|\[[^;]{{0,80}}\])? ?[-+*/]?=[^=]|& ?\w+ : {0}\)|\b{0}\.(begin|fill)\()",
            name));
        if (!(*at)[1].matched && std::regex_search(at->suffix().first, code_end, changed)) {
            add(at->position(2), at->length(2), "auto",
                fmt::format("makes {0} a copy, and what is done to the copy never reaches the "
                            "array that it was taken from. auto {0} = … keeps the view instead, "
                            "through which the array is changed.",
                            name));
        }
    }
    for (std::sregex_iterator at(code.begin(), code_end, by_bools); at != end; ++at) {
        const std::string array = (*at)[1], index = (*at)[2];
        const std::string name =
            index.substr(std::min(index.find_first_not_of("!~*( "), index.size()));
        const std::string mask = name.substr(0, name.find_first_of(") "));
        if (index[0] != '!' && index.find_first_of("<>") == index.npos && !has("Mask " + mask) &&
            !has("Mask& " + mask) && !has("Mask>& " + mask)) {
            continue;
        }
        const std::string bools = index[0] == '~' ? "!" + index.substr(1) : index;
        std::string value = (*at)[4];
        for (std::size_t used = 0; (used = value.find("[" + index + "]")) != value.npos;) {
            value.erase(used, index.size() + 2);
        }
        value = at->length(3) > 0 ? fmt::format("{} {} ({})", array, (*at)[3].str(), value) : value;
        add(at->position(), at->length() - 1,
            fmt::format("{0} = xt::where({1}, {2}, {0})", array, bools, value),
            fmt::format("indexes {0} by bools, as numpy does. xtensor has no boolean index: [] "
                        "takes the bools for the numbers of a row and a column. Write an if in two "
                        "loops, {0} = xt::where({1}, …, {0}), or xt::filtration({0}, {1}) = …",
                        array, bools));
    }
    return traps;
}

} // namespace course
