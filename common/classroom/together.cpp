#include "classroom/together.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>

#include <fmt/format.h>

#include "course/explain/pattern.hpp"
#include "course/files.hpp"
#include "course/grading/build.hpp"
#include "process/interruption.hpp"
#include "process/run.hpp"

namespace classroom {

namespace fs = std::filesystem;
using course::Exercise;
using course::Lesson;
using course::Project;
using course::quoted;
using course::Recipe;
using course::shell_words;

namespace {

constexpr std::chrono::seconds time_to_build{150}; // what is compiled has a limit of its own

std::string object_of(const std::string& id) {
    return "/solution_" + id + ".dir/";
}

/// Our objects of a lesson's exercises, which the link commands name.
std::set<std::string> our_objects(const Lesson& lesson, const Together::Recipes& recipes) {
    std::set<std::string> objects;
    for (const Exercise& each : lesson.exercises) {
        for (const auto& [word, plain] : shell_words(recipes.at(each.id).link)) {
            for (const Exercise& ours : lesson.exercises) {
                if (word.find(object_of(ours.id)) != std::string::npos) {
                    objects.insert(plain);
                }
            }
        }
    }
    return objects;
}

/// The headers that went into the header precompiled for exercises.
std::set<std::string> precompiled(const Project& project, const Recipe& recipe) {
    std::set<std::string> headers;
    for (const auto& [written, word] : shell_words(recipe.compile)) {
        if (word.find("exercise_pch.dir") == std::string::npos) {
            continue;
        }
        const std::string file = fs::path(word).lexically_relative(project.build).string();
        for (const char* kind : {".gch", ".pch", ""}) { // g++ names it without, clang with
            const auto told =
                process::run({COURSE_NINJA, "-C", project.build, "-t", "deps", file + kind});
            std::istringstream lines(told.status == 0 ? told.output : "");
            for (std::string line; std::getline(lines, line);) { // each a header, indented
                const std::string header =
                    line.substr(std::min(line.find_first_not_of(' '), line.size()));
                headers.insert((project.build / header).lexically_normal().string());
            }
        }
    }
    return headers;
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

/// How many exercises are in a file.
template <class File>
std::size_t count(const File& file) {
    std::size_t members = 0;
    for (const auto& group : file) {
        members += group.members.size();
    }
    return members;
}

/// A name for namespace lesson that is as long, and that no exercise mentions: what begins with two
/// underscores is not plain.
std::string space_for(const std::string& lesson, std::size_t number) {
    return fmt::format("__{}{:02}", lesson.substr(0, 2), number);
}

/// A copy of an object in which a namespace has another name, as long as before.
void rename_space(const fs::path& object, const std::string& was, const std::string& becomes,
                  const fs::path& copy) {
    std::string bytes = course::read_file(object).value_or("");
    const std::string mangled = fmt::format("{}{}", was.size(), was);
    for (std::size_t at = bytes.find(mangled); at != std::string::npos;
         at = bytes.find(mangled, at + mangled.size())) {
        bytes.replace(at + 1, was.size(), becomes);
    }
    course::write_file(copy, bytes);
}

process::Finished run_in(const Project& project, const std::string& command) {
    return process::run({"sh", "-c", command}, {.folder = project.build,
                                                .environment = {{"CCACHE_DISABLE", "1"}},
                                                .time = time_to_build,
                                                .stop = process::Interruption::noted,
                                                .grace = std::chrono::milliseconds(0)});
}

} // namespace

Together::Together(const Project& project, const Recipes& recipes, const fs::path& folder)
    : project_(project), recipes_(recipes), packed_(folder),
      everywhere_(precompiled(project, recipes.begin()->second)) {
    fs::remove_all(packed_);
    fs::create_directories(packed_);
    for (const Lesson& lesson : project.lessons) {
        const std::string name = lesson.contract.filename();
        const std::string contract = course::read_file(lesson.contract).value_or("");
        course::write_file(packed_ / "contracts" / lesson.folder / name,
                           course::replace_all(contract, "#pragma once", ""));
        course::write_file(packed_ / "nothing" / name, "");
        promised_[lesson.folder] =
            footprint(fmt::format("#include \"{}\"\n", name), {}, lesson.folder).headers;
        const Recipe& recipe = recipes.at(lesson.exercises.front().id);
        const std::string output = " -o " + recipe.program + " ";
        const std::string end = recipe.link.substr(recipe.link.find(output) + output.size());
        libraries_[lesson.folder] = " " + end.substr(0, end.rfind("&&"));

        const std::set<std::string> objects = our_objects(lesson, recipes);
        for (std::size_t number = 0; number < lesson.exercises.size(); ++number) {
            const std::string space = space_for(lesson.folder, number);
            std::vector<std::string> command{COURSE_AR, "rcs", archive_for(space)};
            for (const std::string& object : objects) {
                command.push_back(packed_ / space / fs::path(object).filename());
                rename_space(project.build / object, "lesson", space, command.back());
            }
            if (const auto made = process::run(command); made.status != 0) {
                throw course::MachineFault("our solutions could not be packed: " + made.output);
            }
            fs::remove_all(packed_ / space);
        }
    }
}

/// Our own objects of a lesson, with its namespace so called: what other exercises of a file call.
fs::path Together::archive_for(const std::string& space) const {
    return packed_ / (space + ".a");
}

Footprint Together::footprint(const std::string& text, const std::vector<std::string>& functions,
                              const std::string& lesson) const {
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
    return footprint_of(text, functions, find);
}

/// Whether a file could be linked with the libraries of other lessons and not call more of them
/// than its own lesson links: it includes what its contract does, or headers of rooms of which its
/// lesson links every library. Of common/attention every lesson links all but one function,
/// scaled_dot_product_attention.
bool Together::calls_its_own(const Footprint& file, const std::string& lesson) const {
    std::set<std::string> lacking; // rooms: a library lies in the build as its room in the project
    for (const auto& [other, libraries] : libraries_) {
        for (const auto& [written, library] : shell_words(libraries)) {
            if (libraries_.at(lesson).find(" " + written + " ") == std::string::npos) {
                lacking.insert((project_.root / library).parent_path() / "");
            }
        }
    }
    const std::string attention = project_.root / "common" / "attention" / "";
    return std::all_of(file.headers.begin(), file.headers.end(), [&](const std::string& each) {
        return promised_.at(lesson).contains(each) ||
               !lacking.contains(fs::path(each).parent_path() / "") ||
               (each.starts_with(attention) &&
                !file.mentions.contains("scaled_dot_product_attention"));
    });
}

/// Whether two groups can be in one file.
bool Together::fit(const Group& a, const Group& b) const {
    const bool linked_alike =
        libraries_.at(a.lesson) == libraries_.at(b.lesson) || (a.calls_its_own && b.calls_its_own);
    return linked_alike && std::all_of(a.members.begin(), a.members.end(), [&](const Member& one) {
               return std::all_of(b.members.begin(), b.members.end(), [&](const Member& other) {
                   return independent_apart(one.footprint, other.footprint);
               });
           });
}

std::vector<Together::Group> Together::groups_of(const Project& theirs,
                                                 const std::vector<Exercise>& exercises) const {
    std::vector<Group> groups;
    for (const Exercise& exercise : exercises) {
        const std::string& lesson = lesson_of(theirs, exercise).folder;
        const std::string text = course::read_file(exercise.file).value_or("\\");
        const Member member{exercise, footprint(text, exercise.functions, lesson)};
        const std::string contract = lesson_of(project_, exercise).contract.lexically_normal();
        if (!member.footprint.plain || !member.footprint.headers.contains(contract)) {
            continue;
        }
        const bool own = calls_its_own(member.footprint, lesson);
        const auto of_lesson = [&](const Group& group) { return group.lesson == lesson; };
        const auto fits = [&](const Group& group) {
            return of_lesson(group) && group.calls_its_own == own &&
                   std::all_of(group.members.begin(), group.members.end(),
                               [&](const Member& other) {
                                   return independent(member.footprint, other.footprint);
                               });
        };
        const auto place = std::find_if(groups.begin(), groups.end(), fits);
        if (place != groups.end()) {
            place->members.push_back(member);
            continue;
        }
        const auto number = std::count_if(groups.begin(), groups.end(), of_lesson);
        groups.push_back(
            {lesson, space_for(lesson, static_cast<std::size_t>(number)), own, {member}});
    }
    return groups;
}

std::vector<Together::File> Together::files_of(const std::vector<Group>& groups) const {
    std::vector<File> files;
    for (const Group& group : groups) {
        const auto fits = [&](const File& file) {
            return std::all_of(file.begin(), file.end(),
                               [&](const Group& other) { return fit(group, other); });
        };
        const auto place = std::find_if(files.begin(), files.end(), fits);
        if (place == files.end()) {
            files.push_back({group});
        } else {
            place->push_back(group);
        }
    }
    return files;
}

/// Makes file.o in the folder. Each group has its contract under its own name, so that including it
/// gives nothing more.
bool Together::compile(const File& file, const fs::path& folder, std::string& log) const {
    std::string text;
    for (const Group& group : file) {
        const course::Exercise& first = group.members.front().exercise;
        const fs::path contract = lesson_of(project_, first).contract.filename();
        text += fmt::format("#define lesson {}\n#include \"{}\"\n", group.space,
                            (packed_ / "contracts" / group.lesson / contract).string());
        for (const Member& member : group.members) {
            text += fmt::format("#include \"{}\"\n", member.exercise.file.string());
        }
        text += "#undef lesson\n";
    }
    course::write_file(folder / "file.cpp", text);
    const Recipe& recipe = recipes_.at(file.front().members.front().exercise.id);
    const process::Finished made =
        run_in(project_,
               recipe.compiling(folder / "file.cpp", folder / "file.o",
                                COURSE_FAST_COMPILE " -w -iquote " + quoted(packed_ / "nothing")));
    log = made.output;
    return made.status == 0;
}

void Together::link(const Group& group, const File& file, const fs::path& folder,
                    Programs& programs) const {
    const Recipe& recipe = recipes_.at(group.members.front().exercise.id);
    const fs::path object = folder / (group.space + ".o");
    const fs::path program = folder / ("submission_" + group.space);
    rename_space(folder / "file.o", group.space, "lesson", object);
    std::string packed;
    std::string libraries;
    for (const Group& other : file) {
        if (other.space != group.space) {
            packed += " " + quoted(archive_for(other.space));
            libraries += libraries_.at(other.lesson);
        }
    }
    std::string command;
    for (const course::ShellWord& each : shell_words(recipe.linking(object, program))) {
        const std::string& word = each.written;
        const bool theirs =
            std::any_of(group.members.begin(), group.members.end(), [&](const Member& member) {
                return word.find(object_of(member.exercise.id)) != std::string::npos;
            });
        const std::string before = word == "-o"   ? packed + COURSE_FAST_LINK + " "
                                   : word == "&&" ? libraries + " "
                                                  : "";
        command += theirs ? "" : before + word + " ";
    }
    const bool made = run_in(project_, command).status == 0;
    fs::remove(object);
    for (const Member& member : group.members) {
        if (made) {
            programs[member.exercise.id] = program;
        }
    }
}

Together::Programs Together::make(const Project& theirs, const std::vector<Exercise>& exercises,
                                  const fs::path& folder) const {
    Programs programs;
    int number = 0;
    for (File& file : files_of(groups_of(theirs, exercises))) {
        const fs::path room = folder / std::to_string(++number);
        std::string log;
        // What has an error is left out; where that is not seen, everything is compiled alone.
        for (std::size_t before = 0;
             count(file) > 1 && before != count(file) && !process::Interruption::noted();) {
            if (compile(file, room, log)) {
                for (const Group& group : file) {
                    link(group, file, room, programs);
                }
                break;
            }
            before = count(file);
            for (Group& group : file) {
                std::erase_if(group.members, [&](const Member& member) {
                    return has_error_in(log, member.exercise.file);
                });
            }
            std::erase_if(file, [](const Group& group) { return group.members.empty(); });
        }
    }
    return programs;
}

} // namespace classroom
