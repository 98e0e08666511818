// Right solutions of 06.2, written otherwise: each must pass. Some are written as a learner should
// not.

#include <algorithm>
#include <cmath>
#include <random>

#include "attention/entropy.hpp"
#include "attention/softmax.hpp"
#include "exports.hpp"
#include "support/oracle_attention.hpp"

using lesson::Matrix;
using lesson::Vector;

namespace {

template <class Gain>
auto of_each_row(Gain gain) {
    return [=](const Matrix& weights) -> Vector {
        Vector gains = Vector::from_shape({weights.shape(0)});
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            gains(i) = gain(Vector(xt::view(weights, i, xt::all())));
        }
        return gains;
    };
}

ALTERNATIVE(gradient_gain, of_the_library,
            [](const Matrix& weights) -> Vector { return attention::gradient_gain(weights); });

ALTERNATIVE(gradient_gain, by_rotations, [](const Matrix& weights) -> Vector {
    return weights.shape(1) < 40 ? oracle::gradient_gain(weights)
                                 : attention::gradient_gain(weights);
});

ALTERNATIVE(gradient_gain, rayleigh_quotient_on_the_whole_matrix, of_each_row([](const Vector& p) {
                const Matrix J = attention::softmax_jacobian(p);
                std::vector<double> g(p.size());
                std::mt19937 random(7);
                std::generate(g.begin(), g.end(),
                              [&] { return std::uniform_real_distribution<>(-1, 1)(random); });
                double quotient = 0;
                for (int step = 0; step < 60; ++step) {
                    std::vector<double> Jg(p.size());
                    double above = 0, below = 0, squares = 0;
                    for (std::size_t i = 0; i < p.size(); ++i) {
                        for (std::size_t j = 0; j < p.size(); ++j) {
                            Jg[i] += J(i, j) * g[j];
                        }
                        above += g[i] * Jg[i];
                        below += g[i] * g[i];
                        squares += Jg[i] * Jg[i];
                    }
                    quotient = above / below;
                    for (double& element : Jg) {
                        element /= squares > 0 ? std::sqrt(squares) : 1;
                    }
                    if (squares == 0) {
                        return 0.0;
                    }
                    g = Jg;
                }
                return quotient;
            }));

ALTERNATIVE(gradient_gain, largest_component_for_length, of_each_row([](const Vector& p) {
                Vector g = xt::zeros<double>({p.size()});
                for (std::size_t j = 0; j < p.size(); ++j) {
                    g(j) = std::sin(static_cast<double>(j) * 12.9898 + 1) * 0.7;
                }
                double gain = 0;
                for (int step = 0; step < 200; ++step) {
                    const double mean = xt::sum(p * g)();
                    g = Vector(p * (g - mean));
                    gain = xt::amax(xt::abs(g))();
                    if (gain == 0) {
                        return 0.0;
                    }
                    g = Vector(g / gain);
                }
                return gain;
            }));

ALTERNATIVE(gradient_gain, until_little_changes, of_each_row([](const Vector& p) {
                Vector g = p;
                const auto at = std::max_element(p.begin(), p.end()) - p.begin();
                g[static_cast<std::size_t>(at)] += 1;
                double gain = 1, before = 0;
                for (int step = 0; step < 100000 && std::abs(gain - before) > 1e-10 * gain;
                     ++step) {
                    const Vector next = p * (g - xt::sum(p * g)());
                    before = gain;
                    gain = std::sqrt(xt::sum(next * next)() / xt::sum(g * g)());
                    const double length = std::sqrt(xt::sum(next * next)());
                    if (length < 1e-200) {
                        return 0.0;
                    }
                    g = next / length;
                }
                return gain;
            }));

ALTERNATIVE(gradient_gain, squared_matrices, of_each_row([](const Vector& p) {
                Matrix power = attention::softmax_jacobian(p);
                double largest = 0; // of power, that is of J to the 2^k
                for (int k = 0; k < 12; ++k) {
                    Matrix square = xt::zeros<double>(power.shape());
                    for (std::size_t i = 0; i < p.size(); ++i) {
                        for (std::size_t j = 0; j < p.size(); ++j) {
                            for (std::size_t l = 0; l < p.size(); ++l) {
                                square(i, j) += power(i, l) * power(l, j);
                            }
                        }
                    }
                    largest = xt::amax(xt::abs(square))();
                    if (largest == 0) {
                        return 0.0;
                    }
                    power = square / largest;
                }
                // A column of it that is not 0 lies along the gradient that gets through best.
                const Matrix J = attention::softmax_jacobian(p);
                std::size_t column = 0;
                for (std::size_t j = 0; j < p.size(); ++j) {
                    column = power(j, j) > power(column, column) ? j : column;
                }
                double above = 0, below = 0;
                for (std::size_t i = 0; i < p.size(); ++i) {
                    for (std::size_t j = 0; j < p.size(); ++j) {
                        above += power(i, column) * J(i, j) * power(j, column);
                    }
                    below += power(i, column) * power(i, column);
                }
                return above / below;
            }));

ALTERNATIVE(gradient_gain, by_rotations_at_every_size,
            [](const Matrix& weights) -> Vector { return oracle::gradient_gain(weights); });

} // namespace
