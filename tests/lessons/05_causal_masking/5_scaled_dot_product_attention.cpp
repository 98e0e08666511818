// 05.5 scaled_dot_product_attention

#include "exports.hpp"
#include "support/oracle_attention.hpp"
#include "support/proof.hpp"

namespace of_attention {

using namespace proof;
using lesson::Attention;
using OptionalMask = std::optional<xt::xarray<bool>>;
using Shape = std::vector<std::size_t>;

Attention right(const Tensor3& Q, const Tensor3& K, const Tensor3& V, const OptionalMask& mask) {
    const std::array<std::size_t, 3> shape{Q.shape(0), Q.shape(1), K.shape(1)};
    xt::xtensor<bool, 3> allowed = xt::ones<bool>(shape);
    if (mask) {
        allowed = xt::broadcast(*mask, shape);
    }
    const auto [output, weights] =
        oracle::scaled_dot_product_attention(Q, K, V, xt::where(allowed, 0.0, -oracle::infinity));
    return {output, weights};
}

const auto attend = Domain(graded::scaled_dot_product_attention, right,
                           {{"Q", Kind::array, "batch x n_queries x d_k"},
                            {"K", Kind::array, "batch x n_keys x d_k"},
                            {"V", Kind::array, "batch x n_keys x d_v"},
                            {.name = "mask",
                             .kind = Kind::mask,
                             .shape = "batch x n_queries x n_keys",
                             .optional = true,
                             .broadcasts = true}},
                           in_double)
                        .with_exact_zeros()
                        .dot_products("Q", "K")
                        .scaled({{"Q", ""}, {"Q", "K"}, {"V", ""}});

/// Two tokens, with scores of 0 and ln 3.
const Tensor3 Q{{{0}, {1}}}, K{{{0}, {std::log(3.0)}}}, V{{{4, 0}, {0, 8}}};

TEST_CASE("05.5 scaled_dot_product_attention: two tokens under the causal mask, done by hand") {
    expect_close(graded::scaled_dot_product_attention(
                     Q, K, V, xt::xarray<bool>{{true, false}, {true, true}}),
                 Attention{{{{4, 0}, {1, 6}}}, {{{1, 0}, {0.25, 0.75}}}}, in_double);
}

TEST_CASE("05.5 scaled_dot_product_attention: without a mask every query sees every key") {
    expect_close(graded::scaled_dot_product_attention(Q, K, V, {}),
                 Attention{{{{2, 4}, {1, 6}}}, {{{0.5, 0.5}, {0.25, 0.75}}}}, in_double);
}

TEST_CASE("05.5 scaled_dot_product_attention: a causal batch of two agrees with PyTorch") {
    expect_close(
        graded::scaled_dot_product_attention(
            {{{1, 0}, {0, 1}, {1, 1}}, {{2, -1}, {0, 1}, {-1, 1}}},
            {{{1, 0}, {0, 1}, {0.5, 0.5}}, {{1, 1}, {0, -2}, {1, 0}}},
            {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, {{-1, 0, 1}, {2, 1, 0}, {0, 3, -2}}},
            xt::xarray<bool>(oracle::causal_mask(3))),
        Attention{{{{1, 2, 3}, {3.009284648, 4.009284648, 5.009284648}, {4, 5, 6.333333333}},
                   {{-1, 0, 1},
                    {-0.6788745956, 0.1070418015, 0.8929581985},
                    {-0.2959168551, 0.9920154743, 0.0079845257}}},
                  {{{1, 0, 0}, {0.3302384507, 0.6697615493, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
                   {{1, 0, 0},
                    {0.8929581985, 0.1070418015, 0},
                    {0.5759753452, 0.140029245, 0.2839954097}}}},
        {0, 1e-9});
}

TEST_CASE("05.5 scaled_dot_product_attention: (2, 5, 64), (2, 7, 64) and (2, 7, 32) make "
          "(2, 5, 32) and (2, 5, 7)") {
    attend.call(
        attend.draw({{"batch", 2}, {"n_queries", 5}, {"n_keys", 7}, {"d_k", 64}, {"d_v", 32}}));
}

TEST_CASE("05.5 scaled_dot_product_attention: changing a token moves no output before it") {
    const OptionalMask causal = xt::xarray<bool>(oracle::causal_mask(6));
    const domain::Sizes small{
        {"batch", 2}, {"n_queries", 6}, {"n_keys", 6}, {"d_k", 8}, {"d_v", 5}};
    const auto tensor = [&](std::size_t k, std::uint64_t seed) {
        return from_value<Tensor3>(attend.draw(small, seed)[k]);
    };
    const Tensor3 X = tensor(0, 1), Y = tensor(1, 1), Z = tensor(2, 1);
    const Attention before = graded::scaled_dot_product_attention(X, Y, Z, causal);
    expect_shape(sizes(before.output), {2, 6, 5});
    for (const double size :
         {30.0, 3000.0}) { // so large that a share of it is visible in a maximum
        for (std::size_t j = 1; j < 6; ++j) {
            Tensor3 changed[] = {X, Y, Z};
            for (std::size_t k = 0; k < 3; ++k) {
                xt::view(changed[k], xt::all(), j, xt::all()) =
                    size * xt::view(tensor(k, 3), xt::all(), j, xt::all());
            }
            const Attention after =
                graded::scaled_dot_product_attention(changed[0], changed[1], changed[2], causal);
            expect_shape(sizes(after.output), {2, 6, 5});
            const auto past = [j](const Attention& of) -> Tensor3 {
                return xt::view(of.output, xt::all(), xt::range(0, static_cast<int>(j)), xt::all());
            };
            expect_that(
                past(before) == past(after),
                "no output before token " + std::to_string(j) + " changes with it, not in one bit",
                "one does",
                {"moved_by_what_comes_later",
                 "What comes later moves the output before it, if only in its last digits: a "
                 "maximum, for example, is taken of all keys. Use only the keys that the query "
                 "sees."});
        }
    }
}

TEST_CASE("05.5 scaled_dot_product_attention: a blocked score of 1000 has no influence") {
    expect_close(graded::scaled_dot_product_attention({{{1}}}, {{{1000}, {1}, {1}}},
                                                      {{{9}, {2}, {4}}},
                                                      xt::xarray<bool>{{false, true, true}}),
                 Attention{{{{3}}}, {{{0, 0.5, 0.5}}}}, in_double);
}

TEST_CASE(
    "05.5 scaled_dot_product_attention: a score that is a little higher weighs a little more") {
    expect_close(graded::scaled_dot_product_attention({{{1}}}, {{{0}, {8e-9}}}, {{{0}, {1}}}, {}),
                 Attention{{{{0.5 + 2e-9}}}, {{{0.5 - 2e-9, 0.5 + 2e-9}}}}, in_double);
}

TEST_CASE("05.5 scaled_dot_product_attention: a d_k of 0 throws std::invalid_argument") {
    const Tensor3 none = Tensor3::from_shape({1, 2, 0});
    expect_invalid_argument(graded::scaled_dot_product_attention.attempt(none, none, V, {}),
                            {{1, 2, 0}});
}

/// Of (2, 3, 4) weights.
const judge::List usual = attend.draw({{"batch", 2}, {"n_queries", 3}, {"n_keys", 4}});
const Tensor3 X = from_value<Tensor3>(usual[0]), Y = from_value<Tensor3>(usual[1]),
              Z = from_value<Tensor3>(usual[2]);

TEST_CASE("05.5 scaled_dot_product_attention: a mask may have sizes of 1, and may lack the batch") {
    for (const Shape& shape : std::vector<Shape>{{2, 3, 4},
                                                 {1, 3, 4},
                                                 {2, 1, 4},
                                                 {2, 3, 1},
                                                 {1, 1, 4},
                                                 {1, 3, 1},
                                                 {2, 1, 1},
                                                 {1, 1, 1},
                                                 {3, 4},
                                                 {1, 4},
                                                 {3, 1},
                                                 {1, 1}}) {
        for (const judge::Value& value : domain::masks_of(shape)) {
            const OptionalMask mask = from_value<OptionalMask>(value);
            expect_close(graded::scaled_dot_product_attention(X, Y, Z, mask), right(X, Y, Z, mask),
                         in_double);
        }
    }
}

PROPERTIES("05.5 scaled_dot_product_attention", attend)

TEST_CASE("05.5 scaled_dot_product_attention: a mask that does not fit throws "
          "std::invalid_argument, and it names both shapes") {
    for (const Shape& shape : std::vector<Shape>{{3, 3, 4},
                                                 {2, 2, 4},
                                                 {2, 3, 3},
                                                 {2, 3, 5},
                                                 {1, 4, 4},
                                                 {1, 3, 2},
                                                 {4, 4},
                                                 {3, 1234},
                                                 {2, 4},
                                                 {4},
                                                 {1, 2, 3, 4}}) {
        expect_invalid_argument(graded::scaled_dot_product_attention.attempt(
                                    X, Y, Z, xt::xarray<bool>(xt::ones<bool>(shape))),
                                {shape, {2, 3, 4}});
    }
}

} // namespace of_attention
