#include "llama/training.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "llama/model.hpp"

TEST_CASE("train: a model learns a text that repeats itself, and reads as it was trained") {
    llama::Tokens text;
    for (std::size_t i = 0; i < 300; ++i) {
        text.push_back(std::size_t{1} + i * i % 7); // the next depends on more than the last
    }
    language::TrainOptions options;
    options.n_steps = 150;
    options.warm_up = 10;
    options.learning_rate = 1e-2F;
    double loss = 0, first = 0;
    const llama::Checkpoint model = llama::train({16, 24, 2, 4, 2, 9, 32}, text, 16, options,
                                                 [&](std::size_t step, double now) {
                                                     first = step == 1 ? now : first;
                                                     loss = now;
                                                 });
    CHECK(std::abs(first - std::log(9)) < 0.5);
    CHECK(loss < 0.1);
    llama::Model<double> reader(model, 16);
    double surprise = 0;
    for (std::size_t i = 0; i < 16; ++i) {
        const std::vector<double>& logits = reader.next_logits(text[i]);
        double sum = 0;
        for (const double logit : logits) {
            sum += std::exp(logit - logits[text[i + 1]]);
        }
        surprise += std::log(sum) / 16;
    }
    CHECK(surprise < 0.3);
}
