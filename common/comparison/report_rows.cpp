#include "comparison/report.hpp"

#include <cmath>
#include <fmt/format.h>

namespace comparison {

std::string with_spread(const Estimate& e, std::size_t decimals) {
    if (std::isnan(e.mean)) {
        return "not reached";
    }
    const bool has_spread = e.deviation > 1e-12 * std::abs(e.mean); // more than rounding
    return !has_spread ? fmt::format("{:.{}f}", e.mean, decimals)
                       : fmt::format("{:.{}f} ± {:.{}f}", e.mean, decimals, e.deviation, decimals);
}

void heading(std::ostream& out, const std::string& text) {
    out << "\n" << show::bold(text) << "\n\n";
}

// "±" is one column and two bytes, which fmt's widths know about.
void print_row(std::ostream& out, const std::string& name, const std::vector<std::string>& cells) {
    out << fmt::format("{:<28}", name);
    for (const std::string& cell : cells) {
        out << fmt::format("{:>17}", cell);
    }
    out << "\n";
}

void print_header(std::ostream& out, const std::string& name, const ExperimentResult& result) {
    std::vector<std::string> names;
    for (const std::string& arm : arms_of(result)) {
        names.push_back(short_name(arm));
    }
    print_row(out, name, names);
}

void print_measure(std::ostream& out, const std::string& name, const ExperimentResult& result,
                   const Measure& measure) {
    std::vector<std::string> cells;
    for (const std::string& arm : arms_of(result)) {
        cells.push_back(with_spread(estimate(over_seeds(result, arm, measure)), measure.decimals));
    }
    print_row(out, name, cells);
}

} // namespace comparison
