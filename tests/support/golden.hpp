#pragma once

// Tensors saved from PyTorch by tests/golden/make_goldens.py. A name is a path below tests/golden
// without its suffix: golden("softmax/rows"). Each function throws std::runtime_error, with the
// tensor's name, if it does not exist, or has another type or rank.

#include "attention/tensor.hpp"

#include <string>

namespace support {

attention::Matrix golden(const std::string& name);
attention::Vector golden_vector(const std::string& name);
attention::Tensor3 golden_tensor3(const std::string& name);

attention::MatrixF golden_f(const std::string& name);
attention::VectorF golden_vector_f(const std::string& name);
attention::Tensor3F golden_tensor3_f(const std::string& name);

xt::xarray<bool> golden_bools(const std::string& name); // masks, of any rank

} // namespace support
