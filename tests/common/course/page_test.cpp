#include "course/page.hpp"

#include <doctest/doctest.h>

using course::hints_of;

namespace {

const char* const page = R"(# Lesson 03

## 03.1 softmax

<details>
<summary>Hint 1</summary>

Only of 03.1.
</details>

## 03.2 softmax_rows

Some text.

<details>
<summary>Hint 1</summary>

Every row has a maximum
and a sum of its own.

</details>

<details>
<summary>Hint 2</summary>

```cpp
xt::amax(S, {1})
```
</details>
)";

} // namespace

TEST_CASE("hints_of: the hints of one exercise in order, without markup") {
    const auto hints = hints_of(page, "03.2");
    REQUIRE(hints.size() == 2);
    CHECK(hints[0] == "Every row has a maximum\nand a sum of its own.");
    CHECK(hints[1] == "xt::amax(S, {1})");
    CHECK(hints_of(page, "03.1") == std::vector<std::string>{"Only of 03.1."});
    for (const char* none : {"03.3", "03"}) {
        CHECK(hints_of(page, none).empty());
    }
}

TEST_CASE(
    "hints_of: a hint that is not closed is ignored, and does not swallow the next exercise") {
    const std::string open = "## 03.1 softmax\n<details>\nfirst\n## 03.2 softmax_rows\n<details>\n"
                             "second\n</details>\n";
    CHECK(hints_of(open, "03.1").empty());
    CHECK(hints_of(open, "03.2") == std::vector<std::string>{"second"});
}

TEST_CASE("without_math: formulas as a terminal can show them") {
    for (const auto& [line, plain] : std::vector<std::pair<std::string, std::string>>{
             {"Divide by $\\sqrt{d_k}$, not $d_k$.", "Divide by √d_k, not d_k."},
             {"$-\\infty$ is $e^{s_j - m}$, once", "-∞ is e^(s_j - m), once"},
             {"$n_\\text{kv} \\cdot \\ln n = 2$", "n_kv · ln n = 2"},
             {"none, `x`", "none, `x`"}}) {
        CHECK(course::without_math(line) == plain);
    }
    const std::string page =
        "## 03.1 softmax\n<details>\n$Q K^\\top$\n```\na$ $b\n```\n</details>\n";
    CHECK(hints_of(page, "03.1") == std::vector<std::string>{"Q K^T\na$ $b"});
}
