// 11.2: what a cache answers, token by token and after everything. What it keeps: grader_kept.cpp.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"
#include "support/zeros_and_ones.hpp"
#include "texts.hpp"

namespace grader_cache {

using namespace texts;

namespace {

// ---- Small weights left out, at any bound.

struct LeftOut {
    double bound;
    bool of_the_largest; // the bound is a share of the largest weight
    bool divided_again;  // what is left is divided by its sum
};

struct CacheCall {
    Matrix K, V, Q;
    std::vector<Indices> seen; // by each query
    Matrix answer;
};

/// The learner's answers to a function of 11.2. A call that has another answer, or shapes that do
/// not fit, is left out.
std::vector<CacheCall> answered_calls(const std::string& function) {
    std::vector<CacheCall> calls;
    for (const judge::RecordedCall& call : judge::session().calls()) {
        const auto* returned = std::get_if<judge::Returned>(&call.outcome);
        if (call.function != function || returned == nullptr) {
            continue;
        }
        CacheCall of{judge::from_value<Matrix>(call.arguments[0]),
                     judge::from_value<Matrix>(call.arguments[1]),
                     judge::from_value<Matrix>(call.arguments[2]),
                     {},
                     judge::from_value<Matrix>(returned->value)};
        const std::size_t n_queries = of.Q.shape(0);
        if (of.K.shape(0) == 0 || of.K.shape(0) != of.V.shape(0) ||
            of.K.shape(1) != of.Q.shape(1) || of.answer.shape(0) != n_queries ||
            of.answer.shape(1) != of.V.shape(1)) {
            continue;
        }
        const bool by_turns = function == "append";
        const Indices cache =
            by_turns ? judge::from_value<Indices>(call.arguments[3]) : one(of.K.shape(0));
        for (std::size_t i = 0; i < n_queries; ++i) {
            Indices seen;
            for (std::size_t j = 0; j < (by_turns ? i + 1 : cache.size()); ++j) {
                if (!by_turns || cache[j] == cache[i]) {
                    seen.push_back(j);
                }
            }
            of.seen.push_back(seen);
        }
        calls.push_back(std::move(of));
    }
    return calls;
}

Matrix without_small_weights(const CacheCall& of, const LeftOut& left_out) {
    Matrix output = xt::zeros<double>(of.answer.shape());
    for (std::size_t i = 0; i < of.Q.shape(0); ++i) {
        std::vector<double> weights;
        for (const std::size_t j : of.seen[i]) {
            double score = 0;
            for (std::size_t c = 0; c < of.Q.shape(1); ++c) {
                score += of.Q(i, c) * of.K(j, c);
            }
            weights.push_back(score / std::sqrt(static_cast<double>(of.Q.shape(1))));
        }
        const double largest = *std::max_element(weights.begin(), weights.end());
        double sum = 0, kept = 0;
        for (double& weight : weights) {
            weight = std::exp(weight - largest);
            sum += weight;
        }
        for (std::size_t k = 0; k < weights.size(); ++k) {
            if (weights[k] < left_out.bound * (left_out.of_the_largest ? 1 : sum)) {
                continue;
            }
            kept += weights[k];
            for (std::size_t c = 0; c < of.V.shape(1); ++c) {
                output(i, c) += weights[k] * of.V(of.seen[i][k], c);
            }
        }
        xt::view(output, i, xt::all()) /= left_out.divided_again ? kept : sum;
    }
    return output;
}

bool leaves_out_small_weights(const std::string& function,
                              const std::vector<judge::Session::Answer>& answers) {
    constexpr judge::Tolerance to_rounding{1e-9, 1e-300, 1e-9};
    const auto alike = [&](const Matrix& a, const Matrix& b) {
        return !judge::compare(judge::to_value(a), judge::to_value(b), to_rounding);
    };
    const bool shows = std::any_of(answers.begin(), answers.end(), [&](const auto& answer) {
        return judge::compare(answer.actual, answer.expected, to_rounding).has_value();
    });
    const std::vector<CacheCall> calls = answered_calls(function);
    for (double power = 0.1; shows && power > 1e-17; power /= 10) {
        for (const double digit : {5.0, 2.0, 1.0}) {
            for (const int kind : {0, 1, 2, 3}) {
                const LeftOut left_out{digit * power * (1 + 1e-12), kind % 2 == 1, kind >= 2};
                if (std::all_of(calls.begin(), calls.end(), [&](const CacheCall& call) {
                        return alike(call.answer, without_small_weights(call, left_out));
                    })) {
                    return true;
                }
            }
        }
    }
    return false;
}

const bool registered = [] {
    for (const std::string function : {"append", "attend"}) {
        judge::session().recognise(
            function, function == "append" ? "small_weights_left_out" : "small_weights_dropped",
            [function](const auto& answers) {
                return leaves_out_small_weights(function, answers);
            });
    }
    return true;
}();

const double ln_3 = std::log(3.0);

// d_k, d_v, tokens: pairwise different, each 1 somewhere and beyond 64 and 256 somewhere
constexpr std::size_t awkward_sizes[][3] = {{1, 1, 1},  {1, 3, 2},   {3, 1, 2},  {2, 3, 1},
                                            {5, 2, 7},  {7, 11, 4},  {67, 3, 2}, {261, 2, 3},
                                            {3, 71, 2}, {2, 267, 3}, {3, 2, 67}, {2, 3, 261}};

} // namespace

// ---- tokens and queries by turns, which is how a model writes

TEST_CASE("11.2 append: three tokens, d_k = 4, by hand: each query sees what was read so far") {
    // Scores are halved: 0, 2 ln 3 / 2 = ln 3, and so on.
    expect_close(graded::append({{0, 0, 0, 0}, {2 * ln_3, 0, 0, 0}, {0, 2 * ln_3, 0, 0}},
                                {{4, 8}, {8, 0}, {0, 16}},
                                {{5, 5, 5, 5}, {1, 0, 0, 0}, {0, 1, 0, 0}}, one(3)),
                 Matrix{{4, 8}, {7, 2}, {2.4, 11.2}}, judge::normwise);
}

TEST_CASE("11.2 append: five tokens, three components of a key and two of a value") {
    expect_causal(some_text(5, 3, 2, 1));
}

TEST_CASE("11.2 append: as many tokens as components of keys and of values") {
    expect_causal(some_text(4, 4, 4, 5));
    expect_causal(some_text(3, 3, 3, 6));
}

TEST_CASE("11.2 append: awkward sizes agree with plain loops") {
    for (const auto& size : awkward_sizes) {
        expect_causal(some_text(size[2], size[0], size[1], 10 + size[0] + size[1]));
    }
}

TEST_CASE("11.2 append: sizes of 1 beside others") {
    for (const auto& [n, d_k, d_v] : drawn::with_ones<3>({4, 3, 2})) {
        expect_causal(some_text(n, d_k, d_v, 41));
        expect_causal(some_text(n, d_v, d_k, 42));
    }
}

TEST_CASE("11.2 append: is PyTorch's causal attention on the whole text") {
    using support::golden;
    expect_close(graded::append(golden("cache/K"), golden("cache/V"), golden("cache/Q"),
                                one(golden("cache/K").shape(0))),
                 golden("cache/causal"), judge::normwise);
}

// ---- queries after everything

TEST_CASE("11.2 attend: weights of 1e-11 and less, whose values are as large") {
    expect_attention(some_text(5, 3, 2, 1)); // asked only of what is right on ordinary ones
    expect_attention({{{0}, {-25}, {0.5}, {-50}, {1}},
                      {{1, 2}, {1e11, -2e11}, {-3, 1}, {-3e21, 1e21}, {2, 5}},
                      {{1}, {1.01}}});
}

TEST_CASE("11.2 attend: one token's value is the answer to any query") {
    const Text of = some_text(1, 3, 2, 8, 4);
    Matrix right = Matrix::from_shape({4, 2});
    for (std::size_t i = 0; i < 4; ++i) {
        xt::view(right, i, xt::all()) = xt::view(of.V, 0, xt::all());
    }
    expect_close(graded::attend(of.K, of.V, of.Q), right, judge::normwise);
}

TEST_CASE("11.2 attend: awkward sizes agree with plain loops") {
    for (const auto& size : awkward_sizes) {
        expect_attention(
            some_text(size[2], size[0], size[1], 200 + size[0] + size[1], 1 + size[2] % 3));
    }
}

TEST_CASE("11.2 attend: sizes of 1 beside others") {
    for (const auto& [n, d_k, d_v, n_queries] : drawn::with_ones<4>({4, 3, 2, 3})) {
        expect_attention(some_text(n, d_k, d_v, 43, n_queries));
    }
}

TEST_CASE("11.2 attend: 5000 tokens, and 5000 components") {
    constexpr judge::Tolerance of_long_sums{0, 1e-10, 1e-10};
    expect_attention(some_text(5000, 1, 1, 31, 1), of_long_sums);
    expect_attention(some_text(2, 5000, 1, 32, 1), of_long_sums);
    expect_attention(some_text(2, 1, 5000, 33, 1));
}

TEST_CASE("11.2 attend: scores that are all 0, a largest of 0, keys and values of 0") {
    expect_attention(some_text(4, 3, 2, 12, 3)); // asked only of what is right on ordinary scores
    Text of = some_text(5, 2, 3, 34, 2);
    xt::view(of.Q, 0, xt::all()) = 0;
    xt::view(of.K, 2, xt::all()) = 0;
    xt::view(of.V, 3, xt::all()) = 0;
    expect_attention(of);
    of.Q = xt::ones<double>({2, 2});
    of.K = -xt::abs(of.K);
    expect_attention(of);
    // Two that weigh alike and cancel, under a score that rises after them, and nothing else.
    of = some_text(4, 1, 2, 38, 2);
    of.K = {{1}, {1}, {3}, {2}};
    xt::view(of.V, 1, xt::all()) = -xt::view(of.V, 0, xt::all());
    expect_attention(of, {0, 1e-12, 1e-12});
    of.V.fill(0);
    expect_attention(of);
}

TEST_CASE("11.2 attend: values of 1e-100 and of 1e100, and scores of these sizes") {
    expect_attention(some_text(4, 3, 2, 12, 3)); // asked only of what is right on ordinary scores
    for (const double size : {1e-9, 1e-12, 1e-30, 1e-100, 1e12, 1e30, 1e100}) {
        Text of = some_text(4, 3, 2, 35, 3);
        of.V *= size;
        expect_attention(of);
        of.Q *= size;
        of.K /= size;
        expect_attention(of);
        of = {{{0}, {3 * size}, {-2 * size}, {size}}, of.V, {{1}, {-1}}};
        expect_attention(of, {0, 0, 1e-9});
    }
}

TEST_CASE("11.2 attend: scores that creep upwards or downwards, by as little as 5e-11 a token") {
    expect_attention(some_text(4, 3, 2, 12, 3)); // asked only of what is right on ordinary scores
    judge::session().suspect(
        {"small_rises_not_rescaled",
         "right, but where the largest score rises by little at a time: there what was summed "
         "before is not brought to the new maximum, though that is what comes next is summed with. "
         "Either both move or neither: exp(−1e-6) is a factor like any other."});
    for (const double rise : {5e-2, 5e-3, 5e-4, 5e-6, 5e-9, 5e-11}) {
        Text of = some_text(40, 1, 2, 36, 2);
        for (std::size_t j = 0; j < 40; ++j) {
            of.K(j, 0) = rise * static_cast<double>(j);
        }
        of.Q = {{1}, {-1}}; // upwards, and for who begins with the newest
        expect_attention(of);
    }
}

TEST_CASE("11.2 attend: all scores far below 0") {
    expect_attention(some_text(4, 3, 2, 12, 3)); // asked only of what is right on ordinary scores
    judge::session().suspect(
        {"searched_from_a_finite_number",
         "right, but where all scores lie far below 0: a finite number such as −10,000 or −1e9 is "
         "what the largest is searched from, or stands for nothing seen. A score may lie below any "
         "such number: start from −∞, or from the first score."});
    for (const double score : {-2e4, -3e9, -1e31, -1e301}) {
        const Text of = some_text(4, 1, 2, 37, 1);
        expect_attention({{{2 * score}, {score}, {3 * score}, {2 * score}}, of.V, {{1}}},
                         {0, 0, 1e-9});
    }
}

TEST_CASE("11.2 attend: scores of 1e4, where an exponential would overflow") {
    expect_attention(some_text(4, 3, 2, 12, 3)); // asked only of what is right on ordinary scores
    Text of = some_text(4, 3, 2, 11, 3);
    of.Q *= 100;
    of.K *= 100;
    expect_attention(of, {1e-9, 0, 1e-9});
    of.Q = -xt::abs(of.Q);
    of.K = xt::abs(of.K) + 10; // all of them far below 0
    expect_attention(of, {1e-9, 0, 1e-9});
}

TEST_CASE("11.2 attend: one token outweighs all others, wherever it was read") {
    expect_attention(some_text(300, 1, 2, 44, 1)); // asked only of what is right there
    judge::session().suspect(
        {"largest_not_found",
         "right, but where one of 300 scores lies far above all others: the largest is not found "
         "there, and exp of what lies above it overflows. Is it searched among the newest, or the "
         "first, alone?"});
    for (const std::size_t token : {0U, 40U, 150U, 299U}) {
        Text of = some_text(300, 1, 2, 44, 1);
        of.K(token, 0) = 1000;
        of.Q(0, 0) = 1;
        expect_attention(of, {1e-9, 0, 1e-9});
    }
}

} // namespace grader_cache
