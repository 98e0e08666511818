#pragma once

// Shared by the commands of walk-throughs that train. Included by their .cpp files alone.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace training {

/// Sets the options from the words. Returns the help text after --help, otherwise nothing. Throws
/// std::invalid_argument, in one line that names `command` with --help, for an unknown option or an
/// invalid value.
inline std::string parse(CLI::App& app, const std::string& command,
                         const std::vector<std::string>& words) {
    try {
        std::vector<std::string> reversed(words.rbegin(), words.rend()); // as CLI11 wants them
        app.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        return app.help();
    } catch (const CLI::ParseError& error) {
        std::string text = error.what();
        std::replace(text.begin(), text.end(), '\n', ' ');
        throw std::invalid_argument(text + " (see " + command + " --help)");
    }
    return "";
}

} // namespace training
