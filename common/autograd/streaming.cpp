#include "autograd/streaming.hpp"

#include "autograd/check.hpp"
#include "autograd/kernels.hpp"
#include "streaming/streaming.hpp"

#include <algorithm>
#include <memory>

namespace autograd {
namespace {

// Texts of n positions, rows of n_heads · d components each.
struct Layout {
    std::size_t n_texts, n, n_heads, d;

    // Calls visit(flat, headed) with the place of a head's components of a position in (n_texts ·
    // n, n_heads · d), and in (n_texts · n_heads, n, d).
    template <class Visit>
    void for_each_piece(const Visit& visit) const {
        for (std::size_t text = 0; text < n_texts; ++text) {
            for (std::size_t head = 0; head < n_heads; ++head) {
                for (std::size_t i = 0; i < n; ++i) {
                    visit(((text * n + i) * n_heads + head) * d,
                          ((text * n_heads + head) * n + i) * d);
                }
            }
        }
    }
};

template <class T>
xt::xtensor<T, 3> split(const T* flat, const Layout& layout) {
    auto heads =
        xt::xtensor<T, 3>::from_shape({layout.n_texts * layout.n_heads, layout.n, layout.d});
    layout.for_each_piece([&](std::size_t from, std::size_t to) {
        std::copy_n(flat + from, layout.d, heads.data() + to);
    });
    return heads;
}

template <class T>
void join(const xt::xtensor<T, 3>& heads, const Layout& layout, const Destination<T>& flat) {
    layout.for_each_piece([&](std::size_t to, std::size_t from) {
        if (flat.add) {
            kernels::add(T(1), heads.data() + from, flat.data + to, layout.d);
        } else {
            std::copy_n(heads.data() + from, layout.d, flat.data + to);
        }
    });
}

template <class T>
Layout layout_of(const BasicValue<T>& Q, const BasicValue<T>& K, const BasicValue<T>& V,
                 std::size_t n_texts, std::size_t n_heads) {
    const std::string function = "causal_attention";
    require_rank(function.c_str(), "Q", Q, 2);
    for (const BasicValue<T>& other : {K, V}) {
        require_same_tape(function.c_str(), Q, other);
        if (shape_of(other.data()) != shape_of(Q.data())) {
            throw std::invalid_argument(function + ": Q, K and V must have one shape, got " +
                                        attention::shape_text(Q.data()) + ", " +
                                        attention::shape_text(K.data()) + " and " +
                                        attention::shape_text(V.data()));
        }
    }
    const auto require_parts = [&](const char* whole, std::size_t size, const char* parts,
                                   std::size_t n_parts) {
        if (n_parts == 0 || size == 0 || size % n_parts != 0) {
            throw std::invalid_argument(function + ": " + whole + " must be a multiple of " +
                                        parts + ", got " + std::to_string(size) + " and " +
                                        std::to_string(n_parts) + "; Q is " +
                                        attention::shape_text(Q.data()));
        }
    };
    require_parts("the rows", Q.shape(0), "n_texts", n_texts);
    require_parts("d", Q.shape(1), "n_heads", n_heads);
    return {n_texts, Q.shape(0) / n_texts, n_heads, Q.shape(1) / n_heads};
}

} // namespace

template <class T>
BasicValue<T> scaled_dot_product_attention(const BasicValue<T>& Q, const BasicValue<T>& K,
                                           const BasicValue<T>& V,
                                           const attention::AttentionOptions& options) {
    const char* function = "scaled_dot_product_attention";
    require_rank(function, "Q", Q, 3);
    require_rank(function, "K", K, 3);
    require_rank(function, "V", V, 3);
    require_same_tape(function, Q, K);
    require_same_tape(function, Q, V);
    using Tensor = xt::xtensor<T, 3>;
    // output and logsumexp: all that the backward pass needs besides the inputs
    const auto forward = attention::streaming_attention<T>(Tensor(Q.data()), Tensor(K.data()),
                                                           Tensor(V.data()), options);
    const auto backward = [Q, K, V, options, forward](const Array<T>& dy, const Array<T>&) {
        const auto gradients = attention::streaming_attention_backward<T>(
            Tensor(Q.data()), Tensor(K.data()), Tensor(V.data()), forward, Tensor(dy), options);
        Q.add_gradient(gradients.Q.data());
        K.add_gradient(gradients.K.data());
        V.add_gradient(gradients.V.data());
    };
    return Q.tape().record(Array<T>(forward.output),
                           Q.needs_gradient() || K.needs_gradient() || V.needs_gradient(),
                           backward);
}

template <class T>
BasicValue<T> causal_attention(const BasicValue<T>& Q, const BasicValue<T>& K,
                               const BasicValue<T>& V, std::size_t n_texts, std::size_t n_heads) {
    const Layout layout = layout_of(Q, K, V, n_texts, n_heads);
    // a tape belongs to a thread: others have tapes of their own
    const attention::AttentionOptions options{.is_causal = true, .threads = 1};
    using Tensor = xt::xtensor<T, 3>;
    struct Kept { // for the backward
        Tensor Q, K, V;
        attention::Streamed<T> forward;
    };
    const auto kept = std::make_shared<Kept>();
    kept->Q = split(Q.data().data(), layout);
    kept->K = split(K.data().data(), layout);
    kept->V = split(V.data().data(), layout);
    kept->forward = attention::streaming_attention<T>(kept->Q, kept->K, kept->V, options);
    Array<T> y = Array<T>::from_shape(shape_of(Q.data()));
    join(kept->forward.output, layout, Destination<T>{y.data()});
    const auto backward = [=](const Array<T>& dy, const Array<T>&) {
        const auto gradients = attention::streaming_attention_backward<T>(
            kept->Q, kept->K, kept->V, kept->forward, split(dy.data(), layout), options);
        const auto pass_on = [&](const BasicValue<T>& X, const Tensor& gradient) {
            if (X.needs_gradient()) {
                join(gradient, layout, X.gradient_destination());
            }
        };
        pass_on(Q, gradients.Q);
        pass_on(K, gradients.K);
        pass_on(V, gradients.V);
    };
    return Q.tape().record(
        std::move(y), Q.needs_gradient() || K.needs_gradient() || V.needs_gradient(), backward);
}

template BasicValue<float> causal_attention(const BasicValue<float>&, const BasicValue<float>&,
                                            const BasicValue<float>&, std::size_t, std::size_t);
template BasicValue<double> causal_attention(const BasicValue<double>&, const BasicValue<double>&,
                                             const BasicValue<double>&, std::size_t, std::size_t);
template BasicValue<float> scaled_dot_product_attention(const BasicValue<float>&,
                                                        const BasicValue<float>&,
                                                        const BasicValue<float>&,
                                                        const attention::AttentionOptions&);
template BasicValue<double> scaled_dot_product_attention(const BasicValue<double>&,
                                                         const BasicValue<double>&,
                                                         const BasicValue<double>&,
                                                         const attention::AttentionOptions&);

} // namespace autograd
