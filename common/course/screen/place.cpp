#include "course/screen/place.hpp"

#include <algorithm>

#include "course/files.hpp"
#include "course/grading/grade.hpp"

namespace course {

namespace {

std::filesystem::path record_of(const Project& project) {
    return project.state / "place";
}

} // namespace

void remember_place(const Project& project, const Exercise& exercise) {
    try {
        write_file(record_of(project), exercise.id + "\n");
    } catch (const std::runtime_error&) {
        // Then the next start begins with the first exercise that is not passed.
    }
}

std::size_t place_to_begin(const Project& project, const std::string& word) {
    const std::vector<Exercise> all = all_exercises(project);
    std::string id = word.empty() ? read_file(record_of(project)).value_or("") : "";
    id.erase(id.find_last_not_of('\n') + 1);
    std::vector<Exercise> named = find_exercises(project, word.empty() ? "all" : word);
    const auto open = std::find_if(named.begin(), named.end(), [&](const Exercise& each) {
        const auto verdict = last_verdict(project, each);
        return !verdict || verdict->state != judge::State::passed;
    });
    const std::string begin = open == named.end() ? named[0].id : open->id;
    const auto at = [&](const std::string& wanted) {
        return std::find_if(all.begin(), all.end(),
                            [&](const Exercise& each) { return each.id == wanted; });
    };
    return static_cast<std::size_t>((at(id) == all.end() ? at(begin) : at(id)) - all.begin());
}

} // namespace course
