// What wrong answers have to do with the arguments: their sizes, or arguments other than those
// given.

#include "judge/looks_of_sizes.hpp"
#include "products.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

using namespace products;

TEST_CASE("look_of_sizes: what sizes wrong answers have in common") {
    struct Shape {
        std::size_t rows, columns;
    };
    const auto wrong_where = [](const std::function<bool(const Shape&)>& wrong) {
        std::vector<Judged> answers;
        for (const Shape& shape : {Shape{2, 3},
                                   {4, 4},
                                   {1, 1},
                                   {5, 2},
                                   {3, 7},
                                   {4, 16},
                                   {12, 17},
                                   {70, 31},
                                   {16, 16},
                                   {1, 6}}) {
            const Value X = to_value(some_numbers(shape.rows, shape.columns, 0.4));
            answers.push_back({{"X"}, {X}, X, X, !wrong(shape)});
        }
        const auto look = look_of_sizes(answers);
        return look ? look->explanation : "";
    };
    const auto only_where = [](const std::string& where) {
        return "the answer is wrong where " + where +
               ", and right in all other calls that were asked.";
    };
    const std::string blocks =
        " Is something left over past whole blocks, done twice, or kept from a block before?";
    CHECK(wrong_where([](auto& s) { return s.rows == s.columns && s.rows > 1; }) ==
          only_where("the number of rows of X is the number of columns of X"));
    CHECK(wrong_where([](auto& s) { return s.columns > 10; }) ==
          "of the calls that were asked, those are right where the number of columns of X is 7 or "
          "less, and wrong where it is 16 or more.");
    CHECK(wrong_where([](auto& s) { return s.rows == 1; }) ==
          only_where("the number of rows of X is 1"));
    CHECK(wrong_where([](auto& s) { return s.columns % 4 != 0 && s.columns >= 4; }) ==
          only_where("the number of columns of X is above 4 and no multiple of 4") + blocks);
    CHECK(wrong_where([](auto& s) { return s.columns % 2 != 0; }) ==
          only_where("the number of columns of X is odd") + blocks);
    CHECK(wrong_where([](auto& s) { return s.rows > 1 && s.rows % 2 != 0; }) ==
          only_where("the number of rows of X is odd and above 1") + blocks);
    CHECK(wrong_where([](auto& s) {
              return s.rows == 3 || s.rows == 5 || s.rows == 12 || s.rows == 70;
          }) == only_where("the number of rows of X is no power of 2"));
    CHECK(wrong_where([](auto& s) { return s.rows + s.columns == 5; }).empty());
    CHECK(wrong_where([](auto& s) { return s.rows > 1; }).empty()); // nearly all are wrong
}

TEST_CASE("look_of_sizes: what is wrong only with an argument that may be left out") {
    const auto asked = [](std::size_t without, std::size_t with, std::size_t wrong) {
        std::vector<Judged> answers;
        for (std::size_t i = 0; i < without + with; ++i) {
            const Value X = to_value(some_numbers(3, 2 + i % 2, 0.4));
            const Value mask = i < without ? Value{} : X;
            answers.push_back({{"X", "mask"}, {X, mask}, X, X, i < without + with - wrong});
        }
        const auto look = look_of_sizes(answers);
        return look ? look->explanation : "";
    };
    const std::string question =
        " are wrong. Does all that mask says arrive, and no more than it says?";
    CHECK(asked(6, 8, 5) ==
          "without mask, all answers that were asked are right; with one, 5 of 8" + question);
    CHECK(asked(6, 4, 4) ==
          "without mask, all answers that were asked are right; with one, all" + question);
    CHECK(asked(6, 4, 6).empty()); // one without is wrong, too
    CHECK(asked(2, 4, 4).empty()); // too few without
}

TEST_CASE("look_of: an argument's lines are changed as a whole before they are used") {
    const auto name = [](void (*change)(Matrix & X)) {
        const std::string all = looks([=](const Matrix& X, const Matrix& W) {
            Matrix changed = X;
            change(changed);
            return product_of(changed, W);
        });
        return all.substr(0, all.find(':'));
    };
    CHECK(name([](Matrix& X) {
              const Matrix squares = xt::sum(X * X, {1}, xt::keep_dims);
              X /= xt::sqrt(squares);
          }) == "rows_of_argument_of_length_one");
    CHECK(name([](Matrix& X) {
              const Matrix sums = xt::sum(X, {0}, xt::keep_dims);
              X /= sums;
          }) == "columns_of_argument_divided_by_sums");
    CHECK(name([](Matrix& X) {
              const Matrix means = xt::mean(X, {0}, xt::keep_dims);
              X -= means;
          }) == "columns_of_argument_centred");
    CHECK(name([](Matrix& X) {
              for (std::size_t j = 1; j < X.shape(1); j += 2) {
                  xt::view(X, xt::all(), j) = 0;
              }
          }) == "every_second_column_of_argument");
}

TEST_CASE("look_of: an argument's memory is read as if it held columns") {
    const auto by_columns = [](const Matrix& A) {
        Matrix read = A;
        for (std::size_t i = 0; i < A.shape(0); ++i) {
            for (std::size_t j = 0; j < A.shape(1); ++j) {
                read(i, j) = A.data()[j * A.shape(0) + i];
            }
        }
        return read;
    };
    CHECK(looks([&](const Matrix& X, const Matrix& W) {
              return product_of(X, by_columns(W));
          }).starts_with("argument_read_by_columns: this is the right answer for W with its "));
}

TEST_CASE("look_of: an argument as it was given, and the right answer to other arguments") {
    CHECK(looks([](const Matrix& X, const Matrix&) { return X; }) ==
          "an_argument: this is X, as it was given.");
    CHECK(looks([](const Matrix& X, const Matrix& W) {
              return product_of(xt::abs(X), W);
          }).starts_with("argument_without_sign: this is the right answer for |X|"));
    CHECK(
        looks([](Matrix X, const Matrix& W) {
            xt::view(X, xt::all(), X.shape(1) - 1) = 0;
            return product_of(X, W);
        })
            .starts_with("last_column_of_argument: this is the right answer if the last column of "
                         "X were 0."));
    const auto without_asking = look_of(
        answered([](const Matrix& X, const Matrix& W) { return product_of(xt::abs(X), W); }), {});
    CHECK_FALSE(without_asking);
}

TEST_CASE(
    "look_of: of two arguments that may stand in another's place, the one that explains more") {
    std::vector<Judged> answers = answered([](const Matrix& X, const Matrix&) { return X; });
    for (std::size_t i = 0; i < answers.size(); ++i) {
        Judged& one = answers[i];
        const auto W = from_value<Matrix>(one.arguments[1]);
        const Matrix last = some_numbers(W.shape(0), W.shape(1), 1.9);
        const Matrix nearly_always = i == 0 ? Matrix(2 * last) : last;
        one.parameters = {"X", "W", "A", "B"};
        one.arguments = {one.arguments[0], one.arguments[1], to_value(nearly_always),
                         to_value(last)};
        one.actual = to_value(product_of(from_value<Matrix>(one.arguments[0]), last));
        one.right = false;
    }
    const auto look = look_of(answers, ask_product);
    REQUIRE(look);
    CHECK(look->explanation == "this is the right answer with B in the place of W.");
}
