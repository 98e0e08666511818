// Wrong versions of 08.4 that treat a number apart which happens to be 0, or another step than h.

#include "wrong_check.hpp"

namespace misconceptions_check_zeros {

using namespace wrong;

namespace {

MISCONCEPTION_IN(
    by_name, gradient_check, put_back_by_adding,
    "a component is put back by adding h again, after + h and − 2h. That rounds: what is small "
    "beside h comes back as 0. Keep the number before it moves, and assign it.",
    checked([](const ScalarFunction& f, const Vector& x, const Vector& gradient, double h) {
        Vector at = x, differences = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            at(i) += h;
            const double above = f(at);
            at(i) -= 2 * h;
            differences(i) = (above - f(at)) / (2 * h);
            at(i) += h;
        }
        return right_measure(differences, gradient);
    }));

MISCONCEPTION_IN(by_name, gradient_check, step_times_one_plus_x,
                 "the step is h (1 + |x|). Some programs do so; here it is h itself.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return centred(f, x, i, h * (1 + std::abs(x(i))));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, size_of_the_worst_component,
                 "the largest error is divided by the size of its own component. It is divided by "
                 "the largest of all.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     double error = -1, size = 0;
                     for (std::size_t i = 0; i < d.size(); ++i) {
                         if (std::abs(g(i) - d(i)) > error) {
                             error = std::abs(g(i) - d(i));
                             size = std::max(std::abs(g(i)), std::abs(d(i)));
                         }
                     }
                     return over(error, size);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, zero_not_moved,
                 "a component of x that is 0 is not moved. f may change there, too.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return x(i) == 0 ? 0 : centred(f, x, i, h); }));

MISCONCEPTION_IN(by_name, gradient_check, forward_at_zero,
                 "where x is 0 the difference is taken to one side, (f(h) − f(0)) / h. It is "
                 "centred everywhere.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return x(i) == 0 ? (moved(f, x, i, h) - f(x)) / h : centred(f, x, i, h);
                 }));

/// Right, but for the components that are lost.
auto skipping(
    std::function<bool(const Vector& differences, const Vector& gradient, std::size_t i)> lost) {
    return by_measure_of_numbers([=](const Vector& d, const Vector& g) {
        double error = 0, largest = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
            if (!lost(d, g, i)) {
                error = std::max(error, std::abs(g(i) - d(i)));
                largest = std::max({largest, std::abs(g(i)), std::abs(d(i))});
            }
        }
        return over(error, largest);
    });
}

MISCONCEPTION_IN(by_name, gradient_check, differences_of_0_skipped,
                 "a component whose difference is 0 is not checked. Its claim may be another.",
                 skipping([](const Vector& d, const Vector&, std::size_t i) { return d(i) == 0; }));

MISCONCEPTION_IN(by_name, gradient_check, ends_at_a_claim_of_0,
                 "the check ends at a component that is claimed to be 0: break where continue is "
                 "meant, or nothing.",
                 skipping([](const Vector&, const Vector& g, std::size_t i) {
                     return std::any_of(g.begin(), g.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                        [](double claim) { return claim == 0; });
                 }));

MISCONCEPTION_IN(by_name, gradient_check, ends_at_a_difference_of_0,
                 "the check ends at a component whose difference is 0: break where continue is "
                 "meant, or nothing.",
                 skipping([](const Vector& d, const Vector&, std::size_t i) {
                     return std::any_of(d.begin(), d.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                        [](double difference) { return difference == 0; });
                 }));

auto stepping(std::function<double(double h)> step) {
    return by_difference([=](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return centred(f, x, i, step(h));
    });
}
constexpr const char* at_least = "the step is kept from being small. It is h, whatever that is.";
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_3, at_least,
                 stepping([](double h) { return std::max(h, 1e-3); }));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_4, at_least,
                 stepping([](double h) { return std::max(h, 1e-4); }));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_6, at_least,
                 stepping([](double h) { return std::max(h, 1e-6); }));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_8, at_least,
                 stepping([](double h) { return std::max(h, 1e-8); }));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_10, at_least,
                 stepping([](double h) { return std::max(h, 1e-10); }));
constexpr double epsilon = std::numeric_limits<double>::epsilon();
MISCONCEPTION_IN(by_name, gradient_check, at_least_the_root_of_epsilon, at_least,
                 stepping([](double h) { return std::max(h, std::sqrt(epsilon)); }));
MISCONCEPTION_IN(by_name, gradient_check, at_least_the_cube_root_of_epsilon, at_least,
                 stepping([](double h) { return std::max(h, std::cbrt(epsilon)); }));
MISCONCEPTION_IN(by_name, gradient_check, at_least_epsilon, at_least,
                 stepping([](double h) { return std::max(h, epsilon); }));

// ---- a bound below the fraction

constexpr const char* floor_text =
    "the error is divided by the largest component, but by a small number at least. That hides the "
    "errors of gradients that are smaller: where all are 0 the error is 0, and otherwise divide by "
    "the largest, however small it is.";
auto floor_of(double floor) {
    return by_measure_of_numbers([=](const Vector& d, const Vector& g) {
        return largest_of(g - d) / std::max(floor, larger(g, d));
    });
}
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_6_below, floor_text, floor_of(1e-6));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_7_below, floor_text, floor_of(1e-7));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_8_below, floor_text, floor_of(1e-8));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_9_below, floor_text, floor_of(1e-9));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_10_below, floor_text, floor_of(1e-10));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_12_below, floor_text, floor_of(1e-12));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_15_below, floor_text, floor_of(1e-15));
MISCONCEPTION_IN(by_name, gradient_check, at_least_1e_16_below, floor_text, floor_of(1e-16));
MISCONCEPTION_IN(by_name, gradient_check, at_least_epsilon_below, floor_text,
                 floor_of(std::numeric_limits<double>::epsilon()));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_the_gradient_if_there_is_one,
                 "the error is divided by the largest component of the gradient, and by that of "
                 "the differences only where the gradient is 0. Divide by the largest of both.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const double claimed = largest_of(g);
                     return over(largest_of(g - d), claimed > 0 ? claimed : largest_of(d));
                 }));

constexpr const char* at_most = "the step is kept from being large. It is h, whatever that is.";
MISCONCEPTION_IN(by_name, gradient_check, at_most_1e_3, at_most,
                 stepping([](double h) { return std::min(h, 1e-3); }));
MISCONCEPTION_IN(by_name, gradient_check, at_most_1e_1, at_most,
                 stepping([](double h) { return std::min(h, 0.1); }));
MISCONCEPTION_IN(by_name, gradient_check, at_most_1, at_most,
                 stepping([](double h) { return std::min(h, 1.0); }));

} // namespace

} // namespace misconceptions_check_zeros
