#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "course/lessons.hpp"

namespace book {

/// One page: made of a Markdown file below lessons/.
struct Page {
    std::filesystem::path file;
    std::string lesson; // its folder, "03_softmax"; "" where it is of none
    std::string title;
};

struct StaticFile {
    std::filesystem::path path;
    std::string type; // "text/javascript"
};

/// The files that can be served, by path. Knows nothing of a server: an export uses it, too.
class Site {
public:
    /// live: pages talk to the server; otherwise they are files in a folder.
    Site(const course::Project& project, bool live);

    /// By path, with a slash at its end and none before: "lessons/03_softmax/". The list of lessons
    /// has "".
    const std::map<std::string, Page>& pages() const { return pages_; }
    /// A page whole. state: {"lessons": …}, and "still" if its figures are to be pictures.
    std::string html(const std::string& path, const nlohmann::json& state) const;

    /// A file that belongs to the pages: "book/NAME", "katex/…", "lessons/03_softmax/NAME.svg" and
    /// "lessons/03_softmax/figures/NAME.js". Nothing for any other path, however it is spelled, nor
    /// for a link to a file elsewhere.
    std::optional<StaticFile> file(const std::string& path) const;
    /// All of them, except KaTeX files that no page loads.
    std::vector<std::string> files() const;

    /// The target of a page's link, as the attributes of its element: "href=…" or "src=…", and for
    /// a file of the course data-path, which can be copied.
    std::string link(const std::string& page, const std::string& target) const;

    bool has_katex() const;

private:
    std::string to_root(const std::string& page) const;
    std::string link_to_page(const std::string& page, const std::string& other,
                             const std::string& fragment) const;
    std::string lesson_content(const std::string& path, const Page& page) const;
    std::string index_content(const nlohmann::json& state) const;

    const course::Project& project_;
    bool live_;
    std::map<std::string, Page> pages_;
};

} // namespace book
