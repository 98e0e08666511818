// 08.1, 08.3 and 08.5 where one weight has nearly everything: of what is left over, 1e-3 or 1e-16,
// gradients are made, however little it is.

#include <doctest/doctest.h>

#include <cmath>

#include "judge/expect.hpp"
#include "judge/session.hpp"
#include "plain.hpp"
#include "support/drawn.hpp"

namespace grader_saturated {

using drawn::standard_normal;
using judge::expect_close;
using lesson::Mask;
using lesson::Matrix;

namespace {

/// What one weight lacks to 1, as powers of ten.
constexpr int left_over[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 20, 50, 100};

double power(int k) {
    return std::pow(10.0, k);
}

/// The gradients, if none goes back through a row with a weight above the bound.
Matrix undecided(const Matrix& weights, double bound) {
    Matrix result = weights;
    for (std::size_t i = 0; i < weights.shape(0); ++i) {
        if (xt::amax(xt::row(weights, static_cast<std::ptrdiff_t>(i)))() > bound) {
            xt::row(result, static_cast<std::ptrdiff_t>(i)).fill(0);
        }
    }
    return result;
}

/// Whether for one bound all answers are those of dropped(arguments, bound), and some are wrong.
template <class Dropped>
auto drops_decided(const char* function, Dropped dropped) {
    return [=](const std::vector<judge::Session::Answer>& answers) {
        std::vector<judge::List> calls; // that were answered, in the order of their answers
        for (const judge::RecordedCall& call : judge::session().calls()) {
            if (call.function == function &&
                std::holds_alternative<judge::Returned>(call.outcome)) {
                calls.push_back(call.arguments);
            }
        }
        if (calls.size() != answers.size()) {
            return false;
        }
        const auto holds = [&](double bound) {
            bool shows = false;
            for (std::size_t i = 0; i < answers.size(); ++i) {
                const auto& [actual, expected] = answers[i];
                constexpr judge::Tolerance alike{0, 1e-12, 1e-8};
                if (judge::compare(actual, expected, alike)) {
                    shows = true;
                    if (judge::compare(actual, dropped(calls[i], bound), alike)) {
                        return false;
                    }
                }
            }
            return shows;
        };
        for (int k = 1; k < 15; ++k) {
            if (holds(1 - power(-k))) {
                return true;
            }
        }
        return false;
    };
}

const bool registered = [] {
    const char* const name = "nearly_decided_rows_dropped";
    judge::session().recognise(
        "softmax_backward", name,
        drops_decided("softmax_backward", [](const judge::List& arguments, double bound) {
            return judge::to_value(
                plain::softmax_backward(undecided(judge::from_value<Matrix>(arguments[0]), bound),
                                        judge::from_value<Matrix>(arguments[1])));
        }));
    judge::session().recognise(
        "attention_backward", name,
        drops_decided("attention_backward", [](const judge::List& arguments, double bound) {
            const auto matrix = [&](std::size_t i) {
                return judge::from_value<Matrix>(arguments[i]);
            };
            const auto by = [&](const Matrix& weights) {
                return plain::attention_backward(matrix(0), matrix(1), matrix(2),
                                                 judge::from_value<Mask>(arguments[3]), weights,
                                                 matrix(5));
            };
            lesson::AttentionGradients result = by(undecided(matrix(4), bound));
            result.d_V = by(matrix(4)).d_V;
            return judge::to_value(result);
        }));
    return true;
}();

} // namespace

TEST_CASE("08.1 softmax_backward: a weight that lacks 1e-2, 1e-3, … 1e-100 to 1, nothing pulling "
          "at its own key") {
    for (const int k : left_over) {
        const double w = power(-k), nearly = 1 - 3 * w;
        for (const double g : {power(k), 1.0}) {
            const Matrix ordinary{{0.25, 0.5, 0.25}}; // a row beside it
            const Matrix g_rows{{0, 2 * g, -g}, {-g, g, 0}, {1, -2, 3}};
            const auto expect_backward = [](const Matrix& p, const Matrix& d) {
                expect_close(graded::softmax_backward(p, d), plain::softmax_backward(p, d),
                             judge::normwise);
            };
            expect_backward({{nearly, w, 2 * w}}, {{0, 2 * g, -g}});
            expect_backward({{1 - w, w}}, {{0, g}});
            expect_backward({{w, 1 - w}, {0.25, 0.75}}, {{g, 0}, {1, -2}});
            expect_backward({{nearly, w, 2 * w}, {w, 2 * w, nearly}, {0.25, 0.5, 0.25}}, g_rows);
        }
    }
}

namespace {

struct Problem {
    Matrix Q, K, V, d_output;
};

void expect_gradients(const Problem& of) {
    const Mask mask = xt::ones<bool>({of.Q.shape(0), of.K.shape(0)});
    const Matrix weights = plain::attention_weights(of.Q, of.K, mask);
    expect_close(graded::attention_backward(of.Q, of.K, of.V, mask, weights, of.d_output),
                 plain::attention_backward(of.Q, of.K, of.V, mask, weights, of.d_output),
                 judge::Tolerance{0, 0, 1e-10});
}

} // namespace

TEST_CASE("08.3 attention_backward: a weight that lacks 1e-2, 1e-3, … 1e-100 to 1, by itself and "
          "beside ordinary rows") {
    for (const int k : left_over) {
        const double score = -k * std::log(10.0);
        for (const double value : {power(k), 1.0}) {
            Problem in{{{1}}, {{0}, {score}, {score - 1}}, {{0}, {value}, {-3 * value}}, {{2}}};
            expect_gradients(in);
            in.Q = {{0.01}, {1}, {-0.02}};
            in.d_output = {{1 / value}, {power(k) / value}, {2 / value}};
            expect_gradients(in);
        }
    }
}

TEST_CASE("08.5 learn_lookup: a look-up that is nearly decided moves on by the little that is "
          "left") {
    const auto expect_learned = [](const lesson::Table& table, const lesson::Projections& start) {
        expect_close(graded::learn_lookup({table}, start, 2, 0.1),
                     plain::learn_lookup({table}, start, 2, 0.1), judge::Tolerance{0, 0, 1e-9});
    };
    for (const int k : {2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20}) {
        // The first component of an entry is its key, the second its value.
        const double score = -k * std::log(10.0), value = power(k / 2);
        expect_learned({{{1, 0}}, {{0, 0}, {score, value}}, {{value}}},
                       {{{1}, {0}}, {{1}, {0}}, {{0}, {1}}});
    }
}

} // namespace grader_saturated
