#pragma once

// The machine's vector registers, through xsimd: the one header that includes it and hides what its
// versions name differently (from 10 on `hadd` is `reduce_add`, and `bitwise_cast` takes an
// element's type). Everything is in an unnamed
// namespace, because code compiled for this machine must never be merged with the same compiled for
// all.

#include <xsimd/xsimd.hpp>

namespace attention {
namespace {

/// As many numbers as a register holds: 16 floats with AVX-512, 8 with AVX2, 4 with NEON or SSE.
template <class T>
using Lanes = xsimd::batch<T>;

/// The sum of all numbers of a register.
template <class T>
[[maybe_unused]] T sum_of(const Lanes<T>& x) {
#if XSIMD_VERSION_MAJOR >= 10
    return xsimd::reduce_add(x);
#else
    return xsimd::hadd(x);
#endif
}

/// The same bits as another type.
template <class To, class From>
[[maybe_unused]] To same_bits(const From& x) {
#if XSIMD_VERSION_MAJOR >= 10
    return xsimd::bitwise_cast<typename To::value_type>(x);
#else
    return xsimd::bitwise_cast<To>(x);
#endif
}

} // namespace
} // namespace attention
