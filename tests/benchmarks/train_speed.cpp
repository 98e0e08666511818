// Target words a second in training, beside tests/benchmarks/torch_seq2seq.py: the same sizes, and
// sentences of the same random lengths.
//   train_speed [threads] [batches] [E=H=A]

#include "seq2seq/trainer.hpp"

#include <algorithm>
#include <cblas.h>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace {

std::size_t argument(int argc, char** argv, int index, std::size_t otherwise) {
    return argc > index ? static_cast<std::size_t>(std::atol(argv[index])) : otherwise;
}

} // namespace

int main(int argc, char** argv) {
    using namespace seq2seq;
    const std::size_t n_threads = argument(argc, argv, 1, 2);
    const std::size_t n_batches = argument(argc, argv, 2, 20);
    const std::size_t size = argument(argc, argv, 3, 256);
    training::prepare_process();
    const ModelSizes sizes{7859, 5921, size, size, size};
    constexpr std::size_t batch_size = 64;

    std::vector<Example> examples;
    for (std::uint64_t i = 0; i < n_batches * batch_size; ++i) {
        Example example;
        const std::size_t n = 8 + mix(i, 1) % 12; // lengths 8 … 19, mean 13.5, the end included
        const std::size_t m = std::max<std::size_t>(2, n - 2 + mix(i, 2) % 5);
        for (std::uint64_t t = 1; t < n; ++t) {
            example.source.push_back(4 + mix(i, t, 3) % (sizes.source_words - 4));
        }
        for (std::uint64_t t = 1; t < m; ++t) {
            example.target.push_back(4 + mix(i, t, 4) % (sizes.target_words - 4));
        }
        example.source.push_back(Vocabulary::end);
        example.target.push_back(Vocabulary::end);
        examples.push_back(std::move(example));
    }
    const std::vector<Ids> batches = make_epoch(examples, batch_size, 1, 0);

    std::printf("OpenBLAS kernels %s, %zu threads, E = H = A = %zu\n", openblas_get_corename(),
                n_threads, size);
    Workers workers(n_threads);
    for (const Scorer<float>& scorer : {additive<float>(), scaled_dot_product<float>(),
                                        additive<float>(), scaled_dot_product<float>()}) {
        Model<float> model(sizes, scorer, 1);
        Trainer trainer(model, workers, TrainOptions());
        trainer.step(examples, batches[0]); // memory, caches
        double seconds = 0, words = 0, slowest = 0;
        const double cpu_before = static_cast<double>(std::clock());
        const double scorer_before = trainer.scorer_seconds(), before = trainer.thread_seconds();
        for (const Ids& batch : batches) {
            const auto started = std::chrono::steady_clock::now();
            words += static_cast<double>(trainer.step(examples, batch).n_target_words);
            const double took =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
            seconds += took;
            slowest = std::max(slowest, took);
        }
        const double n = static_cast<double>(batches.size());
        const double cpu = (static_cast<double>(std::clock()) - cpu_before) / CLOCKS_PER_SEC;
        std::printf(
            "%-20s %6.1f ms a batch (slowest %.1f, of all processors %.1f), %6.0f target "
            "words/s, scores %.1f %%\n",
            scorer.name.c_str(), 1e3 * seconds / n, 1e3 * slowest, 1e3 * cpu / n, words / seconds,
            100 * (trainer.scorer_seconds() - scorer_before) / (trainer.thread_seconds() - before));
    }
}
