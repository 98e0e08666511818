// What a submission prints, and what it may do to the pipes that calls and answers travel on.

#include <functional>
#include <limits>

#include "hostile_child.hpp"
#include "judge/submission.hpp"
#include "support/temporary_folder.hpp"

using namespace judge;
using namespace hostile;

namespace {

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string raw(std::uint64_t number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::string garbled(const Limits& limits, const std::string& bytes, int first, int last) {
    return ends_as<Garbled>(limits, "forges", list(bytes, first, last)).why;
}

} // namespace

TEST_CASE("child: what is printed is kept, whichever way, and belongs to its call alone") {
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

TEST_CASE("child: of too much output the beginning is kept") {
    const Traces traces;
    Limits limits = patient();
    limits.output = 10;
    Child child(HOSTILE, limits);
    as<Returned>(child.call("print", list(text("once"))));
    CHECK(child.output().size() == 10);
    CHECK(child.output_cut());
    limits.output = std::string("cout 1\nprintf 1\ncerr 1\nclog 1\n").size();
    Child exact(HOSTILE, limits);
    as<Returned>(exact.call("print", list(text("1"))));
    CHECK(exact.output().size() == limits.output);
    CHECK_FALSE(exact.output_cut());
}

TEST_CASE("child: a gigabyte of output is read and dropped, and the call returns") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const double taken =
        seconds([&] { as<Returned>(child.call("prints", list(std::uint64_t{1024}, false))); });
    CHECK(taken < 10);
    CHECK(child.output().size() == patient().output);
    CHECK(child.output_cut());
    answers(child);
}

TEST_CASE("child: printing for ever runs too long, and does not hold the grader") {
    ends_as<RanTooLong>(quick(), "prints", list(std::uint64_t{0}, true));
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

TEST_CASE("child: an announcement of absurd size is refused at once") {
    const std::string absurd = raw(std::numeric_limits<std::uint64_t>::max());
    CHECK(garbled(patient(), absurd, 4, 4) ==
          "it has 18446744073709551615 bytes, more than the 16 MiB of any right one");
    const std::string most = raw(patient().reply + 1);
    CHECK(garbled(patient(), most, 4, 4) ==
          "it has 16777217 bytes, more than the 16 MiB of any right one");
}

TEST_CASE("child: a forged answer on standard output is just output") {
    const Traces traces;
    Child child(HOSTILE, patient());
    const std::string forged = frame(encode(Reply{ReplyKind::returned, {5.0}}));
    as<Returned>(child.call("forges", list(forged, 0, 3)));
    CHECK(child.output() == forged + forged);
    answers(child);
}

TEST_CASE("child: bytes that are no answer are garbled") {
    const auto why = [](const std::string& sent) {
        const std::string program = "printf '" + sent + "' >&4; sleep 1000";
        return ends_as<Garbled>(unconfined(), "becomes_another_program", list(program)).why;
    };
    const std::string zeros = "\\0\\0\\0\\0\\0\\0\\0";
    CHECK(why("\\0" + zeros) == "the message ends too soon");
    CHECK(why("\\001" + zeros + "\\011") == "the reply is of a kind that does not exist");
    // Part of a length, of which the rest is the true answer's beginning.
    ends_as<Garbled>(quick(), "forges", list(std::string(3, '\xff'), 4, 4));
}

TEST_CASE("child: half an answer runs too long") {
    const Traces traces;
    Child child(HOSTILE, unconfined(quick()));
    const std::string program = "printf '\\011\\0\\0\\0\\0\\0\\0\\0 half' >&4; sleep 1000";
    as<RanTooLong>(child.call("becomes_another_program", list(program)));
    answers(child);
}

TEST_CASE("child: without the pipe for answers a call ends early when it returns") {
    CHECK(ends_as<EndedEarly>(patient(), "closes", list(4, 4, false)).status == EXIT_FAILURE);
    CHECK(ends_as<EndedEarly>(patient(), "closes", list(0, 1023, false)).status == EXIT_FAILURE);
}

TEST_CASE("child: without the pipe for answers a call that goes on is not waited for") {
    const double taken = seconds([] {
        CHECK(ends_as<Garbled>(patient(), "closes", list(4, 4, true)).why ==
              "the pipe that answers travel on was closed");
    });
    CHECK(taken < 10);
}

TEST_CASE("child: closing standard input, output and error changes nothing") {
    const Traces traces;
    Child child(HOSTILE, patient());
    as<Returned>(child.call("closes", list(0, 2, false)));
    answers(child);
    as<Returned>(child.call("print", list(text("nowhere"))));
    CHECK(child.output().empty());
}

TEST_CASE("child: a submission has its five descriptors, and none of the grader's") {
    const Traces traces;
    int ends[2];
    REQUIRE(pipe(ends) == 0); // open across exec, as what the grader was started with may be
    Child child(HOSTILE, patient());
    CHECK(from_value<std::vector<int>>(as<Returned>(child.call("open_descriptors", {})).value) ==
          std::vector<int>{0, 1, 2, 3, 4});
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("child: 100 calls and 100 restarts open no more descriptors than one") {
    const Traces traces;
    Child child(HOSTILE, patient());
    answers(child);
    const std::vector<int> before = descriptors();
    for (int i = 0; i < 100; ++i) {
        answers(child);
    }
    CHECK(descriptors() == before);
    for (int i = 0; i < 100; ++i) {
        as<EndedEarly>(child.call("exits", list(text("_Exit"))));
    }
    answers(child);
    CHECK(descriptors() == before);
}

TEST_CASE("holds_more_than: what files hold, in their names as well as in themselves") {
    const support::TemporaryFolder folder;
    CHECK_FALSE(holds_more_than(folder.path(), 0));
    std::ofstream(folder.path() / "ten_letter") << "6 byte";
    CHECK_FALSE(holds_more_than(folder.path(), 16));
    CHECK(holds_more_than(folder.path(), 15));
    for (int i = 0; i < 10; ++i) {
        std::ofstream(folder.path() / (std::string(200, 'x') + std::to_string(i)));
    }
    CHECK_FALSE(holds_more_than(folder.path(), 16 + 10 * 201));
    CHECK(holds_more_than(folder.path(), 16 + 10 * 201 - 1));
}

TEST_CASE("holds_more_than: more folders in each other than can be looked at in no time") {
    const support::TemporaryFolder folder;
    std::filesystem::path inner = folder.path();
    for (int i = 0; i <= 100; ++i) {
        inner /= "d";
        std::filesystem::create_directory(inner);
    }
    CHECK_FALSE(holds_more_than(folder.path(), 1000));
    std::filesystem::create_directory(inner / "d");
    CHECK(holds_more_than(folder.path(), 1000));
}
