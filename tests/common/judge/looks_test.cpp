// Descriptions of wrong numbers, whatever their cause.

#include "products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "judge/grid.hpp"

using namespace products;
using attention::Tensor3;
using attention::Vector;

namespace {

/// The beginning of the description of these answers; "" if there is none.
template <class Change>
struct Expectation {
    const char* begins;
    Change change;
};

template <class Change, class Looks>
void check_all(const std::vector<Expectation<Change>>& rows, const Looks& look) {
    for (const auto& [begins, change] : rows) {
        const std::string said = look(change);
        const auto& this_begins = begins; // clang 14 captures no binding
        CAPTURE(this_begins);
        CAPTURE(said);
        CHECK((std::string(begins).empty() ? said.empty() : said.starts_with(begins)));
    }
}

/// Every number of a matrix as made of its place.
Matrix each(Matrix right, const std::function<double(std::size_t, std::size_t, double)>& of) {
    for (std::size_t i = 0; i < right.shape(0); ++i) {
        for (std::size_t j = 0; j < right.shape(1); ++j) {
            right(i, j) = of(i, j, right(i, j));
        }
    }
    return right;
}

double number(std::size_t n) {
    return static_cast<double>(n);
}

using ChangeMatrix = std::function<Matrix(Matrix)>;
using ChangeNumber = std::function<double(std::size_t, std::size_t, double)>;

} // namespace

TEST_CASE("look_of: all elements equal") {
    check_all<ChangeMatrix>(
        {{"", [](Matrix right) { return right; }},
         {"", [](Matrix right) { return some_numbers(right.shape(0), right.shape(1), 0.3); }},
         {"one_factor: every element is 2 times what it should be.",
          [](Matrix right) -> Matrix { return 2 * right; }},
         {"one_factor: every element is half of what it should be.",
          [](Matrix right) -> Matrix { return 0.5 * right; }},
         {"one_difference: every element is 1 too large.",
          [](Matrix right) -> Matrix { return right + 1; }},
         {"negated: every element has the wrong sign, and the right size.",
          [](Matrix right) -> Matrix { return -right; }},
         {"without_sign: ", [](Matrix right) -> Matrix { return xt::abs(right); }},
         {"a_few_digits: ", [](Matrix right) -> Matrix { return right * (1 + 3e-8); }},
         {"cut_to_whole_numbers: ", [](Matrix right) -> Matrix { return xt::trunc(right); }},
         {"never_set: ", [](Matrix right) -> Matrix { return right * 0 - 5.31401e303; }}},
        looks_changed);
}

TEST_CASE("look_of: a factor that depends on one of the sizes names it") {
    const auto divided = [](const auto& by) {
        return looks([&](const Matrix& X, const Matrix& W) -> Matrix {
            return product_of(X, W) / by(number(X.shape(0)), number(W.shape(1)));
        });
    };
    CHECK(divided([](double rows, double) { return rows; }) ==
          "a_factor: every element is what it should be, divided by the number of rows of X.");
    CHECK(divided([](double rows, double columns) {
              return 1.5 + rows * columns;
          }).starts_with("a_factor: in each answer all elements are off by the same factor"));
}

TEST_CASE("look_of: right numbers in other places") {
    check_all<ChangeMatrix>(
        {{"transposed: ", [](Matrix right) -> Matrix { return xt::transpose(right); }},
         {"last_column_missing: ",
          [](Matrix right) -> Matrix {
              return xt::view(right, xt::all(), xt::range(0, right.shape(1) - 1));
          }},
         {"rows_backwards: ",
          [](Matrix right) -> Matrix {
              return xt::view(right, xt::range(xt::placeholders::_, xt::placeholders::_, -1));
          }},
         {"written_by_columns: ",
          [](Matrix right) {
              const Matrix was = right;
              for (std::size_t k = 0; k < was.size(); ++k) {
                  right.data()[k] = was(k % was.shape(0), k / was.shape(0));
              }
              return right;
          }},
         {"right_numbers_elsewhere: ",
          [](Matrix right) {
              const Matrix was = right;
              for (std::size_t k = 0; k < was.size(); ++k) {
                  right.flat(k) = was.flat((k + 2) % was.size());
              }
              return right;
          }},
         {"right_numbers_elsewhere: ",
          [](Matrix right) {
              const Matrix was = right;
              for (std::size_t k = 0; k < was.size(); ++k) {
                  right.flat(k) = was.flat(k * (k + 1) / 2 % was.size());
              }
              return right;
          }}},
        looks_changed);
}

TEST_CASE("look_of: a part is 0 or wrong, and a region of which a part is right is not named") {
    const auto wrong = [](std::size_t i, std::size_t j) {
        return 1.5 + std::sin(number(7 * i + j));
    };
    check_all<ChangeNumber>(
        {{"diagonal_is_wrong: in the wrong answers, only the diagonal is wrong.",
          [](auto i, auto j, double x) { return i == j ? std::sin(x) + number(i) : x; }},
         {"", [&](auto i, auto j, double x) { return j % 2 == 1 ? x + wrong(i, j) : x; }},
         {"all_but_first_column_is_wrong: in the wrong answers, only the first column is right.",
          [&](auto i, auto j, double x) { return j > 0 ? x + wrong(i, j) : x; }},
         {"above_the_diagonal_is_wrong: ",
          [&](auto i, auto j, double x) { return j > i ? x + wrong(i, j) : x; }},
         {"", [&](auto i, auto j,
                  double x) { return j > i && (i + j) % 3 != 0 ? x + wrong(i, j) : x; }},
         {"", [&](auto i, auto j,
                  double x) { return j > 0 && (i + 2 * j) % 3 != 0 ? x + wrong(i, j) : x; }},
         {"a_factor_in_each_row: in each row all elements are off by the same factor: ",
          [](auto i, auto, double x) { return x * (1.3 + 0.7 * number(i)); }},
         {"a_factor_in_each_column: ",
          [](auto, auto j, double x) { return x * (1.3 + 0.7 * number(j)); }},
         {"a_few_digits: ",
          [](auto i, auto, double x) { return x / (1 + 1e-6 / (1.5 + number(i))); }},
         {"not_a_number: the wrong answers contain NaN or an infinity.",
          [](auto i, auto j, double) { return (i + j) % 2 == 0 ? NAN : number(i); }}},
        [](const ChangeNumber& change) {
            return looks_changed([&](Matrix right) { return each(right, change); });
        });
}

TEST_CASE("look_of: a sum that goes on") {
    const auto summed = [](bool in_rows) {
        return looks_changed([=](Matrix right) {
            for (std::size_t k = 1; k < right.size(); ++k) {
                right.flat(k) += in_rows && k % right.shape(1) == 0 ? 0 : right.flat(k - 1);
            }
            return right;
        });
    };
    CHECK(summed(true).starts_with("sums_within_rows: "));
    CHECK(summed(false).starts_with("sums_over_all: "));
}

TEST_CASE("look_of: along the first axis of a rank-3 answer") {
    using Change = std::function<void(Tensor3 & heads)>;
    const auto look = [](const Change& change) -> std::string {
        std::vector<JudgedCall> answers;
        for (const std::size_t n : {2U, 4U, 5U}) {
            const Matrix numbers = some_numbers(3 * n, n + 2, 0.1 * number(n));
            Tensor3 right = Tensor3::from_shape({3, n, n + 2});
            std::copy(numbers.begin(), numbers.end(), right.begin());
            Tensor3 got = right;
            change(got);
            answers.push_back({{"split", {"X"}, {to_value(numbers)}, Returned{to_value(got)}},
                               Returned{to_value(right)}});
        }
        const auto found = look_of(answers, {});
        return found ? found->name + ": " + found->text : "";
    };
    check_all<Change>(
        {{"last_of_the_first_axis_is_zero: the last matrix along the first axis is 0, and the rest",
          [](Tensor3& heads) { xt::view(heads, 2) = 0; }},
         {"first_of_the_first_axis_is_wrong: ",
          [](Tensor3& heads) { xt::view(heads, 0) += xt::cos(xt::view(heads, 1)); }},
         {"all_but_first_of_the_first_axis_is_wrong: in the wrong answers, only the first matrix along the first axis is right.",
          [](Tensor3& heads) {
              for (std::size_t k = heads.size() / 3; k < heads.size(); ++k) {
                  heads.flat(k) += 1 + number(k * k);
              }
          }},
         {"last_of_the_first_axis_missing: ",
          [](Tensor3& heads) {
              const Tensor3 was = heads;
              heads = xt::view(was, xt::range(0, 2));
          }},
         {"first_of_the_first_axis_everywhere: ",
          [](Tensor3& heads) {
              const Matrix first = xt::view(heads, 0);
              xt::view(heads, 1) = first;
              xt::view(heads, 2) = first;
          }},
         {"axes_exchanged: ",
          [](Tensor3& heads) {
              const Tensor3 was = heads;
              heads = xt::transpose(was, {1, 0, 2});
          }},
         {"axes_not_exchanged: ",
          [](Tensor3& heads) {
              const Tensor3 other = xt::transpose(heads, {1, 0, 2});
              std::copy(other.begin(), other.end(), heads.begin());
          }},
         {"last_row_is_zero: ",
          [](Tensor3& heads) { xt::view(heads, xt::all(), heads.shape(1) - 1) = 0; }}},
        look);
}

TEST_CASE("look_of: descriptions of single numbers") {
    const auto of_numbers = [](const std::vector<std::pair<double, double>>& got_and_right) {
        std::vector<JudgedCall> answers;
        for (const auto& [got, right] : got_and_right) {
            answers.push_back(
                {{"entropy", {"p"}, {{right}}, Returned{{got}}}, Returned{{right}}, got == right});
        }
        const auto look = look_of(answers, {});
        return look ? look->name + ": " + look->text : "";
    };
    CHECK(of_numbers({{0, 8}, {0, 2}, {0, 3}, {0, 0}, {0, 5}})
              .starts_with("all_zero: the answer is always 0."));
    CHECK(of_numbers({{0, 8}, {0, 2}, {0, 3}, {4, 4}, {0, 5}}).empty());
}

TEST_CASE("look_of: the last element of a vector, and how many answers that explains") {
    std::vector<JudgedCall> answers;
    for (const double x : {0.3, 1.7, 4.1}) {
        const Vector right{x, 2 * x + 1, 0.2 - x, 3};
        const Vector got{x, 2 * x + 1, 0.2 - x, 0};
        answers.push_back({{"softmax", {"p"}, {to_value(right)}, Returned{to_value(got)}},
                           Returned{to_value(right)}});
    }
    const auto look = look_of(answers, {});
    REQUIRE(look);
    CHECK(look->text ==
          "the last element is 0, and the rest is right. Does a loop end one too early?");
    CHECK(look->explained == 3);
    CHECK(look->answers == 3);
    CHECK(look->decisive);
}

TEST_CASE("look_of: a shape that comes from another size is described by its name") {
    CHECK(
        looks([](const Matrix& X, const Matrix&) {
            return some_numbers(X.shape(0), X.shape(1), 0.9);
        }) ==
        "another_shape: the number of columns of the result is the number of columns of X, where it should be the number of columns of W.");
    CHECK(looks([](const Matrix&, const Matrix&) { return Matrix(); }) ==
          "another_shape: it has no elements: nothing is ever stored in it.");
}

TEST_CASE("look_of: what less than three quarters of the answers look like is not said") {
    std::size_t calls = 0;
    CHECK(looks_changed([&](Matrix right) -> Matrix {
              return ++calls % 2 == 0 ? Matrix(2 * right)
                                      : some_numbers(right.shape(0), right.shape(1), 1);
          }).empty());
    auto answers = answered([](const Matrix& X, const Matrix& W) { return 2 * product_of(X, W); });
    answers.resize(1);
    CHECK_FALSE(look_of(answers, ask_product));
    CHECK_FALSE(look_of({}, ask_product));
}

TEST_CASE("look_of: right to some digits and no further") {
    const auto by_a_share = [](double share) {
        return looks_changed([=](Matrix right) {
            double off = 1;
            for (double& x : right) {
                off = std::fmod(off * 3.7 + 1.3, 5);
                x *= 1 + share * (0.3 + off / 5);
            }
            return right;
        });
    };
    CHECK(by_a_share(5e-8).starts_with(
        "a_few_digits: the numbers are right to about 7 digits, and no further. "
        "A float has 7 digits, and one float is enough to lose the others"));
    CHECK(by_a_share(5e-11).starts_with("a_few_digits: the numbers are right to about 10 digits"));
    CHECK(by_a_share(0.02).empty());
}

TEST_CASE("look_of: the answer is an argument, or right for other arguments") {
    using ChangeX = std::function<void(Matrix & X)>;
    check_all<ChangeX>(
        {{"argument_without_sign: this is the right answer for |X|",
          [](Matrix& X) { X = xt::eval(xt::abs(X)); }},
         {"last_column_of_argument: this is the right answer if the last column of X were 0.",
          [](Matrix& X) { xt::view(X, xt::all(), X.shape(1) - 1) = 0; }},
         {"argument_read_by_columns: ",
          [](Matrix& X) {
              const Matrix was = X;
              X = each(X, [&](std::size_t i, std::size_t j, double) {
                  return was.data()[j * was.shape(0) + i];
              });
          }}},
        [](const ChangeX& change) {
            return looks([&](Matrix X, const Matrix& W) {
                change(X);
                return product_of(X, W);
            });
        });
    CHECK(looks([](const Matrix& X, const Matrix&) { return X; }) ==
          "an_argument: this is X, as it was given.");
    CHECK_FALSE(look_of(
        answered([](const Matrix& X, const Matrix& W) { return product_of(xt::abs(X), W); }), {}));
}

TEST_CASE("same_numbers: nothing finite is near an infinity") {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto same = [](double a, double b) {
        return judge::same_numbers({{2}, {a, 1}}, {{2}, {b, 1}});
    };
    CHECK(same(-infinity, -infinity));
    CHECK(same(2, 2 + 1e-12));
    CHECK_FALSE(same(0, -infinity));
    CHECK_FALSE(same(infinity, -infinity));
}
