#include "book/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "book/contract.hpp"
#include "book/markdown.hpp"
#include "course/page.hpp"
#include "show/text.hpp"

namespace book {

using show::escaped;

namespace {

std::string figure_html(const Figure& figure, const std::string& folder) {
    return fmt::format("<figure class=\"live\" data-figure=\"{0}\" data-src=\"{1}{2}\" "
                       "aria-labelledby=\"figure-{0}-title\"><figcaption id=\"figure-{0}-title\">"
                       "{3}</figcaption></figure>\n",
                       escaped(figure.id), escaped(folder), escaped(figure.file),
                       escaped(figure.title));
}

/// A heading of the second level with all up to the next.
struct Section {
    std::string id; // of the heading; "" before the first
    std::string text;
    std::string html;
};

std::vector<Section> sections_of(const std::string& html) {
    std::vector<Section> sections;
    std::size_t begin = 0;
    while (begin < html.size()) {
        const std::size_t end = std::min(html.find("<h2 ", begin + 1), html.size());
        Section section{"", "", html.substr(begin, end - begin)};
        if (section.html.starts_with("<h2 id=\"")) {
            const std::size_t quote = section.html.find('"', 8);
            const std::size_t text = section.html.find('>', quote) + 1;
            section.id = section.html.substr(8, quote - 8);
            section.text = section.html.substr(text, section.html.find("</h2>") - text);
        }
        sections.push_back(std::move(section));
        begin = end;
    }
    return sections;
}

/// The figures are beside the task: above its hints.
std::string exercise_html(const Section& section, const course::Exercise& exercise,
                          const std::string& header, const std::string& figures) {
    const std::string contract = contract_of(header, exercise.id, exercise.functions);
    const std::size_t heading = section.html.find("</h2>") + 5;
    std::string html = fmt::format("<section class=\"exercise\" data-exercise=\"{0}\" id=\"{0}\">\n"
                                   "{1}\n<div class=\"verdict\" data-exercise=\"{0}\"></div>\n",
                                   exercise.id, section.html.substr(0, heading));
    if (!contract.empty()) {
        html += fmt::format("<pre class=\"contract\"><code class=\"language-cpp\">{}</code></pre>",
                            escaped(contract));
    }
    const std::size_t hints = std::min(section.html.find("<details>"), section.html.size());
    return html + section.html.substr(heading, hints - heading) + figures +
           section.html.substr(hints) + "</section>\n";
}

} // namespace

std::string content_of(const Manuscript& manuscript) {
    std::vector<Figure> left = manuscript.figures;
    const auto figures_after = [&](const std::string& place) {
        std::string html;
        for (const Figure& figure : left) {
            html += figure.after == place ? figure_html(figure, manuscript.folder) : "";
        }
        std::erase_if(left, [&](const Figure& figure) { return figure.after == place; });
        return html;
    };
    std::string page;
    for (const Section& section :
         sections_of(with_links(html_of(manuscript.markdown), manuscript.rewrite))) {
        const auto exercise =
            std::find_if(manuscript.exercises.begin(), manuscript.exercises.end(),
                         [&](const auto& each) { return section.text.starts_with(each.id + " "); });
        if (exercise != manuscript.exercises.end()) {
            page +=
                exercise_html(section, *exercise, manuscript.contract, figures_after(exercise->id));
        } else {
            std::string html = section.html;
            for (const Figure& figure : manuscript.figures) {
                const std::size_t heading = html.find("<h3 id=\"" + figure.after + "\"");
                if (heading != std::string::npos) {
                    html.insert(html.find("</h3>", heading) + 5, figures_after(figure.after));
                }
            }
            page += html + figures_after(section.id.empty() ? "start" : section.id);
        }
    }
    for (const Figure& figure : left) { // whose place is not on the page
        page += figure_html(figure, manuscript.folder);
    }
    return page;
}

std::string heading_of(const std::string& markdown) {
    const std::string text = "\n" + markdown;
    const std::size_t mark = text.find("\n# ");
    return mark == std::string::npos
               ? ""
               : course::without_math(text.substr(mark + 3, text.find('\n', mark + 3) - mark - 3));
}

} // namespace book
