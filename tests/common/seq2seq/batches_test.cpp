#include "common/refused.hpp"
#include "examples.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace seq2seq;

TEST_CASE("make_batch: time steps are blocks of rows, padded at the end") {
    const std::vector<Example> examples{{{5, 6, 3}, {7, 3}}, {{8, 3}, {9, 10, 3}}};
    const Batch batch = make_batch(examples, {0, 1});
    CHECK(batch.source == Ids{5, 8, 6, 3, 3, 0});
    CHECK(batch.source_lengths == std::vector<std::size_t>{3, 2});
    CHECK(batch.source_active == std::vector<std::vector<char>>{{1, 1}, {1, 1}, {1, 0}});
    CHECK(batch.target_in == Ids{2, 2, 7, 9, 0, 10});
    CHECK(batch.target_active == std::vector<std::vector<char>>{{1, 1}, {1, 1}, {0, 1}});
    CHECK(batch.target_rows == Ids{0, 1, 2, 3, 5});
    CHECK(batch.target_words == Ids{7, 9, 3, 10, 3});
}

TEST_CASE("make_epoch: every sentence once, in an order of the epoch's own that can be repeated") {
    const auto examples = random_examples(1000, 12, 50, 60);
    const auto batches = make_epoch(examples, 8, 1, 0);
    Ids all;
    for (const Ids& batch : batches) {
        CHECK(batch.size() <= 8);
        all.insert(all.end(), batch.begin(), batch.end());
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i] == i);
    }
    CHECK(all.size() == 1000);
    CHECK(make_epoch(examples, 8, 1, 0) == batches);
    CHECK(make_epoch(examples, 8, 1, 1) != batches);
    CHECK(make_epoch(examples, 8, 2, 0) != batches);
}

TEST_CASE("make_epoch: sentences of a batch are about equally long") {
    const auto examples = random_examples(2000, 12, 50, 60);
    std::size_t words = 0, places = 0;
    for (const Ids& sentences : make_epoch(examples, 8, 1, 0)) {
        const Batch batch = make_batch(examples, sentences);
        places += batch.source.size() + batch.target_in.size();
        words += batch.n_target_words();
        for (const std::size_t length : batch.source_lengths) {
            words += length;
        }
    }
    CHECK(static_cast<double>(words) > 0.9 * static_cast<double>(places));
}

TEST_CASE("part_of: the parts together are the whole") {
    CHECK(part_of({5, 6, 7, 8, 9}, 0, 2) == Ids{5, 7, 9});
    CHECK(part_of({5, 6, 7, 8, 9}, 1, 2) == Ids{6, 8});
    CHECK(part_of({5}, 1, 2).empty());
}
