// Wrong versions of 06.2: other numbers of the Jacobian, and power iterations that go astray.

#include "gain.hpp"

using namespace wrong;

namespace {

auto with_jacobian(Apply apply) {
    return in_each_row([=](const Vector& p) {
        return power_iteration(p, axis(p.size(), at_largest(p)), 1, apply);
    });
}

/// `steps` times J g and nothing else, then the last stretch.
auto not_normalised(int steps) {
    return in_each_row([=](const Vector& p) {
        Vector g = axis(p.size(), at_largest(p));
        for (int step = 0; step < steps; ++step) {
            g = jacobian_times(p, g);
        }
        return length(jacobian_times(p, g)) / length(g);
    });
}

// ---- other numbers of the Jacobian

MISCONCEPTION(gradient_gain, trace,
              "this is the trace, Σ p (1 − p): the sum of all eigenvalues. 64 equal weights have a "
              "trace of 0.98, and yet no gradient comes out longer than 1/64 of what went in. The "
              "gain is the largest eigenvalue alone.",
              in_each_row(wrong::trace));

MISCONCEPTION(gradient_gain, largest_element,
              "this is the largest p (1 − p), the largest element of the Jacobian. It says what "
              "raising one score does to its own weight; the other weights move as well, and the "
              "gradient that is stretched most pulls at several. The gain is larger, up to twice "
              "that.",
              in_each_row([](const Vector& p) { return largest(p * (1 - p)); }));

MISCONCEPTION(gradient_gain, eigenvalue_of_the_two_largest_weights,
              "this is the largest eigenvalue for the two largest weights alone. The others take "
              "part, too: what pulls at one weight against all the others is stretched more.",
              in_each_row([](const Vector& row) {
                  Vector p = row;
                  std::sort(p.begin(), p.end(), std::greater<>());
                  if (p.size() == 1) {
                      return 0.0;
                  }
                  const double a = p(0) * (1 - p(0)), b = p(1) * (1 - p(1)), c = p(0) * p(1);
                  return (a + b) / 2 + std::sqrt((a - b) * (a - b) / 4 + c * c);
              }));

MISCONCEPTION(gradient_gain, twice_the_largest_element,
              "this is twice the largest p (1 − p), which the gain never exceeds (the largest sum "
              "of |J| over a row, Gershgorin's bound). It is a bound, and reached with two keys "
              "alone; the eigenvalue is what is asked for.",
              in_each_row([](const Vector& p) { return 2 * largest(p * (1 - p)); }));

MISCONCEPTION(gradient_gain, all_but_the_largest_weight,
              "this is 1 − max p: how much weight is not at the favourite key. That says little of "
              "the gradient: with 64 equal weights it is 0.98, and the gain is 1/64.",
              in_each_row([](const Vector& p) { return 1 - largest(p); }));

MISCONCEPTION(gradient_gain, frobenius_norm,
              "this is √Σ J², the Frobenius norm: the root of the sum of all squared eigenvalues. "
              "The gain is the largest of them alone.",
              in_each_row([](const Vector& p) {
                  const Matrix J = oracle::softmax_jacobian(p);
                  return std::sqrt(xt::sum(J * J)());
              }));

MISCONCEPTION(gradient_gain, longest_row_of_the_jacobian,
              "this is the length of the Jacobian's longest row: one step of a power iteration, "
              "for a gradient that pulls at one score alone. Go on with what came out, until its "
              "stretch does not change any more.",
              in_each_row([](const Vector& p) {
                  return length(jacobian_times(p, axis(p.size(), at_largest(p))));
              }));

MISCONCEPTION(gradient_gain, mean_of_the_eigenvalues,
              "this is Σ p (1 − p) / n_keys, the mean of all eigenvalues. The largest of them is "
              "asked for.",
              in_each_row([](const Vector& p) {
                  return wrong::trace(p) / static_cast<double>(p.size());
              }));

MISCONCEPTION(gradient_gain, largest_weight,
              "this is the largest weight, the largest eigenvalue of diag(p) alone: −p pᵀ is left "
              "out. Where one weight is 1, this is 1, and yet nothing gets through.",
              in_each_row(largest));

MISCONCEPTION(gradient_gain, second_largest_weight,
              "this is the second largest weight. The largest eigenvalue lies between the two "
              "largest weights, and equals them only where they are equal.",
              in_each_row([](const Vector& p) {
                  Vector sorted = p;
                  std::sort(sorted.rbegin(), sorted.rend());
                  return sorted.size() > 1 ? sorted(1) : 0;
              }));

MISCONCEPTION(gradient_gain, as_if_of_two_keys,
              "this is 2 p (1 − p), or 2 p q, of the two largest weights p and q. That is right "
              "where there are two keys; further keys take part in the stretch.",
              in_each_row([](const Vector& p) {
                  Vector sorted = p;
                  std::sort(sorted.rbegin(), sorted.rend());
                  return sorted.size() > 1 ? 2 * sorted(0) * sorted(1) : 0;
              }));

MISCONCEPTION(
    gradient_gain, all_zero,
    "every gain is 0, or next to it. That is the Jacobian's smallest eigenvalue, that of a "
    "gradient which pulls at all scores alike, and also the sum of all its elements; and "
    "a gradient that is never brought back to length 1 ends there, too. The largest "
    "eigenvalue is asked for.",
    in_each_row([](const Vector&) { return 0.0; }));

MISCONCEPTION(gradient_gain, entropy_again,
              "this is the entropy of exercise 06.1. The Jacobian's eigenvalues have no logarithm.",
              in_each_row(plain_entropy));

// ---- J g, and how long it is

MISCONCEPTION(gradient_gain, plus,
              "there is a plus where diag(p) − p pᵀ has its minus: p ∘ (g + p · g).",
              with_jacobian([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g + xt::sum(p * g)());
              }));

MISCONCEPTION(gradient_gain, mean_of_g_for_p_dot_g,
              "the plain mean of g is subtracted inside the parentheses. It is the mean weighted "
              "with p, Σ p g.",
              with_jacobian([](const Vector& p, const Vector& g) -> Vector {
                  return p * (g - xt::mean(g)());
              }));

MISCONCEPTION(gradient_gain, squared,
              "these are the squares of the gains: Σ (J g)² is the squared length of J g, and its "
              "root is missing (or it is the largest eigenvalue of Jᵀ J).",
              in_each_row([](const Vector& p) { return std::pow(right_gain(p), 2); }));

MISCONCEPTION(gradient_gain, root,
              "these are the roots of the gains. g · J g of a g of length 1 is the eigenvalue "
              "already, as is the length of J g.",
              in_each_row([](const Vector& p) { return std::sqrt(right_gain(p)); }));

MISCONCEPTION(gradient_gain, not_normalised,
              "every gain is NaN, as where the gradient is never brought back to length 1: each "
              "step makes it smaller, after hundreds of steps the computer has no number that "
              "small, and 0 / 0 is NaN. Divide g by its length after every step.",
              not_normalised(1000));

MISCONCEPTION(gradient_gain, not_normalised_for_long,
              "the gradient is never brought back to length 1: each step makes it smaller. Where "
              "little gets through it reaches 0 within these steps, and 0 / 0 is NaN. Divide g by "
              "its length after every step.",
              not_normalised(100));

// ---- where it starts

constexpr const char* says_constant =
    "the iteration starts with a constant gradient, and J times that is 0 (or what rounding leaves "
    "of it): raising all scores alike changes no weight, as lesson 03 has shown. Start with all of "
    "the gradient at the largest weight.";

MISCONCEPTION(gradient_gain, constant_start, says_constant, in_each_row([](const Vector& p) {
                  return power_iteration(p, Vector(xt::ones<double>({p.size()})));
              }));

MISCONCEPTION(gradient_gain, constant_start_nan, says_constant, in_each_row([](const Vector& p) {
                  return power_iteration(p, Vector(xt::ones<double>({p.size()})), 0);
              }));

MISCONCEPTION(gradient_gain, constant_start_of_length_1, says_constant,
              in_each_row([](const Vector& p) {
                  const Vector ones = xt::ones<double>({p.size()});
                  return power_iteration(p, ones / length(ones));
              }));

MISCONCEPTION(gradient_gain, starts_with_changing_signs,
              "the iteration starts with a gradient of 1, −1, 1, … Where the largest weights stand "
              "at places of one sign, it never tells them apart. Start with all of the gradient at "
              "the largest weight.",
              in_each_row([](const Vector& p) {
                  Vector g = xt::ones<double>({p.size()});
                  for (std::size_t j = 1; j < p.size(); j += 2) {
                      g(j) = -1;
                  }
                  return power_iteration(p, g);
              }));

MISCONCEPTION(gradient_gain, starts_with_a_ramp,
              "the iteration starts with a gradient of 1, 2, 3, … Where a row reads the same from "
              "both ends, what it pulls with is as much to the left as to the right, and a weight "
              "in the middle never gets a share. Start with all of the gradient at the largest "
              "weight.",
              in_each_row([](const Vector& p) {
                  Vector g = xt::arange<double>(1, static_cast<double>(p.size() + 1));
                  return power_iteration(p, g / length(g));
              }));

MISCONCEPTION(gradient_gain, starts_at_the_first_key,
              "the iteration starts with all of the gradient at the first key. Where that has no "
              "weight, or where the two largest weights are equal and elsewhere, it never meets "
              "the eigenvector. Start at the largest weight, which has its share in it always.",
              in_each_row([](const Vector& p) { return power_iteration(p, axis(p.size(), 0)); }));

MISCONCEPTION(gradient_gain, starts_at_the_last_key,
              "the iteration starts with all of the gradient at the last key. Where that has no "
              "weight, or where the two largest weights are equal and elsewhere, it never meets "
              "the eigenvector. Start at the largest weight, which has its share in it always.",
              in_each_row([](const Vector& p) {
                  return power_iteration(p, axis(p.size(), p.size() - 1));
              }));

MISCONCEPTION(gradient_gain, starts_at_p,
              "the iteration starts with a gradient that is equal where weights are equal, as the "
              "weights themselves are, or a 1 at each of the largest. It never tells equal weights "
              "apart then. Start with all of the gradient at one of the largest weights.",
              in_each_row([](const Vector& p) { return power_iteration(p, p); }));

// ---- which rows

MISCONCEPTION(gradient_gain, gain_over_queries,
              "this runs down the columns: one number for each key. The softmax acts on rows, and "
              "each row, each query, has a Jacobian.",
              [](const Matrix& weights) -> Vector { return in_columns(weights, right_gain); });

MISCONCEPTION(gradient_gain, one_gain_for_all,
              "this is one number for the whole matrix. Every query has a Jacobian of its own; the "
              "result is a Vector with one element a row.",
              [](const Matrix& weights) -> Vector {
                  return {largest(in_rows(weights, right_gain))};
              });

MISCONCEPTION(gradient_gain, gain_of_the_first_query,
              "every query has the gain of the first. Take each row's own weights, "
              "xt::row(weights, i).",
              [](const Matrix& weights) -> Vector {
                  Vector gains = in_rows(weights, right_gain);
                  gains.fill(gains(0));
                  return gains;
              });

} // namespace
