#include "book/translations.hpp"

#include <algorithm>

#include <unistd.h>

namespace book {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::chrono::seconds translator_patience{30}; // it makes the corpus again when it starts

json failure(const std::string& state, const std::string& words) {
    return {{"ok", false}, {"state", state}, {"words", words}};
}

} // namespace

Translations::Translations(fs::path program, fs::path checkpoints,
                           std::function<std::string()> wants)
    : program_(std::move(program)), checkpoints_(std::move(checkpoints)), wants_(std::move(wants)),
      helper_({program_, checkpoints_}) {}

bool Translations::has_models() const {
    std::error_code error;
    const fs::directory_iterator entries(checkpoints_, error);
    return !error && std::any_of(begin(entries), end(entries), [](const auto& entry) {
        return entry.path().extension() == ".checkpoint";
    });
}

json Translations::answer(const std::string& body) {
    const json question = json::parse(body, nullptr, false);
    if (!question.is_object()) {
        return failure("bad_request", "a translation needs a JSON object");
    }
    if (!has_models()) {
        return failure("no_model", "There is no trained model yet: ./course run 07 trains them in "
                                   "a minute or two.");
    }
    if (access(program_.c_str(), X_OK) != 0) {
        const std::string trouble = wants_();
        return failure("building", trouble.empty()
                                       ? "The translator is being built; that takes a moment."
                                       : "The translator is tried again: " + trouble);
    }
    const json slot = question.value("slot", json());
    std::optional<std::string> said;
    const Turn turn = queue_.in_turn(slot.is_string() ? slot.get<std::string>() : "", [&] {
        said = helper_.ask(question.dump(), translator_patience);
    });
    if (turn == Turn::superseded) {
        return failure("superseded", "A newer sentence has replaced it.");
    }
    if (turn == Turn::busy) {
        return failure("busy", "Many pages are asking at the moment; this one asks again.");
    }
    const json answer = json::parse(said.value_or(""), nullptr, false);
    return answer.is_object() ? answer
                              : failure("fault", "The translator has ended; the next sentence "
                                                 "starts it again.");
}

} // namespace book
