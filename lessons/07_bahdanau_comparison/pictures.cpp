// The picture of this page: one step of the decoder, in numbers.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "attention/attention.hpp"
#include "attention/scores.hpp"
#include "show/svg.hpp"

using attention::Matrix;
using show::Picture;
using show::Svg;

namespace {

std::string pair(double a, double b, int digits) {
    return fmt::format("[{:.{}f}  {:.{}f}]", a, digits, b, digits);
}

// A column of the table: what one source word contributes.
void column(Svg& svg, double x, const std::string& word, const Matrix& H, const Matrix& scores,
            const Matrix& weights, std::size_t j) {
    svg.rectangle({x - 62, 44}, 124, 46, "fill-k light");
    svg.text({x, 64}, word, "ink bold", "middle");
    svg.text({x, 82}, "h" + std::to_string(j + 1) + " " + pair(H(j, 0), H(j, 1), 0), "k small",
             "middle");
    svg.arrow({x, 94}, {x, 126}, "faint");
    svg.text({x, 146}, fmt::format("{:.3f}", scores(0, j)), "scaled", "middle");
    svg.arrow({x, 156}, {x, 188}, "faint");
    svg.rectangle({x - 40, 236 - 40 * weights(0, j)}, 80, 40 * weights(0, j), "fill-weights");
    svg.text({x, 254}, fmt::format("{:.3f}", weights(0, j)), "weights", "middle");
    svg.arrow({x, 264}, {370 + (x - 370) * 0.25, 304}, "faint");
}

Picture decoder_step() {
    const Matrix s{{2, 1}};                 // the decoder's state: it has written “le”
    const Matrix H{{1, 0}, {2, 1}, {0, 2}}; // the encoder's states
    const Matrix scores = attention::scaled_scores(s, H);
    const attention::Attention step = attention::attention(s, H, H);
    Svg svg(740, 392, "One step of the decoder",
            "The source words the, cat and sleeps with encoder states of two components. The "
            "decoder's state [2 1] is compared with "
            "each; the scores over the root of 2 become weights, and the weights mix the states "
            "into the context vector, from "
            "which the word chat is written.");
    svg.text({20, 28}, "source, encoded", "ink small");
    svg.text({20, 146}, "s · h / √2", "scaled small");
    svg.text({20, 254}, "softmax", "weights small");
    const std::vector<std::string> words{"the", "cat", "sleeps"};
    for (std::size_t j = 0; j < 3; ++j) {
        column(svg, 220 + 150 * static_cast<double>(j), words[j], H, scores, step.weights, j);
    }
    svg.rectangle({612, 120}, 118, 46, "fill-q light");
    svg.text({671, 140}, "has written “le”", "ink small", "middle");
    svg.text({671, 158}, "s = [2  1]", "q", "middle");
    svg.arrow({612, 143}, {562, 143}, "q");
    svg.rectangle({290, 306}, 160, 30, "fill-output light");
    svg.text({370, 326}, "c = " + pair(step.output(0, 0), step.output(0, 1), 3), "ink", "middle");
    svg.text({280, 326}, "context vector", "ink small", "end");
    svg.arrow({450, 321}, {500, 321}, "ink");
    svg.text({510, 317}, "with s and the word before,", "ink small");
    svg.text({510, 334}, "the output layer writes “chat”", "ink small");
    svg.text(
        {370, 376},
        "The additive score differs in one row only: vᵀ tanh(W_s s + W_h h) in place of s · h / √2",
        "ink small", "middle");
    return {"decoder_step", svg};
}

} // namespace

std::vector<Picture> lesson::pictures() {
    return {decoder_step()};
}
