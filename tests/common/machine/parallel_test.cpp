#include "machine/parallel.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <stdexcept>
#include <thread>
#include <vector>

using attention::parallel_for;

TEST_CASE("parallel_for: does every item once, with worker numbers below the limit") {
    for (const std::size_t workers : {0U, 1U, 2U, 5U}) {
        for (const std::size_t items : {0U, 1U, 3U, 1000U}) {
            std::vector<std::atomic<int>> done(items);
            std::atomic<std::size_t> largest{0};
            parallel_for(workers, items, [&](std::size_t item, std::size_t worker) {
                ++done[item];
                largest = std::max(largest.load(), worker);
            });
            for (const auto& count : done) {
                CHECK(count == 1);
            }
            CHECK(largest <= (workers == 0 ? 0 : workers - 1));
        }
    }
}

TEST_CASE("parallel_for: a call from inside runs on its caller's thread alone") {
    std::atomic<int> strangers{0}, done{0};
    parallel_for(3, 12, [&](std::size_t, std::size_t) {
        const auto self = std::this_thread::get_id();
        parallel_for(4, 10, [&](std::size_t, std::size_t worker) {
            strangers += std::this_thread::get_id() != self || worker != 0;
            ++done;
        });
    });
    CHECK(strangers == 0);
    CHECK(done == 120);
}

TEST_CASE("parallel_for: calls from several threads at once all finish") {
    std::atomic<int> done{0};
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&] {
            for (int repeat = 0; repeat < 200; ++repeat) {
                parallel_for(3, 7, [&](std::size_t, std::size_t) { ++done; });
            }
        });
    }
    callers.clear();
    CHECK(done == 4 * 200 * 7);
}

TEST_CASE("parallel_for: an exception ends the work and is passed on; the next call works") {
    std::atomic<int> done{0};
    CHECK_THROWS_WITH_AS(parallel_for(2, 100000,
                                      [&](std::size_t item, std::size_t) {
                                          if (item == 3) {
                                              throw std::runtime_error("item 3");
                                          }
                                          ++done;
                                      }),
                         "item 3", std::runtime_error);
    CHECK(done < 100000);
    done = 0;
    parallel_for(2, 10, [&](std::size_t, std::size_t) { ++done; });
    CHECK(done == 10);
}
