// 06.3 entropy_sweep

#include "attention/random.hpp"
#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_entropy_sweep {

using namespace proof;
using attention::standard_normal;
using lesson::EntropyCurve;
using DKs = std::vector<std::size_t>;

constexpr Tolerance ten_digits{1e-10, 1e-12};

EntropyCurve right_sweep(const Matrix& Q, const Matrix& K, const DKs& d_ks, bool scaled) {
    EntropyCurve curve{d_ks, Vector::from_shape({d_ks.size()})};
    for (std::size_t i = 0; i < d_ks.size(); ++i) {
        const Matrix Q_d = xt::view(Q, xt::all(), xt::range(std::size_t{0}, d_ks[i]));
        const Matrix K_d = xt::view(K, xt::all(), xt::range(std::size_t{0}, d_ks[i]));
        const Matrix scores =
            scaled ? oracle::scaled_scores(Q_d, K_d) : oracle::matmul_transposed(Q_d, K_d);
        long double sum = 0;
        for (const double nats : oracle::entropy(oracle::softmax_rows(scores))) {
            sum += nats;
        }
        curve.entropies(i) = static_cast<double>(sum / static_cast<long double>(Q.shape(0)));
    }
    return curve;
}

/// A number becomes one of some lists of the d_k that there are, another for other sizes.
void list_d_ks(judge::List& arguments) {
    const std::size_t n = std::get<judge::Array>(arguments[0].data).shape[1];
    const std::vector<DKs> lists{
        {(n + 1) / 2, n, 1}, {n}, {1, n}, {(n + 2) / 3, 1}, {n / 2 + 1, n, n}};
    const std::size_t which = from_value<std::size_t>(arguments[2]) + n;
    const DKs far_out{64}; // by √64 scores far out stay exact
    arguments[2] = to_value(n == 64 ? far_out : lists[which % lists.size()]);
}

const auto entropy_sweep = Domain(graded::entropy_sweep, right_sweep,
                                  {{"Q", Kind::array, "n_queries x components"},
                                   {"K", Kind::array, "n_keys x components"},
                                   {"d_ks", Kind::count, "", false, {0, 1, 2, 3, 4}},
                                   {"scaled", Kind::flag}},
                                  ten_digits)
                               .scaled({{"Q", "K"}})
                               .dot_products("Q", "K")
                               .made_to_fit(list_d_ks)
                               .large("components", 2069);

void expect_sweep(const Matrix& Q, const Matrix& K, const DKs& d_ks) {
    for (const bool scaled : {false, true}) {
        expect_close(graded::entropy_sweep(Q, K, d_ks, scaled), right_sweep(Q, K, d_ks, scaled),
                     ten_digits);
    }
}

TEST_CASE("06.3 entropy_sweep: two queries, three keys, one component and then both, by hand") {
    // Query 0 has the weights 1/2, 1/4, 1/4, and then 2/6, 3/6, 1/6; query 1 always three of 1/3.
    const Matrix Q{{std::log(2.0), std::log(3.0)}, {0, 0}};
    const Matrix K{{1, 0}, {0, 1}, {0, 0}};
    expect_close(graded::entropy_sweep(Q, K, {1, 2}, false),
                 EntropyCurve{{1, 2}, {1.0691666, 1.0550083}}, roughly);
}

TEST_CASE("06.3 entropy_sweep: scaled, a score of 4 ln 2 from four components is 2 ln 2") {
    // Unscaled the weights would be 16/18, 1/18, 1/18; scaled they are 4/6, 1/6, 1/6.
    const Matrix Q = std::log(2.0) * xt::ones<double>({1, 4});
    const Matrix K{{1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    expect_close(graded::entropy_sweep(Q, K, {1, 4}, true),
                 EntropyCurve{{1, 4}, {1.0397208, 0.8675632}}, roughly);
}

TEST_CASE("06.3 entropy_sweep: any order, gaps and repetitions of d_k, and none at all") {
    const Matrix Q = standard_normal(4, 6, 35), K = standard_normal(5, 6, 36);
    for (const DKs& d_ks : {DKs{1, 2, 3, 4, 5, 6}, DKs{6, 2, 5, 2, 1}, DKs{5}, DKs{}}) {
        expect_sweep(Q, K, d_ks);
    }
}

TEST_CASE("06.3 entropy_sweep: without scaling the entropy collapses, with it not") {
    const Matrix Q = standard_normal(8, 256, 48), K = standard_normal(16, 256, 49);
    const DKs d_ks{1, 2, 4, 8, 16, 32, 64, 128, 256};
    for (const bool scaled : {false, true}) {
        const EntropyCurve curve = graded::entropy_sweep(Q, K, d_ks, scaled);
        const EntropyCurve expected = right_sweep(Q, K, d_ks, scaled);
        if (!scaled) {
            judge::draw(curve, expected);
        }
        expect_close(curve, expected, ten_digits);
    }
}

PROPERTIES("06.3 entropy_sweep", entropy_sweep)

TEST_CASE("06.3 entropy_sweep: refuses a d_k of 0, and one larger than the number of components") {
    const Matrix Q = standard_normal(2, 3, 55), K = standard_normal(5, 3, 56);
    expect_refused(graded::entropy_sweep.attempt(Q, K, {3, 0, 2}, true), "d_k = 0");
    expect_refused(graded::entropy_sweep.attempt(Q, K, {2, 4, 3}, false), "d_k = 4");
}

TEST_CASE("06.3 entropy_sweep: refuses to average over no queries or no keys") {
    const Matrix some = standard_normal(2, 3, 57), none = Matrix::from_shape({0, 3});
    expect_refused(graded::entropy_sweep.attempt(none, some, {1}, false), "a Q without queries");
    expect_refused(graded::entropy_sweep.attempt(some, none, {1}, true), "a K without keys");
    expect_refused(graded::entropy_sweep.attempt(some, none, {}, true), "a K without keys");
}

} // namespace of_entropy_sweep
