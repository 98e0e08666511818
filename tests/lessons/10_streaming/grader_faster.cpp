// 10.4: right, in floats; scores and values that are seldom drawn: grader_faster_scores.cpp. How
// fast it is nobody grades; ./course bench --mine measures it.

#include <doctest/doctest.h>

#include "asked.hpp"
#include "support/zeros_and_ones.hpp"

namespace grader_faster {

using namespace asked;

namespace {

/// Sums of some hundred floats in any order.
constexpr judge::Tolerance digits_of_a_float{0, 1e-30, 2e-5};

/// A score of 1000 is known to 1/16000 in a float, in units of log₂ to 1/8000; so is a weight.
constexpr judge::Tolerance of_large_scores{0, 1e-30, 1e-3};

MatrixF in_float(const Matrix& A) {
    return xt::cast<float>(A);
}
Matrix in_double(const MatrixF& A) {
    return xt::cast<double>(A);
}

/// Right but for queries whose scores are far from those of the one before: the test of them has
/// more rows than its neighbours.
constexpr std::size_t far_apart = 71;
bool maximum_not_reset(const std::vector<judge::Session::Answer>& answers) {
    bool shown = false;
    for (const auto& [actual, expected] : answers) {
        if (judge::from_value<MatrixF>(expected).shape(0) == far_apart) {
            shown =
                judge::is_undefined(actual, expected) &&
                !judge::compare(judge::where_defined(actual, expected), expected, of_large_scores);
        } else if (judge::compare(actual, expected, of_large_scores)) {
            return false;
        }
    }
    return shown;
}

/// Most answers are off, and none by much.
bool nearly_right(const std::vector<judge::Session::Answer>& answers) {
    constexpr judge::Tolerance by_much{0, 1e-30, 0.1};
    std::size_t off = 0;
    for (const auto& [actual, expected] : answers) {
        if (judge::compare(actual, expected, by_much)) {
            return false;
        }
        off += judge::compare(actual, expected, digits_of_a_float) ? 1 : 0;
    }
    return 4 * off >= 3 * answers.size();
}

// ---- Exponents cut at any bound.

struct Call {
    Matrix Q, K, V;
    judge::Value answer;
    judge::Tolerance tolerance;
};
/// What becomes of the scores of a query, before or after the largest is subtracted.
using Cut = std::function<double(double)>;

judge::Value answer_by(const Call& of, const Cut& score, const Cut& weight) {
    Matrix output = xt::zeros<double>({of.Q.shape(0), of.V.shape(1)});
    for (std::size_t i = 0; i < of.Q.shape(0); ++i) {
        std::vector<double> row;
        for (std::size_t j = 0; j < of.K.shape(0); ++j) {
            row.push_back(score(plain::dot(of.Q, i, of.K, j) / plain::root(of.Q.shape(1))));
        }
        const double largest = *std::max_element(row.begin(), row.end());
        double sum = 0;
        for (std::size_t j = 0; j < row.size(); ++j) {
            const double p = weight(row[j] - largest);
            sum += p;
            for (std::size_t c = 0; c < of.V.shape(1); ++c) {
                output(i, c) += p * of.V(j, c);
            }
        }
        xt::view(output, i, xt::all()) /= sum;
    }
    return judge::to_value(in_float(output));
}

/// The same cut at each of the usual bounds.
auto cut_anywhere(const std::function<std::function<judge::Value(const Call&)>(double)>& at,
                  bool beside_nan = false) {
    return [=](const std::vector<judge::Session::Answer>& answers) {
        const auto calls =
            answered_calls<Call>("faster_attention", [](const judge::List& arguments) -> Call {
                return {in_double(judge::from_value<MatrixF>(arguments[0])),
                        in_double(judge::from_value<MatrixF>(arguments[1])),
                        in_double(judge::from_value<MatrixF>(arguments[2])),
                        {},
                        {}};
            });
        std::vector<std::function<judge::Value(const Call&)>> suspects;
        for (const double bound : usual_bounds()) {
            suspects.push_back(at(bound));
        }
        return one_explains(answers, calls, suspects, beside_nan);
    };
}
double as_it_is(double score) {
    return score;
}
double raised(double exponent) {
    return std::exp(exponent);
}

const bool registered = [] {
    // Where no maximum is subtracted beside it, what is cut far below is NaN.
    judge::session().recognise(
        "faster_attention", "scores_clipped",
        cut_anywhere(
            [](double bound) {
                return [=](const Call& of) {
                    return answer_by(
                        of, [=](double s) { return std::clamp(s, -bound, bound); }, raised);
                };
            },
            true));
    judge::session().recognise("faster_attention", "scores_clipped_above",
                               cut_anywhere(
                                   [](double bound) {
                                       return [=](const Call& of) {
                                           return answer_by(
                                               of, [=](double s) { return std::min(s, bound); },
                                               raised);
                                       };
                                   },
                                   true));
    judge::session().recognise("faster_attention", "exponents_held", cut_anywhere([](double bound) {
                                   return [=](const Call& of) {
                                       return answer_by(of, as_it_is, [=](double x) {
                                           return std::exp(std::max(x, -bound));
                                       });
                                   };
                               }));
    judge::session().recognise(
        "faster_attention", "small_exponentials_dropped", cut_anywhere([](double bound) {
            return [=](const Call& of) {
                return answer_by(of, as_it_is,
                                 [=](double x) { return x < -bound ? 0 : std::exp(x); });
            };
        }));
    // How many there are is the machine's.
    judge::session().compare_with("threads_of_faster",
                                  [](const auto&, const auto&) { return true; });
    judge::session().recognise("faster_attention", "maximum_not_reset", maximum_not_reset);
    judge::session().recognise("faster_attention", "nearly_right", nearly_right);
    return true;
}();

void expect_attention(const Inputs& in, std::size_t threads,
                      judge::Tolerance tolerance = digits_of_a_float) {
    const MatrixF Q = in_float(in.Q), K = in_float(in.K), V = in_float(in.V);
    expect_close(graded::faster_attention(Q, K, V, threads),
                 in_float(plain::attention(in_double(Q), in_double(K), in_double(V)).output),
                 tolerance);
}

const float ln3 = std::log(3.0F);

constexpr const char* more_threads_than_asked =
    "the answers are right, but there are more threads at once than the caller allows, at work or "
    "waiting: their number comes from the machine, from the number of blocks, or is written down. "
    "`threads` says how many there may be; hand it to parallel_for.";

const judge::Suspicion wrong_on_several_threads{
    "wrong_on_several_threads",
    "right on one thread, and wrong on several. Either threads write to the same memory, such as "
    "scores, a maximum or a sum that stand outside of the lambda: declare them inside of it, or "
    "make one for each worker. Or the parts that the threads get leave something out. Or they "
    "share out keys, and what comes of each part is added or averaged as it is: bring it to one "
    "maximum first, and divide by all sums together."};

} // namespace

TEST_CASE("10.4 faster_attention: one query and three keys, by hand") {
    expect_close(graded::faster_attention(MatrixF{{1}}, MatrixF{{0}, {ln3}, {0}},
                                          MatrixF{{10, 0}, {20, 5}, {30, 0}}, 1),
                 MatrixF{{20, 3}}, digits_of_a_float);
}

TEST_CASE("10.4 faster_attention: all sizes different") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1);
    expect_attention(drawn_inputs(7, 3, 5, 2, 2), 1);
}

TEST_CASE("10.4 faster_attention: 29 keys, which no register divides") {
    expect_attention(drawn_inputs(3, 29, 4, 2, 20), 1);
}

TEST_CASE("10.4 faster_attention: 29 components of queries and keys") {
    expect_attention(drawn_inputs(3, 5, 29, 2, 21), 1);
}

TEST_CASE("10.4 faster_attention: 29 components of values") {
    expect_attention(drawn_inputs(3, 5, 2, 29, 22), 1);
}

TEST_CASE("10.4 faster_attention: 29 queries") {
    expect_attention(drawn_inputs(29, 5, 3, 2, 23), 1);
}

TEST_CASE("10.4 faster_attention: every size about a register's") {
    for (std::size_t n = 1; n <= 33; n += 2) {
        expect_attention(drawn_inputs(3, n, 4, 2, 100 + n), 1);
    }
    for (std::size_t d = 1; d <= 33; d += 4) {
        expect_attention(drawn_inputs(3, 5, d, 2, 200 + d), 1);
        expect_attention(drawn_inputs(3, 5, 2, d, 300 + d), 1);
        expect_attention(drawn_inputs(d, 5, 3, 2, 400 + d), 1);
    }
}

TEST_CASE("10.4 faster_attention: longer than a tile, and not a whole number of tiles") {
    expect_attention(drawn_inputs(67, 131, 16, 16, 3), 1);
    expect_attention(drawn_inputs(130, 65, 8, 24, 4), 1);
    expect_attention(drawn_inputs(5, 300, 7, 3, 5), 1);
    expect_attention(drawn_inputs(258, 5, 3, 7, 6), 1);
    expect_attention(drawn_inputs(3, 5, 261, 267, 14), 1);
    expect_attention(drawn_inputs(64, 128, 64, 64, 7), 1);
    // below, the same on several threads
    expect_attention(drawn_inputs(300, 200, 8, 5, 13), 1);
    expect_attention(drawn_inputs(150, 140, 8, 5, 8), 1);
    expect_attention(drawn_inputs(1, 1, 1, 1, 9), 1);
}

// Sums of 5000 floats: four digits are left.
TEST_CASE("10.4 faster_attention: 400 queries, 5000 of all else, each by itself") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1);
    expect_attention(drawn_inputs(2, 5000, 1, 2, 31), 1, of_large_scores);
    expect_attention(drawn_inputs(401, 2, 1, 1, 32), 1, of_large_scores);
    expect_attention(drawn_inputs(1, 2, 5000, 1, 33), 1, of_large_scores);
    expect_attention(drawn_inputs(1, 2, 1, 5000, 34), 1, of_large_scores);
}

TEST_CASE("10.4 faster_attention: the same on two, three and many threads, and of few queries") {
    judge::session().suspect(wrong_on_several_threads);
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 2);
    expect_attention(drawn_inputs(300, 200, 8, 5, 13), 4);
    for (const std::size_t threads : {2U, 3U, 8U}) {
        expect_attention(drawn_inputs(150, 140, 8, 5, 8), threads);
    }
    expect_attention(drawn_inputs(1, 1, 1, 1, 9), 16);
    for (const std::size_t n : {2U, 3U, 5U, 7U, 9U, 10U, 13U, 17U, 25U}) {
        for (const std::size_t threads : {2U, 3U, 4U, 6U, 8U}) {
            expect_attention(drawn_inputs(n, 6, 3, 5, n), threads);
        }
    }
}

// Long enough for several stops of each thread: interrupted(), in threads_at_once.hpp.
TEST_CASE("10.4 faster_attention: one large call several times, on four threads") {
    judge::session().suspect(wrong_on_several_threads);
    const Inputs in = drawn_inputs(1000, 300, 16, 16, 44);
    const MatrixF Q = in_float(in.Q), K = in_float(in.K), V = in_float(in.V);
    const MatrixF expected =
        in_float(plain::attention(in_double(Q), in_double(K), in_double(V)).output);
    for (std::size_t again = 0; again < 4; ++again) {
        expect_close(graded::faster_attention(Q, K, V, 4), expected, digits_of_a_float);
    }
}

TEST_CASE("10.4 faster_attention: no more threads at once than are asked for") {
    for (const std::size_t threads : {1U, 3U}) {
        const std::size_t at_once = graded::threads_of_faster(threads);
        if (at_once == measured::answered_wrongly) {
            expect_attention({standard_normal(400, 8, 1), standard_normal(600, 8, 2),
                              standard_normal(600, 8, 3)},
                             threads);
        }
        expect_that(at_once != measured::answered_wrongly,
                    "threads are counted of a call that answers",
                    "what it answers there is not right, and elsewhere it is");
        expect_that(at_once <= threads, "there are at most `threads` threads at once",
                    "for threads = " + std::to_string(threads) + " yours had " +
                        std::to_string(at_once),
                    {"more_threads_than_asked", more_threads_than_asked});
    }
}

TEST_CASE("10.4 faster_attention: the same queries with other keys, other values, and the first "
          "again") {
    const Inputs first = drawn_inputs(70, 130, 8, 5, 41), other = drawn_inputs(70, 130, 8, 5, 42);
    for (const std::size_t threads : {1U, 3U}) {
        expect_attention(first, threads);
        expect_attention({first.Q, other.K, first.V}, threads);
        expect_attention({first.Q, other.K, other.V}, threads);
        expect_attention({other.Q, other.K, other.V}, threads);
        expect_attention(first, threads);
    }
}

TEST_CASE("10.4 faster_attention: scores all below 0, all alike, growing") {
    Inputs in = drawn_inputs(2, 20, 1, 3, 10);
    in.Q = xt::ones<double>({2, 1});
    for (std::size_t j = 0; j < 20; ++j) {
        in.K(j, 0) = -50 - 0.25 * static_cast<double>(j);
    }
    expect_attention(in, 1, of_large_scores);
    in.K *= -1;
    expect_attention(in, 1, of_large_scores);
    in.K.fill(-30);
    expect_attention(in, 1, of_large_scores);
}

TEST_CASE("10.4 faster_attention: a largest score of 0, and scores that are all 0") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1); // ordinary ones first
    Inputs in = drawn_inputs(2, 20, 1, 3, 24);
    in.Q = xt::ones<double>({2, 1});
    for (std::size_t j = 0; j < 20; ++j) {
        in.K(j, 0) = -0.25 * static_cast<double>(j * 7 % 20);
    }
    expect_attention(in, 1);
    in.K.fill(0);
    expect_attention(in, 1);
}

TEST_CASE("10.4 faster_attention: weights of 1e-9 and less, whose values are as large") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1); // ordinary ones first
    const Inputs in{{{1}, {1}},
                    {{0}, {-20}, {0.5}, {-60}, {1}},
                    {{1, 2}, {1e9, -2e9}, {-3, 1}, {-3e26, 1e26}, {2, 5}}};
    expect_attention(in, 1, of_large_scores);
}

TEST_CASE("10.4 faster_attention: values, and scores, of sizes from 1e-30 to 1e30") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1); // ordinary ones first
    constexpr judge::Tolerance of_any_size{0, 0, 1e-3};
    for (const double size : {1e-9, 1e-12, 1e-30, 1e12, 1e30}) {
        Inputs in = drawn_inputs(3, 5, 2, 4, 51);
        in.V *= size;
        expect_attention(in, 1, of_any_size);
        // Both queries alike: what is kept from one to the next is another case's.
        for (const double sign : {1.0, -1.0}) {
            in = of_score_size(size);
            in.Q.fill(sign);
            expect_attention(in, 1, of_any_size);
        }
    }
}

TEST_CASE("10.4 faster_attention: scores of 1000 and −1000") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1); // ordinary ones first
    Inputs in = drawn_inputs(1, 300, 1, 2, 11);
    in.Q = xt::ones<double>({1, 1});
    for (const double from : {1000.0, -1000.0, -1040.0}) {
        for (std::size_t j = 0; j < 300; ++j) {
            in.K(j, 0) = from + 0.125 * static_cast<double>(j % 7); // a float holds it
        }
        expect_attention(in, 1, of_large_scores);
    }
    for (std::size_t j = 0; j < 300; ++j) {
        in.K(j, 0) = 8 * static_cast<double>(j) - 1200;
    }
    expect_attention(in, 1, of_large_scores);
}

TEST_CASE("10.4 faster_attention: the scores of one query are far from those of the next") {
    expect_attention(drawn_inputs(4, 6, 3, 5, 1), 1); // ordinary ones first
    Inputs in = drawn_inputs(far_apart, 12, 1, 2, 12);
    for (std::size_t i = 0; i < far_apart; ++i) {
        in.Q(i, 0) = i % 3 == 0 ? 1 : -1; // scores about 500, or −500
    }
    for (std::size_t j = 0; j < 12; ++j) {
        in.K(j, 0) = 500 + 0.125 * static_cast<double>(j % 7);
    }
    expect_attention(in, 1, of_large_scores);
}

TEST_CASE("10.4 faster_attention: shapes that do not fit are refused, both named") {
    const MatrixF Q = in_float(standard_normal(3, 2, 12)), K = in_float(standard_normal(4, 2, 13)),
                  V = in_float(standard_normal(4, 5, 14));
    expect_invalid_argument(
        graded::faster_attention.attempt(in_float(standard_normal(3, 6, 15)), K, V, 1),
        {{3, 6}, {4, 2}});
    expect_invalid_argument(
        graded::faster_attention.attempt(Q, K, in_float(standard_normal(7, 5, 16)), 1),
        {{4, 2}, {7, 5}});
    // transposed, and of a single row
    expect_invalid_argument(
        graded::faster_attention.attempt(in_float(standard_normal(2, 3, 15)), K, V, 1),
        {{2, 3}, {4, 2}});
    expect_invalid_argument(
        graded::faster_attention.attempt(Q, K, in_float(standard_normal(5, 4, 16)), 1),
        {{4, 2}, {5, 4}});
    expect_invalid_argument(
        graded::faster_attention.attempt(Q, K, in_float(standard_normal(1, 5, 16)), 1),
        {{4, 2}, {1, 5}});
}

} // namespace grader_faster
