#include <doctest/doctest.h>

#include <cmath>

#include "exports.hpp"
#include "judge/expect.hpp"
#include "judge/text.hpp"
#include "support/drawn.hpp"
#include "support/golden.hpp"
#include "support/oracle.hpp"

namespace grader_jacobian {

using drawn::standard_normal;
using judge::expect_that;
using judge::number_text;
using judge::sizes;
using lesson::Matrix;
using lesson::Vector;

namespace {

const Vector soft{1.0 / 2, 1.0 / 3, 1.0 / 6};

/// Products of two weights, and p (1 - p) of weights that are not too close to 1: right to what is
/// left of 16 digits, the small ones too. A difference quotient has six to eleven, float has seven.
void expect_close(const Matrix& actual, const Matrix& expected) {
    judge::expect_close(actual, expected, {1e-10, 1e-300});
}

/// How an answer errs off its diagonal, where nothing cancels.
struct Errors {
    double of_largest = 0;           // the largest, beside the largest element of the Jacobian
    double relative = 0;             // the largest, beside the element itself
    double least = 1e300, most = -1; // with their signs
    bool lost = false;               // an element is NaN
};
Errors errors_of(const Matrix& actual, const Matrix& expected) {
    Errors errors;
    const double largest = xt::amax(xt::abs(expected))();
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const double wanted = expected.flat(k), error = actual.flat(k) - wanted;
        if (k % (expected.shape(1) + 1) == 0 || wanted == 0) {
            continue;
        }
        errors.of_largest = std::max(errors.of_largest, std::abs(error) / largest);
        errors.relative = std::max(errors.relative, std::abs(error / wanted));
        errors.least = std::min(errors.least, error);
        errors.most = std::max(errors.most, error);
        errors.lost = errors.lost || std::isnan(error);
    }
    return errors;
}

/// Near the Jacobian, but small elements are off by more than rounding to float brings, and not all
/// by one number.
bool errs_as_differences_do(const std::vector<judge::Session::Answer>& answers) {
    std::size_t off = 0;
    double relative = 0;
    bool varies = false;
    for (const judge::Session::Answer& answer : answers) {
        const auto actual = judge::from_value<Matrix>(answer.actual);
        const auto expected = judge::from_value<Matrix>(answer.expected);
        if (actual.shape() != expected.shape()) {
            return false;
        }
        const Errors errors = errors_of(actual, expected);
        if (errors.lost || errors.of_largest > 1e-3) {
            return false;
        }
        off += errors.of_largest > 1e-13 ? 1 : 0;
        relative = std::max(relative, errors.relative);
        varies = varies || errors.most - errors.least >
                               0.1 * std::max(std::abs(errors.most), std::abs(errors.least));
    }
    return 2 * off > answers.size() && relative > 1e-5 && varies;
}

const bool registered = [] {
    judge::session().recognise("softmax_jacobian", "finite_differences", errs_as_differences_do);
    return true;
}();

void expect_shape(const Matrix& actual, const std::vector<std::size_t>& shape) {
    expect_that(sizes(actual) == shape, "the shape should be " + judge::index_text(shape),
                "it is " + judge::index_text(sizes(actual)));
}

/// The weight at that place is nearly 1: of its p − p² no digit need be left.
void expect_close_but_at_1(const Vector& p, std::size_t place) {
    const Matrix expected = oracle::softmax_jacobian(p);
    Matrix J = graded::softmax_jacobian(p);
    expect_shape(J, sizes(expected));
    if (std::abs(J(place, place) - expected(place, place)) <= 4e-16) {
        J(place, place) = expected(place, place);
    }
    expect_close(J, expected);
}

void expect_sum(const std::string& what, double sum, double expected) {
    expect_that(std::abs(sum - expected) <= 1e-9, what + " sums to " + number_text(expected),
                "it sums to " + number_text(sum));
}

} // namespace

TEST_CASE("03.3 softmax_jacobian: weights of 1/2, 1/3 and 1/6, small enough to do by hand") {
    expect_close(graded::softmax_jacobian(soft), Matrix{{1.0 / 4, -1.0 / 6, -1.0 / 12},
                                                        {-1.0 / 6, 2.0 / 9, -1.0 / 18},
                                                        {-1.0 / 12, -1.0 / 18, 5.0 / 36}});
}

TEST_CASE(
    "03.3 softmax_jacobian: equal weights: a gain of 3/16 is paid for by three losses of 1/16") {
    const double gain = 3.0 / 16;
    const double loss = -1.0 / 16;
    expect_close(graded::softmax_jacobian({0.25, 0.25, 0.25, 0.25}),
                 Matrix{{gain, loss, loss, loss},
                        {loss, gain, loss, loss},
                        {loss, loss, gain, loss},
                        {loss, loss, loss, gain}});
}

TEST_CASE("03.3 softmax_jacobian: every row sums to 0, what one weight gains the others lose") {
    const Matrix J = graded::softmax_jacobian({0.4, 0.3, 0.2, 0.1});
    expect_shape(J, {4, 4});
    for (std::size_t i = 0; i < J.shape(0); ++i) {
        expect_sum("row " + std::to_string(i), xt::sum(xt::view(J, i, xt::all()))(), 0);
    }
}

TEST_CASE("03.3 softmax_jacobian: weight i moves with score j as weight j does with score i") {
    const Matrix J = graded::softmax_jacobian({0.1, 0.2, 0.3, 0.4});
    expect_shape(J, {4, 4});
    for (std::size_t i = 0; i < J.shape(0); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            expect_that(std::abs(J(i, j) - J(j, i)) <= 1e-9, "the matrix is symmetric",
                        "element " + judge::index_text({i, j}) + " is " + number_text(J(i, j)) +
                            " and " + judge::index_text({j, i}) + " is " + number_text(J(j, i)));
        }
    }
}

TEST_CASE("03.3 softmax_jacobian: a score that rises lifts its own weight and lowers the others") {
    const Matrix J = graded::softmax_jacobian({0.6, 0.1, 0.3});
    expect_shape(J, {3, 3});
    for (std::size_t i = 0; i < J.shape(0); ++i) {
        for (std::size_t j = 0; j < J.shape(1); ++j) {
            expect_that(i == j ? J(i, j) > 0 : J(i, j) < 0,
                        i == j ? "the diagonal is positive" : "all but the diagonal is negative",
                        "element " + judge::index_text({i, j}) + " is " + number_text(J(i, j)));
        }
    }
}

TEST_CASE("03.3 softmax_jacobian: is what a small step in each score does to the weights") {
    const Vector scores = standard_normal(5, 51);
    const double step = 1e-5;
    Matrix measured = Matrix::from_shape({5, 5});
    for (std::size_t j = 0; j < 5; ++j) {
        Vector up = scores;
        Vector down = scores;
        up(j) += step;
        down(j) -= step;
        xt::view(measured, xt::all(), j) =
            (oracle::softmax(up) - oracle::softmax(down)) / (2 * step);
    }
    judge::expect_close(graded::softmax_jacobian(oracle::softmax(scores)), measured, {1e-5, 1e-6});
}

TEST_CASE("03.3 softmax_jacobian: nothing moves where one weight has everything") {
    const Matrix zeros = xt::zeros<double>({3, 3});
    expect_close(graded::softmax_jacobian({0, 1, 0}), zeros);
}

TEST_CASE("03.3 softmax_jacobian: a weight of 0 does not move, and stands in no other's way") {
    for (const Vector& p : {Vector{0.25, 0.5, 0, 0.25},
                            {0, 0.25, 0.75},
                            {0.25, 0, 0.75},
                            {0.25, 0.75, 0},
                            {0, 0.5, 0, 0.5},
                            {0.125, 0, 0, 0.875, 0},
                            {1, 0},
                            {0, 1}}) {
        expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
    }
}

TEST_CASE("03.3 softmax_jacobian: almost nothing moves at softmax([10, 0, 0])") {
    const Vector p = oracle::softmax(Vector{10, 0, 0});
    expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
}

TEST_CASE("03.3 softmax_jacobian: a small weight moves little, and its row and column say how "
          "little") {
    for (std::size_t place = 0; place < 4; ++place) {
        Vector scores{0.5, -1, 1, 0};
        for (const double low : {-22, -30, -50, -300}) {
            scores(place) = low;
            const Vector p = oracle::softmax(scores);
            expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
        }
    }
}

TEST_CASE("03.3 softmax_jacobian: weights that begin and end alike, and have one sum, are not the "
          "same") {
    const Matrix rows = drawn::look_alikes(4, 6, 52);
    for (std::size_t i = 0; i < 4; ++i) {
        const Vector p = oracle::softmax(Vector(xt::view(rows, i, xt::all())));
        expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
    }
}

TEST_CASE("03.3 softmax_jacobian: weights that are equal but for two, or 0 but for some, are not "
          "equal, and not one alone") {
    const auto expect = [](const Vector& p) {
        expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
    };
    for (const std::size_t n_keys : {2U, 3U, 4U, 5U}) {
        const Vector equal = xt::ones<double>({n_keys}) / static_cast<double>(n_keys);
        expect(equal);
        for (std::size_t more = 0; more < n_keys; ++more) {
            Vector one = xt::zeros<double>({n_keys});
            one(more) = 1;
            expect(one);
            for (std::size_t less = 0; less < n_keys; ++less) {
                if (less == more) {
                    continue;
                }
                Vector p = equal;
                p(more) += 1.0 / 16;
                p(less) -= 1.0 / 16;
                expect(p);
                one(more) = 0.75;
                one(less) = 0.25;
                expect(one);
                one(less) = 0;
            }
        }
    }
}

TEST_CASE("03.3 softmax_jacobian: weights that are nearly equal, to three, five, seven or nine "
          "digits") {
    for (const double size : {1e-3, 1e-5, 1e-7, 1e-9}) {
        for (const std::size_t n_keys : {2U, 3U, 5U}) {
            const Vector p = oracle::softmax<double>(size * standard_normal(n_keys, 54));
            expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
        }
    }
}

TEST_CASE("03.3 softmax_jacobian: a weight that is alone is 1, and cannot move") {
    expect_close(graded::softmax_jacobian({1}), Matrix{{0.0}});
}

TEST_CASE("03.3 softmax_jacobian: awkward lengths agree with plain loops in long double") {
    for (const std::size_t n_keys : {2U, 3U, 7U, 31U, 70U, 261U}) {
        const Vector p = oracle::softmax<double>(2 * standard_normal(n_keys, n_keys));
        expect_close(graded::softmax_jacobian(p), oracle::softmax_jacobian(p));
    }
}

TEST_CASE("03.3 softmax_jacobian: is the derivative that PyTorch finds") {
    judge::expect_close(graded::softmax_jacobian(support::golden_vector("softmax/vector")),
                        support::golden("softmax/jacobian"), {1e-5, 1e-6});
}

TEST_CASE("03.3 softmax_jacobian: where one weight is nearly 1, the others move by as much as they "
          "weigh") {
    // Asked last, and of a function that is right so far: two right ones part where of p − p² no
    // digit is left, and beside them a wrong one does not look like what it is.
    if (!judge::session().failures().empty()) {
        return;
    }
    std::vector<std::pair<Vector, std::size_t>> all;
    for (const double lead : {20.0, 28.0, 34.0, 300.0}) {
        all.emplace_back(oracle::softmax(Vector{0, lead, -1, 0}), 1);
        // Of two, of three and of five, wherever it stands.
        for (const std::size_t n_keys : {2U, 3U, 5U}) {
            for (std::size_t place = 0; place < n_keys; ++place) {
                Vector scores = standard_normal(n_keys, 53);
                scores(place) = lead;
                all.emplace_back(oracle::softmax(scores), place);
            }
        }
    }
    // All are asked before the first is judged: together they tell what is wrong with them.
    for (const auto& [p, place] : all) {
        static_cast<void>(graded::softmax_jacobian.attempt(p));
    }
    for (const auto& [p, place] : all) {
        expect_close_but_at_1(p, place);
    }
}

} // namespace grader_jacobian
