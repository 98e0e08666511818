#pragma once

#include <filesystem>
#include <ostream>

#include "saturation/entropy_sweep.hpp"

namespace course {

/// A sweep with its theoretical curves, all over d_k = 1…max_dk.
struct EntropyFigure {
    attention::SweepOptions options;
    attention::EntropySweep sweep;
    attention::Vector exact_unscaled; // nats (max_dk); NaN where it was not computed
    attention::Vector exact_scaled;
};

/// Runs the sweep, with gains and the exact expectation at about 60 d_k evenly spaced on a log
/// axis.
EntropyFigure compute_entropy_figure(attention::SweepOptions options);

/// Writes entropy_vs_dk.csv and the gnuplot script entropy_vs_dk.gp into the folder, which is made
/// if need be; each file whole or not at all. Throws std::runtime_error if that cannot be done.
void write_data_and_script(const EntropyFigure& figure, const std::filesystem::path& folder);

/// Runs gnuplot on the two, which makes entropy_vs_dk.svg and .png beside them.
/// Returns why it could not, in one line, or "".
std::string draw_picture(const std::filesystem::path& folder);

/// Draws the entropy in the terminal, and tabulates it against theory.
void print_figure(std::ostream& out, const EntropyFigure& figure);

} // namespace course
