#include "training/adam.hpp"

#include "autograd/kernels.hpp"
#include "training/checkpoint.hpp"

#include <cmath>
#include <numeric>

namespace training {
namespace {

using Gradient = autograd::Gradient<float>;

/// The rows of a parameter that are a thread's to reduce and to update.
struct Rows {
    std::size_t first, last, width;

    Rows(const Parameter<float>& parameter, std::size_t part, std::size_t n_parts) {
        const std::size_t n = parameter.value.shape(0);
        first = n * part / n_parts;
        last = n * (part + 1) / n_parts;
        width = parameter.value.size() / n;
    }
};

/// visit(at, n): the numbers of these rows that have a gradient, row by row or all at once.
template <class Visit>
void for_each_used(const Gradient& gradient, const Rows& rows, const Visit& visit) {
    if (!gradient.used) {
        return;
    }
    if (!gradient.by_rows) {
        visit(rows.first * rows.width, (rows.last - rows.first) * rows.width);
        return;
    }
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        if (gradient.touched[row] != 0) {
            visit(row * rows.width, rows.width);
        }
    }
}

void add(const Gradient& more, const Rows& rows, Gradient& total) {
    for_each_used(more, rows, [&](std::size_t at, std::size_t n) {
        autograd::kernels::add(1.0F, more.array.data() + at, total.array.data() + at, n);
        if (total.by_rows) {
            total.touched[at / rows.width] = 1;
        }
    });
}

} // namespace

Adam::Adam(Parameters<float>& parameters, Workers& workers, const AdamOptions& options)
    : parameters_(parameters), workers_(workers), options_(options), tapes_(workers.size()) {
    for (std::size_t part = 0; part < workers.size(); ++part) {
        gradients_.push_back(make_gradients(parameters));
    }
    for (const Parameter<float>& parameter : parameters) {
        first_moments_.emplace_back(parameter.value.shape(), 0.0F);
        second_moments_.emplace_back(parameter.value.shape(), 0.0F);
    }
}

StepResult Adam::step(const PartOfLoss& loss, float share, float rate_factor) {
    std::vector<double> losses(workers_.size(), 0.0);
    workers_.run([&](std::size_t part) {
        for (Gradient& gradient : gradients_[part]) {
            gradient.clear();
        }
        tapes_[part].clear();
        const autograd::Value value = loss(part, tapes_[part], gradients_[part]);
        if (value.exists()) {
            losses[part] = static_cast<double>(value.data()());
            tapes_[part].backward(value, share);
        }
    });
    StepResult result;
    for (const double part : losses) {
        result.loss += part * static_cast<double>(share);
    }
    result.gradient_norm = reduce_gradients();
    ++n_steps_;
    update(result.gradient_norm, rate_factor);
    return result;
}

double Adam::reduce_gradients() {
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
        // zeros where the first thread's loss depends on nothing
        gradients_[0][p].accumulator(autograd::shape_of(parameters_[p].value));
    }
    std::vector<double> squares(workers_.size(), 0.0);
    workers_.run([&](std::size_t part) {
        for (std::size_t p = 0; p < parameters_.size(); ++p) {
            Gradient& total = gradients_[0][p];
            const Rows mine(parameters_[p], part, workers_.size());
            // Threads in their order, so that the sum is the same every time.
            for (std::size_t other = 1; other < workers_.size(); ++other) {
                add(gradients_[other][p], mine, total);
            }
            for_each_used(total, mine, [&](std::size_t at, std::size_t n) {
                squares[part] += autograd::kernels::sum_of_squares(total.array.data() + at, n);
            });
        }
    });
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

void Adam::update(double gradient_norm, float rate_factor) {
    const double beta1 = options_.beta1, beta2 = options_.beta2;
    constexpr double epsilon = 1e-8;
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
    step.kept = 1;
    step.gradient_scale = gradient_norm > limit ? static_cast<float>(limit / gradient_norm) : 1.0F;
    workers_.run([&](std::size_t part) {
        for (std::size_t p = 0; p < parameters_.size(); ++p) {
            const Gradient& gradient = gradients_[0][p];
            const Rows mine(parameters_[p], part, workers_.size());
            autograd::kernels::AdamStep here = step;
            if (parameters_[p].decays) {
                here.kept = 1 - options_.learning_rate * rate_factor * options_.weight_decay;
            }
            const auto move = [&](std::size_t row, std::size_t n_rows, bool has_gradient) {
                const std::size_t at = row * mine.width;
                autograd::kernels::adam(here, has_gradient ? gradient.array.data() + at : nullptr,
                                        parameters_[p].value.data() + at,
                                        first_moments_[p].data() + at,
                                        second_moments_[p].data() + at, n_rows * mine.width);
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

void Adam::save(std::ostream& out) const {
    write_numbers(out, &n_steps_, 1);
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
        const std::size_t n = parameters_[p].value.size();
        write_numbers(out, parameters_[p].value.data(), n);
        write_numbers(out, first_moments_[p].data(), n);
        write_numbers(out, second_moments_[p].data(), n);
    }
}

void Adam::load(std::istream& in) {
    read_numbers(in, &n_steps_, 1);
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
        const std::size_t n = parameters_[p].value.size();
        read_numbers(in, parameters_[p].value.data(), n);
        read_numbers(in, first_moments_[p].data(), n);
        read_numbers(in, second_moments_[p].data(), n);
    }
}

} // namespace training
