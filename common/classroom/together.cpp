#include "classroom/together.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include <fmt/format.h>

#include "course/build/build.hpp"
#include "course/files.hpp"
#include "process/run.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Lesson;
using course::Project;
using course::Recipe;

namespace {

constexpr std::chrono::seconds time_to_build{150}; // what is compiled has a limit of its own

std::vector<std::string> words_of(const std::string& command) {
    std::istringstream words(command);
    std::vector<std::string> all;
    for (std::string word; words >> word;) {
        all.push_back(word);
    }
    return all;
}

std::string object_of(const std::string& id) {
    return "/solution_" + id + ".dir/";
}

/// Our objects of a lesson's exercises, as the link commands name them.
std::set<std::string> our_objects(const Lesson& lesson, const Together::Recipes& recipes) {
    std::set<std::string> objects;
    for (const Exercise& each : lesson.exercises) {
        for (const std::string& word : words_of(recipes.at(each.id).link)) {
            for (const Exercise& ours : lesson.exercises) {
                if (word.find(object_of(ours.id)) != std::string::npos) {
                    objects.insert(word);
                }
            }
        }
    }
    return objects;
}

/// The headers that went into the header precompiled for exercises.
std::set<std::string> precompiled(const Project& project, const Recipe& recipe) {
    std::set<std::string> headers;
    for (const std::string& word : words_of(recipe.compile)) {
        if (word.find("exercise_pch.dir") == std::string::npos) {
            continue;
        }
        const std::string file = fs::path(word).lexically_relative(project.build).string();
        for (const char* kind : {".gch", ".pch", ""}) { // g++ names it without, clang with
            const auto told =
                process::run({COURSE_NINJA, "-C", project.build, "-t", "deps", file + kind});
            for (const std::string& header : words_of(told.status == 0 ? told.output : "")) {
                headers.insert((project.build / header).lexically_normal().string());
            }
        }
    }
    return headers;
}

std::string quoted(const fs::path& path) {
    std::string text = "'";
    for (const char c : path.string()) {
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return text + "'";
}

/// Whether an error lies in a file, or began there.
bool has_error_in(const std::string& log, const fs::path& file) {
    std::istringstream lines(log);
    const std::string place = file.string() + ":";
    for (std::string line; std::getline(lines, line);) {
        if (line.find(place) != std::string::npos &&
            (line.find(" error: ") != std::string::npos ||
             line.find(" required from ") != std::string::npos)) {
            return true;
        }
    }
    return false;
}

process::Finished run_in(const Project& project, const std::string& command) {
    return process::run({"sh", "-c", command},
                        {.folder = project.build,
                         .environment = {{"LC_ALL", "C.UTF-8"}, {"CCACHE_DISABLE", "1"}},
                         .time = time_to_build});
}

} // namespace

Together::Together(const Project& project, const Recipes& recipes, const fs::path& folder)
    : project_(project), recipes_(recipes), packed_(folder) {
    fs::remove_all(packed_);
    fs::create_directories(packed_);
    for (const Lesson& lesson : project.lessons) {
        std::vector<std::string> command{COURSE_AR, "rcs", packed_ / (lesson.folder + ".a")};
        for (const std::string& object : our_objects(lesson, recipes)) {
            command.push_back(project.build / object);
        }
        if (const auto made = process::run(command); made.status != 0) {
            throw course::MachineFault("our solutions could not be packed: " + made.output);
        }
        const Recipe& recipe = recipes.at(lesson.exercises.front().id);
        const std::string output = " -o " + recipe.program + " ";
        libraries_[lesson.folder] = recipe.link.substr(recipe.link.find(output) + output.size());
    }
    everywhere_ = precompiled(project, recipes.begin()->second);
}

Footprint Together::footprint(const Exercise& exercise, const std::string& lesson) const {
    const auto find = [&](const std::string& named) -> std::string {
        const std::string name = named.substr(1, named.size() - 2);
        if (named.front() == '<') {
            const bool known =
                std::any_of(everywhere_.begin(), everywhere_.end(), [&](const std::string& header) {
                    return header.ends_with("/" + name);
                });
            return known && name.find("..") == std::string::npos ? everybody : "";
        }
        std::error_code unusual; // a name that is too long
        std::string found;
        int lessons = 0;
        for (const Lesson& each : project_.lessons) {
            const fs::path header = each.contract.parent_path() / name;
            if (fs::is_regular_file(header, unusual)) {
                ++lessons;
                found = each.folder == lesson ? header.lexically_normal().string() : found;
            }
        }
        const fs::path header = (project_.root / "common" / name).lexically_normal();
        if (lessons == 0 && fs::is_regular_file(header, unusual)) {
            found = everywhere_.contains(header.string()) ? everybody : header.string();
        }
        const bool plain = name.find("..") == std::string::npos && lessons < 2 &&
                           name.find("//") == std::string::npos && !name.starts_with('/');
        return plain ? found : "";
    };
    return footprint_of(course::read_file(exercise.file).value_or("\\"), exercise.functions, find);
}

std::vector<Together::Group> Together::groups_of(const Project& theirs,
                                                 const std::vector<Exercise>& exercises) const {
    std::vector<Group> groups;
    for (const Exercise& exercise : exercises) {
        const std::string& lesson = lesson_of(theirs, exercise).folder;
        const Member member{exercise, lesson, footprint(exercise, lesson)};
        if (!member.footprint.plain) {
            continue;
        }
        const auto fits = [&](const Group& group) {
            return libraries_.at(group.front().lesson) == libraries_.at(lesson) &&
                   std::all_of(group.begin(), group.end(), [&](const Member& other) {
                       return independent(member.footprint, other.footprint);
                   });
        };
        const auto place = std::find_if(groups.begin(), groups.end(), fits);
        if (place == groups.end()) {
            groups.push_back({member});
        } else {
            place->push_back(member);
        }
    }
    return groups;
}

/// Makes group.o in the folder.
bool Together::compile(const Group& group, const fs::path& folder, std::string& log) const {
    std::string text;
    std::string paths;
    for (const Member& member : group) {
        text += fmt::format("#include \"{}\"\n", member.exercise.file.string());
        const std::string path = " -I" + (project_.root / "lessons" / member.lesson).string();
        paths += paths.find(path + " ") == std::string::npos ? path + " " : "";
    }
    course::write_file(folder / "group.cpp", text);
    const Recipe& recipe = recipes_.at(group.front().exercise.id);
    const process::Finished made =
        run_in(project_, recipe.compiling(folder / "group.cpp", folder / "group.o", paths));
    log = made.output;
    return made.status == 0;
}

void Together::link(const Group& group, const fs::path& folder, Programs& programs) const {
    std::set<std::string> lessons;
    for (const Member& member : group) {
        lessons.insert(member.lesson);
    }
    for (const std::string& lesson : lessons) {
        const auto in_lesson = [&](const Member& member) { return member.lesson == lesson; };
        const auto first = std::find_if(group.begin(), group.end(), in_lesson);
        const Recipe& recipe = recipes_.at(first->exercise.id);
        const fs::path program = folder / ("submission_" + lesson);
        std::string packed;
        for (const std::string& other : lessons) {
            packed += other == lesson ? "" : " " + quoted(packed_ / (other + ".a"));
        }
        std::string command;
        for (const std::string& word : words_of(recipe.linking(folder / "group.o", program))) {
            const bool theirs = std::any_of(group.begin(), group.end(), [&](const Member& member) {
                return word.find(object_of(member.exercise.id)) != std::string::npos;
            });
            command += word == "-o" ? packed + COURSE_FAST_LINK + " -o " : theirs ? "" : word + " ";
        }
        const bool made = run_in(project_, command).status == 0;
        for (const Member& member : group) {
            if (made && in_lesson(member)) {
                programs[member.exercise.id] = program;
            }
        }
    }
}

Together::Programs Together::make(const Project& theirs, const std::vector<Exercise>& exercises,
                                  const fs::path& folder) const {
    Programs programs;
    int number = 0;
    for (Group& group : groups_of(theirs, exercises)) {
        const fs::path room = folder / std::to_string(++number);
        std::string log;
        // What has an error is left out; where that is not seen, everything is compiled alone.
        for (std::size_t before = 0; group.size() > 1 && before != group.size();) {
            if (compile(group, room, log)) {
                link(group, room, programs);
                break;
            }
            before = group.size();
            std::erase_if(group, [&](const Member& member) {
                return has_error_in(log, member.exercise.file);
            });
        }
    }
    return programs;
}

} // namespace classroom
