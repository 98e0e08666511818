#include "seq2seq/model.hpp"

#include "support/check_close.hpp"
#include "support/golden.hpp"

#include <algorithm>
#include <numeric>

using namespace seq2seq;

namespace {

// The sentences of a padded matrix of word numbers, each up to its end.
std::vector<Ids> sentences(const attention::Matrix& padded) {
    std::vector<Ids> result;
    for (std::size_t b = 0; b < padded.shape(0); ++b) {
        result.emplace_back();
        for (std::size_t t = 0; t < padded.shape(1) && padded(b, t) != 0; ++t) {
            result.back().push_back(static_cast<std::size_t>(padded(b, t)));
        }
    }
    return result;
}

template <class T>
std::vector<std::size_t> order_of_names(const Model<T>& model) {
    std::vector<std::size_t> order(model.parameters().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return model.parameters()[a].name < model.parameters()[b].name;
    });
    return order;
}

template <class T>
void check_torch(const Scorer<T>& scorer) {
    CAPTURE(scorer.name);
    const std::string folder = "seq2seq/" + scorer.name + "/";
    const attention::VectorF weights = support::golden_vector_f(folder + "weights");
    const attention::VectorF expected = support::golden_vector_f(folder + "gradients");
    const std::vector<Ids> sources = sentences(support::golden("seq2seq/source"));
    const std::vector<Ids> targets = sentences(support::golden("seq2seq/target"));
    std::vector<Example> examples;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        examples.push_back({sources[i], targets[i]});
    }

    Model<T> model({13, 17, 5, 6, 7}, scorer, 1);
    REQUIRE(weights.size() == training::n_numbers(model.parameters()));
    std::size_t at = 0;
    for (const std::size_t p : order_of_names(model)) {
        for (T& x : model.parameters()[p].value) {
            x = static_cast<T>(weights(at++));
        }
    }
    Gradients<T> gradients = training::make_gradients(model.parameters());
    Forward<T> settings;
    settings.gradients = &gradients;
    BasicTape<T> tape;
    const auto result = model.forward(tape, make_batch(examples, {0, 1, 2, 3}), settings);
    tape.backward(result.loss);
    const double loss = static_cast<double>(support::golden_vector_f(folder + "loss")(0));
    CHECK(static_cast<double>(result.loss.data()()) == doctest::Approx(loss).epsilon(1e-6));
    at = 0;
    for (const std::size_t p : order_of_names(model)) {
        CAPTURE(model.parameters()[p].name);
        Array<float> part = Array<float>::from_shape(gradients[p].array.shape());
        for (float& x : part) {
            x = expected(at++);
        }
        const double largest = static_cast<double>(xt::amax(xt::abs(part))());
        support::check_close(gradients[p].array, part, {1e-5, 1e-5 * largest});
    }
}

} // namespace

TEST_CASE("model: loss and gradients are PyTorch's, in single and in double precision") {
    check_torch(additive<float>());
    check_torch(scaled_dot_product<float>());
    check_torch(dot_product<float>());
    check_torch(additive<double>());
    check_torch(scaled_dot_product<double>());
    check_torch(dot_product<double>());
}
