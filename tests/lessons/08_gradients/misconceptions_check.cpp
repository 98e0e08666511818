// Wrong versions of 08.4: other differences.

#include "wrong_check.hpp"

using namespace wrong;

namespace {

// ---- the difference

MISCONCEPTION_IN(
    by_name, gradient_check, forward_difference,
    "this is a forward difference, (f(x + h) − f(x)) / h. Its error falls with h, that "
    "of a centred one, (f(x + h) − f(x − h)) / 2h, with h².",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return (moved(f, x, i, h) - f(x)) / h;
    }));

MISCONCEPTION_IN(
    by_name, gradient_check, backward_difference,
    "this is a backward difference, (f(x) − f(x − h)) / h. Its error falls with h, that "
    "of a centred one, (f(x + h) − f(x − h)) / 2h, with h².",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return (f(x) - moved(f, x, i, -h)) / h;
    }));

MISCONCEPTION_IN(by_name, gradient_check, divided_by_h,
                 "the difference is divided by h. From x − h to x + h is a way of 2h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return 2 * centred(f, x, i, h); }));

MISCONCEPTION_IN(by_name, gradient_check, not_divided,
                 "the difference f(x + h) − f(x − h) is not divided by the way, 2h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return moved(f, x, i, h) - moved(f, x, i, -h); }));

// Where the way is 0 this is NaN, or 0 if somebody has seen to that: the grader asks for one where
// it is rounded before it asks for one where it is 0, so that the two are one to it.
MISCONCEPTION_IN(
    by_name, gradient_check, divides_by_the_rounded_step,
    "the difference is divided by the way as it is after rounding, such as (x + h) − (x − h): far "
    "from 0 that is not 2h, and it may be 0. The h that is given counts: divide by 2h.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        const double above = x(i) + h, below = x(i) - h;
        return (moved(f, x, i, h) - moved(f, x, i, -h)) / (above - below);
    }));

MISCONCEPTION_IN(by_name, gradient_check, divided_by_two_times_h,
                 "this is (…) / 2 * h, which C++ reads as (… / 2) · h. Put the denominator in "
                 "parentheses: / (2 * h).",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return (moved(f, x, i, h) - moved(f, x, i, -h)) / 2 * h;
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, divided_by_two_alone,
    "the difference is divided by 2, and not by h. From x − h to x + h is a way of 2h.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return (moved(f, x, i, h) - moved(f, x, i, -h)) / 2;
    }));

MISCONCEPTION_IN(by_name, gradient_check, half_a_step,
                 "the points lie half a step to each side, and the difference is divided by 2h. "
                 "Either go a whole h to each side, or divide by h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return centred(f, x, i, h / 2) / 2; }));

MISCONCEPTION_IN(by_name, gradient_check, half_a_step_divided_by_h,
                 "the points lie h/2 to each side of x. That is a centred difference too, with "
                 "another step: the one given goes to each side.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return centred(f, x, i, h / 2); }));

MISCONCEPTION_IN(by_name, gradient_check, difference_negated,
                 "the difference has the wrong sign: f(x − h) − f(x + h). What lies above comes "
                 "first.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return -centred(f, x, i, h); }));

MISCONCEPTION_IN(by_name, gradient_check, all_components_moved,
                 "all components move at once. That measures the slope along one direction; each "
                 "component of the gradient needs a step of its own, with the others at rest.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t, double h) {
                     return (f(Vector(x + h)) - f(Vector(x - h))) / (2 * h);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, stays_moved,
    "a component that has moved up is not put back: when the next one is measured, all "
    "before it still stand at x + h. Take a fresh copy of x for each component.",
    by_difference([](const ScalarFunction& f, Vector x, std::size_t i, double h) {
        for (std::size_t before = 0; before < i; ++before) {
            x(before) += h;
        }
        return centred(f, x, i, h);
    }));

MISCONCEPTION_IN(by_name, gradient_check, stays_moved_down,
                 "a component that has moved down is not put back: when the next one is measured, "
                 "all before it still stand at x − h. Take a fresh copy of x for each component.",
                 by_difference([](const ScalarFunction& f, Vector x, std::size_t i, double h) {
                     for (std::size_t before = 0; before < i; ++before) {
                         x(before) -= h;
                     }
                     return centred(f, x, i, h);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, both_stay_moved,
                 "the two points are not put back: when a component is measured, all before it "
                 "still stand at x + h in the one and at x − h in the other. Take fresh copies of "
                 "x for each component.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     Vector above = x, below = x;
                     for (std::size_t k = 0; k <= i; ++k) {
                         above(k) += h;
                         below(k) -= h;
                     }
                     return (f(above) - f(below)) / (2 * h);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, moved_down_from_above,
    "the second point is x + h − h, which is x itself: from above, going down by h only "
    "comes back. Go down by 2h, or start from x again.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return (moved(f, x, i, h) - f(x)) / (2 * h);
    }));

MISCONCEPTION_IN(
    by_name, gradient_check, step_times_x,
    "the step is h times the component. It is h itself, whatever x is; at x = 0 a step "
    "of h · x goes nowhere.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        const double step = h * std::abs(x(i));
        return (moved(f, x, i, step) - moved(f, x, i, -step)) / (2 * step);
    }));

MISCONCEPTION_IN(by_name, gradient_check, own_step,
                 "the step is 1e-5, whatever h is given. The caller chooses it: the error as it "
                 "depends on h is what the walk-through draws.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double) {
                     return centred(f, x, i, 1e-5);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, values_compared,
                 "f(x) is compared with the gradient, and nothing is differenced.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t, double) {
                     return f(x);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, forward_by_two_steps,
                 "this goes from x to x + 2h: a forward difference with twice the step. A centred "
                 "one goes from x − h to x + h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return (moved(f, x, i, 2 * h) - f(x)) / (2 * h); }));

MISCONCEPTION_IN(by_name, gradient_check, divided_by_h_squared,
                 "the difference is divided by h². From x − h to x + h is a way of 2h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return 2 * centred(f, x, i, h) / h; }));

MISCONCEPTION_IN(
    by_name, gradient_check, two_steps_divided_by_two,
    "the points lie 2h to each side, and the difference is divided by 2h. Go one h to each side.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return 2 * centred(f, x, i, 2 * h);
    }));

MISCONCEPTION_IN(by_name, gradient_check, two_steps,
                 "the points lie 2h to each side. That is a centred difference with twice the "
                 "step: go one h to each side.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return centred(f, x, i, 2 * h); }));

MISCONCEPTION_IN(
    by_name, gradient_check, step_as_large_as_x,
    "the step is h times the larger of 1 and |x|. Some programs do so; here it is h itself.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return centred(f, x, i, h * std::max(1.0, std::abs(x(i))));
    }));

MISCONCEPTION_IN(by_name, gradient_check, always_the_first_component,
                 "it is always the first component that moves, x(0) where x(i) is meant.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     static_cast<void>(i);
                     return centred(f, x, 0, h);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, next_component,
                 "the component that moves is the one after that whose gradient is compared.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) { return centred(f, x, (i + 1) % x.size(), h); }));

MISCONCEPTION_IN(by_name, gradient_check, second_difference,
                 "this is the second difference, f(x + h) − 2 f(x) + f(x − h) over h², which "
                 "measures the curvature. The slope is (f(x + h) − f(x − h)) / 2h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return (moved(f, x, i, h) - 2 * f(x) + moved(f, x, i, -h)) / (h * h);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, multiplied_by_two_h,
                 "the difference is multiplied by 2h, where it is divided: / (2 * h).",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return (moved(f, x, i, h) - moved(f, x, i, -h)) * 2 * h;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, own_step_of_1e_6,
                 "the step is 1e-6, whatever h is given. The caller chooses it.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     static_cast<void>(h);
                     return centred(f, x, i, 1e-6);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, fourth_order,
                 "this is the difference of five points, whose error falls with h to the fourth. "
                 "The simple one is asked for: (f(x + h) − f(x − h)) / 2h.",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return (4 * centred(f, x, i, h) - centred(f, x, i, 2 * h)) / 3;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, average_instead_of_difference,
                 "the two values are added, where they are subtracted: f(x + h) − f(x − h).",
                 by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i,
                                  double h) {
                     return (moved(f, x, i, h) + moved(f, x, i, -h)) / (2 * h);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, moved_by_a_factor,
    "the component is multiplied by 1 + h and 1 − h, and the difference divided by 2h. "
    "Add h and subtract it: at x = 0 a factor goes nowhere.",
    by_difference([](const ScalarFunction& f, const Vector& x, std::size_t i, double h) {
        return (moved(f, x, i, h * x(i)) - moved(f, x, i, -h * x(i))) / (2 * h);
    }));

} // namespace
