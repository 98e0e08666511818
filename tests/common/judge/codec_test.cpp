#include "judge/codec.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "judge_values.hpp"

using namespace judge;

namespace {

/// A nested value with every type.
Value one_of_each() {
    const lesson::Sample sample{{{1, 2, 3}, {4, 5, 6}}, {0.5, 0.25}, "words", 7};
    return {List{{},
                 {true},
                 {std::int64_t{-3}},
                 {std::uint64_t{4}},
                 {2.5},
                 {std::string("text")},
                 to_value(xt::xtensor<bool, 1>{true, false, true}),
                 to_value(xt::xtensor<float, 3>{{{1}, {2}}}),
                 to_value(sample),
                 to_value(std::vector<std::vector<int>>{{1}, {}, {2, 3}})}};
}

template <class T>
std::string raw(T number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}
std::string count(std::uint64_t number) {
    return raw(number);
}

/// An encoded array of doubles: it claims a shape, over this number of bytes.
std::string array_bytes(const std::vector<std::uint64_t>& shape, std::size_t bytes, char kind = 'f',
                        std::uint8_t size = 8) {
    std::string text = std::string("\x06") + kind + raw(size) + count(shape.size());
    for (const std::uint64_t extent : shape) {
        text += count(extent);
    }
    return text + count(bytes) + std::string(bytes, '\1');
}

} // namespace

TEST_CASE("codec: calls and replies survive the round trip") {
    const Call call{"softmax_rows", "no_maximum", {one_of_each(), {1.5}}};
    const Call call_back = decode_call(encode(call));
    CHECK(call_back.function == call.function);
    CHECK(call_back.variant == call.variant);
    CHECK(encode(Value{call_back.arguments}) == encode(Value{call.arguments}));
    for (const ReplyKind kind : {ReplyKind::returned, ReplyKind::threw, ReplyKind::not_implemented,
                                 ReplyKind::out_of_memory}) {
        const Reply reply = decode_reply(encode(Reply{kind, one_of_each()}));
        CHECK(reply.kind == kind);
        CHECK(encode(reply.value) == encode(one_of_each()));
    }
}

TEST_CASE("codec: a message cut short at any byte is malformed") {
    const std::string reply = encode(Reply{ReplyKind::returned, one_of_each()});
    for (std::size_t length = 0; length < reply.size(); ++length) {
        CAPTURE(length);
        CHECK_THROWS_AS(decode_reply(reply.substr(0, length)), malformed);
    }
    CHECK_THROWS_WITH_AS(decode_value(""), "the message ends too soon", malformed);
}

TEST_CASE("codec: a message that goes on after its end is malformed") {
    const char* const text = "the message goes on after its end";
    CHECK_THROWS_WITH_AS(decode_value(encode(one_of_each()) + '\0'), text, malformed);
    CHECK_THROWS_WITH_AS(decode_call(encode(Call{}) + '\0'), text, malformed);
    CHECK_THROWS_WITH_AS(decode_reply(encode(Reply{}) + '\0'), text, malformed);
}

TEST_CASE("codec: a count larger than the message is refused before anything is allocated") {
    const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    const char* const announces = "the message announces more than it contains";
    for (const std::uint64_t number : {std::uint64_t{2}, std::uint64_t{1} << 40, all}) {
        CHECK_THROWS_WITH_AS(decode_value("\x07" + count(number) + '\0'), announces, malformed);
        CHECK_THROWS_WITH_AS(decode_value("\x08" + count(number) + '\0'), announces, malformed);
        CHECK_THROWS_WITH_AS(decode_value("\x06"
                                          "f\x08" +
                                          count(number) + '\0'),
                             announces, malformed);
        CHECK_THROWS_WITH_AS(decode_value("\x05" + count(number) + '\0'),
                             "the message ends too soon", malformed);
    }
}

TEST_CASE("codec: an array's shape matches its data") {
    const char* const text = "an array whose sizes do not match its data";
    CHECK_NOTHROW(decode_value(array_bytes({2, 3}, 48)));
    CHECK_NOTHROW(decode_value(array_bytes({}, 8)));
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({2, 3}, 40)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({2, 3}, 47)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({0, 3}, 24)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({}, 0)), text, malformed);
}
