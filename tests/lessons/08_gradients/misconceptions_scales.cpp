// Wrong versions that take what is tiny for 0, or cut what is large: 08.1 to 08.5.

#include "support/bounds.hpp"
#include "wrong_check.hpp"
#include "wrong_products.hpp"

namespace misconceptions_scales {

using namespace wrong;

namespace {

#define BOUNDED(name, text, bounded)                                                               \
    MISCONCEPTION(softmax_backward, name, text, [](const Matrix& p, const Matrix& g) -> Matrix {   \
        return bounded(right_softmax_backward(p, g));                                              \
    });                                                                                            \
    MISCONCEPTION(matmul_backward, name, text,                                                     \
                  product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {             \
                      return ProductGradients{bounded(right_A(B, d_C)), bounded(right_B(A, d_C))}; \
                  }));                                                                             \
    MISCONCEPTION(                                                                                 \
        matmul_transposed_backward, name, text,                                                    \
        transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {                    \
            return ProductGradients{bounded(right_A_t(B, d_C)), bounded(right_B_t(A, d_C))};       \
        }));                                                                                       \
    MISCONCEPTION(attention_backward, name, text, by_parts([](const Parts& at) {                   \
                      const auto [d_Q, d_K, d_V] = at.right();                                     \
                      return AttentionGradients{bounded(d_Q), bounded(d_K), bounded(d_V)};         \
                  }))
BOUNDED(small_is_0, bounds::small_text, bounds::small_lost);
BOUNDED(large_is_cut, bounds::large_text, bounds::large_cut);
#undef BOUNDED

constexpr const char* small_d_C =
    "an element of d_C that is tiny is passed over, as if it was 0. All of d_C may be tiny, and "
    "what one of its elements meets in A or B may be as large: leave the bound out.";

Matrix tiny_dropped(const Matrix& d_C, double bound) {
    return xt::where(xt::abs(d_C) < bound, 0.0, d_C);
}

#define SMALL_D_C(digits)                                                                          \
    MISCONCEPTION(matmul_backward, d_C_below_1e_##digits##_passed_over, small_d_C,                 \
                  product_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {             \
                      const Matrix kept = tiny_dropped(d_C, 1e-##digits);                          \
                      return ProductGradients{right_A(B, kept), right_B(A, kept)};                 \
                  }));                                                                             \
    MISCONCEPTION(matmul_transposed_backward, transposed_d_C_below_1e_##digits##_passed_over,      \
                  small_d_C,                                                                       \
                  transposed_by([](const Matrix& A, const Matrix& B, const Matrix& d_C) {          \
                      const Matrix kept = tiny_dropped(d_C, 1e-##digits);                          \
                      return ProductGradients{right_A_t(B, kept), right_B_t(A, kept)};             \
                  }))
SMALL_D_C(10);
SMALL_D_C(12);
SMALL_D_C(15);
#undef SMALL_D_C

MISCONCEPTION(learn_lookup, small_is_0,
              "a gradient that is tiny is taken for 0, as if it was rounding. Whether a step is "
              "small the rate decides: leave the bound out.",
              moved_by([](const Step& step, const Pass& p) {
                  step.W.W_q -= step.rate * bounds::small_lost(p.d_W_q);
                  step.W.W_k -= step.rate * bounds::small_lost(p.d_W_k);
                  step.W.W_v -= step.rate * bounds::small_lost(p.d_W_v);
              }));

MISCONCEPTION_IN(by_name, gradient_check, small_is_0,
                 "the error is 0 where all components are tiny, as if they were rounding. That is "
                 "for components that are all 0: the error is relative, and tiny ones can be wrong "
                 "as well.",
                 by_measure_of_numbers([](const Vector& d, const Vector& g) {
                     return larger(g, d) < 1e-10 ? 0 : right_measure(d, g);
                 }));

MISCONCEPTION_IN(by_name, gradient_check, nan_beside_nothing_lost,
                 "where all numbers are 0 this returns 0, and does not see that one of them is "
                 "NaN: look for NaN first.",
                 by_measure([](const Vector& d, const Vector& g) {
                     double error = 0, largest = 0;
                     bool nan = false;
                     for (std::size_t i = 0; i < g.size(); ++i) {
                         nan = nan || std::isnan(d(i)) || std::isnan(g(i));
                         error = std::max(error, std::abs(g(i) - d(i)));
                         largest = std::max({largest, std::abs(g(i)), std::abs(d(i))});
                     }
                     return largest == 0 ? 0 : nan ? std::nan("") : error / largest;
                 }));

MISCONCEPTION_IN(by_name, gradient_check, nan_at_x_plus_h_alone,
                 "a NaN is looked for in f(x + h) and not in f(x − h). The difference has it "
                 "whichever of the two is NaN.",
                 checked([](const ScalarFunction& f, const Vector& x, const Vector& gradient,
                            double h) {
                     double error = 0, largest = 0;
                     for (std::size_t i = 0; i < x.size(); ++i) {
                         const double above = moved(f, x, i, h), g = gradient(i);
                         if (std::isnan(above) || std::isnan(g)) {
                             return std::nan("");
                         }
                         const double d = (above - moved(f, x, i, -h)) / (2 * h);
                         error = std::max(error, std::abs(g - d));
                         largest = std::max({largest, std::abs(g), std::abs(d)});
                     }
                     return over(error, largest);
                 }));

} // namespace

} // namespace misconceptions_scales
