// 10.4 faster_attention: right, in floats. Nobody grades how fast it is; ./course bench --mine
// measures it.

#include "exports.hpp"
#include "support/misfits.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_faster_attention {

using namespace proof;
using lesson::MatrixF;

/// Sums of some hundred floats in any order.
constexpr Tolerance digits_of_a_float{0, 1e-30, 2e-5};
/// A score of 1000 is known to 1/16000 in a float, in units of log₂ to 1/8000; so is a weight.
constexpr Tolerance three_digits{0, 1e-30, 1e-3};

MatrixF right(const MatrixF& Q, const MatrixF& K, const MatrixF& V, std::size_t /*threads*/) {
    return xt::cast<float>(oracle::attention(Q, K, V).output);
}

// A learner's float sums may be added in another order than a mistake's, and many small ones to a
// large one lose four times as much as ours.
const judge::About about("faster_attention", {.alike = judge::within({0, 1e-30, 1e-4})});

Domain faster(Tolerance tolerance) {
    return Domain(graded::faster_attention, right,
                  {{"Q", Kind::array, "n_queries x d_k"},
                   {"K", Kind::array, "n_keys x d_k"},
                   {"V", Kind::array, "n_keys x d_v"},
                   {"threads", Kind::count, "", false, {1, 2, 3, 8}}},
                  tolerance)
        .small_sizes({{"n_keys", 5}, {"d_k", 2}})
        .made_to_fit(domain::in_float)
        .refuses_nothing();
}
const Domain usual = faster(digits_of_a_float), far_out = faster(three_digits);

/// Two queries and keys of which the scores are these, each to the last bit.
judge::List of_scores(std::size_t n_keys, const std::function<double(std::size_t j)>& score) {
    judge::List call = far_out.draw({{"n_queries", 2}, {"n_keys", n_keys}, {"d_k", 4}, {"d_v", 3}});
    domain::fill(
        call[0], [](auto, auto c, double) { return c == 0 ? 2.0 : 0.0; }, Kind::array);
    domain::fill(
        call[1], [&](auto j, auto c, double) { return c == 0 ? score(j) : 0.0; }, Kind::array);
    return call;
}

TEST_CASE("10.4 faster_attention: one query and three keys, by hand") {
    expect_close(graded::faster_attention(MatrixF{{1}}, MatrixF{{0}, {std::log(3.0F)}, {0}},
                                          MatrixF{{10, 0}, {20, 5}, {30, 0}}, 1),
                 MatrixF{{20, 3}}, digits_of_a_float);
}

PROPERTIES("10.4 faster_attention", usual)

TEST_CASE("10.4 faster_attention: every size about a register's, and past blocks and tiles") {
    std::vector<judge::List> calls;
    for (std::size_t n = 1; n <= 37; n += 4) {
        for (const char* size : {"n_queries", "n_keys", "d_k", "d_v"}) {
            calls.push_back(
                usual.draw({{size, n}, {"n_queries", 3}, {"n_keys", 7}, {"d_k", 2}, {"d_v", 5}}));
            calls.push_back(usual.draw({{size, n + 2}, {"n_queries", 2}, {"n_keys", 4}}));
        }
    }
    for (const auto& [n_queries, n_keys] : {std::pair(67U, 131U), {130U, 65U}, {258U, 137U}}) {
        calls.push_back(
            usual.draw({{"n_queries", n_queries}, {"n_keys", n_keys}, {"d_k", 7}, {"d_v", 17}}));
    }
    usual.calls(calls);
}

TEST_CASE("10.4 faster_attention: the same on two, three and many threads, and of few queries") {
    judge::session().suspect(
        {"wrong_on_several_threads",
         "Right on one thread, and wrong on several. Either threads write to the same memory, such "
         "as scores, a maximum or a sum that are declared outside of the lambda: declare them "
         "inside, or make one for each worker. Or some queries are left to no thread. Or threads "
         "share the keys, and their parts are added as they are: merge them as in 10.1."});
    std::vector<judge::List> calls;
    for (const std::size_t threads : {2U, 3U, 4U, 8U}) {
        for (const std::size_t n : {1U, 2U, 5U, 7U, 13U, 25U, 150U}) {
            calls.push_back(
                usual.draw({{"n_queries", n}, {"n_keys", 140}, {"d_k", 8}, {"d_v", 3}}));
            calls.back()[3] = to_value(threads);
        }
    }
    usual.calls(calls);
    const judge::List large = // long enough for threads to meet
        usual.draw({{"n_queries", 1000}, {"n_keys", 100}, {"d_k", 16}, {"d_v", 16}});
    const auto in_float = [&](std::size_t k) -> MatrixF {
        return xt::cast<float>(from_value<Matrix>(large[k]));
    };
    const MatrixF Q = in_float(0), K = in_float(1), V = in_float(2);
    static const MatrixF expected = right(Q, K, V, 4);
    for (int again = 0; again < 3; ++again) {
        expect_close(graded::faster_attention(Q, K, V, 4), expected, digits_of_a_float);
    }
}

TEST_CASE("10.4 faster_attention: no more threads at once than are asked for") {
    for (const std::size_t threads : {1U, 3U}) {
        judge::List call = usual.draw(
            {{"n_queries", on_threads::counted_queries}, {"n_keys", 600}, {"d_k", 8}, {"d_v", 8}});
        call[3] = to_value(threads);
        usual.call(call);
    }
}

TEST_CASE("10.4 faster_attention: scores of 1000 and −1000, and such as rise from tile to tile") {
    std::vector<judge::List> calls;
    for (const double from : {-50.0, 50.0, 1000.0, -1000.0, -1040.0, -2e4}) {
        calls.push_back(of_scores(300, [=](std::size_t j) {
            return from + 0.125 * static_cast<double>(j % 7); // which a float holds
        }));
    }
    for (const double rise : {10.0, 60.0, 86.0, 90.0, 100.0, 300.0}) {
        // However long a tile is, the first rise is from one to a later one.
        calls.push_back(of_scores(560, [=](std::size_t j) {
            return rise * static_cast<double>(j / 280) + static_cast<double>(j * 7 % 3) - 1;
        }));
    }
    calls.push_back(
        of_scores(300, [](std::size_t j) { return 8 * static_cast<double>(j) - 1200; }));
    judge::List signs = of_scores(300, [](std::size_t) { return 500.0; });
    signs[0] = to_value(Matrix{{2, 0, 0, 0}, {-2, 0, 0, 0}}); // far from one query to the next
    calls.push_back(signs);
    far_out.calls(calls);
}

TEST_CASE("10.4 faster_attention: keys of small weight count, if there are many, and if one "
          "has a value as large") {
    std::vector<judge::List> calls;
    for (const double below : {5.0, 7.0, 10.0, 16.0, 20.0, 45.0, 60.0}) {
        calls.push_back(of_scores(700, [=](std::size_t j) { return j == 3 ? 0 : -below; }));
        domain::fill(
            calls.back()[2],
            [=](auto j, auto, double x) { return j == 3 ? x : x * std::exp(below); }, Kind::array);
        calls.push_back(of_scores(700, [=](std::size_t j) { return j < 2 ? 0 : -below; }));
        domain::fill(
            calls.back()[2], [](auto j, auto, double) { return j < 2 ? 1.0 : -1.0; }, Kind::array);
    }
    far_out.calls(calls);
}

TEST_CASE("10.4 faster_attention: shapes that do not fit throw std::invalid_argument, and it names "
          "both") {
    const auto zeros = [](std::size_t rows, std::size_t columns) -> MatrixF {
        return xt::zeros<float>({rows, columns});
    };
    for (const auto& [rows, columns] : {std::pair(3U, 6U), {2U, 3U}, {3U, 1U}}) {
        support::expect_misfit(
            graded::faster_attention.attempt(zeros(rows, columns), zeros(4, 2), zeros(4, 5), 1),
            {rows, columns}, {{4, 2}});
    }
    for (const auto& [rows, columns] : {std::pair(7U, 5U), {5U, 4U}, {1U, 5U}}) {
        support::expect_misfit(
            graded::faster_attention.attempt(zeros(3, 2), zeros(4, 2), zeros(rows, columns), 1),
            {rows, columns}, {{4, 2}});
    }
}

} // namespace of_faster_attention
