#include "course/explain/advice.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "course/explain/diagnostic.hpp"
#include "course/explain/pattern.hpp"

using course::AdviceExample;
using course::AdviceRow;

namespace {

/// The beginning of a row's advice, up to the first name that is filled in.
std::string beginning(const AdviceRow& row) {
    return row.say.substr(0, row.say.find('$'));
}

/// The advice on an example's message about the last line of its source.
course::Advice advice_for(const AdviceExample& example) {
    const auto lines = 1 + std::count(example.source.begin(), example.source.end(), '\n');
    return course::advice_on(
        {"1_softmax.cpp", static_cast<std::size_t>(lines), 1, "error", example.says},
        example.source);
}

} // namespace

TEST_CASE("every row of advice has a real message that no earlier row matches") {
    REQUIRE(course::compiler_advice().size() > 90);
    for (const AdviceRow& row : course::compiler_advice()) {
        CAPTURE(row.say);
        CHECK(!row.examples.empty());
        for (const AdviceExample& example : row.examples) {
            CAPTURE(example.says);
            CAPTURE(example.source);
            const std::string text = advice_for(example).text;
            CHECK_MESSAGE(text.starts_with(beginning(row)), text);
            CHECK(text.find('$') == std::string::npos);
        }
    }
    for (const AdviceRow& row : course::runtime_advice()) {
        CHECK(!row.examples.empty());
        for (const AdviceExample& example : row.examples) {
            CHECK(course::advice_on_outcome(example.says).starts_with(beginning(row)));
        }
    }
    CHECK(course::advice_on_outcome("softmax returned a value").empty());
}

TEST_CASE("look_for: names, gaps and the rest of a pattern") {
    const auto found = course::look_for("call to '$1'…'$2'", "no call to 'xt::sum' of 'a' or 'b'");
    REQUIRE(found);
    CHECK(found->begin == 3);
    CHECK(found->names[0] == "xt::sum");
    CHECK(found->names[1] == "a");
    CHECK(!course::look_for("'$1' and '$1'", "'a' and 'b'"));
    CHECK(course::look_for("'$1' and '$1'", "'a' and 'a'"));
    CHECK(course::look_for("$1(", "  row (x) = f(y)")->names[0] == "f");
    CHECK(course::look_for("'$3' file", "'a/b-c.hpp' file")->names[2] == "a/b-c.hpp");
    CHECK(!course::look_for("a…b…c", "a c b"));
    CHECK(course::replace_all("f<a> and g<b>", "<$1>", "[$1]") == "f[a] and g[b]");
}
