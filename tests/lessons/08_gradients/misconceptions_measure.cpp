// Wrong versions of 08.4: other numbers made of right differences.

#include "wrong_check.hpp"

using namespace wrong;

namespace {

// ---- what is made of the differences

MISCONCEPTION_IN(by_name, gradient_check, absolute_error,
                 "this is the absolute error. 0.001 is much beside a gradient of 0.01 and nothing "
                 "beside 1e6: divide by the largest of all components.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return largest_of(g - d);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, mean_error,
                 "this is the mean of the errors. One wrong component among many hides in it: take "
                 "the largest.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const double sum = xt::sum(xt::abs(g - d))();
                     return over(sum / static_cast<double>(g.size()), larger(g, d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, sum_of_errors,
                 "this is the sum of the errors. The largest is asked for.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return over(xt::sum(xt::abs(g - d))(), larger(g, d));
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, error_without_its_size,
    "errors are compared with their signs, so a difference that is too large counts as "
    "less than nothing. Take the absolute value first.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return over(std::max(0.0, xt::amax(g - d)()), larger(g, d));
    }));

MISCONCEPTION_IN(by_name, gradient_check, error_without_its_size_reversed,
                 "errors are compared with their signs, so a gradient that is too large counts as "
                 "less than nothing. Take the absolute value first.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return over(std::max(0.0, xt::amax(d - g)()), larger(g, d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, relative_one_by_one,
                 "each error is divided by its own component's difference. A component near 0 then "
                 "makes an alarm of rounding; divide by the largest of all.",
                 by_measure([](const Vector& d, const Vector& g) {
                     double worst = 0;
                     for (std::size_t i = 0; i < g.size(); ++i) {
                         const double error = std::abs(g(i) - d(i)) / std::abs(d(i));
                         worst = std::isnan(worst) || std::isnan(error) ? std::nan("")
                                                                        : std::max(worst, error);
                     }
                     return worst;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_each_larger,
                 "each error is divided by the larger of its own two numbers. A component near 0 "
                 "then makes an alarm of rounding; divide by the largest of all.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     double worst = 0;
                     for (std::size_t i = 0; i < g.size(); ++i) {
                         worst = std::max(worst, over(std::abs(g(i) - d(i)),
                                                      std::max(std::abs(g(i)), std::abs(d(i)))));
                     }
                     return worst;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_the_sum,
                 "the error is divided by |gradient| + |difference|, which says half of what is "
                 "asked. Divide by the larger of the two.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return over(largest_of(g - d), largest_of(g) + largest_of(d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_the_gradient,
                 "the error is divided by the largest component of the gradient alone. If that is "
                 "wrong, so is the measure: a gradient of 0 would be infinitely far off, and one "
                 "that is much too large hardly. Look at the differences as well.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return largest_of(g - d) / largest_of(g);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, relative_to_the_differences,
    "the error is divided by the largest difference alone. Where f does not change that "
    "is 0; look at the gradient as well.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return largest_of(g - d) / largest_of(d);
    }));

MISCONCEPTION_IN(by_name, gradient_check, zero_by_zero,
                 "where gradient and differences are all 0 this divides 0 by 0, and says NaN of a "
                 "gradient that is right. Return 0 there.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return largest_of(g - d) / larger(g, d);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, epsilon_below,
                 "a small number is added below the fraction. It keeps 0 / 0 away, and hides the "
                 "errors of small gradients: ask whether the largest is 0 instead.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return largest_of(g - d) / (larger(g, d) + 1e-8);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, at_least_one_below,
    "the error is divided by the largest component, but by 1 at least. A small gradient "
    "that is wholly wrong then looks right.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return largest_of(g - d) / std::max(1.0, larger(g, d));
    }));

MISCONCEPTION_IN(
    by_name, gradient_check, nan_lost,
    "a NaN is lost on the way, since every comparison with NaN is false: std::max(worst, NaN) is "
    "worst, and std::max(NaN, worst) is NaN only until the next component takes its place. To ask "
    "at the end is too late: ask std::isnan of each component.",
    by_measure([](const Vector& d, const Vector& g) {
        double error = 0, largest = 0;
        for (std::size_t i = 0; i < g.size(); ++i) {
            error = std::max(error, std::abs(g(i) - d(i)));
            largest = std::max({largest, std::abs(g(i)), std::abs(d(i))});
        }
        return over(error, largest);
    }));

MISCONCEPTION_IN(by_name, gradient_check, euclidean_lengths,
                 "this is the length of the error over the length of the gradient, both Euclidean. "
                 "The largest error over the largest component is asked for.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const auto length = [](const Vector& v) {
                         return std::sqrt(xt::sum(xt::square(v))());
                     };
                     return over(length(g - d), std::max(length(g), length(d)));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, euclidean_over_the_sum,
                 "this is |g − d| / (|g| + |d|) with Euclidean lengths, as some courses have it. "
                 "Here it is the largest error over the largest component.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const auto length = [](const Vector& v) {
                         return std::sqrt(xt::sum(xt::square(v))());
                     };
                     return over(length(g - d), length(g) + length(d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, sizes_compared,
                 "absolute values are compared, so a gradient of the wrong sign passes. Subtract "
                 "first, and take the absolute value of that.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return over(largest_of(Vector(xt::abs(g)) - Vector(xt::abs(d))), larger(g, d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, first_component_alone,
                 "only the first component is checked. Does a return stand inside the loop?",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return over(std::abs(g(0) - d(0)), std::max(std::abs(g(0)), std::abs(d(0))));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, last_component_alone,
                 "what is returned is the error of the last component: = where a maximum is meant.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const std::size_t last = g.size() - 1;
                     return over(std::abs(g(last) - d(last)), larger(g, d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, last_component_left_out,
                 "the last component is not checked: the loop ends one too early.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     double error = 0, largest = 0;
                     for (std::size_t i = 0; i + 1 < g.size(); ++i) {
                         error = std::max(error, std::abs(g(i) - d(i)));
                         largest = std::max({largest, std::abs(g(i)), std::abs(d(i))});
                     }
                     return over(error, largest);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, smallest_error,
    "this is the smallest error. One right component would then excuse all others: take "
    "the largest.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return over(xt::amin(xt::abs(g - d))(), larger(g, d));
    }));

MISCONCEPTION_IN(
    by_name, gradient_check, squared_error,
    "errors and components are squared, and the root is missing: 1e-4 looks like 1e-8.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return std::pow(right_measure(d, g), 2);
    }));

MISCONCEPTION_IN(by_name, gradient_check, mean_absolute_error,
                 "this is the mean of the absolute errors. Take the largest, and divide by the "
                 "largest component.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return xt::mean(xt::abs(g - d))();
                 }));

MISCONCEPTION_IN(by_name, gradient_check, root_mean_square,
                 "this is the root of the mean squared error over the largest component. Take the "
                 "largest error.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return over(std::sqrt(xt::mean(xt::square(g - d))()), larger(g, d));
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, over_the_sum_of_all,
    "the largest error is divided by the sum of all components. It is divided by the largest.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
        return over(largest_of(g - d), xt::sum(xt::abs(g))() + xt::sum(xt::abs(d))());
    }));

MISCONCEPTION_IN(by_name, gradient_check, largest_without_its_size,
                 "the largest component is sought with its sign, so one of −18 counts as less than "
                 "one of 2. Take absolute values.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     const double most = std::max(xt::amax(g)(), xt::amax(d)());
                     return over(largest_of(g - d), std::max(most, 0.0));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, smaller_of_the_two,
                 "the error is divided by the smaller of the two largest components, the "
                 "gradient's and the differences'. Take the larger.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return over(largest_of(g - d), std::min(largest_of(g), largest_of(d)));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, yes_or_no,
                 "the answer is 0 or 1, right or wrong. How far off the gradient is, is asked for.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return right_measure(d, g) < 1e-5 ? 0 : 1;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, in_percent,
                 "the error is given in percent. It is a plain quotient.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return 100 * right_measure(d, g);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, cosine,
                 "this is 1 minus the cosine of the angle between the two. A gradient of twice the "
                 "size would pass.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     const double lengths = std::sqrt(xt::sum(g * g)() * xt::sum(d * d)());
                     return lengths > 0 ? 1 - xt::sum(g * d)() / lengths : 0;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, first_component_left_out,
                 "the first component is not checked: the loop starts at 1.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     double error = 0;
                     for (std::size_t i = 1; i < g.size(); ++i) {
                         error = std::max(error, std::abs(g(i) - d(i)));
                     }
                     return over(error, larger(g, d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, first_component_never_looked_at,
                 "the first component counts for nothing: a loop upwards starts at 1, or one "
                 "downwards ends before 0, as i > 0 has it.",
                 by_measure([](const Vector& d, const Vector& g) {
                     const Vector others = xt::view(d, xt::range(1, d.size()));
                     const Vector theirs = xt::view(g, xt::range(1, g.size()));
                     return g.size() == 1 ? 0 : right_measure(others, theirs);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, last_component_alone_throughout,
                 "error and size are those of the last component: = where a maximum is meant.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     const std::size_t last = g.size() - 1;
                     return over(std::abs(g(last) - d(last)),
                                 std::max(std::abs(g(last)), std::abs(d(last))));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, logarithm,
                 "this is the logarithm of the error. The error itself is asked for.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return std::log10(right_measure(d, g));
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, relative_to_the_differences_or_zero,
    "the error is divided by the largest difference alone, and is 0 where that is 0. A "
    "gradient of a function that does not change then passes, whatever it says; look at "
    "the gradient as well.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return over(largest_of(g - d), largest_of(d));
    }));

MISCONCEPTION_IN(
    by_name, gradient_check, relative_to_the_gradient_or_zero,
    "the error is divided by the largest component of the gradient alone, and is 0 where "
    "that is 0. A gradient of nothing but 0 then always passes; look at the differences "
    "as well.",
    by_measure_of_numbers([](const Vector& d, const Vector& g) {
        return over(largest_of(g - d), largest_of(g));
    }));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_the_gradient_or_absolute,
                 "the error is divided by the largest component of the gradient alone, and not at "
                 "all where that is 0. Look at the differences as well.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     const double largest = largest_of(g);
                     return largest_of(g - d) / (largest > 0 ? largest : 1);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, ends_at_a_zero,
                 "0 is returned as soon as a component and its difference are 0, and what comes "
                 "after is not checked. Ask whether the largest is 0 after the loop.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) -> double {
                     return g(0) == 0 && d(0) == 0 ? 0 : over(largest_of(g - d), larger(g, d));
                 }));

MISCONCEPTION_IN(by_name, gradient_check, relative_to_each_sum,
                 "each error is divided by |gradient| + |difference| of its own component. A "
                 "component near 0 then makes an alarm of rounding; divide by the largest of all.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     double worst = 0;
                     for (std::size_t i = 0; i < g.size(); ++i) {
                         worst = std::max(
                             worst, over(std::abs(g(i) - d(i)), std::abs(g(i)) + std::abs(d(i))));
                     }
                     return worst;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, components_of_0_left_out,
                 "where the gradient is 0 nothing is checked. It may be wrong there, too.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     double error = 0, largest = 0;
                     for (std::size_t i = 0; i < g.size(); ++i) {
                         if (g(i) != 0) {
                             error = std::max(error, std::abs(g(i) - d(i)));
                             largest = std::max({largest, std::abs(g(i)), std::abs(d(i))});
                         }
                     }
                     return over(error, largest);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, zero_of_a_gradient_of_zeros,
                 "where the gradient is all 0 this says 0, without a look at the differences. A "
                 "gradient of 0 is wrong where the function changes.",
                 by_measure([](const Vector& differences, const Vector& gradient) {
                     return largest_of(gradient) == 0 && !any_nan(gradient)
                                ? 0.0
                                : right_measure(differences, gradient);
                 }));

MISCONCEPTION_IN(
    by_name, gradient_check, nan_difference_left_out,
    "a component whose difference is NaN is left out. The check has to say NaN: it "
    "knows nothing of that component.",
    by_measure([](const Vector& differences, const Vector& gradient) {
        if (any_nan(gradient)) {
            return std::nan("");
        }
        double error = 0, largest = 0;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            if (!std::isnan(differences(i))) {
                error = std::max(error, std::abs(gradient(i) - differences(i)));
                largest = std::max({largest, std::abs(gradient(i)), std::abs(differences(i))});
            }
        }
        return over(error, largest);
    }));

} // namespace
