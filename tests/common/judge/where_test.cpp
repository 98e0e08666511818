// The line in which a call throws, crashes or loops, found by repeating it.

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
    Session session;
    session.open(HOSTILE, "");
    return where_it_ends(session, call,
                         std::filesystem::path(HOSTILE_SOURCES) / "hostile_endings.cpp");
}

std::string where(const std::string& function, const List& arguments) {
    const auto place = ending(function, arguments);
    return place ? place_text(*place) : "";
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
TEST_CASE("where_it_ends: the line that throws an exception, also through a library") {
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

TEST_CASE("where_it_ends: a call that does not return, after a second") {
    CHECK(text_where("loops", list(false)).starts_with("hostile_endings.cpp:  "));
}

#endif

TEST_CASE("where_it_ends: only the exercise's file is read, and only its lines are shown") {
    RecordedCall call;
    call.function = "throws";
    call.arguments = list(text("int"));
    call.outcome = Child(HOSTILE, patient()).call(call.function, call.arguments, "");
    Session session;
    session.open(HOSTILE, "");
    const auto there = [&](const std::string& source) {
        const auto place = where_it_ends(session, call, source);
        return place ? place_text(*place) : "";
    };
    CHECK(there("/proc/hostile_endings.cpp").find(":") == std::string::npos);
    CHECK(there(HOSTILE_SOURCES "/hostile.cpp").empty());
    CHECK(there("").empty());
}

TEST_CASE("where_it_ends: nothing if the call returns, hides its signals or prints too much") {
    CHECK(where("add", list(2.0, 3.0)).empty());
    CHECK(where("throws", list(text("the last of many"))).empty());
    CHECK(where("exits", list(text("exit"))).empty());
    CHECK(where("prints", list(std::uint64_t{2})).empty());
}
