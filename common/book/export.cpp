#include "book/export.hpp"

#include <iostream>

#include <fmt/format.h>

#include "book/board.hpp"
#include "book/site.hpp"
#include "course/commands/printing.hpp"
#include "course/files.hpp"
#include "process/run.hpp"
#include "process/typed_path.hpp"
#include "show/text.hpp"

namespace book {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Lists the files of an export, so that the next one knows which are its own.
constexpr const char* marker = ".course-book";

void require_ours(const fs::path& folder, const std::string& typed) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
        throw course::BadUse(typed + " is a file; name a folder to write the pages into");
    }
    if (fs::exists(folder, error) && !fs::is_empty(folder, error) &&
        !fs::exists(folder / marker, error)) {
        throw course::BadUse(typed + " is not empty, and its files are not from an earlier export; "
                                     "name another folder");
    }
}

/// Removes the last export's files; other files stay.
void remove_last_export(const fs::path& folder) {
    for (const std::string& line :
         show::lines_of(course::read_file(folder / marker).value_or(""))) {
        const fs::path path = fs::path(line).lexically_normal();
        std::error_code error;
        if (path.is_relative() && *path.begin() != "..") {
            fs::remove(folder / path, error);
        }
    }
}

/// Nothing about this learner or this machine.
json state_of(const course::Project& project) {
    json state = Board(project).state();
    for (json& lesson : state["lessons"]) {
        for (json& exercise : lesson["exercises"]) {
            exercise.erase("absolute");
            exercise.erase("file");
        }
    }
    return state;
}

/// Our solutions, which emscripten compiles, by their paths.
std::map<std::string, std::string> compiled_solutions(const course::Project& project) {
    try {
        process::run({"em++", "--version"});
    } catch (const std::runtime_error&) {
        throw course::BadUse("emscripten is missing, which compiles our solutions for the figures: "
                             "install it (Debian and Ubuntu: sudo apt-get install emscripten), or "
                             "add --still, and the figures are pictures");
    }
    course::build_or_throw(project, "book_module", "our solutions as WebAssembly");
    std::map<std::string, std::string> files;
    for (const std::string name : {"course_module.js", "course_module.wasm"}) {
        files["book/" + name] = course::read_file(project.build / "module" / name).value_or("");
    }
    return files;
}

} // namespace

int export_pages(const course::Project& project, const std::string& typed, bool still) {
    const fs::path folder = process::typed_path(typed);
    require_ours(folder, typed);
    const Site site(project, false);
    json state = state_of(project);
    state["still"] = still;
    auto files = still ? std::map<std::string, std::string>() : compiled_solutions(project);
    for (const auto& [path, page] : site.pages()) {
        files[path + "index.html"] = site.html(path, state);
    }
    for (const std::string& path : site.files()) {
        files[path] = course::read_file(site.file(path)->path).value_or("");
    }
    files[".nojekyll"] = ""; // or GitHub would leave out what begins with an underscore
    std::string list;
    std::size_t bytes = 0;
    for (const auto& [path, text] : files) {
        list += path + "\n";
        bytes += text.size();
    }
    remove_last_export(folder);
    course::write_file(folder / marker, list);
    for (const auto& [path, text] : files) {
        course::write_file(folder / path, text);
    }
    std::cout << fmt::format("{} pages, {} files, {} KiB in {}\n", site.pages().size(),
                             files.size(), bytes >> 10, typed);
    return 0;
}

} // namespace book
