#pragma once

#include "comparison/experiment.hpp"
#include "show/line_chart.hpp"

namespace comparison {

/// Curves as a picture: NAME.gp, a gnuplot script with its data, and what gnuplot makes of it,
/// NAME.svg.
///   options: titles, log axes and y range are used
///   returns "" or, if there is no picture, why not; without a single point there is nothing to
///   draw
std::string draw_curves(const std::filesystem::path& folder, const std::string& name,
                        const std::vector<show::Series>& series,
                        const show::LineChartOptions& options);

/// bleu_by_length, and attention_1 … of the sentences that the arms attend to most
/// differently, side by side, the gold alignment outlined.
/// Returns "" or why there are no pictures.
std::string draw_pictures(const std::filesystem::path& folder, const ExperimentResult& result);

} // namespace comparison
