#include "language/model.hpp"

#include "common/gradient_check.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"

#include <cmath>

using autograd::DoubleTape;
using namespace language;

namespace {

const ModelSizes small{.n_characters = 7, .context = 6, .d = 8, .n_heads = 2, .n_layers = 2};

double loss_of(const Model<double>& model, const Ids& ids, const Ids& next, std::size_t n_texts) {
    BasicTape<double> tape;
    return model.loss(tape, ids, next, n_texts).data()();
}

} // namespace

TEST_CASE("layer_norm: gradients agree with differences, in rows that fill no register") {
    using support::normal;
    for (const std::size_t d : {1U, 5U, 19U}) {
        CAPTURE(d);
        CHECK(support::gradient_error(
                  {normal({3, d}, 1), normal({d}, 2), normal({d}, 3)}, [](auto&, const auto& x) {
                      const auto norm = parts<double>().layer_norm;
                      return add(norm(x[0], x[1], x[2]), norm(scale(x[0], 2.0), x[1], x[2]));
                  }) < 1e-7);
    }
    DoubleTape tape;
    const auto X = tape.variable(normal({2, 3}, 1)), gain = tape.variable(normal({4}, 2));
    CHECK_REFUSED(parts<double>().layer_norm(X, gain, gain),
                  "layer_norm: X and gain must share d, got 3 and 4; X is (2, 3), gain is (4,)");
}

TEST_CASE("Transformer: at the start it guesses, with the seed's weights") {
    const Model<double> model({.n_characters = 65}, parts<double>(), 1);
    CHECK(training::n_numbers(model.parameters()) == 65 * 128 + 64 * 128 + 4 * 197760 + 2 * 128);
    Ids ids(64), next(64);
    for (std::size_t i = 0; i < 64; ++i) {
        ids[i] = i * i % 65;
        next[i] = i * 7 % 65;
    }
    CHECK(loss_of(model, ids, next, 1) / 64 == doctest::Approx(std::log(65.0)).epsilon(0.02));
    const Model<double> again({.n_characters = 65}, parts<double>(), 1);
    const Model<double> other({.n_characters = 65}, parts<double>(), 2);
    for (std::size_t p = 0; p < model.parameters().size(); ++p) {
        const auto& parameter = model.parameters()[p];
        CHECK(parameter.value == again.parameters()[p].value);
        CHECK((parameter.value != other.parameters()[p].value) ==
              (parameter.value.dimension() == 2));
        CHECK(parameter.decays == (parameter.value.dimension() == 2));
    }
}

TEST_CASE("Transformer: texts that do not fit are an invalid_argument") {
    const Model<double> model(small, parts<double>(), 1);
    BasicTape<double> tape;
    CHECK_REFUSED(model.logits(tape, Ids(7, 1), 1),
                  "Model: texts must be of one length and fit the context, got 7 characters "
                  "of 1 texts; the context is 6");
    CHECK_REFUSED(model.logits(tape, Ids(3, 1), 2),
                  "Model: texts must be of one length and fit the context, got 3 characters "
                  "of 2 texts; the context is 6");
}
