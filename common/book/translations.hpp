#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "book/helper.hpp"

namespace book {

/// Has lesson 07's trained models translate, in a program of its own (translator_main.cpp).
class Translations {
public:
    /// program: book_translator; checkpoints: the folder that ./course run 07 writes to; wants:
    /// told when the program has to be built first; returns why that failed the last time, or "".
    Translations(std::filesystem::path program, std::filesystem::path checkpoints,
                 std::function<std::string()> wants);

    /// What the program answers (translator.hpp), or {"ok": false, "state": …, "words": …}.
    nlohmann::json answer(const std::string& body);
    /// Ends the program, from any thread.
    void stop() const { helper_.interrupt(); }

private:
    bool has_models() const;

    std::filesystem::path program_;
    std::filesystem::path checkpoints_;
    std::function<std::string()> wants_;
    Queue queue_;
    Helper helper_;
};

} // namespace book
