#include "attention/masks.hpp"

#include "attention/random.hpp"
#include "attention/softmax.hpp"
#include "common/refused.hpp"
#include "support/check_close.hpp"
#include "support/golden.hpp"
#include "support/oracle_attention.hpp"
#include "support/special_values.hpp"

using namespace attention;
using support::check_close;
using support::golden;
using support::inf;
using support::NaN;

TEST_CASE("masked_softmax: another shape is an invalid_argument that shows both") {
    const Matrix scores = standard_normal(2, 3, 1);
    CHECK_REFUSED(masked_softmax(scores, Mask::from_shape({4, 3})),
                  "masked_softmax: scores and mask must share n_queries, got 2 and 4; "
                  "scores is (2, 3), mask is (4, 3)");
    CHECK_REFUSED(masked_softmax(scores, Mask::from_shape({2, 1})),
                  "masked_softmax: scores and mask must share n_keys, got 3 and 1; "
                  "scores is (2, 3), mask is (2, 1)");
}

TEST_CASE("masked_softmax: a case to do by hand, and PyTorch's") {
    const Matrix scores{{std::log(2.0), 0, 7, 0}, {5, 5, 5, 5}, {1, 2, 3, 4}};
    const Mask mask{
        {true, true, false, true}, {true, true, true, true}, {false, true, false, false}};
    check_close(masked_softmax(scores, mask),
                Matrix{{0.5, 0.25, 0, 0.25}, {0.25, 0.25, 0.25, 0.25}, {0, 1, 0, 0}}, {1e-15, 0});
    check_close(masked_softmax(golden("masks/scores"), support::golden_bools("masks/mask")),
                golden("masks/softmax"), {1e-14, 0});
}

TEST_CASE("masked_softmax: awkward sizes agree with the plain loops") {
    for (const std::size_t n_queries : {1U, 2U, 7U}) {
        for (const std::size_t n_keys : {1U, 3U, 31U, 64U, 1009U}) {
            for (const double share : {-9.0, -1.5, 0.2, 9.0}) { // of all: none, few, most, all
                INFO("n_queries ", n_queries, ", n_keys ", n_keys, ", share ", share);
                const Matrix scores = 5 * standard_normal(n_queries, n_keys, 1);
                const Mask mask = standard_normal(n_queries, n_keys, 2) < share;
                check_close(masked_softmax(scores, mask), oracle::masked_softmax(scores, mask),
                            {1e-12, 0});
            }
        }
    }
    CHECK(shape_text(masked_softmax(Matrix::from_shape({3, 0}), Mask::from_shape({3, 0}))) ==
          "(3, 0)");
}

TEST_CASE("masked_softmax: a row without an allowed finite score weighs nothing") {
    const Matrix scores{{1, 1, 1}, {1e308, NaN, inf}, {-inf, -inf, -inf}, {-inf, 5, -inf}};
    const Mask mask{
        {true, true, false}, {false, false, false}, {true, true, true}, {true, false, true}};
    check_close(masked_softmax(scores, mask),
                Matrix{{0.5, 0.5, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0, 0});
}

TEST_CASE("masked_softmax: a blocked score does not matter, an allowed NaN fills its row") {
    for (const double wild : {1e308, -1e308, inf, -inf, NaN}) {
        CAPTURE(wild);
        check_close(masked_softmax(Matrix{{3, wild, 3}}, Mask{{true, false, true}}),
                    Matrix{{0.5, 0, 0.5}}, {0, 0});
    }
    for (const double wild : {NaN, inf}) {
        CAPTURE(wild);
        check_close(masked_softmax(Matrix{{wild, -inf, 2}, {1, 2, 1}},
                                   Mask{{true, true, false}, {true, false, true}}),
                    Matrix{{NaN, NaN, 0}, {0.5, 0, 0.5}}, {0, 0});
    }
}
