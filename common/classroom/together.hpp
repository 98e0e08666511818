#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "classroom/footprint.hpp"
#include "course/grading/trial.hpp"
#include "course/lessons.hpp"

namespace classroom {

/// Compiles several exercises of one hand-in as one file, which takes a third of the time that they
/// take one by one: what they make of the same templates is made once. Only those of which none
/// could tell that the others are there: they do not lean on each other's names or headers, and
/// each is linked with our other exercises of its lesson, as it is by itself.
///
/// Exercises of several lessons, or such as call each other, are in one file by calling namespace
/// lesson differently for each group of them. In the object that the group's program is linked
/// from it has its own name again.
class Together {
public:
    using Recipes = std::map<std::string, course::Recipe>; // by the exercise's id

    /// Packs our own objects, to be linked where an exercise of another lesson calls them. Throws
    /// MachineFault if that cannot be.
    ///   folder   for the packed objects
    Together(const course::Project& project, const Recipes& recipes,
             const std::filesystem::path& folder);

    /// A program for each of these exercises, by its id; none for one that has to be compiled
    /// alone, for whatever reason. What they answer is theirs if they pass.
    ///   theirs   the project with the hand-in's files   folder   for all that is made
    std::map<std::string, std::filesystem::path>
    make(const course::Project& theirs, const std::vector<course::Exercise>& exercises,
         const std::filesystem::path& folder) const;

private:
    struct Member {
        course::Exercise exercise;
        Footprint footprint;
    };
    /// Exercises of one lesson that make one program.
    struct Group {
        std::string lesson; // its folder
        std::string space;  // what its namespace lesson is called in the file
        bool calls_its_own; // no function that other lessons alone are linked with
        std::vector<Member> members;
    };
    using File = std::vector<Group>; // compiled in one go
    using Programs = std::map<std::string, std::filesystem::path>;

    std::filesystem::path archive_for(const std::string& space) const;
    Footprint footprint(const std::string& text, const std::vector<std::string>& functions,
                        const std::string& lesson) const;
    bool calls_its_own(const Footprint& file, const std::string& lesson) const;
    bool fit(const Group& a, const Group& b) const;
    std::vector<Group> groups_of(const course::Project& theirs,
                                 const std::vector<course::Exercise>& exercises) const;
    std::vector<File> files_of(const std::vector<Group>& groups) const;
    bool compile(const File& file, const std::filesystem::path& folder, std::string& log) const;
    void link(const Group& group, const File& file, const std::filesystem::path& folder,
              Programs& programs) const;

    const course::Project& project_;
    const Recipes& recipes_;
    std::filesystem::path packed_;
    std::set<std::string> everywhere_; // headers that are precompiled for everybody
    // By the lesson's folder: how its link ends, and the headers that its contract includes.
    std::map<std::string, std::string> libraries_;
    std::map<std::string, std::set<std::string>> promised_;
};

} // namespace classroom
