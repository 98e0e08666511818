// The line in which a call throws, crashes or loops, found by making it once more.

#include "judge/where.hpp"

#include <cstdio>

#include "exports.hpp"
#include "hostile_child.hpp"
#include "judge/sanitized.hpp"

using namespace judge;
using namespace hostile;

namespace {

std::optional<SourceLine> ending(const std::string& function, const List& arguments) {
    const Traces traces;
    RecordedCall call;
    call.function = function;
    call.arguments = arguments;
    call.outcome =
        Child(HOSTILE, function == "loops" ? quick() : patient()).call(function, arguments, "");
    return where_it_ends(HOSTILE, "", call,
                         std::filesystem::path(HOSTILE_SOURCES) / "hostile_endings.cpp");
}

std::string where(const std::string& function, const List& arguments) {
    const auto place = ending(function, arguments);
    return place ? place_text(*place) : "";
}

std::string why_it_crashes(const char* how) {
    const auto place = ending("crashes", list(text(how)));
    return place ? cause_text(place->cause) : "not found";
}

/// The line without its number, which changes with the file.
std::string text_where(const std::string& function, const List& arguments) {
    const std::string found = where(function, arguments);
    const std::size_t of = found.find(" of ");
    return of == std::string::npos ? found : found.substr(of + 4);
}

} // namespace

#ifdef __GLIBC__
TEST_CASE("where_it_ends: a crash, by its innermost line that is not a library's") {
    CHECK(text_where("crashes", list(text("segfault"))) ==
          "hostile_endings.cpp:  return *nowhere;");
    CHECK(text_where("crashes", list(text("abort"))) == "hostile_endings.cpp:  std::abort();");
    CHECK(text_where("crashes", list(text("out of range"))) ==
          "hostile_endings.cpp:  return std::vector<double>(3)[std::strlen(how.c_str())];");
    CHECK(text_where("crashes", list(text("after one that is caught"))) ==
          "hostile_endings.cpp:  std::raise(SIGABRT);");
}

#ifndef JUDGE_SANITIZED // which has a __cxa_throw of its own
TEST_CASE("where_it_ends: an exception, where it is thrown, in a library too") {
    CHECK(text_where("throws", list(text("int"))) == "hostile_endings.cpp:  throw 42;");
    CHECK(text_where("throws", list(text("a complaint"))) ==
          "hostile_endings.cpp:  throw std::invalid_argument(what);");
    CHECK(text_where("throws", list(text("a library's"))) ==
          "hostile_endings.cpp:  return std::vector<double>(3).at(what.size());");
    CHECK(text_where("throws", list(text("a template's"))) ==
          "hostile_endings.cpp:  return Matrix(two_by_three * xt::transpose(two_by_three))(0, 0);");
}
#endif

TEST_CASE("where_it_ends: a recursion that never ends, though the stack is full") {
    CHECK(text_where("crashes", list(text("recursion"))).starts_with("hostile_endings.cpp:  "));
}

#ifndef JUDGE_SANITIZED // which ends it in its own ways
TEST_CASE("where_it_ends: why it crashes, where the signal tells") {
    const std::string full =
        "There the stack is full: a recursion does not end, or a local array is too large.";
    CHECK(why_it_crashes("segfault") == "There it reads or writes through a null pointer.");
    CHECK(why_it_crashes("recursion") == full);
    CHECK(why_it_crashes("a local array") == full);
    CHECK(why_it_crashes("division") == "There an integer is divided by 0.");
    CHECK(why_it_crashes("trapped") ==
          "There arithmetic on floats traps, as feenableexcept asks for.");
    CHECK(why_it_crashes("abort").empty());
}
#endif

TEST_CASE("where_it_ends: a call that does not return, after a second") {
    CHECK(text_where("loops", list(false)).starts_with("hostile_endings.cpp:  "));
}

TEST_CASE("where_it_ends: the number is the line's") {
    const std::string found = where("crashes", list(text("abort")));
    std::size_t number = 0;
    REQUIRE(std::sscanf(found.c_str(), "line %zu of hostile_endings.cpp", &number) == 1);
    std::ifstream file(std::filesystem::path(HOSTILE_SOURCES) / "hostile_endings.cpp");
    std::string line;
    for (std::size_t i = 0; i < number; ++i) {
        std::getline(file, line);
    }
    CHECK(line.find("std::abort();") != std::string::npos);
}
#endif

TEST_CASE("where_it_ends: only the exercise's file is read, and only its lines are told") {
    RecordedCall call;
    call.function = "throws";
    call.arguments = list(text("int"));
    call.outcome = Child(HOSTILE, patient()).call(call.function, call.arguments, "");
    const auto there = [&](const std::string& source) {
        const auto place = where_it_ends(HOSTILE, "", call, source);
        return place ? place_text(*place) : "";
    };
    CHECK(there("/proc/hostile_endings.cpp").find(":") == std::string::npos);
    CHECK(there(HOSTILE_SOURCES "/hostile.cpp").empty());
    CHECK(there("").empty());
}

TEST_CASE("where_it_ends: nothing where the call returns, hides its signals or prints too much") {
    CHECK(where("add", list(2.0, 3.0)).empty());
    CHECK(where("throws", list(text("the last of many"))).empty());
    CHECK(where("exits", list(text("exit"))).empty());
    CHECK(where("prints", list(std::uint64_t{2}, false)).empty());
}
