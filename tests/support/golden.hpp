#pragma once

// Tensors saved from PyTorch by tests/golden/make_goldens.py. A name is a path below tests/golden
// without its ending: golden("softmax/rows"). Each function throws std::runtime_error, and names
// the tensor, if there is none by that name, or its type or rank is another.

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
