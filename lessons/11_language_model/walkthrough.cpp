// Lesson 11 step by step, on your own functions: ./course run 11 (on ours: --solution).

#include "judge/walkthrough.hpp"

#include <iostream>

#include "language_model.hpp"
#include "show/show.hpp"

namespace {

void temperatures() {
    heading("1. One step of writing: dice with memory");
    const lesson::Vector logits{2.0, 1.0, 0.0};
    std::cout << "Three tokens with the logits 2, 1 and 0. Of 1000 seeds your sample draws:\n";
    attention::Matrix counts = xt::zeros<double>({3, 3});
    const std::vector<double> temperatures{0.0, 1.0, 4.0};
    for (std::size_t row = 0; row < temperatures.size(); ++row) {
        for (std::uint64_t seed = 0; seed < 1000; ++seed) {
            counts(row, lesson::sample(logits, temperatures[row], 0, 1, seed)) += 1;
        }
    }
    show::matrix(std::cout, counts,
                 {.title = "how often each token came",
                  .row_labels = {"T = 0", "T = 1", "T = 4"},
                  .column_labels = {"token 0", "1", "2"},
                  .decimals = 0});
}

} // namespace

void walkthrough(const std::vector<std::string>& options) {
    expect_no_options(options);
    temperatures();
}
