#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

namespace comparison {
struct Options;
}

namespace book {

/// Translates with the models that ./course run 07 has trained, and tells where each looked.
class Translator {
public:
    /// options: those of the models' training, whose output folder has their checkpoints.
    explicit Translator(const comparison::Options& options);
    ~Translator();

    /// question: {"sentence": "the cat sleeps .", "arm": "additive", "removed": [[t, s]]}, where
    /// removed is the weight of source word s in the step that writes word t, set to 0; none or
    /// one. Answers {"ok": true, "value": {"source": […], "words": […], "weights": {"shape",
    /// "data"}}}, with the end of the sentence as the last of both, or {"ok": false, "state": …,
    /// "words": …}.
    nlohmann::json answer(const nlohmann::json& question);

private:
    struct Models;
    std::unique_ptr<Models> models_;
};

} // namespace book
