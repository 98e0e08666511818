// What wrong numbers look like, whatever they were made of.

#include "judge/looks.hpp"
#include "judge/looks_of_sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "attention/tensor.hpp"

using namespace judge;
using attention::Matrix;
using attention::Vector;

namespace {

using Answer = std::function<Matrix(const Matrix& X, const Matrix& W)>;

Matrix product_of(const Matrix& X, const Matrix& W) {
    Matrix result = xt::zeros<double>({X.shape(0), W.shape(1)});
    for (std::size_t i = 0; i < X.shape(0); ++i) {
        for (std::size_t j = 0; j < W.shape(1); ++j) {
            for (std::size_t k = 0; k < X.shape(1); ++k) {
                result(i, j) += X(i, k) * W(k, j);
            }
        }
    }
    return result;
}

/// Numbers without a pattern, of both signs, none of them 0.
Matrix some_numbers(std::size_t rows, std::size_t columns, double start) {
    Matrix result = Matrix::from_shape({rows, columns});
    double value = start;
    for (double& number : result) {
        value = std::fmod(value * 3.7 + 1.3, 5);
        number = value - 2.503;
    }
    return result;
}

std::optional<Value> ask_product(const List& arguments) {
    const auto X = from_value<Matrix>(arguments.at(0));
    const auto W = from_value<Matrix>(arguments.at(1));
    return X.shape(1) == W.shape(0) ? std::optional(to_value(product_of(X, W))) : std::nullopt;
}

std::vector<Judged> answered(const Answer& wrong) {
    std::vector<Judged> answers;
    for (const auto& [n, d_model, d_out] :
         {std::array<std::size_t, 3>{2, 3, 4}, {5, 3, 2}, {3, 6, 5}, {4, 4, 4}, {1, 2, 3}}) {
        const Matrix X = some_numbers(n, d_model, 0.1 + static_cast<double>(n));
        const Matrix W = some_numbers(d_model, d_out, 0.7 + static_cast<double>(d_out));
        const Matrix got = wrong(X, W);
        const Matrix right = product_of(X, W);
        answers.push_back({{"X", "W"},
                           {to_value(X), to_value(W)},
                           to_value(got),
                           to_value(right),
                           got.shape() == right.shape() && xt::allclose(got, right, 1e-12, 1e-12)});
    }
    return answers;
}

std::string looks(const Answer& wrong) {
    const auto look = look_of(answered(wrong), ask_product);
    return look ? look->name + ": " + look->explanation : "";
}

/// The same of a change to the right answer.
std::string looks_changed(const std::function<Matrix(Matrix right)>& change) {
    return looks([&](const Matrix& X, const Matrix& W) { return change(product_of(X, W)); });
}

} // namespace

TEST_CASE("look_of: right answers look like nothing, and numbers without a rule do not") {
    CHECK(looks(product_of).empty());
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return some_numbers(right.shape(0), right.shape(1), 0.3);
          }).empty());
}

TEST_CASE("look_of: one factor, one difference, one sign for all") {
    CHECK(looks_changed([](Matrix right) -> Matrix { return 2 * right; }) ==
          "one_factor: every element is 2 times what it should be.");
    CHECK(looks_changed([](Matrix right) -> Matrix { return 0.5 * right; }) ==
          "one_factor: every element is half of what it should be.");
    CHECK(looks_changed([](Matrix right) -> Matrix { return right + 1; }) ==
          "one_difference: every element is 1 too large.");
    CHECK(looks_changed([](Matrix right) -> Matrix { return -right; }) ==
          "negated: every element has the wrong sign, and the right size.");
    CHECK(looks_changed([](Matrix right) -> Matrix { return xt::abs(right); }) ==
          "without_sign: the elements have lost their signs: they are right but for that.");
}

TEST_CASE("look_of: a factor that goes with one of the sizes names it") {
    CHECK(looks([](const Matrix& X, const Matrix& W) -> Matrix {
              return product_of(X, W) / static_cast<double>(X.shape(0));
          }) ==
          "a_factor: every element is what it should be, divided by the number of rows of X.");
    CHECK(looks([](const Matrix& X, const Matrix& W) -> Matrix {
              return product_of(X, W) / (1.5 + static_cast<double>(X.shape(0) * W.shape(1)));
          }).starts_with("a_factor: in each answer all elements are off by one factor"));
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return right * (1 + 3e-8);
          }).starts_with("a_factor_near_1: "));
}

TEST_CASE("look_of: whole numbers, and a few decimals") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return xt::trunc(right);
          }).starts_with("cut_to_whole_numbers: "));
    CHECK(looks_changed([](Matrix right) -> Matrix { return xt::round(right * 1000) / 1000; }) ==
          "rounded_to_decimals: the elements are rounded to 3 decimals.");
}

TEST_CASE("look_of: transposed, or a line that is missing, 0, or elsewhere") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return xt::transpose(right);
          }).starts_with("transposed: "));
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return xt::view(right, xt::all(), xt::range(0, right.shape(1) - 1));
          }).starts_with("last_column_missing: "));
    CHECK(looks_changed([](Matrix right) -> Matrix {
              xt::view(right, xt::all(), right.shape(1) - 1) = 0;
              xt::view(right, right.shape(0) - 1, xt::all()) = 0;
              return right;
          }).starts_with("last_row_and_column_is_zero: "));
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return xt::view(right, xt::range(xt::placeholders::_, xt::placeholders::_, -1));
          }) == "rows_backwards: the right rows stand in the reverse order.");
}

TEST_CASE("look_of: right numbers in other places, where an index is mixed up") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              const Matrix was = right;
              for (std::size_t k = 0; k < was.size(); ++k) { // every number once
                  right.flat(k) = was.flat((k + 2) % was.size());
              }
              return right;
          }).starts_with("right_numbers_elsewhere: "));
    CHECK(looks_changed([](Matrix right) -> Matrix {
              const Matrix was = right;
              for (std::size_t k = 0; k < was.size(); ++k) {
                  right.flat(k) = was.flat(k * (k + 1) / 2 % was.size());
              }
              return right;
          }).starts_with("some_of_the_right_numbers_elsewhere: "));
}

TEST_CASE("look_of: a part that is wrong, whatever stands there") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              for (std::size_t i = 0; i < std::min(right.shape(0), right.shape(1)); ++i) {
                  right(i, i) = std::sin(right(i, i)) + static_cast<double>(i);
              }
              return right;
          }) == "diagonal_is_wrong: where the answer is wrong, only the diagonal is.");
}

TEST_CASE("look_of: every second column, and no region of which a part is right") {
    const auto name = [](const std::function<bool(std::size_t i, std::size_t j)>& wrong) {
        return looks_changed([&](Matrix right) {
            for (std::size_t i = 0; i < right.shape(0); ++i) {
                for (std::size_t j = 0; j < right.shape(1); ++j) {
                    right(i, j) += wrong(i, j) ? 1.5 + std::sin(static_cast<double>(7 * i + j)) : 0;
                }
            }
            return right;
        });
    };
    CHECK(name([](auto, auto j) {
              return j % 2 == 1;
          }).starts_with("odd_columns_is_wrong: where the answer is wrong, only every second"));
    CHECK(name([](auto, auto j) { return j % 2 == 0; }).starts_with("even_columns_is_wrong: "));
    CHECK(name([](auto, auto j) { return j > 0; }).starts_with("all_but_the_first_column_is_"));
    CHECK(name([](auto i, auto j) { return j > i; }).starts_with("above_the_diagonal_is_wrong: "));
    CHECK(name([](auto i, auto j) { return j > i && (i + j) % 3 != 0; }).empty());
    CHECK(name([](auto i, auto j) { return j > 0 && (i + 2 * j) % 3 != 0; }).empty());
}

TEST_CASE("look_of: rows or columns that fill no block are 0, also where nothing is left") {
    const auto in_blocks = [](std::size_t size, bool rows) {
        return looks_changed([=](Matrix right) {
            for (std::size_t i = 0; i < right.shape(0); ++i) {
                for (std::size_t j = 0; j < right.shape(1); ++j) {
                    const std::size_t n = right.shape(rows ? 0 : 1);
                    right(i, j) = (rows ? i : j) < n / size * size ? right(i, j) : 0;
                }
            }
            return right;
        });
    };
    CHECK(in_blocks(4, true).starts_with("zero_past_whole_blocks: the last rows are 0 where "));
    CHECK(in_blocks(2, true).starts_with("zero_past_whole_blocks: "));
    CHECK(in_blocks(4, false).starts_with("zero_past_whole_blocks: the last columns are 0 where "));
    CHECK(in_blocks(3, false).starts_with("zero_past_whole_blocks: "));
    CHECK(in_blocks(8, true).starts_with("all_zero: "));
    std::vector<Judged> answers;
    for (const double x : {0.3, 1.7, 4.1}) {
        const Vector right{x, x * 2, x * 3, x + 1, x + 2, x + 3};
        const Vector got{x, x * 2, x * 3, x + 1, 0, 0};
        answers.push_back({{"p"}, {to_value(right)}, to_value(got), to_value(right), false});
    }
    const auto look = look_of(answers, {});
    REQUIRE(look);
    CHECK(look->explanation.starts_with("the last elements are 0 where "));
}

TEST_CASE("look_of: sums lose what is left over past whole blocks of their terms") {
    const auto in_blocks = [](std::size_t size) {
        return looks([=](const Matrix& X, const Matrix& W) {
            Matrix part = X;
            for (std::size_t j = 0; j < X.shape(1); ++j) {
                if (X.shape(1) >= size && j >= X.shape(1) / size * size) {
                    xt::view(part, xt::all(), j) = 0;
                }
            }
            return product_of(part, W);
        });
    };
    CHECK(in_blocks(2).starts_with("argument_in_whole_blocks: this is the right answer if the last "
                                   "columns of X were 0 where "));
}

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
    const std::string start = "of the calls that were made, those are ";
    CHECK(wrong_where([](auto& s) { return s.rows == s.columns && s.rows > 1; }) ==
          start + "wrong where the number of rows of X is the number of columns of X, and no "
                  "others.");
    CHECK(wrong_where([](auto& s) { return s.columns > 10; }) ==
          start + "right where the number of columns of X is 7 or less, and wrong where it is 16 "
                  "or more.");
    CHECK(wrong_where([](auto& s) { return s.rows == 1; }) ==
          start + "wrong where the number of rows of X is 1, and no others.");
    CHECK(wrong_where([](auto& s) {
              return s.columns % 4 != 0 && s.columns >= 4;
          }).starts_with(start + "wrong where the number of columns of X is 4 or more and no "));
    CHECK(wrong_where([](auto& s) { return s.rows + s.columns == 5; }).empty());
    CHECK(wrong_where([](auto& s) { return s.rows > 1; }).empty()); // nearly all are wrong
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

TEST_CASE("look_of: the right numbers are written column after column") {
    CHECK(looks_changed([](Matrix right) {
              Matrix written = right;
              for (std::size_t i = 0; i < right.shape(0); ++i) {
                  for (std::size_t j = 0; j < right.shape(1); ++j) {
                      written.data()[j * right.shape(0) + i] = right(i, j);
                  }
              }
              return written;
          }).starts_with("written_by_columns: the right numbers stand in memory column after "));
}

TEST_CASE("look_of: small shares are 0, and the others make up for them") {
    const auto without = [](const std::vector<std::vector<double>>& shares, double least) {
        std::vector<Judged> answers;
        for (const std::vector<double>& numbers : shares) {
            Vector right = Vector::from_shape({numbers.size()});
            std::copy(numbers.begin(), numbers.end(), right.begin());
            right /= xt::sum(right)();
            Vector got = xt::where(right < least, 0.0, right);
            got /= xt::sum(got)();
            answers.push_back({{"p"}, {to_value(right)}, to_value(got), to_value(right), false});
        }
        const auto look = look_of(answers, {});
        return look ? look->name + ": " + look->explanation : "";
    };
    CHECK(without({{1, 2e-6, 3, 4}, {5, 2, 3e-6, 1e-7}}, 1e-5)
              .starts_with("small_ones_given_to_the_others: some small elements, up to "));
    CHECK(without({{1, 2, 3, 4}, {5, 2, 3, 1}}, 0.25)
              .starts_with("small_ones_given_to_the_others: in each row only the largest "));
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

TEST_CASE("look_of: what is tiny beside the rest is wrong, and the rest is right") {
    std::vector<Judged> answers;
    for (const double x : {0.3, 1.7, 4.1}) {
        const Vector right{x, x * 1e-30, 2, x * 1e-25};
        const Vector got{x, 1e-22, 2, 1e-22};
        answers.push_back({{"p"}, {to_value(right)}, to_value(got), to_value(right), false});
    }
    const auto look = look_of(answers, {});
    REQUIRE(look);
    CHECK(look->name == "tiny_ones_are_wrong");
    CHECK(look->explained == 3);
}

TEST_CASE("look_of: right to some digits and no further") {
    const auto by_a_share = [](double share) {
        return looks_changed([=](Matrix right) {
            const double largest = xt::amax(xt::abs(right))();
            double off = 1;
            for (double& number : right) {
                off = std::fmod(off * 3.7 + 1.3, 5);
                number += share * largest * (off - 2.503) / 2.503;
            }
            return right;
        });
    };
    CHECK(by_a_share(5e-8).starts_with("a_few_digits: the numbers are right to about 7 digits"));
    CHECK(by_a_share(5e-11).starts_with("a_few_digits: the numbers are right to about 10 digits"));
    CHECK(by_a_share(0.02).empty());
}

TEST_CASE("look_of: a sum that goes on, in a row, in a column, over all") {
    const auto summed = [](bool in_rows) {
        return [=](Matrix right) -> Matrix {
            for (std::size_t k = 1; k < right.size(); ++k) {
                if (!in_rows || k % right.shape(1) != 0) {
                    right.flat(k) += right.flat(k - 1);
                }
            }
            return right;
        };
    };
    CHECK(looks_changed(summed(true)).starts_with("sums_within_rows: "));
    CHECK(looks_changed(summed(false)).starts_with("sums_over_all: "));
}

TEST_CASE("look_of: one factor in each row, one in each column") {
    const auto scaled = [](bool rows) {
        return [=](Matrix right) -> Matrix {
            for (std::size_t i = 0; i < right.shape(0); ++i) {
                for (std::size_t j = 0; j < right.shape(1); ++j) {
                    right(i, j) *= 1.3 + 0.7 * static_cast<double>(rows ? i : j);
                }
            }
            return right;
        };
    };
    CHECK(looks_changed(scaled(true)).starts_with("a_factor_in_each_row: "));
    CHECK(looks_changed(scaled(false)).starts_with("a_factor_in_each_column: "));
}

TEST_CASE("look_of: something small that is added to what each row is divided by") {
    const auto divided = [](double small) {
        return [=](Matrix right) -> Matrix {
            for (std::size_t i = 0; i < right.shape(0); ++i) {
                xt::view(right, i, xt::all()) /= 1 + small / (1.5 + static_cast<double>(i));
            }
            return right;
        };
    };
    CHECK(looks_changed(divided(1e-6)).starts_with("something_small_in_the_divisor: "));
    CHECK(looks_changed(divided(1)).starts_with("a_factor_in_each_row: "));
    CHECK(looks_changed(divided(-1e-6)).starts_with("a_factor_in_each_row: "));
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

TEST_CASE("look_of: a shape that comes of another size is said by its names") {
    CHECK(looks([](const Matrix& X, const Matrix&) {
              return some_numbers(X.shape(0), X.shape(1), 0.9);
          }) ==
          "another_shape: the number of columns of the result is the number of columns of X, where "
          "it should be the number of columns of W.");
    CHECK(looks([](const Matrix&, const Matrix&) { return Matrix(); }) ==
          "without_elements: it has no elements: nothing is ever put into it.");
}

TEST_CASE("look_of: NaN, and a variable that was never set") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              for (std::size_t k = 0; k < right.size(); ++k) {
                  right.flat(k) = k % 2 == 0 ? std::nan("") : static_cast<double>(k);
              }
              return right;
          }).starts_with("not_a_number: "));
    CHECK(looks_changed([](Matrix right) -> Matrix {
              return right * 0 - 5.31401e303;
          }).starts_with("never_set: "));
}

TEST_CASE("look_of: what less than three quarters of the answers look like is not said") {
    std::size_t calls = 0;
    CHECK(looks_changed([&](Matrix right) -> Matrix {
              return ++calls % 2 == 0 ? Matrix(2 * right)
                                      : some_numbers(right.shape(0), right.shape(1), 1);
          }).empty());
}

TEST_CASE("look_of: of a list of one answer nothing is said") {
    auto answers = answered([](const Matrix& X, const Matrix& W) { return 2 * product_of(X, W); });
    answers.resize(1);
    CHECK_FALSE(look_of(answers, ask_product));
    CHECK_FALSE(look_of({}, ask_product));
}

TEST_CASE("look_of: the last element of a vector, and one factor for all of it") {
    std::vector<Judged> answers;
    for (const double x : {0.3, 1.7, 4.1}) {
        const Vector right{x, 2 * x + 1, 0.2 - x, 3};
        const Vector got{x, 2 * x + 1, 0.2 - x, 0};
        answers.push_back({{"p"}, {to_value(right)}, to_value(got), to_value(right), false});
    }
    const auto look = look_of(answers, {});
    REQUIRE(look);
    CHECK(look->explanation ==
          "the last element is 0, and the rest is right. Does a loop end one too early?");
    CHECK(look->explained == 3);
    CHECK(look->answers == 3);
}
