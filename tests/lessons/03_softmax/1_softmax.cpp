// 03.1 softmax

#include "exports.hpp"
#include "support/proof.hpp"

namespace of_softmax {

using namespace proof;

const auto softmax = Domain(graded::softmax, oracle::softmax<double>,
                            {{"scores", Kind::scores, "n_keys"}}, in_double)
                         .large("n_keys", 5003);

TEST_CASE("03.1 softmax: scores of 0, ln 2 and ln 3 weigh as 1 to 2 to 3") {
    expect_close(graded::softmax({0, std::log(2.0), std::log(3.0)}),
                 Vector{1.0 / 6, 1.0 / 3, 1.0 / 2}, in_double);
}

TEST_CASE("03.1 softmax: one score of 10 beside two of 0 takes nearly everything") {
    expect_close(graded::softmax({10, 0, 0}), Vector{0.9999092, 0.0000454, 0.0000454},
                 {1e-5, 1e-7});
}

TEST_CASE("03.1 softmax: a single score gets weight 1") {
    for (const double score : {-3.0, 0.0, 2.0}) {
        expect_close(graded::softmax({score}), Vector{1}, {1e-15, 0});
    }
}

TEST_CASE("03.1 softmax: agrees with PyTorch") {
    expect_close(graded::softmax(golden_vector("softmax/vector_scores")),
                 golden_vector("softmax/vector"), in_double);
}

PROPERTIES("03.1 softmax", softmax)

} // namespace of_softmax
