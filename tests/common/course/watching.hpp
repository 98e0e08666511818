#pragma once

// Shared by the tests of the screen.

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "course/files.hpp"
#include "program.hpp"
#include "pseudo_terminal.hpp"

inline const std::string element_wise = "    return X * W;";

/// Saves as most editors do: into the file itself.
inline void save_in_place(int exercise, const std::string& text) {
    std::ofstream(file_of(exercise), std::ios::binary) << text;
}

/// Lets go of the program as a learner does, and expects the terminal as it was.
inline void quit(PseudoTerminal& terminal) {
    terminal.press("q");
    CHECK(terminal.wait() == 0);
    CHECK(terminal.is_restored());
    CHECK(contains(terminal.everything(), "\x1b[?1049l"));
}

/// Every copy that reset has kept, by its text.
inline std::set<std::string> backups() {
    std::set<std::string> texts;
    if (std::filesystem::exists(state() / "backups")) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(state() / "backups")) {
            if (entry.is_regular_file()) {
                texts.insert(course::read_file(entry.path()).value());
            }
        }
    }
    return texts;
}
