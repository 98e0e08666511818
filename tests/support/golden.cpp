#include "support/golden.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace support {
namespace {

/// Reads what numpy wrote, in C order and with a header of version 1. xtensor's own reader brings
/// in <regex>: it takes four seconds to compile.
template <class T>
xt::xarray<T> load(const std::string& name) {
    std::ifstream in(GOLDEN_DIRECTORY "/" + name + ".npy", std::ios::binary);
    if (!in) {
        throw std::runtime_error("golden " + name + ": no such file");
    }
    std::string header(10, ' ');
    in.read(header.data(), 10);
    header.resize(static_cast<unsigned char>(header[8]) +
                  256U * static_cast<unsigned char>(header[9]));
    in.read(header.data(), static_cast<std::streamsize>(header.size()));
    const std::string wanted = std::is_same_v<T, bool> ? "|b1" : sizeof(T) == 8 ? "<f8" : "<f4";
    const std::string got = header.substr(header.find("'descr': '") + 10, 3);
    if (got != wanted) {
        throw std::runtime_error("golden " + name + ": wanted " + wanted + ", got " + got);
    }
    std::istringstream sizes(header.substr(header.find('(') + 1));
    std::vector<std::size_t> shape;
    for (std::size_t size = 0; sizes >> size; sizes.ignore(1)) {
        shape.push_back(size);
    }
    xt::xarray<T> array(shape);
    in.read(reinterpret_cast<char*>(array.data()),
            static_cast<std::streamsize>(array.size() * sizeof(T)));
    return array;
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
