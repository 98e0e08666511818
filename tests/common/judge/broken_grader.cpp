// A grader with the faults that one can have, an exercise each; grader_main_test runs it. The
// submission is `hostile`.

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

#include "exports.hpp"
#include "judge/expect.hpp"

TEST_CASE("90.1 sound: adds") {
    judge::expect_close(graded::add(2, 3), 5.0);
}

TEST_CASE("90.2 broken: throws what no check threw") {
    graded::add(2, 3);
    throw std::runtime_error("a file of ours is missing");
}

TEST_CASE("90.3 broken: checks with doctest, which records nothing") {
    const double sum = graded::add(2, 3);
    CHECK(sum == 6);
}

TEST_CASE("90.4 broken: asks the submission nothing") {}

TEST_CASE("90.5 sound: asks what never answers") {
    graded::loops(true);
}

TEST_CASE("90.7 sound: wants a wrong sum") {
    judge::expect_close(graded::add(2, 3), 6.0);
}

TEST_CASE("90.7 sound: and another") {
    judge::expect_close(graded::add(2, 3), 7.0);
}

TEST_CASE("90.8 sound: calls what is written, and what is not") {
    judge::expect_close(graded::add(2, 3), 5.0);
    graded::half_written(-1);
}

TEST_CASE("90.9 sound: first calls what is not written") {
    graded::half_written(-1);
}

TEST_CASE("90.9 sound: wants a wrong sum") {
    judge::expect_close(graded::add(2, 3), 6.0);
}

TEST_CASE("91.1 sound: wants products") {
    for (const double factor : {1.0, 2.0, -3.0}) {
        const attention::Matrix X{{factor, 2}, {3, 4}};
        const attention::Matrix W{{5, 6}, {7, 8 * factor}};
        judge::expect_close(
            graded::product(X, W),
            attention::Matrix{{5 * factor + 14, 6 * factor + 16 * factor}, {43, 18 + 32 * factor}});
    }
}

TEST_CASE("90.6 broken: crashes") {
    graded::add(2, 3);
    std::abort();
}
