// 09.3 sinusoidal_positions, rotate and rotary_attention

#include "exports.hpp"
#include "refused_sizes.hpp"
#include "support/oracle_heads.hpp"
#include "support/proof.hpp"

namespace of_positions {

using namespace proof;

/// An angle of some thousand radians is right to 1e-12, and so are its sine and cosine.
constexpr Tolerance of_sines{0, 1e-11}, of_turns{0, 0, 1e-11};

const auto sinusoidal_positions =
    Domain(graded::sinusoidal_positions, oracle::sinusoidal_positions,
           {{"n", Kind::count, "n"}, {"d", Kind::count, "2*pairs"}}, of_sines)
        .large("n", 5003);
const auto rotate =
    Domain(graded::rotate, oracle::rotate,
           {{"X", Kind::array, "n x 2*pairs"}, {"positions", Kind::array, "n"}}, of_turns)
        .scaled({{"X", ""}});
const auto rotary_attention = Domain(graded::rotary_attention, oracle::rotary_attention,
                                     {{"Q", Kind::array, "n x 2*pairs"},
                                      {"K", Kind::array, "n x 2*pairs"},
                                      {"V", Kind::array, "n x d_v"},
                                      {"positions", Kind::array, "n"}},
                                     of_turns)
                                  .scaled({{"V", ""}, {"Q", "K"}, {"K", "Q"}});

const double quarter = std::acos(0.0); // of a turn

Matrix ones(std::size_t rows, std::size_t columns) {
    return xt::ones<double>({rows, columns});
}

// ---- sinusoidal_positions

TEST_CASE("09.3 sinusoidal_positions: three positions of four components") {
    // The second pair is 10000^(2/4) = 100 times slower.
    expect_close(graded::sinusoidal_positions(3, 4),
                 Matrix{{0, 1, 0, 1},
                        {0.841470984808, 0.540302305868, 0.009999833334, 0.999950000417},
                        {0.909297426826, -0.416146836547, 0.019998666693, 0.999800006667}},
                 of_sines);
}

PROPERTIES("09.3 sinusoidal_positions", sinusoidal_positions)

TEST_CASE("09.3 sinusoidal_positions: a d that is odd or 0 is refused") {
    for (const std::size_t d : {7U, 1U, 0U}) {
        expect_refused_naming(graded::sinusoidal_positions.attempt(4, d),
                              "d = " + std::to_string(d), d);
    }
}

// ---- rotate

TEST_CASE("09.3 rotate: a quarter of a turn for the first pair, hardly any for the second") {
    // In a hundredth of a quarter of a turn the cosine is 0.9998766, the sine 0.0157073.
    expect_close(graded::rotate({{1, 0, 1, 0}, {0, 1, 0, 2}, {3, 4, 5, 6}}, {quarter, quarter, 0}),
                 Matrix{{0, 1, 0.999876632482, 0.015707317312},
                        {-1, 0, -0.031414634624, 1.999753264963},
                        {3, 4, 5, 6}},
                 of_sines);
}

PROPERTIES("09.3 rotate", rotate)

TEST_CASE("09.3 rotate: agrees with a product of complex numbers in PyTorch") {
    expect_close(graded::rotate(golden("heads/rotary_X"), golden_vector("heads/rotary_positions")),
                 golden("heads/rotary"), of_turns);
}

TEST_CASE("09.3 rotate: positions of a long text, and turned back again") {
    std::vector<judge::List> calls;
    for (const double p : {1024.0, 4096.0, 5000.5, 40000.0}) {
        const Matrix X{{1, 2, 3, 4}, {5, 6, 7, 8}};
        calls.push_back({to_value(X), to_value(Vector{p, -p})});
    }
    rotate.calls(calls);
}

TEST_CASE("09.3 rotate: a d that is odd or 0 is refused") {
    for (const std::size_t d : {5U, 0U}) {
        expect_refused_naming(graded::rotate.attempt(ones(3, d), {1, 2, 3}),
                              "d = " + std::to_string(d), d);
    }
}

// ---- rotary_attention

TEST_CASE("09.3 rotary_attention: two positions half a turn apart, by hand") {
    // A position scores ln 3 / 2 with itself and −ln 3 / 2 with the other: weights of 3/4 and 1/4.
    const double a = std::sqrt(std::sqrt(2.0) * std::log(3.0) / 2);
    expect_close(graded::rotary_attention({{a, 0}, {a, 0}}, {{a, 0}, {a, 0}},
                                          {{4, 0, 1}, {8, 12, 1}}, {0, 2 * quarter}),
                 Matrix{{5, 3, 1}, {7, 9, 1}}, of_turns);
}

PROPERTIES("09.3 rotary_attention", rotary_attention)

TEST_CASE("09.3 rotary_attention: scores far from 0 and from each other, with ties") {
    const Matrix V{{1, 3}, {2, 5}, {4, 9}};
    std::vector<judge::List> calls;
    for (const double size : {1e2, 1e3, 1e5, 1e30, 1e100}) {
        for (const double sign : {1.0, -1.0}) {
            const Matrix Q{{size, 0}, {1, size}, {0, size}};
            const Matrix K{{sign, 2 * sign}, {sign, sign}, {sign / 2, 2 * sign}};
            calls.push_back({to_value(Q), to_value(K), to_value(V), to_value(Vector{0, 0, 0})});
        }
    }
    rotary_attention.calls(calls);
}

TEST_CASE("09.3 rotary_attention: a d_k that is odd or 0 is refused") {
    for (const std::size_t d_k : {7U, 0U}) {
        expect_refused_naming(
            graded::rotary_attention.attempt(ones(3, d_k), ones(3, d_k), ones(3, 2), {1, 2, 3}),
            "d_k = " + std::to_string(d_k), d_k);
    }
}

} // namespace of_positions
