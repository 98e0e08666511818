// Wrong versions of 06.2 that iterate, and stop, measure or go on in the wrong way.

#include "gain.hpp"

using namespace wrong;

namespace {

// Known by all answers together: it may stop anywhere (see grader_gain.cpp).
MISCONCEPTION(gradient_gain, stopped_too_early,
              "the iteration stops too early: each gain is right or a little too small, and what "
              "goes on comes closer from below. Go on until the gain grows by less than 1e-10 of "
              "itself, for 1000 steps at most. (Less than 1e-10 is not the same: a gain may be "
              "small.)",
              in_each_row([](const Vector& p) {
                  Vector g = axis(p.size(), at_largest(p));
                  double gain = 0;
                  for (int step = 0; step < 12; ++step) {
                      g = jacobian_times(p, g);
                      gain = length(g);
                      g /= gain > 0 ? gain : 1;
                  }
                  return gain;
              }));

/// Each row goes on with the gradient that the row before has ended with.
template <class Start>
auto going_on_from(Start start) {
    return [=](const Matrix& weights) -> Vector {
        Vector gains = Vector::from_shape({weights.shape(0)});
        Vector g = start(Vector(xt::view(weights, 0, xt::all())));
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            const Vector p = xt::view(weights, i, xt::all());
            for (int step = 0; step < 1000; ++step) {
                const Vector stretched = jacobian_times(p, g);
                gains(i) = length(stretched);
                if (gains(i) == 0) {
                    break;
                }
                g = stretched / gains(i);
            }
        }
        return gains;
    };
}

constexpr const char* says_goes_on =
    "a row goes on with the gradient that the row before has ended with. If that is at a right "
    "angle to what is best here, or 0, it never turns there: start each row anew.";

MISCONCEPTION(gradient_gain, keeps_the_gradient_of_the_row_before, says_goes_on,
              going_on_from([](const Vector& p) { return axis(p.size(), at_largest(p)); }));

MISCONCEPTION(gradient_gain, keeps_the_gradient_from_the_first_key, says_goes_on,
              going_on_from([](const Vector& p) { return axis(p.size(), 0); }));

// The others take all 1000 steps, in which rounding may turn a gradient after all.
MISCONCEPTION(gradient_gain, keeps_the_gradient_until_it_grows_no_more, says_goes_on,
              [](const Matrix& weights) -> Vector {
                  Vector g =
                      axis(weights.shape(1), at_largest(Vector(xt::view(weights, 0, xt::all()))));
                  return in_rows(weights, [&](const Vector& p) {
                      double gain = 0, before = 0;
                      for (int step = 0; step < 1000; ++step) {
                          g = jacobian_times(p, g);
                          before = gain;
                          gain = length(g);
                          g /= gain > 0 ? gain : 1;
                          if (gain - before <= 1e-10 * gain) {
                              break;
                          }
                      }
                      return gain;
                  });
              });

/// J g by its formula, where the sums of a step may go on from those of the steps before.
auto with_sums_going_on(bool mean_goes_on, bool squares_go_on) {
    return in_each_row([=](const Vector& p) {
        Vector g = axis(p.size(), at_largest(p));
        double gain = 0, mean = 0, squares = 0;
        for (int step = 0; step < 1000; ++step) {
            mean = xt::sum(p * g)() + (mean_goes_on ? mean : 0);
            g = p * (g - mean);
            squares = xt::sum(g * g)() + (squares_go_on ? squares : 0);
            const double before = gain;
            gain = std::sqrt(squares);
            if (gain == 0 || gain - before < 1e-10 * gain) {
                break;
            }
            g /= gain;
        }
        return gain;
    });
}

constexpr const char* says_sums_go_on =
    "a sum is set to 0 for each row and not for each step: Σ p g, or the squared length of the "
    "gradient, still holds that of the steps before. Declare it inside the loop over the steps.";

MISCONCEPTION(gradient_gain, mean_not_reset_in_a_step, says_sums_go_on,
              with_sums_going_on(true, false));
MISCONCEPTION(gradient_gain, length_not_reset_in_a_step, says_sums_go_on,
              with_sums_going_on(false, true));
MISCONCEPTION(gradient_gain, sums_not_reset_in_a_step, says_sums_go_on,
              with_sums_going_on(true, true));

MISCONCEPTION(gradient_gain, nan_where_nothing_gets_through,
              "where one weight is 1, J g is 0 throughout, and dividing it by its length of 0 "
              "gives NaN. Nothing gets through there: the gain is 0, and the row is done.",
              in_each_row([](const Vector& p) {
                  return power_iteration(p, axis(p.size(), at_largest(p)), 0);
              }));

/// What is measured of the best gradient g, which has length 1, and of J g.
auto measured(std::function<double(const Vector& g, const Vector& stretched)> measure) {
    return in_each_row([=](const Vector& p) {
        Vector g = axis(p.size(), at_largest(p));
        for (int step = 0; step < 1000; ++step) {
            g = jacobian_times(p, g);
            g /= length(g) > 0 ? length(g) : 1;
        }
        return measure(g, jacobian_times(p, g));
    });
}

MISCONCEPTION(gradient_gain, largest_element_of_the_gradient,
              "this is the largest element of J g, not its length √Σ (J g)².",
              measured([](const Vector&, const Vector& stretched) {
                  return largest(xt::abs(stretched));
              }));

MISCONCEPTION(gradient_gain, sum_of_sizes_of_the_gradient,
              "this is Σ |J g|, the sum of its elements' sizes. Its length is √Σ (J g)².",
              measured([](const Vector&, const Vector& stretched) {
                  return total(xt::abs(stretched));
              }));

MISCONCEPTION(gradient_gain, mean_square_of_the_gradient,
              "the root is taken of the mean of (J g)², not of the sum: the length is √Σ (J g)².",
              measured([](const Vector&, const Vector& stretched) {
                  return length(stretched) / std::sqrt(static_cast<double>(stretched.size()));
              }));

/// What becomes of an iteration that divides by Σ (J g)² and takes that for the gain.
MISCONCEPTION(gradient_gain, no_root_in_the_length,
              "the gain is Σ (J g)², and the gradient is divided by that: it is the square of the "
              "length. The root is missing, √Σ (J g)².",
              in_each_row([](const Vector& p) {
                  Vector g = axis(p.size(), at_largest(p));
                  double gain = 0;
                  for (int step = 0; step < 1000; ++step) {
                      g = jacobian_times(p, g);
                      const double squares = total(g * g);
                      const bool done = squares == 0 || std::abs(squares - gain) < 1e-10 * squares;
                      gain = squares;
                      if (done) {
                          break;
                      }
                      g /= squares;
                  }
                  return gain;
              }));

/// Until the gain grows no more, or falls. before: what the first gain is compared with.
double until_it_grows_no_more(const Vector& p, const Apply& apply, bool normalised = true,
                              double before = 0) {
    Vector g = axis(p.size(), at_largest(p));
    double gain = 0;
    for (int step = 0; step < 1000; ++step) {
        g = apply(p, g);
        gain = length(g);
        if (gain == 0 || gain - before < 1e-10 * gain) {
            break;
        }
        before = gain;
        g /= normalised ? gain : 1;
    }
    return gain;
}

MISCONCEPTION(gradient_gain, not_normalised_second_length,
              "this is the length of J J g: g is not divided by its length after a step, so that "
              "each length is smaller than the one before, and the iteration ends at the second "
              "as if the gain grew no more. Divide g by its length after every step.",
              in_each_row([](const Vector& p) {
                  return until_it_grows_no_more(p, jacobian_times, false);
              }));

constexpr const char* says_not_weighed =
    "p · g is subtracted after the product with p, the same from every element: p ∘ g − p · g. In "
    "p pᵀ g each element has its p once more: p ∘ (g − p · g).";

Vector p_dot_g_subtracted(const Vector& p, const Vector& g) {
    return p * g - xt::sum(p * g)();
}

MISCONCEPTION(gradient_gain, p_dot_g_not_weighed, says_not_weighed,
              in_each_row([](const Vector& p) {
                  return power_iteration(p, axis(p.size(), at_largest(p)), 1, p_dot_g_subtracted);
              }));

MISCONCEPTION(gradient_gain, p_dot_g_not_weighed_until_it_falls, says_not_weighed,
              in_each_row([](const Vector& p) {
                  return until_it_grows_no_more(p, p_dot_g_subtracted);
              }));

MISCONCEPTION(gradient_gain, p_dot_g_of_the_start,
              "p · g is computed once, before the iteration, and stays that of the g at the start. "
              "g is another after each step: compute p · g anew in every step.",
              in_each_row([](const Vector& row) {
                  const double mean = largest(row); // p · g of a 1 at the largest weight
                  return until_it_grows_no_more(
                      row,
                      [=](const Vector& p, const Vector& g) -> Vector { return p * (g - mean); });
              }));

MISCONCEPTION(gradient_gain, compared_with_the_row_before,
              "the first gain of a row is compared with the last of the row before. Where that is "
              "larger, the iteration ends after one step, as if the gain grew no more. Start with "
              "a gain of 0 in each row.",
              [](const Matrix& weights) -> Vector {
                  double gain = 0;
                  return in_rows(weights, [&](const Vector& p) {
                      return gain = until_it_grows_no_more(p, jacobian_times, true, gain);
                  });
              });

/// Gains below `least` taken for none.
auto none_below(double least) {
    return in_each_row([=](const Vector& p) {
        const double gain = right_gain(p);
        return gain < least ? 0 : gain;
    });
}

constexpr const char* tiny_gains_lost =
    "a tiny gain is taken for none. Either the gain is held against a bound, such as 1e-8 or "
    "1e-12, or a row whose largest weight is nearly 1 is taken for one whose largest weight is 1. "
    "Ask whether the gain is 0: only then there is nothing to divide by.";

MISCONCEPTION(gradient_gain, gains_below_1e_6_lost, tiny_gains_lost, none_below(1e-6));
MISCONCEPTION(gradient_gain, gains_below_1e_10_lost, tiny_gains_lost, none_below(1e-10));

MISCONCEPTION(gradient_gain, length_after_it_was_made_1,
              "this is the length of g after it was divided by its length, which is 1 (or 0). What "
              "it was divided by is the gain.",
              measured([](const Vector& g, const Vector&) { return length(g); }));

MISCONCEPTION(gradient_gain, divided_by_the_square,
              "g is divided by Σ g² instead of by its root, so that its length is never 1 and what "
              "is read off is no eigenvalue. Divide by √Σ g².",
              in_each_row([](const Vector& p) {
                  Vector g = axis(p.size(), at_largest(p));
                  double squares = 0;
                  for (int step = 0; step < 1000; ++step) {
                      g = jacobian_times(p, g);
                      squares = xt::sum(g * g)();
                      if (squares == 0) {
                          return 0.0;
                      }
                      g /= squares;
                  }
                  return std::sqrt(squares);
              }));

MISCONCEPTION(gradient_gain, overwrites_what_it_still_needs,
              "J g is written into g element by element, and p · g is summed anew for each: later "
              "elements are made of new ones. Compute p · g once, before anything is written.",
              in_each_row([](const Vector& p) {
                  Vector g = axis(p.size(), at_largest(p));
                  double gain = 0;
                  for (int step = 0; step < 1000; ++step) {
                      for (std::size_t j = 0; j < p.size(); ++j) {
                          g(j) = p(j) * (g(j) - xt::sum(p * g)());
                      }
                      gain = length(g);
                      g /= gain > 0 ? gain : 1;
                  }
                  return gain;
              }));

} // namespace
