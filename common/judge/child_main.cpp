// The main of every submission: answers calls until the pipe closes. Compiled once a lesson, with
// JUDGE_EXPORTS naming the header that lists the lesson's functions.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>

#include <cxxabi.h>
#include <unistd.h>

#include JUDGE_EXPORTS
#include "judge/protocol.hpp"
#include "judge/todo.hpp"

namespace judge {

Registry& registry() {
    static Registry all;
    return all;
}

namespace {

bool read_exactly(char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t got = read(call_descriptor, data, size);
        if (got <= 0) {
            return false;
        }
        data += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = write(reply_descriptor, bytes.data(), bytes.size());
        if (put <= 0) {
            return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

std::string type_in_flight() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (type == nullptr) {
        return "an exception";
    }
    int status = 0;
    char* readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    const std::string name = status == 0 ? readable : type->name();
    std::free(readable);
    return name;
}

/// What the grader asks about the misconceptions: a list of {function, name, explanation}.
Value list_misconceptions() {
    List all;
    for (const Misconception& each : registry().misconceptions) {
        all.push_back({List{{each.function}, {each.name}, {each.explanation}}});
    }
    return {std::move(all)};
}

Value perform(const Call& call) {
    if (call.function == misconceptions_query) {
        return list_misconceptions();
    }
    for (const Misconception& each : registry().misconceptions) {
        if (each.function == call.function && each.name == call.variant) {
            return each.callable(call.arguments);
        }
    }
    for (const auto& [name, callable] : registry().functions) {
        if (name == call.function) {
            return callable(call.arguments);
        }
    }
    throw malformed("there is no function " + call.function);
}

Reply answer(const Call& call) {
    const auto threw = [&](const std::string& what) {
        return Reply{call.nonce, ReplyKind::threw, {List{{type_in_flight()}, {what}}}};
    };
    try {
        return {call.nonce, ReplyKind::returned, perform(call)};
    } catch (const not_implemented& missing) {
        return {call.nonce, ReplyKind::not_implemented, {std::string(missing.place().exercise)}};
    } catch (const std::bad_alloc&) {
        return {call.nonce, ReplyKind::out_of_memory, {}};
    } catch (const std::exception& error) {
        return threw(error.what());
    } catch (...) {
        return threw("");
    }
}

} // namespace
} // namespace judge

int main() {
    using namespace judge;
    std::string message;
    for (std::uint64_t size = 0; read_exactly(reinterpret_cast<char*>(&size), sizeof size);) {
        message.resize(size);
        if (!read_exactly(message.data(), size)) {
            return EXIT_FAILURE;
        }
        const std::string reply = encode(answer(decode_call(message)));
        // What the function printed must be out before its answer is.
        std::cout.flush();
        std::fflush(nullptr);
        if (!write_all(frame(reply))) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
