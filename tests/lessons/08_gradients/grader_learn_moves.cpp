// 08.5: what is known by descending once more. A gradient may be cut at any bound, and a matrix may
// move by any multiple of its step: what it is, one step tells, and all others have to agree.

#include <algorithm>
#include <array>
#include <cmath>

#include "judge/compare.hpp"
#include "judge/session.hpp"
#include "plain.hpp"

namespace grader_learn_moves {

namespace {

using lesson::Learned;
using lesson::Matrix;
using lesson::Projections;
using lesson::Table;
using lesson::Vector;
using Answers = std::vector<judge::Session::Answer>;

/// Steps amplify rounding.
constexpr judge::Tolerance nine_digits{0, 0, 1e-9};
constexpr std::size_t too_many_steps = 50;

struct Call {
    std::vector<Table> tables;
    Projections start;
    std::size_t steps;
    double rate;
};

/// What belongs to W_q, W_k and W_v.
using Gradients = std::array<Matrix, 3>;
/// Makes of the gradients what the matrices move by.
using Move = std::function<void(Gradients&)>;

Gradients gradients_at(const Projections& W, const Table& table) {
    const plain::Step step = plain::step_of(table, W);
    return {step.d_W_q, step.d_W_k, step.d_W_v};
}

Learned descended(const Call& call, std::size_t steps, const Move& move) {
    Projections W = call.start;
    Vector losses = Vector::from_shape({steps});
    for (std::size_t t = 0; t < steps; ++t) {
        const plain::Step step = plain::step_of(call.tables[t % call.tables.size()], W);
        Gradients by{step.d_W_q, step.d_W_k, step.d_W_v};
        move(by);
        losses(t) = step.loss;
        W.W_q -= call.rate * by[0];
        W.W_k -= call.rate * by[1];
        W.W_v -= call.rate * by[2];
    }
    return {W.W_q, W.W_k, W.W_v, losses};
}

double norm(const Matrix& A) {
    return std::sqrt(xt::sum(xt::square(A))());
}

double norm_of_all(const Gradients& all) {
    return std::hypot(norm(all[0]), norm(all[1]), norm(all[2]));
}

/// The last step of a call: what the matrices should have moved by, and what they did.
struct LastStep {
    Gradients right, taken;

    bool differs(std::size_t m) const { return norm(taken[m] - right[m]) > 1e-7 * norm(right[m]); }
};

/// Nothing where a step before it was wrong, too, or where it does not show.
std::optional<LastStep> last_step(const Call& call, const Learned& mine, const Learned& right) {
    if (call.steps == 0 || call.rate == 0 || !xt::allclose(mine.losses, right.losses, 1e-10, 0.0)) {
        return std::nullopt;
    }
    const Learned before = descended(call, call.steps - 1, [](auto&) {});
    const Table& table = call.tables[(call.steps - 1) % call.tables.size()];
    const LastStep step{gradients_at({before.W_q, before.W_k, before.W_v}, table),
                        {(before.W_q - mine.W_q) / call.rate, (before.W_k - mine.W_k) / call.rate,
                         (before.W_v - mine.W_v) / call.rate}};
    const bool shows = step.differs(0) || step.differs(1) || step.differs(2);
    return shows ? std::optional(step) : std::nullopt;
}

/// The calls that were answered, in the order of their answers.
std::vector<Call> calls_answered() {
    std::vector<Call> calls;
    for (const judge::RecordedCall& call : judge::session().calls()) {
        if (call.function == "learn_lookup" &&
            std::holds_alternative<judge::Returned>(call.outcome)) {
            calls.push_back({judge::from_value<std::vector<Table>>(call.arguments[0]),
                             judge::from_value<Projections>(call.arguments[1]),
                             judge::from_value<std::size_t>(call.arguments[2]),
                             judge::from_value<double>(call.arguments[3])});
        }
    }
    return calls;
}

/// Whether all answers are those of this move, and several wrong ones among them.
bool explains(const Move& move, const std::vector<Call>& calls, const Answers& answers) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (calls[i].steps > too_many_steps) {
            continue;
        }
        const Learned mine = descended(calls[i], calls[i].steps, move);
        if (judge::compare(answers[i].actual, judge::to_value(mine), nine_digits)) {
            return false;
        }
        wrong += judge::compare(answers[i].actual, answers[i].expected, nine_digits) ? 1 : 0;
    }
    return wrong > 1;
}

/// guess: from one step, the moves that may have made it.
auto moved_so(std::vector<Move> (*guess)(const LastStep&)) {
    return [=](const Answers& answers) {
        const std::vector<Call> calls = calls_answered();
        if (calls.size() != answers.size()) {
            return false;
        }
        for (std::size_t i = 0; i < answers.size(); ++i) {
            if (calls[i].steps > too_many_steps) {
                continue;
            }
            const auto step = last_step(calls[i], judge::from_value<Learned>(answers[i].actual),
                                        judge::from_value<Learned>(answers[i].expected));
            const auto moves = step ? guess(*step) : std::vector<Move>{};
            if (std::any_of(moves.begin(), moves.end(),
                            [&](const Move& move) { return explains(move, calls, answers); })) {
                return true;
            }
        }
        return false;
    };
}

/// Of every matrix, and of those alone in which it shows.
template <class Cut>
std::vector<Move> of_all_or_some(const LastStep& step, Cut cut) {
    const auto some = [=](Gradients& by) {
        for (std::size_t m = 0; m < by.size(); ++m) {
            if (step.differs(m)) {
                cut(by[m]);
            }
        }
    };
    const auto all = [=](Gradients& by) { std::for_each(by.begin(), by.end(), cut); };
    return {all, some};
}

std::vector<Move> elements_held(const LastStep& step) {
    double bound = 0;
    for (std::size_t m = 0; m < 3; ++m) {
        bound = std::max(bound, step.differs(m) ? xt::amax(xt::abs(step.taken[m]))() : 0.0);
    }
    return of_all_or_some(step, [=](Matrix& by) { by = Matrix(xt::clip(by, -bound, bound)); });
}

std::vector<Move> norms_held(const LastStep& step) {
    double bound = 0;
    for (std::size_t m = 0; m < 3; ++m) {
        bound = std::max(bound, step.differs(m) ? norm(step.taken[m]) : 0.0);
    }
    return of_all_or_some(step, [=](Matrix& by) { by *= std::min(1.0, bound / norm(by)); });
}

std::vector<Move> norm_of_all_held(const LastStep& step) {
    const double bound = norm_of_all(step.taken);
    return {[=](Gradients& by) {
        const double factor = std::min(1.0, bound / norm_of_all(by));
        std::for_each(by.begin(), by.end(), [=](Matrix& each) { each *= factor; });
    }};
}

/// Of each matrix, how many times its step it has moved; nothing where one has none to take.
std::optional<std::array<double, 3>> multiples(const LastStep& step) {
    std::array<double, 3> times{};
    for (std::size_t m = 0; m < 3; ++m) {
        const double square = xt::sum(xt::square(step.right[m]))();
        times[m] = square > 0 ? xt::sum(step.right[m] * step.taken[m])() / square : 0;
    }
    const bool all = std::all_of(times.begin(), times.end(), [](double x) { return x > 0; });
    return all ? std::optional(times) : std::nullopt;
}

std::vector<Move> by_multiples(const LastStep& step, bool alike) {
    const auto times = multiples(step);
    if (!times) {
        return {};
    }
    const auto [least, most] = std::minmax_element(times->begin(), times->end());
    if ((*most - *least < 1e-9 * *most) != alike) {
        return {};
    }
    return {[=](Gradients& by) {
        for (std::size_t m = 0; m < by.size(); ++m) {
            by[m] *= (*times)[m];
        }
    }};
}

std::vector<Move> one_rate_multiplied(const LastStep& step) {
    return by_multiples(step, false);
}
std::vector<Move> all_rates_multiplied(const LastStep& step) {
    return by_multiples(step, true);
}

const bool registered = [] {
    const auto known = [](const char* name, auto guess) {
        judge::session().recognise("learn_lookup", name, moved_so(guess));
    };
    known("elements_held", elements_held);
    known("norms_held", norms_held);
    known("norm_of_all_held", norm_of_all_held);
    known("one_rate_multiplied", one_rate_multiplied);
    known("all_rates_multiplied", all_rates_multiplied);
    return true;
}();

} // namespace

} // namespace grader_learn_moves
