#include "seq2seq/trainer.hpp"

#include "autograd/kernels.hpp"

#include <algorithm>
#include <cblas.h>
#include <chrono>
#include <cmath>
#include <istream>
#include <ostream>
#include <stdexcept>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace seq2seq {
namespace {

// The part of n that belongs to a thread.
struct Range {
    std::size_t first, last;
    Range(std::size_t n, std::size_t part, std::size_t n_parts)
        : first(n * part / n_parts), last(n * (part + 1) / n_parts) {}
};

template <class Number>
void write(std::ostream& out, const Number* numbers, std::size_t n) {
    out.write(reinterpret_cast<const char*>(numbers),
              static_cast<std::streamsize>(n * sizeof(Number)));
}
template <class Number>
void read(std::istream& in, Number* numbers, std::size_t n) {
    in.read(reinterpret_cast<char*>(numbers), static_cast<std::streamsize>(n * sizeof(Number)));
    if (!in) {
        throw std::runtime_error("Trainer: the file ends too early, or is of another model");
    }
}

} // namespace

Trainer::Trainer(Model<float>& model, Workers& workers, const TrainOptions& options)
    : model_(model), workers_(workers), options_(options), tapes_(workers.size()) {
    for (std::size_t part = 0; part < workers.size(); ++part) {
        gradients_.push_back(model.make_gradients());
    }
    for (const Parameter<float>& parameter : model.parameters()) {
        first_.emplace_back(parameter.value.shape(), 0.0F);
        second_.emplace_back(parameter.value.shape(), 0.0F);
    }
}

StepResult Trainer::step(const std::vector<Example>& examples, const Ids& sentences,
                         const Pace& pace) {
    const auto started = std::chrono::steady_clock::now();
    StepResult result;
    for (const std::size_t i : sentences) {
        result.n_target_words += examples.at(i).target.size();
    }
    const float share = 1.0F / static_cast<float>(result.n_target_words);
    std::vector<double> losses(workers_.size(), 0.0);
    workers_.run([&](std::size_t part) {
        const Ids mine = part_of(sentences, part, workers_.size());
        for (Gradient<float>& gradient : gradients_[part]) {
            gradient.clear();
        }
        tapes_[part].clear();
        if (mine.empty()) {
            return;
        }
        Forward<float> settings;
        settings.dropout = pace.dropout.value_or(options_.dropout);
        settings.smoothing = options_.smoothing;
        settings.seed = mix(options_.seed, n_steps_, part);
        settings.gradients = &gradients_[part];
        settings.scorer_seconds = &scorer_seconds_;
        const BasicValue<float> loss =
            model_.forward(tapes_[part], make_batch(examples, mine), settings).loss;
        losses[part] = static_cast<double>(loss.data()());
        tapes_[part].backward(loss, share);
    });
    for (const double loss : losses) {
        result.loss += loss * static_cast<double>(share);
    }
    result.gradient_norm = combine_gradients();
    ++n_steps_;
    update(result.gradient_norm, pace.rate_factor);
    thread_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() *
        static_cast<double>(workers_.size());
    return result;
}

double Trainer::combine_gradients() {
    for (std::size_t p = 0; p < gradients_[0].size();
         ++p) { // zeros where the loss depends on nothing
        if (!gradients_[0][p].used) {
            gradients_[0][p].sum(autograd::shape_of(first_[p]));
        }
    }
    std::vector<double> squares(workers_.size(), 0.0);
    workers_.run([&](std::size_t part) {
        for (std::size_t p = 0; p < model_.parameters().size(); ++p) {
            Gradient<float>& total = gradients_[0][p];
            const autograd::Shape shape = autograd::shape_of(model_.parameters()[p].value);
            const std::size_t n_rows = shape[0];
            const std::size_t width = model_.parameters()[p].value.size() / n_rows;
            const Range mine(n_rows, part, workers_.size());
            // Threads in their order, so that the sum is the same every time.
            for (std::size_t row = mine.first; row < mine.last && total.by_rows; ++row) {
                for (std::size_t other = 1; other < workers_.size(); ++other) {
                    Gradient<float>& more = gradients_[other][p];
                    if (more.used && more.touched[row] != 0) {
                        autograd::kernels::add(1.0F, more.array.data() + row * width,
                                               total.array.data() + row * width, width);
                        total.touched[row] = 1;
                    }
                }
                if (total.touched[row] != 0) {
                    squares[part] +=
                        autograd::kernels::sum_of_squares(total.array.data() + row * width, width);
                }
            }
            if (!total.by_rows) {
                const std::size_t first = mine.first * width;
                const std::size_t n = (mine.last - mine.first) * width;
                for (std::size_t other = 1; other < workers_.size(); ++other) {
                    if (gradients_[other][p].used) {
                        autograd::kernels::add(1.0F, gradients_[other][p].array.data() + first,
                                               total.array.data() + first, n);
                    }
                }
                squares[part] += autograd::kernels::sum_of_squares(total.array.data() + first, n);
            }
        }
    });
    double sum = 0;
    for (const double part : squares) {
        sum += part;
    }
    return std::sqrt(sum);
}

void Trainer::update(double gradient_norm, float rate_factor) {
    constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    const double limit = static_cast<double>(options_.largest_gradient);
    const double t = static_cast<double>(n_steps_);
    // m̂ / (√v̂ + ε) with m̂ = m / (1 − β₁ᵗ), v̂ = v / (1 − β₂ᵗ), the corrections moved outside.
    const double root = std::sqrt(1 - std::pow(beta2, t));
    autograd::kernels::AdamStep step{};
    step.rate = static_cast<float>(static_cast<double>(options_.learning_rate * rate_factor) *
                                   root / (1 - std::pow(beta1, t)));
    step.epsilon = static_cast<float>(epsilon * root);
    step.beta1 = static_cast<float>(beta1);
    step.beta2 = static_cast<float>(beta2);
    step.gradient_scale = gradient_norm > limit ? static_cast<float>(limit / gradient_norm) : 1.0F;
    workers_.run([&](std::size_t part) {
        for (std::size_t p = 0; p < model_.parameters().size(); ++p) {
            Array<float>& weights = model_.parameters()[p].value;
            const Gradient<float>& gradient = gradients_[0][p];
            const std::size_t n_rows = weights.shape(0), width = weights.size() / n_rows;
            const Range mine(n_rows, part, workers_.size());
            const auto move = [&](std::size_t row, std::size_t rows, bool has_gradient) {
                const std::size_t at = row * width;
                autograd::kernels::adam(step, has_gradient ? gradient.array.data() + at : nullptr,
                                        weights.data() + at, first_[p].data() + at,
                                        second_[p].data() + at, rows * width);
            };
            if (!gradient.by_rows) {
                move(mine.first, mine.last - mine.first, true);
                continue;
            }
            for (std::size_t row = mine.first; row < mine.last; ++row) {
                move(row, 1, gradient.touched[row] != 0);
            }
        }
    });
}

void Trainer::save(std::ostream& out) const {
    write(out, &n_steps_, 1);
    for (std::size_t p = 0; p < first_.size(); ++p) {
        write(out, model_.parameters()[p].value.data(), first_[p].size());
        write(out, first_[p].data(), first_[p].size());
        write(out, second_[p].data(), first_[p].size());
    }
}

void Trainer::load(std::istream& in) {
    read(in, &n_steps_, 1);
    for (std::size_t p = 0; p < first_.size(); ++p) {
        read(in, model_.parameters()[p].value.data(), first_[p].size());
        read(in, first_[p].data(), first_[p].size());
        read(in, second_[p].data(), first_[p].size());
    }
}

double mean_loss(const Model<float>& model, Workers& workers, const std::vector<Example>& examples,
                 std::size_t batch_size) {
    const std::vector<Ids> batches = by_length(examples, batch_size);
    std::vector<double> losses(batches.size(), 0.0);
    workers.run([&](std::size_t part) {
        for (std::size_t i = part; i < batches.size(); i += workers.size()) {
            autograd::Tape tape;
            const Batch batch = make_batch(examples, batches[i]);
            losses[i] = static_cast<double>(model.forward(tape, batch).loss.data()());
        }
    });
    double sum = 0;
    std::size_t n = 0;
    for (const double loss : losses) {
        sum += loss;
    }
    for (const Example& example : examples) {
        n += example.target.size();
    }
    return sum / static_cast<double>(n);
}

std::vector<Translation> translate(const Model<float>& model, Workers& workers,
                                   const std::vector<Example>& examples, std::size_t batch_size) {
    const std::vector<Ids> batches = by_length(examples, batch_size);
    std::vector<Translation> translations(examples.size());
    workers.run([&](std::size_t part) {
        for (std::size_t i = part; i < batches.size(); i += workers.size()) {
            const Batch batch = make_batch(examples, batches[i]);
            std::vector<Translation> some = model.translate(batch, 2 * batch.source_steps + 8);
            for (std::size_t b = 0; b < some.size(); ++b) {
                translations[batches[i][b]] = std::move(some[b]);
            }
        }
    });
    return translations;
}

std::vector<attention::Matrix> attention_weights(const Model<float>& model, Workers& workers,
                                                 const std::vector<Example>& examples,
                                                 std::size_t batch_size) {
    const std::vector<Ids> batches = by_length(examples, batch_size);
    std::vector<attention::Matrix> all(examples.size());
    workers.run([&](std::size_t part) {
        for (std::size_t i = part; i < batches.size(); i += workers.size()) {
            autograd::Tape tape;
            const Batch batch = make_batch(examples, batches[i]);
            const ForwardResult<float> result = model.forward(tape, batch);
            for (std::size_t b = 0; b < batch.size; ++b) {
                const Example& example = examples[batches[i][b]];
                attention::Matrix& weights = all[batches[i][b]];
                weights =
                    attention::Matrix::from_shape({example.target.size(), example.source.size()});
                for (std::size_t t = 0; t < weights.shape(0); ++t) {
                    for (std::size_t j = 0; j < weights.shape(1); ++j) {
                        weights(t, j) = static_cast<double>(result.weights[t].data()(b, j));
                    }
                }
            }
        }
    });
    return all;
}

void prepare_process() {
    openblas_set_num_threads(1);
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

} // namespace seq2seq
