// What wrong numbers look like, whatever they were made of.

#include "products.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

using namespace products;
using attention::Vector;

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
    CHECK(in_blocks(8, true).starts_with("all_zero: every element is 0. Does what is computed "));
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

TEST_CASE("look_of: a matrix is read as if its rows were as long as another size says") {
    CHECK(looks([](const Matrix& X, const Matrix& W) {
              Matrix read = X;
              for (std::size_t i = 0; i < X.shape(0); ++i) {
                  for (std::size_t j = 0; j < X.shape(1); ++j) {
                      const std::size_t at = i * W.shape(1) + j;
                      read(i, j) = at < X.size() ? X.data()[at] : 1.5; // what lies past the end
                  }
              }
              return product_of(read, W);
          }) == "rows_of_another_length: this is the right answer for X with rows taken to be as "
                "long as the number of columns of W says. Row i begins at element i times the "
                "number of columns of X.");
}

TEST_CASE("look_of: what is left over past whole blocks is lost, where they begin to pay") {
    const auto explanation = [](bool of_the_argument) -> std::string {
        const auto answer = [=](const Vector& x) {
            return to_value(of_the_argument
                                ? Vector{xt::sum(x)(), xt::sum(x * x)(), xt::sum(xt::exp(x))()}
                                : Vector(2 * x));
        };
        std::vector<Judged> answers;
        for (const std::size_t length : {3U, 9U, 17U, 22U, 24U, 31U}) {
            const Vector given = xt::cos(xt::arange<double>(static_cast<double>(length)) + 0.3);
            Vector part = given;
            if (length >= 16) {
                xt::view(part, xt::range(length / 4 * 4, length)) = 0;
            }
            answers.push_back({{"p"},
                               {to_value(given)},
                               answer(part),
                               answer(given),
                               length < 16 || length % 4 == 0});
        }
        const auto look = look_of(answers, [&](const List& arguments) -> std::optional<Value> {
            return answer(from_value<Vector>(arguments.at(0)));
        });
        return look ? look->explanation : "";
    };
    CHECK(explanation(false).starts_with("the last elements are 0 where there are 17 or more of "
                                         "them and their number is no multiple "));
    CHECK(explanation(true).starts_with("this is the right answer if the last elements of p were 0 "
                                        "where there are 17 or more of them and their number "));
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
                                   "columns of X were 0 where there are more than a block of them "
                                   "and their number is no multiple of a block's size."));
    CHECK(looks([](const Matrix& X, const Matrix& W) {
              Matrix part = X; // of the fourth and on only blocks of 4 are done, of others none
              xt::view(part, xt::all(), xt::range(X.shape(1) / 4 * 4, X.shape(1))) = 0;
              return product_of(part, W);
          })
              .starts_with(
                  "argument_in_whole_blocks: this is the right answer if the last columns of "
                  "X were 0 where their number is no multiple of a block's size."));
}

TEST_CASE("look_of: all is 0, where no answer is anything else") {
    std::size_t calls = 0;
    const auto zero_but_for_one = [&](Matrix right) -> Matrix {
        return ++calls == 3 ? right : Matrix(0 * right);
    };
    // Nor are blocks lost that would be as large as all.
    CHECK(looks_changed(zero_but_for_one).starts_with("argument_all_zero: this is the right "));
    const auto of_numbers = [](const std::vector<std::pair<double, double>>& got_and_right) {
        std::vector<Judged> answers;
        for (const auto& [got, right] : got_and_right) {
            answers.push_back({{"p"}, {{right}}, {{got}}, {right}, got == right});
        }
        const auto look = look_of(answers, {});
        return look ? look->name + ": " + look->explanation : "";
    };
    CHECK(of_numbers({{0, 8}, {0, 2}, {0, 3}, {0, 0}, {0, 5}}) ==
          "all_zero: it is always 0. Does what is computed never reach the result, or is it "
          "multiplied by 0? 1 / 2, a division of integers, is 0, and so is what is "
          "subtracted from itself.");
    // Neither that all is 0 nor that what is positive is.
    CHECK(of_numbers({{0, 8}, {0, 2}, {0, 3}, {4, 4}, {0, 5}}) == "");
    CHECK(of_numbers({{0, 8}, {0, 2}, {0, 3}, {-4, -4}, {0, 5}}).starts_with("positives_cut_off"));
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
    CHECK(without({{1, 2, 3, 4}, {5, 2, 3, 1}, {2, 4, 1, 3}}, 0.25)
              .starts_with("small_ones_given_to_the_others: in each row only the largest "));
    // In one row they may be gone for another reason.
    CHECK(!without({{1, 2, 3, 4}}, 0.25).starts_with("small_ones_given_to_the_others"));
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
    CHECK(looks_changed(scaled(true)) ==
          "a_factor_in_each_row: in each row all elements are off by one factor: they are in the "
          "right proportion to each other, but divided or multiplied by something wrong, or not at "
          "all.");
    CHECK(looks_changed(scaled(false)) ==
          "a_factor_in_each_column: in each column all elements are off by one factor: they are "
          "multiplied or divided by something wrong, or not at all.");
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

TEST_CASE("look_of: a shape that comes of another size is said by its names") {
    CHECK(looks([](const Matrix& X, const Matrix&) {
              return some_numbers(X.shape(0), X.shape(1), 0.9);
          }) ==
          "another_shape: the number of columns of the result is the number of columns of X, where "
          "it should be the number of columns of W.");
    // Of two calls alone it may be no rule.
    auto answers = answered([](const Matrix& X, const Matrix& W) {
        return X.shape(0) == 2 || X.shape(0) == 3 ? some_numbers(X.shape(1), W.shape(1), 0.9)
                                                  : product_of(X, W);
    });
    for (Judged& answer : answers) {
        if (!answer.right) {
            const auto W = from_value<Matrix>(answer.arguments[1]);
            answer.expected = to_value(some_numbers(1, W.shape(1), 0.3));
        }
    }
    const auto here = look_of(answers, {});
    REQUIRE(here);
    CHECK(here->explanation == "the number of rows of the result is the number of columns of X, "
                               "where it should be 1 here.");
    CHECK(looks([](const Matrix&, const Matrix&) { return Matrix(); }) ==
          "without_elements: it has no elements: nothing is ever put into it.");
}

TEST_CASE("look_of: NaN, and a variable that was never set") {
    CHECK(looks_changed([](Matrix right) -> Matrix {
              for (std::size_t k = 0; k < right.size(); ++k) {
                  right.flat(k) = k % 2 == 0 ? std::nan("") : static_cast<double>(k);
              }
              return right;
          }) ==
          "not_a_number: where the answer is wrong there is NaN or an infinity in it. inf is "
          "given, or comes of what is too large or divided by 0; NaN comes of 0 / 0 (a sum "
          "that nothing is added to: does its loop reach the last element?), of inf / inf, "
          "inf - inf or 0 times inf (a weight of 0, and an infinite value), and of a negative "
          "number's root or logarithm.");
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
