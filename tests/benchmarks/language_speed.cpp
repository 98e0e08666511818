// Milliseconds a step of lesson 11's training, beside tests/benchmarks/torch_language.py, which
// starts this program between its own steps.
//   language_speed TEXT [threads] [steps] [--whole]
// --whole: trains to the end, and prints the validation loss.

#include "language/trainer.hpp"
#include "training/text_file.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

int main(int argc, char** argv) {
    using namespace language;
    if (argc < 2) {
        std::fputs("language_speed TEXT [threads] [steps] [--whole]\n", stderr);
        return 2;
    }
    const auto argument = [&](int index, std::size_t otherwise) {
        return argc > index ? static_cast<std::size_t>(std::atol(argv[index])) : otherwise;
    };
    const std::size_t n_threads = argument(2, 2), n_steps = argument(3, 100);
    const bool whole = argc > 4 && std::string(argv[4]) == "--whole";
    training::prepare_process();
    ModelSizes sizes;
    const Text text = split_text(training::read_text(argv[1]), sizes.context);
    sizes.n_characters = text.characters.size();
    Workers workers(n_threads);
    Model<float> model(sizes, parts<float>(), 1);
    TrainOptions options;
    if (whole) {
        options.n_steps = n_steps;
    }
    Trainer trainer(model, workers, text, options);
    if (whole) {
        trainer.run([](const Progress& p) {
            if (p.evaluated) {
                std::printf("step %zu  loss %.4f  validation %.4f  %.2f ms a step\n", p.step,
                            p.loss, p.valid_loss, p.milliseconds);
                std::fflush(stdout);
            }
        });
        return 0;
    }
    for (int i = 0; i < 5; ++i) {
        trainer.step(); // memory, caches
    }
    const double cpu_before = static_cast<double>(std::clock());
    const auto started = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < n_steps; ++i) {
        trainer.step();
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const double cpu = (static_cast<double>(std::clock()) - cpu_before) / CLOCKS_PER_SEC;
    const auto n = static_cast<double>(n_steps);
    std::printf("%.3f ms a step, %zu threads (of all processors %.3f)\n", 1e3 * seconds / n,
                n_threads, 1e3 * cpu / n);
}
