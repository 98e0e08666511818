#pragma once

#include <functional>
#include <string>
#include <vector>

#include "book/figures.hpp"
#include "course/lessons.hpp"

namespace book {

/// The parts of a page made from Markdown.
struct Manuscript {
    std::string markdown;
    std::string contract;                         // the lesson's header
    std::vector<course::Exercise> exercises = {}; // of which it has sections
    std::vector<Figure> figures = {};             // in the manifest's order
    std::string folder = {};                      // where the figures are: "/lessons/03_softmax/"
    std::function<std::string(const std::string&)> rewrite; // a link's target → its attributes
};

/// The page's HTML, to be put into a shell. What stands under "## 03.2 softmax_rows" becomes
///   <section class="exercise" data-exercise="03.2" id="03.2">
/// with a place for its verdict, its contract and, above the hints, its figures.
std::string content_of(const Manuscript& manuscript);

/// "03 Softmax: scores to weights, without overflow": the first heading of a page.
std::string heading_of(const std::string& markdown);

} // namespace book
