#include "language/trainer.hpp"

#include "autograd/operations.hpp"
#include "training/checkpoint.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <sstream>

namespace language {
namespace {

using training::mix;

// A thread's texts of a batch: those that start at these places, and what follows each character.
struct Batch {
    Ids ids, next;
    std::size_t n_texts = 0;

    Batch(const Ids& text, const Ids& starts, std::size_t n) : n_texts(starts.size()) {
        for (const std::size_t start : starts) {
            const auto first = text.begin() + static_cast<std::ptrdiff_t>(start);
            const auto last = first + static_cast<std::ptrdiff_t>(n);
            ids.insert(ids.end(), first, last);
            next.insert(next.end(), first + 1, last + 1);
        }
    }
};

Ids part_of(const Ids& starts, std::size_t part, std::size_t n_parts) {
    const auto at = [&](std::size_t i) {
        return starts.begin() + static_cast<std::ptrdiff_t>(starts.size() * i / n_parts);
    };
    return {at(part), at(part + 1)};
}

std::uint64_t hash_of(const Text& text) {
    std::uint64_t h = text.characters.size();
    for (const Ids* part : {&text.train, &text.valid}) {
        h = mix(h, part->size());
        for (const std::size_t id : *part) {
            h = mix(h, id);
        }
    }
    return h;
}

// Of everything that the weights at the end depend on.
std::uint64_t fingerprint(const TrainOptions& options, const ModelSizes& sizes, const Text& text,
                          std::size_t n_threads) {
    return mix(hash_of(text), {double(sizes.context), double(sizes.d), double(sizes.n_heads),
                               double(sizes.n_layers), double(options.n_steps),
                               double(options.n_texts), double(options.warm_up),
                               double(options.evaluate_every), double(options.evaluation_texts),
                               double(options.seed), double(n_threads), options.learning_rate,
                               options.last_rate, options.weight_decay, options.largest_gradient});
}

} // namespace

float rate_at(std::size_t step, const TrainOptions& options) {
    if (step < options.warm_up) {
        return options.learning_rate * static_cast<float>(step + 1) /
               static_cast<float>(options.warm_up + 1);
    }
    const std::size_t falling = std::max<std::size_t>(1, options.n_steps - options.warm_up);
    const double done =
        std::min(1.0, static_cast<double>(step - options.warm_up) / static_cast<double>(falling));
    const double share = 0.5 * (1 + std::cos(std::numbers::pi * done));
    return options.last_rate +
           static_cast<float>(share) * (options.learning_rate - options.last_rate);
}

double mean_loss(const Model<float>& model, Workers& workers, const Ids& text,
                 std::size_t n_texts) {
    const std::size_t n = model.sizes().context;
    const std::size_t all = (text.size() - 1) / n;
    const std::size_t wanted = n_texts == 0 ? all : std::min(n_texts, all);
    Ids starts(wanted);
    for (std::size_t i = 0; i < wanted; ++i) {
        starts[i] = i * all / wanted * n;
    }
    constexpr std::size_t at_once = 8;
    std::vector<double> sums(workers.size(), 0.0);
    workers.run([&](std::size_t part) {
        const Ids mine = part_of(starts, part, workers.size());
        for (std::size_t first = 0; first < mine.size(); first += at_once) {
            const std::size_t last = std::min(first + at_once, mine.size());
            const Batch batch(text,
                              {mine.begin() + static_cast<std::ptrdiff_t>(first),
                               mine.begin() + static_cast<std::ptrdiff_t>(last)},
                              n);
            autograd::Tape tape;
            sums[part] += static_cast<double>(
                model.loss(tape, batch.ids, batch.next, batch.n_texts).data()());
        }
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(wanted * n);
}

Trainer::Trainer(Model<float>& model, Workers& workers, const Text& text,
                 const TrainOptions& options)
    : model_(model), workers_(workers), text_(text), options_(options),
      adam_(model.parameters(), workers,
            {.learning_rate = options.learning_rate,
             .largest_gradient = options.largest_gradient,
             .beta1 = 0.9,
             .beta2 = 0.99,
             .weight_decay = options.weight_decay}),
      fingerprint_(fingerprint(options, model.sizes(), text, workers.size())) {
    if (options.checkpoint.empty()) {
        return;
    }
    if (const auto content =
            training::open_checkpoint(options.checkpoint, fingerprint_, options.resume)) {
        std::istringstream in(*content);
        training::read_field(in, evaluations_);
        training::read_field(in, loss_sum_);
        training::read_field(in, n_losses_);
        adam_.load(in);
    }
}

void Trainer::save() const {
    if (options_.checkpoint.empty()) {
        return;
    }
    std::ostringstream content;
    training::write_field(content, evaluations_);
    training::write_field(content, loss_sum_);
    training::write_field(content, n_losses_);
    adam_.save(content);
    training::save_checkpoint(options_.checkpoint, fingerprint_, content.str());
}

double Trainer::step() {
    const std::size_t n = model_.sizes().context;
    Ids starts(options_.n_texts);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        starts[i] = mix(options_.seed, n_steps(), i) % (text_.train.size() - n);
    }
    const auto loss_of_part = [&](std::size_t part, autograd::Tape& tape,
                                  training::Gradients<float>& gradients) {
        const Batch batch(text_.train, part_of(starts, part, workers_.size()), n);
        return batch.n_texts == 0 ? autograd::Value()
                                  : model_.loss(tape, batch.ids, batch.next, batch.n_texts,
                                                {.gradients = &gradients});
    };
    const float share = 1.0F / static_cast<float>(starts.size() * n);
    const float factor = rate_at(n_steps(), options_) / options_.learning_rate;
    const double loss = adam_.step(loss_of_part, share, factor).loss;
    if (!std::isfinite(loss)) {
        throw std::runtime_error("the loss is " + std::to_string(loss) + " after step " +
                                 std::to_string(n_steps()) +
                                 ": a block's or a norm's numbers have grown beyond a float");
    }
    return loss;
}

void Trainer::evaluate() {
    Evaluation evaluation;
    evaluation.step = n_steps();
    evaluation.train_loss = loss_sum_ / static_cast<double>(n_losses_);
    const bool is_last = n_steps() >= options_.n_steps;
    evaluation.valid_loss =
        mean_loss(model_, workers_, text_.valid, is_last ? 0 : options_.evaluation_texts);
    evaluations_.push_back(evaluation);
    loss_sum_ = 0;
    n_losses_ = 0;
    save();
}

void Trainer::run(const std::function<void(const Progress&)>& progress,
                  const std::atomic<bool>* stop) {
    using Clock = std::chrono::steady_clock;
    const auto seconds_since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    const Clock::time_point started = Clock::now();
    const std::uint64_t before = n_steps();
    double in_steps = 0, recent = 0; // seconds; nats
    while (n_steps() < options_.n_steps) {
        const Clock::time_point start = Clock::now();
        const double loss = step();
        in_steps += seconds_since(start);
        loss_sum_ += loss;
        ++n_losses_;
        recent = n_steps() == before + 1 ? loss : 0.95 * recent + 0.05 * loss;
        Progress now;
        now.step = n_steps();
        now.n_steps = options_.n_steps;
        now.loss = recent;
        now.evaluated = n_steps() % options_.evaluate_every == 0 || n_steps() == options_.n_steps;
        if (now.evaluated) {
            evaluate();
            now.valid_loss = evaluations_.back().valid_loss;
        }
        const auto done = static_cast<double>(n_steps() - before);
        now.milliseconds = 1e3 * in_steps / done;
        now.seconds_left =
            seconds_since(started) / done * static_cast<double>(options_.n_steps - n_steps());
        if (progress) {
            progress(now);
        }
        if (stop != nullptr && stop->load() && n_steps() < options_.n_steps) {
            save();
            throw training::Interrupted(
                "training was interrupted; --resume continues where it stopped");
        }
    }
}

} // namespace language
