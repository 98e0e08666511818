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

template <class T, std::size_t rank>
xt::xtensor<T, rank> load(const std::string& name) {
    try {
        const xt::xarray<T> array = xt::load_npy<T>(GOLDEN_DIRECTORY "/" + name + ".npy");
        if (array.dimension() == rank) {
            return xt::xtensor<T, rank>(array);
        }
        throw std::runtime_error("it has shape " + attention::shape_text(array));
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("golden " + name + " is not there as a tensor of rank " +
                                 std::to_string(rank) + " and " + std::to_string(8 * sizeof(T)) +
                                 " bits: " + error.what());
    }
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
    try {
        return xt::load_npy<bool>(GOLDEN_DIRECTORY "/" + name + ".npy");
    } catch (const std::runtime_error& error) {
        throw std::runtime_error("golden " + name +
                                 " is not there as a tensor of bools: " + error.what());
    }
}

} // namespace support
