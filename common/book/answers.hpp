#pragma once

#include <functional>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "judge/outcome.hpp"

namespace book {

/// Answers questions of a page about the functions of one program:
///   {"function": "softmax_rows", "arguments": […]}
///   {"ok": true, "value": …}   {"ok": false, "state": "threw", "words": …}
/// With "each" in place of "arguments", a list of these, "value" is a list, too. An argument with
/// {"keep": NAME, …} is kept for later calls, which have {"kept": NAME} in its place.
class Answers {
public:
    using Outcomes = std::vector<judge::Outcome>;
    using Call =
        std::function<Outcomes(const std::string& function, const std::vector<judge::List>& calls)>;

    /// call: calls a function by its name, with each list of arguments until one does not return;
    /// judge::signatures_query gives the types of all.
    explicit Answers(Call call) : call_(std::move(call)) {}

    nlohmann::json answer(const nlohmann::json& question);

private:
    judge::Outcome learn_types();

    Call call_;
    std::map<std::string, judge::List> types_; // of each function's parameters
    std::map<std::string, judge::Value> kept_;
};

} // namespace book
