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
class Answers {
public:
    using Call =
        std::function<judge::Outcome(const std::string& function, const judge::List& arguments)>;

    /// call: calls a function by its name; judge::signatures_query gives the types of all.
    explicit Answers(Call call) : call_(std::move(call)) {}

    nlohmann::json answer(const nlohmann::json& question);

private:
    judge::Outcome learn_types();
    judge::Value argument(const nlohmann::json& written, const judge::List& type);

    Call call_;
    std::map<std::string, judge::List> types_; // of each function's parameters
    std::map<std::string, judge::Value> kept_;
};

} // namespace book
