// 09.2 multi_head_attention

#include "exports.hpp"
#include "refused_sizes.hpp"
#include "support/oracle_heads.hpp"
#include "support/proof.hpp"

namespace of_multi_head_attention {

using namespace proof;
using lesson::MultiHead;

const auto multi_head_attention =
    Domain(graded::multi_head_attention, oracle::multi_head_attention<MultiHead>,
           {{"X", Kind::array, "n x d_model"},
            {"W_q", Kind::array, "d_model x heads*d_k"},
            {"W_k", Kind::array, "d_model x heads*d_k"},
            {"W_v", Kind::array, "d_model x heads*d_v"},
            {"W_o", Kind::array, "heads*d_v x d_out"},
            {"n_heads", Kind::count, "heads"},
            {"mask", Kind::mask, "n x n", true}},
           normwise)
        .with_exact_zeros()
        .scaled({{"W_v", ""}, {"W_o", ""}, {"W_q", "W_k"}, {"W_k", "W_q"}});

const double ln3 = std::log(3.0);

/// Two positions, three heads of one component each, four columns of output: first what each head
/// finds, then their sum.
MultiHead by_hand(const std::optional<Mask>& mask) {
    const Matrix W_o{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    return graded::multi_head_attention({{1}, {0}}, {{1, 1, 1}}, {{ln3, 0, -ln3}}, {{4, 8, 20}},
                                        W_o, 3, mask);
}

TEST_CASE("09.2 multi_head_attention: two positions and three heads, by hand") {
    expect_close(
        by_hand({}),
        MultiHead{
            {{3, 4, 5, 12}, {2, 4, 10, 16}},
            {{{0.75, 0.25}, {0.5, 0.5}}, {{0.5, 0.5}, {0.5, 0.5}}, {{0.25, 0.75}, {0.5, 0.5}}}},
        normwise);
}

TEST_CASE("09.2 multi_head_attention: the same with a causal mask: position 0 sees itself alone") {
    expect_close(by_hand(Mask{{true, false}, {true, true}}),
                 MultiHead{{{4, 8, 20, 32}, {2, 4, 10, 16}},
                           {{{1, 0}, {0.5, 0.5}}, {{1, 0}, {0.5, 0.5}}, {{1, 0}, {0.5, 0.5}}}},
                 normwise);
}

PROPERTIES("09.2 multi_head_attention", multi_head_attention)

TEST_CASE("09.2 multi_head_attention: agrees with PyTorch's nn.MultiheadAttention") {
    const auto expect_golden = [](const std::string& name, const std::optional<Mask>& mask) {
        expect_close(graded::multi_head_attention(golden("heads/X"), golden("heads/W_q"),
                                                  golden("heads/W_k"), golden("heads/W_v"),
                                                  golden("heads/W_o"), 3, mask),
                     MultiHead{golden("heads/" + name + "_output"),
                               golden_tensor3("heads/" + name + "_weights")},
                     normwise);
    };
    expect_golden("none", {});
    expect_golden("masked", Mask(support::golden_bools("heads/mask")));
}

TEST_CASE("09.2 multi_head_attention: scores far from 0 and from each other, with ties") {
    std::vector<judge::List> calls;
    for (const double size : {1e2, 1e3, 1e5, 1e10, 1e30, 1e100}) {
        for (const Matrix& X : {Matrix{{2}, {1}, {2}, {1}, {1.5}}, Matrix{{1}, {2}, {3}, {4}}}) {
            for (const double sign : {1.0, -1.0}) {
                const judge::List unmasked{to_value(X),
                                           to_value(Matrix{{size, -size}}),
                                           to_value(Matrix{{sign, sign}}),
                                           to_value(Matrix{{1, 3}}),
                                           to_value(Matrix{{1, 0, 2}, {0, 1, 5}}),
                                           {std::uint64_t{2}},
                                           {}};
                calls.push_back(unmasked);
                Mask mask = xt::ones<bool>({X.shape(0), X.shape(0)});
                for (std::size_t j = 0; j < 3; ++j) {
                    mask(j, j) = mask(3, j) = false;
                    calls.push_back(unmasked);
                    calls.back().back() = to_value(mask);
                }
            }
        }
    }
    multi_head_attention.calls(calls);
}

TEST_CASE("09.2 multi_head_attention: heads that do not divide the columns are refused") {
    const auto ones = [](std::size_t rows, std::size_t columns) -> Matrix {
        return xt::ones<double>({rows, columns});
    };
    const auto expect_refused = [&](std::size_t n_heads, const std::vector<std::size_t>& columns) {
        expect_refused_naming(graded::multi_head_attention.attempt(ones(3, 4), ones(4, 8),
                                                                   ones(4, 8), ones(4, 10),
                                                                   ones(10, 6), n_heads, {}),
                              "n_heads = " + std::to_string(n_heads), n_heads, columns);
    };
    expect_refused(5, {8});
    expect_refused(4, {10});
    expect_refused(0, {8, 10});
}

} // namespace of_multi_head_attention
