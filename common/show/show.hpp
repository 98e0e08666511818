#pragma once

// Matrices and charts in a terminal. Each function writes to a stream, takes its options as a
// struct meant for designated initialisers, and last the terminal to draw for:
//
//     show::matrix(std::cout, scores, {.title = "scores", .row_labels = {"q1", "q2"}});

#include "show/beside.hpp"
#include "show/csv.hpp"
#include "show/heatmap.hpp"
#include "show/histogram.hpp"
#include "show/line_chart.hpp"
#include "show/matrix.hpp"
#include "show/terminal.hpp"
