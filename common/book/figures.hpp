#pragma once

#include <string>
#include <vector>

#include "course/lessons.hpp"

namespace book {

/// A figure of a page that runs on functions, as the lesson's manifest declares it.
struct Figure {
    std::string id;    // "softmax"
    std::string title; // its caption
    std::string file;  // "figures/softmax.js", below the lesson's folder
    std::string after; // an exercise, "03.2", whose task it follows; the id of a small heading;
                       // that of a large one, whose section it ends; or "start"
};

/// In the manifest's order; one for each place, where "after" names several. Throws course::BadUse
/// if one is not as it should be.
std::vector<Figure> figures_of(const course::Project& project, const course::Lesson& lesson);

} // namespace book
