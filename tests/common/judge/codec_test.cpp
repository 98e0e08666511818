#include "judge/codec.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include <sys/resource.h>

#include "judge/child.hpp"
#include "judge_values.hpp"

using namespace judge;

namespace {

/// A value of every type there is, nested.
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

/// An encoded array of doubles: whatever shape it claims, over these many bytes.
std::string array_bytes(const std::vector<std::uint64_t>& shape, std::size_t bytes, char kind = 'f',
                        std::uint8_t size = 8) {
    std::string text = std::string("\x06") + kind + raw(size) + count(shape.size());
    for (const std::uint64_t extent : shape) {
        text += count(extent);
    }
    return text + count(bytes) + std::string(bytes, '\1');
}

/// However short it is cut, the message is malformed, and for this reason.
template <class T>
void check_cut(const std::string& message, T (*decode)(std::string_view)) {
    for (std::size_t length = 0; length < message.size(); ++length) {
        CAPTURE(length);
        std::string problem;
        try {
            decode(message.substr(0, length));
        } catch (const malformed& error) {
            problem = error.what();
        }
        const bool known = problem == "the message ends too soon" ||
                           problem == "the message announces more than it holds";
        CHECK_MESSAGE(known, problem);
    }
}

/// Peak memory of this process so far, in bytes. Sanitizers keep what has been freed, which would
/// count as well: 0 there.
std::size_t peak_memory() {
    if (default_limits().memory == 0) {
        return 0;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

/// Decodes what may be nonsense, and converts it as a grader would: whether it was a value at all.
bool survives(const std::string& bytes) {
    try {
        const Value value = decode_value(bytes);
        // What has been decoded can be encoded again, and says the same.
        CHECK(encode(decode_value(encode(value))) == encode(value));
        if (const List* list = std::get_if<List>(&value.data)) {
            for (const Value& item : *list) {
                if (std::holds_alternative<Array>(item.data)) {
                    const Array& array = std::get<Array>(item.data);
                    if (array.kind == 'b') {
                        from_value<xt::xarray<bool>>(item);
                    } else if (array.kind == 'f' && array.size == 4) {
                        from_value<xt::xarray<float>>(item);
                    }
                }
                if (const Record* record = std::get_if<Record>(&item.data)) {
                    CHECK(record->names.size() == record->members.size());
                }
            }
        }
        return true;
    } catch (const malformed&) {
        return false;
    }
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

TEST_CASE("codec: a frame is the length and then the message") {
    CHECK(frame("abc") == count(3) + "abc");
    CHECK(frame("") == count(0));
}

TEST_CASE("codec: a message cut short at any byte is malformed") {
    const std::string value = encode(one_of_each());
    const std::string call = encode(Call{"f", "v", {one_of_each()}});
    const std::string reply = encode(Reply{ReplyKind::returned, one_of_each()});
    check_cut(value, decode_value);
    check_cut(call, decode_call);
    check_cut(reply, decode_reply);
    CHECK_THROWS_WITH_AS(decode_value(""), "the message ends too soon", malformed);
    CHECK_THROWS_WITH_AS(decode_value(encode(Value{2.5}).substr(0, 8)), "the message ends too soon",
                         malformed);
}

TEST_CASE("codec: a message that goes on after its end is malformed") {
    const char* const text = "the message goes on after its end";
    CHECK_THROWS_WITH_AS(decode_value(encode(one_of_each()) + '\0'), text, malformed);
    CHECK_THROWS_WITH_AS(decode_call(encode(Call{}) + '\0'), text, malformed);
    CHECK_THROWS_WITH_AS(decode_reply(encode(Reply{}) + '\0'), text, malformed);
}

TEST_CASE("codec: flipped bits never crash the decoder, nor make it take much memory") {
    const std::string good = encode(one_of_each());
    const std::size_t before = peak_memory();
    std::mt19937 random(20);
    std::size_t decoded = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::string bytes = good;
        for (int flips = 1 + trial % 4; flips > 0; --flips) {
            bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
        }
        decoded += survives(bytes) ? 1 : 0;
    }
    CHECK(decoded > 1000); // most hits are on numbers, which any bits may be
    CHECK(peak_memory() < before + (std::size_t{64} << 20));
}

TEST_CASE("codec: random bytes never crash the decoder") {
    std::mt19937 random(21);
    for (int trial = 0; trial < 20000; ++trial) {
        std::string bytes(random() % 200, '\0');
        for (char& byte : bytes) {
            // Small numbers are the types, and make counts that can be true.
            byte = static_cast<char>(random() % 4 == 0 ? random() % 256 : random() % 9);
        }
        survives(bytes);
    }
}

TEST_CASE("codec: a count of more than the message holds is refused before anything is allocated") {
    const std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    const char* const announces = "the message announces more than it holds";
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

TEST_CASE("codec: a message of many lists takes no more memory than one of its length may") {
    // Each list claims as many items as there are bytes left, and its first item is the next list.
    std::string nested;
    for (int depth = 0; depth < 14; ++depth) {
        nested += "\x07" + count(1 << 19);
    }
    nested += std::string(1 << 20, '\0');
    // 64 lists of a million nothings each: a byte a nothing on the wire, 72 in memory.
    const std::string list = "\x07" + count(1 << 20) + std::string(1 << 20, '\0');
    std::string wide = "\x07" + count(16);
    for (int i = 0; i < 16; ++i) {
        wide += list;
    }
    const std::size_t before = peak_memory();
    for (const std::string& bytes : {nested, wide}) {
        CHECK_THROWS_WITH_AS(decode_value(bytes), "the message announces more than it holds",
                             malformed);
    }
    CHECK(peak_memory() < before + (std::size_t{256} << 20));
}

TEST_CASE("codec: shapes whose product wraps around do not pass for small ones") {
    const std::uint64_t half = std::uint64_t{1} << 32;
    const char* const text = "an array whose sizes do not match its data";
    CHECK_NOTHROW(decode_value(array_bytes({2, 3}, 48)));
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({half, half}, 0)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({half, half, 1}, 8)), text, malformed);
    // 2^61 · 8 bytes and (2^64 + 2) / 2 · 2: both are small numbers modulo 2^64.
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({std::uint64_t{1} << 61}, 0)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({(std::uint64_t{1} << 63) + 1, 2}, 16)), text,
                         malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({2, 3}, 40)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({2, 3}, 56)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({2, 3}, 47)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({0, 3}, 24)), text, malformed);
    CHECK_THROWS_WITH_AS(decode_value(array_bytes({}, 0)), text, malformed);
    CHECK_NOTHROW(decode_value(array_bytes({}, 8)));
}

TEST_CASE("codec: an empty array cannot have sizes whose product wraps around") {
    CHECK_NOTHROW(decode_value(array_bytes({0, 3}, 0)));
    CHECK_NOTHROW(decode_value(array_bytes({3, 0, 0}, 0)));
    const std::uint64_t half = std::uint64_t{1} << 32;
    for (const auto& shape :
         {std::vector<std::uint64_t>{0, half, half}, {half, half, 0}, {half, 0, half}}) {
        CHECK_THROWS_WITH_AS(decode_value(array_bytes(shape, 0)),
                             "an array whose sizes do not match its data", malformed);
    }
}

TEST_CASE("codec: an element type that does not exist is refused") {
    const char* const text = "an array of an element type that does not exist";
    for (const auto& [kind, size] : {std::pair<char, int>{'f', 2},
                                     {'f', 0},
                                     {'f', 16},
                                     {'i', 3},
                                     {'u', 0},
                                     {'b', 2},
                                     {'x', 8}}) {
        CHECK_THROWS_WITH_AS(
            decode_value(array_bytes({1}, 8, kind, static_cast<std::uint8_t>(size))), text,
            malformed);
    }
}

TEST_CASE("codec: a bool of any other bits is still true or false") {
    std::string bytes = array_bytes({3}, 3, 'b', 1);
    bytes.replace(bytes.size() - 3, 3, std::string("\0\x07\xff", 3));
    CHECK(from_value<xt::xarray<bool>>(decode_value(bytes)) == xt::xarray<bool>{false, true, true});
    CHECK(from_value<bool>(decode_value("\x01\xff")));
}

TEST_CASE("codec: types and kinds that do not exist are refused") {
    CHECK_THROWS_WITH_AS(decode_value("\x09"), "the message holds a type that does not exist",
                         malformed);
    std::string reply = encode(Reply{});
    reply[0] = 5;
    CHECK_THROWS_WITH_AS(decode_reply(reply), "the reply is of a kind that does not exist",
                         malformed);
}

TEST_CASE("codec: a struct has as many names as members") {
    const Record uneven{{"a", "b"}, {{1.0}}};
    CHECK_THROWS_WITH_AS(decode_value(encode(Value{uneven})),
                         "a struct whose names do not match its members", malformed);
}

TEST_CASE("codec: nesting is followed 16 deep and no further") {
    Value value;
    for (int depth = 0; depth < 16; ++depth) {
        value = {List{value}};
    }
    CHECK_NOTHROW(decode_value(encode(value)));
    CHECK_THROWS_WITH_AS(decode_value(encode(Value{List{value}})),
                         "the message is nested too deeply", malformed);
    std::string endless;
    for (int depth = 0; depth < 100000; ++depth) {
        endless += "\x07" + count(1);
    }
    CHECK_THROWS_WITH_AS(decode_value(endless), "the message is nested too deeply", malformed);
}
