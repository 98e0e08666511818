// A submission's output, and what it may do to the pipes of calls and answers.

#include <functional>

#include "hostile_child.hpp"

using namespace judge;
using namespace hostile;

namespace {

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

TEST_CASE("child: output of every kind is kept, and belongs to its call alone") {
    const Traces traces;
    Child child(HOSTILE, patient());
    as<Returned>(child.call("print", list(text("once"))));
    for (const char* way : {"cout once\n", "printf once\n", "cerr once\n", "clog once\n"}) {
        CAPTURE(way);
        CHECK(child.output().find(way) != std::string::npos);
    }
    CHECK_FALSE(child.output_cut());
    answers(child);
    CHECK(child.output().empty());
}

TEST_CASE("child: a gigabyte of output is read and dropped, and the call returns") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const double taken =
        seconds([&] { as<Returned>(child.call("prints", list(std::uint64_t{1024}))); });
    CHECK(taken < 10);
    CHECK(child.output().size() == patient().output);
    CHECK(child.output_cut());
    answers(child);
}

TEST_CASE("child: arguments and answers of many megabytes arrive whole") {
    const Traces traces;
    Child child(HOSTILE, patient());
    attention::Matrix X(std::array<std::size_t, 2>{1000, 1024});
    for (std::size_t i = 0; i < X.size(); ++i) {
        X.flat(i) = static_cast<double>(i);
    }
    CHECK(from_value<attention::Matrix>(as<Returned>(child.call("echo", list(X))).value) == X);
}

TEST_CASE("child: an answer beyond its limit is not read") {
    Limits limits = patient();
    limits.reply = 1 << 20;
    const std::string why = ends_as<Garbled>(limits, "huge_answer", list(std::uint64_t{1024})).why;
    CHECK(why.find("it has 83886") == 0);
    CHECK(why.find(" bytes, more than the ") != std::string::npos);
}

TEST_CASE("child: without the pipe for answers a call ends early when it returns") {
    CHECK(ends_as<EndedEarly>(patient(), "closes", list(4, 4)).status == EXIT_FAILURE);
    CHECK(ends_as<EndedEarly>(patient(), "closes", list(0, 1023)).status == EXIT_FAILURE);
}

TEST_CASE("child: a submission has its five descriptors, and none of the grader's") {
    const Traces traces;
    int ends[2];
    REQUIRE(pipe(ends) == 0); // open across exec, as a grader's own descriptors may be
    Child child(HOSTILE, patient());
    CHECK(from_value<std::vector<int>>(as<Returned>(child.call("open_descriptors", {})).value) ==
          std::vector<int>{0, 1, 2, 3, 4});
    close(ends[0]);
    close(ends[1]);
}
