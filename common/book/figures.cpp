#include "book/figures.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "course/files.hpp"

namespace book {

std::vector<Figure> figures_of(const course::Project& project, const course::Lesson& lesson) {
    const std::filesystem::path file = lesson.page.parent_path() / "lesson.json";
    std::vector<Figure> figures;
    try {
        const auto manifest = nlohmann::json::parse(course::read_file(file).value_or(""));
        for (const auto& item : manifest.value("figures", nlohmann::json::array())) {
            const auto after = item.value("after", nlohmann::json("start"));
            std::string id = item.at("id");
            for (const auto& place : after.is_array() ? after : nlohmann::json{after}) {
                figures.push_back({id, item.at("title"), item.at("file"), place});
                id += "-again";
            }
        }
    } catch (const nlohmann::json::exception& error) {
        throw course::BadUse(fmt::format("the figures in {} cannot be read: {}",
                                         course::short_path(project, file), error.what()));
    }
    return figures;
}

} // namespace book
