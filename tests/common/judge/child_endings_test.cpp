// Every way in which a call can end, each with its own outcome.

#include <csignal>

#include "hostile_child.hpp"
#include "judge/compare.hpp"
#include "support/temporary_folder.hpp"

using namespace judge;
using namespace hostile;

namespace {

void crashes_with(const std::string& how, int signal) {
    CAPTURE(how);
    CHECK(ends_as<Crashed>(patient(), "crashes", list(how)).signal == signal);
}

} // namespace

TEST_CASE("child: a function's value comes back") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const attention::Matrix X{{1, 2, 3}, {4, 5, 6}};
    CHECK(from_value<attention::Matrix>(as<Returned>(child.call("echo", list(X))).value) == X);
    const auto sample = from_value<lesson::Sample>(
        as<Returned>(child.call("describe_sample", list(X, text("two rows")))).value);
    CHECK(sample == lesson::Sample{X, {6, 15}, "two rows", std::nullopt});
    CHECK(
        std::holds_alternative<std::monostate>(as<Returned>(child.call("nothing", {})).value.data));
}

TEST_CASE("child: one process answers call after call, until one ends badly") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const auto process = [&] {
        return from_value<int>(as<Returned>(child.call("process_id", {})).value);
    };
    const int first = process();
    as<Threw>(child.call("throws", list(text("int"))));
    as<NotImplemented>(child.call("unwritten", list(attention::Matrix{{1}})));
    CHECK(process() == first);
    as<Crashed>(child.call("crashes", list(text("abort"))));
    CHECK(process() != first);
    CHECK_FALSE(lives(first));
}

TEST_CASE("child: a mistake answers instead of its function") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const attention::Matrix X{{1, 2}, {3, 4}};
    const auto ask = [&](const std::string& variant) {
        return from_value<attention::Matrix>(
            as<Returned>(child.call("product", list(X, X), variant)).value);
    };
    CHECK(ask("") == attention::Matrix{{7, 10}, {15, 22}});
    CHECK(ask("transposed_weight") == attention::Matrix{{5, 11}, {11, 25}});
    CHECK(ask("element_wise") == attention::Matrix{{1, 4}, {9, 16}});
}

TEST_CASE("child: exceptions keep their type and text") {
    const auto throws = [](const std::string& what) {
        return ends_as<Threw>(patient(), "throws", list(what));
    };
    const Threw refused = throws("X is (2, 3)");
    CHECK(refused.type == "std::invalid_argument");
    CHECK(refused.what == "X is (2, 3)");
    const Threw number = throws("int");
    CHECK(number.type == "int");
    CHECK(number.what.empty());
    const Threw custom = throws("custom");
    CHECK(custom.type == "lesson::(anonymous namespace)::Complaint");
    CHECK(custom.what == "a complaint");
    CHECK(throws("long").what.size() == 4000);
}

TEST_CASE("child: a stub is not implemented, and names its exercise") {
    CHECK(ends_as<NotImplemented>(patient(), "unwritten", list(attention::Matrix{{1}})).exercise ==
          "09.9");
}

TEST_CASE("child: a call of an unknown function, or with other arguments, throws") {
    CHECK(ends_as<Threw>(patient(), "no_such").what == "there is no function no_such");
    CHECK(ends_as<Threw>(patient(), "add", list(1.0)).what ==
          "a call with the wrong number of arguments");
    CHECK(ends_as<Threw>(patient(), "add", list(1.0, true)).what == "wanted a number, got bool");
}

TEST_CASE("child: a call that loops, ignores every signal or stops itself runs too long") {
    for (const bool ignoring_signals : {false, true}) {
        CHECK(ends_as<RanTooLong>(quick(), "loops", list(ignoring_signals)).seconds == 0.3);
    }
    ends_as<RanTooLong>(quick(), "stops_itself");
}

// The child turns off the sanitizers' own handling of these signals, so they end it as ever.
TEST_CASE("child: a crash is known by its signal") {
    crashes_with("segfault", SIGSEGV);
    crashes_with("recursion", SIGSEGV);
    crashes_with("abort", SIGABRT);
    crashes_with("terminate", SIGABRT);
    crashes_with("pthread_exit",
                 SIGABRT); // it unwinds through our catch (...), which may not end it
    CHECK(ends_as<Crashed>(unconfined(), "crashes", list(text("kill"))).signal == SIGKILL);
}

TEST_CASE("child: exit instead of return ends early, by any name, with its status") {
    for (const char* how : {"exit", "_Exit", "quick_exit"}) {
        CAPTURE(how);
        CHECK(ends_as<EndedEarly>(patient(), "exits", list(text(how))).status == 0);
    }
    CHECK(ends_as<EndedEarly>(patient(), "exits", list(text("with 7"))).status == 7);
}

// The sanitizers reserve terabytes of address space, so their builds have no memory limit.
TEST_SUITE("memory limit" * doctest::skip(sanitized())) {
    TEST_CASE("child: 64 GB at once, or memory bit by bit, are more than it may use") {
        const std::size_t limit = patient().memory;
        const std::uint64_t gigabyte = std::uint64_t{1} << 30;
        const auto allocate = [&](std::uint64_t bytes, bool touching) {
            return ends_as<UsedTooMuchMemory>(patient(), "allocates", list(bytes, touching)).limit;
        };
        CHECK(allocate(64 * gigabyte, false) == limit);
        CHECK(allocate(64 * gigabyte, true) == limit);
    }
}

TEST_CASE("child: several variants called at once answer as they do one by one") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const attention::Matrix square{{1, 2}, {3, 4}};
    const attention::Matrix other{{5, 6}, {7, 8}};
    const List arguments = list(square, other);
    const std::vector<std::string> variants{"transposed_weight", "refuses_everything",
                                            "element_wise"};
    const auto together = child.call_each("product", {arguments}, variants);
    REQUIRE(together);
    REQUIRE(together->size() == variants.size());
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
        CAPTURE(variants[i]);
        const auto alone = as<Returned>(child.call("product", arguments, variants[i]));
        CHECK(!compare(as<Returned>((*together)[i]).value, alone.value));
    }
    CHECK(as<Threw>((*together)[1]).type == "std::runtime_error");
    CHECK(as<Threw>((*together)[1]).what == "never 2");
}
