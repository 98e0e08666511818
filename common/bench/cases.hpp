#pragma once

// What ./course bench measures: one case is one computation at one size.

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

enum class Form { streaming, plain, gemms }; // gemms: only the two products of attention
enum class Direction { forward, backward };

struct Case {
    Form form;
    Direction direction;
    bool is_causal;
    std::size_t heads, n, d, threads; // batch 1; n queries and n keys; d_k = d_v = d

    /// "streaming/forward/causal/n:4096/d:64/heads:8/threads:2".
    std::string name() const;
    /// Operations that the result needs: a causal mask halves them, even for code that computes
    /// all.
    double operations() const;
    /// Bytes of the result of one call: the output and logsumexp, or the gradients. The plain
    /// form's weights do not count, since no caller needs them.
    double result_bytes() const;

    bool operator==(const Case&) const = default;
};

struct Choice {
    std::vector<std::size_t> n, d, threads;
};

/// All cases of these sizes: fewer heads if n is so large that eight would take minutes, and no
/// plain form if its weights would not fit.
std::vector<Case> cases(const Choice& choice);

/// Gives a case to Google Benchmark. Besides the time it counts GFLOP/s, the FMA peak of as many
/// threads measured right before and after, the share of it that was reached, and extra_bytes: the
/// peak memory of a call beyond the inputs and the result.
void add(const Case& which);

} // namespace bench
