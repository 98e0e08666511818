#include "book/site.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "book/figures.hpp"
#include "book/markdown.hpp"
#include "book/page.hpp"
#include "course/files.hpp"
#include "course/screen/place.hpp"
#include "show/text.hpp"

namespace book {

namespace fs = std::filesystem;
using nlohmann::json;
using show::escaped;

namespace {

const std::map<std::string, std::string>& types() {
    static const std::map<std::string, std::string> known{
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".woff2", "font/woff2"},
        {".woff", "font/woff"},
        {".ttf", "font/ttf"},
        {".bin", "application/octet-stream"},
        {".json", "application/json"}};
    return known;
}

/// The names between the slashes, if each is one that a file of ours can have.
std::vector<std::string> names_in(const std::string& path) {
    std::vector<std::string> names;
    std::istringstream stream(path);
    for (std::string name; std::getline(stream, name, '/');) {
        const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
        });
        if (name.empty() || name.starts_with('.') || !plain) {
            return {};
        }
        names.push_back(name);
    }
    return names;
}

/// folder/name, if that is a file in the folder itself.
std::optional<StaticFile> file_in(const fs::path& folder, const std::string& name) {
    std::error_code error;
    const fs::path path = fs::canonical(folder / name, error);
    const auto type = types().find(fs::path(name).extension());
    if (error || type == types().end() || path.parent_path() != fs::canonical(folder, error) ||
        !fs::is_regular_file(path, error)) {
        return std::nullopt;
    }
    return StaticFile{path, type->second};
}

/// Of the models that the map reads.
bool is_model(const std::string& name) {
    return name == "stories.bin" || name == "pieces.bin" || name == "model.bin";
}

bool is_picture(const fs::path& name) {
    return name.extension() == ".svg" || name.extension() == ".png";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
        text.replace(at, what.size(), by);
    }
    return text;
}

/// Makes the browser preload the modules that the page imports: otherwise each is loaded when the
/// one before has been read, which is visible on a busy machine.
std::string asked_ahead(const std::string& root, const std::string& content, bool has_katex) {
    std::string html;
    const auto module = [&](const std::string& address) {
        html += fmt::format("<link rel=\"modulepreload\" href=\"{}\">\n", address);
    };
    const auto modules = [&](std::initializer_list<const char*> names) {
        for (const char* const name : names) {
            module(fmt::format("{}book/{}.js", root, name));
        }
    };
    modules({"arrays", "course", "cpp", "dom", "editor", "figure", "map_stations", "map_strip",
             "matrix", "notice", "verdict"});
    if (content.find("id=\"map\"") != std::string::npos) {
        modules(
            {"controls", "map", "map_detail", "map_model", "map_pass", "map_picture", "map_view"});
    }
    if (const std::string source = "data-src=\""; content.find(source) != std::string::npos) {
        modules({"bars", "chart", "controls", "parts"});
        for (std::size_t at = 0; (at = content.find(source, at)) != std::string::npos;) {
            at += source.size();
            module(content.substr(at, content.find('"', at) - at));
        }
    }
    if (has_katex && content.find("<x-equation") != std::string::npos) {
        html += fmt::format("<link rel=\"preload\" as=\"style\" href=\"{0}katex/katex.min.css\">\n"
                            "<link rel=\"preload\" as=\"script\" href=\"{0}katex/katex.min.js\">\n",
                            root);
    }
    return html;
}

/// The shell with what belongs in its places, "{{title}}". What is put in is not looked at again: a
/// learner's program may print the name of a place.
std::string filled_in(const std::string& shell, const std::map<std::string, std::string>& places) {
    std::string html;
    for (std::size_t at = 0; at < shell.size();) {
        const std::size_t begin = std::min(shell.find("{{", at), shell.size());
        const std::size_t end = shell.find("}}", begin);
        html += shell.substr(at, begin - at);
        if (end == std::string::npos) {
            return html + shell.substr(begin);
        }
        html += places.at(shell.substr(begin + 2, end - begin - 2));
        at = end + 2;
    }
    return html;
}

/// JSON that can stand in HTML: no end of a script in it.
std::string for_html(const json& value) {
    return replaced(value.dump(-1, ' ', false, json::error_handler_t::replace), "<", "\\u003c");
}

} // namespace

Site::Site(const course::Project& project, bool live) : project_(project), live_(live) {
    const fs::path lessons = project.root / "lessons";
    const auto add_pages_in = [&](const fs::path& folder, const std::string& lesson) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            const fs::path& file = entry.path();
            if (file.extension() == ".md") {
                std::string address = lesson.empty() ? "lessons/" : "lessons/" + lesson + "/";
                if (file.stem() != "README") {
                    address.append(file.stem().string()).append("/");
                }
                pages_[address] = {file, lesson, heading_of(course::read_file(file).value_or(""))};
            }
        }
    };
    add_pages_in(lessons, "");
    for (const course::Lesson& lesson : project.lessons) {
        add_pages_in(lessons / lesson.folder, lesson.folder);
    }
    pages_[""] = {"", "", "Attention, by hand"};
}

bool Site::has_katex() const {
    return file("katex/katex.min.js").has_value();
}

std::string Site::to_root(const std::string& page) const {
    std::string up;
    for (const char c : page) {
        up += c == '/' ? "../" : "";
    }
    return live_ ? "/" : up;
}

std::string Site::link_to_page(const std::string& page, const std::string& other,
                               const std::string& fragment) const {
    return fmt::format("href=\"{}{}{}{}\"", to_root(page), other, live_ ? "" : "index.html",
                       escaped(fragment));
}

std::string Site::link(const std::string& page, const std::string& target) const {
    const std::size_t hash = std::min(target.find('#'), target.size());
    if (target.find("://") != std::string::npos || target.starts_with("mailto:") || hash == 0) {
        return "href=\"" + target + "\"";
    }
    const fs::path file =
        (pages_.at(page).file.parent_path() / target.substr(0, hash)).lexically_normal();
    const std::string fragment = target.substr(hash);
    for (const auto& [path, other] : pages_) {
        if (other.file == file) {
            return link_to_page(page, path, fragment);
        }
    }
    const std::string below = file.lexically_relative(project_.root);
    if (is_picture(file)) {
        return fmt::format("src=\"{}{}\"", to_root(page), escaped(below));
    }
    fs::path open = file;
    for (const course::Lesson& lesson : project_.lessons) {
        for (const course::Exercise& exercise :
             lesson.exercises) { // the learner's may be elsewhere
            const bool same =
                file == project_.root / "lessons" / lesson.folder / exercise.file.filename();
            open = same ? exercise.file : open;
        }
    }
    const std::string copied = course::short_path(project_, open);
    return live_ ? fmt::format("data-file=\"{}\" data-path=\"{}\"", escaped(open.string()),
                               escaped(copied))
                 : fmt::format("data-path=\"{}\"", escaped(below));
}

std::string Site::lesson_content(const std::string& path, const Page& page) const {
    Manuscript manuscript;
    manuscript.markdown = course::read_file(page.file).value_or("");
    manuscript.rewrite = [&](const std::string& target) { return link(path, target); };
    if (!page.lesson.empty() && page.file.filename() == "README.md") {
        const course::Lesson& lesson = course::find_lesson(project_, page.lesson);
        manuscript.contract = course::read_file(lesson.contract).value_or("");
        manuscript.exercises = lesson.exercises;
        manuscript.figures = figures_of(project_, lesson);
        manuscript.folder = to_root(path) + path;
    }
    return content_of(manuscript);
}

std::string Site::index_content(const json& state) const {
    std::string html = "<h1>" + pages_.at("").title +
                       "</h1>\n<section id=\"map\" aria-label=\"The living map\"></section>\n"
                       "<p id=\"go-on\"></p>\n<ol class=\"lessons\">\n";
    for (const json& lesson : state.at("lessons")) {
        const std::string folder = lesson.at("folder");
        html += fmt::format("<li data-lesson=\"{}\"><a {}><span class=\"number\">{}</span> {}</a>: "
                            "{}\n<ul class=\"exercises\">\n",
                            folder, link_to_page("", "lessons/" + folder + "/", ""),
                            lesson.at("id").get<std::string>(),
                            escaped(lesson.at("title").get<std::string>()),
                            escaped(lesson.at("idea").get<std::string>()));
        for (const json& exercise : lesson.at("exercises")) {
            const std::string id = exercise.at("id");
            html += fmt::format("<li data-exercise=\"{}\"><a {}>{} {}</a></li>\n", id,
                                link_to_page("", "lessons/" + folder + "/", "#" + id), id,
                                escaped(exercise.at("title").get<std::string>()));
        }
        html += "</ul></li>\n";
    }
    return html + "</ol>\n";
}

std::string Site::html(const std::string& path, const json& state) const {
    const Page& page = pages_.at(path);
    json data{{"lesson", page.lesson},
              {"page", path},
              {"live", live_},
              {"katex", has_katex()},
              {"root", to_root(path)},
              {"lessons", state.at("lessons")},
              {"still", state.value("still", false)}};
    if (live_) {
        data["folder"] = project_.root.string();
        data["model"] = file("book/model.bin").has_value();
        data["project"] = project_.root.filename().string();
        if (path.empty()) {
            data["place"] =
                course::all_exercises(project_)[course::place_to_begin(project_, "")].id;
        }
    }
    const std::string content = path.empty() ? index_content(state) : lesson_content(path, page);
    const std::string shell =
        course::read_file(fs::path(COURSE_BOOK_PAGE) / "shell.html").value_or("{{content}}");
    return filled_in(shell, {{"title", escaped(page.title)},
                             {"root", to_root(path)},
                             {"ahead", asked_ahead(to_root(path), content, has_katex())},
                             {"data", for_html(data)},
                             {"content", content}});
}

std::optional<StaticFile> Site::file(const std::string& path) const {
    const std::vector<std::string> names = names_in(path);
    if (names.size() < 2) {
        return std::nullopt;
    }
    if (live_ && path == "book/model.bin") { // what ./course run 11 has trained
        return file_in(project_.root / "out/language", "model.bin");
    }
    if (names[0] == "book" && names.size() == 2) {
        return file_in(COURSE_BOOK_PAGE, names[1]);
    }
    if (names[0] == "katex" && names.size() == 2) {
        return file_in(COURSE_KATEX, names[1]);
    }
    if (names[0] == "katex" && names.size() == 3 && names[1] == "fonts") {
        return file_in(fs::path(COURSE_KATEX) / "fonts", names[2]);
    }
    const bool of_lesson = names[0] == "lessons" && pages_.contains("lessons/" + names[1] + "/");
    const fs::path folder = project_.root / "lessons" / names[1];
    if (of_lesson && names.size() == 3 && (is_picture(names[2]) || is_model(names[2]))) {
        return file_in(folder, names[2]);
    }
    if (of_lesson && names.size() == 4 && names[2] == "figures" && names[3].ends_with(".js")) {
        return file_in(folder / "figures", names[3]);
    }
    return std::nullopt;
}

std::vector<std::string> Site::files() const {
    std::vector<std::string> all;
    const auto add = [&](const fs::path& folder, const std::string& below) {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder, error)) {
            const std::string path = below + entry.path().filename().string();
            if (file(path)) {
                all.push_back(path);
            }
        }
    };
    add(COURSE_BOOK_PAGE, "book/");
    for (const char* name : {"katex/katex.min.js", "katex/katex.min.css"}) {
        all.emplace_back(name);
    }
    add(fs::path(COURSE_KATEX) / "fonts", "katex/fonts/");
    std::erase_if(all, [&](const std::string& path) {
        return !file(path) || (path.starts_with("katex/fonts/") && !path.ends_with(".woff2"));
    });
    for (const course::Lesson& lesson : project_.lessons) {
        const fs::path folder = project_.root / "lessons" / lesson.folder;
        add(folder, "lessons/" + lesson.folder + "/");
        add(folder / "figures", "lessons/" + lesson.folder + "/figures/");
    }
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace book
