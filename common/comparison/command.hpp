#pragma once

#include "comparison/experiment.hpp"

namespace comparison {

/// The options on the command line: ./course run 07 -- --train a.de b.en --epochs 5
struct Command {
    Options options;
    bool trains = true; // false with --no-training
    std::string help;   // not empty after --help
};

/// The defaults depend on whether there are own files. Their names are relative to the folder in
/// which ./course was called; that of the output folder is relative to the course's. Throws
/// std::invalid_argument, in one line, for an unknown option or an invalid value.
Command read_command(const std::vector<std::string>& words);

/// Trains and tests all arms, shows the progress on stderr, and writes the results: text to out,
/// tables and pictures to options.output. SIGINT and SIGTERM write a checkpoint and end the process
/// with status 130. Throws as run_experiment does.
void run_comparison(const Options& options, const std::vector<Scorer<float>>& scorers,
                    std::ostream& out);

} // namespace comparison
