#pragma once

// The measurements on the terminal: a line per case at once, then a summary.

#include "bench/cases.hpp"

#include <optional>

#include <benchmark/benchmark.h>

namespace bench {

struct Result {
    Case which;
    double milliseconds, gigaflops, peak_gigaflops, of_peak, extra_bytes; // medians
};

/// Collects the medians and prints them at once.
class Results : public benchmark::BenchmarkReporter {
public:
    explicit Results(std::vector<Case> all) : cases_(std::move(all)) {}

    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;

    std::optional<Result> find(const Case& which) const;
    const std::vector<Result>& all() const { return results_; }

private:
    std::vector<Case> cases_;
    std::vector<Result> results_;
};

/// The summary, a line per size: shares of the peak; the times of causal, backward, one thread, the
/// plain form and the two products, each divided by the streaming forward's; memory.
void print_summary(const Results& results);

/// The share of the peak against n, with the most threads measured, at d = 64 or the first d.
void print_chart(const Results& results);

} // namespace bench
