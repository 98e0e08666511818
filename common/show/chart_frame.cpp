#include "show/chart_frame.hpp"

#include "show/text.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace show {
namespace {

std::string row_text(const Canvas& canvas, std::size_t row, bool braille,
                     const Terminal& terminal) {
    std::string text, run;
    std::optional<std::size_t> run_series;
    const auto flush = [&] {
        text += run_series ? coloured(run, look_of(*run_series, braille).colour, terminal) : run;
        run.clear();
    };
    for (std::size_t column = 0; column < canvas.columns(); ++column) {
        const Canvas::Character character = canvas.at(column, row);
        if (character.series != run_series) {
            flush();
            run_series = character.series;
        }
        run += character.text;
    }
    flush();
    return text;
}

} // namespace

Look look_of(std::size_t series, bool braille) {
    constexpr std::array marks = {"*", "o", "+", "x", "#", "@", "%"};
    constexpr std::array colours = {Colour::blue, Colour::orange, Colour::green, Colour::pink,
                                    Colour::sky,  Colour::yellow, Colour::red};
    return {braille ? "•" : marks.at(series % marks.size()), colours.at(series % colours.size())};
}

void write_plot(std::ostream& out, const Canvas& canvas, const Axis& y, std::size_t gutter,
                bool braille, const Terminal& terminal) {
    std::vector<std::string> labels(canvas.rows());
    const std::vector<std::string> texts = y.labels(terminal);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        labels[canvas.row_of(y.place(y.ticks()[i]))] = texts[i];
    }
    for (std::size_t row = 0; row < canvas.rows(); ++row) {
        const char* axis = !terminal.unicode     ? (labels[row].empty() ? "|" : "+")
                           : labels[row].empty() ? "│"
                                                 : "┤";
        write_line(out, right_aligned(labels[row], gutter - 1) + " " + dim(axis, terminal) +
                            row_text(canvas, row, braille, terminal));
    }
}

void write_x_axis(std::ostream& out, const Canvas& canvas, const Axis& x, std::size_t gutter,
                  const Terminal& terminal) {
    std::vector<std::string> line(canvas.columns(), terminal.unicode ? "─" : "-");
    std::string labels;
    const std::size_t end = gutter + 1 + canvas.columns();
    const std::vector<std::string> texts = x.labels(terminal);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::size_t column = canvas.column_of(x.place(x.ticks()[i]));
        const std::size_t length = display_width(texts[i]);
        const std::size_t middle = gutter + 1 + column;
        const std::size_t start = std::min(middle - std::min(middle, length / 2), end - length);
        line[column] = terminal.unicode ? "┬" : "+";
        if (labels.empty() || start > display_width(labels)) {
            labels = left_aligned(labels, start) + texts[i];
        }
    }
    std::string axis = terminal.unicode ? "└" : "+";
    for (const std::string& piece : line) {
        axis += piece;
    }
    write_line(out, std::string(gutter, ' ') + dim(axis, terminal));
    write_line(out, labels);
}

void write_legend(std::ostream& out, const std::vector<Series>& series, std::size_t gutter,
                  std::size_t width, bool braille, const Terminal& terminal) {
    std::string line;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].name.empty()) {
            continue;
        }
        const Look look = look_of(i, braille);
        const std::string sample = braille && !series[i].points ? "──" : look.mark;
        const std::string entry =
            coloured(sample, look.colour, terminal) + " " + fit(series[i].name, width, terminal);
        if (!line.empty() && gutter + 4 + display_width(line) + display_width(entry) > width) {
            write_line(out, std::string(gutter + 1, ' ') + line);
            line.clear();
        }
        line += (line.empty() ? "" : "   ") + entry;
    }
    if (!line.empty()) {
        write_line(out, std::string(gutter + 1, ' ') + line);
    }
}

} // namespace show
