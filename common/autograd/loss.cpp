#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

namespace autograd {

template <class T>
BasicValue<T> cross_entropy(const BasicValue<T>& logits, const std::vector<std::size_t>& targets,
                            T smoothing) {
    require_rank("cross_entropy", "logits", logits, 2);
    const std::size_t n = logits.shape(0), n_classes = logits.shape(1);
    require_count("cross_entropy", "targets", "n", targets.size(), n, "logits", logits);
    if (!(smoothing >= T(0) && smoothing < T(1))) {
        throw std::invalid_argument("cross_entropy: smoothing must be in [0, 1), got " +
                                    std::to_string(smoothing));
    }
    const T everywhere = smoothing / static_cast<T>(n_classes);
    std::vector<T> log_sums(n); // ln Σ exp(logits_i): with it the backward pass makes a softmax
    T loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (targets[i] >= n_classes) {
            throw std::invalid_argument("cross_entropy: targets must be below n_classes, got " +
                                        std::to_string(targets[i]) + "; logits is " +
                                        attention::shape_text(logits.data()));
        }
        const T* row = logits.data().data() + i * n_classes;
        log_sums[i] = kernels::log_sum_exp(row, n_classes);
        loss += log_sums[i] - (T(1) - smoothing) * row[targets[i]];
        if (smoothing > T(0)) {
            for (std::size_t c = 0; c < n_classes; ++c) {
                loss -= everywhere * row[c];
            }
        }
    }
    return logits.tape().record(Array<T>(loss), logits.needs_gradient(),
                                [logits, targets, smoothing, everywhere, log_sums,
                                 n_classes](const Array<T>& up, const Array<T>&) {
                                    const Destination<T> d_logits = logits.gradient_destination();
                                    std::vector<T> row_gradient(d_logits.add ? n_classes : 0);
                                    for (std::size_t i = 0; i < targets.size(); ++i) {
                                        const T* row = logits.data().data() + i * n_classes;
                                        T* to = d_logits.data + i * n_classes;
                                        T* d_row = d_logits.add ? row_gradient.data() : to;
                                        kernels::softmax_minus(row, log_sums[i], everywhere, up(),
                                                               d_row, n_classes);
                                        d_row[targets[i]] -= up() * (T(1) - smoothing);
                                        if (d_logits.add) {
                                            kernels::add(T(1), d_row, to, n_classes);
                                        }
                                    }
                                });
}

template BasicValue<float> cross_entropy(const BasicValue<float>&, const std::vector<std::size_t>&,
                                         float);
template BasicValue<double> cross_entropy(const BasicValue<double>&,
                                          const std::vector<std::size_t>&, double);

} // namespace autograd
