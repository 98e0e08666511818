// The lessons' functions, called in the browser that asks: what caller_main.cpp does by a process.

#include "book/answers.hpp"
#include "judge/export.hpp"
#include "judge/protocol.hpp"
#include "of_lesson.hpp"

namespace judge {

namespace {

std::map<std::string, Registry>& registries() {
    static std::map<std::string, Registry> all;
    return all;
}

Registry* of_lesson = nullptr;

Value signatures(const Registry& lesson) {
    List all;
    for (const ExportedFunction& each : lesson.functions) {
        all.push_back({List{{each.name}, {each.parameters()}}});
    }
    return {std::move(all)};
}

Outcome call(const Registry& lesson, const std::string& name, const List& arguments) {
    try {
        if (name == signatures_query) {
            return Returned{signatures(lesson)};
        }
        for (const ExportedFunction& function : lesson.functions) {
            if (function.name == name) {
                return Returned{function.callable(arguments)};
            }
        }
    } catch (const std::bad_alloc&) {
        return UsedTooMuchMemory{0};
    } catch (const std::invalid_argument& error) {
        return Threw{"std::invalid_argument", error.what()};
    } catch (const std::exception& error) {
        return Threw{"an exception", error.what()};
    }
    return Garbled{"there is no function " + name};
}

} // namespace

OfLesson::OfLesson(const std::string& folder) {
    of_lesson = &registries()[folder];
}

Registry& registry() {
    return *of_lesson;
}

} // namespace judge

/// The answer to a question, which names the lesson too; both are JSON. The text is there until the
/// next call.
extern "C" const char* answer(const char* question) {
    using nlohmann::json;
    static std::map<std::string, book::Answers> answers;
    static std::string text;
    const json asked = json::parse(question);
    const std::string lesson = asked.at("lesson");
    const auto call = [&registry = judge::registries()[lesson]](const auto& function,
                                                                const auto& calls) {
        book::Answers::Outcomes outcomes;
        for (const judge::List& arguments : calls) {
            outcomes.push_back(judge::call(registry, function, arguments));
        }
        return outcomes;
    };
    text = answers.try_emplace(lesson, call)
               .first->second.answer(asked)
               .dump(-1, ' ', false, json::error_handler_t::replace);
    return text.c_str();
}
