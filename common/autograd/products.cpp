#include "autograd/check.hpp"
#include "autograd/gemm.hpp"
#include "autograd/kernels.hpp"
#include "autograd/operations.hpp"

namespace autograd {
namespace {

// BLAS does not accept a leading dimension of 0.
template <class T>
void require_not_empty(const char* function, const BasicValue<T>& B) {
    if (B.data().size() == 0) {
        throw std::invalid_argument(std::string(function) + ": B must not be empty, got " +
                                    attention::shape_text(B.data()));
    }
}

// A B or, with is_transposed, A Bᵀ; b, if it exists, is added to every row.
template <class T>
BasicValue<T> product_of(const char* function, const BasicValue<T>& A, const BasicValue<T>& B,
                         bool is_transposed, const BasicValue<T>& b = {}) {
    if (A.dimension() == 0) {
        require_rank(function, "A", A, 1);
    }
    if (B.dimension() != 1 || is_transposed || b.exists()) {
        require_rank(function, "B", B, 2);
    }
    const std::size_t k_axis = is_transposed ? 1 : 0;
    require_shared(function, "k", "A", A, A.dimension() - 1, "B", B, k_axis);
    require_not_empty(function, B);
    const std::size_t k = B.shape(k_axis), n = B.data().size() / k, rows = A.data().size() / k;
    Shape shape = shape_of(A.data());
    shape.pop_back();
    if (B.dimension() == 2) {
        shape.push_back(n);
    }
    Array<T> C = Array<T>::from_shape(shape);
    const Factor<T> left{A.data().data(), rows, k};
    const Factor<T> right{B.data().data(), is_transposed ? n : k, is_transposed ? k : n,
                          is_transposed};
    gemm<T>(left, right, {C.data()}, b.exists() ? b.data().data() : nullptr);
    const auto backward = [=](const Array<T>& dC, const Array<T>&) {
        const Factor<T> dc{dC.data(), rows, n};
        if (A.needs_gradient()) {
            gemm(dc, transposed(right), A.gradient_destination());
        }
        if (B.needs_gradient() && is_transposed) {
            gemm(transposed(dc), left, B.gradient_destination());
        } else if (B.needs_gradient()) {
            gemm(transposed(left), dc, B.gradient_destination());
        }
        if (b.exists() && b.needs_gradient()) {
            T* db = b.gradient_accumulator().data();
            for (std::size_t row = 0; row < rows; ++row) {
                kernels::add(T(1), dC.data() + row * n, db, n);
            }
        }
    };
    return A.tape().record(
        std::move(C),
        A.needs_gradient() || B.needs_gradient() || (b.exists() && b.needs_gradient()), backward);
}

} // namespace

template <class T>
BasicValue<T> product(const BasicValue<T>& A, const BasicValue<T>& B) {
    return product_of("product", A, B, false);
}

template <class T>
BasicValue<T> affine(const BasicValue<T>& A, const BasicValue<T>& B, const BasicValue<T>& b) {
    require_rank("affine", "B", B, 2);
    require_rank("affine", "b", b, 1);
    require_shared("affine", "n", "B", B, 1, "b", b, 0);
    return product_of("affine", A, B, false, b);
}

template <class T>
BasicValue<T> product_transposed(const BasicValue<T>& A, const BasicValue<T>& B) {
    return product_of("product_transposed", A, B, true);
}

template <class T>
BasicValue<T> batched_product(const BasicValue<T>& A, const BasicValue<T>& B) {
    require_rank("batched_product", "A", A, 3);
    require_rank("batched_product", "B", B, 3);
    require_shared("batched_product", "batch", "A", A, 0, "B", B, 0);
    require_shared("batched_product", "k", "A", A, 2, "B", B, 1);
    require_not_empty("batched_product", B);
    const std::size_t batch = A.shape(0), m = A.shape(1), k = A.shape(2), n = B.shape(2);
    Array<T> C = Array<T>::from_shape({batch, m, n});
    const auto a = [A, m, k](std::size_t i) {
        return Factor<T>{A.data().data() + i * m * k, m, k};
    };
    const auto b = [B, k, n](std::size_t i) {
        return Factor<T>{B.data().data() + i * k * n, k, n};
    };
    for (std::size_t i = 0; i < batch; ++i) {
        gemm<T>(a(i), b(i), {C.data() + i * m * n});
    }
    const auto backward = [=](const Array<T>& dC, const Array<T>&) {
        T* dA = A.needs_gradient() ? A.gradient_accumulator().data() : nullptr;
        T* dB = B.needs_gradient() ? B.gradient_accumulator().data() : nullptr;
        for (std::size_t i = 0; i < batch; ++i) {
            const Factor<T> dc{dC.data() + i * m * n, m, n};
            if (dA != nullptr) {
                gemm<T>(dc, transposed(b(i)), {dA + i * m * k, true});
            }
            if (dB != nullptr) {
                gemm<T>(transposed(a(i)), dc, {dB + i * k * n, true});
            }
        }
    };
    return A.tape().record(std::move(C), A.needs_gradient() || B.needs_gradient(), backward);
}

#define AUTOGRAD_PRODUCTS(T)                                                                       \
    template BasicValue<T> product(const BasicValue<T>&, const BasicValue<T>&);                    \
    template BasicValue<T> affine(const BasicValue<T>&, const BasicValue<T>&,                      \
                                  const BasicValue<T>&);                                           \
    template BasicValue<T> product_transposed(const BasicValue<T>&, const BasicValue<T>&);         \
    template BasicValue<T> batched_product(const BasicValue<T>&, const BasicValue<T>&);
AUTOGRAD_PRODUCTS(float)
AUTOGRAD_PRODUCTS(double)
#undef AUTOGRAD_PRODUCTS

} // namespace autograd
