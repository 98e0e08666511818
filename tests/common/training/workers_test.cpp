#include "training/workers.hpp"

#include "common/refused.hpp"

#include <doctest/doctest.h>
#include <stdexcept>

using training::Workers;

TEST_CASE("workers: every part is called, and an error of one is thrown") {
    Workers workers(3);
    std::vector<int> calls(3, 0);
    workers.run([&](std::size_t part) { ++calls[part]; });
    CHECK(calls == std::vector<int>{1, 1, 1});
    CHECK_REFUSED(workers.run([](std::size_t part) {
        if (part == 1) {
            throw std::invalid_argument("part 1");
        }
    }),
                  "part 1");
    workers.run([&](std::size_t part) { ++calls[part]; });
    CHECK(calls == std::vector<int>{2, 2, 2});
}
