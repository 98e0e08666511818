// A large failing call shrinks to one that a person would have written.

#include <doctest/doctest.h>

#include "judge/compare.hpp"
#include "judge/export.hpp"
#include "support/domain.hpp"
#include "support/kinds_of_arguments.hpp"
#include "support/oracle.hpp"

using attention::Matrix;
using domain::Failing;
using domain::Kind;
using judge::List;
using judge::Value;

namespace {

Matrix drawn(std::size_t rows, std::size_t columns, std::uint64_t seed, double scale = 1) {
    auto numbers =
        judge::from_value<Matrix>(domain::ordinary(Kind::scores, {rows, columns}, {}, seed));
    return scale * numbers;
}

/// How a wrong function fails, beside the right one.
template <class Signature>
auto failing(Signature* right, Signature* wrong) {
    return [=](const List& arguments) {
        const Value expected = domain::of<Signature>(right)(arguments);
        const Value actual = domain::of<Signature>(wrong)(arguments);
        if (!judge::compare(actual, expected, judge::in_double)) {
            return Failing::not_at_all;
        }
        return judge::is_undefined(actual, expected) ? Failing::undefined : Failing::numbers;
    };
}

using Rows = Matrix(const Matrix&);
using Product = Matrix(const Matrix&, const Matrix&);

/// The shrunken `scores` for a wrong softmax of rows.
Matrix left_of(const Matrix& scores, Rows* wrong) {
    const List left = domain::shrunk({judge::to_value(scores)},
                                     {{domain::axes_of("n_queries x n_keys")},
                                      {},
                                      failing<Rows>(oracle::softmax_rows<double>, wrong)});
    return judge::from_value<Matrix>(left.at(0));
}

Matrix no_maximum(const Matrix& s) {
    const Matrix terms = xt::exp(s), sums = xt::sum(terms, {1}, xt::keep_dims);
    return terms / sums;
}
Matrix over_columns(const Matrix& s) {
    return xt::transpose(oracle::softmax_rows(Matrix(xt::transpose(s))));
}
Matrix last_row_is_zero(const Matrix& s) {
    Matrix weights = oracle::softmax_rows(s);
    xt::view(weights, s.shape(0) - 1, xt::all()) = 0;
    return weights;
}
Matrix right_up_to_eight_keys(const Matrix& s) {
    Matrix weights = oracle::softmax_rows(s);
    if (s.shape(1) > 8) {
        weights *= 2;
    }
    return weights;
}

Matrix left_of_product(Product* wrong) {
    const List left =
        domain::shrunk({judge::to_value(drawn(5, 7, 1)), judge::to_value(drawn(7, 4, 2))},
                       {{domain::axes_of("n x d"), domain::axes_of("d x d_out")},
                        {},
                        failing<Product>(oracle::matmul<double>, wrong)});
    return judge::from_value<Matrix>(left.at(0));
}

} // namespace

TEST_CASE("a formula that overflows is shown with one score, just above where exp ends") {
    CHECK(left_of(drawn(31, 127, 1, 400), no_maximum) == Matrix{{710}});
    CHECK(left_of(Matrix{{0, 1e300, 3}, {1, 2, 3}}, no_maximum) == Matrix{{710}});
}

TEST_CASE("numbers become 0 and 1 where these fail, too") {
    CHECK(left_of(drawn(5, 7, 5), over_columns).size() == 2);
    CHECK(left_of(drawn(5, 7, 6), last_row_is_zero) == Matrix{{0}});
}

TEST_CASE("a size at which a mistake begins is met exactly") {
    CHECK(left_of(drawn(3, 131, 7), right_up_to_eight_keys).shape() == Matrix::shape_type{1, 9});
}

TEST_CASE("a size that two arguments share shrinks in both") {
    CHECK(left_of_product([](const Matrix& X, const Matrix& W) -> Matrix {
              return oracle::matmul(X, W) - X(0, X.shape(1) - 1) * W(W.shape(0) - 1, 0);
          }) == Matrix{{1}});
}

TEST_CASE("a product of sizes loses a whole head at a time") {
    const domain::Axes axes = domain::axes_of("n x heads*d");
    CHECK(axes == domain::Axes{{"n"}, {"heads", "d"}});
    const List call{judge::to_value(drawn(3, 10, 1)), {std::uint64_t{5}}};
    const auto fails = [](const List& these) { // where there are two heads, whatever is in them
        return std::get<std::uint64_t>(these[1].data) >= 2 ? Failing::numbers : Failing::not_at_all;
    };
    const List left = domain::shrunk(call, {{axes, domain::axes_of("heads")}, {}, fails});
    CHECK(std::get<std::uint64_t>(left[1].data) == 2);
    CHECK(judge::from_value<Matrix>(left[0]) == Matrix{{0, 0}});
}

TEST_CASE("optional arguments are left out if the call fails without them") {
    const List call{judge::to_value(drawn(3, 4, 1)), judge::to_value(drawn(3, 4, 2))};
    const List left = domain::shrunk(call, {.axes = {domain::axes_of("n x m"), {}},
                                            .least = {},
                                            .failing = [](auto&) { return Failing::numbers; },
                                            .optional = {false, true}});
    CHECK(std::holds_alternative<std::monostate>(left[1].data));
    CHECK(judge::from_value<Matrix>(left[0]) == Matrix{{0}});
}

TEST_CASE("calls that do not fail, or never return, are not changed") {
    const List call{judge::to_value(drawn(3, 4, 1))};
    for (const Failing way : {Failing::not_at_all, Failing::ending}) {
        const List left = domain::shrunk(
            call, {{domain::axes_of("n x m")}, {}, [=](const List&) { return way; }});
        CHECK(judge::encode(left[0]) == judge::encode(call[0]));
    }
}

TEST_CASE("smaller weights still sum to 1, and others are not changed") {
    Value weights = judge::to_value(Matrix{{1, 3}, {-1, 0}, {0.3, 0.7}});
    domain::to_rows_of_shares(weights);
    CHECK(judge::from_value<Matrix>(weights) == Matrix{{0.25, 0.75}, {1, 0}, {0.3, 0.7}});
}
