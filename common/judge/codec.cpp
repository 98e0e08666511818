#include "judge/codec.hpp"

namespace judge {

namespace {

struct Writer {
    std::string bytes;

    template <class T>
    void raw(T number) {
        bytes.append(reinterpret_cast<const char*>(&number), sizeof(T));
    }
    void text(const std::string& string) {
        raw<std::uint64_t>(string.size());
        bytes += string;
    }
    void list(const List& values) {
        raw<std::uint64_t>(values.size());
        for (const Value& value : values) {
            add(value);
        }
    }
    void names(const std::vector<std::string>& strings) {
        raw<std::uint64_t>(strings.size());
        for (const std::string& string : strings) {
            text(string);
        }
    }
    void add(const Value& value) {
        raw(static_cast<std::uint8_t>(value.data.index()));
        std::visit([this](const auto& alternative) { body(alternative); }, value.data);
    }

    void body(std::monostate) {}
    void body(bool value) { raw<std::uint8_t>(value); }
    void body(std::int64_t value) { raw(value); }
    void body(std::uint64_t value) { raw(value); }
    void body(double value) { raw(value); }
    void body(const std::string& value) { text(value); }
    void body(const List& value) { list(value); }
    void body(const Array& value) {
        raw(value.kind);
        raw(value.size);
        raw<std::uint64_t>(value.shape.size());
        for (const std::size_t extent : value.shape) {
            raw<std::uint64_t>(extent);
        }
        text(value.bytes);
    }
    void body(const Record& value) {
        names(value.names);
        list(value.members);
    }
};

struct Reader {
    std::string_view bytes;

    std::string_view take(std::size_t count) {
        if (count > bytes.size()) {
            throw malformed("the message ends too soon");
        }
        const std::string_view taken = bytes.substr(0, count);
        bytes.remove_prefix(count);
        return taken;
    }
    template <class T>
    T raw() {
        T number;
        std::memcpy(&number, take(sizeof(T)).data(), sizeof(T));
        return number;
    }
    // Every item takes at least one byte, so a count larger than the rest of the message is wrong.
    std::size_t count() {
        const auto number = raw<std::uint64_t>();
        if (number > bytes.size()) {
            throw malformed("the message announces more than it contains");
        }
        return number;
    }
    std::string text() { return std::string(take(raw<std::uint64_t>())); }
    List list() {
        List values(count());
        for (Value& value : values) {
            value = next();
        }
        return values;
    }
    std::vector<std::string> names() {
        std::vector<std::string> strings(count());
        for (std::string& string : strings) {
            string = text();
        }
        return strings;
    }
    Array array() {
        Array result;
        result.kind = raw<char>();
        result.size = raw<std::uint8_t>();
        result.shape.resize(count());
        for (std::size_t& extent : result.shape) {
            extent = raw<std::uint64_t>();
        }
        result.bytes = text();
        check_array(result);
        return result;
    }
    Value next() {
        switch (raw<std::uint8_t>()) {
        case 0:
            return {};
        case 1:
            return {raw<std::uint8_t>() != 0};
        case 2:
            return {raw<std::int64_t>()};
        case 3:
            return {raw<std::uint64_t>()};
        case 4:
            return {raw<double>()};
        case 5:
            return {text()};
        case 6:
            return {array()};
        case 7:
            return {list()};
        case 8: {
            Record record;
            record.names = names();
            record.members = list();
            if (record.names.size() != record.members.size()) {
                throw malformed("a struct whose names do not match its members");
            }
            return {std::move(record)};
        }
        default:
            throw malformed("the message contains a type that does not exist");
        }
    }
    void finish() const {
        if (!bytes.empty()) {
            throw malformed("the message goes on after its end");
        }
    }
};

} // namespace

std::string encode(const Value& value) {
    Writer writer;
    writer.add(value);
    return writer.bytes;
}

std::string encode(const Call& call) {
    Writer writer;
    writer.text(call.function);
    writer.text(call.variant);
    writer.list(call.arguments);
    return writer.bytes;
}

std::string encode(const Reply& reply) {
    Writer writer;
    writer.raw(reply.kind);
    writer.add(reply.value);
    return writer.bytes;
}

Value decode_value(std::string_view bytes) {
    Reader reader{bytes};
    Value value = reader.next();
    reader.finish();
    return value;
}

Call decode_call(std::string_view bytes) {
    Reader reader{bytes};
    Call call;
    call.function = reader.text();
    call.variant = reader.text();
    call.arguments = reader.list();
    reader.finish();
    return call;
}

Reply decode_reply(std::string_view bytes) {
    Reader reader{bytes};
    Reply reply;
    const auto kind = reader.raw<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(ReplyKind::changed_argument)) {
        throw malformed("the reply is of a kind that does not exist");
    }
    reply.kind = static_cast<ReplyKind>(kind);
    reply.value = reader.next();
    reader.finish();
    return reply;
}

std::string frame(const std::string& message) {
    Writer writer;
    writer.raw<std::uint64_t>(message.size());
    return writer.bytes + message;
}

} // namespace judge
