// The main of every submission: answers calls until the pipe closes. Compiled once a lesson, with
// JUDGE_EXPORTS naming the header that lists the lesson's functions.

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "compiled with -ffast-math or the like, a NaN would pass as a right answer"
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string_view>

#include <cxxabi.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <pthread.h>
#endif

#include JUDGE_EXPORTS
#include "judge/frames.hpp"
#include "judge/heap.hpp"
#include "judge/protocol.hpp"
#include "judge/todo.hpp"
#include "judge/unset_memory.hpp"

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
    std::string name = status == 0 ? readable : type->name();
    std::free(readable);
    return name;
}

/// For the grader, about the variants: a list of {function, name, explanation}.
Value list_variants() {
    List all;
    for (const Variant& each : registry().variants) {
        all.push_back({List{{each.function}, {each.name}, {each.explanation}}});
    }
    return {std::move(all)};
}

/// For a page that calls them, about the functions: a list of {name, types}.
Value list_signatures() {
    List all;
    for (const ExportedFunction& each : registry().functions) {
        all.push_back({List{{each.name}, {each.parameters()}}});
    }
    return {std::move(all)};
}

/// value with nothing in it: arrays and lists emptied (zeroed: with every number 0 instead).
Value hollow(const Value& value, bool zeroed) {
    return std::visit(
        [&](auto copy) -> Value {
            using T = std::decay_t<decltype(copy)>;
            if constexpr (std::is_arithmetic_v<T>) {
                copy = T{};
            } else if constexpr (std::is_same_v<T, Array>) {
                copy.bytes.assign(zeroed ? copy.bytes.size() : 0, '\0');
                if (!zeroed) {
                    copy.shape.assign(copy.shape.size(), 0);
                }
            } else if constexpr (std::is_same_v<T, List>) {
                copy.resize(zeroed ? copy.size() : 0);
                for (Value& item : copy) {
                    item = hollow(item, zeroed);
                }
            } else if constexpr (std::is_same_v<T, Record>) {
                for (Value& member : copy.members) {
                    member = hollow(member, zeroed);
                }
            }
            return {copy};
        },
        value.data);
}

/// What a lazy learner may write for any function: `return {}`, zeros of the right shape, or the
/// input itself. The project's tests call these variants, to see that they do not pass.
Value lazy(const std::string& variant, const Call& call, const ExportedFunction& function) {
    if (function.returns_nothing) {
        return {};
    }
    if (variant == "lazy:input") {
        return call.arguments.at(0);
    }
    return hollow(function.callable(call.arguments), variant == "lazy:zeros");
}

Reply answer(const Call& call);

Value answers_of_each(const Call& call) {
    Call each{from_value<std::string>(call.arguments.at(0)), "", {}};
    List replies;
    for (const Value& arguments : expect_alternative<List>(call.arguments.at(2), "a list")) {
        each.arguments = expect_alternative<List>(arguments, "a list");
        for (auto& name : from_value<std::vector<std::string>>(call.arguments.at(1))) {
            each.variant = std::move(name);
            Reply reply = answer(each);
            replies.push_back(
                {List{to_value(static_cast<unsigned>(reply.kind)), std::move(reply.value)}});
        }
    }
    return {std::move(replies)};
}

Value perform(const Call& call) {
    if (call.function == fill_command) {
        fresh_memory_byte = from_value<int>(call.arguments.at(0));
        return {};
    }
    if (call.function == each_command) {
        return answers_of_each(call);
    }
    if (call.function == variants_query) {
        return list_variants();
    }
    if (call.function == signatures_query) {
        return list_signatures();
    }
    for (const Variant& each : registry().variants) {
        if (each.function == call.function && each.name == call.variant) {
            return each.callable(call.arguments);
        }
    }
    for (const ExportedFunction& function : registry().functions) {
        if (function.name == call.function) {
            return call.variant.starts_with("lazy:") ? lazy(call.variant, call, function)
                                                     : function.callable(call.arguments);
        }
    }
    throw malformed("there is no function " + call.function);
}

Reply answer(const Call& call) {
    const auto threw = [&](const std::string& type, const char* what) {
        const std::string text(what == nullptr ? "" : what,
                               what == nullptr ? 0 : strnlen(what, 4000));
        return Reply{ReplyKind::threw, {List{{type}, {text}}}};
    };
    try {
        return {ReplyKind::returned, perform(call)};
    } catch (const not_implemented& missing) {
        return {ReplyKind::not_implemented, {std::string(missing.place().exercise)}};
    } catch (const std::bad_alloc&) {
        return {ReplyKind::out_of_memory, {}};
    } catch (const changed_argument& changed) {
        return {ReplyKind::changed_argument, to_value(changed.index)};
    } catch (const std::invalid_argument& error) {
        return threw("std::invalid_argument", error.what()); // or a type made from it
    } catch (const std::exception& error) {
        return threw(type_in_flight(), error.what());
    } catch (...) {
        return threw(type_in_flight(), "");
    }
}

/// The answer as it travels, if memory suffices for that too.
std::string framed_answer(const Call& call) {
    try {
        return frame(encode(answer(call)));
    } catch (const std::bad_alloc&) {
        return frame(encode(Reply{ReplyKind::out_of_memory, {}}));
    }
}

} // namespace
} // namespace judge

int main() {
    using namespace judge;
#ifdef __GLIBC__
    // By default glibc reserves 64 MiB of addresses for each thread that allocates. Under the
    // memory limit that leaves no room for the stacks of a few dozen threads.
    mallopt(M_ARENA_MAX, 2);
    // And 8 MiB for each thread's stack: a thread for each of a few hundred rows is a right answer
    // too.
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_setstacksize(&attributes, std::size_t{1} << 21);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }
#endif
    keep_freed_memory();
    tell_where();
    const pid_t self = getpid();
    for (std::uint64_t size = 0; read_exactly(reinterpret_cast<char*>(&size), sizeof size);) {
        // For each call separately: else the memory of the largest would count as kept by the
        // submission.
        std::string message(size, '\0');
        if (!read_exactly(message.data(), size)) {
            return EXIT_FAILURE;
        }
        const std::string reply = framed_answer(decode_call(message));
        if (getpid() != self) {
            std::_Exit(EXIT_SUCCESS); // a copy, forked by the function: one answer is enough
        }
        // The function's output must be out before its answer.
        std::cout.flush();
        std::fflush(nullptr);
        if (!write_all(reply)) {
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
