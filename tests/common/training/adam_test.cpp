#include "autograd/operations.hpp"
#include "training/adam.hpp"

#include <doctest/doctest.h>

using namespace training;
using autograd::Array;

namespace {

/// A model that is nobody's: the words of a table, weighed to give a number each.
Parameters<float> small_model() {
    Parameters<float> parameters;
    parameters.push_back({"table", Array<float>::from_shape({6, 3}), true});
    parameters.push_back({"w", Array<float>::from_shape({3}), false});
    for (Parameter<float>& parameter : parameters) {
        for (std::size_t i = 0; i < parameter.value.size(); ++i) {
            parameter.value.data()[i] = 0.1F * static_cast<float>(i % 5) - 0.2F;
        }
    }
    return parameters;
}

/// Σ over a thread's words of (w · table[word] − 1)².
Adam::PartOfLoss squared_errors(const Parameters<float>& parameters,
                                const std::vector<std::size_t>& words, std::size_t n_parts) {
    return [&parameters, words, n_parts](std::size_t part, autograd::Tape& tape,
                                         Gradients<float>& gradients) {
        std::vector<std::size_t> mine;
        for (std::size_t i = part; i < words.size(); i += n_parts) {
            mine.push_back(words[i]);
        }
        if (mine.empty()) {
            return autograd::Value();
        }
        const autograd::Value rows =
            embedding(tape.parameter(parameters[0].value, gradients[0]), mine);
        const autograd::Value y = product(rows, tape.parameter(parameters[1].value, gradients[1]));
        const autograd::Value error =
            add(y, tape.constant(Array<float>(autograd::Shape{mine.size()}, -1.0F)));
        return sum(multiply(error, error));
    };
}

double loss_after(std::size_t n_threads, int n_steps, std::vector<float>& values) {
    Parameters<float> parameters = small_model();
    Workers workers(n_threads);
    Adam adam(parameters, workers, {.learning_rate = 0.05F});
    StepResult step;
    for (int i = 0; i < n_steps; ++i) {
        step = adam.step(squared_errors(parameters, {0, 1, 2, 1}, n_threads), 0.25F);
    }
    values = values_of(parameters);
    return step.loss;
}

} // namespace

TEST_CASE("Adam: a model of any kind learns, the same numbers every time") {
    for (const std::size_t n_threads : {1U, 2U, 7U}) { // more threads than words: some have none
        std::vector<float> first, second;
        CHECK(loss_after(n_threads, 1, first) > 0.5);
        CHECK(loss_after(n_threads, 200, first) < 1e-3);
        loss_after(n_threads, 200, second);
        CHECK(first == second);
        const std::vector<float> start = values_of(small_model());
        CHECK(std::equal(first.begin() + 9, first.begin() + 18, start.begin() + 9)); // rows unused
    }
}

TEST_CASE("Adam: other numbers of threads give the same gradient up to rounding") {
    std::vector<double> norms;
    for (const std::size_t n_threads : {1U, 2U, 3U}) {
        Parameters<float> parameters = small_model();
        Workers workers(n_threads);
        Adam adam(parameters, workers, {});
        norms.push_back(
            adam.step(squared_errors(parameters, {0, 1, 5, 1, 4}, n_threads), 0.2F).gradient_norm);
    }
    CHECK(norms[0] > 0.1);
    CHECK(norms[1] == doctest::Approx(norms[0]).epsilon(1e-6));
    CHECK(norms[2] == doctest::Approx(norms[0]).epsilon(1e-6));
}

TEST_CASE("Adam: decaying parameters shrink by rate times decay before they move, others do not") {
    const auto after = [](float decay, bool decays) {
        Parameters<float> parameters = small_model();
        parameters[1].decays = decays;
        Workers workers(2);
        Adam adam(parameters, workers, {.learning_rate = 0.05F, .weight_decay = decay});
        adam.step(squared_errors(parameters, {0, 1, 5}, 2), 0.2F, 0.5F);
        return values_of(parameters);
    };
    const std::vector<float> plain = after(0, true), start = values_of(small_model());
    CHECK(after(0.5F, false) == plain);
    const std::vector<float> decayed = after(0.5F, true);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const float gone = i < 18 ? 0 : 0.05F * 0.5F * 0.5F * start[i]; // w alone decays
        CHECK(decayed[i] == doctest::Approx(plain[i] - gone).epsilon(1e-6));
    }
}

TEST_CASE("parameters: counted, read and set one after another") {
    Parameters<float> parameters = small_model();
    CHECK(n_numbers(parameters) == 21);
    std::vector<float> values = values_of(parameters);
    values[20] = 7;
    set_values(parameters, values);
    CHECK(parameters[1].value(2) == 7);
    CHECK(values_of(parameters) == values);
}
