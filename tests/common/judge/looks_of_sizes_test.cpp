// What wrong numbers look like that begin where another size ends, or a row is done twice.

#include "products.hpp"

#include <algorithm>

#include <doctest/doctest.h>

using namespace products;

TEST_CASE("look_of: columns after as many as another size says are wrong, whatever they are") {
    CHECK(looks([](const Matrix& X, const Matrix& W) {
              Matrix result = product_of(X, W);
              for (std::size_t j = X.shape(0); j < W.shape(1); ++j) {
                  xt::view(result, xt::all(), j) += 1 + static_cast<double>(j * j);
              }
              return result;
          }) == "wrong_from_another_size_on: the first columns are right, as many as the number of "
                "rows of X says, and those after them are not. Does a loop over the columns end at "
                "the number of rows of X?");
}

TEST_CASE("look_of: of several matrices it is the first that is right") {
    std::vector<Judged> answers;
    for (const std::size_t n : {2U, 3U, 4U}) {
        const Matrix numbers = some_numbers(3 * n, n + 2, 0.1 * static_cast<double>(n));
        attention::Tensor3 right = attention::Tensor3::from_shape({3, n, n + 2});
        std::copy(numbers.begin(), numbers.end(), right.begin());
        attention::Tensor3 got = right;
        for (std::size_t k = got.size() / 3; k < got.size(); ++k) {
            got.flat(k) += 1 + static_cast<double>(k * k);
        }
        answers.push_back(
            {{"X"}, {judge::to_value(right)}, judge::to_value(got), judge::to_value(right), false});
    }
    const auto look = judge::look_of(answers, {});
    REQUIRE(look);
    CHECK(look->name == "wrong_from_another_size_on");
    CHECK(look->explanation.find("is it the first of them that is right") != std::string::npos);
}

TEST_CASE("look_of: what is not −∞ where it should be is off, too") {
    std::vector<Judged> answers;
    for (const std::size_t n : {2U, 3U, 4U}) {
        const Matrix X = some_numbers(n, n + 2, 0.1 * static_cast<double>(n));
        Matrix right = X, got = X;
        xt::view(right, xt::all(), xt::range(n - 1, n + 2)) = -1.0 / 0.0;
        xt::view(got, xt::all(), n - 1) = -1.0 / 0.0;
        answers.push_back(
            {{"X"}, {judge::to_value(X)}, judge::to_value(got), judge::to_value(right), false});
    }
    const auto look = judge::look_of(answers, {});
    REQUIRE(look);
    CHECK(look->name == "wrong_from_another_size_on");
}

TEST_CASE("look_of: sums that end at another size") {
    CHECK(looks([](const Matrix& X, const Matrix& W) {
              Matrix part = X;
              const std::size_t end = std::min(X.shape(0), X.shape(1));
              xt::view(part, xt::all(), xt::range(end, X.shape(1))) = 0;
              return product_of(part, W);
          }) == "argument_up_to_another_size: this is the right answer if the columns of X after "
                "the first n were 0, where n is the number of rows of X: a loop ends at the wrong "
                "size.");
}

TEST_CASE("look_of: rows that are the row before once more") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              for (std::size_t i = 2; i < right.shape(0); i += 2) {
                  xt::view(right, i) = xt::view(right, i - 1);
              }
              return right;
          }).starts_with("row_before_once_more: "));
}
