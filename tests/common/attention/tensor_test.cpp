#include "attention/tensor.hpp"

#include <doctest/doctest.h>

using namespace attention;

TEST_CASE("shape_text: shapes read as people write them") {
    CHECK(shape_text(Vector::from_shape({4})) == "(4,)");
    CHECK(shape_text(Matrix::from_shape({2, 3})) == "(2, 3)");
    CHECK(shape_text(Tensor3F::from_shape({2, 0, 7})) == "(2, 0, 7)");
    CHECK(shape_text(xt::xarray<double>(1.0)) == "()");
}
