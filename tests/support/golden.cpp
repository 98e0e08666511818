#include "support/golden.hpp"

#include <stdexcept>

// The only file that reads .npy: xtensor's reader brings in <regex>, slow to compile.
#if __has_include(<xtensor/io/xnpy.hpp>)
#include <xtensor/io/xnpy.hpp>
#else
#include <xtensor/xnpy.hpp>
#endif

namespace support {
namespace {

template <class T>
xt::xarray<T> load(const std::string& name) {
    try {
        return xt::load_npy<T>(GOLDEN_DIRECTORY "/" + name + ".npy");
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("golden " + name + ": " + error.what());
    }
}

template <class T, std::size_t rank>
xt::xtensor<T, rank> load(const std::string& name) {
    const xt::xarray<T> array = load<T>(name);
    if (array.dimension() != rank) {
        throw std::runtime_error("golden " + name + " has shape " + attention::shape_text(array));
    }
    return array;
}

} // namespace

attention::Matrix golden(const std::string& name) {
    return load<double, 2>(name);
}
attention::Vector golden_vector(const std::string& name) {
    return load<double, 1>(name);
}
attention::Tensor3 golden_tensor3(const std::string& name) {
    return load<double, 3>(name);
}
attention::MatrixF golden_f(const std::string& name) {
    return load<float, 2>(name);
}
attention::VectorF golden_vector_f(const std::string& name) {
    return load<float, 1>(name);
}
attention::Tensor3F golden_tensor3_f(const std::string& name) {
    return load<float, 3>(name);
}
xt::xarray<bool> golden_bools(const std::string& name) {
    return load<bool>(name);
}

} // namespace support
