#pragma once

#include <filesystem>

#include "course/lessons.hpp"
#include "support/temporary_folder.hpp"

/// A small course of our own, whose files nobody else changes: lesson 03 with one exercise and one
/// figure. Its functions are those of `hostile`, the submission that misbehaves in every way.
struct Tree {
    Tree();

    const support::TemporaryFolder folder;
    const std::filesystem::path root;
    course::Project project; // all in the folder
};
