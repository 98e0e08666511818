// Which exercises may be compiled in one go: those that could not tell.

#include "classroom/footprint.hpp"

#include <chrono>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "classroom/names.hpp"
#include "course/files.hpp"
#include "support/temporary_folder.hpp"

using classroom::Footprint;

namespace {

/// A file's footprint: <…> is there for everybody, "…" lies in the folder.
Footprint of(const std::string& text, const std::string& function,
             const std::filesystem::path& folder = {}) {
    return classroom::footprint_of(text, {function}, [&](const std::string& name) -> std::string {
        const std::filesystem::path file = folder / name.substr(1, name.size() - 2);
        return name.front() == '<'             ? classroom::everybody
               : std::filesystem::exists(file) ? file.string()
                                               : "";
    });
}

std::string in_lesson(const std::string& text) {
    return "namespace lesson {\n" + text + "\n}\n";
}

} // namespace

TEST_CASE("footprint: two functions that know nothing of each other are independent") {
    const Footprint a = of(in_lesson("double f(double x) { return x; }"), "f");
    const Footprint b = of(in_lesson("double g(double x) { const double y = x; return y; }"), "g");
    CHECK(independent(a, b));
    CHECK(independent(b, a));
}

TEST_CASE("footprint: whoever mentions what another declares is not independent of it") {
    const std::string user = in_lesson("double g(double x) { return helper * other * x; }");
    for (const std::string declared : {
             "constexpr double helper = 1;",
             "namespace { double helper(double x) { return x; } }",
             "static double first = 1, helper = 2;",
             "static double first{1}, helper{2};",
             "struct helper { double x = 0; };",
             "struct first {} helper;",
             "using helper = double;",
             "using std::helper;",
             "namespace helper { int x; }",
             "namespace helper = std;",
             "template <class T> T helper(T x) { return x; }",
             "double (*helper)(double) = nullptr;",
             "Matrix (*helper)(Matrix);",
             "Matrix (helper)(Matrix a);",
             "const auto helper = [](double x) { return x; };",
             "const std::function<double(double)> helper = nullptr;",
             "auto [first, helper] = std::pair(1, 2);",
             "alignas(16) double helper;",
             "enum class helper { a, b };",
             "typedef double helper;",
             "double unused(double x = {}, int y = 1); double helper(double x);",
         }) {
        CAPTURE(declared);
        const Footprint a = of(in_lesson(declared + " double f(double x) { return x; }"), "f");
        CHECK(!independent(a, of(user, "g")));
        CHECK(!independent(of(user, "g"), a));
        CHECK(independent(a, of(in_lesson("double h(double z) { return z; }"), "h")));
    }
    CHECK(!independent(of(in_lesson("double helper() { return 1; }"), "helper"), of(user, "g")));
}

TEST_CASE("footprint: what reaches further than its names is compiled alone") {
    for (const std::string text : {
             "#define f g",
             "#undef f",
             "#pragma GCC optimize(\"O0\")",
             "#if 1\n#endif",
             "using namespace std;",
             "enum { a, b };",
             "union { int a; };",
             "asm(\"\");",
             "int operator+(const A& a, const A& b);",
             "template <> struct hash<A> {};",
             "template struct A<int>;",
             "extern \"C\" int puts(const char*);",
             "namespace lesson {",
             "}",
             "/* without an end",
             "const char* a = R\"(})\";",
             "int a; // goes on \\\nint b;",
             "int line = __LINE__;",
             "_Pragma(\"once\")",
             "%:define f g",
             "#include \"nowhere.hpp\"",
             "int a;\n#include <vector>",
             "int \\u00e4;",
             "int a",
             "int a = 1 > 0;",
         }) {
        CAPTURE(text);
        CHECK(!of(text, "f").plain);
    }
}

TEST_CASE("footprint: a text of many names, bodies or namespaces takes no longer than its length") {
    constexpr std::size_t size = std::size_t{1} << 18;
    const auto repeated = [](const std::string& part, std::size_t bytes) {
        std::string text;
        while (text.size() < bytes) {
            text += part;
        }
        return text;
    };
    std::string names = "int a";
    for (int i = 0; names.size() < size; ++i) {
        names += fmt::format(",a{}", i);
    }
    const auto begun = std::chrono::steady_clock::now();
    const auto declared = declared_in(classroom::tokens_of(names + ";"));
    CHECK(declared.plain);
    CHECK(declared.all.size() > 30'000);
    for (const std::string& text : {
             "int x " + repeated("(", size / 2) + repeated("{}", size / 2) + ";",
             repeated("namespace a{", size / 2) + repeated("int b;", size / 2),
             "namespace " + std::string(size / 2, 'a') + "{" + repeated("int b;", size / 2) + "}",
         }) {
        CHECK(!declared_in(classroom::tokens_of(text)).plain);
    }
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10)); // and not hours
    // Several such texts would each be held against each other.
    CHECK(!of(names + ";", "f").plain);
    CHECK(of(names.substr(0, names.rfind(',', size / 5)) + ";", "f").plain);
}

TEST_CASE("footprint: a header counts with whoever includes it") {
    const support::TemporaryFolder folder;
    course::write_file(folder / "contract.hpp",
                       "#pragma once\nnamespace lesson {\nusing attention::Matrix;\n"
                       "Matrix f(const Matrix& a);\nMatrix g(const Matrix& a);\n}\n");
    course::write_file(folder / "other.hpp",
                       "#pragma once\nnamespace lesson {\nusing attention::Matrix;\n"
                       "Matrix h(const Matrix& a);\nstruct Table {};\n}\n");
    course::write_file(folder / "far.hpp",
                       "#pragma once\nnamespace attention {\nint far(int a = {});\n}\n");
    course::write_file(folder / "macro.hpp", "#pragma once\n#define FAR 1\n");
    const auto with = [&](const std::string& headers, const std::string& name,
                          const std::string& body) {
        return of(headers + in_lesson("Matrix " + name + "(const Matrix& a) { " + body + " }"),
                  name, folder.path());
    };
    const std::string contract = "#include \"contract.hpp\"\n";
    const Footprint f = with(contract, "f", "return a;");
    const Footprint h = with("#include \"other.hpp\"\n", "h", "return a;");
    CHECK(independent(f, with(contract, "g", "return a;")));
    CHECK(!independent(f, with(contract, "g", "return f(a);")));
    CHECK(independent(f, h));
    CHECK(!independent(h, with(contract, "f", "Table table; return a;")));

    const Footprint far = with(contract + "#include \"far.hpp\"\n", "g", "return a;");
    CHECK(independent(f, far));
    CHECK(independent(far, with(contract, "f", "int far = 1; return a;")));
    CHECK(!independent(far, with(contract, "f", "attention::far(); return a;")));
    const std::string both = contract + "#include \"far.hpp\"\n";
    CHECK(independent(far, with(both, "f", "attention::far(); return a;")));

    const Footprint macro = with(contract + "#include \"macro.hpp\"\n", "g", "return a;");
    CHECK(!independent(f, macro));
    CHECK(independent(macro, with(contract + "#include \"macro.hpp\"\n", "f", "return a;")));
}

TEST_CASE("footprint: apart, what is in namespace lesson is for nobody else") {
    const support::TemporaryFolder folder;
    course::write_file(folder / "contract.hpp",
                       "#pragma once\nnamespace lesson {\nusing Mask = int;\nint f(int a);\n}\n");
    course::write_file(folder / "other.hpp",
                       "#pragma once\nnamespace lesson {\nusing Mask = bool;\nint f(bool a);\n}\n");
    course::write_file(
        folder / "masks.hpp",
        "#pragma once\nnamespace attention {\nusing Mask = char;\nint g(Mask a);\n}\n");
    const auto with = [&](const std::string& headers, const std::string& text) {
        return of(headers + text, "f", folder.path());
    };
    const std::string contract = "#include \"contract.hpp\"\n";
    const std::string other = "#include \"other.hpp\"\n";
    const std::string body = in_lesson("int helper() { return 1; } int f(Mask a) { return a; }");
    const Footprint a = with(contract, body);
    CHECK(!independent(a, with(other, body)));
    CHECK(independent_apart(a, with(other, body)));
    for (const std::string outside : {
             "static int helper() { return 1; }\n",
             "namespace { int helper() { return 1; } }\n",
             "namespace mine { int helper() { return 1; } }\n",
             "namespace std { int helper() { return 1; } }\n",
             "using std::vector;\n",
             "#define Mask int\n",
         }) {
        CAPTURE(outside);
        CHECK(!independent_apart(a, with(other, outside + body)));
        CHECK(!independent_apart(with(other, outside + body), a));
    }

    // There what the other file calls may be our solution, for nobody to hand on.
    for (const std::string first : {
             "const int left = leave(&f);",
             "int left(leave(&f));",
             "A left{leave(&f)};",
             "struct A { static inline int left = leave(&f); };",
             "struct A {} left;",
             "thread_local int left = leave(&f);",
             "template <class T> int left = leave(&f);",
             "[[gnu::constructor]] void leaves() { leave(&f); }",
         }) {
        CAPTURE(first);
        CHECK(
            !independent_apart(a, with(other, in_lesson(first + " int f(Mask a) { return a; }"))));
    }
    for (const std::string first : {
             "constexpr int three = 3;",
             "struct A { int member = 1; };",
             "struct A final : B { int member = 1; };",
             "template <class T> T twice(T a) { static int n = 0; return n++, 2 * a; }",
         }) {
        CAPTURE(first);
        CHECK(independent_apart(a, with(other, in_lesson(first + " int f(Mask a) { return a; }"))));
    }

    const Footprint far = with(other + "#include \"masks.hpp\"\n", body);
    CHECK(independent_apart(far, a)); // Mask is its own
    for (const std::string reached : {
             "attention::Mask mask;",
             "using attention::Mask; Mask mask;",
             "namespace at = attention; at::Mask mask;",
             "attention::g(1);",
         }) {
        CAPTURE(reached);
        CHECK(!independent_apart(
            far, with(contract, in_lesson("int f(Mask a) { " + reached + " return a; }"))));
    }
}
